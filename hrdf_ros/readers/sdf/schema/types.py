# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The types of SDFormat's values, and short forms of its declarations."""

from __future__ import annotations

from collections.abc import Mapping
import math
import re
from typing import Any, Optional

from hrdf_ros.document import XmlElement
from hrdf_ros.parsing import sdf
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.pose import IDENTITY, Pose
from hrdf_ros.readers.schema import Element, one_of, TEXT, ValueType

INF = math.inf

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


STRING = TEXT
BOOL = ValueType('boolean', _boolean)
INT = ValueType('integer', sdf.integer)
UNSIGNED = ValueType('unsigned integer', sdf.integer)
DOUBLE = ValueType('number', sdf.double)
VECTOR2 = ValueType('vector2', _vector2)
VECTOR3 = ValueType('vector3', _vector3)
TIME = ValueType('time', _vector2)
COLOR = ValueType('color', sdf.color)
POSE = ValueType('pose', parse_in_context=_pose, parses_blank=True)
FRAMES = ('link', 'joint', 'frame', 'model')
"""The kinds of elements whose names are frame names."""
FRAME = ValueType('frame name', _frame)
"""The name of a frame, as a reference; that of the file's own frame is refused."""

JOINT_TYPE = one_of(
    'ball', 'continuous', 'fixed', 'gearbox', 'prismatic', 'revolute', 'revolute2', 'screw',
    'universal')._replace(deferred=True, ignore_case=True)


# libsdformat takes these for any text until it builds the object around them: see `siblings`
EMITTER_TYPE = one_of('point', 'box', 'cylinder', 'ellipsoid')._replace(deferred=True)
LIGHT_TYPE = one_of('point', 'spot', 'directional')._replace(deferred=True)
ATMOSPHERE_TYPE = one_of('adiabatic')._replace(deferred=True)
NOISE_TYPE = one_of('none', 'gaussian', 'gaussian_quantized')._replace(
    deferred=True, ignore_case=True)
PIXEL_FORMAT = one_of(
    'L_INT8', 'L_INT16', 'RGB_INT8', 'RGBA_INT8', 'BGRA_INT8', 'RGB_INT16', 'RGB_INT32',
    'BGR_INT8', 'BGR_INT16', 'BGR_INT32', 'R_FLOAT16', 'RGB_FLOAT16', 'R_FLOAT32', 'RGB_FLOAT32',
    'BAYER_RGGB8', 'BAYER_BGGR8', 'BAYER_GBRG8', 'BAYER_GRBG8', 'L8', 'L16', 'R8G8B8',
    'B8G8R8')._replace(deferred=True)
ROTATION_FORMAT = one_of('euler_rpy', 'quat_xyzw')._replace(deferred=True)
SENSOR_TYPE = one_of(
    'air_pressure', 'air_speed', 'altimeter', 'boundingbox', 'boundingbox_camera', 'camera',
    'contact', 'custom', 'depth', 'depth_camera', 'force_torque', 'gps', 'gpu_lidar', 'gpu_ray',
    'imu', 'lidar', 'logical_camera', 'magnetometer', 'multicamera', 'navsat', 'ray', 'rfid',
    'rfidtag', 'rgbd', 'rgbd_camera', 'segmentation', 'segmentation_camera', 'sonar', 'thermal',
    'thermal_camera', 'wide_angle_camera', 'wideanglecamera', 'wireless_receiver',
    'wireless_transmitter')._replace(deferred=True)
SURFACE_MODEL = one_of('EARTH_WGS84', 'MOON_SCS', 'CUSTOM_SURFACE')._replace(deferred=True)
VERSION = one_of(*KNOWN)._replace(deferred=True)
WORLD_ORIENTATION = one_of('ENU')._replace(deferred=True)
WRENCH_DIRECTION = one_of('parent_to_child', 'child_to_parent')._replace(deferred=True)
WRENCH_FRAME = one_of('parent', 'child', 'sensor')._replace(deferred=True)


def element(doc: str, content: Mapping[str, Any], **more: Any) -> Element:
    """Return an element with attributes (``@name``) and child elements (``name``)."""
    return Element(
        doc=doc, attributes={name[1:]: part for name, part in content.items() if name[0] == '@'},
        children={name: part for name, part in content.items() if name[0] != '@'}, **more)


def value(
    type: ValueType, doc: str, default: Any = None, unit: str = '', **more: Any,  # noqa: A002
) -> Element:
    """Return an element that holds a value."""
    if default is None and type is POSE:
        default = IDENTITY
    return Element(doc=doc, text=type, default=default, unit=unit, **more)


def like(name: str, doc: str, **more: Any) -> Element:
    """Return an element with the content of a shared one."""
    return Element(doc=doc, like=name, **more)
