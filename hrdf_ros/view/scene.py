# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What there is to draw of a model: surfaces and marks fixed to bodies, without any browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Literal, NamedTuple, Optional

from hrdf_ros.inertia import equal_box, Inertia
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.model import Body, Joint, Material, Mesh, Model, Plane, Shape
from hrdf_ros.pose import IDENTITY, Pose, to_matrix, translation, Vector
from hrdf_ros.topology import find_frame
from hrdf_ros.view.meshes import MeshCache, MeshError, textured
from hrdf_ros.view.triangles import box, joined, moved, surface, Triangles, unit_sphere
import numpy as np

Layer = Literal['visual', 'collision', 'inertia', 'mass']
Rgb = tuple[int, int, int]

QUIET_GRAY: Rgb = (176, 180, 186)
_COLORS: dict[Layer, Rgb] = {
    'visual': QUIET_GRAY, 'collision': (255, 140, 40), 'inertia': (80, 150, 255),
    'mass': (220, 30, 90),
}
_OPACITIES: dict[Layer, float] = {
    'visual': 1.0, 'collision': 0.35, 'inertia': 0.35, 'mass': 1.0,
}
_MISSING: Rgb = (230, 60, 200)
_LEAST_SIDE = 0.02
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

    ``is_tagged`` tells that a tag means this frame: the parts of an element have its tag, too.
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


class Scene(NamedTuple):
    """
    All there is to draw.

    ``body_frames`` has each body's own frame by index. ``center`` and ``size`` (m) are those of
    the box around the bounded surfaces in the given configuration, its lowest point ``floor``;
    ``notes`` say what cannot be drawn.
    """

    body_frames: tuple[int, ...]
    solids: tuple[Solid, ...]
    frames: tuple[FrameMark, ...]
    axes: tuple[AxisMark, ...]
    center: Vector
    size: float
    floor: float
    notes: tuple[str, ...]


def build_scene(model: Model, root_from_frames: Array, meshes: MeshCache) -> Scene:
    """Return the scene of a model; ``root_from_frames`` (F, 4, 4) are its poses at the start."""
    notes: list[str] = []
    body_frames = _body_frames(model)
    root_from_bodies = root_from_frames[list(body_frames)]
    solids = [solid for index, body in enumerate(model.bodies)
              for solid in _body_solids(index, body, meshes, notes)]
    if not any(solid.layer in ('visual', 'collision') for solid in solids):
        solids += _sticks(model, root_from_bodies)
    low, high = _bounds(solids, root_from_bodies)
    center = tuple((0.5 * (low + high)).tolist())
    size = float(np.linalg.norm(high - low)) or 1.0
    return Scene(
        body_frames=body_frames,
        solids=(*solids, *_mass_marks(model, size)),
        frames=tuple(_frame_marks(model, frozenset(body_frames))),
        axes=tuple(mark for joint in model.joints for mark in _axis_marks(joint)),
        center=(center[0], center[1], center[2]),
        size=size,
        floor=float(low[2]),
        notes=tuple(notes))


def _body_frames(model: Model) -> tuple[int, ...]:
    """Return the index of each body's own frame."""
    own = {(frame.body, frame.name): index for index, frame in enumerate(model.frames)}
    return tuple(own[index, body.name] for index, body in enumerate(model.bodies))


def _body_solids(
    index: int, body: Body, meshes: MeshCache, notes: list[str],
) -> Iterator[Solid]:
    layers: tuple[tuple[Layer, Sequence[Shape]], ...] = (
        ('visual', body.visuals), ('collision', body.collisions))
    for layer, shapes in layers:
        for shape in shapes:
            try:
                yield _with_texture(
                    _shape_solid(index, layer, shape, meshes), shape, body.name, notes)
            except MeshError as error:
                assert isinstance(shape.geometry, Mesh)
                notes.append(f"{body.name}: mesh '{shape.geometry.uri}': {error}")
                yield Solid(
                    body=index, layer=layer, triangles=box((0.05, 0.05, 0.05)), pose=shape.pose,
                    color=_MISSING, opacity=_OPACITIES[layer])
    if body.inertia is not None and body.inertia.mass > 0.0:
        ellipsoid = _equal_ellipsoid(body.inertia)
        if ellipsoid is not None:
            yield Solid(
                body=index, layer='inertia', triangles=moved(unit_sphere(), 0.0, ellipsoid[1]),
                pose=ellipsoid[0], color=_COLORS['inertia'], opacity=_OPACITIES['inertia'])


def _shape_solid(index: int, layer: Layer, shape: Shape, meshes: MeshCache) -> Solid:
    glb = None
    if isinstance(shape.geometry, Mesh):
        loaded = meshes.load(shape.geometry)
        triangles = loaded.triangles
        if layer == 'visual' and _diffuse(shape.material) is None:
            glb = loaded.glb
    else:
        triangles = surface(shape.geometry)
    color, opacity = _look(layer, shape.material)
    return Solid(
        body=index, layer=layer, triangles=triangles, pose=shape.pose, color=color,
        opacity=opacity, glb=glb, bounded=not isinstance(shape.geometry, Plane))


