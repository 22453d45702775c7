# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What the reader and the writer of a format share: the conventions of its Models.

A format that is only read has its conventions with its reader.
"""

from hrdf_ros.fields import unheld
from hrdf_ros.model import Conventions, Coordinate, Holder

URDF = Conventions(
    places_root=False,
    joint_types=('revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar'),
    whole_joint_types=('planar',),
    unstated=frozenset(unheld(Coordinate, ['urdf'])),
    default_color=(1.0, 0.0, 0.0, 1.0))
"""URDF: a robot has no pose, and RViz shows what has no color in red."""

SDF = Conventions(
    nested_names=True,
    separate_shape_names=True,
    joint_types=(
        'ball', 'continuous', 'fixed', 'gearbox', 'prismatic', 'revolute', 'revolute2', 'screw',
        'universal'),
    unstated=frozenset(unheld(Coordinate, ['sdf'])))
"""SDFormat: a model is a namespace, and so are the visuals and the collisions of a link."""
SDF_HOLDERS: tuple[Holder, ...] = ('sdf', 'gazebo')
"""What can have elements of SDFormat as they are."""

MJCF = Conventions(
    separate_frame_names=True,
    names_motions=True,
    world_is_body=True,
    absolute_base=True,
    closes_loops_initially=True,
    joint_types=('free', 'ball', 'slide', 'hinge', 'fixed', 'connect', 'weld'),
    unstated=frozenset(unheld(Coordinate, ['mjcf'])),
    ordered_constraints=True,
    default_color=(0.5, 0.5, 0.5, 1.0))
"""MJCF: all begins at the world body and in the configuration qpos0."""
