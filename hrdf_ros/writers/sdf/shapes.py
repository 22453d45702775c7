# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Visuals, collisions, geometries and materials of SDFormat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
import sys
from typing import Optional, Union

from hrdf_ros.model import (
    Box,
    Capsule,
    Color,
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
from hrdf_ros.pose import IDENTITY, Pose, to_rpy
from hrdf_ros.writers.xml import Element, numbers, Raw, raw

_LEAST = sys.float_info.min


def value(tag: str, *values: float) -> Element:
    """Return an element that holds numbers; libsdformat reads no denormal ones, they are 0."""
    normal = [0.0 if -_LEAST < part < _LEAST else part for part in values]
    return Element(tag, text=numbers(normal))


def text(tag: str, value: str) -> Element:
    """Return an element that holds text."""
    return Element(tag, text=value)


def pose_element(pose: Pose) -> tuple[Element, ...]:
    """Return the ``<pose>``, nothing for the identity."""
    return () if pose == IDENTITY else (value('pose', *pose.position, *to_rpy(pose)),)


def shape_elements(tag: str, shapes: Iterable[Shape]) -> list[Element]:
    """Return the visuals or collisions of a link."""
    return [
        Element(tag, (('name', shape.name),), (
            *pose_element(shape.pose), Element('geometry', (), _geometry(shape.geometry)),
            *(_material(shape.material) if tag == 'visual' else ()),
            *raw(shape.extensions, 'sdf')))
        for shape in shapes]


# ---- geometry

def _geometry(geometry: Geometry) -> tuple[Element, ...]:
    """Return the content of a ``<geometry>``."""
    if isinstance(geometry, Polyline):
        return _polylines(geometry)
    write: Callable[..., Element] = _WRITERS[type(geometry)]
    return (write(geometry),)


def _box(box: Box) -> Element:
    return Element('box', (), (value('size', *box.size),))


def _sphere(sphere: Sphere) -> Element:
    return Element('sphere', (), (value('radius', sphere.radius),))


def _round(tag: str, radius: float, length: float) -> Element:
    return Element(tag, (), (value('radius', radius), value('length', length)))


def _cylinder(cylinder: Cylinder) -> Element:
    return _round('cylinder', *cylinder)


def _capsule(capsule: Capsule) -> Element:
    return _round('capsule', *capsule)


def _cone(cone: Cone) -> Element:
    return _round('cone', *cone)


def _ellipsoid(ellipsoid: Ellipsoid) -> Element:
    return Element('ellipsoid', (), (value('radii', *ellipsoid.radii),))


def _plane(plane: Plane) -> Element:
    return Element('plane', (), (
        value('normal', *plane.normal), value('size', *(plane.size or (1.0, 1.0)))))


def _mesh(mesh: Mesh) -> Element:
    children = [*_uri(mesh.uri)]
    if mesh.submesh:
        children.append(Element('submesh', (), (
            text('name', mesh.submesh), text('center', _boolean(mesh.center_submesh)))))
    if mesh.scale != (1.0, 1.0, 1.0):
        children.append(value('scale', *mesh.scale))
    return Element('mesh', (), tuple(children))


def _boolean(truth: bool) -> str:
    return 'true' if truth else 'false'


def _polylines(polyline: Polyline) -> tuple[Element, ...]:
    """Return one element for each outline."""
    return tuple(
        Element('polyline', (), (
            *(value('point', *point) for point in line), value('height', polyline.height)))
        for line in polyline.lines)


def _uri(uri: str) -> tuple[Element, ...]:
    """Return nothing where there is no URI: an empty one is an error."""
    return (text('uri', uri),) if uri else ()


def _heightmap(heightmap: Heightmap) -> Element:
    return Element('heightmap', (), (
        *_uri(heightmap.uri), value('size', *heightmap.size),
        value('pos', *heightmap.position)))


def _image(image: Image) -> Element:
    return Element('image', (), (
        *_uri(image.uri), value('scale', image.scale),
        text('threshold', str(image.threshold)), value('height', image.height),
        text('granularity', str(image.granularity))))


def _empty(_: Empty) -> Element:
    return Element('empty')


_WRITERS: dict[type[Geometry], Callable[..., Element]] = {
    Box: _box, Sphere: _sphere, Cylinder: _cylinder, Capsule: _capsule, Cone: _cone,
    Ellipsoid: _ellipsoid, Plane: _plane, Mesh: _mesh, Heightmap: _heightmap,
    Image: _image, Empty: _empty,
}


# ---- material

def _material(material: Optional[Material]) -> tuple[Element, ...]:
    if material is None:
        return ()
    colors = (
        ('ambient', material.ambient), ('diffuse', material.diffuse),
        ('specular', material.specular), ('emissive', material.emissive))
    children: list[Union[Element, Raw]] = [
        _color(tag, color) for tag, color in colors if color is not None]
    children += raw(material.extensions, 'sdf')
    if material.texture and 'pbr' not in [extension.tag for extension in material.extensions]:
        albedo = Element('metal', (), (text('albedo_map', material.texture),))
        children.append(Element('pbr', (), (albedo,)))
    return (Element('material', (), tuple(children)),) if children else ()


def _color(tag: str, color: Color) -> Element:
    """Return a color; SDFormat refuses what is not in 0 .. 1."""
    return value(tag, *(min(max(part, 0.0), 1.0) for part in color))
