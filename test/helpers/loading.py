# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The Model of a load, and a resolver that does not see the environment."""

from __future__ import annotations

from pathlib import Path

from hrdf_ros.load_result import LoadError, LoadResult
from hrdf_ros.model import Model
from hrdf_ros.resolve import Resolver


def model_of(result: LoadResult) -> Model:
    """Return the Model of a load; without one, fail with the first error."""
    if result.model is None:
        raise LoadError(result.report)
    return result.model


def resolver(*arguments: object, **options: object) -> Resolver:
    """Return a resolver; the environment is empty unless it is given."""
    options.setdefault('environ', {})
    return Resolver(*arguments, **options)  # type: ignore[arg-type]


def with_files(directory: Path) -> Path:
    """Return a directory with some files, each of which contains its own name."""
    for name in ('main.sdf', 'sub/arm.sdf', 'models/arm/model.sdf', 'share/robot/meshes/a b.stl'):
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    return directory
