# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<link>`` and ``<material>`` elements of a URDF."""

from __future__ import annotations

from typing import Union

from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Body, Material, Model, Shape
from hrdf_ros.names import Names
from hrdf_ros.writers.urdf.joints import origin_element
from hrdf_ros.writers.urdf.meshes import UrdfOptions, written_uri
from hrdf_ros.writers.urdf.shapes import geometry_element
from hrdf_ros.writers.xml import number, numbers, Raw, raw, WrittenElement

_TERMS = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')

MaterialNames = dict[Material, str]
"""The name of each material in the URDF."""


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


def material_elements(materials: MaterialNames, options: UrdfOptions) -> list[WrittenElement]:
    """Return the definitions, which visuals refer to by name."""
    elements = []
    for material, name in materials.items():
        children = []
        if material.diffuse is not None:
            children.append(WrittenElement('color', (('rgba', numbers(material.diffuse)),)))
        if material.texture:
            uri = written_uri(material.texture, material.texture_file, options)
            children.append(WrittenElement('texture', (('filename', uri),)))
        elements.append(WrittenElement('material', (('name', name),), tuple(children)))
    return elements


def link_element(body: Body, materials: MaterialNames, options: UrdfOptions) -> WrittenElement:
    """Return the ``<link>`` of a body."""
    children: list[Union[WrittenElement, Raw]] = []
    if body.inertia is not None:
        children.append(_inertial_element(body.inertia, options.version))
    for tag, shapes in (('visual', body.visuals), ('collision', body.collisions)):
        children += [_shape_element(tag, shape, materials, options) for shape in shapes]
    children += raw(body.extensions, 'urdf')
    return WrittenElement('link', (('name', body.name),), tuple(children))


def _inertial_element(inertia: Inertia, version: str) -> WrittenElement:
    tensor = tuple([(term, number(getattr(inertia, term))) for term in _TERMS])
    return WrittenElement('inertial', (), (
        *origin_element(inertia.pose, version),
        WrittenElement('mass', (('value', number(inertia.mass)),)),
        WrittenElement('inertia', tensor)))


def _shape_element(
    tag: str, shape: Shape, materials: MaterialNames, options: UrdfOptions,
) -> WrittenElement:
    """Return the element of a visual or collision."""
    children = [
        *origin_element(shape.pose, options.version), geometry_element(shape.geometry, options)]
    if shape.material is not None:
        children.append(WrittenElement('material', (('name', materials[shape.material]),)))
    return WrittenElement(tag, (('name', shape.name),) if shape.name else (), tuple(children))
