# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Materials: named in the robot or in a visual, used by name.

The first definition of a name holds for all of the file, wherever it stands.
"""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.document import XmlElement
from hrdf_ros.model import Color, Material
from hrdf_ros.parsing import urdf
from hrdf_ros.readers.urdf.fields import Fields, Unreadable


class Materials:
    """The materials defined so far; robot's first, then those of visuals in document order."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._by_name: dict[str, Material] = {}

    def define(self, node: XmlElement) -> None:
        """Read a material of the robot."""
        fields = self._fields
        if node.get('name') is None:
            fields.report.add(
                codes.MISSING_ATTRIBUTE,
                "a <material> without the attribute 'name' cannot be used",
                node.location,
                severity='warning',
            )
            return
        material = _read_material(node, fields)
        if material.name in self._by_name:
            fields.report.add(
                codes.DUPLICATE_NAME,
                f"two materials are named '{material.name}'",
                node.attribute_location('name'),
                hint='rename one of them',
            )
        elif material.diffuse is None and not material.texture:
            fields.report.add(
                codes.MISSING_ELEMENT,
                f"the material '{material.name}' has no colour and no texture",
                node.location,
                severity='warning',
            )
        else:
            self._by_name[material.name] = material

    def of(self, visual: XmlElement, lenient: Fields) -> Optional[Material]:
        """Return the material of a visual, None without one."""
        node = visual.child('material')
        if node is None:
            return None
        name = lenient.text(node, 'name')
        written = _read_material(node, lenient)
        empty = written.diffuse is None and not written.texture
        known = self._by_name.get(name)
        if known is None and empty:
            return self._undefined(node, name, lenient)
        if known is None:
            self._by_name[name] = written
            return written
        if not empty and known != written:
            lenient.report.add(
                codes.URDF_MATERIAL_REDEFINED,
                f"the material '{name}' is defined before with another look, which holds",
                node.attribute_location('name'))
        return known

    def _undefined(self, node: XmlElement, name: str, lenient: Fields) -> Optional[Material]:
        """Return no material; a nameless empty one asks for none."""
        if name:
            lenient.report.add(
                codes.URDF_UNKNOWN_MATERIAL,
                f"the material '{name}' is defined nowhere before",
                node.attribute_location('name'),
                hint='define it in the robot: <material name="..."><color .../>',
            )
        return None


def _read_material(node: XmlElement, fields: Fields) -> Material:
    """Return a material; one that has neither colour nor texture is a reference."""
    texture = node.child('texture')
    filename = '' if texture is None else texture.get('filename') or ''
    return Material(node.get('name') or '', _read_color(node, fields), texture=filename)


def _read_color(node: XmlElement, fields: Fields) -> Optional[Color]:
    """Return the colour; urdfdom goes on without one that it cannot read."""
    color = node.child('color')
    if color is None:
        return None
    try:
        red, green, blue, alpha = fields.value(color, 'rgba', urdf.color)
    except Unreadable:
        return None
    return red, green, blue, alpha
