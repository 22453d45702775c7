# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Gearboxes, which tie the angles of two bodies against a third.

``angle(child) = -ratio * angle(parent)`` (SDF 1.12, ``gearbox_reference_body``): the angle of the
parent is about ``axis``, that of the child about ``axis2``. Where each of them is the angle of a
joint on the reference body, the child's coordinate follows the parent's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.model import Constraint, Joint, Mimic
from hrdf_ros.pose import compose, dot, rotate, Vector, Z_AXIS
from hrdf_ros.readers.sdf.connect import axis_in_joint, Ends
from hrdf_ros.readers.sdf.frames import resolve_body
from hrdf_ros.readers.sdf.joints import JointFacts
from hrdf_ros.readers.sdf.scopes import Item, meant
from hrdf_ros.readers.sdf.tables import Tables

_PARALLEL = 1.0 - 1e-6

Between = dict[tuple[int, int], Joint]
"""The joints that turn about one axis, by parent and child."""


class _Turn(NamedTuple):
    """An angle between two bodies: ``speed * coordinate``."""

    coordinate: int
    speed: float


def add_gearbox(item: Item, name: str, ends: Ends, tables: Tables) -> None:
    """
    Add a gearbox between parent, child and reference body.

    The directions of ``axis`` and ``axis2`` are among the values, seen in the joint's frame.
    """
    facts: JointFacts = item.detail
    bodies = [tables.body_index(ends.parent), tables.body_index(ends.child)]
    path = item.scope.find(facts.reference_body)
    if path:
        bodies.append(tables.body_index(resolve_body(meant(item.scope, path), tables.report)))
    else:
        tables.report.add(
            codes.SDF_GEARBOX_REFERENCE,
            f"gearbox '{item.name}' has no reference body that is in its " 'scope',
            item.location,
        )
    directions = tuple(
        (f'{tag}_{letter}', value) for tag, axis in facts.axes.items()
        for letter, value in zip('xyz', axis_in_joint(item, axis, tables.report)))
    tie = Constraint(
        name, 'gearbox', (), tuple(bodies), (('ratio', facts.ratio), *directions), item.location,
        item.scoped_name)
    tables.constraints.append(tie)
    tables.gears.append((item, tie))


def tie_gears(tables: Tables, follow: Callable[[int, Mimic], bool]) -> None:
    """Let coordinates follow others through gearboxes; ``follow`` tells whether one could."""
    if not tables.gears:
        return
    between = {
        (joint.parent, joint.child): joint for joint in tables.joints
        if len(joint.motions) == 1 and joint.motions[0].kind == 'revolute'}
    for item, tie in tables.gears:
        if len(tie.bodies) == 3 and not _tie(item, tie, between, tables, follow):
            tables.report.add(
                codes.SDF_GEARBOX_WITHOUT_EFFECT,
                f"gearbox '{item.name}' does not tie two joints that turn "
                'on its reference body about its axes: both sides stay free',
                item.location,
            )


def _tie(
    item: Item, tie: Constraint, between: Between, tables: Tables,
    follow: Callable[[int, Mimic], bool],
) -> bool:
    """Let the child's coordinate follow the parent's; tell whether it does."""
    parent, child, reference = tie.bodies
    values = dict(tie.values)
    turns = [
        _turn(body, reference, _direction(item, tag, values, tables), between, tables)
        for body, tag in ((parent, 'axis'), (child, 'axis2'))]
    leader, follower = turns
    if leader is None or follower is None:
        return False
    multiplier = -values['ratio'] * leader.speed / follower.speed
    mimic = tables.coordinates[follower.coordinate].mimic
    if mimic is not None and mimic.leader == leader.coordinate:
        return True
    return follow(follower.coordinate, Mimic(leader.coordinate, multiplier))


def _direction(item: Item, tag: str, values: dict[str, float], tables: Tables) -> Vector:
    """Return an axis of a gearbox as seen in the root."""
    x, y, z = (values.get(f'{tag}_{letter}', default) for letter, default in zip('xyz', Z_AXIS))
    return rotate(tables.root_from(item), (x, y, z))


def _turn(
    body: int, reference: int, direction: Vector, between: Between, tables: Tables,
) -> Optional[_Turn]:
    """Return the angle of a body about a direction against another, if one joint has it."""
    ahead, back = between.get((reference, body)), between.get((body, reference))
    joint = ahead or back
    if joint is None:
        return None
    motion = joint.motions[0]
    root_from_joint = compose(tables.bodies[joint.child].pose, joint.child_from_joint)
    axis = rotate(root_from_joint, motion.axis)
    along = dot(axis, direction)
    if abs(along) < _PARALLEL or motion.scale == 0.0:
        return None
    is_along = (along > 0.0) == (joint is ahead)
    return _Turn(motion.coordinates[0], motion.scale if is_along else -motion.scale)
