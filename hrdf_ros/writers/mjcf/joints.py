# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joints of a body, their numbers in ``qpos``, and mimics and loops as equality constraints."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
import math
from types import MappingProxyType

from hrdf_ros.fields import stated
from hrdf_ros.lowering.mjcf import is_free
from hrdf_ros.model import Coordinate, Joint, Model, Motion, RawElement
from hrdf_ros.names import Names
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose, rotate
from hrdf_ros.topology import displacement, with_followers
from hrdf_ros.writers.xml import element, number, numbers
from lxml import etree

Kept = Mapping[tuple[str, str], Mapping[str, str]]
"""The attributes that were kept from elements of the source, by tag and name."""
_TYPES = {'revolute': 'hinge', 'prismatic': 'slide', 'rotation_vector': 'ball'}
_FORCE = 'actuatorfrcrange'
_WIDE = 1e10
"""The value that is written for an absent limit beside a given one: MuJoCo needs both."""


def kept_in(
    extensions: Iterable[RawElement], key: str = 'name',
) -> dict[tuple[str, str], dict[str, str]]:
    """Return the kept attributes of MJCF elements without their names, by tag and name."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for extension in extensions:
        if 'mjcf' in extension.held_by:
            attributes = dict(etree.fromstring(extension.text).attrib)
            found.setdefault((extension.tag, attributes.pop(key, '')), attributes)
    return found


def initial_values(model: Model, given: Mapping[int, float] = MappingProxyType({})) -> list[float]:
    """Return the value of each coordinate: the given or initial one, or that by its leader."""
    return with_followers(model.coordinates, [
        given.get(index, one.initial_position if one.mimic is None else None)
        for index, one in enumerate(model.coordinates)])


class JointWriter:
    """
    Writes the joints of one Model; the joints that close loops become constraints.

    The pose of a body is written in the initial configuration, MuJoCo's ``qpos0``, in which
    ``ref`` is the position of each joint; a ball begins without rotation. ``sites`` says by body
    where a loop closes, and ``names`` are the names of all sites. MuJoCo's own actuators limit the
    effort of joints that are ``driven``, so these have only the range that was kept, unless their
    effort was changed; ``exceeding`` are those with more effort than their actuators give.
    """

    def __init__(self, model: Model, names: Names, driven: Collection[str]) -> None:
        self._model, self._names, self._driven = model, names, driven
        self._initial = initial_values(model)
        self.sites: dict[int, list[etree._Element]] = defaultdict(list)
        self.exceeding: list[Coordinate] = []

    def parent_from_child(self, chain: Sequence[Joint]) -> Pose:
        """Return the pose of a body in its parent in the initial configuration."""
        pose = IDENTITY
        for joint in chain:
            pose = compose(pose, joint.parent_from_joint)
            for motion in joint.motions:
                pose = compose(pose, self._start(joint, motion))
            pose = compose(pose, inverse(joint.child_from_joint))
        return pose

    def _start(self, joint: Joint, motion: Motion) -> Pose:
        if motion.kind == 'rotation_vector' and not is_free(joint, self._model):
            return IDENTITY
        return displacement(motion, [self._initial[index] for index in motion.coordinates])

    def elements(self, chain: Sequence[Joint]) -> Iterator[etree._Element]:
        """Yield the joints of a body, one for each motion, in their order."""
        if is_free(chain[0], self._model):
            yield self._free(chain[0], kept_in(chain[0].extensions))
            return
        found = []
        body_from_motion = IDENTITY
        for joint in reversed(chain):
            body_from_motion = compose(body_from_motion, joint.child_from_joint)
            for motion in reversed(joint.motions):
                found.append(self._element(joint, motion, body_from_motion))
                body_from_motion = compose(body_from_motion, inverse(self._start(joint, motion)))
            body_from_motion = compose(body_from_motion, inverse(joint.parent_from_joint))
        yield from reversed(found)

    def _element(self, joint: Joint, motion: Motion, body_from_motion: Pose) -> etree._Element:
        first = self._model.coordinates[motion.coordinates[0]]
        name = first.name if len(motion.coordinates) == 1 else first.name.removesuffix('_x')
        attributes = {'name': name, 'type': _TYPES[motion.kind]}
        if motion.kind != 'prismatic' and any(body_from_motion.position):
            attributes['pos'] = numbers(body_from_motion.position)
        if motion.kind != 'rotation_vector':
            attributes['axis'] = numbers(rotate(body_from_motion, motion.axis))
            first = first._replace(initial_position=self._initial[motion.coordinates[0]])
        kept = kept_in(joint.extensions)
        force: Mapping[str, str] = {}
        if name in self._driven:
            first, force = self._beside_actuators(first, kept)
        values, own = _values(first), kept.get(('joint', name), {})
        if 'range' in values:  # a range that did not count in the file is not kept
            own = {key: text for key, text in own.items() if key not in ('range', 'limited')}
        return element('joint', {**attributes, **values, **force, **own})

    def _beside_actuators(
        self, coordinate: Coordinate, kept: Kept,
    ) -> tuple[Coordinate, Mapping[str, str]]:
        """
        Return a coordinate of a driven joint with the effort to write, and the range to keep.

        As long as the effort of the coordinate is the one that was read, the range of the source
        is kept.
        """
        force = kept.get((_FORCE, coordinate.name), {})
        given = float(kept.get(('effort', coordinate.name), {}).get('effort', 'inf'))
        own = float(force.get(_FORCE, 'inf').split()[-1])
        if coordinate.effort == min(given, own):
            return coordinate._replace(effort=math.inf), force
        if coordinate.effort > given:
            self.exceeding.append(coordinate)
        return coordinate, {}

    def _free(self, joint: Joint, kept: Kept) -> etree._Element:
        """Return a free joint; only a ``<joint>`` can have damping and the like."""
        first = self._model.coordinates[joint.motions[0].coordinates[0]]
        values = _values(first._replace(initial_position=0.0))
        of_joint = {**values, **kept.get(('joint', joint.name), {})}
        if of_joint:
            return element('joint', {'name': joint.name, 'type': 'free', **of_joint})
        return element('freejoint', {
            'name': joint.name, **kept.get(('freejoint', joint.name), {})})

    # ---- constraints

    def mimics(self) -> Iterator[etree._Element]:
        """Yield a constraint for each mimic coordinate, relative to the initial positions."""
        coordinates = self._model.coordinates
        scalar = {
            motion.coordinates[0] for joint in self._model.joints for motion in joint.motions
            if motion.kind != 'rotation_vector'}
        kept = kept_in((one for one in self._model.extensions if one.tag == 'mimic'), 'joint1')
        for index, coordinate in enumerate(coordinates):
            mimic = coordinate.mimic
            if mimic is None or not scalar >= {index, mimic.leader}:
                continue
            constant = (
                mimic.multiplier * self._initial[mimic.leader] + mimic.offset
                - self._initial[index])
            yield element('joint', {
                **kept.get(('mimic', coordinate.name), {}), 'joint1': coordinate.name,
                'joint2': coordinates[mimic.leader].name,
                'polycoef': numbers((constant, mimic.multiplier, 0.0, 0.0, 0.0))})

    def loop(self, joint: Joint) -> Iterator[etree._Element]:
        """
        Yield the constraint that closes a loop; a hinge takes two, at two points of its axis.

        A loop that is closed in the initial configuration is written by its bodies, or by the
        sites that it had.
        """
        tag = 'connect' if joint.motions else 'weld'
        if not self._model.conventions.closes_loops_initially:
            yield element(tag, self._between(joint, '', IDENTITY))
            if [motion.kind for motion in joint.motions] == ['revolute']:
                yield element(
                    'connect', self._between(joint, '_axis', Pose(*joint.motions[0].axis)))
            return
        bodies = self._model.bodies
        kept = kept_in(joint.extensions).get((tag, joint.name), {})
        at = joint.parent_from_joint if joint.motions else joint.child_from_joint
        between = {} if 'site1' in kept else {
            'body1': bodies[joint.parent].name, 'body2': bodies[joint.child].name,
            'anchor': numbers(at.position)}
        yield element(tag, {'name': joint.name, **between, **kept})

    def _between(self, joint: Joint, suffix: str, point: Pose) -> dict[str, str]:
        """Return a constraint between two new sites at a point of the joint."""
        found = {'name': joint.name + suffix}
        for count, (side, body, pose) in enumerate((
                ('parent', joint.parent, joint.parent_from_joint),
                ('child', joint.child, joint.child_from_joint)), 1):
            name = found[f'site{count}'] = self._names.claim(f'{joint.name}_{side}{suffix}')
            self.sites[body].append(element(
                'site', {'name': name, **pose_attributes(compose(pose, point))}))
        return found


def pose_attributes(pose: Pose) -> dict[str, str]:
    """Return ``pos`` and ``quat`` (w x y z) of a pose, each only if it is not the default."""
    x, y, z, w = pose.orientation
    return {
        **({'pos': numbers(pose.position)} if any(pose.position) else {}),
        **({'quat': numbers((w, x, y, z))} if x or y or z else {})}


def positions(joint: Joint, values: Sequence[float]) -> Iterator[float]:
    """Yield the numbers of a joint in ``qpos`` at the values of all coordinates."""
    for motion in joint.motions:
        own = [values[index] for index in motion.coordinates]
        if motion.kind == 'rotation_vector':
            x, y, z, w = displacement(motion, own).orientation
            own = [w, x, y, z]
        yield from own


def _values(coordinate: Coordinate) -> dict[str, str]:
    """Return limits and dynamics of a coordinate, except those that equal the default."""
    found = {
        name: number(value) for name, value in stated(coordinate, 'mjcf', 'joint').items()}
    if math.isfinite(coordinate.lower) or math.isfinite(coordinate.upper):
        found['range'] = numbers(
            limit if math.isfinite(limit) else math.copysign(_WIDE, limit)
            for limit in (coordinate.lower, coordinate.upper))
    if coordinate.effort < math.inf:
        found[_FORCE] = numbers((-coordinate.effort, coordinate.effort))
    return found
