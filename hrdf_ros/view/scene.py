# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The drawing of a model without any browser: surfaces and marks fixed to links, the camera."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, hypot, radians, sin, sqrt
from typing import Literal, NamedTuple, Optional

from hrdf_ros.inertia import equal_box
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.meshes import LoadedMesh, MeshError, MeshReader, Request, surface, Triangles
from hrdf_ros.model import Body, Joint, Mesh, Model, Shape, shapes
from hrdf_ros.pose import (
    compose,
    from_matrix,
    IDENTITY,
    Pose,
    to_matrix,
    translation,
    Vector,
    z_to,
)
from hrdf_ros.topology import find_frame
from hrdf_ros.view.lights import Light, lights_of
import numpy as np

Layer = Literal['visual', 'collision', 'inertia', 'mass', 'icon']
Rgb = tuple[int, int, int]

QUIET_GRAY: Rgb = (176, 180, 186)
_LOOKS: dict[Layer, tuple[Rgb, float]] = {
    'visual': (QUIET_GRAY, 1.0), 'collision': ((255, 140, 40), 0.35),
    'inertia': ((80, 150, 255), 0.35), 'mass': ((220, 30, 90), 1.0), 'icon': ((255, 200, 40), 1.0)}
"""Color and opacity where the description has none."""
_MISSING: Rgb = (230, 60, 200)
FIELD_OF_VIEW = 0.8
"""Radians, from bottom to top of the picture."""
_IN_PLACE_OF_A_MESH = shapes.Box((0.05, 0.05, 0.05))
_LEAST_SIDE = 0.02
_LISTED = 5
"""Files that a note names."""
_STICK = 0.02
"""Of the robot's size: how thick the stick is that stands for bodies without any shape."""


class Solid(NamedTuple):
    """A surface fixed to a body; ``pose`` is body_from_solid, ``glb`` as in ``LoadedMesh``."""

    body: int
    layer: Layer
    triangles: Triangles
    pose: Pose = IDENTITY
    color: Rgb = QUIET_GRAY
    opacity: float = 1.0
    glb: Optional[bytes] = None
    bounded: bool = True


class FrameMark(NamedTuple):
    """
    A frame that can be shown; ``frame`` is its index in the model.

    ``is_tagged``: a tag refers to this frame, not only to the element that it is a part of.
    """

    frame: int
    name: str
    is_link: bool
    is_tagged: bool


class AxisMark(NamedTuple):
    """The axis of one motion of a joint, ``axis`` seen in the body; ``origin`` lies on it."""

    body: int
    origin: Vector
    axis: Vector
    turns: bool


class Extent(NamedTuple):
    """The center and size (m) of the box around a robot, and its lowest point."""

    center: Vector
    size: float
    floor: float


class Scene(NamedTuple):
    """
    All that is drawn of a model.

    ``body_frames`` has each body's own frame by index; ``extent`` is that of the configuration in
    which the scene was built; ``notes`` say which meshes and textures cannot be drawn,
    ``missing`` which meshes were not found: the reader of a description says so, too.
    """

    body_frames: tuple[int, ...]
    solids: tuple[Solid, ...]
    frames: tuple[FrameMark, ...]
    axes: tuple[AxisMark, ...]
    extent: Extent
    notes: tuple[str, ...]
    missing: tuple[str, ...] = ()
    lights: tuple[Light, ...] = ()

    def place(self, root_from_frames: Array) -> Array:
        """Return root_from_body (B, 4, 4) of poses of all frames (F, 4, 4)."""
        placed: Array = root_from_frames[list(self.body_frames)]
        return placed


NO_MODEL = Model('', '', '', '')
NO_SCENE = Scene((), (), (), (), Extent((0.0, 0.0, 0.0), 1.0, 0.0), ())


def build_scene(model: Model, root_from_frames: Array, meshes: MeshReader) -> Scene:
    """Return the scene of a model; ``root_from_frames`` (F, 4, 4) are its poses at the start."""
    body_frames = _body_frames(model)
    root_from_bodies = root_from_frames[list(body_frames)]
    drawn = [
        (index, layer, shape, _request(layer, shape)) for index, body in enumerate(model.bodies)
        for layer, own in _shapes(body) for shape in own]
    loaded = meshes.read(request for *_, request in drawn if request is not None)
    found = [(request, loaded[request]) for *_, request in drawn if request is not None]
    solids = [_shape_solid(index, layer, shape, None if request is None else loaded[request])
              for index, layer, shape, request in drawn]
    if not solids:
        solids += _sticks(model, root_from_bodies)
    extent = extent_of(solids, root_from_bodies)
    return Scene(
        body_frames=body_frames,
        solids=(*solids, *_inertias(model, extent.size), *_icons(model, extent.size)),
        frames=tuple(_frame_marks(model, frozenset(body_frames))),
        axes=tuple(mark for joint in model.joints for mark in _axis_marks(joint)),
        extent=extent,
        notes=tuple(_notes(each for each in found if not _is_missing(each))),
        missing=tuple(_notes(filter(_is_missing, found))),
        lights=lights_of(model, root_from_bodies, extent.center))


