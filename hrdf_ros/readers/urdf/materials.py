# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Materials: defined in the robot or in a visual, used by name.

The first definition of a name is valid in the whole file. A material with an empty name, as the
SolidWorks exporter writes them, belongs to its visual alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Material
from hrdf_ros.readers.schema import TypedElement

FindFile = Callable[[str], Optional[str]]
"""Returns the file that a URI means, None where there is none."""


class Materials:
    """The materials defined so far; robot's first, then those of visuals in document order."""

    def __init__(self, report: Report, find_file: FindFile) -> None:
        self._report = report
        self._find_file = find_file
        self._by_name: dict[str, Material] = {}
        self._faulty: set[str] = set()
        """Names of materials that are defined, but have no look; reported where they are."""

    def define(self, element: TypedElement) -> None:
        """Read a material of the robot; one without a name cannot be used."""
        if not element.has('name'):
            return
        material = self._read(element)
        if material.name in self._by_name:
            self._report.add(
                codes.DUPLICATE_NAME, f"duplicate material '{material.name}'",
                element.attribute_location('name'), hint='rename one of them')
        elif _is_empty(material) and '<color' in element.raw():
            self._faulty.add(material.name)  # the faulty color is reported, and gone
        elif _is_empty(material):
            self._faulty.add(material.name)
            self._report.add(
                codes.MISSING_ELEMENT,
                f"the material '{material.name}' has no color and no texture", element.location,
                severity='warning')
        else:
            self._by_name[material.name] = material

    def of(self, shape: TypedElement) -> Optional[Material]:
        """Return the material of a visual, None without one."""
        element = shape.child('material')
        if element is None or shape.tag != 'visual':
            return None
        written = self._read(element)
        name = written.name
        if not name:
            return None if _is_empty(written) else written
        known = self._by_name.get(name)
        if known is None and _is_empty(written):
            if name not in self._faulty:
                self._report_undefined(element, name)
            return None
        if known is None:
            self._by_name[name] = written
            return written
        if not _is_empty(written) and known != written:
            self._report.add(
                codes.URDF_MATERIAL_REDEFINED,
                f"the material '{name}' is already defined with another color or texture, which "
                'is used',
                element.attribute_location('name'))
        return known

    def _read(self, element: TypedElement) -> Material:
        """Return a material; one that has neither color nor texture is a reference."""
        texture, color = element.child('texture'), element.child('color')
        uri = '' if texture is None else texture.string('filename')
        return Material(
            element.string('name'), None if color is None else color.color('rgba'),
            texture=uri, texture_file=self._find_file(uri) if uri else None)

    def _report_undefined(self, element: TypedElement, name: str) -> None:
        self._report.add(
            codes.URDF_UNKNOWN_MATERIAL, f"unknown material '{name}'",
            element.attribute_location('name'),
            hint='define it in the robot: <material name="..."><color .../>', cause=name)


def _is_empty(material: Material) -> bool:
    return material.diffuse is None and not material.texture
