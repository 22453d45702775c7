# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The Model from resolved scopes; nothing is reported any more."""

from __future__ import annotations

import math
from typing import Literal

from hrdf_ros import model as m
from hrdf_ros.pose import compose, IDENTITY, Pose, relative, Z_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import name_of, portable_text
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE
from hrdf_ros.readers.sdf.model_tables import ModelSource, ModelTables, WORLD_FRAMES
from hrdf_ros.readers.sdf.references import pose_in_owner, scope_parts
from hrdf_ros.readers.sdf.scopes import (
    AttachedBody,
    Joint,
    Link,
    Scope,
    ScopedElement,
    ScopedModel,
)
from hrdf_ros.topology import zero_poses

_KINDS: dict[str, Literal['revolute', 'prismatic', 'screw']] = {
    'prismatic': 'prismatic', 'screw': 'screw'}


def build_model(source: ModelSource, version: str) -> m.Model:
    """Return the m.Model."""
    tables = ModelTables(source)
    if tables.names.world:
        _add_world(tables)
    _add_bodies(tables)
    _add_joints(tables)
    _couple(tables)
    _add_scopes(tables)
    _add_frames(tables)
    return _at_zero(_model(tables, version))


def _model(tables: ModelTables, version: str) -> m.Model:
    top, world = tables.source.top, tables.source.world
    return m.Model(
        name=top.name,
        format='sdf',
        version=version,
        root='world' if world.kind == 'world' else '__root__',
        bodies=tuple(tables.bodies),
        joints=tuple(tables.joints),
        coordinates=tuple(tables.coordinates),
        constraints=tuple(tables.constraints),
        frames=tuple(tables.frames),
        scopes=tuple(tables.scopes),
        canonical_body=tables.canonical_body(top),
        is_world=top.kind == 'world',
        static=top.static or top.static_by_include,
        pose=top.root_pose,
        gravity=world.element.vector3('gravity') if world.kind == 'world' else None,
        extensions=tuple(tables.extensions),
        location=top.element.location)


def _at_zero(model: m.Model) -> m.Model:
    """Return the Model with its bodies where joints that mimic with an offset hold them."""
    mimics = (coordinate.mimic for coordinate in model.coordinates)
    if not any(mimic is not None and mimic.offset for mimic in mimics):
        return model
    bodies = zip(model.bodies, zero_poses(model))
    return model._replace(bodies=tuple(body._replace(pose=pose) for body, pose in bodies))


# ---- bodies and joints

def _add_world(tables: ModelTables) -> None:
    """Add the world as the body that everything fixed to it is fixed to."""
    name, location = tables.names.world, tables.source.world.element.location
    tables.bodies.append(m.Body(name, 'world', static=True, location=location))
    tables.frames.append(m.Frame(name, 'world', 'world', 0, location=location))


def _add_bodies(tables: ModelTables) -> None:
    for item in tables.source.items:
        if isinstance(item, Link):
            _add_link(item, tables)
        elif isinstance(item, ScopedModel) and item.inner.interface is not None:
            _embed_bodies(item.inner, item.inner.interface, tables)
    tables.add_scope_bodies()


def _add_link(link: Link, tables: ModelTables) -> None:
    """Add a link; its frame has the same name."""
    scope = link.scope
    tables.body_indices[link] = len(tables.bodies)
    tables.bodies.append(m.Body(
        name=tables.names.frames[link],
        source_name=link.scoped_name,
        inertia=link.inertia,
        visuals=tuple(link.visuals),
        collisions=tuple(link.collisions),
        static=scope.static or scope.static_by_include,
        pose=link.root_pose,
        extensions=tuple(map(tables.raw, link.preserved)) if link.preserved else (),
        location=link.location))


def _add_joints(tables: ModelTables) -> None:
    for item in tables.source.items:
        if isinstance(item, Joint) and item.parent_body is not None:
            _add_joint(item, item.parent_body, tables)
        elif isinstance(item, ScopedModel) and item.inner.interface is not None:
            _embed_joints(item.inner, item.inner.interface, tables)


def _add_joint(joint: Joint, parent: AttachedBody, tables: ModelTables) -> None:
    """Add a joint that has ends, and its coordinates; a gearbox is a constraint."""
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


def _couple(tables: ModelTables) -> None:
    """Make coordinates follow others as the couplings say."""
    for follower, coupling in tables.source.couplings.items():
        index = tables.axes[follower]
        tables.coordinates[index] = tables.coordinates[index]._replace(mimic=m.Mimic(
            tables.axes[coupling.leader], coupling.multiplier, coupling.offset))


# ---- frames and scopes

def _add_frames(tables: ModelTables) -> None:
    """Add a frame for everything that can be named, in document order."""
    if tables.source.top.owner is None:
        _add_scope_parts(tables.source.top, tables)
    for item in tables.source.items:
        _add_frame(item, tables)
        for element in item.framed:
            _add_part(item, element, tables)
        if isinstance(item, ScopedModel):
            _add_scope_parts(item.inner, tables)


