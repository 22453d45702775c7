# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What may be in a stack of boxes."""

from __future__ import annotations

from hrdf_ros.parsing import urdf
from hrdf_ros.readers.schema import (
    Attribute,
    Element,
    one_of,
    Policy,
    POSITIVE,
    Schema,
    TEXT,
    ValueType,
)

NUMBER = ValueType('number', urdf.number)
VECTOR3 = ValueType('vector3', urdf.vector3)

SCHEMA = Schema(
    root='stack', versions=('1', '2'), policy=Policy('Toy', 'the toy shop'),
    elements={
        'stack': Element(
            'a stack of boxes, the first one at the bottom',
            {'version': Attribute(TEXT, 'the version', default='1')},
            {'box': Element('a box', {
                'name': Attribute(TEXT, 'its name', required=True),
                'color': Attribute(one_of('red', 'blue'), 'its color', default='red', since='2'),
            }, {
                'mass': Element('its mass', text=NUMBER, default=1.0, unit='kg', bounds=POSITIVE),
                'size': Element('its extents', text=VECTOR3, unit='m', required=True),
            }, repeated=True, required=True)}),
    })
