# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes: the ten geometries, their placement and color."""

from collections.abc import Callable
from functools import partial
import os
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Empty,
    Geometry,
    Material,
    Mesh,
    MultiSphere,
    Plane,
    Pyramid,
    Shape,
    Sphere,
)
from hrdf_ros.pose import dot, normalized, Z_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.skel.mesh_bounds import Meshes
from hrdf_ros.resolve import Resolver


class Files(NamedTuple):
    """Where URIs in a file lead: the finder, and the file that they are in."""

    resolver: Resolver
    file: str


class ShapeReader:
    """Reads ``<visualization_shape>`` and ``<collision_shape>``."""

    def __init__(self, report: Report, files: Files) -> None:
        self.report = report
        self.files = files
        self.meshes = Meshes(files.resolver)

    def visual(self, element: TypedElement) -> Shape:
        """Read a ``<visualization_shape>``."""
        return self._shape(element, self._material(element))

    def collision(self, element: TypedElement) -> Shape:
        """Read a ``<collision_shape>``; ``<collidable>`` is a number for DART, not a word."""
        if element.number('collidable') == 0.0:
            self.report.add(
                codes.DETAIL_NOT_PRESERVED,
                '<collidable> is about simulation in DART and is not preserved',
                element.locate('collidable'))
        shape = self._shape(element)
        if isinstance(shape.geometry, Empty):
            self.report.add(
                codes.COLLISION_WITHOUT_SHAPE, 'a collision without geometry makes DART crash',
                element.location)
        elif isinstance(shape.geometry, Mesh):
            self._check_collision_mesh(shape.geometry, element)
        return shape

    def _check_collision_mesh(self, mesh: Mesh, element: TypedElement) -> None:
        """Report a mesh that is not found, as an error: DART crashes."""
        if mesh.uri and (mesh.file is None or os.path.isdir(mesh.file)):
            file_name = element.value_location('geometry/mesh/file_name')
            self.report.add(
                codes.MESH_NOT_FOUND,
                f"the mesh file '{mesh.uri}' of a collision is not found; DART crashes",
                file_name, severity='error',
                hint=partial(self.files.resolver.similar_to_uri, mesh.uri, self.files.file))

    def _shape(self, element: TypedElement, material: Optional[Material] = None) -> Shape:
        geometry = element.child('geometry')
        chosen = None if geometry is None else geometry.choice()
        shape: Geometry = Empty()
        if chosen is not None:
            simple = _SHAPES.get(chosen.tag)
            shape = simple(chosen) if simple else _READERS[chosen.tag](self, chosen)
        return Shape('', shape, element.pose('transformation'), material, element.location)

    def cylinder(self, element: TypedElement) -> Cylinder:
        """Read a ``<cylinder>``; the format's text calls the height ``<length>`` in places."""
        length = element.child('length')
        height = 'height'
        if length is not None and element.has('height'):
            self.report.add(
                codes.NO_EFFECT, '<length> has no effect beside <height>', length.location)
        elif length is not None:
            height = 'length'
            self.report.add(
                codes.SKEL_SPEC_OVER_DART, '<length> is read as <height>; DART refuses the file',
                length.location, hint='write <height>')
        return Cylinder(element.number('radius'), element.number(height))

    def plane(self, element: TypedElement) -> Plane:
        """Read a ``<plane>`` by its normal, and its offset or a point on it."""
        normal = normalized(element.vector3('normal'))
        if normal is None:
            self.report.add(
                codes.AXIS_ZERO, 'the normal of a plane is zero', element.locate('normal'),
                severity='error')
            return Plane(Z_AXIS)
        if element.has('offset') or not element.has('point'):
            return Plane(normal, offset=element.number('offset'))
        return Plane(normal, offset=dot(normal, element.vector3('point')))

    def mesh(self, element: TypedElement) -> Mesh:
        """Read a ``<mesh>``; DART goes on without a visual whose file is not found."""
        uri, scale = element.string('file_name'), element.vector3('scale')
        file = self.files.resolver.find(uri, self.files.file) if uri else None
        return Mesh(uri, file, scale)

    def _material(self, element: TypedElement) -> Optional[Material]:
        color = element.child('color')
        values = None if color is None else element.numbers('color')
        if color is None or not values:
            return None
        if not all(0.0 <= value <= 1.0 for value in values):
            self.report.add(
                codes.BAD_VALUE, 'the numbers of a color are from 0 to 1; they are cut off',
                color.text_location(), severity='warning')
        red, green, blue, alpha = (
            min(max(value, 0.0), 1.0) for value in (*values, 1.0)[:4])
        return Material(diffuse=(red, green, blue, alpha))


def _ellipsoid(shape: TypedElement) -> Ellipsoid:
    """Return an ellipsoid, whose ``<size>`` are diameters."""
    x, y, z = shape.vector3('size')
    return Ellipsoid((x / 2.0, y / 2.0, z / 2.0))


_SHAPES: dict[str, Callable[[TypedElement], Geometry]] = {
    'sphere': lambda shape: Sphere(shape.number('radius')),
    'box': lambda shape: Box(shape.vector3('size')),
    'ellipsoid': _ellipsoid,
    'capsule': lambda shape: Capsule(shape.number('radius'), shape.number('height')),
    'cone': lambda shape: Cone(shape.number('radius'), shape.number('height')),
    'pyramid': lambda shape: Pyramid(
        shape.number('base_width'), shape.number('base_depth'), shape.number('height')),
    'multi_sphere': lambda shape: MultiSphere(tuple(
        (ball.number('radius'), ball.vector3('position')) for ball in shape.all('sphere'))),
}
_READERS: dict[str, Callable[[ShapeReader, TypedElement], Geometry]] = {
    'cylinder': ShapeReader.cylinder,
    'plane': ShapeReader.plane,
    'mesh': ShapeReader.mesh,
}