def _add_frame(item: ScopedElement, tables: ModelTables) -> None:
    frame = m.Frame(
        name=tables.names.frames[item], source_name=item.scoped_name, kind=item.kind,
        body=tables.body_index(item.attached_body),
        pose=IDENTITY if item.body is item else tables.body_from(item), location=item.location)
    if item.frame is not None:
        frame = frame._replace(kind=item.frame.kind, tag=item.frame.tag)
    tables.frames.append(frame)


def _add_part(item: ScopedElement, element: TypedElement, tables: ModelTables) -> None:
    """Add the frame of a sensor, a light and the like in a link or joint."""
    tables.frames.append(m.Frame(
        name=tables.names.parts[element],
        source_name=f'{item.scoped_name}::{name_of(element) or element.tag}',
        kind=element.tag,
        body=tables.body_index(item.attached_body),
        pose=compose(tables.body_from(item), pose_in_owner(element, tables.source.references)),
        location=element.location))


def _add_scope_parts(scope: Scope, tables: ModelTables) -> None:
    """Preserve the other elements of a scope; a world's lights and actors are frames too."""
    if scope.is_placeholder and scope.owner is not None:
        tables.extensions.append(m.RawElement(
            'include', portable_text(scope.element, scope.owner.resolved_pose),
            scope.element.location, scope.scoped_name, 'sdf'))
        return
    for element in scope_parts(scope):
        tables.extensions.append(tables.raw(element, owner=scope.scoped_name))
        if element.tag in WORLD_FRAMES and scope.kind == 'world':
            tables.frames.append(m.Frame(
                name=tables.names.parts[element], source_name=name_of(element) or element.tag,
                kind=element.tag, body=0, pose=pose_in_owner(element, tables.source.references),
                location=element.location))


def _add_scopes(tables: ModelTables) -> None:
    """Add every model, the top one first."""
    models = [item for item in tables.source.items if isinstance(item, ScopedModel)]
    indices: dict[Scope, int] = {}
    for model in models:
        inner = model.inner
        indices[inner] = len(tables.scopes)
        tables.scopes.append(m.ModelScope(
            name=tables.names.frames[model], source_name=model.scoped_name,
            parent=indices.get(model.scope, m.NONE),
            canonical_body=tables.canonical_body(inner),
            static=inner.static, pose=inner.root_pose, location=model.location))


# ---- interface models

def _embed_bodies(scope: Scope, model: m.Model, tables: ModelTables) -> None:
    """Add the bodies of the interface model of a scope."""
    links = [item for item in scope.children if item.kind == 'link']
    for body, item in zip(model.bodies, links):
        tables.body_indices[item] = len(tables.bodies)
        tables.bodies.append(body._replace(
            name=tables.names.frames[item], source_name=item.scoped_name, pose=item.root_pose,
            static=body.static or scope.static or scope.static_by_include))
    tables.extensions.extend(model.extensions)


def _embed_joints(scope: Scope, model: m.Model, tables: ModelTables) -> None:
    """Add its joints, coordinates and constraints; its bodies are there already."""
    prefix = tables.names.prefixes[scope]
    bodies = next((tables.body_indices[item] for item in scope.children if item.kind == 'link'), 0)
    first, joints = len(tables.coordinates), len(tables.joints)
    for index, coordinate in enumerate(model.coordinates):
        tables.axes[scope, index] = first + index
        tables.coordinates.append(_embedded_coordinate(coordinate, prefix, first))
    for joint, name in zip(model.joints, tables.names.interface_joints[scope]):
        tables.joints.append(_embedded_joint(joint, name, scope.scoped_name, bodies, first))
    tables.constraints.extend(
        _embedded_constraint(each, prefix, scope.scoped_name, bodies, joints)
        for each in model.constraints)


def _embedded_coordinate(coordinate: m.Coordinate, prefix: str, first: int) -> m.Coordinate:
    mimic = coordinate.mimic
    return coordinate._replace(
        name=prefix + coordinate.name,
        mimic=mimic._replace(leader=mimic.leader + first) if mimic is not None else None)


def _embedded_joint(joint: m.Joint, name: str, scope: str, bodies: int, first: int) -> m.Joint:
    motions = tuple(
        motion._replace(coordinates=tuple(index + first for index in motion.coordinates))
        for motion in joint.motions)
    return joint._replace(
        name=name, source_name=f'{scope}::{joint.source_name}', parent=joint.parent + bodies,
        child=joint.child + bodies, motions=motions)


def _embedded_constraint(
    constraint: m.Constraint, prefix: str, scope: str, bodies: int, joints: int,
) -> m.Constraint:
    return constraint._replace(
        name=prefix + constraint.name,
        source_name=f'{scope}::{constraint.source_name}',
        bodies=tuple(index + bodies for index in constraint.bodies),
        joints=tuple(index + joints for index in constraint.joints))
