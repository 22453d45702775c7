# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The types of the values in SDFormat."""

from __future__ import annotations

from collections.abc import Mapping

from hrdf_ros.document import XmlElement
from hrdf_ros.formats import SDF, SDFORMAT
from hrdf_ros.parsing import sdf
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.pose import IDENTITY, Pose
from hrdf_ros.readers.schema import one_of, TEXT, ValueType

KNOWN = tuple(version.name for version in SDFORMAT)
"""The names of all versions."""
_BLANKS = dict.fromkeys(map(ord, '\t\n\v\f\r'), ' ')



def collapsed(text: str, _: list[int]) -> str:
    """Return a text with one space for each run of white space, as tinyxml2 does."""
    if text.isascii():
        return ' '.join(text.split())
    return ' '.join(filter(None, text.translate(_BLANKS).split(' ')))


def _frame(text: str, _: list[int]) -> str:
    if text.strip() == sdf.ROOT:
        raise ValueSyntaxError(f"'{sdf.ROOT}' is reserved and cannot be referred to")
    return text


def _pose(element: XmlElement, text: str, trailing: list[int]) -> Pose:
    """Return a pose; attributes of the element say how its rotation is written."""
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
    """Return a type that libsdformat checks only when it builds the object around the element."""
    return one_of(*words)._replace(deferred=True, ignore_case=ignore_case)


FRAMES = ('link', 'joint', 'frame', 'model')
"""The kinds of elements whose names are frame names."""
POSE = ValueType('pose', parse_in_context=_pose, parses_blank=True, default=IDENTITY)

TYPES: Mapping[str, ValueType] = {
    'string': TEXT,
    'bool': ValueType('boolean', lambda text, _: sdf.boolean(text)),
    'int': ValueType('integer', sdf.integer),
    'unsigned': ValueType('unsigned integer', sdf.integer),
    'double': ValueType('number', sdf.double),
    'vector2': ValueType('vector2', lambda text, trailing: sdf.vector(text, 2, trailing)),
    'vector3': ValueType('vector3', lambda text, trailing: sdf.vector(text, 3, trailing)),
    'time': ValueType('time', lambda text, trailing: sdf.vector(text, 2, trailing)),
    'color': ValueType('color', sdf.color),
    'pose': POSE,
    'frame': ValueType('frame name', _frame),
    'atmosphere_type': _deferred('adiabatic'),
    'emitter_type': _deferred('point', 'box', 'cylinder', 'ellipsoid'),
    'joint_type': _deferred(*SDF.joint_types, ignore_case=True),
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
