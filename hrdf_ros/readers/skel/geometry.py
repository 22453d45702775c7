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
        shape = Empty() if chosen is None else _READERS[chosen.tag](self, chosen)
        return Shape('', shape, element.pose('transformation'), material, element.location)

    def sphere(self, element: TypedElement) -> Sphere:
        """Read a ``<sphere>``."""
        return Sphere(element.number('radius'))

    def box(self, element: TypedElement) -> Box:
        """Read a ``<box>`` by its full extents."""
        return Box(element.vector3('size'))

    def ellipsoid(self, element: TypedElement) -> Ellipsoid:
        """Read an ``<ellipsoid>``, whose ``<size>`` are diameters."""
        x, y, z = element.vector3('size')
        return Ellipsoid((x / 2.0, y / 2.0, z / 2.0))

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

    def capsule(self, element: TypedElement) -> Capsule:
        """Read a ``<capsule>``, whose height is the cylinder's."""
        return Capsule(element.number('radius'), element.number('height'))

    def cone(self, element: TypedElement) -> Cone:
        """Read a ``<cone>``."""
        return Cone(element.number('radius'), element.number('height'))

    def pyramid(self, element: TypedElement) -> Pyramid:
        """Read a ``<pyramid>``."""
        return Pyramid(
            element.number('base_width'), element.number('base_depth'), element.number('height'))

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

    def multi_sphere(self, element: TypedElement) -> MultiSphere:
        """Read a ``<multi_sphere>``."""
        return MultiSphere(tuple(
            (ball.number('radius'), ball.vector3('position')) for ball in element.all('sphere')))

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


_READERS: dict[str, Callable[[ShapeReader, TypedElement], Geometry]] = {
    'sphere': ShapeReader.sphere,
    'box': ShapeReader.box,
    'ellipsoid': ShapeReader.ellipsoid,
    'cylinder': ShapeReader.cylinder,
    'capsule': ShapeReader.capsule,
    'cone': ShapeReader.cone,
    'pyramid': ShapeReader.pyramid,
    'plane': ShapeReader.plane,
    'multi_sphere': ShapeReader.multi_sphere,
    'mesh': ShapeReader.mesh,
}
