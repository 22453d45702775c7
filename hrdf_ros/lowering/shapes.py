# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Shapes of a Model as a target can express them.

A shape that a target lacks becomes several others where that is exact, a generated mesh where a
directory for meshes is given, and else the nearest one; a note says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
import os
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics
from hrdf_ros.limits import POLYLINE_POINTS
from hrdf_ros.lowering.solids import (
    extruded,
    TooManyCrossings,
    unit_cone,
    unit_pyramid,
    unit_sphere,
)
from hrdf_ros.lowering.target import GeneratedMesh, Target, Triangle
from hrdf_ros.model import (
    all_finite,
    Body,
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Empty,
    Geometry,
    Heightmap,
    Image,
    Material,
    Mesh,
    MultiSphere,
    Plane,
    Polyline,
    Pyramid,
    Shape,
    Sphere,
)
from hrdf_ros.pose import compose, IDENTITY, Pose, translation, Vector, z_to

UNLIMITED_PLANE = 100.0
"""Meters: the side of the square that collides, of a plane without a size."""
SHOWN_PLANE = (4.0, 4.0)
"""Meters: the visible part; a greater one would fill the view."""
_THIN = 0.001
_FLOAT = 3e38
"""The largest number in a mesh file, about."""
GRAY = Material('gray', (0.69, 0.71, 0.73, 1.0))
"""For visuals without a color: RViz shows these in bright red."""


class _Part(NamedTuple):
    """A geometry that stands for a shape or a part of it; ``pose`` is shape_from_part."""

    geometry: Geometry
    pose: Pose = IDENTITY


class _Lowered(NamedTuple):
    """The result for a geometry; ``note`` says what is different, empty where nothing is."""

    parts: tuple[_Part, ...] = ()
    note: str = ''


