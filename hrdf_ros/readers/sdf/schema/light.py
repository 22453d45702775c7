# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Lights."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    COLOR,
    DOUBLE,
    LIGHT_TYPE,
    like,
    STRING,
    value,
    VECTOR3,
)

ELEMENTS: dict[str, Element] = {
    'light': Element(
        'A light.',
        attributes={
            'name': Attribute(STRING, 'Name.', required=True),
            'type': Attribute(LIGHT_TYPE, 'Kind of light.', required=True, default='point'),
        },
        children={
            'cast_shadows': value(BOOL, 'It throws shadows.', False),
            'light_on': value(BOOL, 'It is switched on.', True, since='1.8'),
            'visualize': value(BOOL, 'A user interface shows where it is.', True, since='1.8'),
            'intensity': value(DOUBLE, 'Factor on its power.', 1.0, since='1.8'),
            'diffuse': value(COLOR, 'Color of its diffuse light.', (1.0, 1.0, 1.0, 1.0)),
            'specular': value(COLOR, 'Color of its highlights.', (0.1, 0.1, 0.1, 1.0)),
            'attenuation': Element(
                'How a light fades with the distance.',
                children={
                    'range': value(
                        DOUBLE, 'Distance that it reaches.', 10.0, 'm', text_required=True),
                    'linear': value(DOUBLE, 'Linear coefficient.', 1.0, '1/m'),
                    'constant': value(DOUBLE, 'Constant coefficient.', 1.0),
                    'quadratic': value(DOUBLE, 'Quadratic coefficient.', 0.0, '1/m^2'),
                }),
            'direction': value(
                VECTOR3, 'Direction of a spot or directional light.', (0.0, 0.0, -1.0),
                text_required=True),
            'spot': Element(
                'Cone of a spot light.',
                children={
                    'inner_angle': value(
                        DOUBLE, 'Angle of the bright cone.', 0.0, 'rad', text_required=True),
                    'outer_angle': value(
                        DOUBLE, 'Angle of the whole cone.', 0.0, 'rad', text_required=True),
                    'falloff': value(
                        DOUBLE, 'How it fades between the two; 1 is linear.', 0.0,
                        text_required=True),
                }),
            'pose': like('pose', 'Pose, relative to what has it.'),
        }),
}
