# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Coordinates that follow others, by ``<mimic>`` or through a gearbox.

A gearbox couples the angles of two bodies against a third: ``angle(child) = -ratio *
angle(parent)`` (SDF 1.12, ``gearbox_reference_body``), the parent's about ``axis``, the child's
about ``axis2``. Where each of them is the angle of a joint on the reference body, the child's
coordinate follows the parent's.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.pose import compose, dot, rotate, Vector
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE
from hrdf_ros.readers.sdf.references import find_leader
from hrdf_ros.readers.sdf.scopes import (
    AttachedBody,
    AxisMimic,
    Joint,
    Scope,
    ScopedElement,
    ScopedModel,
)

CoordinateKey = tuple[Union[Joint, Scope], Union[str, int]]
"""A coordinate: a joint and its axis, or an interface model's scope and the index in the Model."""

_PARALLEL = 1.0 - 1e-6

_Carrier = Optional[ScopedElement]
"""A link; None is the world."""


class Coupling(NamedTuple):
    """A coordinate follows another: ``q = multiplier * q_leader + offset``."""

    leader: CoordinateKey
    multiplier: float
    offset: float = 0.0


class Couplings:
    """The couplings of a model or world, by the coordinate that follows."""

    def __init__(self) -> None:
        self.by_follower: dict[CoordinateKey, Coupling] = {}
        self._ahead: dict[CoordinateKey, CoordinateKey] = {}

    def leader(self, follower: CoordinateKey) -> Optional[CoordinateKey]:
        """Return the coordinate that another follows already, None where it is free."""
        coupling = self.by_follower.get(follower)
        if coupling is not None:
            return coupling.leader
        scope, index = follower
        if isinstance(scope, Scope) and isinstance(index, int) and scope.interface is not None:
            mimic = scope.interface.coordinates[index].mimic
            return None if mimic is None else (scope, mimic.leader)
        return None

    def add(self, follower: CoordinateKey, coupling: Coupling) -> bool:
        """
        Make a coordinate follow another; return whether it can.

        It cannot if it follows one already, or if that would close a cycle.
        """
        if self.leader(follower) is not None or self._first(coupling.leader) == follower:
            return False
        self._ahead[follower] = coupling.leader
        self.by_follower[follower] = coupling
        return True

    def _first(self, coordinate: CoordinateKey) -> CoordinateKey:
        """Return the leader of all leaders, and shorten the way to it for the next time."""
        ahead = self._ahead
        while coordinate in ahead:
            ahead[coordinate] = ahead.get(ahead[coordinate], ahead[coordinate])
            coordinate = ahead[coordinate]
        return coordinate


def couple_coordinates(
    top: Scope, items: Sequence[ScopedElement], report: Report,
) -> dict[CoordinateKey, Coupling]:
    """Return the couplings in a scope by the coordinate that follows; ``items`` is all in it."""
    joints = [item for item in items if isinstance(item, Joint)]
    couplings = Couplings()
    for joint in joints:
        for tag, axis in joint.axes.items():
            if axis.mimic is not None:
                _couple_mimic(joint, tag, axis.mimic, couplings, report)
    gearboxes = [
        joint for joint in joints if joint.type == 'gearbox'
        and joint.parent_body is not None and joint.reference is not None]
    if gearboxes:
        hinges = dict(_find_hinges(top, items))
        for gearbox in gearboxes:
            _couple_gearbox(gearbox, hinges, couplings, report)
    return couplings.by_follower


# ---- mimics

def _couple_mimic(
    follower: Joint, tag: str, mimic: AxisMimic, couplings: Couplings, report: Report,
) -> None:
    """Couple the axis of a joint; one that closes a cycle stays free."""
    leader = find_leader(follower, tag, mimic, report)
    if leader is None or not _moves(follower, tag):
        return
    coupling = Coupling((leader, mimic.axis), mimic.multiplier, mimic.offset)
    if not _moves(leader, mimic.axis):
        reason = 'which does not move'
    elif not couplings.add((follower, tag), coupling):
        reason = 'because they would follow each other'
    else:
        return
    report.add(
        codes.SDF_MIMIC_IGNORED,
        f"joint '{follower.name}' cannot follow '{leader.name}', {reason}",
        mimic.element.attribute_location('joint', 0))


