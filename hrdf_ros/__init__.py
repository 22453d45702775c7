# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read, check and publish robot descriptions: HRDF, SDFormat, SKEL, URDF.

``Tree``, which needs numpy, and the writers are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from hrdf_ros.document import Limits
from hrdf_ros.load import load, Loaded, LoadError

if TYPE_CHECKING:
    from hrdf_ros.tree import Tree
    from hrdf_ros.writers.dot import write_dot
    from hrdf_ros.writers.sdf import write_sdf
    from hrdf_ros.writers.urdf import write_urdf

_HOMES = {
    'Tree': 'hrdf_ros.tree',
    'write_dot': 'hrdf_ros.writers.dot',
    'write_sdf': 'hrdf_ros.writers.sdf',
    'write_urdf': 'hrdf_ros.writers.urdf',
}

__all__ = [
    'Limits', 'load', 'Loaded', 'LoadError', 'Tree', 'write_dot', 'write_sdf', 'write_urdf']


def __getattr__(name: str) -> object:
    """Import a name of the interface where it is first used."""
    if name not in _HOMES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(import_module(_HOMES[name]), name)
