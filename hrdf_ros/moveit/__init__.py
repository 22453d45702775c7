# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The files of MoveIt and ros2_control beside a URDF.

SRDF: planning groups, end effectors, group states, disabled collisions. ros2_control: the block of
the hardware, and controllers. All names are those of the URDF that the Model is published as.
"""

from hrdf_ros.moveit.collision_shapes import CollisionLibraryError
from hrdf_ros.moveit.collisions import disabled_pairs, DisabledPair
from hrdf_ros.moveit.groups import (
    Chain,
    EndEffector,
    Group,
    GroupError,
    planning_groups,
    PlanningGroups,
)
from hrdf_ros.moveit.robot import as_urdf, RobotTooLargeError, UrdfRobot
from hrdf_ros.moveit.ros2_control import (
    Hardware,
    INTERFACES,
    MOCK_PLUGIN,
    write_block,
    write_controllers,
)
from hrdf_ros.moveit.srdf import VIRTUAL_JOINTS, write_srdf

__all__ = [
    'as_urdf', 'Chain', 'CollisionLibraryError', 'disabled_pairs', 'DisabledPair', 'EndEffector',
    'Group', 'GroupError', 'Hardware', 'INTERFACES', 'MOCK_PLUGIN', 'planning_groups',
    'PlanningGroups', 'RobotTooLargeError', 'UrdfRobot', 'VIRTUAL_JOINTS', 'write_block',
    'write_controllers', 'write_srdf']
