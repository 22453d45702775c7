# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``<link>`` and ``<joint>``: shapes and materials, axis, limits, dynamics and leader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics, Report
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import (
    Body,
    Coordinate,
    CoordinateKind,
    Joint,
    Mimic,
    Motion,
    NONE,
    RawElement,
    shapes,
)
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import AXES, cross, from_quaternion, from_rpy, IDENTITY, Pose, Vector, X_AXIS
from hrdf_ros.readers.schema import TypedElement

_MOMENTS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_KEPT = ('preserved', 'foreign')
_COORDINATES: dict[str, tuple[tuple[str, CoordinateKind], ...]] = {
    'revolute': (('', 'angle'),),
    'continuous': (('', 'angle'),),
    'prismatic': (('', 'length'),),
    'fixed': (),
    'planar': (('_x', 'length'), ('_y', 'length'), ('_rot', 'angle')),
    'floating': (
        ('_rot_x', 'angle'), ('_rot_y', 'angle'), ('_rot_z', 'angle'),
        ('_pos_x', 'length'), ('_pos_y', 'length'), ('_pos_z', 'length')),
}
_SINGLE = ('revolute', 'continuous', 'prismatic')
_UNIT_TOLERANCE = 1e-4
"""Files round their axes to a few digits."""
_FULL_TURN = 6.28

Parts = Mapping[str, TypedElement]
"""The child elements of an element by tag."""


class ReadJoint(NamedTuple):
    """A joint and its coordinates; ``mimic`` is the element that names the leader."""

    joint: Joint
    coordinates: tuple[Coordinate, ...]
    mimic: Optional[TypedElement] = None


class ElementReader:
    """
    Reads the links and joints of a robot; what is wrong with them goes to the report.

    ``find_file`` returns the file that a URI means, None where there is none. Materials are known
    from their definition on: first the robot's, then those of visuals in document order.
    """

    def __init__(self, report: Report, find_file: Callable[[str], Optional[str]]) -> None:
        self.report = report
        self.find_file = find_file
        self.ignored = GroupedDiagnostics()
        """The elements that exporters write into every fixed joint."""
        self._materials: dict[str, shapes.Material] = {}
        self._faulty: set[str] = set()
        """Names of materials that are defined, but have no look; reported where they are."""

    # ---- links

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
        assert shape is not None  # the schema requires it, and faulty parts are gone
        if shape.tag == 'mesh':
            uri = shape.string('filename')
            found: shapes.Geometry = shapes.Mesh(uri, self.find_file(uri), shape.vector3('scale'))
        else:
            found = _SHAPES[shape.tag](shape)
        return shapes.Shape(
            element.string('name'), found, _read_origin(element.child('origin')),
            self._material_of(element), element.location)

    def define(self, element: TypedElement) -> None:
        """Read a material of the robot; one without a name cannot be used."""
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
            if '<color' not in element.raw():  # a faulty color is reported, and gone
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
        """Return a material; one that has neither color nor texture is a reference."""
        texture, color = element.child('texture'), element.child('color')
        uri = '' if texture is None else texture.string('filename')
        return shapes.Material(
            element.string('name'), None if color is None else color.read('rgba'),
            texture=uri, texture_file=self.find_file(uri) if uri else None)

    # ---- joints

    def joint(
        self, element: TypedElement, bodies: Mapping[str, int], first: int,
    ) -> Optional[ReadJoint]:
        """
        Return a joint; ``first`` is the index that its first coordinate will have.

        None where its type or a link is missing or unknown, which is reported.
        """
        name, kind = element.string('name'), element.string('type')
        parts: Parts = {part.tag: part for part in reversed(element.children)}
        parent = self._end('parent', parts, bodies)
        child = self._end('child', parts, bodies)
        if not kind or parent is None or child is None:
            return None
        axis = self._axis(parts.get('axis'), kind)
        coordinates = tuple([
            Coordinate(name + suffix, of, location=element.location)
            for suffix, of in _COORDINATES[kind]])
        mimic = None
        if kind in _SINGLE:
            mimic = parts.get('mimic')
            coordinates = (self._limited(coordinates[0], kind, parts),)
        else:
            self._report_without_effect(name, kind, parts)
        return ReadJoint(Joint(
            name=name, source_name=name, type=kind, parent=parent, child=child,
            parent_from_joint=_read_origin(parts.get('origin')),
            motions=_motions(kind, axis, first), extensions=raw_elements(element),
            location=element.location), coordinates, mimic)

    def _end(self, tag: str, parts: Parts, bodies: Mapping[str, int]) -> Optional[int]:
        """Return the body that a joint's parent or child names."""
        end = parts.get(tag)
        if end is None or 'link' not in end.attributes:
            return None
        name = end.string('link')
        if not name:
            self.report.add(
                codes.BAD_VALUE, f"<{tag}> attribute 'link' is empty", end.locate('link'))
            return None
        if name not in bodies:
            code = codes.JOINT_PARENT_UNKNOWN if tag == 'parent' else codes.JOINT_CHILD_UNKNOWN
            self.report.add(
                code, f"unknown link '{name}'", end.locate('link'),
                hint=did_you_mean(name, bodies), cause=name)
        return bodies.get(name)

    def _axis(self, axis: Optional[TypedElement], kind: str) -> Vector:
        """Return the axis at unit length; KDL, under robot_state_publisher, normalizes it too."""
        if axis is None or kind in ('fixed', 'floating'):
            return X_AXIS
        x, y, z = axis.vector3('xyz')
        length = math.hypot(x, y, z)
        if length == 0.0:
            self.report.add(
                codes.AXIS_ZERO, 'the axis is zero, which is not a direction; 1 0 0 is used',
                axis.locate('xyz'))
            return X_AXIS
        if abs(length - 1.0) > _UNIT_TOLERANCE:
            self.report.add(
                codes.AXIS_NOT_UNIT,
                f'the axis has the length {length!r}, not 1; it is normalized', axis.locate('xyz'))
        return x / length, y / length, z / length

    def _limited(self, found: Coordinate, kind: str, parts: Parts) -> Coordinate:
        """Return the coordinate of a joint with its limits, dynamics and mimic."""
        lower, upper = -math.inf, math.inf
        velocity = effort = acceleration = math.inf
        damping = friction = 0.0
        limit, dynamics, mimic = parts.get('limit'), parts.get('dynamics'), parts.get('mimic')
        if limit is not None:
            velocity, effort, acceleration = (
                limit.number('velocity', math.inf), limit.number('effort', math.inf),
                limit.number('acceleration', math.inf))
            if kind == 'continuous':
                self._report_limits(found.name, limit)
            else:
                lower, upper = limit.number('lower'), limit.number('upper')
        if dynamics is not None:
            damping, friction = dynamics.number('damping'), dynamics.number('friction')
        leader = None if mimic is None else Mimic(
            NONE, mimic.number('multiplier'), mimic.number('offset'))
        return Coordinate(
            found.name, found.kind, lower, upper, velocity, effort, damping=damping,
            friction=friction, acceleration=acceleration, mimic=leader, location=found.location)

    def _report_limits(self, name: str, limit: TypedElement) -> None:
        """
        Report the position limits of a continuous joint, which has none.

        Exporters write those of a full turn, its range.
        """
        lower, upper = limit.number('lower'), limit.number('upper')
        location = limit.attribute_location('lower' if lower else 'upper')
        if upper - lower >= _FULL_TURN:
            self.ignored.add(
                codes.NO_EFFECT,
                'position limits of a full turn have no effect in a continuous joint', name,
                location, severity='info')
        elif lower or upper:
            self.report.add(
                codes.NO_EFFECT, 'a continuous joint has no position limits; ignored', location,
                hint='write type="revolute"')

    def _report_without_effect(self, name: str, kind: str, parts: Parts) -> None:
        """Report limits and the like in a joint of a type that has none."""
        for tag in ('limit', 'dynamics', 'mimic'):
            message = f'<{tag}> has no effect in a {kind} joint'
            if tag not in parts:
                continue
            if kind == 'fixed' and tag != 'mimic':
                self.ignored.add(
                    codes.NO_EFFECT, message, name, parts[tag].location, severity='info')
            else:
                self.report.add(codes.NO_EFFECT, message, parts[tag].location)


