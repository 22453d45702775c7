# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes: the ten geometries, their placement and colour."""

from __future__ import annotations

from collections.abc import Callable
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.document import XmlElement
from hrdf_ros.model import (
    Box,
    Capsule,
    Color,
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
from hrdf_ros.pose import Vector, Z_AXIS
from hrdf_ros.readers.skel.fields import Fields
from hrdf_ros.readers.skel.mesh_bounds import Meshes
from hrdf_ros.resolve import Resolver

_DEFAULT_SIZE = 1.0
_UNIT: Vector = (1.0, 1.0, 1.0)


class Files(NamedTuple):
    """Where uris in a file lead: the finder, and the file that they stand in."""

    resolver: Resolver
    file: str


class ShapeReader:
    """Reads ``<visualization_shape>`` and ``<collision_shape>``."""

    def __init__(self, fields: Fields, files: Files) -> None:
        self.fields = fields
        self.report = fields.report
        self.files = files
        self.meshes = Meshes(files.resolver)

    def visual(self, node: XmlElement) -> Shape:
        """Read a ``<visualization_shape>``."""
        return self._shape(node, self._material(node))

    def collision(self, node: XmlElement) -> Shape:
        """Read a ``<collision_shape>``; ``<collidable>`` is a number for DART, not a word."""
        if self.fields.number(node, 'collidable', 1.0) == 0.0:
            self.report.add(
                codes.DETAIL_NOT_PRESERVED,
                '<collidable> is about simulation in DART and is not kept',
                node.value_location('collidable'),
            )
        shape = self._shape(node)
        if isinstance(shape.geometry, Empty):
            self.report.add(
                codes.COLLISION_WITHOUT_SHAPE, 'a collision without geometry makes DART crash',
                node.location)
        return shape

    def _shape(self, node: XmlElement, material: Optional[Material] = None) -> Shape:
        location = node.location
        geometry = node.child('geometry')
        if geometry is None:
            self.fields.missing(node, 'geometry', hint='DART crashes on such a shape')
            return Shape('', Empty(), location=location)
        return Shape('', self._geometry(geometry), self.fields.pose(node), material, location)

    def _geometry(self, node: XmlElement) -> Geometry:
        """Read the first geometry in DART's order of looking for them."""
        known = [child for child in node.children if child.tag in _READERS]
        if not known:
            self.report.add(
                codes.MISSING_ELEMENT, 'there is no geometry in here; the shape stays empty',
                node.location, severity='warning')
            return Empty()
        if len(known) > 1:
            known.sort(key=lambda child: list(_READERS).index(child.tag))
        for child in known[1:]:
            self.report.add(
                codes.NO_EFFECT, f'<{child.tag}> is not read: there is a <{known[0].tag}>',
                child.location)
        return _READERS[known[0].tag](self, known[0])

    def sphere(self, node: XmlElement) -> Sphere:
        """Read a ``<sphere>``."""
        return Sphere(self._size(node, 'radius'))

    def box(self, node: XmlElement) -> Box:
        """Read a ``<box>`` by its full extents."""
        return Box(self._sizes(node))

    def ellipsoid(self, node: XmlElement) -> Ellipsoid:
        """Read an ``<ellipsoid>``, whose ``<size>`` are diameters."""
        x, y, z = self._sizes(node)
        return Ellipsoid((x / 2.0, y / 2.0, z / 2.0))

    def cylinder(self, node: XmlElement) -> Cylinder:
        """Read a ``<cylinder>``; the format's text calls the height ``<length>`` in places."""
        length = node.child('length')
        if length is None:
            return Cylinder(self._size(node, 'radius'), self._size(node, 'height'))
        if node.child('height') is not None:
            self.report.add(
                codes.NO_EFFECT, '<length> is not read: there is a <height>', length.location)
            return Cylinder(self._size(node, 'radius'), self._size(node, 'height'))
        self.report.add(
            codes.SKEL_SPEC_OVER_DART, '<length> is read as <height>; DART refuses the file',
            length.location, hint='write <height>')
        return Cylinder(self._size(node, 'radius'), self._size(node, 'length'))

    def capsule(self, node: XmlElement) -> Capsule:
        """Read a ``<capsule>``, whose height is the cylinder's."""
        return Capsule(self._size(node, 'radius'), self._size(node, 'height'))

    def cone(self, node: XmlElement) -> Cone:
        """Read a ``<cone>``."""
        return Cone(self._size(node, 'radius'), self._size(node, 'height'))

    def pyramid(self, node: XmlElement) -> Pyramid:
        """Read a ``<pyramid>``."""
        return Pyramid(
            self._size(node, 'base_width'), self._size(node, 'base_depth'),
            self._size(node, 'height'))

    def plane(self, node: XmlElement) -> Plane:
        """Read a ``<plane>`` by its normal, and its offset or a point on it."""
        x, y, z = self.fields.required_vector(node, 'normal', Z_AXIS)
        norm = math.hypot(x, y, z)
        if norm == 0.0:
            self.report.add(codes.AXIS_ZERO, 'the normal of a plane is zero',
                node.value_location('normal'), severity='error')
            return Plane(Z_AXIS)
        normal = x / norm, y / norm, z / norm
        return Plane(normal, offset=self._plane_offset(node, normal))

    def _plane_offset(self, node: XmlElement, normal: Vector) -> float:
        point = node.child('point')
        if node.child('offset') is not None or point is None:
            return self.fields.number(node, 'offset')
        self.report.add(
            codes.DEPRECATED, '<point> of a plane is deprecated', point.location,
            hint='write <offset>, the distance from the origin along the normal')
        return sum(n * p for n, p in zip(normal, self.fields.numbers(point, 3)))

    def multi_sphere(self, node: XmlElement) -> MultiSphere:
        """Read a ``<multi_sphere>``."""
        return MultiSphere(tuple(
            (self._size(ball, 'radius'), self.fields.required_vector(ball, 'position', _UNIT))
            for ball in node.all('sphere')))

    def mesh(self, node: XmlElement) -> Mesh:
        """Read a ``<mesh>``; DART goes on without the shape where the file is not found."""
        scale = self.fields.required_vector(node, 'scale', _UNIT)
        name = node.child('file_name')
        if name is None or not name.text:
            self.fields.missing(node, 'file_name')
            return Mesh('', None, scale)
        uri = name.text.rstrip()
        return Mesh(uri, self.files.resolver.find(uri, self.files.file), scale)

    def _size(self, node: XmlElement, tag: str) -> float:
        """Return a size; DART passes over one that is not positive and keeps its default."""
        value = self.fields.required(node, tag)
        if value > 0.0 and math.isfinite(value):
            return value
        self._report_size(node, tag)
        return _DEFAULT_SIZE

    def _sizes(self, node: XmlElement) -> Vector:
        x, y, z = self.fields.required_vector(node, 'size', _UNIT)
        if min(x, y, z) > 0.0:
            return x, y, z
        self._report_size(node, 'size')
        return _UNIT

    def _report_size(self, node: XmlElement, tag: str) -> None:
        child = node.child(tag)
        if child is not None:
            self.report.add(
                codes.BAD_VALUE,
                f'<{tag}> must be positive; DART uses {_DEFAULT_SIZE} instead',
                child.text_location(), severity='warning')

    def _material(self, node: XmlElement) -> Optional[Material]:
        color = node.child('color')
        if color is None:
            return None
        count = len(color.text.split())
        if count not in (3, 4):
            self.report.add(
                codes.BAD_VALUE, f'a colour is 3 or 4 numbers, not {count}; it is not used',
                color.text_location(), severity='warning')
            return None
        return Material(diffuse=self._clamped(color, self.fields.numbers(color, count)))

    def _clamped(self, node: XmlElement, values: tuple[float, ...]) -> Color:
        if not all(0.0 <= value <= 1.0 for value in values):
            self.report.add(
                codes.BAD_VALUE, 'the numbers of a colour are from 0 to 1; they are cut off',
                node.text_location(), severity='warning')
        red, green, blue, alpha = (
            min(max(value, 0.0), 1.0) for value in (*values, 1.0)[:4])
        return red, green, blue, alpha


_READERS: dict[str, Callable[[ShapeReader, XmlElement], Geometry]] = {
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
