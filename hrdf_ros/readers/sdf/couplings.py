# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Coordinates that follow others, by ``<mimic>`` or through a gearbox.

A gearbox couples the angles of two bodies against a third: ``angle(child) = -ratio *
angle(parent)`` (SDF 1.12, ``gearbox_reference_body``), the parent's about ``axis``, the child's
about ``axis2``. Where each of them is the angle of a joint on the reference body, the child's
coordinate follows the parent's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.pose import compose, dot, rotate, Vector
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE
from hrdf_ros.readers.sdf.references import find_leader
from hrdf_ros.readers.sdf.scopes import Axis, Joint, Scope, ScopedElement

_PARALLEL = 1.0 - 1e-6

_Ends = tuple[Optional[ScopedElement], Optional[ScopedElement]]
"""The links that are parent and child; None is the world."""


class Coupling(NamedTuple):
    """A coordinate follows another: ``q = multiplier * q_leader + offset``."""

    leader: Axis
    multiplier: float
    offset: float = 0.0


class _Hinge(NamedTuple):
    """A joint that turns about one axis in the root, by ``speed`` times its coordinate."""

    coordinate: Axis
    direction: Vector
    speed: float


class Couplings:
    """The couplings of a model or world, by the axis whose coordinate follows."""

    def __init__(self, items: Sequence[ScopedElement], report: Report) -> None:
        self.by_follower: dict[Axis, Coupling] = {}
        self._ahead: dict[Axis, Axis] = {}
        self._report = report
        gearboxes = []
        for item in items:
            if isinstance(item, Scope):
                for axis in item.axes:
                    mimic = axis.coordinate.mimic
                    if mimic is not None:
                        self._add(axis, Coupling(
                            item.axes[mimic.leader], mimic.multiplier, mimic.offset))
            elif isinstance(item, Joint):
                for tag, axis in item.axes.items():
                    if axis.mimic is not None:
                        self._couple_mimic(item, tag, axis.mimic)
                if item.type == 'gearbox' and item.reference is not None:
                    gearboxes.append(item)
        if gearboxes:
            hinges = dict(_find_hinges(items))
            for gearbox in gearboxes:
                self._couple_gearbox(gearbox, hinges)

    def _add(self, follower: Axis, coupling: Coupling) -> bool:
        """
        Make a coordinate follow another; return whether it can.

        It cannot if it follows one already, or if that would close a cycle.
        """
        if follower in self.by_follower or self._first(coupling.leader) is follower:
            return False
        self._ahead[follower] = coupling.leader
        self.by_follower[follower] = coupling
        return True

    def _first(self, axis: Axis) -> Axis:
        """Return the first leader of a chain, and shorten the path to it."""
        ahead = self._ahead
        while axis in ahead:
            ahead[axis] = ahead.get(ahead[axis], ahead[axis])
            axis = ahead[axis]
        return axis

    def _couple_mimic(self, follower: Joint, tag: str, mimic: TypedElement) -> None:
        """Couple the axis of a joint; one that closes a cycle stays free."""
        found = find_leader(follower, tag, mimic, self._report)
        if found is None or not _moves(follower, tag):
            return
        leader, axis = found
        multiplier, offset, reference = mimic.values_of('multiplier', 'offset', 'reference')
        if not _moves(leader, axis):
            reason = 'which does not move'
        elif not self._add(follower.axes[tag], Coupling(
                leader.axes[axis], multiplier, offset - multiplier * reference)):
            reason = 'because they would follow each other'
        else:
            return
        self._report.add(
            codes.SDF_MIMIC_IGNORED,
            f"joint '{follower.name}' cannot follow '{leader.name}', {reason}",
            mimic.attribute_location('joint', 0))

    def _couple_gearbox(self, gearbox: Joint, hinges: dict[_Ends, _Hinge]) -> None:
        """Make the child's coordinate follow the parent's."""
        reference = _link(gearbox.reference)
        leader, follower = (
            _turn(_link(body), reference, _direction(gearbox, tag), hinges)
            for body, tag in ((gearbox.parent_body, 'axis'), (gearbox.body, 'axis2')))
        if leader is not None and follower is not None:
            (ahead, speed), (behind, own_speed) = leader, follower
            ratio = gearbox.element.number('gearbox_ratio')
            old = self.by_follower.get(behind)
            if old is not None and old.leader is ahead or self._add(
                    behind, Coupling(ahead, -ratio * speed / own_speed)):
                return
        self._report.add(
            codes.SDF_GEARBOX_WITHOUT_EFFECT,
            f"gearbox '{gearbox.name}' does not couple two joints that turn on its reference "
            'body about its axes; both sides stay free', gearbox.location)


def _moves(joint: Joint, tag: str) -> bool:
    """Return whether a joint has a coordinate for an axis."""
    is_built = joint.parent_body is not None
    return is_built and joint.type != 'gearbox' and tag in AXES_OF_TYPE[joint.type]


def _link(body: Optional[ScopedElement]) -> Optional[ScopedElement]:
    """Return the link that is the body: of a static model its canonical one."""
    return body.canonical if isinstance(body, Scope) else body


def _direction(joint: Joint, tag: str) -> Vector:
    """Return an axis of a joint in the root."""
    return rotate(joint.root_pose, joint.direction(tag))


def _turn(
    body: Optional[ScopedElement], reference: Optional[ScopedElement], direction: Vector,
    hinges: dict[_Ends, _Hinge],
) -> Optional[tuple[Axis, float]]:
    """Return the coordinate and speed of a body's angle about a direction, None without one."""
    ahead, back = hinges.get((reference, body)), hinges.get((body, reference))
    hinge = ahead or back
    if hinge is None:
        return None
    along = dot(hinge.direction, direction)
    if abs(along) < _PARALLEL or hinge.speed == 0.0:
        return None
    is_along = (along > 0.0) == (hinge is ahead)
    return hinge.coordinate, hinge.speed if is_along else -hinge.speed


def _find_hinges(items: Sequence[ScopedElement]) -> Iterator[tuple[_Ends, _Hinge]]:
    for item in items:
        if isinstance(item, Scope) and item.interface is not None:
            yield from _interface_hinges(item, item.interface)
        elif (isinstance(item, Joint) and item.type in ('revolute', 'continuous')
                and item.parent_body is not None):
            yield (_link(item.parent_body), _link(item.body)), _Hinge(
                item.axes['axis'], _direction(item, 'axis'), 1.0)


def _interface_hinges(scope: Scope, model: m.Model) -> Iterator[tuple[_Ends, _Hinge]]:
    links = [child for child in scope.children if child.kind == 'link']
    for joint in model.joints:
        if len(joint.motions) == 1 and joint.motions[0].kind == 'revolute':
            motion, child = joint.motions[0], links[joint.child]
            root_from_joint = compose(child.root_pose, joint.child_from_joint)
            yield (links[joint.parent], child), _Hinge(
                scope.axes[motion.coordinates[0]], rotate(root_from_joint, motion.axis),
                motion.scale)
