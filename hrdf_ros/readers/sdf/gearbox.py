# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Gearboxes, which couple the angles of two bodies against a third.

``angle(child) = -ratio * angle(parent)`` (SDF 1.12, ``gearbox_reference_body``): the angle of the
parent is about ``axis``, that of the child about ``axis2``. Where each of them is the angle of a
joint on the reference body, the child's coordinate follows the parent's.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.pose import compose, dot, rotate, Vector
from hrdf_ros.readers.sdf.couplings import CoordinateKey, Coupling, Couplings
from hrdf_ros.readers.sdf.joint_references import ResolvedJoint, ResolvedJoints
from hrdf_ros.readers.sdf.scopes import (
    AttachedBody,
    Scope,
    ScopedElement,
    ScopedJoint,
    ScopedModel,
)

_PARALLEL = 1.0 - 1e-6

_Body = Optional[ScopedElement]
"""A link; None is the world."""


class _Hinge(NamedTuple):
    """A joint that turns about one axis in the root, by ``speed`` times its coordinate."""

    coordinate: CoordinateKey
    axis: Vector
    speed: float


_Hinges = dict[tuple[_Body, _Body], _Hinge]
"""Hinges by parent and child."""


class _Turn(NamedTuple):
    """An angle between two bodies: ``speed * coordinate``."""

    coordinate: CoordinateKey
    speed: float


def couple_gearboxes(
    top: Scope, items: Iterable[ScopedElement], joints: ResolvedJoints, couplings: Couplings,
    report: Report,
) -> None:
    """Let coordinates follow others through gearboxes."""
    gearboxes = {
        joint: resolved for joint, resolved in joints.items()
        if joint.joint.type == 'gearbox' and resolved.reference is not None}
    if not gearboxes:
        return
    hinges = dict(_find_hinges(top, items, joints))
    for item in items:
        resolved = gearboxes.get(item) if isinstance(item, ScopedJoint) else None
        if isinstance(item, ScopedJoint) and resolved is not None and not _couple(
                item, resolved, hinges, couplings):
            report.add(
                codes.SDF_GEARBOX_WITHOUT_EFFECT,
                f"gearbox '{item.name}' does not couple two joints that turn on its reference "
                'body about its axes; both sides stay free', item.location)


def _couple(
    gearbox: ScopedJoint, resolved: ResolvedJoint, hinges: _Hinges, couplings: Couplings,
) -> bool:
    """Let the child's coordinate follow the parent's; return whether it does."""
    reference = _carrier(resolved.reference)
    leader, follower = (
        _turn(_carrier(body), reference, _direction(gearbox, tag, resolved), hinges)
        for body, tag in ((resolved.parent, 'axis'), (resolved.child, 'axis2')))
    if leader is None or follower is None:
        return False
    if couplings.leader(follower.coordinate) == leader.coordinate:
        return True
    multiplier = -gearbox.joint.ratio * leader.speed / follower.speed
    return couplings.add(follower.coordinate, Coupling(leader.coordinate, multiplier))


def _carrier(body: Optional[AttachedBody]) -> _Body:
    """Return the link that is the body: of a static model its canonical one."""
    return body.canonical if isinstance(body, Scope) else body


def _direction(gearbox: ScopedJoint, tag: str, resolved: ResolvedJoint) -> Vector:
    """Return an axis of a gearbox in the root."""
    return rotate(gearbox.root_pose, resolved.axis(gearbox, tag))


def _turn(body: _Body, reference: _Body, direction: Vector, hinges: _Hinges) -> Optional[_Turn]:
    """Return the angle of a body about a direction against another, if one joint has it."""
    ahead, back = hinges.get((reference, body)), hinges.get((body, reference))
    hinge = ahead or back
    if hinge is None:
        return None
    along = dot(hinge.axis, direction)
    if abs(along) < _PARALLEL or hinge.speed == 0.0:
        return None
    is_along = (along > 0.0) == (hinge is ahead)
    return _Turn(hinge.coordinate, hinge.speed if is_along else -hinge.speed)


# ---- hinges

def _find_hinges(
    top: Scope, items: Iterable[ScopedElement], joints: ResolvedJoints,
) -> Iterator[tuple[tuple[_Body, _Body], _Hinge]]:
    yield from _interface_hinges(top)
    for item in items:
        if isinstance(item, ScopedModel):
            yield from _interface_hinges(item.inner)
        elif isinstance(item, ScopedJoint) and item.joint.type in ('revolute', 'continuous'):
            resolved = joints.get(item)
            if resolved is not None:
                axis = rotate(item.root_pose, resolved.axis(item, 'axis'))
                yield (_carrier(resolved.parent), _carrier(resolved.child)), _Hinge(
                    (item, 'axis'), axis, 1.0)


def _interface_hinges(scope: Scope) -> Iterator[tuple[tuple[_Body, _Body], _Hinge]]:
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
