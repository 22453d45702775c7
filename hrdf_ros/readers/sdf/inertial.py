# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The inertia of SDFormat links, written out or worked out from the collisions (``@auto``).

A link without ``<inertial>`` has 1 kg and the unit tensor, as in libsdformat.
"""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.inertia import combine, Inertia, is_physical, scale
from hrdf_ros.model import Box, Capsule, Cone, Cylinder, Ellipsoid, Geometry, Mesh, Shape, Sphere
from hrdf_ros.pose import compose, translation, Vector
from hrdf_ros.readers.sdf.text import attribute_bool, read_double, read_pose

_UNIT = Inertia(1.0, ixx=1.0, iyy=1.0, izz=1.0)
_WATER = 1000.0


def read_inertial(
    link: XmlElement, collisions: Sequence[tuple[XmlElement, Shape]], report: Report,
) -> Inertia:
    """
    Return the inertia of a ``<link>``.

    ``collisions`` are its collision elements with their shapes, posed in the link's frame. What
    no body can have is an error: a negative mass or principal moment, or one that is greater
    than the sum of the other two (LINK_INERTIA_INVALID).
    """
    node = link.child('inertial')
    if node is None:
        return _UNIT
    if attribute_bool(node, 'auto'):
        return _from_collisions(link, node, collisions, report)
    inertia = _read_given(node, report)
    if not is_physical(inertia):
        report.add(
            codes.INERTIA_INVALID, f"no body can have the inertia of link '{link.get('name')}'",
            node.value_location('mass') if inertia.mass < 0.0 else node.location,
            reference='LINK_INERTIA_INVALID',
            hint='give the tensor about the centre of mass, in kg m^2', severity='error')
    return inertia


def _read_given(node: XmlElement, report: Report) -> Inertia:
    pose = node.child('pose')
    if pose is not None and pose.get('relative_to'):
        report.add(
            codes.NO_EFFECT,
            '<inertial> is always relative to its link: relative_to is not used',
            pose.attribute_location('relative_to'))
    tensor = node.child('inertia')
    mass = read_double(node.child('mass'), 1.0)
    if tensor is None:
        return Inertia(mass, read_pose(pose), 1.0, 1.0, 1.0, location=node.location)
    moments = {child.tag: child for child in reversed(tensor.children)}
    return Inertia(
        mass, read_pose(pose),
        read_double(moments.get('ixx'), 1.0), read_double(moments.get('iyy'), 1.0),
        read_double(moments.get('izz'), 1.0), read_double(moments.get('ixy')),
        read_double(moments.get('ixz')), read_double(moments.get('iyz')), node.location)


# ---- from the collisions


def _from_collisions(
    link: XmlElement,
    node: XmlElement,
    collisions: Sequence[tuple[XmlElement, Shape]],
    report: Report,
) -> Inertia:
    """Return the sum over the collisions; a given mass scales it."""
    if not collisions:
        report.add(
            codes.MISSING_ELEMENT,
            f"the inertia of link '{link.get('name')}' cannot be worked out: no <collision>",
            node.location, reference='ELEMENT_MISSING')
        return _UNIT
    for tag in ('pose', 'inertia'):
        given = node.child(tag)
        if given is not None:
            report.add(
                codes.SDF_INERTIA_OVERWRITTEN, f'<{tag}> is not used: the inertia is automatic',
                given.location)
    density = read_double(node.child('density'), _WATER)
    warns = node.child('density') is None and node.child('mass') is None
    parts = [_part(element, shape, density, warns, report) for element, shape in collisions]
    known = [part for part in parts if part is not None]
    total = combine(known) if sum(part.mass for part in known) > 0.0 else _UNIT
    mass = node.child('mass')
    if mass is not None and total.mass > 0.0:
        total = scale(total, read_double(mass, 1.0))
    return total._replace(location=node.location)


def _part(
    element: XmlElement, shape: Shape, density: float, warns: bool, report: Report,
) -> Optional[Inertia]:
    """Return the inertia of a collision in the link's frame, None where it has none."""
    given = element.child('density')
    if given is None and warns:
        report.add(
            codes.SDF_DENSITY_DEFAULT,
            f"collision '{shape.name}' has no <density>: that of water is used, 1000 kg/m^3",
            element.location)
    part = _of_geometry(shape.geometry, read_double(given, density))
    if part is None:
        report.add(
            codes.INERTIA_INVALID,
            f"the inertia of collision '{shape.name}' cannot be worked out",
            element.location,
            reference='LINK_INERTIA_INVALID',
            hint='give the inertia of the link in numbers',
            severity='error',
        )
        return None
    if isinstance(shape.geometry, Mesh):
        report.add(
            codes.MESH_INERTIA_UNKNOWN,
            f"the inertia of the mesh in collision '{shape.name}' is not worked out: 1 kg and "
            'the unit tensor are used', element.location, reference='WARNING')
    return part._replace(pose=compose(shape.pose, part.pose))


