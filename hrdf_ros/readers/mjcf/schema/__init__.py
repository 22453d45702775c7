# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The schema of MJCF: names, values and structure are those of MuJoCo 4.0.

``mj_printSchema`` prints them, and the XML reference explains them. The part ``_joint`` has those
attributes of ``<joint>`` that default classes can give, and so on for each kind of element.
Sections that are ``preserved`` are kept for MuJoCo; elements that are only ``checked`` have no
place in a Model.
"""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.readers.mjcf.schema import actuators, bodies, constraints, models, settings
from hrdf_ros.readers.mjcf.schema.types import TYPES
from hrdf_ros.readers.schema import Attribute, Element, Elements, Policy, Schema, TEXT

SCHEMA = Schema(
    root='mujoco',
    elements=Elements(
        TYPES, {}, models.TABLE, bodies.TABLE, constraints.TABLE, actuators.TABLE, settings.TABLE,
        undocumented='for MuJoCo, see its XML reference', mentioned={
            'include': Element('the elements of another file', {
                'file': Attribute(TEXT, 'the path of the file', refers=('file',))})}),
    directories={
        **dict.fromkeys(('mesh', 'hfield', 'skin', 'flex'), ('meshdir', 'assetdir')),
        'texture': ('texturedir', 'assetdir'), 'model': ('assetdir',)},
    policy=Policy(
        'MJCF', 'MuJoCo',
        unknown_element=codes.UNKNOWN_ELEMENT._replace(severity='error'),
        unknown_attribute=codes.UNKNOWN_ATTRIBUTE._replace(severity='error'),
        duplicate_element=codes.DUPLICATE_ELEMENT._replace(severity='error'),
        stray_text=codes.STRAY_TEXT,
        is_foreign_attribute=lambda name: name.partition(':')[0] == 'xmlns'))
