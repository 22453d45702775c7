# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read, check and publish robot descriptions in HRDF, SDFormat, SKEL, MJCF and URDF.

``Kinematics``, which needs numpy, and the writers are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load import load, load_model
from hrdf_ros.load_result import LoadError, LoadResult
from hrdf_ros.model import Model

if TYPE_CHECKING:
    from hrdf_ros.kinematics import FullConfiguration, IkResult, Kinematics
    from hrdf_ros.kinematics.pinocchio_model import to_pinocchio
    from hrdf_ros.names import UnknownNameError
    from hrdf_ros.writers.dot import plot, write_dot
    from hrdf_ros.writers.files import write
    from hrdf_ros.writers.mjcf import write_mjcf
    from hrdf_ros.writers.sdf import write_sdf
    from hrdf_ros.writers.urdf import write_urdf

_LAZY = {
    'FullConfiguration': 'hrdf_ros.kinematics',
    'IkResult': 'hrdf_ros.kinematics',
    'Kinematics': 'hrdf_ros.kinematics',
    'plot': 'hrdf_ros.writers.dot',
    'to_pinocchio': 'hrdf_ros.kinematics.pinocchio_model',
    'UnknownNameError': 'hrdf_ros.names',
    'write': 'hrdf_ros.writers.files',
    'write_dot': 'hrdf_ros.writers.dot',
    'write_mjcf': 'hrdf_ros.writers.mjcf',
    'write_sdf': 'hrdf_ros.writers.sdf',
    'write_urdf': 'hrdf_ros.writers.urdf',
}

__version__ = '0.3.0'
__all__ = [
    'Diagnostic', 'FullConfiguration', 'IkResult', 'Kinematics', 'load', 'load_model',
    'LoadError', 'LoadResult', 'Model', 'plot', 'Report', 'ResourceLimits', 'to_pinocchio',
    'UnknownNameError', 'write', 'write_dot', 'write_mjcf', 'write_sdf', 'write_urdf']


def __getattr__(name: str) -> object:
    """Import a lazy public name on its first use."""
    if name not in _LAZY:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, '__version__']
