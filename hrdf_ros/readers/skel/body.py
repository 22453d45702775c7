# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Bodies: placement, inertia with its defaults, shapes, markers."""

from collections.abc import Sequence
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import from_tensor, Inertia, rotate_tensor, shift_tensor, Tensor
from hrdf_ros.model import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Empty,
    Geometry,
    Mesh,
    MultiSphere,
    Pyramid,
    Shape,
    Sphere,
    ZERO,
)
from hrdf_ros.pose import compose, IDENTITY, Pose, translation, Vector
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.skel.geometry import ShapeReader
from hrdf_ros.readers.skel.mesh_bounds import Meshes


class _Solid(NamedTuple):
    """A geometry's volume and its moments about its own axes for mass 1."""

    volume: float
    moments: Vector
    scales_with_mass: bool = True


Share = tuple[Shape, _Solid]
"""A shape with the properties that determine its tensor."""


def shares(shapes: Sequence[Shape], meshes: Meshes) -> list[Share]:
    """Return the shapes whose solids are known: a mesh may be of a kind that is not read."""
    found = [(shape, _solid(shape.geometry, meshes)) for shape in shapes]
    return [(shape, solid) for shape, solid in found if solid is not None]


def tensor_of_shares(mass: float, center: Vector, parts: Sequence[Share]) -> Tensor:
    """Return the tensor (kg m^2) about ``center`` of at least one shape with this mass."""
    weights = [solid.volume or 1.0 for _, solid in parts]
    total = sum(weights)
    tensors = [
        _tensor(shape, solid, mass * weight / total, center)
        for (shape, solid), weight in zip(parts, weights)]
    xx, yy, zz, xy, xz, yz = map(sum, zip(*tensors))
    return xx, yy, zz, xy, xz, yz


def _tensor(shape: Shape, solid: _Solid, mass: float, center: Vector) -> Tensor:
    """Return a shape's tensor about the center of mass in the body's axes."""
    xx, yy, zz = solid.moments
    turned = rotate_tensor(shape.pose, (xx, yy, zz, 0.0, 0.0, 0.0))
    if solid.scales_with_mass:
        xx, yy, zz, xy, xz, yz = (mass * moment for moment in turned)
        turned = xx, yy, zz, xy, xz, yz
    x, y, z = (a - b for a, b in zip(shape.pose.position, center))
    return shift_tensor(turned, mass, (x, y, z))


def _solid(geometry: Geometry, meshes: Meshes) -> Optional[_Solid]:
    """Return volume and moments of a geometry; a plane has neither."""
    if isinstance(geometry, Box):
        return _box(geometry.size)
    if isinstance(geometry, (Sphere, Ellipsoid)):
        return _ellipsoid(geometry)
    if isinstance(geometry, (Cylinder, Cone)):
        return _round(geometry)
    if isinstance(geometry, Capsule):
        return _capsule(geometry.radius, geometry.length)
    if isinstance(geometry, Pyramid):
        volume = geometry.width * geometry.depth * geometry.height / 3.0
        return _Solid(volume, (1.0, 1.0, 1.0), scales_with_mass=False)
    if isinstance(geometry, MultiSphere):
        return _box(_extents(geometry))._replace(volume=0.0)
    if isinstance(geometry, Mesh):
        return _mesh(geometry, meshes)
    return _Solid(0.0, ZERO)


def _box(size: Vector) -> _Solid:
    x, y, z = size
    xx, yy, zz = x * x / 12.0, y * y / 12.0, z * z / 12.0
    return _Solid(abs(x * y * z), (yy + zz, xx + zz, xx + yy))


def _ellipsoid(geometry: Sphere | Ellipsoid) -> _Solid:
    radii = geometry.radii if isinstance(geometry, Ellipsoid) else (geometry.radius,) * 3
    x, y, z = (radius * radius / 5.0 for radius in radii)
    volume = 4.0 / 3.0 * math.pi * radii[0] * radii[1] * radii[2]
    return _Solid(volume, (y + z, x + z, x + y))


