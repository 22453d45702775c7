# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A Model of another format inside this one: its records with new names and new indices."""

from __future__ import annotations

from hrdf_ros.model import Body, Constraint, Coordinate, Joint, Model
from hrdf_ros.readers.sdf.scopes import Item, Scope
from hrdf_ros.readers.sdf.tables import Tables


def embed_bodies(inner: Scope, tables: Tables) -> None:
    """Add the bodies of a scope that stands for another format's Model."""
    model: Model = inner.foreign
    links = [item for item in inner.children if item.kind == 'link']
    for body, item in zip(model.bodies, links):
        item.frame_name = tables.frame_names.claim(
            inner.prefix + body.name, '_link', inner.node.location)
        item.index = len(tables.bodies)
        tables.bodies.append(_body(body, item, tables))
    tables.extensions.extend(model.extensions)


def _body(body: Body, item: Item, tables: Tables) -> Body:
    scope = item.scope
    return body._replace(
        name=item.frame_name, source_name=item.scoped_name, pose=tables.root_from(item),
        static=body.static or scope.static or scope.frozen)


def embed_joints(inner: Scope, tables: Tables) -> None:
    """Add its joints, coordinates and constraints; its bodies are there already."""
    model: Model = inner.foreign
    bodies = next((item.index for item in inner.children if item.kind == 'link'), 0)
    first = len(tables.coordinates)
    joints = len(tables.joints)
    tables.coordinates.extend(
        _coordinate(each, inner.prefix, first) for each in model.coordinates)
    for joint in model.joints:
        name = tables.joint_names.claim(inner.prefix + joint.name, '', inner.node.location)
        tables.joints.append(_joint(joint, name, inner.scoped_name, bodies, first))
    tables.constraints.extend(
        _constraint(each, inner, bodies, joints) for each in model.constraints)


def _coordinate(coordinate: Coordinate, prefix: str, first: int) -> Coordinate:
    mimic = coordinate.mimic
    return coordinate._replace(
        name=prefix + coordinate.name,
        mimic=mimic._replace(leader=mimic.leader + first) if mimic is not None else None)


def _joint(joint: Joint, name: str, scope: str, bodies: int, first: int) -> Joint:
    motions = tuple(
        motion._replace(coordinates=tuple(index + first for index in motion.coordinates))
        for motion in joint.motions)
    return joint._replace(
        name=name, source_name=f'{scope}::{joint.source_name}', parent=joint.parent + bodies,
        child=joint.child + bodies, motions=motions)


def _constraint(constraint: Constraint, inner: Scope, bodies: int, joints: int) -> Constraint:
    return constraint._replace(
        name=inner.prefix + constraint.name,
        source_name=f'{inner.scoped_name}::{constraint.source_name}',
        bodies=tuple(index + bodies for index in constraint.bodies),
        joints=tuple(index + joints for index in constraint.joints))
