# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Kinematics on flat arrays: coordinates, poses, Jacobians, closed loops."""

from hrdf_ros.kinematics.configuration_space import FullConfiguration
from hrdf_ros.kinematics.inverse import IkResult
from hrdf_ros.kinematics.kinematics import Kinematics
from hrdf_ros.kinematics.loop_closure import DependentSolver, LoopState
from hrdf_ros.names import UnknownNameError

__all__ = [
    'DependentSolver', 'FullConfiguration', 'IkResult', 'Kinematics', 'LoopState',
    'UnknownNameError']
