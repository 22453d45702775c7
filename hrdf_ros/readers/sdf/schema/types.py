# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The versions of SDFormat, the types of its values, and the tables that declare its elements.

A row is ``name words | doc``, indented below the element that it is in; the doc may stand on the
next line. An empty line ends a shared element. ``@name`` is an attribute. The words, in any order:

- a type of ``TYPES``; ``=VALUE``, the default as in a file, with commas for spaces; ``[unit]``;
  ``MIN..MAX``, bounds; ``1.7+``, the version that it is new in
- ``nonempty`` (``text_required``), ``dropped`` (not preserved), and the fields of ``Element`` and
  ``Attribute`` of the same name
- ``shared``: it has the content of the shared element of its name, with ``like=NAME`` of another
- ``as=NAME``: it is a copy of the part ``_NAME``, with a doc and version of its own
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import math
import re
from typing import Any, Optional

from hrdf_ros.document import XmlElement
from hrdf_ros.parsing import sdf
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.pose import IDENTITY, Pose
from hrdf_ros.readers.schema import Attribute, Bounds, Element, one_of, TEXT, ValueType, Variants

# ---- versions

Version = tuple[int, ...]
"""The numbers of a version: 1.10 is newer than 1.9."""
KNOWN = (
    '1.0', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '1.8', '1.9', '1.10', '1.11', '1.12')
NEWEST: Version = (1, 12)


def parse_version(text: str) -> Optional[Version]:
    """Return the numbers of a version, None where it is not dotted numbers."""
    found = re.fullmatch(r'[0-9]{1,9}(?:\.[0-9]{1,9})*', text.strip())
    return tuple(map(int, text.split('.'))) if found else None


# ---- values


def _boolean(text: str, _: list[int]) -> bool:
    return sdf.boolean(text)


def _vector2(text: str, trailing: list[int]) -> tuple[float, ...]:
    return sdf.vector(text, 2, trailing)


def _vector3(text: str, trailing: list[int]) -> tuple[float, ...]:
    return sdf.vector(text, 3, trailing)


def _frame(text: str, _: list[int]) -> str:
    if text.strip() == '__root__':
        raise ValueSyntaxError("'__root__' is reserved and cannot be referred to")
    return text


def _pose(element: XmlElement, text: str, trailing: list[int]) -> Pose:
    """Return a pose; the element's attributes say how its rotation is written."""
    attributes = element.attributes
    if not attributes:
        return sdf.pose(text, loose=trailing, plausible=True)
    rotation = attributes.get('rotation_format', '').strip() or 'euler_rpy'
    if rotation not in ('euler_rpy', 'quat_xyzw'):
        raise ValueSyntaxError(
            f"the rotation format '{rotation}' is neither 'euler_rpy' nor 'quat_xyzw'")
    degrees = attributes.get('degrees', '').strip().lower() in ('true', '1')
    return sdf.pose(text, degrees, rotation == 'quat_xyzw', trailing, plausible=True)


def _deferred(*words: str, ignore_case: bool = False) -> ValueType:
    """Return a type that libsdformat takes for any text until it builds the object around it."""
    return one_of(*words)._replace(deferred=True, ignore_case=ignore_case)


FRAMES = ('link', 'joint', 'frame', 'model')
"""The kinds of elements whose names are frame names."""
POSE = ValueType('pose', parse_in_context=_pose, parses_blank=True)

