# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read, check and publish robot descriptions: HRDF, SDFormat, SKEL, URDF."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hrdf_ros.writers.urdf import write_urdf as write_urdf

_HOMES = {'write_urdf': 'hrdf_ros.writers.urdf'}
"""Where public names live; each is imported when first asked for, which a check never does."""


def __getattr__(name: str) -> object:
    """Return a public name from its home."""
    if name not in _HOMES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(import_module(_HOMES[name]), name)
