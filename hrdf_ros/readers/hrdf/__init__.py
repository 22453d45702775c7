# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""HRDF 1.0.0 to 1.6.0, the HEBI Robot Description Format."""

from hrdf_ros.readers.hrdf.model_builder import read

__all__ = ('read',)
