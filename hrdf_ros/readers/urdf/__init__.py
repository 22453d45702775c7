# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The reader of URDF 1.0 to 1.2 and of xacro files."""

from hrdf_ros.readers.urdf.reader import read

__all__ = ['read']
