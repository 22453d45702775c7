# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Lower shapes to those that a target can express.

A shape that a target lacks becomes several others where that is exact, a generated mesh where a
directory for meshes is given, and else the nearest shape; a note says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
import os
from typing import Any, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.limits import POLYLINE_POINTS
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering.solids import (
    extruded,
    TooManyCrossings,
    unit_cone,
    unit_pyramid,
    unit_sphere,
)
from hrdf_ros.lowering.target import GeneratedMesh, Target, Triangle
from hrdf_ros.pose import compose, IDENTITY, Pose, translation, Vector, z_to

UNLIMITED_PLANE = 100.0
"""The side in meters of the square that stands for an unlimited plane in collisions."""
SHOWN_PLANE = (4.0, 4.0)
"""The sides in meters of the part of an unlimited plane that is shown, lest it fill the view."""
_THIN = 0.001
"""The thickness in meters of the box that shows a plane."""
_FLOAT = 3e38
"""The approximate largest number in a mesh file, whose numbers are 32-bit floats."""
GRAY = m.Material('gray', (0.69, 0.71, 0.73, 1.0))
"""The material of visuals without a color, which RViz shows in bright red."""


class _Part(NamedTuple):
    """A geometry that stands for a shape or a part of it; ``pose`` is shape_from_part."""

    geometry: m.Geometry
    pose: Pose = IDENTITY


_Lowered = tuple[list[_Part], str]
"""The parts of a geometry, and a note of the difference, '' where there is none."""


