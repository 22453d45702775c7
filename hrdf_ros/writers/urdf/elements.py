# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The elements of a URDF: links, materials, joints, and ``<gazebo>`` blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
import math
import os
from typing import NamedTuple, Optional
from urllib.parse import quote

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.fields import placed
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import (
    Body,
    Box,
    Capsule,
    Coordinate,
    Cylinder,
    Geometry,
    Joint,
    Material,
    Mesh,
    Model,
    RawElement,
    Shape,
    Sphere,
)
from hrdf_ros.names import Names
from hrdf_ros.pose import IDENTITY, Pose, to_rpy
from hrdf_ros.resolve import Resolver
from hrdf_ros.writers.xml import element, number, numbers, raws
from lxml import etree

_SINGLE_AXIS = ('revolute', 'continuous', 'prismatic')

MaterialNames = dict[Material, str]
"""The name of each material in the URDF."""


class UrdfOptions(NamedTuple):
    """How a URDF is written; the options are those of ``write_urdf``."""

    expand_ball: bool = False
    gazebo: bool = False
    extra: Optional[SourceFile] = None
    relative_to: Optional[str] = None
    mesh_directory: Optional[str] = None
    resolver: Optional[Resolver] = None
    version: Optional[str] = None


def name_materials(model: Model, report: Report) -> MaterialNames:
    """Return unique names for all materials: their own, else ``material_1`` and so on."""
    used = [
        shape.material for body in model.bodies for shape in (*body.visuals, *body.collisions)
        if shape.material is not None]
    names, materials, unnamed = Names(report), MaterialNames(), 0
    for material in sorted(dict.fromkeys(used), key=lambda material: not material.name):
        unnamed += not material.name
        materials[material] = names.claim(material.name or f'material_{unnamed}')
    return materials


def material_elements(
    materials: MaterialNames, options: UrdfOptions,
) -> Iterator[etree._Element]:
    """Yield the definitions, which visuals refer to by name."""
    for material, name in materials.items():
        made = element('material', {'name': name})
        if material.diffuse is not None:
            made.append(element('color', {'rgba': numbers(material.diffuse)}))
        if material.texture:
            uri = _written_uri(material.texture, material.texture_file, options)
            made.append(element('texture', {'filename': uri}))
        yield made


# ---- links

def link_element(body: Body, materials: MaterialNames, options: UrdfOptions) -> etree._Element:
    """Return the ``<link>`` of a body."""
    made = element('link', {'name': body.name})
    if body.inertia is not None:
        made.append(_inertial(body.inertia, options.version or ''))
    for tag, shapes in (('visual', body.visuals), ('collision', body.collisions)):
        made.extend(_shape(tag, shape, materials, options) for shape in shapes)
    made.extend(raws(body.extensions, 'urdf'))
    return made


def _inertial(inertia: Inertia, version: str) -> etree._Element:
    moments = {term: number(value) for term, value in placed(inertia, 'urdf', 'inertia').items()}
    return element('inertial', None, (
        *_origin(inertia.pose, version), element('mass', {'value': number(inertia.mass)}),
        element('inertia', moments)))


def _shape(
    tag: str, shape: Shape, materials: MaterialNames, options: UrdfOptions,
) -> etree._Element:
    """Return the element of a visual or collision."""
    made = element(tag, {'name': shape.name} if shape.name else None, (
        *_origin(shape.pose, options.version or ''),
        element('geometry', None, (_geometry(shape.geometry, options),))))
    if shape.material is not None:
        made.append(element('material', {'name': materials[shape.material]}))
    return made


def _geometry(geometry: Geometry, options: UrdfOptions) -> etree._Element:
    """Return a geometry of a lowered Model: box, cylinder, sphere, mesh; capsule since 1.2."""
    if isinstance(geometry, Box):
        return element('box', {'size': numbers(geometry.size)})
    if isinstance(geometry, Sphere):
        return element('sphere', {'radius': number(geometry.radius)})
    if isinstance(geometry, (Cylinder, Capsule)):
        return element(type(geometry).__name__.lower(), {
            'radius': number(geometry.radius), 'length': number(geometry.length)})
    assert isinstance(geometry, Mesh)
    made = element('mesh', {'filename': _written_uri(geometry.uri, geometry.file, options)})
    if geometry.scale != (1.0, 1.0, 1.0):
        made.set('scale', numbers(geometry.scale))
    return made