TYPES: Mapping[str, ValueType] = {
    'string': TEXT,
    'bool': ValueType('boolean', _boolean),
    'int': ValueType('integer', sdf.integer),
    'unsigned': ValueType('unsigned integer', sdf.integer),
    'double': ValueType('number', sdf.double),
    'vector2': ValueType('vector2', _vector2),
    'vector3': ValueType('vector3', _vector3),
    'time': ValueType('time', _vector2),
    'color': ValueType('color', sdf.color),
    'pose': POSE,
    'frame': ValueType('frame name', _frame),
    'atmosphere_type': _deferred('adiabatic'),
    'emitter_type': _deferred('point', 'box', 'cylinder', 'ellipsoid'),
    'joint_type': _deferred(
        'ball', 'continuous', 'fixed', 'gearbox', 'prismatic', 'revolute', 'revolute2', 'screw',
        'universal', ignore_case=True),
    'light_type': _deferred('point', 'spot', 'directional'),
    'noise_type': _deferred('none', 'gaussian', 'gaussian_quantized', ignore_case=True),
    'pixel_format': _deferred(
        'L_INT8', 'L_INT16', 'RGB_INT8', 'RGBA_INT8', 'BGRA_INT8', 'RGB_INT16', 'RGB_INT32',
        'BGR_INT8', 'BGR_INT16', 'BGR_INT32', 'R_FLOAT16', 'RGB_FLOAT16', 'R_FLOAT32',
        'RGB_FLOAT32', 'BAYER_RGGB8', 'BAYER_BGGR8', 'BAYER_GBRG8', 'BAYER_GRBG8', 'L8', 'L16',
        'R8G8B8', 'B8G8R8'),
    'rotation_format': _deferred('euler_rpy', 'quat_xyzw'),
    'sensor_type': _deferred(
        'air_pressure', 'air_speed', 'altimeter', 'boundingbox', 'boundingbox_camera', 'camera',
        'contact', 'custom', 'depth', 'depth_camera', 'force_torque', 'gps', 'gpu_lidar',
        'gpu_ray', 'imu', 'lidar', 'logical_camera', 'magnetometer', 'multicamera', 'navsat',
        'ray', 'rfid', 'rfidtag', 'rgbd', 'rgbd_camera', 'segmentation', 'segmentation_camera',
        'sonar', 'thermal', 'thermal_camera', 'wide_angle_camera', 'wideanglecamera',
        'wireless_receiver', 'wireless_transmitter'),
    'surface_model': _deferred('EARTH_WGS84', 'MOON_SCS', 'CUSTOM_SURFACE'),
    'version': _deferred(*KNOWN),
    'world_orientation': _deferred('ENU'),
    'wrench_direction': _deferred('parent_to_child', 'child_to_parent'),
    'wrench_frame': _deferred('parent', 'child', 'sensor'),
}

# ---- tables

_ROW = re.compile(r'( *)(@?)(\S+)([^|]*)\| (.*)')
_WORD = re.compile(r'\[[^]]*\]|\w+="[^"]*"|\S+')
_FLAGS: Mapping[str, tuple[str, Any]] = {
    'nonempty': ('text_required', True), 'dropped': ('handling', 'not preserved'),
    **{name: (name, True) for name in (
        'required', 'expected', 'repeated', 'open', 'scope', 'outside', 'inside')},
    **{name: ('handling', name) for name in ('checked', 'preserved', 'skipped')},
}


class Elements(Mapping[str, Element]):
    """The shared elements of tables, each read when it is first met: files have few of them."""

    def __init__(self, *tables: str) -> None:
        parts = [part for table in tables for part in table.strip().split('\n\n')]
        self._parts = {part.split(None, 1)[0]: part for part in parts}
        self._elements: dict[str, Element] = {}

    def __getitem__(self, name: str) -> Element:
        element = self._elements.get(name)
        if element is None:
            element = self._elements[name] = self._read(self._parts[name])
        return element

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._parts if not name.startswith('_'))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _read(self, part: str) -> Element:
        """Return the element of a part; the content of elements is filled while rows are read."""
        top: dict[str, Element] = {}
        contents: list[tuple[dict[str, Attribute], dict[str, Element]]] = [({}, top)]
        for indent, is_attribute, name, words, doc in _ROW.findall(part):
            del contents[len(indent) // 2 + 1:]
            attributes, children = contents[-1]
            kind, fields = self._fields(name, words)
            if is_attribute:
                attributes[name] = Attribute(kind or TYPES['string'], doc, **fields)
                continue
            copied = fields.pop('as', None)
            contents.append(({}, {}))
            children[name] = self[copied]._replace(doc=doc, **fields) if copied else Element(
                doc, *contents[-1], text=kind, **fields)
        return next(iter(top.values()))

    def _fields(self, name: str, words: str) -> tuple[Optional[ValueType], dict[str, Any]]:
        """Return the type and the other fields that the words of a row give."""
        kind: Optional[ValueType] = None
        fields: dict[str, Any] = {}
        for word in _WORD.findall(words):
            key, _, value = word.partition('=')
            if word in TYPES:
                kind = TYPES[word]
                if kind is POSE:
                    fields['default'] = IDENTITY
            elif word in _FLAGS:
                field, setting = _FLAGS[word]
                fields[field] = setting
            elif not key:
                parse = kind.parse if kind is not None else None
                fields['default'] = parse(value.replace(',', ' '), []) if parse else value
            elif word[0] == '[':
                fields['unit'] = word[1:-1]
            elif word[-1] == '+':
                fields['since'] = word[:-1]
            elif '..' in word:
                least, _, most = word.partition('..')
                fields['bounds'] = Bounds(float(least), float(most or math.inf))
            elif word == 'shared':
                fields['like'] = name
            elif key == 'as':
                fields[key] = f'_{value}'
            elif key == 'variants':
                fields[key] = Variants('type', {value: self[f'_{value}']})
            elif key == 'refers':
                fields[key] = FRAMES if value == 'frame' else (value,)
            else:
                fields[key] = value.strip('"')
        return kind, fields