def mesh_files(model: Model) -> tuple[str, ...]:
    """Return the mesh files of a model."""
    return tuple(
        shape.geometry.file
        for body in model.bodies for shape in (*body.visuals, *body.collisions)
        if isinstance(shape.geometry, Mesh) and shape.geometry.file is not None)


def _body_frames(model: Model) -> tuple[int, ...]:
    """Return the index of each body's own frame."""
    own = {(frame.body, frame.name): index for index, frame in enumerate(model.frames)}
    return tuple(own[index, body.name] for index, body in enumerate(model.bodies))


def _shapes(body: Body) -> tuple[tuple[Layer, tuple[Shape, ...]], ...]:
    return ('visual', body.visuals), ('collision', body.collisions)


def _request(layer: Layer, shape: Shape) -> Optional[Request]:
    """Return the mesh or texture that a shape has to be read from, None for a plain surface."""
    if isinstance(shape.geometry, Mesh):
        return Request(shape.geometry)
    texture = None if shape.material is None else shape.material.texture_file
    return Request(shape.geometry, texture) if texture and layer == 'visual' else None


_Found = tuple[Request, LoadedMesh | MeshError]


def _is_missing(found: _Found) -> bool:
    geometry = found[0].geometry
    return isinstance(geometry, Mesh) and geometry.file is None


def _notes(found: Iterable[_Found]) -> Iterator[str]:
    """Yield the meshes and textures that cannot be drawn, once for each reason."""
    names: dict[tuple[str, str], dict[str, None]] = {}
    for (geometry, texture), answer in found:
        reason = str(answer) if isinstance(answer, MeshError) else answer.lost
        if reason:
            kind, name = ('texture', texture) if not isinstance(geometry, Mesh) else (
                'mesh' if isinstance(answer, MeshError) else 'textures of the mesh', geometry.uri)
            names.setdefault((kind, reason), {})[f"'{name}'"] = None
    for (kind, reason), files in names.items():
        more = f' and {len(files) - _LISTED} more' if len(files) > _LISTED else ''
        yield f"{kind} {', '.join([*files][:_LISTED])}{more}: {reason}"


def _shape_solid(
    index: int, layer: Layer, shape: Shape, found: Optional[LoadedMesh | MeshError],
) -> Solid:
    """Return the surface of a shape; a box of a striking color in place of a missing mesh."""
    geometry, material = shape.geometry, shape.material
    color, opacity = _LOOKS[layer]
    diffuse = None if material is None else material.diffuse or material.ambient
    if layer == 'visual' and diffuse is not None:
        *rgb, alpha = (round(255.0 * min(max(value, 0.0), 1.0)) for value in diffuse)
        color, opacity = (rgb[0], rgb[1], rgb[2]), alpha / 255.0
    is_mesh = isinstance(geometry, Mesh)
    solid = Solid(
        index, layer, surface(geometry), shape.pose, color, opacity,
        bounded=not isinstance(geometry, shapes.Plane))
    if isinstance(found, MeshError):
        return solid._replace(
            triangles=surface(_IN_PLACE_OF_A_MESH), color=_MISSING) if is_mesh else solid
    if found is None:
        return solid
    has_looks = layer == 'visual' and not (is_mesh and diffuse is not None)
    return solid._replace(triangles=found.triangles, glb=found.glb if has_looks else None)


def _inertias(model: Model, size: float) -> Iterator[Solid]:
    """
    Yield the ellipsoids of inertia, and a ball at each center of mass.

    An ellipsoid is solid and has the mass and inertia of the body. A greater mass has a greater
    ball.
    """
    found = [(index, body.inertia) for index, body in enumerate(model.bodies)
             if body.inertia is not None and body.inertia.mass > 0.0]
    heaviest = max((inertia.mass for _, inertia in found), default=0.0)
    for index, inertia in found:
        box = equal_box(inertia)
        if box is not None:
            x, y, z = (sqrt(5.0 / 12.0) * max(side, _LEAST_SIDE * max(box[1])) for side in box[1])
            yield Solid(index, 'inertia', surface(shapes.Ellipsoid((x, y, z))), box[0],
                        *_LOOKS['inertia'])
        if inertia.mass < np.inf:
            ball = shapes.Sphere(0.012 * size * float(np.cbrt(inertia.mass / heaviest)))
            yield Solid(index, 'mass', surface(ball), translation(*inertia.pose.position),
                        *_LOOKS['mass'])


