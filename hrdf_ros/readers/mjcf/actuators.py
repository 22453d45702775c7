# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The defaults of actuators: MuJoCo keeps one record per class for actuators of all tags.

The elements of the classes change the record in the order of the file, and the actuator itself
does so last. Where all these elements have the tag of the actuator, attributes of the actuator can
say the same; otherwise the classes are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
import itertools
import math
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.readers.mjcf.actuator_faults import (
    faults,
    faults_of_element,
    faults_of_states,
    inherits_range,
    is_limit,
    Target,
)
from hrdf_ros.readers.mjcf.actuator_record import (
    BLANK,
    changed,
    NONE,
    Range,
    Record,
    within,
)
from hrdf_ros.readers.mjcf.bodies import JointNode
from hrdf_ros.readers.mjcf.elements import Classes, Item, Scope
from hrdf_ros.readers.mjcf.refusals import driven
from hrdf_ros.readers.schema import TypedElement

_NEVER_ALONE = ('dcmotor', 'plugin')
"""Tags of actuators whose own attributes cannot say what defaults of the same tag give them."""
_CONFLICTS = (
    ('area', 'diameter'), ('kv', 'dampratio'), ('ctrlrange', 'posrange'),
    ('inheritrange', 'ctrlrange'), ('inheritrange', 'posrange'), ('inheritrange', 'actrange'))
"""Groups of attributes that exclude each other; the last one given counts."""
_IDLE = ('cranklength', 'slidersite', 'refsite')
"""Attributes that only a class may give to an actuator that does not need them."""


class Records:
    """The records of actuators and of default classes; those of classes are made once."""

    def __init__(self) -> None:
        self.faults: list[tuple[TypedElement, str]] = []
        self._after: dict[int, Record] = {}

    def of(self, item: Item) -> Record:
        """Return the record of an actuator."""
        return changed(self.after(item.defaults, item.scope.classes), item.element)

    def after(self, chain: Sequence[TypedElement], classes: Classes) -> Record:
        """Return the record that results from the elements of a class, given nearest first."""
        new = [*itertools.takewhile(lambda one: id(one) not in self._after, chain)]
        record, last = BLANK, None
        if len(new) < len(chain):
            last = chain[len(new)]
            record = self._after[id(last)]
        for element in reversed(new):
            if last is not None and classes.name_of(last) != classes.name_of(element):
                record = within(record)
            record = self._after[id(element)] = changed(record, element)
            self.faults += [(element, reason) for reason in faults_of_element(record, element)]
            last = element
        return record


def check_classes(scope: Scope) -> None:
    """Report the elements in default classes that MuJoCo refuses, used or not."""
    records = Records()
    for chain in scope.classes.chains('actuator'):
        records.after(chain, scope.classes)
    for element, reason in records.faults:
        Item(element, scope).add(codes.MJCF_NOT_ALLOWED, f'<{element.tag}>: {reason}')


def check_actuator(
    item: Item, record: Record, joints: Mapping[str, JointNode], tendons: Mapping[str, Item],
) -> None:
    """Report an actuator that MuJoCo refuses for its numbers or for what it drives."""
    reasons = [*faults_of_element(record, item.element)]
    name = item.scope.rename(item.value(driven(item)) or '')
    joint = joints.get(name) if driven(item) in ('joint', 'jointinparent') else None
    if joint is not None or driven(item) not in ('joint', 'jointinparent'):
        target = _target(item, joint, tendons.get(name))
        reasons += faults(record, target)
        if inherits_range(record) and target.range is not None:
            record = _with_inherited(record, target.range)
    if item.tag != 'plugin':
        reasons += faults_of_states(record)
    if record.gaintype == 'dcmotor' and record.inputs == NONE and (
            item.number('delay') > 0.0 or item.value('nsample', 0) > 0):
        reasons.append('a delay needs an input')
    if 'muscle' in (record.gaintype, record.biastype) and joint is not None:
        _check_length(item, record, joint)
    for reason in reasons:
        item.add(codes.MJCF_NOT_ALLOWED, f'<{item.tag}>: {reason}')
    if not reasons:
        _check_limits(item, record)


