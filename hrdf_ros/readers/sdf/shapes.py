# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Visuals and collisions of SDFormat: geometries with libsdformat's defaults, and materials."""

from __future__ import annotations

from collections.abc import Callable
import math
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.document import XmlElement
from hrdf_ros.model import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Empty,
    Geometry,
    Heightmap,
    Image,
    Material,
    Mesh,
    Plane,
    Polyline,
    Shape,
    Sphere,
)
from hrdf_ros.pose import Vector, Z_AXIS
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.sdf.text import (
    read_bool,
    read_color,
    read_double,
    read_integer,
    read_pose,
    read_string,
    read_vector2,
    read_vector3,
)

_ONES: Vector = (1.0, 1.0, 1.0)
_WORKFLOWS = ('metal', 'specular')
_NORMAL_MAPS = (
    'normal_map_objectspace', 'normal_map_object_space', 'normal_map_tangentspace',
    'normal_map_tangent_space')


def read_visual(node: XmlElement, context: Context) -> Shape:
    """Return a ``<visual>``; its pose is raw, that is as written, relative to what it names."""
    shape = _read_shape(node, context)
    material = node.child('material')
    if material is None:
        return shape
    return shape._replace(material=_read_material(material, context))


def read_collision(node: XmlElement, context: Context) -> Shape:
    """Return a ``<collision>``; its pose is raw, that is as written, relative to what it names."""
    return _read_shape(node, context)


def _read_shape(node: XmlElement, context: Context) -> Shape:
    return Shape(
        (node.get('name') or '').strip(), _read_geometry(node.child('geometry'), context),
        read_pose(node.child('pose')), None, node.location)


# ---- geometry

def _read_geometry(node: Optional[XmlElement], context: Context) -> Geometry:
    """Return the one geometry that is used: of several the first in libsdformat's order."""
    if node is None or not node.children:
        return Empty()
    known = [child for child in node.children if child.tag in _GEOMETRIES]
    if not known:
        return Empty()
    used = known[0]
    if len(known) > 1:
        order = list(_GEOMETRIES)
        used = min(known, key=lambda child: order.index(child.tag))
        for other in known:
            if other is not used and other.tag != 'polyline':
                context.report.add(
                    codes.NO_EFFECT,
                    f'<{other.tag}> is not used: a <geometry> has one shape, here <{used.tag}>',
                    other.location)
    return _GEOMETRIES[used.tag](used, node, context)


def _read_box(node: XmlElement, _: XmlElement, __: Context) -> Box:
    return Box(read_vector3(node.child('size'), _ONES))


def _read_capsule(node: XmlElement, _: XmlElement, __: Context) -> Capsule:
    return Capsule(
        read_double(node.child('radius'), 0.5), read_double(node.child('length'), 1.0))


def _read_cone(node: XmlElement, _: XmlElement, __: Context) -> Cone:
    return Cone(read_double(node.child('radius'), 1.0), read_double(node.child('length'), 1.0))


def _read_cylinder(node: XmlElement, _: XmlElement, __: Context) -> Cylinder:
    return Cylinder(
        read_double(node.child('radius'), 1.0), read_double(node.child('length'), 1.0))


def _read_ellipsoid(node: XmlElement, _: XmlElement, __: Context) -> Ellipsoid:
    return Ellipsoid(read_vector3(node.child('radii'), _ONES))


def _read_sphere(node: XmlElement, _: XmlElement, __: Context) -> Sphere:
    return Sphere(read_double(node.child('radius'), 1.0))


def _read_plane(node: XmlElement, _: XmlElement, __: Context) -> Plane:
    """Return a plane; as in libsdformat a size that is not positive is 1 by 1."""
    x, y, z = read_vector3(node.child('normal'), Z_AXIS)
    norm = math.hypot(x, y, z)
    width, depth = read_vector2(node.child('size'), (1.0, 1.0))
    return Plane(
        (x / norm, y / norm, z / norm) if norm else Z_AXIS,
        (width, depth) if width > 0.0 and depth > 0.0 else (1.0, 1.0))