def _read_origin(origin: Optional[TypedElement]) -> Pose:
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
        mass.number('value'), _read_origin(parts.get('origin')), xx, yy, zz, xy, xz, yz,
        inertial.location)


def _is_empty(material: shapes.Material) -> bool:
    return material.diffuse is None and not material.texture


_SHAPES: dict[str, Callable[[TypedElement], shapes.Geometry]] = {
    'box': lambda shape: shapes.Box(shape.vector3('size')),
    'sphere': lambda shape: shapes.Sphere(shape.number('radius')),
    'cylinder': lambda shape: shapes.Cylinder(shape.number('radius'), shape.number('length')),
    'capsule': lambda shape: shapes.Capsule(shape.number('radius'), shape.number('length')),
}


# ---- motions

def _motions(kind: str, axis: Vector, first: int) -> tuple[Motion, ...]:
    if kind in ('revolute', 'continuous'):
        return (Motion('revolute', axis, (first,)),)
    if kind == 'prismatic':
        return (Motion('prismatic', axis, (first,)),)
    if kind == 'planar':
        return _planar(axis, first)
    if kind == 'fixed':
        return ()
    slides = (Motion('prismatic', along, (first + 3 + at,)) for at, along in enumerate(AXES))
    return (*slides, Motion('rotation_vector', X_AXIS, (first, first + 1, first + 2)))


def _planar(normal: Vector, first: int) -> tuple[Motion, ...]:
    """
    Return two slides across the normal and a turn about it.

    For the axes x, y, z these slide along y z, z x and x y; else the first of the two is bent
    into the plane.
    """
    along = max(range(3), key=lambda index: abs(normal[index]))
    share = normal[(along + 1) % 3]
    bent = [-share * part for part in normal]
    bent[(along + 1) % 3] += 1.0
    length = sum(part * part for part in bent) ** 0.5
    x, y, z = (part / length + 0.0 for part in bent)
    a, b, c = cross(normal, (x, y, z))
    return (
        Motion('prismatic', (x, y, z), (first,)),
        Motion('prismatic', (a + 0.0, b + 0.0, c + 0.0), (first + 1,)),
        Motion('revolute', normal, (first + 2,)))
