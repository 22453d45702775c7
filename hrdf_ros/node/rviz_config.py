# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The configuration of RViz for a robot: config/view.rviz with its frame, topic and size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import copy
from itertools import product
import math
from typing import Any, NamedTuple, Optional

from hrdf_ros.inertia import equal_box
from hrdf_ros.model import Body, Mesh, Model, size_of_urdf
from hrdf_ros.pose import compose, Pose, transform, Vector
from hrdf_ros.topology import poses_at, span, with_followers

_DISTANCE = 1.3 / math.sin(math.pi / 8.0)
"""
The distance in meters at which a sphere with a radius of 1.3 m fills the view of 45 degrees of
RViz's camera; the robot has 1 m, but the size of a mesh is a guess, and the sliders move links
out of it.
"""
_SMALLEST = 0.02
"""The smallest radius in meters for which the camera moves closer."""
_CELLS = 10
"""The number of cells of the grid from its center to its edge."""
_MARKER = 0.1
"""The length of TF's axes, as a fraction of the camera's distance."""
_SHEET = 1e-3
"""The maximum thickness of a floor, as a fraction of its length; a floor may exceed the view."""

Config = dict[str, Any]


class Sight(NamedTuple):
    """A sphere that the camera has to show: its center in the root frame, and its radius (m)."""

    center: Vector
    radius: float


def sight_of(urdf: Model, source: Optional[Model] = None) -> Sight:
    """
    Return the sphere around a robot whose sliders are at zero.

    Joints without a slider (floating, planar and ball joints) are at the initial positions of
    ``source``, the Model that the URDF was written from: a URDF has none. A mesh counts as the
    box that has the mass and inertia of its link; a floor does not count.
    """
    points = list(_points(urdf, source or urdf))
    low, high = (tuple(map(which, zip(*points))) for which in (min, max))
    x, y, z = (0.5 * (a + b) for a, b in zip(low, high))
    return Sight((x, y, z), max(0.5 * math.dist(low, high), _SMALLEST))


def _points(urdf: Model, source: Model) -> Iterator[Vector]:
    """Yield the origins of all links, and the corners of the boxes around their shapes."""
    poses = poses_at(urdf, span(urdf), _at_the_start(urdf, source))
    for body, pose in zip(urdf.bodies, poses):
        yield pose.position
        for placed, size in _boxes(body):
            for signs in product((-0.5, 0.5), repeat=3):
                x, y, z = (sign * side for sign, side in zip(signs, size))
                yield transform(compose(pose, placed), (x, y, z))


def _at_the_start(urdf: Model, source: Model) -> list[float]:
    """Return a value for each coordinate: zero with a slider, else the initial position."""
    values = [0.0 if each.mimic is None else None for each in urdf.coordinates]
    moved_by = {joint.name: joint.coordinates for joint in source.joints}
    for joint in urdf.joints:
        if len(joint.coordinates) > 1:
            for index, same in zip(joint.coordinates, moved_by.get(joint.name, ())):
                values[index] = source.coordinates[same].initial_position
    return with_followers(urdf.coordinates, values)


def _boxes(body: Body) -> Iterator[tuple[Pose, Vector]]:
    """Yield the boxes around the visuals of a link: their poses in the link, and their sizes."""
    for shape in body.visuals:
        size = size_of_urdf(shape.geometry)
        if size is not None and min(size) > _SHEET * max(size):
            yield shape.pose, size
    if body.inertia is not None and any(
            isinstance(shape.geometry, Mesh) for shape in body.visuals):
        box = equal_box(body.inertia)
        if box is not None:
            yield box


def with_robot(ours: Mapping[str, Any], *, frame: str, prefix: str, namespace: str) -> Config:
    """Return a configuration with the fixed frame, prefix and topic of a robot."""
    config: Config = copy.deepcopy(dict(ours))
    manager = config['Visualization Manager']
    manager['Global Options']['Fixed Frame'] = frame
    for display in _displays(config, 'RobotModel'):
        display['TF Prefix'] = prefix.removesuffix('/')
        display['Description Topic']['Value'] = '/'.join(
            (f'/{namespace.strip("/")}'.rstrip('/'), 'robot_description'))
    return config


def with_sight(ours: Mapping[str, Any], sight: Sight) -> Config:
    """Return a configuration whose camera, grid and axes fit what it has to show."""
    config: Config = copy.deepcopy(dict(ours))
    view = config['Visualization Manager']['Views']['Current']
    view['Distance'] = round(_DISTANCE * sight.radius, 3)
    view['Focal Point'] = dict(zip('XYZ', (round(value, 3) for value in sight.center)))
    for display in _displays(config, 'Grid'):
        display['Cell Size'] = 10.0 ** math.ceil(math.log10(sight.radius / 1.5 / _CELLS))
    for display in _displays(config, 'TF'):
        display['Marker Scale'] = round(_MARKER * view['Distance'], 3)
    return config


def _displays(config: Config, kind: str) -> Iterator[Config]:
    for display in config['Visualization Manager']['Displays']:
        if display['Class'] == f'rviz_default_plugins/{kind}':
            yield display