def _of_geometry(shape: Geometry, density: float) -> Optional[Inertia]:
    """Return the inertia of a homogeneous solid, None for what is none or has no volume."""
    part = None
    if isinstance(shape, Box):
        part = _of_box(shape.size, density)
    elif isinstance(shape, Sphere):
        part = _of_ellipsoid((shape.radius,) * 3, density)
    elif isinstance(shape, Ellipsoid):
        part = _of_ellipsoid(shape.radii, density)
    elif isinstance(shape, Cylinder):
        part = _of_cylinder(shape.radius, shape.length, density)
    elif isinstance(shape, Capsule):
        part = _of_capsule(shape.radius, shape.length, density)
    elif isinstance(shape, Cone):
        part = _of_cone(shape.radius, shape.length, density)
    elif isinstance(shape, Mesh):
        part = _UNIT
    return part if part is not None and part.mass > 0.0 else None


def _of_box(size: Vector, density: float) -> Inertia:
    x, y, z = size
    mass = density * x * y * z if min(size) > 0.0 else 0.0
    xx, yy, zz = mass * x * x / 12.0, mass * y * y / 12.0, mass * z * z / 12.0
    return Inertia(mass, ixx=yy + zz, iyy=xx + zz, izz=xx + yy)


def _of_ellipsoid(radii: Vector, density: float) -> Inertia:
    x, y, z = radii
    mass = density * 4.0 / 3.0 * math.pi * x * y * z if min(radii) > 0.0 else 0.0
    xx, yy, zz = mass * x * x / 5.0, mass * y * y / 5.0, mass * z * z / 5.0
    return Inertia(mass, ixx=yy + zz, iyy=xx + zz, izz=xx + yy)


def _of_cylinder(radius: float, length: float, density: float) -> Inertia:
    square = radius * radius
    mass = density * math.pi * square * length if min(radius, length) > 0.0 else 0.0
    side = mass * (3.0 * square + length * length) / 12.0
    return Inertia(mass, ixx=side, iyy=side, izz=mass * square / 2.0)


def _of_capsule(radius: float, length: float, density: float) -> Inertia:
    """Return a cylinder and two half spheres, whose centres of mass are 3/8 radius out."""
    if min(radius, length) <= 0.0:
        return Inertia(0.0)
    cylinder = _of_cylinder(radius, length, density)
    square = radius * radius
    ball = density * 4.0 / 3.0 * math.pi * radius * square
    along = 0.4 * ball * square
    side = along + ball * (length * length / 4.0 + 3.0 / 8.0 * length * radius)
    return Inertia(
        cylinder.mass + ball, ixx=cylinder.ixx + side, iyy=cylinder.iyy + side,
        izz=cylinder.izz + along)


def _of_cone(radius: float, length: float, density: float) -> Inertia:
    """Return a cone whose centre of mass is a quarter of its length above its base."""
    square = radius * radius
    mass = density * math.pi * square * length / 3.0 if min(radius, length) > 0.0 else 0.0
    side = mass * (3.0 / 20.0 * square + 3.0 / 80.0 * length * length)
    return Inertia(
        mass, translation(0.0, 0.0, -length / 4.0), side, side, 0.3 * mass * square)
