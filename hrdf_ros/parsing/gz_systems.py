# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The elements of plugins that name a joint, link or frame.

The table lists the elements that the systems of Gazebo read as such a name (gz-sim, commit
93bbf3ed1, ``src/systems``), below the systems that read them. Many other plugins have the same
elements.
"""

from __future__ import annotations

from collections.abc import Mapping

_JOINT = ('joint',)
_LINK = ('link',)
_FRAME = ('link', 'frame')
"""The kinds of items that may have a name on TF."""

KINDS: Mapping[str, tuple[str, ...]] = {
    # AckermannSteering, DiffDrive
    'left_joint': _JOINT, 'right_joint': _JOINT,
    'left_steering_joint': _JOINT, 'right_steering_joint': _JOINT,
    # ApplyJointForce, JointController, JointPositionController, JointStatePublisher,
    # JointTrajectoryController, Thruster
    'joint_name': _JOINT,
    # MulticopterControl, MulticopterMotorModel
    'comLinkName': _LINK, 'jointName': _JOINT, 'linkName': _LINK,
    # MecanumDrive
    'front_left_joint': _JOINT, 'front_right_joint': _JOINT,
    'back_left_joint': _JOINT, 'back_right_joint': _JOINT,
    # Elevator
    'cabin_joint': _JOINT,
    # LiftDrag
    'control_joint_name': _JOINT,
    # AdvancedLiftDrag, BuoyancyEngine, Hydrodynamics, KineticEnergyMonitor, LiftDrag,
    # LighterThanAirDynamics, SpacecraftThrusterModel, TrajectoryFollower, VelocityControl,
    # WheelSlip (an attribute)
    'link_name': _LINK,
    # DetachableJoint
    'parent_link': _LINK, 'child_link': _LINK,
    # OpticalTactilePlugin, TrackController, TrackedVehicle
    'link': _LINK, 'body_link': _LINK,
    # FreeSpaceExplorer, LookupWheelSlip
    'sensor_link': _LINK, 'wheel_link_name': _LINK,
    # AckermannSteering, DiffDrive, EnvironmentalSensorSystem, MecanumDrive, OdometryPublisher,
    # TrackedVehicle
    'frame_id': _FRAME, 'child_frame_id': _FRAME, 'odom_frame': _FRAME,
    'robot_base_frame': _FRAME,
}
"""The kinds of things that an element or attribute may name, by its tag."""
IN_ANOTHER_MODEL = ('child_link',)
"""The tags whose names belong to another model: the ``<child_model>`` of a DetachableJoint."""
