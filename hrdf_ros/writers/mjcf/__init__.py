# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""MJCF, for MuJoCo."""

from hrdf_ros.writers.mjcf.assets import MjcfOptions
from hrdf_ros.writers.mjcf.joints import positions
from hrdf_ros.writers.mjcf.write import make_mjcf, write_mjcf

__all__ = ['make_mjcf', 'MjcfOptions', 'positions', 'write_mjcf']
