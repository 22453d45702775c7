# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read ``<link>``: its inertia, shapes and materials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Body, RawElement, shapes
from hrdf_ros.pose import from_quaternion, from_rpy, IDENTITY, Pose
from hrdf_ros.readers.schema import TypedElement

_MOMENTS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_KEPT = ('preserved', 'foreign')


class LinkReader:
    """
    The reader of a robot's links, which knows the materials that were defined.

    ``find_file`` returns the file that a URI means, None where there is none. A material is known
    from its definition on: first those of the robot, then those of visuals in document order.
    """

    def __init__(self, report: Report, find_file: Callable[[str], Optional[str]]) -> None:
        self.report = report
        self.find_file = find_file
        self._materials: dict[str, shapes.Material] = {}
        self._faulty: set[str] = set()
        """The names of materials whose definitions lack a look, which is reported there."""

    def link(self, link: TypedElement) -> Body:
        """Return the body of a link."""
        name = link.string('name')
        return Body(
            name=name, source_name=name, inertia=_read_inertial(link),
            visuals=tuple(map(self._shape, link.all('visual'))),
            collisions=tuple(map(self._shape, link.all('collision'))),
            extensions=raw_elements(link), location=link.location)

    def _shape(self, element: TypedElement) -> shapes.Shape:
        """Return a visual or collision."""
        geometry = element.child('geometry')
        shape = None if geometry is None else geometry.choice()
        assert shape is not None  # the schema requires it, and faulty parts were removed
        if shape.tag == 'mesh':
            uri = shape.string('filename')
            found: shapes.Geometry = shapes.Mesh(uri, self.find_file(uri), shape.vector3('scale'))
        else:
            found = _SHAPES[shape.tag](shape)
        return shapes.Shape(
            element.string('name'), found, read_origin(element.child('origin')),
            self._material_of(element), element.location)

    def define(self, element: TypedElement) -> None:
        """Read a material of the robot; no visual can use one without a name."""
        if not element.has('name'):
            return
        material = self._material(element)
        if material.name in self._materials:
            self.report.add(
                codes.DUPLICATE_NAME, f"duplicate material '{material.name}'",
                element.attribute_location('name'), hint='rename one of them')
        elif not _is_empty(material):
            self._materials[material.name] = material
        else:
            self._faulty.add(material.name)
            if '<color' not in element.raw():  # a faulty color was reported and removed
                self.report.add(
                    codes.MISSING_ELEMENT,
                    f"the material '{material.name}' has no color and no texture",
                    element.location, severity='warning')

    def _material_of(self, shape: TypedElement) -> Optional[shapes.Material]:
        """Return the material of a visual, None without one."""
        element = shape.child('material')
        if element is None or shape.tag != 'visual':
            return None
        written = self._material(element)
        name, is_empty = written.name, _is_empty(written)
        if not name:
            return None if is_empty else written
        known = self._materials.get(name)
        if known is None and is_empty:
            if name not in self._faulty:
                self.report.add(
                    codes.URDF_UNKNOWN_MATERIAL, f"unknown material '{name}'",
                    element.attribute_location('name'),
                    hint='define it in the robot: <material name="..."><color .../>', cause=name)
        elif known is None:
            self._materials[name] = known = written
        elif not is_empty and known != written:
            self.report.add(
                codes.URDF_MATERIAL_REDEFINED,
                f"the material '{name}' is already defined with another color or texture, which "
                'is used', element.attribute_location('name'))
        return known

    def _material(self, element: TypedElement) -> shapes.Material:
        """Return a material; one without color and texture is a reference."""
        texture, color = element.child('texture'), element.child('color')
        uri = '' if texture is None else texture.string('filename')
        return shapes.Material(
            element.string('name'), None if color is None else color.read('rgba'),
            texture=uri, texture_file=self.find_file(uri) if uri else None)


def report_duplicate(element: TypedElement, report: Report) -> None:
    """Report a link or joint with the same name as another."""
    report.add(
        codes.DUPLICATE_NAME, f"duplicate {element.tag} '{element.string('name')}'",
        element.attribute_location('name'), hint='rename one of them')


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
    """Return the children that the Model has no place for, as raw text."""
    rules = element.rule.children
    return tuple([
        RawElement(child.tag, child.raw(), child.location, held_by=('urdf',))
        for child in element.children
        if (rule := rules[child.tag]) is None or rule.element.handling in _KEPT])


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


def _is_empty(material: shapes.Material) -> bool:
    return material.diffuse is None and not material.texture


_SHAPES: dict[str, Callable[[TypedElement], shapes.Geometry]] = {
    'box': lambda shape: shapes.Box(shape.vector3('size')),
    'sphere': lambda shape: shapes.Sphere(shape.number('radius')),
    'cylinder': lambda shape: shapes.Cylinder(shape.number('radius'), shape.number('length')),
    'capsule': lambda shape: shapes.Capsule(shape.number('radius'), shape.number('length')),
}
