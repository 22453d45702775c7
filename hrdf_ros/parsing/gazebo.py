# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The settings in ``<gazebo>`` elements of a URDF, as libsdformat reads them (``parser_urdf.cc``).

A setting has a tag of its own (``<mu1>``) and sets one or more elements of SDFormat. Any
other content of ``<gazebo>`` is SDFormat already and is copied.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Optional

_OF_FIXED_JOINTS = {
    'stopCfm': 'physics/ode/limit/cfm', 'stopErp': 'physics/ode/limit/erp',
    'fudgeFactor': 'physics/ode/fudge_factor', 'provideFeedback': 'physics/provide_feedback',
    'implicitSpringDamper': 'physics/ode/implicit_spring_damper physics/ode/cfm_damping',
}
PLACES: Mapping[str, Mapping[str, str]] = {
    'model': {'static': 'static'},
    'link': {
        'turnGravityOff': 'gravity', 'selfCollide': 'self_collide',
        'dampingFactor': 'velocity_decay/linear velocity_decay/angular',
    },
    'fixed joint': _OF_FIXED_JOINTS,
    'joint': {
        **_OF_FIXED_JOINTS, 'springReference': 'axis/dynamics/spring_reference',
        'springStiffness': 'axis/dynamics/spring_stiffness',
    },
    'collision': {
        'mu1': 'surface/friction/ode/mu', 'mu2': 'surface/friction/ode/mu2',
        'fdir1': 'surface/friction/ode/fdir1', 'kp': 'surface/contact/ode/kp',
        'kd': 'surface/contact/ode/kd', 'maxVel': 'surface/contact/ode/max_vel',
        'minDepth': 'surface/contact/ode/min_depth', 'laserRetro': 'laser_retro',
        'maxContacts': 'max_contacts',
    },
    'visual': {'material': 'material/script/name'},
}
"""The paths at which each setting is written, by the element of SDFormat that it is for."""
NOT_CONTENT = frozenset((
    *(name for places in PLACES.values() for name in places), 'canonicalBody', 'cfmDamping',
    'collision', 'disableFixedJointLumping', 'preserveFixedJoint', 'visual'))
"""The elements of ``<gazebo>`` that are not copied as they are."""
REPLACED: Mapping[str, str] = {'collision': 'surface', 'visual': 'material'}
"""The child, by the tag of the shape, of which a shape has only one: the last one counts."""
LUMPED = '_fixed_joint_lump__'
"""The part of a shape's name between its link and the link from which it was merged."""
MATERIALS = 'file://media/materials/scripts/gazebo.material'
"""The script of Gazebo Classic that defines the material that ``<material>`` names."""
_SWITCHES = ('selfCollide', 'provideFeedback', 'implicitSpringDamper', 'static')


def is_true(value: str) -> bool:
    """Return whether a text means true."""
    return value.lower() in ('true', 'yes', '1')


def read_setting(tag: str, value: str) -> Optional[tuple[str, str]]:
    """Return the name of a setting and its text in SDFormat, or None if it sets nothing."""
    name = 'implicitSpringDamper' if tag == 'cfmDamping' else tag
    if name == 'turnGravityOff':
        value = 'true' if value.lower() in ('false', 'no', '0') else 'false'
    elif name in _SWITCHES:
        value = 'true' if is_true(value) else 'false'
    elif name == 'material' and not value:
        return None
    return name, value


def shape_name(tag: str, name: str, link: str, index: int) -> str:
    """Return the name that a visual or collision of a link gets, by its index in the link."""
    count = f'_{index}' if index else ''
    made = f'{name or link}_{tag}{count}'
    return made if made.startswith(link) else f'{link}{LUMPED}{made}'
