# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Coordinates that follow others, by ``<mimic>`` or through a gearbox.

A gearbox couples the angles of two bodies relative to a third: ``angle(child) = -ratio *
angle(parent)`` (SDF 1.12, ``gearbox_reference_body``). The parent's angle is about ``axis``, the
child's about ``axis2``. Where each of these is the angle of a joint on the reference body, the
child's coordinate follows the parent's.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.pose import compose, dot, rotate, Vector, Z_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE, find_leader
from hrdf_ros.readers.sdf.records import Joint, Scope
from hrdf_ros.readers.sdf.references import Resolved
from hrdf_ros.readers.sdf.tree import Frames

_PARALLEL = 1.0 - 1e-6
"""The cosine of the largest angle between axes that count as parallel."""

AxisKey = tuple[int, Union[str, int]]
"""
An axis of a joint: the index of the joint and the tag of the axis.

In an included Model of another format it is the index of the scope and that of the coordinate.
"""

_Ends = tuple[int, int]
"""The indices of the parent and child link; NONE is the world."""


class Coupling(NamedTuple):
    """A coordinate follows another: ``q = multiplier * q_leader + offset``."""

    leader: AxisKey
    multiplier: float
    offset: float = 0.0


class _Hinge(NamedTuple):
    """A joint that turns by ``speed`` times its coordinate about an axis in the root frame."""

    coordinate: AxisKey
    direction: Vector
    speed: float


class Couplings:
    """The couplings of a model or world, by the axis whose coordinate follows."""

    def __init__(self, items: Sequence[int], resolved: Resolved, report: Report) -> None:
        self.by_follower: dict[AxisKey, Coupling] = {}
        self._ahead: dict[AxisKey, AxisKey] = {}
        self._resolved = resolved
        self._report = report
        tree = resolved.frames.tree
        gearboxes = []
        for index in items:
            item = tree.items[index]
            if isinstance(item, Scope) and item.interface is not None:
                for number, coordinate in enumerate(item.interface.coordinates):
                    mimic = coordinate.mimic
                    if mimic is not None:
                        self._add((index, number), Coupling(
                            (index, mimic.leader), mimic.multiplier, mimic.offset))
            elif isinstance(item, Joint):
                for tag, axis in item.axes.items():
                    if axis.mimic is not None:
                        self._couple_mimic(index, tag, axis.mimic)
                joint = resolved.joints.get(index)
                if item.type == 'gearbox' and joint is not None and joint.reference != m.NONE:
                    gearboxes.append(index)
        if gearboxes:
            hinges = dict(_find_hinges(items, resolved))
            for gearbox in gearboxes:
                self._couple_gearbox(gearbox, hinges)

    def _add(self, follower: AxisKey, coupling: Coupling) -> bool:
        """
        Make a coordinate follow another; return whether that is possible.

        It is not if the coordinate follows one already, or if this would close a cycle.
        """
        if follower in self.by_follower or self._first(coupling.leader) == follower:
            return False
        self._ahead[follower] = coupling.leader
        self.by_follower[follower] = coupling
        return True

    def _first(self, axis: AxisKey) -> AxisKey:
        """Return the first leader of a chain, and shorten the path to it."""
        ahead = self._ahead
        while axis in ahead:
            ahead[axis] = ahead.get(ahead[axis], ahead[axis])
            axis = ahead[axis]
        return axis

    def _couple_mimic(self, follower: int, tag: str, mimic: TypedElement) -> None:
        """Make the axis of a joint follow another; an axis that would close a cycle stays free."""
        found = find_leader(follower, tag, mimic, self._resolved.frames, self._report)
        if found is None or not self._moves(follower, tag):
            return
        leader, axis = found
        multiplier, offset, reference = mimic.values_of('multiplier', 'offset', 'reference')
        if not self._moves(leader, axis):
            reason = 'which does not move'
        elif not self._add((follower, tag), Coupling(
                (leader, axis), multiplier, offset - multiplier * reference)):
            reason = 'because they would follow each other'
        else:
            return
        items = self._resolved.frames.tree.items
        self._report.add(
            codes.SDF_MIMIC_IGNORED,
            f"joint '{items[follower].name}' cannot follow '{items[leader].name}', {reason}",
            mimic.attribute_location('joint', 0))

    def _moves(self, index: int, tag: str) -> bool:
        """Return whether a joint has a coordinate for an axis."""
        joint = self._resolved.frames.joint(index)
        is_built = index in self._resolved.joints
        return is_built and joint.type != 'gearbox' and tag in AXES_OF_TYPE[joint.type]

    def _couple_gearbox(self, index: int, hinges: dict[_Ends, _Hinge]) -> None:
        """Make the child's coordinate follow the parent's."""
        frames, joint = self._resolved.frames, self._resolved.joints[index]
        gearbox = frames.joint(index)
        reference = frames.link_of(joint.reference)
        leader, follower = (
            _turn(frames.link_of(body), reference, _direction(index, tag, self._resolved), hinges)
            for body, tag in ((joint.parent, 'axis'), (frames.bodies[index], 'axis2')))
        if leader is not None and follower is not None:
            (ahead, speed), (behind, own_speed) = leader, follower
            ratio = gearbox.element.number('gearbox_ratio')
            old = self.by_follower.get(behind)
            if old is not None and old.leader == ahead or self._add(
                    behind, Coupling(ahead, -ratio * speed / own_speed)):
                return
        self._report.add(
            codes.SDF_GEARBOX_WITHOUT_EFFECT,
            f"gearbox '{gearbox.name}' does not couple two joints that turn on its reference "
            'body about its axes; both sides stay free', gearbox.location)


