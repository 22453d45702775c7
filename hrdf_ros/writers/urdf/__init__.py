# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Model -> URDF."""

from hrdf_ros.writers.urdf.elements import UrdfOptions
from hrdf_ros.writers.urdf.write import is_unchanged, make_urdf, write_urdf

__all__ = ['is_unchanged', 'make_urdf', 'UrdfOptions', 'write_urdf']
