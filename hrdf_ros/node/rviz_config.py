# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""RViz's configuration for a robot: fixed frame, prefix, topic and view are the robot's."""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps
import math
import pickle
from typing import NamedTuple
import zlib

from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Box, Capsule, Cone, Cylinder, Ellipsoid, Shape, Sphere
from hrdf_ros.node.jobs import Description
import numpy as np

_MAX_AXES = 50
_MAX_NAMED = 12
"""Links up to which RViz shows their names and large axes: those of more cover the robot."""
_SMALLEST, _LARGEST = 0.05, 1000.0
_GROUND = 3.0
"""A shape that reaches so many times as far as the links is what the robot stands on."""

_HEAD = """\
Panels:
  - Class: rviz_common/Displays
    Name: Displays
    Property Tree Widget:
      Expanded:
        - /Robot1
      Splitter Ratio: 0.5
  - Class: rviz_common/Views
    Name: Views
    Expanded:
      - /Current View1
Visualization Manager:
  Class: ""
  Displays:
    - Class: rviz_default_plugins/Grid
      Name: Grid
      Enabled: true
      Cell Size: {cell!r}
      Plane Cell Count: 20
      Plane: XY
      Reference Frame: <Fixed Frame>
      Value: true
    - Class: rviz_default_plugins/RobotModel
      Name: Robot
      Enabled: true
      Description Source: Topic
      Description Topic:
        Value: {topic}
        Depth: 1
        Durability Policy: Transient Local
        History Policy: Keep Last
        Reliability Policy: Reliable
      TF Prefix: {prefix}
      Visual Enabled: true
      Collision Enabled: false
      Value: true
    - Class: rviz_default_plugins/TF
      Name: TF
      Enabled: true
      Show Arrows: false
      Show Axes: true
      Show Names: {names}
      Marker Scale: {scale!r}
      Value: true
"""
_TAGS = """\
    - Class: rviz_common/Group
      Name: Tagged frames
      Enabled: true
      Displays:
"""
_AXES = """\
        - Class: rviz_default_plugins/Axes
          Name: {name}
          Enabled: true
          Reference Frame: {frame}
          Length: {length!r}
          Radius: {radius!r}
          Value: true
"""
_TAIL = """\
  Global Options:
    Background Color: 48; 48; 48
    Fixed Frame: {root}
    Frame Rate: 30
  Name: root
  Tools:
    - Class: rviz_default_plugins/MoveCamera
    - Class: rviz_default_plugins/Select
    - Class: rviz_default_plugins/FocusCamera
    - Class: rviz_default_plugins/Measure
  Views:
    Current:
      Class: rviz_default_plugins/Orbit
      Name: Current View
      Distance: {distance!r}
      Pitch: 0.5
      Yaw: 0.8
      Focal Point: {{X: {x!r}, Y: {y!r}, Z: {z!r}}}
      Target Frame: <Fixed Frame>
Window Geometry:
  Height: 800
  Width: 1200
"""


class RvizScene(NamedTuple):
    """What there is to be seen: frames with the prefix, meters, the center in the root."""

    root: str = 'base_link'
    tagged: tuple[tuple[str, str], ...] = ()
    """Tags and their frames."""
    links: int = 0
    size: float = 1.0
    center: tuple[float, float, float] = (0.0, 0.0, 0.3)


def scene_of(description: Description, prefix: str) -> RvizScene:
    """Return what RViz shows of a robot, the joints at their initial positions."""
    kinematics = Kinematics(description.model)
    bodies = description.model.bodies
    root = bodies[kinematics.topology.roots[0]].name
    poses = kinematics.poses()
    turned, moved = poses[root][:3, :3], poses[root][:3, 3]
    places = (np.array([poses[body.name][:3, 3] for body in bodies]) - moved) @ turned
    size, center = _extent(places, _radii(description))
    return RvizScene(
        root=prefix + root, tagged=tuple(_tagged(description, prefix)), links=len(bodies),
        size=size, center=center)


def _extent(places: Array, radii: Array) -> tuple[float, tuple[float, float, float]]:
    """Return size and center of links (b, 3) with these radii; grounds are left out."""
    seen = np.isfinite(places).all(1) & (np.abs(places) < _LARGEST).all(1)
    places, radii = places[seen], radii[seen]
    size = float(np.linalg.norm(np.ptp(places, 0))) if len(places) else 0.0
    radii = np.where(radii < (_GROUND * size or _LARGEST), radii, 0.0)[:, None]
    lowest = (places - radii).min(0, initial=0.0)
    highest = (places + radii).max(0, initial=0.0)
    size = float(np.linalg.norm(highest - lowest))
    x, y, z = ((lowest + highest) / 2.0).round(3).tolist()
    return float(np.clip(size, _SMALLEST, _LARGEST)) if size else 1.0, (x, y, z)


def _radii(description: Description) -> Array:
    """Return how far the visuals of the links reach (m), those without or with meshes 0."""
    loaded: LoadResult = pickle.loads(zlib.decompress(description.loaded))
    assert loaded.model is not None
    reach = {body.name: max(map(_reach, body.visuals), default=0.0)
             for body in loaded.model.bodies}
    return np.array([reach.get(body.name, 0.0) for body in description.model.bodies])


def _reach(shape: Shape) -> float:
    away = math.hypot(*shape.pose.position)
    match shape.geometry:
        case Box(size=size):
            return away + math.hypot(*size) / 2.0
        case Sphere(radius=radius):
            return away + radius
        case Cylinder(radius=radius, length=length) | Cone(radius=radius, length=length):
            return away + math.hypot(radius, length / 2.0)
        case Capsule(radius=radius, length=length):
            return away + radius + length / 2.0
        case Ellipsoid(radii=radii):
            return away + max(radii)
    return 0.0


def _tagged(description: Description, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the tags that name a frame on TF, and its name."""
    on_tf = {body.name for body in description.model.bodies}
    for record in description.frames:
        if record.tag and record.name == prefix + record.tag and record.tag in on_tf:
            yield record.tag, record.name


def rviz_config(scene: RvizScene, namespace: str, prefix: str) -> str:
    """
    Return the text of a file for ``rviz2 -d``.

    RViz puts a slash behind its TF prefix, so that it finds the frames of ``left/`` but cannot
    those of ``left_``.
    """
    name = namespace.strip('/')
    size = float(f'{scene.size:.2g}')
    axes = [
        _AXES.format(
            name=dumps(tag), frame=dumps(frame), length=round(size / 8.0, 4),
            radius=round(size / 160.0, 5)) for tag, frame in scene.tagged[:_MAX_AXES]]
    x, y, z = scene.center
    is_small = scene.links <= _MAX_NAMED
    return ''.join((
        _HEAD.format(
            cell=10.0 ** math.floor(math.log10(size / 2.0)),
            topic=dumps(f'/{name}/robot_description' if name else '/robot_description'),
            prefix=dumps(prefix.removesuffix('/')), names='true' if is_small else 'false',
            scale=min(1.0, round(size / (2.0 if is_small else 6.0), 3))),
        *([_TAGS, *axes] if axes else []),
        _TAIL.format(root=dumps(scene.root), distance=2.0 * size, x=x, y=y, z=z)))
