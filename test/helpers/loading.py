# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What a load found, for tests that need its Model."""

from __future__ import annotations

from hrdf_ros.load_result import LoadError, LoadResult
from hrdf_ros.model import Model


def model_of(result: LoadResult) -> Model:
    """Return the Model of a load; fail with its first error where there is none."""
    if result.model is None:
        raise LoadError(result.report)
    return result.model