def _with_texture(solid: Solid, shape: Shape, body: str, notes: list[str]) -> Solid:
    """Return a visible primitive with the texture of its material, if that can be read."""
    material = shape.material
    if (solid.layer != 'visual' or material is None or material.texture_file is None
            or isinstance(shape.geometry, Mesh) or not len(solid.triangles.faces)):
        return solid
    try:
        return solid._replace(glb=textured(solid.triangles, material.texture_file))
    except MeshError as error:
        notes.append(f"{body}: texture '{material.texture}': {error}")
        return solid


def _diffuse(material: Optional[Material]) -> Optional[tuple[float, float, float, float]]:
    return None if material is None else material.diffuse or material.ambient


def _look(layer: Layer, material: Optional[Material]) -> tuple[Rgb, float]:
    """Return color and opacity; only what is visible has those of its material."""
    diffuse = _diffuse(material)
    if layer != 'visual' or diffuse is None:
        return _COLORS[layer], _OPACITIES[layer]
    red, green, blue, alpha = (round(255.0 * min(max(value, 0.0), 1.0)) for value in diffuse)
    return (red, green, blue), alpha / 255.0


def _equal_ellipsoid(inertia: Inertia) -> Optional[tuple[Pose, Vector]]:
    """Return pose and half axes of the solid ellipsoid with this mass and inertia."""
    found = equal_box(inertia)
    if found is None:
        return None
    pose, sides = found
    x, y, z = (sqrt(5.0 / 12.0) * max(side, _LEAST_SIDE * max(sides)) for side in sides)
    return pose, (x, y, z)


def _sticks(model: Model, root_from_bodies: Array) -> Iterator[Solid]:
    """Yield sticks from each body to the joints it carries, where nothing has a shape."""
    points = root_from_bodies[:, :3, 3]
    spread = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
    thick = _STICK * (spread or 1.0)
    for index in range(len(model.bodies)):
        ends = [joint.parent_from_joint.position for joint in model.joints
                if joint.parent == index]
        knob = moved(unit_sphere(), 0.0, thick)
        yield Solid(index, 'visual', joined((knob, *(_stick(end, thick) for end in ends))))


def _stick(end: Vector, thick: float) -> Triangles:
    """Return a square stick from the origin to a point."""
    direction = np.asarray(end)
    length = float(np.linalg.norm(direction))
    if length < thick:
        return joined(())
    along = direction / length
    across = np.cross(along, (0.0, 0.0, 1.0) if abs(along[2]) < 0.9 else (1.0, 0.0, 0.0))
    across /= np.linalg.norm(across)
    rotation = np.column_stack((across, np.cross(along, across), along))
    bar = moved(box((thick, thick, length)), (0.0, 0.0, 0.5 * length))
    return Triangles((bar.vertices @ rotation.T).astype(np.float32), bar.faces)


def _bounds(solids: Sequence[Solid], root_from_bodies: Array) -> tuple[Array, Array]:
    """Return the least and greatest corner of all that is drawn and bounded, or of the bodies."""
    corners = [root_from_bodies[:, :3, 3]]
    for solid in solids:
        if solid.bounded and solid.layer in ('visual', 'collision') and len(solid.triangles.faces):
            ends = np.array([solid.triangles.vertices.min(0), solid.triangles.vertices.max(0)])
            box_corners = np.array(np.meshgrid(*ends.T)).reshape(3, -1).T
            rotation = np.array(to_matrix(solid.pose)).reshape(3, 3)
            in_body = box_corners @ rotation.T + solid.pose.position
            root_from_body = root_from_bodies[solid.body]
            corners.append(in_body @ root_from_body[:3, :3].T + root_from_body[:3, 3])
    points = np.concatenate(corners)
    if not len(points):
        return np.zeros(3), np.ones(3)
    return points.min(0), points.max(0)


def _mass_marks(model: Model, size: float) -> Iterator[Solid]:
    """Yield a ball at the center of mass of each body, greater for a greater mass."""
    masses = [0.0 if body.inertia is None else body.inertia.mass for body in model.bodies]
    heaviest = max(masses, default=0.0)
    for index, (body, mass) in enumerate(zip(model.bodies, masses)):
        if body.inertia is not None and 0.0 < mass < np.inf:
            radius = 0.012 * size * float(np.cbrt(mass / heaviest))
            yield Solid(
                body=index, layer='mass', triangles=moved(unit_sphere(), 0.0, radius),
                pose=translation(*body.inertia.pose.position), color=_COLORS['mass'])


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
