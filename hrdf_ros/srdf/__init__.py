# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
SRDF for MoveIt: planning groups, end effectors, group states, disabled collisions.

Everything is said in the names of the URDF that the Model is published as. ``groups`` and
``robot`` serve ``ros2_control`` too.
"""

from hrdf_ros.srdf.collision_shapes import CollisionLibraryError
from hrdf_ros.srdf.collisions import disabled_pairs, DisabledPair
from hrdf_ros.srdf.groups import (
    Chain,
    EndEffector,
    Group,
    GroupError,
    planning_groups,
    PlanningGroups,
)
from hrdf_ros.srdf.robot import as_urdf, RobotTooLargeError, UrdfRobot
from hrdf_ros.srdf.write import VIRTUAL_JOINTS, write_srdf

__all__ = [
    'as_urdf', 'Chain', 'CollisionLibraryError', 'disabled_pairs', 'DisabledPair', 'EndEffector',
    'Group', 'GroupError', 'planning_groups', 'PlanningGroups', 'RobotTooLargeError', 'UrdfRobot',
    'VIRTUAL_JOINTS', 'write_srdf']
