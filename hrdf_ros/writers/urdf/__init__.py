# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Model -> URDF."""

from hrdf_ros.writers.urdf.write import write_urdf

__all__ = ['write_urdf']