def _read_mesh(node: XmlElement, _: XmlElement, context: Context) -> Mesh:
    uri = read_string(node.child('uri'))
    submesh = node.child('submesh')
    name = None
    if submesh is not None:
        name = read_string(submesh.child('name'))
        if submesh.child('name') is None:
            context.report.add(
                codes.MISSING_ELEMENT, '<submesh> has no <name>', submesh.location,
                reference='ELEMENT_MISSING')
    return Mesh(
        uri, context.resolver.find(uri, node.document.file) if uri else None,
        read_vector3(node.child('scale'), _ONES), name,
        submesh is not None and read_bool(submesh.child('center')))


def _read_heightmap(node: XmlElement, _: XmlElement, __: Context) -> Heightmap:
    return Heightmap(
        read_string(node.child('uri')), read_vector3(node.child('size'), _ONES),
        read_vector3(node.child('pos')))


def _read_image(node: XmlElement, _: XmlElement, __: Context) -> Image:
    return Image(
        read_string(node.child('uri')), read_double(node.child('scale'), 1.0),
        read_integer(node.child('threshold'), 200), read_double(node.child('height'), 1.0),
        read_integer(node.child('granularity'), 1))


def _read_polylines(node: XmlElement, geometry: XmlElement, _: Context) -> Polyline:
    """Return all ``<polyline>`` of the geometry, which have the first one's height."""
    lines = tuple(
        tuple(read_vector2(point) for point in line.all('point'))
        for line in geometry.all('polyline'))
    return Polyline(lines, read_double(node.child('height'), 1.0))


_GEOMETRIES: dict[str, Callable[[XmlElement, XmlElement, Context], Geometry]] = {
    'box': _read_box,
    'capsule': _read_capsule,
    'cone': _read_cone,
    'cylinder': _read_cylinder,
    'ellipsoid': _read_ellipsoid,
    'plane': _read_plane,
    'sphere': _read_sphere,
    'mesh': _read_mesh,
    'heightmap': _read_heightmap,
    'polyline': _read_polylines,
    'image': _read_image,
}


# ---- material

def check_material(node: XmlElement, context: Context) -> None:
    """Report what libsdformat refuses in a material."""
    script, shader, pbr = (node.child(tag) for tag in ('script', 'shader', 'pbr'))
    if script is not None:
        _check_script(script, context)
    if shader is not None:
        _check_shader(shader, context)
    for flow in pbr.children if pbr is not None else ():
        if flow.tag not in _WORKFLOWS:
            context.report.add(
                codes.BAD_VALUE,
                f'<pbr> has <metal> or <specular>, not <{flow.tag}>',
                flow.location,
                reference='ELEMENT_INCORRECT_TYPE',
            )


def _read_material(node: XmlElement, context: Context) -> Material:
    check_material(node, context)
    script = node.child('script')
    return Material(
        '' if script is None else read_string(script.child('name')),
        read_color(node.child('diffuse')), read_color(node.child('ambient')),
        read_color(node.child('specular')), read_color(node.child('emissive')),
        _texture(node))


def _texture(node: XmlElement) -> str:
    """Return the image that gives a physically based material its colour."""
    pbr = node.child('pbr')
    if pbr is None:
        return ''
    flows = map(pbr.child, _WORKFLOWS)
    found = (read_string(flow.child('albedo_map')) for flow in flows if flow is not None)
    return next((texture for texture in found if texture), '')


def _check_script(node: XmlElement, context: Context) -> None:
    """Report a script without uri or name, with the codes that libsdformat has for each."""
    for tag, reference in (('uri', 'ELEMENT_INVALID'), ('name', 'ELEMENT_MISSING')):
        # what libsdformat writes for a missing text counts as missing when it is read
        if read_string(node.child(tag), '__default__') == '__default__':
            context.report.add(
                codes.MISSING_ELEMENT,
                f'<script> has no <{tag}>',
                node.location,
                reference=reference,
            )


def _check_shader(node: XmlElement, context: Context) -> None:
    kind = (node.get('type') or 'pixel').strip()
    if kind in _NORMAL_MAPS:
        if not read_string(node.child('normal_map')):
            context.report.add(
                codes.MISSING_ELEMENT,
                f"a shader of type '{kind}' has no <normal_map>",
                node.location,
                reference='ELEMENT_MISSING',
            )
    elif kind not in ('pixel', 'vertex'):
        context.report.add(
            codes.BAD_VALUE,
            f"the shader type '{kind}' is unknown",
            node.attribute_location('type', 0),
            reference='ELEMENT_INVALID',
        )
