# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Words inside sensors and worlds that mean something to nobody here, but to libsdformat.

The grammar takes them for any text; libsdformat refuses unknown ones when it builds its objects,
and looks only into those elements of a sensor that its type is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.readers.sdf.text import read_string


class _Words(NamedTuple):
    """What a text may be, or an attribute; libsdformat's name for anything else."""

    known: tuple[str, ...]
    attribute: str = ''
    any_case: bool = False
    reference: str = 'ELEMENT_INVALID'


_NOISE = _Words(
    ('none', 'gaussian', 'gaussian_quantized'), '', any_case=True, reference='ELEMENT_MISSING')
_NOISY = {
    f'{parent}/noise': _NOISE._replace(attribute='type')
    for parent in ('x', 'y', 'z', 'vertical_position', 'vertical_velocity')}
_SENSORS = {
    'altimeter': _NOISY,
    'camera': {
        'noise/type': _NOISE,
        'image/format': _Words((
            'L_INT8', 'L_INT16', 'RGB_INT8', 'RGBA_INT8', 'BGRA_INT8', 'RGB_INT16', 'RGB_INT32',
            'BGR_INT8', 'BGR_INT16', 'BGR_INT32', 'R_FLOAT16', 'RGB_FLOAT16', 'R_FLOAT32',
            'RGB_FLOAT32', 'BAYER_RGGB8', 'BAYER_BGGR8', 'BAYER_GBRG8', 'BAYER_GRBG8', 'L8',
            'L16', 'R8G8B8', 'B8G8R8')),
    },
    'force_torque': {
        **_NOISY,
        'force_torque/frame': _Words(('parent', 'child', 'sensor')),
        'force_torque/measure_direction': _Words(('parent_to_child', 'child_to_parent')),
    },
    'imu': _NOISY,
}
"""The words below an element of a sensor, by the tags of parent and child."""

_OTHER_TYPES = {
    'depth': 'camera', 'depth_camera': 'camera', 'rgbd': 'camera', 'rgbd_camera': 'camera',
    'thermal': 'camera', 'thermal_camera': 'camera', 'segmentation': 'camera',
    'segmentation_camera': 'camera', 'boundingbox': 'camera', 'boundingbox_camera': 'camera',
    'wideanglecamera': 'camera', 'wide_angle_camera': 'camera',
}
_WORLD = {
    'world/atmosphere': _Words(('adiabatic',), 'type'),
    'spherical_coordinates/surface_model': _Words(('EARTH_WGS84', 'MOON_SCS', 'CUSTOM_SURFACE')),
    'spherical_coordinates/world_frame_orientation': _Words(('ENU',)),
}


def check_sensor(node: XmlElement, report: Report) -> None:
    """Report the unknown words in what a sensor's type is about."""
    kind = node.attributes.get('type', '').strip()
    tag = _OTHER_TYPES.get(kind, kind)
    if tag in _SENSORS:
        _check(node, tag, _SENSORS[tag], report)


def check_world(world: XmlElement, report: Report) -> None:
    """Report the unknown words in a world's atmosphere and place on Earth."""
    for tag in ('atmosphere', 'spherical_coordinates'):
        _check(world, tag, _WORLD, report)
    location = world.child('spherical_coordinates')
    if location is None or read_string(location.child('surface_model')) != 'CUSTOM_SURFACE':
        return
    for tag in ('surface_axis_equatorial', 'surface_axis_polar'):
        if location.child(tag) is None:
            report.add(
                codes.MISSING_ELEMENT, f'a custom surface has no <{tag}>', location.location,
                reference='ELEMENT_MISSING')


def _check(above: XmlElement, tag: str, words: Mapping[str, _Words], report: Report) -> None:
    """Report the unknown words in the first child of a tag and in the first ones below it."""
    part = above.child(tag)
    if part is None:
        return
    _check_word(part, words.get(f'{above.tag}/{tag}'), report)
    pending = [part]
    for parent in pending:
        for node in {child.tag: child for child in reversed(parent.children)}.values():
            _check_word(node, words.get(f'{parent.tag}/{node.tag}'), report)
            pending.append(node)


def _check_word(node: XmlElement, words: Optional[_Words], report: Report) -> None:
    """Report a word that is not known; none at all stands for the default."""
    if words is None:
        return
    attribute = words.attribute
    word = (node.get(attribute) or '').strip() if attribute else read_string(node)
    if word and (word.lower() if words.any_case else word) not in words.known:
        what = f'{node.tag} {attribute}' if attribute else node.tag
        report.add(
            codes.BAD_VALUE, f"there is no {what} '{word}'",
            node.attribute_location(attribute, 0) if attribute else node.text_location(),
            hint=did_you_mean(word, words.known), reference=words.reference)