class ShapeLowering:
    """Lowers the shapes of one Model, whose conventions say what a missing color means."""

    def __init__(
        self, target: Target, conventions: m.Conventions, notes: GroupedDiagnostics,
    ) -> None:
        self._directory = target.mesh_directory
        self._target = target
        self._shows_default = (
            conventions.default_color is not None
            and conventions.default_color == target.default_color)
        self._notes = notes
        self._meshes: dict[str, GeneratedMesh] = {}
        self._points = POLYLINE_POINTS

    def meshes(self) -> tuple[GeneratedMesh, ...]:
        """Return the meshes that the shapes lowered so far refer to."""
        return tuple(self._meshes.values())

    def lowered(self, shapes: Iterable[m.Shape], body: m.Body) -> tuple[m.Shape, ...]:
        """Return the visuals or collisions of a body; one geometry may become several."""
        return tuple(part for shape in shapes for part in self._shape(shape, body))

    def visible(self, shapes: Iterable[m.Shape], body: m.Body) -> tuple[m.Shape, ...]:
        """Return the visuals of a body, in gray where they have no color."""
        sized = [shape._replace(geometry=shape.geometry._replace(size=SHOWN_PLANE))
                 if isinstance(shape.geometry, m.Plane) and shape.geometry.size is None else shape
                 for shape in shapes]
        return tuple(
            self._gray(shape, body) if self._lacks_color(shape) else shape
            for shape in self.lowered(sized, body))

    def _gray(self, shape: m.Shape, body: m.Body) -> m.Shape:
        """Return a shape without a color in gray, with a note unless it is a missing mesh."""
        is_missing = isinstance(shape.geometry, m.Mesh) and shape.geometry.file is None
        if self._target.kind == 'mjcf' and not is_missing:
            self._notes.add(
                codes.DETAIL_NOT_REPRESENTABLE,
                'MuJoCo reads no colors from meshes; these visuals are written in gray'
                if _may_have_colors(shape) else 'visuals without a color are written in gray',
                body.name, shape.location)
        return shape._replace(material=GRAY)

    def _lacks_color(self, shape: m.Shape) -> bool:
        """Return whether a shape needs a color; meshes may bring their own, but not to MuJoCo."""
        if self._shows_default or shape.material is not None:
            return False
        return self._target.kind == 'mjcf' or not _may_have_colors(shape)

    def parts(self, shape: m.Shape, body: m.Body) -> list[m.Shape]:
        """Return the shapes that stand for a shape: only the shape itself if the target has it."""
        parts, note = self._geometry(shape.geometry)
        if self._target.kind != 'sdf' and not m.all_finite(
                shape.pose, shape.geometry, shape.material):
            parts, note = [], f'{self._target.name} has no place for shapes of infinite size'
        elif self._target.kind == 'mjcf' and any(_has_no_size(part.geometry) for part in parts):
            parts, note = [], 'MuJoCo refuses shapes without size; omitted'
        if note:
            name = f'{body.name}: {shape.name}' if shape.name else body.name
            code = codes.GEOMETRY_REPLACED if parts else codes.GEOMETRY_NOT_REPRESENTABLE
            self._notes.add(code, note, name, shape.location)
        return [
            shape if part.geometry is shape.geometry else shape._replace(
                geometry=part.geometry, pose=compose(shape.pose, part.pose))
            for part in parts]

    def _shape(self, shape: m.Shape, body: m.Body) -> list[m.Shape]:
        kept = tuple(filter(self._target.holds, shape.extensions)) if (
            self._target.shape_extensions) else ()
        if kept and isinstance(shape.geometry, (m.Empty, m.Heightmap)):
            return [shape]
        parts = self.parts(shape, body)
        several = shape.name and len(parts) > 1
        material = self._material(shape, body)
        return [
            part._replace(
                name=f'{shape.name}_{count}' if several else shape.name, material=material,
                extensions=kept)
            for count, part in enumerate(parts, 1)]

    def _material(self, shape: m.Shape, body: m.Body) -> Optional[m.Material]:
        """Return the part of a material that URDF can express, None if there is none."""
        material = shape.material
        if material is None:
            return None
        has_ambient = material.ambient not in (None, material.diffuse)
        if has_ambient or material.specular or material.emissive:
            self._notes.add(
                codes.DETAIL_NOT_REPRESENTABLE,
                f'{self._target.name} has one color for a material; ambient, specular and '
                'emissive are omitted',
                body.name, shape.location)
        if material.diffuse is None and not material.texture:
            return None
        return m.Material(
            material.name, material.diffuse, texture=material.texture,
            texture_file=material.texture_file)

    # ---- geometry

    def _geometry(self, geometry: m.Geometry) -> _Lowered:
        """Return a geometry as it is if the target has it, else its replacement."""
        name = self._target.name
        if isinstance(geometry, m.Mesh):
            if not geometry.uri.strip():
                return [], 'a mesh without a file is omitted'
            if geometry.submesh and self._target.kind != 'sdf':
                whole = geometry._replace(submesh=None)
                return [_Part(whole)], f'{name} shows a mesh whole, not one part of it'
        if isinstance(geometry, m.Plane) and geometry.offset and self._target.kind == 'sdf':
            at = translation(*(geometry.offset * part for part in geometry.normal))
            return [_Part(geometry._replace(offset=0.0), at)], ''
        if isinstance(geometry, self._target.shapes):
            return [_Part(geometry)], ''
        if isinstance(geometry, m.Ellipsoid) and len({*geometry.radii}) == 1:
            return [_Part(m.Sphere(geometry.radii[0]))], ''
        if isinstance(geometry, m.Empty):
            return [], ''
        if isinstance(geometry, (m.Heightmap, m.Image)):
            return [], f'{name} has no {type(geometry).__name__.lower()}; it is omitted'
        if isinstance(geometry, m.Polyline):
            numbers = [part for line in geometry.lines for point in line for part in point]
            if not numbers:
                return [], ''
            if max(map(abs, (geometry.height, *numbers))) > _FLOAT:
                return [], 'a polyline is too large for a mesh file; it is omitted'
        noun, nearest, result = _NEAREST[type(geometry)]
        mesh = None if self._directory is None else self._mesh(geometry)
        if mesh is not None:
            return [_Part(mesh)], f'{noun} is written as a generated mesh'
        return nearest(geometry), f'{noun} is written as {result}'

    def _mesh(self, geometry: m.Geometry) -> Optional[m.Mesh]:
        """Return a mesh made for a geometry; None if there is none, or a polyline is too large."""
        if isinstance(geometry, m.Polyline):
            return self._polyline(geometry)
        unit = _UNIT_SOLIDS.get(type(geometry))
        return None if unit is None else self._added(unit[0], unit[1], unit[2](geometry))

    def _polyline(self, polyline: m.Polyline) -> Optional[m.Mesh]:
        name = f'polyline_{sha256(repr(polyline).encode()).hexdigest()[:16]}.stl'
        triangles: list[Triangle] = []
        if name not in self._meshes:
            self._points -= sum(map(len, polyline.lines))
            if self._points < 0:
                return None
            try:
                triangles = extruded(polyline)
            except TooManyCrossings:
                return None
        return self._added(name, lambda: triangles, (1.0, 1.0, 1.0))

    def _added(
        self, name: str, triangles: Callable[[], list[Triangle]], scale: Vector,
    ) -> m.Mesh:
        file = os.path.join(self._directory or '', name)
        self._meshes.setdefault(name, GeneratedMesh(file, triangles))
        return m.Mesh(name, file, scale)


