# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The drawing of a model without any browser: surfaces and marks fixed to links, the camera."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import cos, hypot, pi, radians, sin, sqrt
from typing import Literal, NamedTuple, Optional

from hrdf_ros.diff import Difference
from hrdf_ros.inertia import equal_box
from hrdf_ros.kinematics.transforms import Array, matrices
from hrdf_ros.listing import first_of
from hrdf_ros.meshes import LoadedMesh, MeshError, MeshReader, Request, surface, Triangles
from hrdf_ros.model import Joint, Mesh, Model, Shape, shapes
from hrdf_ros.pose import compose, from_rpy, IDENTITY, Pose, translation, Vector, z_to
from hrdf_ros.topology import name_frames
from hrdf_ros.view.lights import Light, lights_of
import numpy as np

Layer = Literal['visual', 'collision', 'inertia', 'mass', 'icon']
FrameChoice = Literal['off', 'links', 'tagged', 'all']
FRAME_CHOICES: tuple[FrameChoice, ...] = ('off', 'links', 'tagged', 'all')
Rgb = tuple[int, int, int]

ONLY_FIRST: Rgb = (224, 49, 49)
"""The color of what only the first robot of a comparison has."""
ONLY_SECOND: Rgb = (47, 158, 68)
"""The color of what only the second robot of a comparison has."""
CHANGED: Rgb = (245, 159, 0)
"""The color of what moved or changed in a comparison."""
_GHOST_OPACITY = 0.4
"""The opacity of the second robot in a comparison."""

_GRAY: Rgb = (176, 180, 186)
"""The color of a surface for which the description states none."""
_LOOKS: dict[Layer, tuple[Rgb, float]] = {
    'visual': (_GRAY, 1.0), 'collision': ((255, 140, 40), 0.35),
    'inertia': ((80, 150, 255), 0.35), 'mass': ((220, 30, 90), 1.0), 'icon': ((255, 200, 40), 1.0)}
"""The color and opacity of each layer, for shapes to which the description gives none."""
_MISSING: Rgb = (230, 60, 200)
"""The color of the box in place of a missing mesh."""
FIELD_OF_VIEW = 0.8
"""The angle of view in radians, from the bottom to the top of the picture."""
_IN_PLACE_OF_A_MESH = shapes.Box((0.05, 0.05, 0.05))
_LEAST_SIDE = 0.02
"""The least side of a box of inertia relative to its longest, so that a thin one is still seen."""
_LISTED = 5
"""The most files that one note names."""
_STICK = 0.02
"""
The thickness, in sizes of the robot, of the sticks that stand for bodies if none has a shape.
"""


class Solid(NamedTuple):
    """
    A surface fixed to a body; ``pose`` is body_from_solid.

    ``glb`` is as in ``LoadedMesh``. A surface that is not ``bounded`` does not count for the
    extent.
    """

    body: int
    layer: Layer
    triangles: Triangles
    pose: Pose = IDENTITY
    color: Rgb = _GRAY
    opacity: float = 1.0
    glb: Optional[bytes] = None
    bounded: bool = True


class Extent(NamedTuple):
    """The center and size (m) of the box around a robot, and the height of its lowest point."""

    center: Vector
    size: float
    floor: float


class Scene(NamedTuple):
    """
    Everything that is drawn of a model.

    ``body_frames`` has the index of each body's own frame. ``extent`` is that of the configuration
    in which the scene was built. ``notes`` say which meshes and textures cannot be drawn.
    ``missing`` lists the meshes that were not found; the reader of the description reports these,
    too.
    """

    model: Model
    body_frames: list[int]
    solids: tuple[Solid, ...]
    extent: Extent
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    lights: tuple[Light, ...] = ()


NO_SCENE = Scene(Model('', '', '', ''), [], (), Extent((0.0, 0.0, 0.0), 1.0, 0.0))


def build_scene(model: Model, root_from_frames: Array, meshes: MeshReader) -> Scene:
    """Return the scene of a model; ``root_from_frames`` (F, 4, 4) are its initial poses."""
    own = {(frame.body, frame.name): index for index, frame in enumerate(model.frames)}
    body_frames = [own[index, body.name] for index, body in enumerate(model.bodies)]
    root_from_bodies = root_from_frames[body_frames]
    drawn = [
        (index, layer, shape, _request(layer, shape)) for index, layer, shape in _shapes(model)]
    loaded = meshes.read(request for *_, request in drawn if request is not None)
    looks = {request for _, layer, shape, request in drawn if _has_looks(layer, shape)}
    solids = [_shape_solid(index, layer, shape, None if request is None else loaded[request])
              for index, layer, shape, request in drawn]
    if not solids:
        solids += _sticks(model, root_from_bodies)
    extent = extent_of(solids, root_from_bodies)
    return Scene(
        model, body_frames,
        (*solids, *_inertias(model, extent.size), *_icons(model, extent.size)), extent,
        *_notes(loaded, looks), lights_of(model, root_from_bodies, extent.center))


