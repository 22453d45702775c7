# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read visuals and collisions of SDFormat: geometries and materials."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
import math
from typing import Optional

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.formats import SDF_HOLDERS
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.schema import TypedElement, UNDECLARED
from hrdf_ros.readers.sdf.element import name_of, pose_and_reference, raw_text

_READ_OF_MATERIALS = frozenset(('ambient', 'diffuse', 'specular', 'emissive'))
_READ_OF_SHAPES = frozenset(('pose', 'geometry', 'material', 'density', 'auto_inertia_params'))
_WORKFLOWS = ('metal', 'specular')
_ALBEDO = 'albedo_map'
_NO_ASSET = m.Asset('', '')
_NORMAL_MAPS = (
    'normal_map_objectspace', 'normal_map_object_space', 'normal_map_tangentspace',
    'normal_map_tangent_space')


def read_shape(element: TypedElement, context: Context) -> tuple[m.Shape, str]:
    """Return a visual or collision with its preserved content, and the frame its pose names."""
    pose, against = pose_and_reference(element)
    geometry = _read_geometry(element.child('geometry'), context)
    look = element.child('material') if element.tag == 'visual' else None
    material = None
    if look is not None:
        material = _read_material(look, context)
        extensions = _extensions(look, _READ_OF_MATERIALS)
        if extensions:
            material = material._replace(extensions=extensions)
    return m.Shape(
        name_of(element), geometry, pose, material, element.location,
        _extensions(element, _READ_OF_SHAPES)), against


def _extensions(element: TypedElement, read: frozenset[str]) -> tuple[m.RawElement, ...]:
    return tuple([
        m.RawElement(
            tag=child.tag, text=raw_text(child), location=child.location, held_by=SDF_HOLDERS)
        for child in element.children if child.tag not in read])


# ---- geometry

_Fields = tuple[Callable[..., m.Geometry], tuple[str, ...]]
_SOLIDS: dict[str, _Fields] = {
    'box': (m.Box, ('size',)), 'capsule': (m.Capsule, ('radius', 'length')),
    'cone': (m.Cone, ('radius', 'length')), 'cylinder': (m.Cylinder, ('radius', 'length')),
    'ellipsoid': (m.Ellipsoid, ('radii',)), 'sphere': (m.Sphere, ('radius',)),
}
"""The record of each solid, and the elements from which its fields are read."""
_IMAGES: dict[str, _Fields] = {
    'heightmap': (m.Heightmap, ('size', 'pos')),
    'image': (m.Image, ('scale', 'threshold', 'height', 'granularity')),
}
"""
The record of each shape that an image file gives, and the elements from which its fields are read.

The URI is read separately.
"""
_ORDER = (
    'box', 'capsule', 'cone', 'cylinder', 'ellipsoid', 'plane', 'sphere', 'mesh', 'heightmap',
    'polyline', 'image')
"""The order in which libsdformat chooses from several geometries."""


def _read_geometry(element: Optional[TypedElement], context: Context) -> m.Geometry:
    """Return the one geometry that libsdformat uses; the others are reported."""
    known = [] if element is None else [
        child for child in element.children if child.tag in _ORDER]
    if element is None or not known:
        return m.Empty()
    used = known[0]
    if len(known) > 1:
        used = min(known, key=lambda child: _ORDER.index(child.tag))
        _report_unused(known, used, context)
    if used.tag in _SOLIDS:
        record, fields = _SOLIDS[used.tag]
        return record(*[used.read(field) for field in fields])
    if used.tag == 'plane':
        return _read_plane(used)
    if used.tag == 'polyline':
        return _read_polylines(used, element)
    if used.tag == 'mesh':
        return _read_mesh(used, context)
    record, fields = _IMAGES[used.tag]
    uri = used.string('uri')
    return record(uri, *[used.read(field) for field in fields], file=_find(uri, used, context))


def _report_unused(
    shapes: Sequence[TypedElement], used: TypedElement, context: Context,
) -> None:
    for other in shapes:
        if other is not used and other.tag != 'polyline':
            context.report.add(
                codes.NO_EFFECT,
                f'<{other.tag}> has no effect: <geometry> is read as its <{used.tag}>',
                other.location)


def _read_plane(element: TypedElement) -> m.Plane:
    """Return a plane; as in libsdformat, the default replaces a size that is not positive."""
    x, y, z = element.vector3('normal')
    norm = math.hypot(x, y, z)
    width, depth = element.read('size')
    return m.Plane(
        (x / norm, y / norm, z / norm) if norm else element.rule.defaults['normal'],
        (width, depth) if width > 0.0 and depth > 0.0 else element.rule.defaults['size'])


