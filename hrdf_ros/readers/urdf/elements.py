# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What several elements of URDF have in common."""

from __future__ import annotations

from typing import Optional

from hrdf_ros.model import RawElement
from hrdf_ros.pose import from_quaternion, from_rpy, IDENTITY, Pose
from hrdf_ros.readers.schema import Rule, TypedElement


def read_origin(element: TypedElement) -> Pose:
    """Return the pose that the child ``<origin>`` gives, the identity without one."""
    origin = element.child('origin')
    if origin is None:
        return IDENTITY
    position = origin.vector3('xyz')
    quaternion = origin.values.get('quat_xyzw')
    if quaternion is not None:
        return from_quaternion(position, quaternion)
    pose = from_rpy(position, origin.vector3('rpy'))
    return IDENTITY if pose == IDENTITY else pose


def raw_elements(element: TypedElement) -> tuple[RawElement, ...]:
    """Return as text the children that the Model has no place for: others', and preserved ones."""
    return tuple([
        RawElement(child.tag, child.raw(), child.location, format='urdf')
        for child in element.children if _is_kept(element.rule.children[child.tag])])


def _is_kept(rule: Optional[Rule]) -> bool:
    return rule is None or rule.element.handling in ('preserved', 'foreign')
