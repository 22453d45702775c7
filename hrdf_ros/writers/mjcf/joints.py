# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joints of a body, and mimics as equality constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import math

from hrdf_ros.fields import placed
from hrdf_ros.lowering.mjcf import WORLD
from hrdf_ros.model import Coordinate, Joint, Model, Motion, RawElement
from hrdf_ros.pose import IDENTITY, rotate
from hrdf_ros.writers.xml import element, number, numbers
from lxml import etree

Kept = Callable[[tuple[RawElement, ...], str, str], dict[str, str]]
_TYPES = {'revolute': 'hinge', 'prismatic': 'slide', 'rotation_vector': 'ball'}
_FREE = ['prismatic'] * 3 + ['rotation_vector']


def is_free(joint: Joint, model: Model) -> bool:
    """Return whether a joint is MuJoCo's free joint: its coordinates are the pose in the world."""
    return (
        [motion.kind for motion in joint.motions] == _FREE
        and model.bodies[joint.parent].name == WORLD
        and joint.parent_from_joint == IDENTITY == joint.child_from_joint)


def references(joint: Joint, motion: Motion, model: Model) -> list[float]:
    """
    Return the positions in which the pose of the body is written: ``ref``, MuJoCo's ``qpos0``.

    The initial ones where one motion, or slides, make the joint. Rotations in sequence are
    counted from no displacement, and a ball from no rotation.
    """
    if is_free(joint, model) or motion.kind != 'rotation_vector' and (
            len(joint.motions) == 1 or all(one.kind == 'prismatic' for one in joint.motions)):
        return [model.coordinates[index].initial_position for index in motion.coordinates]
    return [0.0 - motion.offset] * len(motion.coordinates)


def joint_elements(joint: Joint, model: Model, kept: Kept) -> Iterator[etree._Element]:
    """Yield the joints of a body: one for each motion, in their order."""
    if is_free(joint, model):
        yield element('freejoint', {
            'name': joint.name, **kept(joint.extensions, 'freejoint', '')})
        return
    for motion in joint.motions:
        first = model.coordinates[motion.coordinates[0]]
        name = first.name if len(motion.coordinates) == 1 else joint.name
        attributes = {'name': name, 'type': _TYPES[motion.kind]}
        if motion.kind != 'prismatic' and any(joint.child_from_joint.position):
            attributes['pos'] = numbers(joint.child_from_joint.position)
        if motion.kind != 'rotation_vector':
            attributes['axis'] = numbers(rotate(joint.child_from_joint, motion.axis))
            ref, = references(joint, motion, model)
            attributes.update(_values(first._replace(initial_position=ref)))
        elif first.damping:
            attributes['damping'] = number(first.damping)
        yield element('joint', {**attributes, **kept(joint.extensions, 'joint', name)})


def _values(coordinate: Coordinate) -> dict[str, str]:
    """Return limits and dynamics of a coordinate, each where it is not the default."""
    found = {
        name: number(value) for name, value in placed(coordinate, 'mjcf', 'joint').items()
        if value}
    if math.isfinite(coordinate.lower) or math.isfinite(coordinate.upper):
        found['range'] = numbers((
            max(coordinate.lower, -_WIDE), min(coordinate.upper, _WIDE)))
    if 0.0 < coordinate.effort < math.inf:
        found['actuatorfrcrange'] = numbers((-coordinate.effort, coordinate.effort))
    return found


_WIDE = 1e10
"""Limits of one side only: MuJoCo has two."""


def mimic_elements(model: Model) -> Iterator[etree._Element]:
    """Yield the constraint of each coordinate that follows another, about their start."""
    scalar = {
        motion.coordinates[0]: references(joint, motion, model)[0]
        for joint in model.joints for motion in joint.motions if motion.kind != 'rotation_vector'}
    for index, coordinate in enumerate(model.coordinates):
        mimic = coordinate.mimic
        if mimic is None or index not in scalar or mimic.leader not in scalar:
            continue
        leader = model.coordinates[mimic.leader]
        constant = (
            mimic.multiplier * scalar[mimic.leader] + mimic.offset - scalar[index])
        yield element('joint', {
            'joint1': coordinate.name, 'joint2': leader.name,
            'polycoef': numbers((constant, mimic.multiplier, 0.0, 0.0, 0.0))})

