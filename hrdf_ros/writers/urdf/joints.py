# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<joint>`` elements of a URDF."""

from __future__ import annotations

import math
from typing import Union

from hrdf_ros.model import Coordinate, Joint, Model
from hrdf_ros.pose import IDENTITY, Pose, to_rpy
from hrdf_ros.writers.xml import number, numbers, Raw, raw, WrittenElement

SINGLE_AXIS = ('revolute', 'continuous', 'prismatic')


def origin_element(pose: Pose, version: str) -> tuple[WrittenElement, ...]:
    """Return the ``<origin>``, nothing for the identity; since 1.1 it may have a quaternion."""
    if pose == IDENTITY:
        return ()
    turn = ('quat_xyzw', numbers(pose.orientation)) if version >= '1.1' else (
        'rpy', numbers(to_rpy(pose)))
    return (WrittenElement('origin', (('xyz', numbers(pose.position)), turn)),)


def joint_element(joint: Joint, model: Model) -> WrittenElement:
    """Return the ``<joint>``; a planar one has the axis that it turns about, its last."""
    children: list[Union[WrittenElement, Raw]] = [
        *origin_element(joint.parent_from_joint, model.version),
        WrittenElement('parent', (('link', model.bodies[joint.parent].name),)),
        WrittenElement('child', (('link', model.bodies[joint.child].name),))]
    if joint.type not in ('fixed', 'floating'):
        children.append(WrittenElement('axis', (('xyz', numbers(joint.motions[-1].axis)),)))
    if joint.type in SINGLE_AXIS:
        coordinate = model.coordinates[joint.motions[0].coordinates[0]]
        children += [
            *_dynamics(coordinate), *_limit(joint, coordinate), *_mimic(coordinate, model)]
    children += raw(joint.extensions, 'urdf')
    return WrittenElement('joint', (('name', joint.name), ('type', joint.type)), tuple(children))


def _dynamics(coordinate: Coordinate) -> tuple[WrittenElement, ...]:
    if not coordinate.damping and not coordinate.friction:
        return ()
    return (WrittenElement('dynamics', (
        ('damping', number(coordinate.damping)), ('friction', number(coordinate.friction)))),)


def _limit(joint: Joint, coordinate: Coordinate) -> tuple[WrittenElement, ...]:
    """Return the ``<limit>``, which a continuous joint need not have."""
    attributes = []
    if joint.type != 'continuous':
        attributes = [
            ('lower', number(coordinate.lower)), ('upper', number(coordinate.upper))]
    elif math.isinf(coordinate.effort):
        return ()
    attributes += [
        ('effort', number(coordinate.effort)), ('velocity', number(coordinate.velocity))]
    return (WrittenElement('limit', tuple(attributes)),)


def _mimic(coordinate: Coordinate, model: Model) -> tuple[WrittenElement, ...]:
    mimic = coordinate.mimic
    if mimic is None:
        return ()
    return (WrittenElement('mimic', (
        ('joint', model.coordinates[mimic.leader].name),
        ('multiplier', number(mimic.multiplier)), ('offset', number(mimic.offset)))),)
