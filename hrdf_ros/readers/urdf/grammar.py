# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What may stand where in a URDF, as a table, and the one pass that finds the rest.

urdfdom passes over every element and attribute that it does not know, so that ``<orign>`` leaves
a link at the wrong place without a word.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.model import RawElement
from hrdf_ros.parsing.suggestions import did_you_mean

OTHERS = frozenset({
    'gazebo', 'transmission', 'ros2_control', 'sensor', 'group', 'model_state', 'mujoco',
    'drake:plugin'})
"""Elements of a robot that belong to other programs by custom."""


class Element(NamedTuple):
    """An element's attributes, and its children; those with ``*`` may be repeated."""

    attributes: frozenset[str]
    children: frozenset[str]
    repeated: frozenset[str]


def _element(attributes: str = '', children: str = '') -> Element:
    tags = children.split()
    return Element(
        frozenset(attributes.split()), frozenset(tag.rstrip('*') for tag in tags),
        frozenset(tag[:-1] for tag in tags if tag.endswith('*')))


GRAMMAR = {
    'robot': _element('name version', 'link* joint* material*'),
    'material': _element('name', 'color texture'),
    'color': _element('rgba'),
    'texture': _element('filename'),
    'link': _element('name type', 'inertial visual* collision*'),
    'inertial': _element('', 'origin mass inertia'),
    'mass': _element('value'),
    'inertia': _element('ixx ixy ixz iyy iyz izz'),
    'origin': _element('xyz rpy quat_xyzw'),
    'visual': _element('name', 'origin geometry material'),
    'collision': _element('name', 'origin geometry'),
    'geometry': _element('', 'box cylinder sphere capsule mesh'),
    'box': _element('size'),
    'cylinder': _element('radius length'),
    'capsule': _element('radius length'),
    'sphere': _element('radius'),
    'mesh': _element('filename scale'),
    'joint': _element(
        'name type',
        'origin parent child axis calibration dynamics limit mimic safety_controller'),
    'parent': _element('link'),
    'child': _element('link'),
    'axis': _element('xyz'),
    'calibration': _element('rising falling reference_position'),
    'dynamics': _element('damping friction'),
    'limit': _element('lower upper effort velocity acceleration deceleration jerk'),
    'mimic': _element('joint multiplier offset'),
    'safety_controller': _element('soft_lower_limit soft_upper_limit k_position k_velocity'),
}


def check_names(root: XmlElement, report: Report) -> None:
    """Report what is not in the table, what stands there twice, and text."""
    for location in root.document.stray:
        report.add(codes.STRAY_TEXT, 'text at this place is not read', location)
    pending = [root]
    while pending:
        node = pending.pop()
        known = GRAMMAR[node.tag]
        if node.text:
            report.add(
                codes.STRAY_TEXT,
                f'<{node.tag}> holds no text; this is not read',
                node.text_location(),
            )
        if not known.attributes.issuperset(node.attributes):
            _report_attributes(node, known, report)
        if node.children:
            pending.extend(reversed(_check_children(node, known, report)))


def foreign(node: XmlElement, also: Iterable[str] = ()) -> tuple[RawElement, ...]:
    """Return the children that are none of URDF's own as text, and those with the tags given."""
    own = GRAMMAR[node.tag].children.difference(also)
    return tuple([
        RawElement(child.tag, child.raw(), child.location, format='urdf')
        for child in node.children if child.tag not in own])


def _report_attributes(node: XmlElement, known: Element, report: Report) -> None:
    for name in node.attributes:
        if name not in known.attributes and ':' not in name and name != 'xmlns':
            report.add(
                codes.UNKNOWN_ATTRIBUTE,
                f"<{node.tag}> has no attribute '{name}'",
                node.attribute_location(name),
                hint=did_you_mean(name, known.attributes),
            )


def _check_children(node: XmlElement, known: Element, report: Report) -> list[XmlElement]:
    """Return the children that are URDF's own."""
    own, seen = [], set()
    for child in node.children:
        if child.tag not in known.children:
            _report_unknown(child, node, known, report)
            continue
        if child.tag in seen and child.tag not in known.repeated:
            report.add(
                codes.DUPLICATE_ELEMENT,
                f'<{child.tag}> stands here once more; only the first is read',
                child.location,
            )
        seen.add(child.tag)
        own.append(child)
    return own


def _report_unknown(child: XmlElement, node: XmlElement, known: Element, report: Report) -> None:
    if node.tag == 'geometry':
        return  # the reader of shapes says what becomes of it
    if node.tag == 'robot' and (child.tag in OTHERS or ':' in child.tag):
        return
    report.add(
        codes.UNKNOWN_ELEMENT, f'<{child.tag}> has no meaning in <{node.tag}> and is not read',
        child.location, hint=did_you_mean(child.tag, known.children))
