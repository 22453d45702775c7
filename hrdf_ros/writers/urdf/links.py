# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<link>`` and ``<material>`` elements of a URDF."""

from __future__ import annotations

from typing import NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.check.finite import is_finite_inertia, is_finite_shape
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Body, Color, Material, Model, Shape
from hrdf_ros.names import Names
from hrdf_ros.pose import compose
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics
from hrdf_ros.writers.urdf.joints import origin_element
from hrdf_ros.writers.urdf.shapes import ShapeOptions, write_geometry, Written
from hrdf_ros.writers.xml import Element, number, numbers, Raw, raw


class _Paint(NamedTuple):
    """What URDF knows of a material."""

    name: str
    color: Optional[Color]
    texture: str


_NOT_WRITTEN = Written(note='URDF has no place for shapes of infinite size')

Materials = dict[_Paint, str]
"""The name of each material in the URDF."""


def _paint(material: Material) -> Optional[_Paint]:
    """Return what URDF shows of a material, None where it shows nothing."""
    if material.diffuse is None and not material.texture:
        return None
    return _Paint(material.name, material.diffuse, material.texture)


def name_materials(model: Model, report: Report) -> Materials:
    """Return unique names for all materials: their own, else ``material_1`` and so on."""
    paints = [
        paint for body in model.bodies for shape in body.visuals if shape.material is not None
        and (paint := _paint(shape.material)) is not None]
    names, materials, unnamed = Names(report), Materials(), 0
    for paint in sorted(dict.fromkeys(paints), key=lambda paint: not paint.name):
        unnamed += not paint.name
        materials[paint] = names.claim(paint.name or f'material_{unnamed}')
    return materials


def material_elements(materials: Materials) -> list[Element]:
    """Return the definitions, which visuals refer to by name."""
    elements = []
    for paint, name in materials.items():
        children = []
        if paint.color is not None:
            children.append(Element('color', (('rgba', numbers(paint.color)),)))
        if paint.texture:
            children.append(Element('texture', (('filename', paint.texture),)))
        elements.append(Element('material', (('name', name),), tuple(children)))
    return elements


def link_element(
    body: Body, materials: Materials, options: ShapeOptions, notes: GroupedDiagnostics
) -> Element:
    """Return the ``<link>`` of a body."""
    children: list[Union[Element, Raw]] = []
    if body.inertia is not None and is_finite_inertia(body.inertia):
        children.append(_inertial_element(body.inertia))
    elif body.inertia is not None:
        notes.add(
            codes.DETAIL_NOT_REPRESENTABLE, 'URDF has no place for numbers that are infinite',
            f'{body.name}: inertia', body.inertia.location or body.location, severity='warning')
    for tag, shapes in (('visual', body.visuals), ('collision', body.collisions)):
        for shape in shapes:
            children += _shape_elements(tag, shape, body, materials, options, notes)
    children += raw(body.extensions, 'urdf')
    return Element('link', (('name', body.name),), tuple(children))


def _inertial_element(inertia: Inertia) -> Element:
    terms = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')
    tensor = tuple((term, number(getattr(inertia, term))) for term in terms)
    return Element('inertial', (), (
        *origin_element(inertia.pose), Element('mass', (('value', number(inertia.mass)),)),
        Element('inertia', tensor)))


def _shape_elements(
    tag: str,
    shape: Shape,
    body: Body,
    materials: Materials,
    options: ShapeOptions,
    notes: GroupedDiagnostics,
) -> list[Element]:
    """Return the elements of a visual or collision, several where its geometry takes several."""
    written = _NOT_WRITTEN
    if is_finite_shape(shape):
        written = write_geometry(shape.geometry, options)
    if written.note:
        _note_geometry(written.note, bool(written.parts), shape, body, notes)
    material = _material_reference(shape, body, materials, notes)
    elements = []
    for count, part in enumerate(written.parts, 1):
        name = f'{shape.name}_{count}' if shape.name and len(written.parts) > 1 else shape.name
        pose = compose(shape.pose, part.pose)
        elements.append(Element(tag, (('name', name),) if name else (), (
            *origin_element(pose), Element('geometry', (), (part.element,)), *material)))
    return elements


def _note_geometry(
    text: str, kept: bool, shape: Shape, body: Body, notes: GroupedDiagnostics
) -> None:
    name = f'{body.name}: {shape.name}' if shape.name else body.name
    if kept:
        notes.add(codes.GEOMETRY_REPLACED, text, name, shape.location)
    else:
        notes.add(codes.GEOMETRY_NOT_REPRESENTABLE, text, name, shape.location)


def _material_reference(
    shape: Shape, body: Body, materials: Materials, notes: GroupedDiagnostics,
) -> tuple[Element, ...]:
    material = shape.material
    if material is None:
        return ()
    if material.ambient or material.specular or material.emissive:
        notes.add(
            codes.DETAIL_NOT_REPRESENTABLE,
            'URDF has one colour for a material; ambient, specular and emissive are left out',
            body.name, shape.location)
    paint = _paint(material)
    return () if paint is None else (Element('material', (('name', materials[paint]),)),)
