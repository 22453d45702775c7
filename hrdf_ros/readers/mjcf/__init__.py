# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""MJCF, the format of MuJoCo (google-deepmind/mujoco, XML reference), as MuJoCo 4.0 reads it."""

from hrdf_ros.readers.mjcf.reader import read

__all__ = ['read']
