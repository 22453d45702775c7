# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A URDF inside of SDFormat, converted as libsdformat does it.

Links at the ends of fixed joints become one link, the ``<gazebo>`` elements go into what they
refer to, links without mass are dropped, visuals and collisions are renamed. The result are
elements of SDFormat 1.11 that keep their places in the URDF.
"""

from hrdf_ros.readers.sdf.urdf_conversion.convert import convert

__all__ = ['convert']
