# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``<link>``: its inertia, visuals and collisions, and their materials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import (
    Body,
    Box,
    Capsule,
    Cylinder,
    Geometry,
    Material,
    Mesh,
    RawElement,
    Shape,
    Sphere,
)
from hrdf_ros.pose import from_quaternion, from_rpy, IDENTITY, Pose
from hrdf_ros.readers.schema import TypedElement

_MOMENTS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_KEPT = ('preserved', 'foreign')


def read_origin(origin: Optional[TypedElement]) -> Pose:
    """Return the pose that an ``<origin>`` gives, the identity without one."""
    if origin is None:
        return IDENTITY
    position = origin.vector3('xyz')
    quaternion = origin.values.get('quat_xyzw')
    if quaternion is not None:
        return from_quaternion(position, quaternion)
    pose = from_rpy(position, origin.vector3('rpy'))
    return IDENTITY if pose == IDENTITY else pose


def raw_elements(element: TypedElement) -> tuple[RawElement, ...]:
    """Return as text the children that the Model has no place for: others', and preserved ones."""
    rules = element.rule.children
    return tuple([
        RawElement(child.tag, child.raw(), child.location, format='urdf')
        for child in element.children
        if (rule := rules[child.tag]) is None or rule.element.handling in _KEPT])


FindFile = Callable[[str], Optional[str]]
"""Returns the file that a URI means, None where there is none."""


class Materials:
    """The materials defined so far: first the robot's, then those of visuals in document order."""

    def __init__(self, report: Report, find_file: FindFile) -> None:
        self._report = report
        self._find_file = find_file
        self._by_name: dict[str, Material] = {}
        self._faulty: set[str] = set()
        """Names of materials that are defined, but have no look; reported where they are."""

    def define(self, element: TypedElement) -> None:
        """Read a material of the robot; one without a name cannot be used."""
        if not element.has('name'):
            return
        material = self._read(element)
        if material.name in self._by_name:
            self._report.add(
                codes.DUPLICATE_NAME, f"duplicate material '{material.name}'",
                element.attribute_location('name'), hint='rename one of them')
        elif _is_empty(material) and '<color' in element.raw():
            self._faulty.add(material.name)  # the faulty color is reported, and gone
        elif _is_empty(material):
            self._faulty.add(material.name)
            self._report.add(
                codes.MISSING_ELEMENT,
                f"the material '{material.name}' has no color and no texture", element.location,
                severity='warning')
        else:
            self._by_name[material.name] = material

    def of(self, shape: TypedElement) -> Optional[Material]:
        """Return the material of a visual, None without one."""
        element = shape.child('material')
        if element is None or shape.tag != 'visual':
            return None
        written = self._read(element)
        name = written.name
        if not name:
            return None if _is_empty(written) else written
        known = self._by_name.get(name)
        if known is None and _is_empty(written):
            if name not in self._faulty:
                self._report_undefined(element, name)
            return None
        if known is None:
            self._by_name[name] = written
            return written
        if not _is_empty(written) and known != written:
            self._report.add(
                codes.URDF_MATERIAL_REDEFINED,
                f"the material '{name}' is already defined with another color or texture, which "
                'is used',
                element.attribute_location('name'))
        return known

    def _read(self, element: TypedElement) -> Material:
        """Return a material; one that has neither color nor texture is a reference."""
        texture, color = element.child('texture'), element.child('color')
        uri = '' if texture is None else texture.string('filename')
        return Material(
            element.string('name'), None if color is None else color.read('rgba'),
            texture=uri, texture_file=self._find_file(uri) if uri else None)

    def _report_undefined(self, element: TypedElement, name: str) -> None:
        self._report.add(
            codes.URDF_UNKNOWN_MATERIAL, f"unknown material '{name}'",
            element.attribute_location('name'),
            hint='define it in the robot: <material name="..."><color .../>', cause=name)


def _is_empty(material: Material) -> bool:
    return material.diffuse is None and not material.texture


def read_link(link: TypedElement, materials: Materials, find_file: FindFile) -> Body:
    """Return the body of a link."""
    name = link.string('name')
    return Body(
        name=name, source_name=name, inertia=_read_inertial(link),
        visuals=tuple(_read_shape(found, materials, find_file) for found in link.all('visual')),
        collisions=tuple(
            _read_shape(found, materials, find_file) for found in link.all('collision')),
        extensions=raw_elements(link), location=link.location)


def _read_inertial(link: TypedElement) -> Optional[Inertia]:
    inertial = link.child('inertial')
    if inertial is None:
        return None
    parts = {part.tag: part for part in reversed(inertial.children)}
    mass, tensor = parts.get('mass'), parts.get('inertia')
    if mass is None or tensor is None:
        return None
    xx, yy, zz, xy, xz, yz = map(tensor.number, _MOMENTS)
    return Inertia(
        mass.number('value'), read_origin(parts.get('origin')), xx, yy, zz, xy, xz, yz,
        inertial.location)


def _read_shape(
    element: TypedElement, materials: Materials, find_file: FindFile,
) -> Shape:
    """Return a visual or collision."""
    geometry = element.child('geometry')
    shape = None if geometry is None else geometry.choice()
    assert shape is not None  # the schema requires it, and faulty parts are gone
    return Shape(
        element.string('name'), _geometry(shape, find_file),
        read_origin(element.child('origin')), materials.of(element), element.location)


def _geometry(element: TypedElement, find_file: FindFile) -> Geometry:
    if element.tag != 'mesh':
        return _SHAPES[element.tag](element)
    uri = element.string('filename')
    return Mesh(uri, find_file(uri), element.vector3('scale'))


_SHAPES: dict[str, Callable[[TypedElement], Geometry]] = {
    'box': lambda shape: Box(shape.vector3('size')),
    'sphere': lambda shape: Sphere(shape.number('radius')),
    'cylinder': lambda shape: Cylinder(shape.number('radius'), shape.number('length')),
    'capsule': lambda shape: Capsule(shape.number('radius'), shape.number('length')),
}