def _target(item: Item, joint: Optional[JointNode], tendon: Optional[Item]) -> Target:
    driving = driven(item)
    has_range = joint is not None and joint.kind in ('hinge', 'slide')
    source = joint.item if joint is not None and has_range else tendon
    return Target(
        driving, '' if joint is None else joint.kind,
        None if source is None else source.value('range', (0.0, 0.0)), bool(item.value('refsite')))


def _with_inherited(record: Record, limits: Range) -> Record:
    """Return a record with the range that it inherits from its joint or tendon."""
    middle = 0.5 * (limits[0] + limits[1])
    half = 0.5 * (limits[1] - limits[0]) * record.inheritrange
    inherited = (middle - half, middle + half)
    return record._replace(actrange=inherited) if record.dyntype == 'integrator' else (
        record._replace(ctrlrange=inherited))


def _check_limits(item: Item, record: Record) -> None:
    """Report limits in the wrong order, and limits of an activation that does not exist."""
    is_free = record.gaintype == 'so3' and record.actlimited == 'true' and not any(record.actrange)
    for name, word, limits in (
            ('forcerange', record.forcelimited, record.forcerange),
            ('ctrlrange', record.ctrllimited, record.ctrlrange),
            ('actrange', 'false' if is_free else record.actlimited, record.actrange)):
        switch = name.replace('range', 'limited')
        if word == 'true' and limits[0] >= limits[1]:
            item.add(
                codes.LIMITS_REVERSED,
                f"<{item.tag}>: '{name}' is a limit, but {limits[0]!r} is not below {limits[1]!r}",
                name, severity='error')
        elif word == 'auto' and any(limits) and not item.scope.compiler.autolimits:
            item.add(
                codes.MJCF_NOT_ALLOWED, f"'{name}' without '{switch}' requires autolimits", name,
                hint=f'add {switch}="true"')
        elif name == 'actrange' and record.dyntype == 'none' and is_limit(word, limits):
            item.add(
                codes.MJCF_NOT_ALLOWED,
                f'<{item.tag}>: it has a range of activation, but no dynamics')


def _check_length(item: Item, record: Record, joint: JointNode) -> None:
    """Report a muscle whose range of lengths MuJoCo looks for and does not find."""
    root = item.scope.root
    is_endless = joint.kind in ('hinge', 'slide') and any(
        math.isinf(one.upper) for one in joint.coordinates)
    if record.lengthrange[0] >= record.lengthrange[1] and is_endless and not any(
            root.all('equality') + root.all('tendon')) and not any(
                section.children for section in root.all('compiler')):
        item.add(
            codes.MJCF_NOT_ALLOWED,
            f"<{item.tag}>: MuJoCo finds no range of lengths for joint '{joint.name}', which has "
            'no limits', hint='give the actuator a lengthrange, or the joint a range')


class ActuatorClasses:
    """The default classes of those actuators whose own attributes cannot say the same."""

    def __init__(self) -> None:
        self._names: dict[tuple[int, ...], str] = {}
        self._chains: list[tuple[Scope, Sequence[TypedElement]]] = []

    def name_for(self, item: Item) -> Optional[str]:
        """Return the class that an actuator needs, None where it needs none."""
        if not item.defaults or not _needs_class(item):
            return None
        key = tuple(map(id, item.defaults))
        if key not in self._names:
            self._names[key] = f'actuator_{len(self._names) + 1}'
            self._chains.append((item.scope, item.defaults))
        return self._names[key]

    def __iter__(self) -> Iterator[tuple[Scope, list[tuple[str, list[TypedElement]]]]]:
        """Yield the file of each class, and names and elements of its levels, outermost first."""
        for name, (scope, chain) in zip(self._names.values(), self._chains):
            levels: list[list[TypedElement]] = []
            classes = [scope.classes.name_of(element) for element in chain]
            for element, own, outer in zip(
                    reversed(chain), reversed(classes), [None, *reversed(classes)]):
                if own != outer or any(one.tag == element.tag for one in levels[-1]):
                    levels.append([])
                levels[-1].append(element)
            last = len(levels) - 1
            yield scope, [
                (name if index == last else f'{name}_{index + 1}', level)
                for index, level in enumerate(levels)]


def _needs_class(item: Item) -> bool:
    tags = {element.tag for element in item.defaults}
    return tags != {item.tag} or item.tag in _NEVER_ALONE or any(
        all(map(item.has, names)) for names in _CONFLICTS) or any(
            item.has(name) and name not in item.element.attributes for name in _IDLE)
