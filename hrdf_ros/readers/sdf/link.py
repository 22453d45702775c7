# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The ``<link>`` element: its shapes, its other content, and its inertia.

A link without ``<inertial>`` has 1 kg and the unit tensor, as in libsdformat; an automatic inertia
(``@auto``) is computed from the collisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
import math
from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.inertia import (
    box,
    capsule,
    combine,
    cylinder,
    ellipsoid,
    Inertia,
    is_physical,
    scale,
    Solid,
    sphere,
)
from hrdf_ros.pose import compose, IDENTITY, translation
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import name_of, pose_and_reference
from hrdf_ros.readers.sdf.file import SdfContext
from hrdf_ros.readers.sdf.geometry import check_material, read_shape
from hrdf_ros.readers.sdf.records import Link
from hrdf_ros.readers.sdf.siblings import check_children

_FRAMED = ('sensor', 'light', 'particle_emitter', 'projector', 'audio_source', 'audio_sink')
_SHAPES = ('visual', 'collision')
_READ = ('pose', 'inertial')

_UNIT = Inertia(1.0, ixx=1.0, iyy=1.0, izz=1.0)
"""The inertia that libsdformat gives a mesh, and a link whose collisions have no volume."""


def read_link(element: TypedElement, context: SdfContext) -> Link:
    pose, against = pose_and_reference(element)
    visuals: list[m.Shape] = []
    collisions: list[m.Shape] = []
    relative, preserved = [], []
    for child in element.children:
        if child.tag in _SHAPES:
            shape, frame = read_shape(child, context.reading)
            (visuals if child.tag == 'visual' else collisions).append(shape)
            if frame:
                relative.append(child)
        elif child.tag not in _READ:
            preserved.append(child)
            material = child.child('material') if child.tag == 'particle_emitter' else None
            if material is not None:
                check_material(material, context.reading)
    check_children(element.children, context.semantics)
    return Link(
        name=name_of(element), element=element, location=element.location, pose=pose,
        relative_to=against,
        inertia=read_inertial(element, context.semantics), visuals=visuals,
        collisions=collisions, relative=relative, preserved=preserved,
        framed=[child for child in preserved if child.tag in _FRAMED])


# ---- inertia

def read_inertial(link: TypedElement, report: Report) -> Optional[Inertia]:
    """
    Return the inertia that a ``<link>`` gives, None where its collisions do.

    An inertia that no body can have is an error (LINK_INERTIA_INVALID): a negative mass, a
    negative principal moment, or a principal moment greater than the sum of the other two.
    """
    element = link.child('inertial')
    if element is None:
        return _given(link.section('inertial'), None)
    if 'auto' in element.attributes and element.boolean('auto'):
        return None
    inertia = _given(element, element.location)
    pose = element.child('pose')
    if pose is not None and pose.get('relative_to'):
        report.add(
            codes.NO_EFFECT,
            "'relative_to' has no effect here: <inertial> is always relative to its link",
            pose.attribute_location('relative_to'))
    if not is_physical(inertia):
        report.add(
            codes.INERTIA_INVALID, f"no body can have the inertia of link '{link.get('name')}'",
            element.locate('mass') if inertia.mass < 0.0 else element.location,
            reference='LINK_INERTIA_INVALID',
            hint='give the tensor about the center of mass, in kg m^2', severity='error')
    return inertia


def _given(element: TypedElement, location: Optional[SourceRef]) -> Inertia:
    mass, pose = element.values_of('mass', 'pose')
    ixx, iyy, izz, ixy, ixz, iyz = element.section('inertia').values_of(
        'ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
    return Inertia(
        mass=mass, pose=pose, ixx=ixx, iyy=iyy, izz=izz, ixy=ixy, ixz=ixz, iyz=iyz,
        location=location)


# ---- from the collisions

def inertia_of_collisions(
    link: TypedElement, collisions: Sequence[tuple[TypedElement, m.Shape]], report: Report,
) -> Inertia:
    """
    Return the inertia of a link whose ``<inertial>`` is automatic (SDF 1.11).

    ``collisions`` are its collision elements with their shapes, posed in the link's frame. The
    inertia is the sum over the collisions, scaled to the mass if that is given.
    """
    element = link.section('inertial')
    if not collisions:
        report.add(
            codes.MISSING_ELEMENT,
            f"link '{link.get('name')}' with automatic inertia is missing a <collision>",
            element.location, reference='ELEMENT_MISSING')
        return _UNIT
    for tag in ('pose', 'inertia'):
        given = element.child(tag)
        if given is not None:
            report.add(
                codes.SDF_INERTIA_OVERWRITTEN,
                f'<{tag}> has no effect: the inertia is automatic', given.location)
    density = element.number('density')
    has_mass = element.has('mass')
    warns = not has_mass and not element.has('density')
    parts = [_part(collision, shape, density, warns, report) for collision, shape in collisions]
    known = [part for part in parts if part is not None]
    total = combine(known) if sum(part.mass for part in known) > 0.0 else _UNIT
    if has_mass and total.mass > 0.0:
        total = scale(total, element.number('mass'))
    return total._replace(location=element.location)


def _part(
    element: TypedElement, shape: m.Shape, density: float, warns: bool, report: Report,
) -> Optional[Inertia]:
    """Return the inertia of a collision in the link's frame, None where it has none."""
    if warns and not element.has('density'):
        report.add(
            codes.SDF_DENSITY_DEFAULT,
            f"collision '{shape.name}' has no <density>; that of water is used, "
            f'{density:g} kg/m^3', element.location)
    part = _of_geometry(shape.geometry, element.number('density', inherited=density))
    if part is None:
        report.add(
            codes.INERTIA_INVALID,
            f"collision '{shape.name}' has no volume to compute its inertia from",
            element.location, reference='LINK_INERTIA_INVALID',
            hint='give the inertia of the link in numbers', severity='error')
        return None
    if isinstance(shape.geometry, m.Mesh):
        report.add(
            codes.MESH_INERTIA_UNKNOWN,
            f"the inertia of the mesh in collision '{shape.name}' is not computed; 1 kg and the "
            'unit tensor are used', element.location, reference='WARNING')
    return part._replace(pose=compose(shape.pose, part.pose))


def _of_geometry(shape: m.Geometry, density: float) -> Optional[Inertia]:
    """Return the inertia of a homogeneous solid, None for a shape without a volume."""
    if isinstance(shape, m.Mesh):
        return _UNIT
    solid_of = _SOLIDS.get(type(shape))
    sizes: Sequence[Any] = shape[0] if isinstance(shape, (m.Box, m.Ellipsoid)) else shape
    if solid_of is None or min(sizes) <= 0.0:
        return None
    solid = solid_of(*sizes)
    mass = density * solid.volume
    center = translation(0.0, 0.0, -shape.length / 4.0) if isinstance(shape, m.Cone) else IDENTITY
    return None if mass <= 0.0 else solid.with_mass(mass, center)


def _cone(radius: float, length: float) -> Solid:
    """Return a cone about its center of mass, which only in SDFormat is not the cone's origin."""
    across = 0.15 * radius * radius
    return Solid(
        math.pi * radius * radius * length / 3.0, across, across, 3.0 / 80.0 * length * length)


_SOLIDS: Mapping[type, Callable[..., Solid]] = {
    m.Box: box, m.Sphere: sphere, m.Ellipsoid: ellipsoid, m.Capsule: capsule, m.Cone: _cone,
    m.Cylinder: cylinder,
}