def _round(geometry: Cylinder | Cone) -> _Solid:
    r2, h2 = geometry.radius * geometry.radius, geometry.length * geometry.length
    volume = math.pi * r2 * geometry.length
    if isinstance(geometry, Cylinder):
        across = r2 / 4.0 + h2 / 12.0
        return _Solid(volume, (across, across, r2 / 2.0))
    across = 3.0 / 20.0 * r2 + h2 / 10.0
    return _Solid(volume / 3.0, (across, across, 3.0 / 10.0 * r2))


def _capsule(radius: float, length: float) -> _Solid:
    r2, h2 = radius * radius, length * length
    whole = length + 4.0 / 3.0 * radius
    cylinder, ends = length / whole, 4.0 / 3.0 * radius / whole
    across = (
        cylinder * (h2 / 12.0 + r2 / 4.0)
        + ends * (2.0 / 5.0 * r2 + h2 / 4.0 + 3.0 / 8.0 * length * radius))
    along = cylinder * r2 / 2.0 + ends * 2.0 / 5.0 * r2
    return _Solid(math.pi * r2 * whole, (across, across, along))


def _extents(geometry: MultiSphere) -> Vector:
    """Return the size of the box around all spheres."""
    if not geometry.spheres:
        return ZERO
    x, y, z = (
        max(center[k] + radius for radius, center in geometry.spheres)
        - min(center[k] - radius for radius, center in geometry.spheres) for k in range(3))
    return x, y, z


def _mesh(mesh: Mesh, meshes: Meshes) -> Optional[_Solid]:
    extents = None if mesh.file is None else meshes.extents(mesh.file)
    if extents is None:
        return None
    x, y, z = (length * abs(scale) for length, scale in zip(extents, mesh.scale))
    return _box((x, y, z))


_MOMENTS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_UNIT_TENSOR: Tensor = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)


class Marker(NamedTuple):
    """A named point of a body: ``pose`` is body_from_marker."""

    name: str
    pose: Pose
    element: TypedElement


class BodyPart(NamedTuple):
    """A body as its element has it: ``pose`` is world_from_body with all coordinates zero."""

    name: str
    pose: Pose
    inertia: Inertia
    visuals: tuple[Shape, ...]
    collisions: tuple[Shape, ...]
    markers: tuple[Marker, ...]
    element: TypedElement

    @property
    def crashes_alone(self) -> bool:
        """Return whether DART crashes on it when no joint holds it."""
        return bool(self.visuals or self.collisions) or _follows_from_shapes(self.element)


