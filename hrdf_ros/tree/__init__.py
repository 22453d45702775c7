# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Kinematics on flat arrays: coordinates, poses, Jacobians, closed loops."""

from hrdf_ros.tree.closing import LoopState
from hrdf_ros.tree.completion import Completion
from hrdf_ros.tree.coordinates import Settled, UnknownNameError
from hrdf_ros.tree.tree import Tree

__all__ = ['Completion', 'LoopState', 'Settled', 'Tree', 'UnknownNameError']
