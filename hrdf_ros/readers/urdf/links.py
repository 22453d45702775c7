# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
``<link>``: its inertia, visuals and collisions.

A fault in one of these does not make urdfdom refuse the file: it goes on without the part. So
does this reader, with a warning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.document import XmlElement
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Body, Box, Capsule, Cylinder, Geometry, Mesh, Shape, Sphere
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.readers.urdf.fields import Fields, Unreadable
from hrdf_ros.readers.urdf.grammar import foreign
from hrdf_ros.readers.urdf.materials import Materials

FindMesh = Callable[[str], Optional[str]]
"""Returns the file that a uri means, None where there is none."""


def read_link(node: XmlElement, fields: Fields, materials: Materials, find_mesh: FindMesh) -> Body:
    """Return the body of a link; ``fields`` are lenient ones."""
    name = node.get('name')
    if name is None:
        fields.report.add(
            codes.MISSING_ATTRIBUTE, "<link> needs the attribute 'name'; urdfdom names it ''",
            node.location, severity='warning')
    return Body(
        name or '', name or '', _read_inertial(node, fields),
        tuple(_read_shapes(node, 'visual', fields, materials, find_mesh)),
        tuple(_read_shapes(node, 'collision', fields, materials, find_mesh)),
        extensions=foreign(node), location=node.location)


def _read_inertial(link: XmlElement, fields: Fields) -> Optional[Inertia]:
    node = link.child('inertial')
    if node is None:
        return None
    try:
        pose = fields.origin(node)
        mass = fields.number(fields.child(node, 'mass'), 'value')
        tensor = fields.child(node, 'inertia')
        ixx, ixy, ixz, iyy, iyz, izz = (
            fields.number(tensor, term) for term in ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'))
    except Unreadable:
        return None
    return Inertia(mass, pose, ixx, iyy, izz, ixy, ixz, iyz, node.location)


def _read_shapes(
    link: XmlElement, tag: str, fields: Fields, materials: Materials, find_mesh: FindMesh,
) -> list[Shape]:
    shapes = []
    for node in link.all(tag):
        try:
            shapes.append(_read_shape(node, fields, materials, find_mesh))
        except Unreadable:
            pass
    return shapes


def _read_shape(
    node: XmlElement, fields: Fields, materials: Materials, find_mesh: FindMesh,
) -> Shape:
    """Return a visual or collision."""
    pose = fields.origin(node)
    geometry = _read_geometry(fields.child(node, 'geometry'), fields, find_mesh)
    material = materials.of(node, fields) if node.tag == 'visual' else None
    return Shape(node.get('name') or '', geometry, pose, material, node.location)


def _read_geometry(node: XmlElement, fields: Fields, find_mesh: FindMesh) -> Geometry:
    """Return the shape that stands first; urdfdom does not look at others."""
    if not node.children:
        raise fields.fault(codes.MISSING_ELEMENT, '<geometry> needs a shape', node)
    shape = node.children[0]
    if shape.tag == 'mesh':
        return _read_mesh(shape, fields, find_mesh)
    read = _SHAPES.get(shape.tag)
    if read is None:
        raise fields.fault(
            codes.UNKNOWN_ELEMENT, f"URDF has no shape '{shape.tag}'", shape,
            hint=did_you_mean(shape.tag, (*_SHAPES, 'mesh')))
    _report_others(node, fields)
    return read(shape, fields)


def _report_others(geometry: XmlElement, fields: Fields) -> None:
    for other in geometry.children[1:]:
        fields.report.add(
            codes.NO_EFFECT, f'<{other.tag}> is not read: a geometry is one shape', other.location)


def _read_box(node: XmlElement, fields: Fields) -> Geometry:
    size = fields.vector(node, 'size')
    fields.check_sizes(node, 'size', size)
    return Box(size)


def _read_sphere(node: XmlElement, fields: Fields) -> Geometry:
    return Sphere(fields.size(node, 'radius'))


def _read_cylinder(node: XmlElement, fields: Fields) -> Geometry:
    return Cylinder(fields.size(node, 'radius'), fields.size(node, 'length'))


def _read_capsule(node: XmlElement, fields: Fields) -> Geometry:
    fields.newer(node, '<capsule> is', (1, 2))
    return Capsule(fields.size(node, 'radius'), fields.size(node, 'length'))


def _read_mesh(node: XmlElement, fields: Fields, find_mesh: FindMesh) -> Geometry:
    uri = fields.text(node, 'filename')
    return Mesh(uri, find_mesh(uri), fields.vector(node, 'scale', (1.0, 1.0, 1.0)))


_SHAPES: dict[str, Callable[[XmlElement, Fields], Geometry]] = {
    'box': _read_box, 'sphere': _read_sphere, 'cylinder': _read_cylinder,
    'capsule': _read_capsule,
}
