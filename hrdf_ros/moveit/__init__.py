# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The files that MoveIt and ros2_control need beside a URDF, and a package with all of them.

An SRDF has planning groups, end effectors, group states and disabled collisions. ros2_control has
the block of the hardware, and controllers. All names are those of the URDF that the Model is
published as.
"""

from hrdf_ros.moveit.collision_shapes import CollisionLibraryError
from hrdf_ros.moveit.collisions import (
    adjacent_pairs,
    CheckedPair,
    CollisionSearch,
    disabled_pairs,
    DisabledPair,
    LinkPairs,
    StartError,
)
from hrdf_ros.moveit.groups import (
    ARM_JOINTS,
    GroupError,
    planning_groups,
    PlanningGroups,
    wheel_joints,
)
from hrdf_ros.moveit.package import (
    arguments_file,
    default_parameters,
    gazebo_plugins,
    hebi_files,
    make_package,
    mujoco_files,
    Package,
    PackageError,
    Planning,
    read_arguments,
    write_package,
)
from hrdf_ros.moveit.robot import as_urdf, GIVEN, RobotTooLargeError, StartPose, UrdfRobot
from hrdf_ros.moveit.ros2_control import (
    Driver,
    DRIVERS,
    Hardware,
    write_block,
    write_controllers,
)
from hrdf_ros.moveit.srdf import millimeters, write_srdf

__all__ = [
    'adjacent_pairs', 'arguments_file', 'ARM_JOINTS', 'as_urdf', 'CheckedPair',
    'CollisionLibraryError', 'CollisionSearch', 'default_parameters', 'disabled_pairs',
    'DisabledPair', 'Driver', 'DRIVERS', 'gazebo_plugins', 'GIVEN', 'GroupError', 'Hardware',
    'hebi_files', 'LinkPairs', 'make_package', 'millimeters', 'mujoco_files', 'Package',
    'PackageError', 'Planning', 'planning_groups', 'PlanningGroups', 'read_arguments',
    'RobotTooLargeError', 'StartError', 'StartPose', 'UrdfRobot', 'wheel_joints', 'write_block',
    'write_controllers', 'write_package', 'write_srdf']