def _read_mesh(element: TypedElement, context: Context) -> m.Mesh:
    uri = element.string('uri')
    submesh = element.child('submesh')
    if submesh is not None and not submesh.has('name'):
        context.report.add(
            codes.MISSING_ELEMENT, '<submesh> is missing the required element <name>',
            submesh.location, reference='ELEMENT_MISSING')
    return m.Mesh(
        uri=uri, file=_find(uri, element, context),
        scale=element.vector3('scale'),
        submesh=None if submesh is None else submesh.string('name'),
        center_submesh=submesh is not None and submesh.boolean('center'))


def _find(uri: str, element: TypedElement, context: Context) -> Optional[str]:
    """Return the file that an element names by a URI, None where there is none."""
    return context.resolver.find(uri, element.document.file) if uri else None


def _read_polylines(element: TypedElement, geometry: TypedElement) -> m.Polyline:
    """Return all ``<polyline>`` elements of the geometry with the height of the first."""
    lines = tuple(
        tuple(point.read() for point in line.all('point'))
        for line in geometry.all('polyline'))
    return m.Polyline(lines, element.number('height'))


# ---- material

def check_material(element: TypedElement, context: Context) -> None:
    """Report elements of a material that libsdformat refuses."""
    script, shader, pbr = map(element.child, ('script', 'shader', 'pbr'))
    if script is not None:
        _check_script(script, context)
    if shader is not None:
        _check_shader(shader, context)
    for workflow in pbr.children if pbr is not None else ():
        if workflow.tag not in _WORKFLOWS:
            context.report.add(
                codes.BAD_VALUE, f'<pbr> has <metal> or <specular>, not <{workflow.tag}>',
                workflow.location, reference='ELEMENT_INCORRECT_TYPE')


def _read_material(element: TypedElement, context: Context) -> m.Material:
    check_material(element, context)
    assets = tuple(_assets(element, context))
    texture = next((asset for asset in assets if asset.tag == _ALBEDO), _NO_ASSET)
    return m.Material(
        name=element.section('script').string('name'),
        diffuse=_color(element, 'diffuse'), ambient=_color(element, 'ambient'),
        specular=_color(element, 'specular'), emissive=_color(element, 'emissive'),
        texture=texture.uri, texture_file=texture.file, assets=assets)


def _color(element: TypedElement, tag: str) -> Optional[m.Color]:
    """Return a color, None where it is absent: renderers have defaults other than black."""
    child = element.child(tag)
    color: Optional[m.Color] = None if child is None else child.value
    return color


def _assets(element: TypedElement, context: Context) -> Iterator[m.Asset]:
    """Yield the images of a physically based material, and the scripts that define another."""
    named: list[tuple[str, TypedElement]] = []
    pbr, script = element.child('pbr'), element.child('script')
    if pbr is not None:
        named += [(image.tag, image) for workflow in _WORKFLOWS
                  for image in pbr.section(workflow).children
                  if image.rule is not UNDECLARED and image.tag.endswith('_map')]
    if script is not None:
        named += [(script.tag, uri) for uri in script.all('uri')]
    for tag, part in named:
        uri = part.string()
        if uri:
            yield m.Asset(tag, uri, _find(uri, part, context))


def _check_script(element: TypedElement, context: Context) -> None:
    """Report a script without uri or name, each with libsdformat's code."""
    for tag, reference in (('uri', 'ELEMENT_INVALID'), ('name', 'ELEMENT_MISSING')):
        # libsdformat writes __default__ for a missing text, and reads it as a missing one
        if element.string(tag) in ('', '__default__'):
            context.report.add(
                codes.MISSING_ELEMENT, f'<script> is missing the required element <{tag}>',
                element.location, reference=reference)


def _check_shader(element: TypedElement, context: Context) -> None:
    kind = element.string('type').strip()
    if kind in _NORMAL_MAPS:
        if not element.string('normal_map'):
            context.report.add(
                codes.MISSING_ELEMENT,
                f"<shader> of type '{kind}' is missing the required element <normal_map>",
                element.location, reference='ELEMENT_MISSING')
    elif kind not in ('pixel', 'vertex'):
        context.report.add(
            codes.BAD_VALUE, f"unknown <shader> type '{kind}'",
            element.attribute_location('type', 0), reference='ELEMENT_INVALID')
