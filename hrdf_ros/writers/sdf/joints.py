# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<joint>`` elements of SDFormat."""

from __future__ import annotations

from collections.abc import Iterator
import math
from typing import NamedTuple

from hrdf_ros.fields import placed
from hrdf_ros.model import Constraint, Coordinate, Joint, Mimic, Model, Motion
from hrdf_ros.pose import IDENTITY
from hrdf_ros.writers.sdf.links import pose_element, text, value
from hrdf_ros.writers.sdf.names import body_names, by_scope, Indexed, local_name, reference
from hrdf_ros.writers.xml import element, raws
from lxml import etree

_SCREW_THREAD_PITCH = ('1.10', '1.11', '1.12')


class _Axis(NamedTuple):
    """Where a coordinate is found: the joint and its axis."""

    joint: str
    axis: str


class JointWriter:
    """Writes the joints of one lowered Model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._bodies = body_names(model)
        self._joints = by_scope(model.joints)
        self._gearboxes = by_scope(model.constraints)
        self._poses = {
            frame.name: frame.pose for frame in reversed(model.frames) if frame.kind == 'joint'}
        self._axes: dict[int, _Axis] = {}
        for joint in model.joints:
            if joint.type != 'ball':
                for tag, motion in zip(('axis', 'axis2'), joint.motions):
                    axis = _Axis(local_name(joint.source_name), tag)
                    self._axes.setdefault(motion.coordinates[0], axis)

    def elements(self, scope: str) -> list[Indexed[etree._Element]]:
        """Return the joints of a model, or those of the world for '', and then its gearboxes."""
        last = len(self._model.joints)
        return [
            *((index, self._joint(joint, scope)) for index, joint in self._joints[scope]),
            *((last, self._gearbox(each, scope)) for _, each in self._gearboxes[scope])]

    def _joint(self, joint: Joint, scope: str) -> etree._Element:
        parent, child = (
            reference(self._bodies[body], scope) for body in (joint.parent, joint.child))
        made = element('joint', {'name': local_name(joint.source_name), 'type': joint.type}, (
            *pose_element(joint.child_from_joint), text('parent', parent), text('child', child)))
        if joint.type == 'screw':
            made.append(self._pitch(math.tau * joint.motions[0].scale))
        if joint.type != 'ball':
            made.extend(map(self._axis, ('axis', 'axis2'), joint.motions))
        made.extend(raws(joint.extensions, 'sdf'))
        return made

    def _pitch(self, pitch: float) -> etree._Element:
        """Return the meters of a turn; before SDF 1.10 radians for a meter, and left-handed."""
        if self._model.version in _SCREW_THREAD_PITCH:
            return value('screw_thread_pitch', pitch)
        return value('thread_pitch', -math.tau / pitch)

    def _gearbox(self, gearbox: Constraint, scope: str) -> etree._Element:
        """Return the ``<joint>`` of a gearbox; its axes are seen in the joint's frame."""
        values = dict(gearbox.values)
        parent, child, *others = (
            reference(self._bodies[body], scope) for body in gearbox.bodies)
        made = element('joint', {'name': local_name(gearbox.source_name), 'type': 'gearbox'}, (
            *pose_element(self._poses.get(gearbox.name, IDENTITY)), text('parent', parent),
            text('child', child), value('gearbox_ratio', values.get('ratio', 1.0))))
        if others:
            made.append(text('gearbox_reference_body', others[0]))
        for tag in ('axis', 'axis2'):
            if f'{tag}_x' in values:
                xyz = (values[f'{tag}_{letter}'] for letter in 'xyz')
                made.append(element(tag, None, (value('xyz', *xyz),)))
        return made

    def _axis(self, tag: str, motion: Motion) -> etree._Element:
        coordinate = self._model.coordinates[motion.coordinates[0]]
        made = element(tag, None, (value('xyz', *motion.axis), *_numbers(coordinate)))
        if coordinate.mimic is not None:
            made.append(self._mimic(coordinate.mimic))
        return made

    def _mimic(self, mimic: Mimic) -> etree._Element:
        leader = self._axes[mimic.leader]
        return element('mimic', {'joint': leader.joint, 'axis': leader.axis}, (
            value('multiplier', mimic.multiplier), value('offset', mimic.offset),
            value('reference', 0.0)))


def _numbers(coordinate: Coordinate) -> Iterator[etree._Element]:
    """Yield limits, which are infinite where they are not written, and dynamics, which are 0."""
    for tag, default in (('limit', math.inf), ('dynamics', 0.0)):
        children = [
            value(name, number) for name, number in placed(coordinate, 'sdf', tag).items()
            if abs(number) != default]
        if children:
            yield element(tag, None, children)
