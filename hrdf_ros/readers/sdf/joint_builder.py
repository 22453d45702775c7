# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joints and coordinates of the Model: each SDFormat joint type as motions about coordinates."""

from __future__ import annotations

import math
from typing import Literal, Optional

from hrdf_ros.model import (
    Constraint,
    Coordinate,
    Joint,
    Mimic,
    Motion,
)
from hrdf_ros.pose import Pose, relative, Z_AXIS
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE, SdfAxis
from hrdf_ros.readers.sdf.joint_references import ResolvedJoint
from hrdf_ros.readers.sdf.model_tables import ModelTables
from hrdf_ros.readers.sdf.scopes import ScopedElement, ScopedJoint

_KINDS: dict[str, Literal['revolute', 'prismatic', 'screw']] = {
    'prismatic': 'prismatic', 'screw': 'screw'}


def add_joint(item: ScopedJoint, tables: ModelTables) -> None:
    """Add a joint and its coordinates; a gearbox is a constraint. Without ends it is left out."""
    resolved = tables.source.resolution.joints.get(item)
    if resolved is None:
        return
    if item.joint.type == 'gearbox':
        _add_gearbox(item, resolved, tables)
        return
    preserved = item.joint.preserved
    tables.joints.append(Joint(
        name=tables.names.joints[item],
        source_name=item.scoped_name,
        type=item.joint.type,
        parent=tables.body_index(resolved.parent),
        child=tables.body_index(resolved.child),
        parent_from_joint=_parent_from(item, resolved, tables),
        child_from_joint=tables.body_from(item),
        motions=_add_motions(item, resolved, tables),
        extensions=tuple(map(tables.raw, preserved)) if preserved else (),
        location=item.location))


def _parent_from(joint: ScopedJoint, resolved: ResolvedJoint, tables: ModelTables) -> Pose:
    """Return parent_from_joint with all coordinates at zero."""
    parent = resolved.parent
    if isinstance(parent, ScopedElement) and parent.scope is joint.scope:
        return relative(parent.resolved_pose, joint.resolved_pose)
    return relative(tables.root_from_body(parent), joint.root_pose)


def _add_gearbox(item: ScopedJoint, resolved: ResolvedJoint, tables: ModelTables) -> None:
    """Add a gearbox; the directions of its axes are among the values, in the joint's frame."""
    bodies = [resolved.parent, resolved.child]
    if resolved.reference is not None:
        bodies.append(resolved.reference)
    directions = tuple(
        (f'{tag}_{letter}', value) for tag in item.joint.axes
        for letter, value in zip('xyz', resolved.axis(item, tag)))
    tables.constraints.append(Constraint(
        name=tables.names.joints[item], kind='gearbox',
        bodies=tuple(map(tables.body_index, bodies)),
        values=(('ratio', item.joint.ratio), *directions), location=item.location,
        source_name=item.scoped_name))


# ---- motions and coordinates

def _add_motions(
    item: ScopedJoint, resolved: ResolvedJoint, tables: ModelTables,
) -> tuple[Motion, ...]:
    """Return the motions of a joint in product order, and add its coordinates."""
    name, tags = tables.names.joints[item], AXES_OF_TYPE[item.joint.type]
    if item.joint.type == 'ball':
        first = len(tables.coordinates)
        tables.coordinates.extend(
            Coordinate(f'{name}_{axis}', 'angle', location=item.location) for axis in 'xyz')
        return (Motion('rotation_vector', Z_AXIS, (first, first + 1, first + 2)),)
    if len(tags) == 1:
        return (_add_motion(item, tags[0], name, resolved, tables),)
    return tuple([
        _add_motion(item, tag, f'{name}_{number}', resolved, tables)
        for number, tag in enumerate(tags, 1)])


def _add_motion(
    item: ScopedJoint, tag: str, name: str, resolved: ResolvedJoint, tables: ModelTables,
) -> Motion:
    kind = _KINDS.get(item.joint.type, 'revolute')
    index = tables.axes[item, tag] = len(tables.coordinates)
    tables.coordinates.append(_coordinate(item, name, item.joint.axes.get(tag)))
    return Motion(
        kind=kind, axis=resolved.axis(item, tag), coordinates=(index,),
        scale=item.joint.pitch / math.tau if kind == 'screw' else 1.0)


def _coordinate(item: ScopedJoint, name: str, axis: Optional[SdfAxis]) -> Coordinate:
    """Return the coordinate of an axis; a limit that is not a number is none."""
    kind: Literal['angle', 'length'] = 'length' if item.joint.type == 'prismatic' else 'angle'
    if axis is None:
        return Coordinate(name, kind, location=item.location)
    lower, upper, velocity, effort = axis.limit
    damping, friction, stiffness, reference = axis.dynamics
    if item.joint.type == 'continuous' or lower != lower:
        lower = -math.inf
    if item.joint.type == 'continuous' or upper != upper:
        upper = math.inf
    return Coordinate(
        name=name, kind=kind, lower=lower, upper=upper, velocity=_maximum(velocity),
        effort=_maximum(effort), damping=damping, friction=friction, spring_stiffness=stiffness,
        spring_reference=reference, location=axis.element.location)


def _maximum(value: float) -> float:
    """Return a maximum velocity or effort: a negative one is infinite."""
    return math.inf if value < 0.0 else value


def couple_coordinates(tables: ModelTables) -> None:
    """Let coordinates follow others as the couplings say."""
    for follower, coupling in tables.source.couplings.by_follower.items():
        index = tables.axes[follower]
        tables.coordinates[index] = tables.coordinates[index]._replace(mimic=Mimic(
            tables.axes[coupling.leader], coupling.multiplier, coupling.offset))
