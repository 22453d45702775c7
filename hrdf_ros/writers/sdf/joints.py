# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<joint>`` elements of SDFormat."""

from __future__ import annotations

import math
from typing import Optional, Union

from hrdf_ros import codes
from hrdf_ros.model import Coordinate, Model
from hrdf_ros.pose import IDENTITY
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics
from hrdf_ros.writers.sdf.plan import Axis, Gearbox, MIMIC, Part, Plan
from hrdf_ros.writers.sdf.shapes import pose_element, text, value
from hrdf_ros.writers.xml import Element, Raw, raw

_SCREW_THREAD_PITCH = (1, 10)


class JointWriter:
    """Writes the joints of one plan."""

    def __init__(
        self, model: Model, plan: Plan, version: tuple[int, int], notes: GroupedDiagnostics
    ) -> None:
        self._model = model
        self._plan = plan
        self._version = version
        self._notes = notes

    def element(self, part: Part, group: int) -> Element:
        """Return the ``<joint>``."""
        children: list[Union[Element, Raw]] = [
            *pose_element(part.pose), text('parent', part.parent), text('child', part.child)]
        kind = part.type
        if kind == 'screw' and part.pitch == 0.0:
            kind = 'revolute'
        if kind == 'screw':
            children.append(self._pitch(part.pitch))
        for tag, axis in zip(('axis', 'axis2'), part.axes):
            children.append(self._axis(tag, axis, kind, group))
        children += raw(self._model.joints[part.source].extensions, 'sdf')
        return Element('joint', (('name', part.name), ('type', kind)), tuple(children))

    def _pitch(self, pitch: float) -> Element:
        """Return the metres of a turn; before SDF 1.10 radians for a metre, and left-handed."""
        if self._version >= _SCREW_THREAD_PITCH:
            return value('screw_thread_pitch', pitch)
        return value('thread_pitch', -math.tau / pitch)

    def gearbox(self, gearbox: Gearbox) -> Element:
        """Return the ``<joint>`` of a gearbox; its axes are seen in the joint's frame."""
        constraint = self._model.constraints[gearbox.constraint]
        values = dict(constraint.values)
        poses = (
            frame.pose for frame in self._model.frames
            if frame.kind == 'joint' and frame.location == constraint.location)
        children = [
            *pose_element(next(poses, IDENTITY)), text('parent', gearbox.parent),
            text('child', gearbox.child), value('gearbox_ratio', values.get('ratio', 1.0))]
        if gearbox.reference:
            children.append(text('gearbox_reference_body', gearbox.reference))
        for tag in ('axis', 'axis2'):
            if f'{tag}_x' in values:
                xyz = (values[f'{tag}_{letter}'] for letter in 'xyz')
                children.append(Element(tag, (), (value('xyz', *xyz),)))
        return Element(
            'joint', (('name', gearbox.name), ('type', 'gearbox')), tuple(children))

    def _axis(self, tag: str, axis: Axis, kind: str, group: int) -> Element:
        coordinate = self._model.coordinates[axis.coordinate]
        children = [value('xyz', *axis.xyz)]
        children += _limit(coordinate, axis.scale, kind)
        if not axis.follows:
            children += _dynamics(coordinate)
        mimic = self._mimic(axis, group)
        if mimic is not None:
            children.append(mimic)
        return Element(tag, (), tuple(children))

    def _mimic(self, axis: Axis, group: int) -> Optional[Element]:
        """Return whom an axis mimics, None where nobody or where that cannot be said."""
        coordinate = self._model.coordinates[axis.coordinate]
        if axis.follows:
            leader, multiplier, offset = axis.coordinate, axis.scale, 0.0
        elif coordinate.mimic is not None:
            leader, multiplier, offset = coordinate.mimic
        else:
            return None
        driver = self._plan.drivers.get(leader)
        itself = not axis.follows and leader == axis.coordinate
        if self._version < MIMIC or driver is None or driver.group != group or itself:
            self._notes.add(
                codes.MIMIC_NOT_REPRESENTABLE,
                'these coordinates follow one that SDFormat cannot name here (it can since 1.11, '
                'in one model, another joint); the tie is left out', coordinate.name,
                coordinate.location)
            return None
        return Element('mimic', (('joint', driver.joint), ('axis', driver.axis)), (
            value('multiplier', multiplier), value('offset', offset), value('reference', 0.0)))


def _limit(coordinate: Coordinate, scale: float, kind: str) -> list[Element]:
    """Return the limits of ``scale * q``; SDFormat's own are infinite."""
    lower, upper = scale * coordinate.lower, scale * coordinate.upper
    if scale < 0.0:
        lower, upper = upper, lower
    limits = [] if kind == 'continuous' else [('lower', lower), ('upper', upper)]
    if scale != 0.0:
        limits += [
            ('effort', coordinate.effort / abs(scale)),
            ('velocity', coordinate.velocity * abs(scale))]
    children = tuple(value(tag, limit) for tag, limit in limits if not math.isinf(limit))
    return [Element('limit', (), children)] if children else []


def _dynamics(coordinate: Coordinate) -> list[Element]:
    facts = [('damping', coordinate.damping), ('friction', coordinate.friction)]
    if coordinate.spring_stiffness:
        facts += [
            ('spring_reference', coordinate.spring_reference),
            ('spring_stiffness', coordinate.spring_stiffness)]
    children = tuple(value(tag, fact) for tag, fact in facts if fact)
    return [Element('dynamics', (), children)] if children else []
