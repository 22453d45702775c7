# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Write the SDFormat document of a lowered Model.

Source names are the scoped names in the file: ``model::link`` is in a model, a name without a
scope is beside the models of a world, and the body ``world`` is the world itself.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
import math
import os
from typing import TypeVar

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.fields import stated
from hrdf_ros.formats import DEFAULT_SDF, sdf_has, sdf_number
from hrdf_ros.listing import listed
from hrdf_ros.load_result import require_model
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import sdf_target, Target
from hrdf_ros.pose import IDENTITY, relative
from hrdf_ros.writers.files import NamedFile, with_uris, Written
from hrdf_ros.writers.sdf.links import (
    link_element,
    local_name,
    pose_element,
    SUBNORMAL,
    text,
    value,
)
from hrdf_ros.writers.sdf.unknown import report_unknown
from hrdf_ros.writers.xml import element, number, raws, serialize
from lxml import etree

_IMPLICIT = ('link', 'joint', 'world')
"""The kinds of frames that SDFormat has without an element."""
_AXES = ('axis', 'axis2')
_Item = TypeVar('_Item', m.Body, m.Joint, m.Constraint, m.Frame)
_Indexed = tuple[int, etree._Element]
"""An index in one of the Model's tables, and the element of the item there."""


def write_sdf(
    model: m.Model, *, version: str = DEFAULT_SDF, flatten: bool = False,
) -> tuple[str, Report]:
    """
    Return the Model as SDFormat, and a report of what SDFormat cannot express.

    ``version`` is one of SDF_VERSIONS; any other raises ValueError. Nested models of SDFormat
    stay, unless ``flatten`` makes one model of them. Poses are those of the zero configuration,
    and numbers read back as the same numbers. Versions before 1.11 lack mimic and cone; versions
    before 1.10 lack joints between the models of a world, and ``screw_thread_pitch``.

    >>> from hrdf_ros import load_model, write_sdf
    >>> text, report = write_sdf(load_model('examples/hrdf/arm_6dof.hrdf'))
    >>> text.splitlines()[1], report.ok
    ('<sdf version="1.11">', True)
    """
    require_model(model, 'write_sdf')
    written = make_sdf(model, sdf_target(version, flat=flatten))
    return written.text, written.report


def make_sdf(model: m.Model, target: Target) -> Written:
    """Return a Model as SDFormat, lowered to the version that the target states."""
    lowered = lower(model, target)
    top = _Writer(with_uris(lowered.model, _absolute)).top()
    _report_subnormal(top, lowered.report)
    if 'gazebo' not in model.conventions.read_by:
        report_unknown(lowered.model, lowered.report)
    text = serialize(element('sdf', {'version': target.version}, (top,)))
    return Written(text, lowered.report, {}, lowered=lowered.model)


def _absolute(named: NamedFile) -> NamedFile:
    """Return the URI of a file; a path relative to the source becomes absolute."""
    if named.file is None or '://' in named.uri:
        return named
    return named._replace(uri=f'file://{os.path.abspath(named.file)}')


def _report_subnormal(top: etree._Element, report: Report) -> None:
    """Report the numbers that became 0, and remove the marks of their elements."""
    names = []
    for marked in top.findall(f'.//*[@{SUBNORMAL}]'):
        del marked.attrib[SUBNORMAL]
        owner = next(each for each in marked.iterancestors() if 'name' in each.attrib)
        names.append(f"{owner.get('name')}: {marked.tag}")
    if names:
        report.add(
            codes.DETAIL_NOT_REPRESENTABLE,
            'SDFormat has no numbers nearer to 0 than 2.2e-308; they are written as 0: '
            f'{listed(names)}', subjects=tuple(names))


def _by_scope(items: Iterable[_Item]) -> defaultdict[str, list[tuple[int, _Item]]]:
    """Return the items of each model with their indices, those of the world under ''."""
    found: defaultdict[str, list[tuple[int, _Item]]] = defaultdict(list)
    for index, item in enumerate(items):
        found[item.source_name.rpartition('::')[0]].append((index, item))
    return found


