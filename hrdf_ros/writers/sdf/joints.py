# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<joint>`` elements of SDFormat."""

from __future__ import annotations

import math
from typing import NamedTuple, Union

from hrdf_ros.model import Constraint, Coordinate, Joint, Mimic, Model, Motion
from hrdf_ros.pose import IDENTITY
from hrdf_ros.writers.sdf.scoped import by_scope, local_name, reference
from hrdf_ros.writers.sdf.shapes import pose_element, text, value
from hrdf_ros.writers.xml import Raw, raw, WrittenElement

_SCREW_THREAD_PITCH = ('1.10', '1.11', '1.12')


class _Axis(NamedTuple):
    """Where a coordinate is found: the joint and its axis."""

    joint: str
    axis: str


class JointWriter:
    """Writes the joints of one lowered Model."""

    def __init__(self, model: Model) -> None:
        self._model = model
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

    def elements(self, scope: str) -> list[WrittenElement]:
        """Return the joints and gearboxes of a model, or those of the world for ''."""
        return [
            *(self._joint(joint, scope) for joint in self._joints[scope]),
            *map(self._gearbox, self._gearboxes[scope])]

    def _joint(self, joint: Joint, scope: str) -> WrittenElement:
        parent, child = (
            reference(self._model.bodies[body].source_name, scope)
            for body in (joint.parent, joint.child))
        children: list[Union[WrittenElement, Raw]] = [
            *pose_element(joint.child_from_joint), text('parent', parent), text('child', child)]
        if joint.type == 'screw':
            children.append(self._pitch(math.tau * joint.motions[0].scale))
        if joint.type != 'ball':
            for tag, motion in zip(('axis', 'axis2'), joint.motions):
                children.append(self._axis(tag, motion, joint.type))
        children += raw(joint.extensions, 'sdf')
        attributes = ('name', local_name(joint.source_name)), ('type', joint.type)
        return WrittenElement('joint', attributes, tuple(children))

    def _pitch(self, pitch: float) -> WrittenElement:
        """Return the meters of a turn; before SDF 1.10 radians for a meter, and left-handed."""
        if self._model.version in _SCREW_THREAD_PITCH:
            return value('screw_thread_pitch', pitch)
        return value('thread_pitch', -math.tau / pitch)

    def _gearbox(self, gearbox: Constraint) -> WrittenElement:
        """Return the ``<joint>`` of a gearbox; its axes are seen in the joint's frame."""
        values = dict(gearbox.values)
        parent, child, *others = (
            local_name(self._model.bodies[body].source_name) for body in gearbox.bodies)
        children = [
            *pose_element(self._poses.get(gearbox.name, IDENTITY)), text('parent', parent),
            text('child', child), value('gearbox_ratio', values.get('ratio', 1.0))]
        if others:
            children.append(text('gearbox_reference_body', others[0]))
        for tag in ('axis', 'axis2'):
            if f'{tag}_x' in values:
                xyz = (values[f'{tag}_{letter}'] for letter in 'xyz')
                children.append(WrittenElement(tag, (), (value('xyz', *xyz),)))
        name = local_name(gearbox.source_name)
        return WrittenElement('joint', (('name', name), ('type', 'gearbox')), tuple(children))

    def _axis(self, tag: str, motion: Motion, kind: str) -> WrittenElement:
        coordinate = self._model.coordinates[motion.coordinates[0]]
        children = [
            value('xyz', *motion.axis), *_limit(coordinate, kind), *_dynamics(coordinate)]
        if coordinate.mimic is not None:
            children.append(self._mimic(coordinate.mimic))
        return WrittenElement(tag, (), tuple(children))

    def _mimic(self, mimic: Mimic) -> WrittenElement:
        leader = self._axes[mimic.leader]
        return WrittenElement('mimic', (('joint', leader.joint), ('axis', leader.axis)), (
            value('multiplier', mimic.multiplier), value('offset', mimic.offset),
            value('reference', 0.0)))


def _limit(coordinate: Coordinate, kind: str) -> list[WrittenElement]:
    """Return the limits; SDFormat's own are infinite."""
    limits = [('effort', coordinate.effort), ('velocity', coordinate.velocity)]
    if kind != 'continuous':
        limits = [('lower', coordinate.lower), ('upper', coordinate.upper), *limits]
    children = tuple(value(tag, limit) for tag, limit in limits if not math.isinf(limit))
    return [WrittenElement('limit', (), children)] if children else []


def _dynamics(coordinate: Coordinate) -> list[WrittenElement]:
    facts = [('damping', coordinate.damping), ('friction', coordinate.friction)]
    if coordinate.spring_stiffness:
        facts += [
            ('spring_reference', coordinate.spring_reference),
            ('spring_stiffness', coordinate.spring_stiffness)]
    children = tuple(value(tag, fact) for tag, fact in facts if fact)
    return [WrittenElement('dynamics', (), children)] if children else []
