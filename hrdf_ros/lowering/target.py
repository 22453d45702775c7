# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Targets, their capabilities, and the result of lowering a Model to one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, Optional, Union

from hrdf_ros import formats
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.formats import (
    DEFAULT_URDF,
    sdf_features,
    sdf_has,
    sdf_number,
    SDF_VERSIONS,
    URDF_VERSIONS,
)
from hrdf_ros.pose import Vector
from hrdf_ros.topology import Topology

Triangle = tuple[Vector, Vector, Vector]

ACTUATORS = ('motor', 'position', 'velocity', 'none')
"""The kinds of actuators that MJCF can get for commanded joints; ``none`` adds none."""
LINKED_FRAMES = frozenset(['end_effector'])
"""The kinds of frames that become links of a tree unless others are chosen."""


class Target(NamedTuple):
    """
    A format to write, and what it can express.

    All but SDFormat are trees with one root; SDFormat has scopes, joints of two axes and balls.
    ``floating`` joints may stay whole, ``loops`` may stay closed, and ``gazebo`` reads static
    models and springs. Shapes that the target lacks become meshes in ``mesh_directory``, without
    one the nearest primitives.
    """

    name: str
    kind: Literal['tree', 'urdf', 'sdf', 'mjcf']
    holders: tuple[m.Holder, ...] = ()
    """The parts of a file of the target, which `fields` and ``RawElement.held_by`` refer to."""
    version: str = ''
    root: str = ''
    """The name of the link that carries all others, if this name is always the same."""
    chains: bool = True
    """Whether joints have one axis, so that a joint of several motions becomes a chain."""
    floating: bool = True
    loops: bool = True
    gazebo: bool = True
    mimics: bool = True
    world_joints: bool = True
    shapes: tuple[type[m.Geometry], ...] = (m.Box, m.Sphere, m.Cylinder, m.Mesh)
    """The geometries that the target has; others become some of these, or meshes."""
    frames: Optional[frozenset[str]] = LINKED_FRAMES
    """The kinds of frames that become massless links of a tree; None is every kind."""
    mesh_directory: Optional[str] = None
    shape_extensions: bool = True
    """Whether shapes can hold raw XML of other programs."""
    has_scopes: bool = False
    """Whether files of the target use source names, which begin with the names of scopes."""
    default_color: Optional[m.Color] = None
    """The color in which the target's programs show a visual without a color."""
    features: frozenset[str] = frozenset()
    """The features of the target's version of SDFormat, which some fields require (`fields`)."""
    flat: bool = False
    """Whether nested models become part of the model around them."""
    free_base: bool = False
    """Whether the bodies that are fixed to the world get a free joint."""

    def holds(self, item: Union[m.RawElement, m.Frame, m.Constraint]) -> bool:
        """Return whether the target holds raw XML, or the raw XML that an item is part of."""
        return any(holder in self.holders for holder in item.held_by)


TF = Target('TF', 'tree')
"""The frames that ROS publishes: a tree of links; loops are solved, not cut."""
URDF = Target(
    'URDF', 'urdf', ('urdf',), DEFAULT_URDF, loops=False, gazebo=False,
    shape_extensions=False, default_color=formats.URDF.default_color)
GAZEBO_URDF = URDF._replace(holders=('urdf', 'gazebo'), gazebo=True)
"""URDF with ``<gazebo>`` blocks for facts that only Gazebo reads."""
MJCF = Target(
    'MJCF', 'mjcf', ('mjcf',), root='world', chains=False, frames=frozenset(),
    shapes=(*URDF.shapes, m.Capsule, m.Ellipsoid, m.Plane),
    default_color=formats.MJCF.default_color)


def urdf_target(version: str, *, gazebo: bool = False) -> Target:
    """Return the target URDF in one of URDF_VERSIONS; another version raises ValueError."""
    if version not in URDF_VERSIONS:
        raise ValueError(f'version {version} is not one of {", ".join(URDF_VERSIONS)}')
    return (GAZEBO_URDF if gazebo else URDF)._replace(
        version=version, shapes=(*URDF.shapes, m.Capsule) if version >= '1.2' else URDF.shapes)


def sdf_target(version: str, *, flat: bool = False) -> Target:
    """Return the target SDFormat in one of SDF_VERSIONS; another version raises ValueError."""
    if version not in SDF_VERSIONS:
        raise ValueError(f'version {version} is not one of {", ".join(SDF_VERSIONS)}')
    number = sdf_number(version)
    shapes = *MJCF.shapes, m.Polyline, m.Heightmap, m.Image, m.Empty
    return Target(
        'SDFormat', 'sdf', ('sdf',), version, mimics=sdf_has(number, 'mimic'),
        world_joints=sdf_has(number, 'joints_of_worlds'),
        shapes=(*shapes, m.Cone) if sdf_has(number, 'cone') else shapes,
        has_scopes=True, features=sdf_features(number), flat=flat)


class GeneratedMesh(NamedTuple):
    """A mesh that stands for a shape which the target lacks; ``file`` is where it belongs."""

    file: str
    triangles: Callable[[], list[Triangle]]


class LowerResult(NamedTuple):
    """
    A Model that the target can express, its topology, and a report of what was lost.

    ``meshes`` are the files that its shapes refer to and that are still to be written.
    """

    model: m.Model
    topology: Topology
    report: Report
    meshes: tuple[GeneratedMesh, ...] = ()
