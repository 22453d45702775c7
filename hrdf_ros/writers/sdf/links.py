# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<link>`` elements of SDFormat: inertials, visuals, collisions, geometries, materials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
import sys
from typing import Optional

from hrdf_ros import model as m
from hrdf_ros.fields import placed
from hrdf_ros.inertia import Inertia
from hrdf_ros.pose import IDENTITY, Pose, relative, to_rpy
from hrdf_ros.writers.xml import element, numbers, raws
from lxml import etree

SUBNORMAL = 'subnormal'
"""An attribute that marks an element for the report; it is not written."""
_LEAST = sys.float_info.min
_MASSLESS = Inertia(0.0)


def local_name(source_name: str) -> str:
    """Return the name of an item in its model."""
    return source_name.rpartition('::')[2]


def value(tag: str, *values: float) -> etree._Element:
    """Return an element with numbers; subnormal ones, which libsdformat refuses, become 0."""
    normal = [0.0 if -_LEAST < part < _LEAST else part for part in values]
    made = element(tag, text=numbers(normal))
    if normal != list(values):
        made.set(SUBNORMAL, '')
    return made


def text(tag: str, value: str) -> etree._Element:
    """Return an element that holds text."""
    return element(tag, text=value)


def pose_element(pose: Pose) -> tuple[etree._Element, ...]:
    """Return the ``<pose>``, which the identity does not need."""
    return () if pose == IDENTITY else (value('pose', *pose.position, *to_rpy(pose)),)


def link_element(body: m.Body, root_from_model: Pose) -> etree._Element:
    """Return the ``<link>``; a missing mass is written as well, as SDFormat's default is 1 kg."""
    return element('link', {'name': local_name(body.source_name)}, (
        *pose_element(relative(root_from_model, body.pose)),
        _inertial(body.inertia or _MASSLESS), *_shapes('visual', body.visuals),
        *_shapes('collision', body.collisions), *raws(body.extensions, 'sdf')))


def _inertial(inertia: Inertia) -> etree._Element:
    moments = [value(term, moment) for term, moment in placed(inertia, 'sdf', 'inertia').items()]
    return element('inertial', None, (
        *pose_element(inertia.pose), value('mass', inertia.mass),
        element('inertia', None, moments)))


def _shapes(tag: str, shapes: Iterable[m.Shape]) -> Iterator[etree._Element]:
    """Yield the visuals or collisions of a link."""
    for shape in shapes:
        yield element(tag, {'name': shape.name}, (
            *pose_element(shape.pose), element('geometry', None, _geometry(shape.geometry)),
            *(_material(shape.material) if tag == 'visual' else ()),
            *raws(shape.extensions, 'sdf')))


# ---- geometry

_FIELDS: dict[type[m.Geometry], tuple[str, ...]] = {
    m.Box: ('size',), m.Sphere: ('radius',), m.Cylinder: ('radius', 'length'),
    m.Capsule: ('radius', 'length'), m.Cone: ('radius', 'length'), m.Ellipsoid: ('radii',),
    m.Plane: ('normal', 'size'), m.Empty: ()}
"""The fields of each geometry, which are elements of the same names."""


def _geometry(geometry: m.Geometry) -> Iterable[etree._Element]:
    """Return the content of a ``<geometry>``."""
    if isinstance(geometry, m.Polyline):
        return _polylines(geometry)
    if isinstance(geometry, m.Mesh):
        return (_mesh(geometry),)
    if isinstance(geometry, m.Heightmap):
        return (element('heightmap', None, (
            *_uri(geometry.uri), value('size', *geometry.size),
            value('pos', *geometry.position))),)
    if isinstance(geometry, m.Image):
        return (element('image', None, (
            *_uri(geometry.uri), value('scale', geometry.scale),
            text('threshold', str(geometry.threshold)), value('height', geometry.height),
            text('granularity', str(geometry.granularity)))),)
    if isinstance(geometry, m.Plane) and not geometry.size:
        geometry = geometry._replace(size=(1.0, 1.0))
    values = ((field, getattr(geometry, field)) for field in _FIELDS[type(geometry)])
    return (element(type(geometry).__name__.lower(), None, [
        value(field, *(part if isinstance(part, tuple) else (part,))) for field, part in values]),)


def _mesh(mesh: m.Mesh) -> etree._Element:
    made = element('mesh', None, _uri(mesh.uri))
    if mesh.submesh:
        made.append(element('submesh', None, (
            text('name', mesh.submesh),
            text('center', 'true' if mesh.center_submesh else 'false'))))
    if mesh.scale != (1.0, 1.0, 1.0):
        made.append(value('scale', *mesh.scale))
    return made


def _polylines(polyline: m.Polyline) -> Iterator[etree._Element]:
    """Yield one element for each outline."""
    for line in polyline.lines:
        yield element('polyline', None, (
            *(value('point', *point) for point in line), value('height', polyline.height)))


def _uri(uri: str) -> tuple[etree._Element, ...]:
    """Return the ``<uri>``; an empty one would be an error and is left out."""
    return (text('uri', uri),) if uri else ()


# ---- material

def _material(material: Optional[m.Material]) -> tuple[etree._Element, ...]:
    """Return the ``<material>``, if it has content; SDFormat refuses colors outside 0 .. 1."""
    if material is None:
        return ()
    children = [
        value(tag, *(min(max(part, 0.0), 1.0) for part in color))
        for tag, color in (
            ('ambient', material.ambient), ('diffuse', material.diffuse),
            ('specular', material.specular), ('emissive', material.emissive))
        if color is not None]
    children += raws(material.extensions, 'sdf')
    if material.texture and 'pbr' not in [extension.tag for extension in material.extensions]:
        albedo = element('metal', None, (text('albedo_map', material.texture),))
        children.append(element('pbr', None, (albedo,)))
    return (element('material', None, children),) if children else ()