def _sticks(model: Model, root_from_bodies: Array) -> Iterator[Solid]:
    """Yield sticks from each body to the joints it carries, where nothing has a shape."""
    points = root_from_bodies[:, :3, 3]
    spread = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
    thick = _STICK * (spread or 1.0)
    for index in range(len(model.bodies)):
        yield Solid(index, 'visual', surface(shapes.Sphere(thick)))
    for joint in model.joints:
        x, y, z = joint.parent_from_joint.position
        length = hypot(x, y, z)
        if joint.parent >= 0 and length >= thick:
            turned = z_to((x / length, y / length, z / length))
            yield Solid(joint.parent, 'visual', surface(shapes.Box((thick, thick, length))),
                        compose(turned, translation(0.0, 0.0, 0.5 * length)))


def extent_of(solids: Sequence[Solid], *placements: Array) -> Extent:
    """
    Return the extent of all bounded surfaces, or of the bodies' origins if there is none.

    Each placement is root_from_body (B, 4, 4); of several it contains all.
    """
    root_from_bodies = np.stack(placements)
    corners = [root_from_bodies[..., :3, 3].reshape(-1, 3)]
    for solid in solids:
        if solid.bounded and solid.layer in ('visual', 'collision') and len(solid.triangles.faces):
            ends = np.array([solid.triangles.vertices.min(0), solid.triangles.vertices.max(0)])
            box_corners = np.array(np.meshgrid(*ends.T)).reshape(3, -1).T
            rotation = np.array(to_matrix(solid.pose)).reshape(3, 3)
            in_body = box_corners @ rotation.T + solid.pose.position
            placed = root_from_bodies[:, solid.body]
            turned = in_body @ placed[:, :3, :3].swapaxes(1, 2)
            corners.append((turned + placed[:, None, :3, 3]).reshape(-1, 3))
    points = np.concatenate(corners)
    low, high = (points.min(0), points.max(0)) if len(points) else (np.zeros(3), np.ones(3))
    x, y, z = (0.5 * (low + high)).tolist()
    return Extent((x, y, z), float(np.linalg.norm(high - low)) or 1.0, float(low[2]))


def _icons(model: Model, size: float) -> Iterator[Solid]:
    """Yield a ball in the place of each light, and a figure of 1.8 m in that of each actor."""
    for frame in model.frames:
        if frame.kind == 'light':
            yield Solid(frame.body, 'icon', surface(shapes.Sphere(0.015 * size)), frame.pose,
                        *_LOOKS['icon'])
        elif frame.kind == 'actor':
            for shape, height in ((shapes.Capsule(0.22, 1.0), 0.72), (shapes.Sphere(0.14), 1.66)):
                yield Solid(frame.body, 'icon', surface(shape), compose(
                    frame.pose, translation(0.0, 0.0, height)))


def _frame_marks(model: Model, body_frames: frozenset[int]) -> Iterator[FrameMark]:
    meant = {find_frame(model, tag) for tag in {frame.tag for frame in model.frames} if tag}
    for index, frame in enumerate(model.frames):
        is_said = frame.tag in ('', frame.name) or frame.name.startswith(f'{frame.tag}/')
        yield FrameMark(
            index, frame.name if is_said else f'{frame.name} ({frame.tag})',
            index in body_frames, index in meant)


def _axis_marks(joint: Joint) -> Iterator[AxisMark]:
    """Yield the axes at the joint's zero position, seen in its parent."""
    rotation = np.array(to_matrix(joint.parent_from_joint)).reshape(3, 3)
    for motion in joint.motions:
        if motion.kind != 'rotation_vector':
            x, y, z = (rotation @ motion.axis).tolist()
            yield AxisMark(
                joint.parent, joint.parent_from_joint.position, (x, y, z),
                motion.kind != 'prismatic')


class Camera(NamedTuple):
    """A camera: its position and target (m), and its near and far planes (m)."""

    position: Vector
    look_at: Vector
    near: float
    far: float

    @property
    def wxyz(self) -> tuple[float, float, float, float]:
        """The orientation: z is forwards, y is down."""
        forwards = np.subtract(self.look_at, self.position)
        forwards /= np.linalg.norm(forwards)
        right = np.cross(forwards, (0.0, 0.0, 1.0))
        right /= np.linalg.norm(right)
        matrix = np.column_stack((right, np.cross(forwards, right), forwards))
        x, y, z, w = from_matrix((0.0, 0.0, 0.0), matrix.ravel().tolist()).orientation
        return w, x, y, z


def camera(
    extent: Extent, azimuth: float, elevation: float, *, aspect: float = 1.0, reach: float,
) -> Camera:
    """
    Return the camera that sees a robot from a direction, in degrees.

    ``aspect`` is the width of the picture by its height; ``reach``, by the robot's size, the
    radius of the ball around its center that is seen.
    """
    size = max(extent.size, 1e-6)
    turn, rise = radians(azimuth), radians(elevation)
    direction = np.array([cos(turn) * cos(rise), sin(turn) * cos(rise), sin(rise)])
    distance = reach * size / sin(0.5 * FIELD_OF_VIEW) / min(aspect, 1.0)
    x, y, z = (np.asarray(extent.center) + distance * direction).tolist()
    return Camera((x, y, z), extent.center, 0.002 * size, 200.0 * size)
