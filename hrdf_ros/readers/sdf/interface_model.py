# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Included files of other formats (composition proposal 1.5, the Interface API).

The reader registered for the file makes a Model of it. That becomes a nested model whose scope
holds the Model's frames by name and by tag, for poses, frames and joints around it to refer to;
its records go into the Model around it with new names and new indices.
"""

from __future__ import annotations

from typing import Optional, TYPE_CHECKING

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Constraint, Coordinate, Frame, Joint, Model, NONE
from hrdf_ros.pose import compose, Pose, relative
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.context import SdfContext
from hrdf_ros.readers.sdf.scopes import ElementKind, InterfaceElement, Scope, ScopedModel
from hrdf_ros.topology import find_frame, span, zero_poses

if TYPE_CHECKING:
    from hrdf_ros.readers.sdf.model_tables import ModelTables


# ---- reading

def read_other(element: TypedElement, file: str, context: SdfContext) -> Optional[Model]:
    """Return the Model of a file of another format, None with the reason reported."""
    # these two are about the whole that the file becomes a part of
    options = context.reading.options._replace(model_name=None, joint_names=())
    reading = context.reading._replace(report=Report(), options=options)
    model = reading.read_other(file, element.location, reading)
    context.syntax.extend(reading.report.with_reference('FILE_READ'))
    return model


def interface_model(
    element: TypedElement, model: Model, scope: Scope, context: SdfContext,
) -> Optional[ScopedModel]:
    """Return the nested model that a Model of another format is, None with the reason reported."""
    if element.boolean('merge'):
        context.syntax.add(
            codes.SDF_MERGE_UNSUPPORTED, 'only an SDFormat model can be merged',
            element.attribute_location('merge'))
        return None
    scoped = ScopedModel(
        name=model.name, element=element, scope=scope, pose=model.pose, relative_to='',
        version=scope.version)
    scoped.inner.static, scoped.inner.interface = model.static, model
    _fill(scoped.inner, model)
    if not model.name and not element.has('name'):
        context.syntax.add(
            codes.SDF_INCLUDE_WITHOUT_NAME, 'the included file gives its model no name',
            element.location, hint='add a <name>')
    return scoped


def _fill(inner: Scope, model: Model) -> None:
    """Add a link for every body and a frame for every other frame, with tags as other names."""
    model_from_body = [relative(model.pose, pose) for pose in zero_poses(model)]
    own_frames = {frame.name: frame for frame in model.frames}
    links = [
        _add(inner, own_frames[body.name], 'link', pose)
        for body, pose in zip(model.bodies, model_from_body)]
    for frame in model.frames:
        if frame.name not in inner.items:
            pose = compose(model_from_body[frame.body], frame.pose)
            _add(inner, frame, 'frame', pose).body = links[frame.body]
    for tag in sorted({frame.tag for frame in model.frames if frame.tag}):
        index = find_frame(model, tag)
        if index is not None:
            inner.items.setdefault(tag, inner.items[model.frames[index].name])
    canonical = model.canonical_body
    if links:
        inner.canonical = links[span(model).roots[0] if canonical == NONE else canonical]


def _add(inner: Scope, frame: Frame, kind: ElementKind, pose: Pose) -> InterfaceElement:
    item = InterfaceElement(kind, inner.element, inner, pose, frame)
    inner.items[frame.name] = item
    inner.children.append(item)
    return item


# ---- building

def embed_bodies(scope: Scope, tables: ModelTables) -> None:
    """Add the bodies of a scope that is an interface model, none where it is not."""
    model = scope.interface
    if model is None:
        return
    links = [item for item in scope.children if item.kind == 'link']
    for body, item in zip(model.bodies, links):
        tables.body_indices[item] = len(tables.bodies)
        tables.bodies.append(body._replace(
            name=tables.names.frames[item], source_name=item.scoped_name, pose=item.root_pose,
            static=body.static or scope.static or scope.static_by_include))
    tables.extensions.extend(model.extensions)


def embed_joints(scope: Scope, tables: ModelTables) -> None:
    """Add its joints, coordinates and constraints; its bodies are there already."""
    model = scope.interface
    if model is None:
        return
    prefix = tables.names.prefixes[scope]
    bodies = next((tables.body_indices[item] for item in scope.children if item.kind == 'link'), 0)
    first, joints = len(tables.coordinates), len(tables.joints)
    for index, coordinate in enumerate(model.coordinates):
        tables.axes[scope, index] = first + index
        tables.coordinates.append(_coordinate(coordinate, prefix, first))
    for joint, name in zip(model.joints, tables.names.interface_joints[scope]):
        tables.joints.append(_joint(joint, name, scope.scoped_name, bodies, first))
    tables.constraints.extend(
        _constraint(each, prefix, scope.scoped_name, bodies, joints)
        for each in model.constraints)


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


def _constraint(
    constraint: Constraint, prefix: str, scope: str, bodies: int, joints: int,
) -> Constraint:
    return constraint._replace(
        name=prefix + constraint.name,
        source_name=f'{scope}::{constraint.source_name}',
        bodies=tuple(index + bodies for index in constraint.bodies),
        joints=tuple(index + joints for index in constraint.joints))
