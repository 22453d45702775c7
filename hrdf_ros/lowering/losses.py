# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Parts of a Model that a target has no place for: reported, not dropped."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
import math
from typing import Any

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics
from hrdf_ros.fields import default_of, limits_of, numbers_of, unheld
from hrdf_ros.lowering.target import Target
from hrdf_ros.model import Body, Coordinate, Joint, Model, RawElement

_EARTH = (0.0, 0.0, -9.8)
_ROUNDED = 0.1
"""Within this (m/s^2) gravity is that of the Earth, as programs have it without being told."""


def report_urdf_losses(
    model: Model, own_joint: Container[int], target: Target, notes: GroupedDiagnostics,
) -> None:
    """Note everything that is in the Model and in no part of the URDF."""
    _note_constraints(model, 'URDF', notes)
    _note_fields(model, target, notes)
    _note_static(model, target, notes)
    _note_gravity(model, target, notes)
    _note_multi_axis(model, own_joint, target, notes)
    _note_frames(model, target, notes)
    robot = robot_extensions(model)
    for extension in model.extensions if len(robot) < len(model.extensions) else ():
        if not extension.owner:
            notes.add(
                codes.EXTENSION_NOT_REPRESENTABLE,
                'the content of a world beside its models is not part of a robot; omitted',
                extension.tag, extension.location)
    held = target.extensions
    own = held if model.format == 'urdf' else held - {'urdf'}  # of a whole included URDF
    for name, extension in (
            *((each.tag, each) for each in robot if each.format not in own),
            *_named(_in_items(model), held), *_named(_in_shapes(model))):
        if extension.format != 'sdf' or extension.tag == 'plugin' or ':' in extension.tag:
            notes.add(
                codes.EXTENSION_NOT_REPRESENTABLE, 'XML of other programs is omitted',
                name, extension.location)
        else:
            notes.add(
                codes.SDF_NOT_CONVERTED, f'elements that {target.name} has no place for',
                name, extension.location)


def robot_extensions(model: Model) -> tuple[RawElement, ...]:
    """Return the XML of other programs, without missing includes and what a world has."""
    return tuple(
        each for each in model.extensions if each.format != 'sdf'
        or each.tag != 'include' and (each.owner or not model.is_world))


def report_sdf_losses(
    model: Model, target: Target, owners: Container[str], notes: GroupedDiagnostics,
) -> None:
    """Note everything that is in the Model and in no part of the file, which has the owners."""
    _note_fields(model, target, notes)
    if not model.is_world:
        _note_gravity(model, target, notes)
    _note_multi_axis(model, {
        index for joint in model.joints for motion in joint.motions
        if motion.kind != 'rotation_vector' for index in motion.coordinates}, target, notes)
    for extension in model.extensions:
        if extension.tag == 'include' and extension.owner in owners:
            notes.add(
                codes.SDF_INCLUDE_KEPT,
                'includes whose files are missing are written as they stand; joints and frames '
                'refer to their models', extension.owner, extension.location)
    homeless = (
        (each.owner or model.name, each) for each in model.extensions
        if each.format not in target.extensions or each.owner not in owners)
    for name, extension in (*_named(homeless), *_named(
            (*_in_items(model), *_in_shapes(model)), target.extensions)):
        notes.add(
            codes.EXTENSION_NOT_REPRESENTABLE,
            'XML of other programs, or of a nested model, is omitted', name, extension.location,
            severity='warning' if extension.format == 'sdf' else None)


def report_mjcf_losses(model: Model, target: Target, notes: GroupedDiagnostics) -> None:
    """Note everything that is in the Model and in no part of the MJCF file."""
    if model.format != 'mjcf':
        _note_constraints(model, 'MJCF', notes, but='gearbox')  # which is a mimic as well
    _note_fields(model, target, notes)
    own = ((model.name, extension) for extension in model.extensions)
    for owner, extension in (*own, *_in_items(model), *_in_shapes(model)):
        if extension.tag == 'ros2_control':
            notes.add(
                codes.DETAIL_NOT_REPRESENTABLE,
                'a <ros2_control> becomes actuators of its joints, with default gains',
                owner, extension.location)
        elif extension.format not in target.extensions and extension.tag != 'gravity':
            notes.add(
                codes.EXTENSION_NOT_REPRESENTABLE, 'XML of other programs is omitted',
                f'{owner}: {extension.tag}', extension.location)


def _note_constraints(
    model: Model, target: str, notes: GroupedDiagnostics, but: str = '',
) -> None:
    for constraint in model.constraints:
        if constraint.kind != but:
            notes.add(
                codes.CONSTRAINT_NOT_REPRESENTABLE,
                f'{target} has no constraint {constraint.kind!r}', constraint.name,
                constraint.location)


