# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The Model from resolved scopes."""

from __future__ import annotations

from typing import Optional

from hrdf_ros.model import Model, NONE
from hrdf_ros.pose import Vector
from hrdf_ros.readers.sdf.bodies import add_link, add_world
from hrdf_ros.readers.sdf.couple import add_joint, add_ties
from hrdf_ros.readers.sdf.embed import embed_bodies, embed_joints
from hrdf_ros.readers.sdf.framing import add_frames, add_scopes, claim_names, name_scopes
from hrdf_ros.readers.sdf.scopes import Scope
from hrdf_ros.readers.sdf.state import State
from hrdf_ros.readers.sdf.tables import Tables
from hrdf_ros.readers.sdf.text import read_vector3
from hrdf_ros.topology import zero_poses

_EARTH: Vector = (0.0, 0.0, -9.8)


def assemble(world: Scope, top: Scope, version: str, state: State) -> Model:
    """Return the Model of a scope; ``world`` is the outermost scope, where poses begin."""
    tables = Tables(world, top, state.semantics)
    name_scopes(tables)
    if _needs_world(tables):
        add_world(tables)
    if top.foreign is not None:
        embed_bodies(top, tables)
    for item in tables.items:
        if item.kind == 'link' and item.scope.foreign is None:
            add_link(item, tables, state)
        elif item.inner is not None and item.inner.foreign is not None:
            embed_bodies(item.inner, tables)
    claim_names(tables)
    if top.foreign is not None:
        embed_joints(top, tables)
    for item in tables.items:
        if item.kind == 'joint' and item.scope.foreign is None:
            add_joint(item, tables, state)
        elif item.inner is not None and item.inner.foreign is not None:
            embed_joints(item.inner, tables)
    add_ties(tables)
    add_scopes(tables)
    add_frames(tables, state)
    return _at_zero(_model(tables, version))


def _at_zero(model: Model) -> Model:
    """Return the Model with its bodies where mimicking joints with an offset hold them."""
    mimics = (coordinate.mimic for coordinate in model.coordinates)
    if not any(mimic is not None and mimic.offset for mimic in mimics):
        return model
    bodies = zip(model.bodies, zero_poses(model))
    return model._replace(bodies=tuple(body._replace(pose=pose) for body, pose in bodies))


def _needs_world(tables: Tables) -> bool:
    """Tell whether something is fixed to the world, so that it has to be a body."""
    if tables.top.kind == 'world':
        return True
    owners = [tables.top.owner] if tables.top.owner is not None else []
    return any(
        item.kind == 'joint' and item.detail is not None and item.detail.parent == 'world'
        or isinstance(item.body, Scope) and item.body.canonical is None
        for item in [*owners, *tables.items])


def _model(tables: Tables, version: str) -> Model:
    top, is_world = tables.top, tables.top.kind == 'world'
    canonical = top.canonical.index if top.canonical is not None else NONE
    return Model(
        top.name, 'sdf', version, 'world' if tables.world.kind == 'world' else '__root__',
        tuple(tables.bodies), tuple(tables.joints), tuple(tables.coordinates),
        tuple(tables.constraints), tuple(tables.frames), tuple(tables.scopes), canonical,
        is_world, top.static or top.frozen, top.root_pose, _gravity(tables.world), (),
        tuple(tables.extensions), None, top.node.location)


def _gravity(world: Scope) -> Optional[Vector]:
    """Return the gravity of a world (SDF 1.6, ``world/gravity``); a model has none."""
    if world.kind != 'world':
        return None
    return read_vector3(world.node.child('gravity'), _EARTH)