class ShapeLowering:
    """Lowers the shapes of one Model; ``own`` says whether it came from URDF."""

    def __init__(self, target: Target, own: bool, notes: GroupedDiagnostics) -> None:
        self._directory = target.mesh_directory
        self._target = target
        self._own = own
        self._notes = notes
        self._meshes: dict[str, GeneratedMesh] = {}
        self._points = POLYLINE_POINTS

    def meshes(self) -> tuple[GeneratedMesh, ...]:
        """Return the meshes that the shapes lowered so far refer to."""
        return tuple(self._meshes.values())

    def lowered(self, shapes: Iterable[Shape], body: Body) -> tuple[Shape, ...]:
        """Return the visuals or collisions of a body; a geometry may become several."""
        return tuple(part for shape in shapes for part in self._shape(shape, body))

    def visible(self, shapes: Iterable[Shape], body: Body) -> tuple[Shape, ...]:
        """Return the visuals of a body, in gray where they come without a color."""
        sized = [shape._replace(geometry=shape.geometry._replace(size=SHOWN_PLANE))
                 if isinstance(shape.geometry, Plane) and shape.geometry.size is None else shape
                 for shape in shapes]
        return tuple(
            shape._replace(material=GRAY) if self._lacks_color(shape) else shape
            for shape in self.lowered(sized, body))

    def _lacks_color(self, shape: Shape) -> bool:
        """Return whether a shape has no color; meshes may bring their own."""
        if self._own or shape.material is not None:
            return False
        return not isinstance(shape.geometry, Mesh) or shape.geometry.uri.lower().endswith('.stl')

    def parts(self, shape: Shape, body: Body) -> list[Shape]:
        """Return the shapes that stand for a shape, itself where the target has it."""
        lowered = self._geometry(shape.geometry)
        if self._target.kind != 'sdf' and not all_finite(
                shape.pose, shape.geometry, shape.material):
            lowered = _Lowered(
                note=f'{self._target.name} has no place for shapes of infinite size')
        elif self._target.kind == 'mjcf' and any(map(_has_no_size, lowered.parts)):
            lowered = _Lowered(note='MuJoCo refuses shapes without size; omitted')
        if lowered.note:
            name = f'{body.name}: {shape.name}' if shape.name else body.name
            code = codes.GEOMETRY_REPLACED if lowered.parts else codes.GEOMETRY_NOT_REPRESENTABLE
            self._notes.add(code, lowered.note, name, shape.location)
        return [
            shape if part.geometry is shape.geometry else shape._replace(
                geometry=part.geometry, pose=compose(shape.pose, part.pose))
            for part in lowered.parts]

    def _shape(self, shape: Shape, body: Body) -> list[Shape]:
        kept = tuple(
            one for one in shape.extensions if one.format == 'mjcf' == self._target.kind)
        if kept and isinstance(shape.geometry, (Empty, Heightmap)):
            return [shape]
        parts = self.parts(shape, body)
        several = shape.name and len(parts) > 1
        material = self._material(shape, body)
        return [
            part._replace(
                name=f'{shape.name}_{count}' if several else shape.name, material=material,
                extensions=kept)
            for count, part in enumerate(parts, 1)]

    def _material(self, shape: Shape, body: Body) -> Material | None:
        """Return the part of a material that URDF shows, None where it shows nothing."""
        material = shape.material
        if material is None:
            return None
        if material.ambient or material.specular or material.emissive:
            self._notes.add(
                codes.DETAIL_NOT_REPRESENTABLE,
                f'{self._target.name} has one color for a material; ambient, specular and '
                'emissive are omitted',
                body.name, shape.location)
        if material.diffuse is None and not material.texture:
            return None
        return Material(
            material.name, material.diffuse, texture=material.texture,
            texture_file=material.texture_file)

    # ---- geometry

    def _geometry(self, geometry: Geometry) -> _Lowered:
        if isinstance(geometry, Mesh):
            if not geometry.uri.strip():
                return _Lowered(note='a mesh without a file is omitted')
            if not geometry.submesh or self._target.kind == 'sdf':
                return _Lowered((_Part(geometry),))
            return _Lowered(
                (_Part(geometry._replace(submesh=None)),),
                f'{self._target.name} shows a mesh whole, not one part of it')
        if isinstance(geometry, Plane) and geometry.offset and self._target.kind == 'sdf':
            at = translation(*(geometry.offset * part for part in geometry.normal))
            return _Lowered((_Part(geometry._replace(offset=0.0), at),))
        if isinstance(geometry, self._target.shapes):
            return _Lowered((_Part(geometry),))
        lower: Callable[..., _Lowered] = _LOWERINGS[type(geometry)]
        return lower(self, geometry)

    def capsule(self, capsule: Capsule) -> _Lowered:
        """Return a cylinder with a sphere at each end."""
        end = capsule.length / 2.0
        return _Lowered((
            _Part(Cylinder(capsule.radius, capsule.length)),
            _Part(Sphere(capsule.radius), translation(0.0, 0.0, end)),
            _Part(Sphere(capsule.radius), translation(0.0, 0.0, -end)),
        ), 'a capsule is written as a cylinder and two spheres')

    def cone(self, cone: Cone) -> _Lowered:
        """Return a mesh, or the cylinder around it."""
        if self._directory is not None:
            scale = (cone.radius, cone.radius, cone.length)
            return self._generated('unit_cone.stl', unit_cone, scale, 'a cone')
        return _Lowered(
            (_Part(Cylinder(cone.radius, cone.length)),),
            'a cone is written as the cylinder around it')

    def ellipsoid(self, ellipsoid: Ellipsoid) -> _Lowered:
        """Return a sphere, a mesh, or the box around it."""
        x, y, z = ellipsoid.radii
        if x == y == z:
            return _Lowered((_Part(Sphere(x)),))
        if self._directory is not None:
            return self._generated('unit_sphere.stl', unit_sphere, (x, y, z), 'an ellipsoid')
        return _Lowered(
            (_Part(Box((2.0 * x, 2.0 * y, 2.0 * z))),),
            'an ellipsoid is written as the box around it')

    def pyramid(self, pyramid: Pyramid) -> _Lowered:
        """Return a mesh, or the box around it."""
        size = (pyramid.width, pyramid.depth, pyramid.height)
        if self._directory is not None:
            return self._generated('unit_pyramid.stl', unit_pyramid, size, 'a pyramid')
        return _Lowered((_Part(Box(size)),), 'a pyramid is written as the box around it')

    def multi_sphere(self, multi: MultiSphere) -> _Lowered:
        """Return the spheres."""
        return _Lowered(
            tuple(_Part(Sphere(radius), translation(*center)) for radius, center in multi.spheres),
            'the hull of several spheres is written as the spheres alone')

    def plane(self, plane: Plane) -> _Lowered:
        """Return a thin box below the plane."""
        x, y = plane.size or (UNLIMITED_PLANE, UNLIMITED_PLANE)
        depth = plane.offset - _THIN / 2.0
        below = translation(*(depth * part for part in plane.normal))
        return _Lowered(
            (_Part(Box((x, y, _THIN)), compose(below, z_to(plane.normal))),),
            'a plane is written as a thin box below it')

    def polyline(self, polyline: Polyline) -> _Lowered:
        """Return a mesh, or the box around it."""
        points = [point for line in polyline.lines for point in line]
        if not points:
            return _Lowered()
        if max(abs(polyline.height), *(abs(part) for point in points for part in point)) > _FLOAT:
            return _Lowered(note='a polyline is too large for a mesh file; it is omitted')
        mesh = self._mesh_of_polyline(polyline, len(points))
        if mesh is not None:
            return mesh
        xs, ys = zip(*points)
        size = (max(xs) - min(xs), max(ys) - min(ys), polyline.height)
        middle = ((min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0, polyline.height / 2.0)
        return _Lowered(
            (_Part(Box(size), translation(*middle)),),
            'a polyline is written as the box around it')

    def _mesh_of_polyline(self, polyline: Polyline, points: int) -> _Lowered | None:
        """Return a mesh, None where there is no place for it or it would be too large."""
        if self._directory is None:
            return None
        name = f'polyline_{sha256(repr(polyline).encode()).hexdigest()[:16]}.stl'
        if name not in self._meshes:
            self._points -= points
            if self._points < 0:
                return None
            try:
                triangles = extruded(polyline)
            except TooManyCrossings:
                return None
            return self._generated(name, lambda: triangles, (1.0, 1.0, 1.0), 'a polyline')
        return self._generated(
            name, self._meshes[name].triangles, (1.0, 1.0, 1.0), 'a polyline')

    def without(self, geometry: Geometry) -> _Lowered:
        """Return nothing: there is nothing like it."""
        return _Lowered(
            note=f'{self._target.name} has no {type(geometry).__name__.lower()}; it is omitted')

    def empty(self, _: Empty) -> _Lowered:
        """Return nothing, as it was."""
        return _Lowered()

    def _generated(
        self, name: str, triangles: Callable[[], list[Triangle]], scale: Vector, what: str,
    ) -> _Lowered:
        assert self._directory is not None
        file = os.path.join(self._directory, name)
        self._meshes[name] = GeneratedMesh(file, triangles)
        return _Lowered(
            (_Part(Mesh(name, file, scale)),), f'{what} is written as a generated mesh')


def _has_no_size(part: _Part) -> bool:
    geometry = part.geometry
    if isinstance(geometry, Box):
        return min(geometry.size) <= 0.0
    if isinstance(geometry, Ellipsoid):
        return min(geometry.radii) <= 0.0
    if isinstance(geometry, (Capsule, Cylinder)):
        return min(geometry.radius, geometry.length) <= 0.0
    return isinstance(geometry, Sphere) and geometry.radius <= 0.0


_LOWERINGS: dict[type[Geometry], Callable[..., _Lowered]] = {
    Capsule: ShapeLowering.capsule, Cone: ShapeLowering.cone, Ellipsoid: ShapeLowering.ellipsoid,
    Pyramid: ShapeLowering.pyramid, MultiSphere: ShapeLowering.multi_sphere,
    Plane: ShapeLowering.plane, Polyline: ShapeLowering.polyline,
    Heightmap: ShapeLowering.without, Image: ShapeLowering.without, Empty: ShapeLowering.empty,
}