def _may_have_colors(shape: m.Shape) -> bool:
    """Return whether the file of a shape may have colors, as COLLADA, glTF and OBJ have."""
    mesh = shape.geometry
    return isinstance(mesh, m.Mesh) and not mesh.uri.lower().endswith('.stl')


def _has_no_size(shape: m.Geometry) -> bool:
    """Return whether a geometry of MJCF has an extent of 0 or less."""
    if isinstance(shape, (m.Box, m.Ellipsoid)):
        return min(shape[0]) <= 0.0
    return isinstance(shape, (m.Sphere, m.Cylinder, m.Capsule)) and min(shape) <= 0.0


# ---- the nearest shapes

def _capsule(capsule: m.Capsule) -> list[_Part]:
    end = capsule.length / 2.0
    return [
        _Part(m.Cylinder(capsule.radius, capsule.length)),
        _Part(m.Sphere(capsule.radius), translation(0.0, 0.0, end)),
        _Part(m.Sphere(capsule.radius), translation(0.0, 0.0, -end))]


def _plane(plane: m.Plane) -> list[_Part]:
    x, y = plane.size or (UNLIMITED_PLANE, UNLIMITED_PLANE)
    depth = plane.offset - _THIN / 2.0
    below = translation(*(depth * part for part in plane.normal))
    return [_Part(m.Box((x, y, _THIN)), compose(below, z_to(plane.normal)))]


def _polyline(polyline: m.Polyline) -> list[_Part]:
    xs, ys = zip(*(point for line in polyline.lines for point in line))
    size = (max(xs) - min(xs), max(ys) - min(ys), polyline.height)
    middle = ((min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0, polyline.height / 2.0)
    return [_Part(m.Box(size), translation(*middle))]


def _ellipsoid(ellipsoid: m.Ellipsoid) -> list[_Part]:
    x, y, z = ellipsoid.radii
    return [_Part(m.Box((2.0 * x, 2.0 * y, 2.0 * z)))]


_NEAREST: dict[type[m.Geometry], tuple[str, Callable[[Any], list[_Part]], str]] = {
    m.Capsule: ('a capsule', _capsule, 'a cylinder and two spheres'),
    m.Cone: ('a cone', lambda cone: [_Part(m.Cylinder(*cone))], 'the cylinder around it'),
    m.Ellipsoid: ('an ellipsoid', _ellipsoid, 'the box around it'),
    m.Pyramid: ('a pyramid', lambda pyramid: [_Part(m.Box((*pyramid,)))], 'the box around it'),
    m.MultiSphere: ('the hull of several spheres', lambda multi: [
        _Part(m.Sphere(radius), translation(*center)) for radius, center in multi.spheres],
        'the spheres alone'),
    m.Plane: ('a plane', _plane, 'a thin box below it'),
    m.Polyline: ('a polyline', _polyline, 'the box around it')}
"""A noun for each geometry that a target may lack, its nearest shapes, and their noun."""
_UNIT_SOLIDS: dict[type[m.Geometry], tuple[
    str, Callable[[], list[Triangle]], Callable[[Any], Vector]]] = {
    m.Cone: ('unit_cone.stl', unit_cone, lambda cone: (cone.radius, cone.radius, cone.length)),
    m.Ellipsoid: ('unit_sphere.stl', unit_sphere, lambda ellipsoid: ellipsoid.radii),
    m.Pyramid: ('unit_pyramid.stl', unit_pyramid, lambda pyramid: (*pyramid,))}
"""The file of a mesh of unit size, its triangles, and the scale that gives it a shape's size."""
