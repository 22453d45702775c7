# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Frames and scopes of the Model."""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.document import XmlElement
from hrdf_ros.pose import compose, IDENTITY
from hrdf_ros.readers.sdf.bodies import keep_in
from hrdf_ros.readers.sdf.links import LinkFacts
from hrdf_ros.readers.sdf.scopes import Item, Scope
from hrdf_ros.readers.sdf.state import State
from hrdf_ros.readers.sdf.tables import Tables

_SUFFIXES = (('frame', '_frame'), ('joint', '_joint'), ('model', '_model'))
_FRAMED = ('light', 'actor')
_DROPPED = ('include', 'model_state', 'state')


def name_scopes(tables: Tables) -> None:
    """Give every scope what its names begin with; a top model's own name is dropped."""
    tables.top.prefix = ''
    for item in tables.items:
        if item.inner is not None:
            item.inner.prefix = f'{item.scope.prefix}{item.name}/'


def claim_names(tables: Tables) -> None:
    """Name all frames but links: frames go before joints, and those before models."""
    names, owner = tables.frame_names, tables.top.owner
    for kind, suffix in _SUFFIXES:
        for item in tables.items:
            if item.kind == kind:
                item.frame_name = names.claim(
                    item.scope.prefix + item.name, suffix, item.location)
    if owner is not None:
        owner.frame_name = names.claim(owner.name, '_model', owner.location)


def add_frames(tables: Tables, state: State) -> None:
    """Add a frame for everything that can be named, in document order."""
    owner = tables.top.owner
    if owner is not None:
        _add_frame(owner, tables)
    _add_others(tables.top, tables, state)
    for item in tables.items:
        _add_frame(item, tables)
        if item.kind == 'link' and isinstance(item.detail, LinkFacts):
            for node in item.detail.framed:
                _add_inside(item, node, tables)
        elif item.kind == 'joint':
            for node in item.node.all('sensor'):
                _add_inside(item, node, tables)
        elif item.inner is not None:
            _add_others(item.inner, tables, state)


def _add_frame(item: Item, tables: Tables) -> None:
    body = item.body
    assert body is not None
    pose = IDENTITY if body is item else tables.body_from(item)
    kind: str = item.kind
    tag = ''
    if isinstance(item.detail, m.Frame):
        kind, tag = item.detail.kind, item.detail.tag
    tables.frames.append(m.Frame(
        item.frame_name, item.scoped_name, kind, tables.body_index(body), pose, tag,
        item.location))


def _add_inside(item: Item, node: XmlElement, tables: Tables) -> None:
    """Add the frame of a sensor, a light and the like in a link or joint."""
    body = item.body
    name = node.attributes.get('name', '').strip() or node.tag
    assert body is not None
    body_from_item = IDENTITY if body is item else tables.body_from(item)
    tables.frames.append(m.Frame(
        tables.frame_names.claim(f'{item.frame_name}/{name}', f'_{node.tag}', node.location),
        f'{item.scoped_name}::{name}', node.tag, tables.body_index(body),
        compose(body_from_item, tables.pose_in(item, node)), '', node.location))


def _add_others(scope: Scope, tables: Tables, state: State) -> None:
    """Keep what a model or world has beside frames; lights and actors are frames of the world."""
    for node in scope.others:
        if node.tag in _DROPPED:
            continue
        # the element is itself no item, but stands in the scope as one does
        stand_in = Item('', 'frame', node, scope, IDENTITY, '')
        stand_in.local = IDENTITY
        tables.extensions.append(
            keep_in(stand_in, node, tables, state)._replace(owner=scope.scoped_name))
        if node.tag in _FRAMED and scope.kind == 'world':
            _add_in_world(stand_in, node, tables)


def _add_in_world(stand_in: Item, node: XmlElement, tables: Tables) -> None:
    name = node.attributes.get('name', '').strip() or node.tag
    tables.frames.append(m.Frame(
        tables.frame_names.claim(name, f'_{node.tag}', node.location), name, node.tag, 0,
        tables.pose_in(stand_in, node), '', node.location))


def add_scopes(tables: Tables) -> None:
    """Add every model, the top one first."""
    owner = tables.top.owner
    models = [item for item in tables.items if item.inner is not None]
    for item in [owner, *models] if owner is not None else models:
        inner = item.inner
        assert inner is not None
        if inner.frozen and not inner.static:
            tables.report.add(
                codes.SDF_INCLUDE_NON_STANDARD,
                f"the bodies of model '{item.scoped_name}' are static because of an include "
                'around it', item.location,
                hint='so the composition proposal says, but libsdformat sets the one model only')
        inner.index = len(tables.scopes)
        canonical = inner.canonical.index if inner.canonical is not None else m.NONE
        tables.scopes.append(m.ModelScope(
            item.frame_name, item.scoped_name, item.scope.index, canonical,
            inner.static, inner.root_pose, item.location))
