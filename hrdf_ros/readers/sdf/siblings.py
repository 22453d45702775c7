# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Names and words that libsdformat refuses when it builds its objects, beyond the schema.

In a sensor, libsdformat reads only words in the elements that belong to the sensor's type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.parsing.sdf import is_reserved
from hrdf_ros.parsing.suggestions import one_of
from hrdf_ros.readers.schema import TypedElement, ValueType
from hrdf_ros.readers.sdf.element import name_of
from hrdf_ros.readers.sdf.schema.types import TYPES

_NEVER_RESERVED = (
    'collision', 'light', 'particle_emitter', 'physics', 'projector', 'sensor', 'visual')
_NEVER_TWICE = (*_NEVER_RESERVED, 'actor', 'animation')
_ORDER = {'visual': 0, 'collision': 1, 'light': 2, 'sensor': 3, 'particle_emitter': 4}
_SECTIONS = {
    'altimeter': 'altimeter', 'camera': 'camera', 'force_torque': 'force_torque', 'imu': 'imu',
    'depth': 'camera', 'depth_camera': 'camera', 'rgbd': 'camera', 'rgbd_camera': 'camera',
    'thermal': 'camera', 'thermal_camera': 'camera', 'segmentation': 'camera',
    'segmentation_camera': 'camera', 'boundingbox': 'camera', 'boundingbox_camera': 'camera',
    'wideanglecamera': 'camera', 'wide_angle_camera': 'camera',
}
"""The types of sensors whose elements have enumerations, each with its element."""
_TYPES = {
    'joint': TYPES['joint_type'], 'light': TYPES['light_type'],
    'particle_emitter': TYPES['emitter_type'], 'sensor': TYPES['sensor_type']}


# ---- names

def check_children(elements: Iterable[TypedElement], report: Report) -> None:
    """Refuse wrong names of elements in a link or joint, and unknown words in its sensors."""
    named = [child for child in elements if 'name' in child.attributes]
    if len(named) > 1:  # in the order in which libsdformat reads them
        named.sort(key=lambda each: _ORDER.get(each.tag, len(_ORDER)))
    check_siblings(named, {}, report)
    for sensor in named:
        if sensor.tag == 'sensor':
            tag = _SECTIONS.get(sensor.attributes.get('type', '').strip())
            section = None if tag is None else sensor.child(tag)
            if section is not None:
                _check_words(section, report)


def check_siblings(
    elements: Iterable[TypedElement], others: Mapping[str, str], report: Report,
) -> None:
    """Refuse reserved names and duplicates; ``others`` has the tags of earlier elements."""
    taken = dict(others)
    for element in elements:
        name, tag = name_of(element), element.tag
        if not name or tag == 'plugin':
            continue
        if tag in _TYPES:
            check_type(element, report)
        elif tag == 'actor':
            check_siblings(element.all('animation'), {}, report)
            for link in element.all('link'):
                check_children(link.children, report)
        if tag in _NEVER_RESERVED and is_reserved(name):
            report.add(
                codes.SDF_RESERVED_NAME, f"the {tag} name '{name}' is reserved",
                element.attribute_location('name', 0))
        if name in taken:
            _report_duplicate(element, name, taken[name], report)
        else:
            taken[name] = tag


def _report_duplicate(element: TypedElement, name: str, tag: str, report: Report) -> None:
    """Report a duplicate name; names of different tags are compared only in a check."""
    location = element.attribute_location('name', 0)
    if tag == element.tag and tag in _NEVER_TWICE:
        report.add(
            codes.DUPLICATE_NAME, f"duplicate <{tag}> '{name}'", location,
            reference='DUPLICATE_NAME')
    else:
        report.add(
            codes.DUPLICATE_NAME,
            f"a <{tag}> beside this <{element.tag}> is also named '{name}'", location,
            hint='gz sdf --check refuses this', severity='warning', reference='PARSING_ERROR')


# ---- words

def check_type(element: TypedElement, report: Report) -> None:
    """Report an unknown type of a joint, a light, a particle emitter or a sensor."""
    _check_word(element, 'type', _TYPES.get(element.tag), report, 'ATTRIBUTE_INVALID')


def check_world(world: TypedElement, report: Report) -> None:
    """Report unknown words in a world's atmosphere and spherical coordinates."""
    for tag in ('atmosphere', 'spherical_coordinates'):
        section = world.child(tag)
        if section is not None:
            _check_words(section, report)
    coordinates = world.child('spherical_coordinates')
    if coordinates is None or coordinates.string('surface_model') != 'CUSTOM_SURFACE':
        return
    for tag in ('surface_axis_equatorial', 'surface_axis_polar'):
        if not coordinates.has(tag):
            report.add(
                codes.MISSING_ELEMENT,
                f'<{coordinates.tag}> of a custom surface is missing the required element <{tag}>',
                coordinates.location, reference='ELEMENT_MISSING')


def _check_words(section: TypedElement, report: Report) -> None:
    """Report unknown words in an element and in the first child of each tag below it."""
    pending = [section]
    for element in pending:
        rule = element.rule
        _check_word(element, None, rule.content.text, report)
        for name, attribute in rule.attributes.items():
            _check_word(element, name, attribute.attribute.type, report)
        first = {child.tag: child for child in reversed(element.children)}
        pending.extend(child for tag, child in first.items() if rule.children[tag] is not None)


def _check_word(
    element: TypedElement, attribute: Optional[str], kind: Optional[ValueType], report: Report,
    reference: str = 'ELEMENT_INVALID',
) -> None:
    """Report an unknown word of an element or attribute; an empty one means the default."""
    word = element.text.rstrip() if attribute is None else (
        element.attributes.get(attribute, '').strip())
    if not word or kind is None or not kind.deferred or (
            word.lower() if kind.ignore_case else word) in kind.words:
        return
    part, location = '', element.text_location()
    if attribute is not None:
        part, location = f' {attribute}', element.attribute_location(attribute, 0)
    report.add(
        codes.BAD_VALUE, f"unknown <{element.tag}>{part} '{word}'", location,
        hint=one_of(word, list(kind.words)),
        reference='ELEMENT_MISSING' if kind is TYPES['noise_type'] else reference)