class _Writer:
    """Writes one lowered Model."""

    def __init__(self, model: m.Model) -> None:
        self._model = model
        self._extensions = defaultdict[str, list[m.RawElement]](list)
        for extension in model.extensions:
            self._extensions[extension.owner].append(extension)
        self._included = {each.owner for each in model.extensions if each.tag == 'include'}
        self._links = _by_scope(model.bodies)
        self._joints = _by_scope(model.joints)
        self._gearboxes = _by_scope(model.constraints)
        self._frames = _by_scope(each for each in model.frames if each.kind not in _IMPLICIT)
        self._poses = {
            frame.name: frame.pose for frame in reversed(model.frames) if frame.kind == 'joint'}
        self._axes: dict[int, tuple[str, str]] = {}
        """The joint and the axis of each coordinate."""
        for joint in model.joints:
            for tag, motion in zip(_AXES, joint.motions):
                self._axes.setdefault(
                    motion.coordinates[0], (local_name(joint.source_name), tag))
        self._first: dict[int, tuple[int, int]] = {}
        """The first body and the first joint in each model, or NONE."""

    def top(self) -> etree._Element:
        """Return the ``<world>`` or the ``<model>``."""
        model = self._model
        models = self._models()
        if not model.is_world:
            return models[0]
        gravity = [value('gravity', *model.gravity)] if model.gravity is not None else []
        return element('world', {'name': model.name}, (
            *gravity, *models, *(joint for _, joint in self._joint_elements('')),
            *self._parts('')))

    def _parts(self, scope: str) -> Iterator[etree._Element]:
        """Yield the frames and the raw XML of a model; the scope '' is that of the world."""
        for _, frame in self._frames[scope]:
            yield element('frame', {
                'name': local_name(frame.source_name),
                'attached_to': self._reference(frame.body, scope)}, pose_element(frame.pose))
        yield from raws(self._extensions[scope], 'sdf')

    def _reference(self, body: int, scope: str) -> str:
        """Return the name of a link as seen from a model around it, or from the world for ''."""
        name = self._model.bodies[body].source_name
        owner = name.rpartition('::')[0]
        if owner in self._included:
            name = owner  # the raw XML of a missing include is written by its model
        return name.removeprefix(f'{scope}::') if scope else name

    # ---- models

    def _models(self) -> list[etree._Element]:
        """Return the models that are in no other model; inner models are built first."""
        built = defaultdict[int, list[_Indexed]](list)
        for index in reversed(range(len(self._model.scopes))):
            scope = self._model.scopes[index]
            nested = built.pop(index, [])[::-1]
            own = (
                [at for at, _ in self._links[scope.source_name]],
                [at for at, _ in self._joints[scope.source_name]])
            body, joint = (
                min((at for at in (*found, *(self._first[inner][place] for inner, _ in nested))
                     if at != m.NONE), default=m.NONE)
                for place, found in enumerate(own))
            self._first[index] = body, joint
            built[scope.parent].append((index, self._model_element(scope, nested)))
        return [model for _, model in reversed(built[m.NONE])]

    def _model_element(self, scope: m.ModelScope, nested: list[_Indexed]) -> etree._Element:
        name = scope.source_name
        if name in self._included:
            return raws([
                each for each in self._extensions[name] if each.tag == 'include'], 'sdf')[0]
        links = self._links[name]
        attributes = {'name': local_name(name)}
        if scope.namespace:
            attributes['namespace'] = scope.namespace
        implied = links[0][0] if links else next(
            (self._model.scopes[index].canonical_body for index, _ in nested), m.NONE)
        if scope.canonical_body not in (m.NONE, implied):
            attributes['canonical_link'] = self._reference(scope.canonical_body, name)
        above = IDENTITY if scope.parent == m.NONE else self._model.scopes[scope.parent].pose
        return element('model', attributes, (
            *([text('static', 'true')] if scope.static else []),
            *pose_element(relative(above, scope.pose)), *self._content(scope, nested),
            *self._parts(name)))

    def _content(
        self, scope: m.ModelScope, nested: list[_Indexed],
    ) -> Iterator[etree._Element]:
        """
        Yield links, nested models and joints in the order of the Model.

        The order decides which joint closes a loop.
        """
        links = deque(self._links[scope.source_name])
        joints = deque(self._joint_elements(scope.source_name))
        for index, model in nested:
            body, joint = self._first[index]
            while links and links[0][0] < body:
                yield link_element(links.popleft()[1], scope.pose)
            while joints and joints[0][0] < joint:
                yield joints.popleft()[1]
            yield model
        yield from (link_element(link, scope.pose) for _, link in links)
        yield from (joint for _, joint in joints)

    # ---- joints

    def _joint_elements(self, scope: str) -> list[_Indexed]:
        """Return the joints of a model, or those of the world for '', and then its gearboxes."""
        last = len(self._model.joints)
        return [
            *((index, self._joint(joint, scope)) for index, joint in self._joints[scope]),
            *((last, self._gearbox(each, scope)) for _, each in self._gearboxes[scope])]

    def _joint(self, joint: m.Joint, scope: str) -> etree._Element:
        parent, child = (
            self._reference(body, scope) for body in (joint.parent, joint.child))
        made = element('joint', {'name': local_name(joint.source_name), 'type': joint.type}, (
            *pose_element(joint.child_from_joint), text('parent', parent), text('child', child)))
        if joint.type == 'screw':
            made.append(self._pitch(math.tau * joint.motions[0].scale))
        if joint.type != 'ball':
            made.extend(map(self._axis, _AXES, joint.motions))
        made.extend(raws(joint.extensions, 'sdf'))
        return made

    def _pitch(self, pitch: float) -> etree._Element:
        """Return the pitch in meters per turn; old versions have left-handed radians per meter."""
        if sdf_has(sdf_number(self._model.version), 'screw_thread_pitch'):
            return value('screw_thread_pitch', pitch)
        return value('thread_pitch', -math.tau / pitch)

    def _gearbox(self, gearbox: m.Constraint, scope: str) -> etree._Element:
        """Return the ``<joint>`` of a gearbox, whose axes are given in the joint's frame."""
        values = dict(gearbox.values)
        parent, child, *others = (
            self._reference(body, scope) for body in gearbox.bodies)
        made = element('joint', {'name': local_name(gearbox.source_name), 'type': 'gearbox'}, (
            *pose_element(self._poses.get(gearbox.name, IDENTITY)), text('parent', parent),
            text('child', child), value('gearbox_ratio', values.get('ratio', 1.0))))
        if others:
            made.append(text('gearbox_reference_body', others[0]))
        for tag in _AXES:
            if f'{tag}_x' in values:
                xyz = (values[f'{tag}_{letter}'] for letter in 'xyz')
                made.append(element(tag, None, (value('xyz', *xyz),)))
        return made

    def _axis(self, tag: str, motion: m.Motion) -> etree._Element:
        coordinate = self._model.coordinates[motion.coordinates[0]]
        made = element(tag, None, (value('xyz', *motion.axis), *_numbers(coordinate)))
        if coordinate.mimic is not None:
            _, multiplier, offset = coordinate.mimic
            joint, axis = self._axes[coordinate.mimic.leader]
            made.append(element('mimic', {'joint': joint, 'axis': axis}, (
                value('multiplier', multiplier), value('offset', offset),
                value('reference', 0.0))))
        return made


def _numbers(coordinate: m.Coordinate) -> Iterator[etree._Element]:
    """Yield limits and dynamics, except those that equal the default."""
    for tag in ('limit', 'dynamics'):
        places = stated(coordinate, 'sdf', tag)
        attributes = {
            name[1:]: number(each) for name, each in places.items() if name.startswith('@')}
        children = [
            value(name, each) for name, each in places.items() if not name.startswith('@')]
        if places:
            yield element(tag, attributes, children)
