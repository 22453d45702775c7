# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joints and coordinates of the Model: each SDFormat joint type as motions about coordinates."""

from __future__ import annotations

import math
from typing import Literal

from hrdf_ros import model as m
from hrdf_ros.pose import Pose, relative, Z_AXIS
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE
from hrdf_ros.readers.sdf.model_tables import ModelTables
from hrdf_ros.readers.sdf.scopes import AttachedBody, Joint, ScopedElement

_KINDS: dict[str, Literal['revolute', 'prismatic', 'screw']] = {
    'prismatic': 'prismatic', 'screw': 'screw'}


def add_joint(joint: Joint, tables: ModelTables) -> None:
    """Add a joint and its coordinates; a gearbox is a constraint. Without ends it is left out."""
    parent = joint.parent_body
    if parent is None:
        return
    if joint.type == 'gearbox':
        _add_gearbox(joint, parent, tables)
        return
    tables.joints.append(m.Joint(
        name=tables.names.joints[joint],
        source_name=joint.scoped_name,
        type=joint.type,
        parent=tables.body_index(parent),
        child=tables.body_index(joint.attached_body),
        parent_from_joint=_parent_from(joint, parent, tables),
        child_from_joint=tables.body_from(joint),
        motions=_add_motions(joint, tables),
        extensions=tuple(map(tables.raw, joint.preserved)) if joint.preserved else (),
        location=joint.location))


def _parent_from(joint: Joint, parent: AttachedBody, tables: ModelTables) -> Pose:
    """Return parent_from_joint with all coordinates at zero."""
    if isinstance(parent, ScopedElement) and parent.scope is joint.scope:
        return relative(parent.resolved_pose, joint.resolved_pose)
    return relative(tables.root_from_body(parent), joint.root_pose)


def _add_gearbox(joint: Joint, parent: AttachedBody, tables: ModelTables) -> None:
    """Add a gearbox; the directions of its axes are among the values, in the joint's frame."""
    bodies = [parent, joint.attached_body]
    if joint.reference is not None:
        bodies.append(joint.reference)
    directions = tuple(
        (f'{tag}_{letter}', value) for tag in joint.axes
        for letter, value in zip('xyz', joint.direction(tag)))
    tables.constraints.append(m.Constraint(
        name=tables.names.joints[joint], kind='gearbox',
        bodies=tuple(map(tables.body_index, bodies)),
        values=(('ratio', joint.ratio), *directions), location=joint.location,
        source_name=joint.scoped_name))


def _add_motions(joint: Joint, tables: ModelTables) -> tuple[m.Motion, ...]:
    """Return the motions of a joint in product order, and add its coordinates."""
    name, tags = tables.names.joints[joint], AXES_OF_TYPE[joint.type]
    if joint.type == 'ball':
        first = len(tables.coordinates)
        tables.coordinates.extend(
            m.Coordinate(f'{name}_{axis}', 'angle', location=joint.location) for axis in 'xyz')
        return (m.Motion('rotation_vector', Z_AXIS, (first, first + 1, first + 2)),)
    if len(tags) == 1:
        return (_add_motion(joint, tags[0], name, tables),)
    return tuple([
        _add_motion(joint, tag, f'{name}_{number}', tables)
        for number, tag in enumerate(tags, 1)])


def _add_motion(joint: Joint, tag: str, name: str, tables: ModelTables) -> m.Motion:
    """Return the motion about an axis, z if the joint lacks it, and add its coordinate."""
    kind = _KINDS.get(joint.type, 'revolute')
    index = tables.axes[joint, tag] = len(tables.coordinates)
    axis = joint.axes.get(tag)
    tables.coordinates.append(
        m.Coordinate(
            name, 'length' if kind == 'prismatic' else 'angle', location=joint.location)
        if axis is None else m.Coordinate(name, **axis.coordinate))
    return m.Motion(
        kind=kind, axis=joint.direction(tag), coordinates=(index,),
        scale=joint.pitch / math.tau if kind == 'screw' else 1.0)


def couple(tables: ModelTables) -> None:
    """Make coordinates follow others as the couplings say."""
    for follower, coupling in tables.source.couplings.items():
        index = tables.axes[follower]
        tables.coordinates[index] = tables.coordinates[index]._replace(mimic=m.Mimic(
            tables.axes[coupling.leader], coupling.multiplier, coupling.offset))
