# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<joint>`` elements of SDFormat, and the scoped names that they use, ``model::link``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
import math
from typing import NamedTuple, Protocol, TypeVar

from hrdf_ros.fields import placed
from hrdf_ros.model import Constraint, Coordinate, Joint, Mimic, Model, Motion, NONE
from hrdf_ros.pose import IDENTITY
from hrdf_ros.writers.sdf.links import local_name, pose_element, text, value
from hrdf_ros.writers.xml import element, raws
from lxml import etree

_SCREW_THREAD_PITCH = ('1.10', '1.11', '1.12')


# ---- names

class _Scoped(Protocol):
    @property
    def source_name(self) -> str: ...


_Item = TypeVar('_Item')
_ScopedItem = TypeVar('_ScopedItem', bound=_Scoped)
Indexed = tuple[int, _Item]
"""An index in one of the Model's tables, and the item there."""


def by_scope(items: Iterable[_ScopedItem]) -> defaultdict[str, list[Indexed[_ScopedItem]]]:
    """Return the items of each model, those of the world under ''."""
    found: defaultdict[str, list[Indexed[_ScopedItem]]] = defaultdict(list)
    for index, item in enumerate(items):
        found[item.source_name.rpartition('::')[0]].append((index, item))
    return found


def first_in_scopes(model: Model) -> dict[str, tuple[int, int]]:
    """Return the index of the first body and of the first joint in each model, or NONE."""
    found = {scope.source_name: (NONE, NONE) for scope in model.scopes}
    tables: tuple[Sequence[_Scoped], ...] = (model.bodies, model.joints)
    for place, items in enumerate(tables):
        for index in reversed(range(len(items))):
            scope = items[index].source_name.rpartition('::')[0]
            while scope in found:
                body, joint = found[scope]
                found[scope] = (body, index) if place else (index, joint)
                scope = scope.rpartition('::')[0]
    return found


def body_names(model: Model) -> list[str]:
    """Return how references name each body: that of a missing include by its model."""
    includes = {each.owner for each in model.extensions if each.tag == 'include'}
    scopes = (body.source_name.rpartition('::')[0] for body in model.bodies)
    return [
        scope if scope in includes else body.source_name
        for scope, body in zip(scopes, model.bodies)]


def reference(source_name: str, scope: str) -> str:
    """Return how a link is named from a model around it, or from the world for ''."""
    return source_name.removeprefix(f'{scope}::') if scope else source_name


# ---- joints

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