def _note_fields(model: Model, target: Target, notes: GroupedDiagnostics) -> None:
    """Note the values in fields that the target has no place for (`fields`)."""
    tables: tuple[Sequence[Any], ...] = (
        (model,), model.coordinates, model.joints, model.bodies, model.scopes, model.frames)
    for records in filter(None, tables):
        kind = type(records[0])
        for name, field in unheld(kind, target.columns).items():
            default = default_of(kind, name)
            in_gazebo = field.gazebo and 'urdf' in target.columns
            hint = ' (Gazebo has one: use --gazebo)' if in_gazebo else ''
            for record in records:
                if getattr(record, name) != default:
                    notes.add(
                        codes.DETAIL_NOT_REPRESENTABLE,
                        f'{target.name} has no place for {field.noun}{hint}', record.name,
                        record.location)


def _note_static(model: Model, target: Target, notes: GroupedDiagnostics) -> None:
    """Note static links: of a URDF, only Gazebo knows that it is static, and only as a whole."""
    filled = [body for body in model.bodies if body.inertia or body.visuals or body.collisions]
    if model.static or filled and all(body.static for body in filled):
        if not target.gazebo:
            notes.add(
                codes.DETAIL_NOT_REPRESENTABLE,
                f'{target.name} has no place for a static model (Gazebo has one: use --gazebo)',
                model.name, model.location)
        return
    for body in filled:
        if body.static:
            notes.add(
                codes.DETAIL_NOT_REPRESENTABLE, f'{target.name} has no place for static links',
                body.name, body.location)


def _note_gravity(model: Model, target: Target, notes: GroupedDiagnostics) -> None:
    """Note gravity, unless it is that of the Earth and points down."""
    if model.gravity is not None and math.dist(model.gravity, _EARTH) > _ROUNDED:
        notes.add(
            codes.DETAIL_NOT_REPRESENTABLE, f'a model of {target.name} has no gravity',
            model.name, model.location)


def _note_multi_axis(
    model: Model, own_joint: Container[int], target: Target, notes: GroupedDiagnostics,
) -> None:
    """Note limits and dynamics of coordinates that have no joint of their own in the target."""
    for joint in model.joints:
        if all(motion.kind != 'rotation_vector' for motion in joint.motions):
            continue
        for index in (index for motion in joint.motions for index in motion.coordinates):
            if index not in own_joint and _is_restrained(model.coordinates[index], target):
                notes.add(
                    codes.DETAIL_NOT_REPRESENTABLE,
                    f'{target.name} has no place for limits and dynamics of a ball or free joint',
                    model.coordinates[index].name, joint.location)


def _is_restrained(coordinate: Coordinate, target: Target) -> bool:
    """Return whether a coordinate has numbers that the target holds for other joints."""
    kind = type(coordinate)
    lost = unheld(kind, target.columns)
    return any(
        getattr(coordinate, name) != default_of(kind, name)
        for name in (*limits_of(kind), *numbers_of(kind)) if name not in lost)


def _note_frames(model: Model, target: Target, notes: GroupedDiagnostics) -> None:
    """Note the frames that are not links; the node publishes them, the URDF has none of them."""
    links = {model.root, *(body.name for body in model.bodies)}
    for frame in model.frames:
        linked = target.frames is None or frame.kind in target.frames
        if frame.name not in links and not linked:
            notes.add(
                codes.FRAME_NOT_REPRESENTABLE,
                'a URDF has frames for links only; these are omitted', frame.name, frame.location)


# ---- XML of other programs

_Owned = tuple[str, RawElement]
"""An element, and the name of the item that has it."""


def _in_items(model: Model) -> Iterator[_Owned]:
    """Yield every extension of a body or joint."""
    items: tuple[Body | Joint, ...] = (*model.bodies, *model.joints)
    return ((item.name, extension) for item in items for extension in item.extensions)


def _in_shapes(model: Model) -> Iterator[_Owned]:
    """Yield every extension of a visual or collision, and of its material."""
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            looks = () if shape.material is None else shape.material.extensions
            for extension in (*shape.extensions, *looks):
                yield f'{body.name}/{shape.name}', extension


def _named(found: Iterable[_Owned], held: Container[str] = ()) -> Iterator[_Owned]:
    """Yield the elements whose format is not held, named by their owner and tag."""
    return (
        (f'{owner}: {extension.tag}', extension) for owner, extension in found
        if extension.format not in held)
