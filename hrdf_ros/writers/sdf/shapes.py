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
from hrdf_ros.writers.xml import numbers, Raw, raw, WrittenElement

_LEAST = sys.float_info.min


def value(tag: str, *values: float) -> WrittenElement:
    """Return an element that holds numbers; libsdformat reads no denormal ones, they are 0."""
    normal = [0.0 if -_LEAST < part < _LEAST else part for part in values]
    return WrittenElement(tag, text=numbers(normal))


def text(tag: str, value: str) -> WrittenElement:
    """Return an element that holds text."""
    return WrittenElement(tag, text=value)


def pose_element(pose: Pose) -> tuple[WrittenElement, ...]:
    """Return the ``<pose>``, nothing for the identity."""
    return () if pose == IDENTITY else (value('pose', *pose.position, *to_rpy(pose)),)


def shape_elements(tag: str, shapes: Iterable[Shape]) -> list[WrittenElement]:
    """Return the visuals or collisions of a link."""
    return [
        WrittenElement(tag, (('name', shape.name),), (
            *pose_element(shape.pose), WrittenElement('geometry', (), _geometry(shape.geometry)),
            *(_material(shape.material) if tag == 'visual' else ()),
            *raw(shape.extensions, 'sdf')))
        for shape in shapes]


# ---- geometry

def _geometry(geometry: Geometry) -> tuple[WrittenElement, ...]:
    """Return the content of a ``<geometry>``."""
    if isinstance(geometry, Polyline):
        return _polylines(geometry)
    write: Callable[..., WrittenElement] = _WRITERS[type(geometry)]
    return (write(geometry),)


def _box(box: Box) -> WrittenElement:
    return WrittenElement('box', (), (value('size', *box.size),))


def _sphere(sphere: Sphere) -> WrittenElement:
    return WrittenElement('sphere', (), (value('radius', sphere.radius),))


def _round(tag: str, radius: float, length: float) -> WrittenElement:
    return WrittenElement(tag, (), (value('radius', radius), value('length', length)))


def _cylinder(cylinder: Cylinder) -> WrittenElement:
    return _round('cylinder', *cylinder)


def _capsule(capsule: Capsule) -> WrittenElement:
    return _round('capsule', *capsule)


def _cone(cone: Cone) -> WrittenElement:
    return _round('cone', *cone)


def _ellipsoid(ellipsoid: Ellipsoid) -> WrittenElement:
    return WrittenElement('ellipsoid', (), (value('radii', *ellipsoid.radii),))


def _plane(plane: Plane) -> WrittenElement:
    return WrittenElement('plane', (), (
        value('normal', *plane.normal), value('size', *(plane.size or (1.0, 1.0)))))


def _mesh(mesh: Mesh) -> WrittenElement:
    children = [*_uri(mesh.uri)]
    if mesh.submesh:
        children.append(WrittenElement('submesh', (), (
            text('name', mesh.submesh), text('center', _boolean(mesh.center_submesh)))))
    if mesh.scale != (1.0, 1.0, 1.0):
        children.append(value('scale', *mesh.scale))
    return WrittenElement('mesh', (), tuple(children))


def _boolean(truth: bool) -> str:
    return 'true' if truth else 'false'


def _polylines(polyline: Polyline) -> tuple[WrittenElement, ...]:
    """Return one element for each outline."""
    return tuple(
        WrittenElement('polyline', (), (
            *(value('point', *point) for point in line), value('height', polyline.height)))
        for line in polyline.lines)


def _uri(uri: str) -> tuple[WrittenElement, ...]:
    """Return nothing where there is no URI: an empty one is an error."""
    return (text('uri', uri),) if uri else ()


def _heightmap(heightmap: Heightmap) -> WrittenElement:
    return WrittenElement('heightmap', (), (
        *_uri(heightmap.uri), value('size', *heightmap.size),
        value('pos', *heightmap.position)))


def _image(image: Image) -> WrittenElement:
    return WrittenElement('image', (), (
        *_uri(image.uri), value('scale', image.scale),
        text('threshold', str(image.threshold)), value('height', image.height),
        text('granularity', str(image.granularity))))


def _empty(_: Empty) -> WrittenElement:
    return WrittenElement('empty')


_WRITERS: dict[type[Geometry], Callable[..., WrittenElement]] = {
    Box: _box, Sphere: _sphere, Cylinder: _cylinder, Capsule: _capsule, Cone: _cone,
    Ellipsoid: _ellipsoid, Plane: _plane, Mesh: _mesh, Heightmap: _heightmap,
    Image: _image, Empty: _empty,
}


# ---- material

def _material(material: Optional[Material]) -> tuple[WrittenElement, ...]:
    if material is None:
        return ()
    colors = (
        ('ambient', material.ambient), ('diffuse', material.diffuse),
        ('specular', material.specular), ('emissive', material.emissive))
    children: list[Union[WrittenElement, Raw]] = [
        _color(tag, color) for tag, color in colors if color is not None]
    children += raw(material.extensions, 'sdf')
    if material.texture and 'pbr' not in [extension.tag for extension in material.extensions]:
        albedo = WrittenElement('metal', (), (text('albedo_map', material.texture),))
        children.append(WrittenElement('pbr', (), (albedo,)))
    return (WrittenElement('material', (), tuple(children)),) if children else ()


def _color(tag: str, color: Color) -> WrittenElement:
    """Return a color; SDFormat refuses what is not in 0 .. 1."""
    return value(tag, *(min(max(part, 0.0), 1.0) for part in color))