def mesh_files(model: Model) -> tuple[str, ...]:
    return tuple(
        shape.geometry.file for *_, shape in _shapes(model)
        if isinstance(shape.geometry, Mesh) and shape.geometry.file is not None)


def _shapes(model: Model) -> Iterator[tuple[int, Layer, Shape]]:
    for index, body in enumerate(model.bodies):
        yield from ((index, 'visual', shape) for shape in body.visuals)
        yield from ((index, 'collision', shape) for shape in body.collisions)


def _request(layer: Layer, shape: Shape) -> Optional[Request]:
    """Return the mesh or texture that has to be read for a shape, or None for a plain surface."""
    if isinstance(shape.geometry, Mesh):
        return Request(shape.geometry)
    texture = None if shape.material is None else shape.material.texture_file
    return Request(shape.geometry, texture) if texture and layer == 'visual' else None


def _has_looks(layer: Layer, shape: Shape) -> bool:
    """Return whether a shape is drawn with the materials of its file, or with its texture."""
    material = shape.material
    has_color = material is not None and (material.diffuse or material.ambient) is not None
    return layer == 'visual' and not (isinstance(shape.geometry, Mesh) and has_color)


def _notes(
    found: Mapping[Request, LoadedMesh | MeshError], looks: Collection[Optional[Request]],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """
    Return a note for each reason why something cannot be drawn, and the missing meshes.

    Lost materials count for those requests whose ``looks`` are drawn.
    """
    names: dict[tuple[bool, str, str], dict[str, None]] = {}
    for request, answer in found.items():
        geometry, texture = request
        reason = str(answer) if isinstance(answer, MeshError) else (
            answer.lost if request in looks else '')
        if reason:
            kind, name = ('texture', texture) if not isinstance(geometry, Mesh) else (
                'mesh' if isinstance(answer, MeshError) else 'materials of the mesh', geometry.uri)
            is_missing = isinstance(geometry, Mesh) and geometry.file is None
            names.setdefault((is_missing, kind, reason), {})[f"'{name}'"] = None
    notes: dict[bool, list[str]] = {False: [], True: []}
    for (is_missing, kind, reason), files in names.items():
        notes[is_missing].append(f'{kind} {first_of([*files], _LISTED)}: {reason}')
    return tuple(notes[False]), tuple(notes[True])


def _shape_solid(
    index: int, layer: Layer, shape: Shape, found: Optional[LoadedMesh | MeshError],
) -> Solid:
    """Return the surface of a shape; in place of a missing mesh, a box in a striking color."""
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
    return solid._replace(
        triangles=found.triangles, glb=found.glb if _has_looks(layer, shape) else None)


def _inertias(model: Model, size: float) -> Iterator[Solid]:
    """
    Yield the ellipsoids of inertia, and a ball at each center of mass.

    An ellipsoid is solid and has the mass and inertia of its body. A greater mass has a greater
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
    """Yield sticks from each body to the joints on it, if no body has a shape."""
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

    Each placement is root_from_body (B, 4, 4); the extent contains the robot in all placements.
    """
    root_from_bodies = np.stack(placements)
    corners = [root_from_bodies[..., :3, 3].reshape(-1, 3)]
    for solid in solids:
        if solid.bounded and solid.layer in ('visual', 'collision') and len(solid.triangles.faces):
            ends = (solid.triangles.vertices.min(0), solid.triangles.vertices.max(0))
            own = np.array(np.meshgrid(*np.transpose(ends), 1.0)).reshape(4, -1)
            placed = root_from_bodies[:, solid.body] @ matrices([solid.pose])[0]
            corners.append((placed @ own)[:, :3].swapaxes(1, 2).reshape(-1, 3))
    points = np.concatenate(corners)
    low, high = (points.min(0), points.max(0)) if len(points) else (np.zeros(3), np.ones(3))
    x, y, z = (0.5 * (low + high)).tolist()
    return Extent((x, y, z), float(np.linalg.norm(high - low)) or 1.0, float(low[2]))


def _icons(model: Model, size: float) -> Iterator[Solid]:
    """Yield a ball for each light and a figure 1.8 m tall for each actor."""
    for frame in model.frames:
        if frame.kind == 'light':
            yield Solid(frame.body, 'icon', surface(shapes.Sphere(0.015 * size)), frame.pose,
                        *_LOOKS['icon'])
        elif frame.kind == 'actor':
            for shape, height in ((shapes.Capsule(0.22, 1.0), 0.72), (shapes.Sphere(0.14), 1.66)):
                yield Solid(frame.body, 'icon', surface(shape), compose(
                    frame.pose, translation(0.0, 0.0, height)))


def frame_labels(
    scene: Scene, choice: FrameChoice, with_axes: Collection[int],
) -> dict[int, list[tuple[Pose, str]]]:
    """
    Return the poses and names of the frames that are shown, by body.

    These are the frames of the choice, and the own frames of the bodies ``with_axes``. The choice
    ``tagged`` means the frames that a tag refers to, not all frames of the tagged element.
    """
    model, own, found = scene.model, set(scene.body_frames), defaultdict(list)
    meant = name_frames(model)
    tagged = {meant[frame.tag] for frame in model.frames if frame.tag}
    chosen = {'off': set(), 'links': own, 'tagged': tagged, 'all': set(range(len(model.frames)))}
    for index, frame in enumerate(model.frames):
        if index in chosen[choice] or (index in own and frame.body in with_axes):
            is_said = frame.tag in ('', frame.name) or frame.name.startswith(f'{frame.tag}/')
            name = frame.name if is_said else f'{frame.name} ({frame.tag})'
            found[frame.body].append((frame.pose, name))
    return found


def joint_axes(joints: Iterable[Joint]) -> dict[tuple[int, bool], list[tuple[Array, Array]]]:
    """
    Return the origins and axes of motions at the joints' zero positions, in the parent's frame.

    They are grouped by the parent body and by whether the motion is a rotation.
    """
    found = defaultdict(list)
    for joint in joints:
        for motion in joint.motions:
            if motion.kind != 'rotation_vector':
                matrix = matrices([joint.parent_from_joint])[0]
                found[joint.parent, motion.kind != 'prismatic'].append(
                    (matrix[:3, 3], matrix[:3, :3] @ motion.axis))
    return found


# ---- two descriptions over each other

def difference_colors(
    model: Model, differences: Sequence[Difference], alone: Rgb,
) -> dict[int, Rgb]:
    """Return the color of each body that differs; a body in only one Model gets ``alone``."""
    bodies: dict[str, set[int]] = defaultdict(set)
    for index, body in enumerate(model.bodies):
        bodies[body.name].add(index)
    for joint in model.joints:
        for name in (joint.name, *(model.coordinates[index].name for index in joint.coordinates)):
            bodies[name].add(joint.child)
    for frame in model.frames:
        if frame.body >= 0:
            bodies[frame.name].add(frame.body)
    for found in differences:
        if found.is_rename:  # all other differences state the new name
            bodies[found.b] |= bodies[found.a]
    colors = {
        index: CHANGED for found in differences if not found.is_rename
        for index in bodies[found.name]}
    return colors | {
        index: alone for found in differences if found.is_of_one and found.what == 'body'
        for index in bodies[found.name]}


def painted(scene: Scene, colors: Mapping[int, Rgb], *, is_ghost: bool) -> Scene:
    """Return a scene in which only the differences have a color; a ghost is transparent."""
    opacity = _GHOST_OPACITY if is_ghost else 1.0
    return scene._replace(solids=tuple(
        solid if solid.layer != 'visual' else solid._replace(
            color=colors.get(solid.body, _GRAY), glb=None, opacity=opacity)
        for solid in scene.solids))


# ---- the camera

class Camera(NamedTuple):
    """
    A camera: its position and target (m), its orientation, and its clipping planes (m).

    In the camera's frame y points down and z forward.
    """

    position: Vector
    look_at: Vector
    wxyz: tuple[float, float, float, float]
    near: float
    far: float


def camera(
    extent: Extent, azimuth: float, elevation: float, *, aspect: float = 1.0, reach: float,
) -> Camera:
    """
    Return the camera that sees a robot from a direction, which is given in degrees.

    ``aspect`` is the width of the picture divided by its height. ``reach`` is the radius of the
    ball around the robot's center that is seen, divided by the robot's size.
    """
    size = max(extent.size, 1e-6)
    turn, rise = radians(azimuth), radians(elevation)
    direction = np.array([cos(turn) * cos(rise), sin(turn) * cos(rise), sin(rise)])
    distance = reach * size / sin(0.5 * FIELD_OF_VIEW) / min(aspect, 1.0)
    x, y, z = (np.asarray(extent.center) + distance * direction).tolist()
    i, j, k, w = from_rpy((x, y, z), (-0.5 * pi - rise, 0.0, 0.5 * pi + turn)).orientation
    return Camera((x, y, z), extent.center, (w, i, j, k), 0.002 * size, 200.0 * size)