def _moves(joint: Joint, tag: str) -> bool:
    """Return whether a joint has a coordinate for an axis."""
    is_built = joint.parent_body is not None
    return is_built and joint.type != 'gearbox' and tag in AXES_OF_TYPE[joint.type]


# ---- gearboxes

class _Hinge(NamedTuple):
    """A joint that turns about one axis in the root, by ``speed`` times its coordinate."""

    coordinate: CoordinateKey
    axis: Vector
    speed: float


_Hinges = dict[tuple[_Carrier, _Carrier], _Hinge]
"""Hinges by parent and child."""


def _couple_gearbox(
    gearbox: Joint, hinges: _Hinges, couplings: Couplings, report: Report,
) -> None:
    """Make the child's coordinate follow the parent's."""
    reference = _carrier(gearbox.reference)
    leader, follower = (
        _turn(_carrier(body), reference, _direction(gearbox, tag), hinges)
        for body, tag in ((gearbox.parent_body, 'axis'), (gearbox.body, 'axis2')))
    if leader is not None and follower is not None:
        (ahead, speed), (behind, own_speed) = leader, follower
        multiplier = -gearbox.ratio * speed / own_speed
        if couplings.leader(behind) == ahead or couplings.add(
                behind, Coupling(ahead, multiplier)):
            return
    report.add(
        codes.SDF_GEARBOX_WITHOUT_EFFECT,
        f"gearbox '{gearbox.name}' does not couple two joints that turn on its reference "
        'body about its axes; both sides stay free', gearbox.location)


def _carrier(body: Optional[AttachedBody]) -> _Carrier:
    """Return the link that is the body: of a static model its canonical one."""
    return body.canonical if isinstance(body, Scope) else body


def _direction(joint: Joint, tag: str) -> Vector:
    """Return an axis of a joint in the root."""
    return rotate(joint.root_pose, joint.direction(tag))


def _turn(
    body: _Carrier, reference: _Carrier, direction: Vector, hinges: _Hinges,
) -> Optional[tuple[CoordinateKey, float]]:
    """Return the coordinate and speed of a body's angle about a direction, None without one."""
    ahead, back = hinges.get((reference, body)), hinges.get((body, reference))
    hinge = ahead or back
    if hinge is None:
        return None
    along = dot(hinge.axis, direction)
    if abs(along) < _PARALLEL or hinge.speed == 0.0:
        return None
    is_along = (along > 0.0) == (hinge is ahead)
    return hinge.coordinate, hinge.speed if is_along else -hinge.speed


def _find_hinges(
    top: Scope, items: Iterable[ScopedElement],
) -> Iterator[tuple[tuple[_Carrier, _Carrier], _Hinge]]:
    yield from _interface_hinges(top)
    for item in items:
        if isinstance(item, ScopedModel):
            yield from _interface_hinges(item.inner)
        elif (isinstance(item, Joint) and item.type in ('revolute', 'continuous')
                and item.parent_body is not None):
            yield (_carrier(item.parent_body), _carrier(item.body)), _Hinge(
                (item, 'axis'), _direction(item, 'axis'), 1.0)


def _interface_hinges(scope: Scope) -> Iterator[tuple[tuple[_Carrier, _Carrier], _Hinge]]:
    model = scope.interface
    if model is None:
        return
    links = [child for child in scope.children if child.kind == 'link']
    for joint in model.joints:
        if len(joint.motions) == 1 and joint.motions[0].kind == 'revolute':
            motion, child = joint.motions[0], links[joint.child]
            root_from_joint = compose(child.root_pose, joint.child_from_joint)
            yield (links[joint.parent], child), _Hinge(
                (scope, motion.coordinates[0]), rotate(root_from_joint, motion.axis),
                motion.scale)
