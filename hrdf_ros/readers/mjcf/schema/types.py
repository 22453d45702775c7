# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The types of the values of MJCF."""

from __future__ import annotations

from collections.abc import Mapping

from hrdf_ros.parsing import mjcf
from hrdf_ros.readers.schema import one_of, ValueType

TYPES: Mapping[str, ValueType] = {
    'boolean': ValueType('boolean', mjcf.boolean),
    'number': ValueType('number', mjcf.number),
    'numbers': ValueType('numbers', mjcf.numbers(0, None)),
    **{
        f'numbers({count})': ValueType(f'{count} numbers', mjcf.numbers(count, count))
        for count in (2, 3, 4, 6, 7)},
    **{
        f'color({count})': ValueType('color', mjcf.numbers(count, count)) for count in (3, 4)},
    **{
        f'numbers(1..{most})': ValueType(f'1 to {most} numbers', mjcf.numbers(1, most))
        for most in (2, 3, 5, 6, 10, 12)},
    'integer': ValueType('integer', mjcf.integer),
    'integers': ValueType('integers', mjcf.numbers(0, None, is_integer=True)),
    'integers(2)': ValueType('2 integers', mjcf.numbers(2, 2, is_integer=True)),
    'integers(3)': ValueType('3 integers', mjcf.numbers(3, 3, is_integer=True)),
    'integers(1..3)': ValueType('1 to 3 integers', mjcf.numbers(1, 3, is_integer=True)),
    'memory': ValueType('memory', mjcf.memory),
    'builtin_mesh': one_of(
        'none', 'sphere', 'hemisphere', 'cone', 'supertorus', 'supersphere', 'wedge', 'plate'),
    'camera_outputs': ValueType('words', mjcf.several_of(
        ('rgb', 'depth', 'distance', 'normal', 'segmentation'))),
    'contact_outputs': ValueType('words', mjcf.several_in_order(
        ('found', 'force', 'torque', 'dist', 'pos', 'normal', 'tangent', 'linvel', 'angvel'))),
    'dynamics_type': one_of(
        'none', 'integrator', 'filter', 'filterexact', 'muscle', 'dcmotor', 'pid', 'user'),
    'flex_type': one_of(
        'grid', 'box', 'cylinder', 'ellipsoid', 'square', 'disc', 'circle', 'mesh', 'gmsh',
        'direct'),
    'frame_type': one_of('body', 'xbody', 'geom', 'site', 'camera'),
    'geom_type': one_of(
        'plane', 'hfield', 'sphere', 'capsule', 'ellipsoid', 'cylinder', 'box', 'mesh', 'sdf'),
    'main': one_of('main'),
    'ray_outputs': ValueType('words', mjcf.several_in_order(
        ('dist', 'dir', 'origin', 'point', 'normal', 'depth'))),
    'inputs': ValueType('words', mjcf.inputs),
    'tracking': one_of('fixed', 'track', 'trackcom', 'targetbody', 'targetbodycom'),
}
