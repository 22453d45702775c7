# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Helpers of the URDF writer's tests: the written tree, and the report about it."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from hrdf_ros import write_urdf
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model


def written(model: Model, **options: Any) -> tuple[ElementTree.Element, Report]:
    text, report = write_urdf(model, **options)
    return ElementTree.fromstring(text), report


def codes(report: Report) -> list[str]:
    return [found.code for found in report]


def message(report: Report, code: str) -> str:
    return next(found.message for found in report if found.code == code)


def joints(root: ElementTree.Element) -> dict[str, str]:
    """Return 'type parent child' by name."""
    return {
        joint.attrib['name']: ' '.join((
            joint.attrib['type'], joint.find('parent').attrib['link'],  # type: ignore[union-attr]
            joint.find('child').attrib['link']))  # type: ignore[union-attr]
        for joint in root.iter('joint')}


def attributes(root: ElementTree.Element, path: str) -> dict[str, str]:
    found = root.find(path)
    assert found is not None, path
    return dict(found.attrib)
