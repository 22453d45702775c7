# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""MJCF, for MuJoCo."""

from hrdf_ros.writers.mjcf.assets import MjcfOptions
from hrdf_ros.writers.mjcf.comparison import compare
from hrdf_ros.writers.mjcf.joints import positions
from hrdf_ros.writers.mjcf.loaded import load_in_mujoco, stage
from hrdf_ros.writers.mjcf.simulation import simulate, Simulation
from hrdf_ros.writers.mjcf.write import make_mjcf, write_mjcf

__all__ = [
    'compare', 'load_in_mujoco', 'make_mjcf', 'MjcfOptions', 'positions', 'simulate', 'Simulation',
    'stage', 'write_mjcf']