def _direction(index: int, tag: str, resolved: Resolved) -> Vector:
    """Return an axis of a joint in the root frame; a joint without this axis has z instead."""
    axis = resolved.joints[index].axes.get(tag)
    return rotate(
        resolved.frames.root_pose(index), Z_AXIS if axis is None else axis.direction)


def _turn(
    body: int, reference: int, direction: Vector, hinges: dict[_Ends, _Hinge],
) -> Optional[tuple[AxisKey, float]]:
    """Return the coordinate and the speed that turn a body about a direction, None for none."""
    ahead, back = hinges.get((reference, body)), hinges.get((body, reference))
    hinge = ahead or back
    if hinge is None:
        return None
    along = dot(hinge.direction, direction)
    if abs(along) < _PARALLEL or hinge.speed == 0.0:
        return None
    is_along = (along > 0.0) == (hinge is ahead)
    return hinge.coordinate, hinge.speed if is_along else -hinge.speed


def _find_hinges(items: Sequence[int], resolved: Resolved) -> Iterator[tuple[_Ends, _Hinge]]:
    """Yield the joints that turn about one axis, by the links that they connect."""
    frames = resolved.frames
    for index in items:
        item = frames.tree.items[index]
        if isinstance(item, Scope) and item.interface is not None:
            yield from _interface_hinges(index, item.interface, frames)
        elif (isinstance(item, Joint) and item.type in ('revolute', 'continuous')
                and index in resolved.joints):
            ends = frames.link_of(resolved.joints[index].parent), frames.link_of(
                frames.bodies[index])
            yield ends, _Hinge((index, 'axis'), _direction(index, 'axis', resolved), 1.0)


def _interface_hinges(
    scope: int, model: m.Model, frames: Frames,
) -> Iterator[tuple[_Ends, _Hinge]]:
    """Yield the joints of an included Model of another format."""
    links = frames.tree.links(scope)
    for joint in model.joints:
        if len(joint.motions) == 1 and joint.motions[0].kind == 'revolute':
            motion, child = joint.motions[0], links[joint.child]
            root_from_joint = compose(frames.root_pose(child), joint.child_from_joint)
            yield (links[joint.parent], child), _Hinge(
                (scope, motion.coordinates[0]), rotate(root_from_joint, motion.axis),
                motion.scale)
