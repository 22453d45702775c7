# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The Model from resolved scopes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Body, Frame, Model, NONE
from hrdf_ros.pose import Vector
from hrdf_ros.readers.sdf.couplings import couple_mimics
from hrdf_ros.readers.sdf.frame_builder import add_frames, add_scopes
from hrdf_ros.readers.sdf.gearbox import couple_gearboxes
from hrdf_ros.readers.sdf.interface_model import embed_bodies, embed_joints
from hrdf_ros.readers.sdf.joint_builder import add_joint, couple_coordinates
from hrdf_ros.readers.sdf.model_tables import ModelSource, ModelTables
from hrdf_ros.readers.sdf.naming import name_model
from hrdf_ros.readers.sdf.resolution import Resolution
from hrdf_ros.readers.sdf.scopes import (
    Scope,
    ScopedElement,
    ScopedJoint,
    ScopedLink,
    ScopedModel,
)
from hrdf_ros.topology import zero_poses


def prepare_model(
    world: Scope, top: Scope, items: Sequence[ScopedElement], resolution: Resolution,
    report: Report,
) -> ModelSource:
    """
    Name and couple everything in a scope, and report what could not be as the file has it.

    ``world`` is the outermost scope, where poses begin, ``items`` all that is in ``top``.
    """
    models = [item for item in items if isinstance(item, ScopedModel)]
    for model in models if top.owner is None else [top.owner, *models]:
        _check_static(model, report)
    joints = [item for item in items if isinstance(item, ScopedJoint)]
    couplings = couple_mimics(joints, resolution.joints, report)
    couple_gearboxes(top, items, resolution.joints, couplings, report)
    return ModelSource(
        world=world, top=top, items=items, resolution=resolution,
        names=name_model(top, items, resolution.joints, report), couplings=couplings)


def _check_static(model: ScopedModel, report: Report) -> None:
    if model.inner.static_by_include and not model.inner.static:
        report.add(
            codes.SDF_INCLUDE_NON_STANDARD,
            f"the bodies of model '{model.scoped_name}' are static because of an include around "
            'it', model.location,
            hint='so the composition proposal says, but libsdformat sets the one model only')


def build_model(source: ModelSource, version: str) -> Model:
    """Return the Model; nothing is reported any more."""
    tables = ModelTables(source)
    if tables.names.world:
        _add_world(tables)
    _add_bodies(tables)
    _add_joints(tables)
    couple_coordinates(tables)
    add_scopes(tables)
    add_frames(tables)
    return _at_zero(_model(tables, version))


def _add_world(tables: ModelTables) -> None:
    """Add the world as the body that everything fixed to it is fixed to."""
    name, location = tables.names.world, tables.source.world.element.location
    tables.bodies.append(Body(name, 'world', static=True, location=location))
    tables.frames.append(Frame(name, 'world', 'world', 0, location=location))


def _add_bodies(tables: ModelTables) -> None:
    embed_bodies(tables.source.top, tables)
    for item in tables.source.items:
        if isinstance(item, ScopedLink):
            _add_link(item, tables)
        elif isinstance(item, ScopedModel):
            embed_bodies(item.inner, tables)
    tables.add_scope_bodies()


def _add_link(item: ScopedLink, tables: ModelTables) -> None:
    """Add a link; its frame has the same name."""
    scope, link = item.scope, tables.source.resolution.links.get(item, item.link)
    tables.body_indices[item] = len(tables.bodies)
    tables.bodies.append(Body(
        name=tables.names.frames[item],
        source_name=item.scoped_name,
        inertia=link.inertia,
        visuals=link.visuals,
        collisions=link.collisions,
        static=scope.static or scope.static_by_include,
        pose=item.root_pose,
        extensions=tuple(map(tables.raw, link.preserved)) if link.preserved else (),
        location=item.location))


def _add_joints(tables: ModelTables) -> None:
    embed_joints(tables.source.top, tables)
    for item in tables.source.items:
        if isinstance(item, ScopedJoint):
            add_joint(item, tables)
        elif isinstance(item, ScopedModel):
            embed_joints(item.inner, tables)


def _model(tables: ModelTables, version: str) -> Model:
    top, world = tables.source.top, tables.source.world
    return Model(
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
        canonical_body=NONE if top.canonical is None else tables.body_index(top.canonical),
        is_world=top.kind == 'world',
        static=top.static or top.static_by_include,
        pose=top.root_pose,
        gravity=_gravity(world),
        extensions=tuple(tables.extensions),
        location=top.element.location)


def _at_zero(model: Model) -> Model:
    """Return the Model with its bodies where mimicking joints with an offset hold them."""
    mimics = (coordinate.mimic for coordinate in model.coordinates)
    if not any(mimic is not None and mimic.offset for mimic in mimics):
        return model
    bodies = zip(model.bodies, zero_poses(model))
    return model._replace(bodies=tuple(body._replace(pose=pose) for body, pose in bodies))


def _gravity(world: Scope) -> Optional[Vector]:
    """Return the gravity of a world (SDF 1.6, ``world/gravity``); a model has none."""
    return world.element.vector3('gravity') if world.kind == 'world' else None