def _written_uri(uri: str, file: Optional[str], options: UrdfOptions) -> str:
    """
    Return the URI that a URDF names a file by; that of one not found stays as written.

    A path where relative ones are wanted, else ``package://``, else ``file://``.
    """
    if file is None or uri.startswith('package://'):
        return uri
    if options.relative_to is not None:
        return os.path.relpath(file, options.relative_to)
    packages = (options.resolver or Resolver()).packages
    return packages.uri(file) or f'file://{quote(os.path.abspath(file))}'


def _origin(pose: Pose, version: str) -> tuple[etree._Element, ...]:
    """Return the ``<origin>``, nothing for the identity; since 1.1 it may have a quaternion."""
    if pose == IDENTITY:
        return ()
    name, turn = ('quat_xyzw', pose.orientation) if version >= '1.1' else ('rpy', to_rpy(pose))
    return (element('origin', {'xyz': numbers(pose.position), name: numbers(turn)}),)


# ---- joints

def joint_element(joint: Joint, model: Model) -> etree._Element:
    """Return the ``<joint>``; a planar one has the axis that it turns about, its last."""
    made = element('joint', {'name': joint.name, 'type': joint.type}, (
        *_origin(joint.parent_from_joint, model.version),
        element('parent', {'link': model.bodies[joint.parent].name}),
        element('child', {'link': model.bodies[joint.child].name})))
    if joint.type not in ('fixed', 'floating'):
        made.append(element('axis', {'xyz': numbers(joint.motions[-1].axis)}))
    coordinate = _coordinate_of(joint, model)
    if coordinate is not None:
        made.extend(_coordinate_elements(coordinate, model))
    made.extend(raws(joint.extensions, 'urdf'))
    return made


def _coordinate_of(joint: Joint, model: Model) -> Optional[Coordinate]:
    """Return the coordinate of a joint with one axis."""
    if joint.type not in _SINGLE_AXIS:
        return None
    return model.coordinates[joint.motions[0].coordinates[0]]


def _coordinate_elements(coordinate: Coordinate, model: Model) -> Iterator[etree._Element]:
    """Yield dynamics, limits (which a continuous joint need not have) and mimic."""
    dynamics = placed(coordinate, 'urdf', 'dynamics')
    if any(dynamics.values()):
        yield element('dynamics', {name: number(value) for name, value in dynamics.items()})
    limits = {name: number(value) for name, value in placed(coordinate, 'urdf', 'limit').items()
              if math.isfinite(value)}
    if limits:
        yield element('limit', limits)
    mimic = coordinate.mimic
    if mimic is not None:
        yield element('mimic', {
            'joint': model.coordinates[mimic.leader].name,
            'multiplier': number(mimic.multiplier), 'offset': number(mimic.offset)})


# ---- for Gazebo

def gazebo_blocks(model: Model) -> Iterator[etree._Element]:
    """Yield ``<gazebo>`` blocks: static models, springs, and plugins and sensors of SDFormat."""
    if model.static:
        yield element('gazebo', None, (element('static', text='true'),))
    yield from _wrapped(None, model.extensions)
    for body in model.bodies:
        yield from _wrapped({'reference': body.name}, body.extensions)
    for joint in model.joints:
        reference = {'reference': joint.name}
        coordinate = _coordinate_of(joint, model)
        if coordinate is not None:
            facts = placed(coordinate, 'gazebo', 'joint')
            if any(facts.values()):
                yield element('gazebo', reference, [
                    element(name, text=number(value)) for name, value in facts.items()])
        yield from _wrapped(reference, joint.extensions)


def _wrapped(
    reference: Optional[dict[str, str]], extensions: Iterable[RawElement],
) -> Iterator[etree._Element]:
    """Yield one block around the SDFormat of an item, if it has some."""
    children = raws(extensions, 'sdf')
    if children:
        yield element('gazebo', reference, children)