class BodyReader:
    """Reads ``<body>``."""

    def __init__(self, report: Report, shapes: ShapeReader) -> None:
        self.report = report
        self.shapes = shapes

    def bodies(self, skeleton: TypedElement, world_from_skeleton: Pose) -> dict[str, BodyPart]:
        """Return the bodies of a skeleton by name, in document order."""
        elements: dict[str, list[TypedElement]] = {}
        for element in skeleton.all('body'):
            elements.setdefault(element.string('name'), []).append(element)
        return {
            name: self._body(name, same, world_from_skeleton) for name, same in elements.items()}

    def _body(
        self, name: str, elements: Sequence[TypedElement], world_from_skeleton: Pose,
    ) -> BodyPart:
        """
        Read a body; of later ones with its name only the shapes count, as for DART.

        The tensor follows from the shapes up to the last body that has none.
        """
        first = elements[0]
        self._report_duplicates(name, elements[1:])
        if not first.boolean('gravity'):
            self.report.add(
                codes.DETAIL_NOT_PRESERVED,
                f"that gravity does not act on '{name}' is not preserved", first.location)
        inertia = _read_inertia(first)
        visuals: list[Shape] = []
        collisions: list[Shape] = []
        last: Optional[TypedElement] = None
        for element in elements:
            self._report_soft(element)
            visuals += map(self.shapes.visual, element.all('visualization_shape'))
            collisions += map(self.shapes.collision, element.all('collision_shape'))
            if _follows_from_shapes(element) and (visuals or collisions):
                last, shapes = element, (len(visuals), len(collisions))
        if last is not None:
            inertia = self._inertia_of_shapes(
                last, inertia, visuals[:shapes[0]] + collisions[:shapes[1]])
        pose = compose(world_from_skeleton, first.pose('transformation'))
        return BodyPart(
            name, pose, inertia, tuple(visuals), tuple(collisions),
            tuple(map(_read_marker, first.all('marker'))), first)

    def _report_duplicates(self, name: str, elements: Sequence[TypedElement]) -> None:
        for element in elements:
            self.report.add(
                codes.DUPLICATE_NAME,
                f"duplicate body '{name}': its shapes are added to the first one, the rest of it "
                'is ignored', element.attribute_location('name'), severity='warning')

    def _report_soft(self, element: TypedElement) -> None:
        soft = element.child('soft_shape')
        if soft is not None:
            self.report.add(
                codes.SKEL_SOFT_BODY, 'of this soft body only the rigid part is read',
                soft.location)

    def _inertia_of_shapes(
        self, body: TypedElement, inertia: Inertia, shapes: Sequence[Shape],
    ) -> Inertia:
        """Return an inertia with the tensor that follows from shapes; without mass none does."""
        lost = next(filter(_is_lost, shapes), None)
        if lost is not None:
            self.report.add(
                codes.INERTIA_WITHOUT_SHAPE,
                'the inertia would follow from a shape that is not there; DART crashes',
                lost.location, hint='give a <moment_of_inertia>', cause='<geometry>')
            return inertia
        if inertia.mass <= 0.0:
            return inertia
        location = (body.child('inertia') or body).location
        parts = shares(shapes, self.shapes.meshes)
        if len(parts) < len(shapes):
            self.report.add(
                codes.MESH_INERTIA_UNKNOWN,
                'the extents of a mesh are not known, so it is not part of the inertia; '
                'DART counts the box around it', location,
                hint='give a <moment_of_inertia>')
        if not parts:
            return inertia
        if len(shapes) > 1 or shapes[0].pose != inertia.pose:
            self.report.add(
                codes.SKEL_INERTIA_BY_SHAPES,
                'the tensor follows from all shapes, as in DART 6.20; '
                'DART 6.12 and older take the first shape only, unplaced',
                location,
            )
        tensor = tensor_of_shares(inertia.mass, inertia.pose.position, parts)
        return from_tensor(inertia.mass, inertia.pose, tensor, location)


def _read_marker(element: TypedElement) -> Marker:
    return Marker(element.string('name'), translation(*element.vector3('offset')), element)


def _read_inertia(body: TypedElement) -> Inertia:
    """Read ``<inertia>``; its defaults are mass 1 and the unit tensor, as for DART."""
    inertia = body.child('inertia')
    if inertia is None:
        return from_tensor(1.0, IDENTITY, _UNIT_TENSOR)
    mass, center = inertia.number('mass'), translation(*inertia.vector3('offset'))
    moments = inertia.child('moment_of_inertia')
    if moments is None:
        return from_tensor(mass, center, _UNIT_TENSOR, inertia.location)
    xx, yy, zz, xy, xz, yz = map(moments.number, _MOMENTS)
    return Inertia(mass, center, xx, yy, zz, xy, xz, yz, inertia.location)


def _follows_from_shapes(body: TypedElement) -> bool:
    inertia = body.child('inertia')
    return inertia is not None and inertia.child('moment_of_inertia') is None


def _is_lost(shape: Shape) -> bool:
    geometry = shape.geometry
    return isinstance(geometry, Empty) or (isinstance(geometry, Mesh) and geometry.file is None)
