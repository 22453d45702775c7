# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Frames and scopes of the Model."""

from __future__ import annotations

from hrdf_ros.model import Frame, ModelScope, NONE
from hrdf_ros.pose import compose, IDENTITY
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import name_of
from hrdf_ros.readers.sdf.model_tables import ModelTables
from hrdf_ros.readers.sdf.naming import WORLD_FRAMES
from hrdf_ros.readers.sdf.resolution import scope_parts
from hrdf_ros.readers.sdf.scopes import (
    InterfaceElement,
    Scope,
    ScopedElement,
    ScopedJoint,
    ScopedLink,
    ScopedModel,
)


def add_frames(tables: ModelTables) -> None:
    """Add a frame for everything that can be named, in document order."""
    source = tables.source
    if source.top.owner is not None:
        _add_frame(source.top.owner, tables)
    _add_scope_parts(source.top, tables)
    for item in source.items:
        _add_frame(item, tables)
        if isinstance(item, ScopedLink):
            for element in item.link.framed:
                _add_part(item, element, tables)
        elif isinstance(item, ScopedJoint):
            for element in item.joint.preserved:
                if element.tag == 'sensor':
                    _add_part(item, element, tables)
        elif isinstance(item, ScopedModel):
            _add_scope_parts(item.inner, tables)


def _add_frame(item: ScopedElement, tables: ModelTables) -> None:
    frame = Frame(
        name=tables.names.frames[item], source_name=item.scoped_name, kind=item.kind,
        body=tables.body_index(item.attached_body),
        pose=IDENTITY if item.body is item else tables.body_from(item), location=item.location)
    if isinstance(item, InterfaceElement):
        frame = frame._replace(kind=item.frame.kind, tag=item.frame.tag)
    tables.frames.append(frame)


def _add_part(item: ScopedElement, element: TypedElement, tables: ModelTables) -> None:
    """Add the frame of a sensor, a light and the like in a link or joint."""
    tables.frames.append(Frame(
        name=tables.names.parts[element],
        source_name=f'{item.scoped_name}::{name_of(element) or element.tag}',
        kind=element.tag,
        body=tables.body_index(item.attached_body),
        pose=compose(tables.body_from(item), tables.source.resolution.pose(element)),
        location=element.location))


def _add_scope_parts(scope: Scope, tables: ModelTables) -> None:
    """Preserve what a scope has beside frames; a world's lights and actors are frames too."""
    for element in scope_parts(scope):
        tables.extensions.append(tables.raw(element, owner=scope.scoped_name))
        if element.tag in WORLD_FRAMES and scope.kind == 'world':
            tables.frames.append(Frame(
                name=tables.names.parts[element], source_name=name_of(element) or element.tag,
                kind=element.tag, body=0, pose=tables.source.resolution.pose(element),
                location=element.location))


def add_scopes(tables: ModelTables) -> None:
    """Add every model, the top one first."""
    owner = tables.source.top.owner
    models = [item for item in tables.source.items if isinstance(item, ScopedModel)]
    indices: dict[Scope, int] = {}
    for model in [owner, *models] if owner is not None else models:
        inner = model.inner
        indices[inner] = len(tables.scopes)
        tables.scopes.append(ModelScope(
            name=tables.names.frames[model], source_name=model.scoped_name,
            parent=indices.get(model.scope, NONE),
            canonical_body=NONE if inner.canonical is None else tables.body_index(inner.canonical),
            static=inner.static, pose=inner.root_pose, location=model.location))
