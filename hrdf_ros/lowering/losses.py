# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Report the parts of a Model that a target has no place for."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
import math
from typing import Any, NamedTuple

from hrdf_ros import codes
from hrdf_ros.fields import default_of, limits_of, numbers_of, unheld
from hrdf_ros.formats import first_sdf_with
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering.target import Target
from hrdf_ros.model import Body, Coordinate, Joint, Model, RawElement

_EARTH = (0.0, 0.0, -9.8)
"""The gravity in m/s^2 that readers of a format without gravity assume."""
_ROUNDED = 0.1
"""The difference (m/s^2) from the Earth's gravity up to which gravity counts as the default."""


class _Case(NamedTuple):
    """A Model, its target, the coordinates with a joint there, and the scopes that remain."""

    model: Model
    target: Target
    notes: GroupedDiagnostics
    own_joint: Container[int]
    owners: Container[str]


def report_losses(
    model: Model, target: Target, notes: GroupedDiagnostics, own_joint: Container[int] = (),
    owners: Container[str] = (),
) -> None:
    """
    Note everything in the Model that no part of the file expresses.

    ``own_joint`` has the coordinates with a joint of their own in the target, ``owners`` the
    source names of the models that remain.
    """
    for note in _LOSSES[target.kind]:
        note(_Case(model, target, notes, own_joint, owners))


def _note_constraints(case: _Case) -> None:
    """Note constraints; a gearbox is a mimic as well, and MJCF keeps its own constraints."""
    for constraint in case.model.constraints:
        if case.target.holds(constraint):
            continue
        if constraint.kind == 'gearbox' and case.target.kind == 'mjcf':
            case.notes.about(
                codes.DETAIL_NOT_REPRESENTABLE,
                'MJCF has no gearbox; what the coordinates of its joints mimic is written',
                constraint)
        else:
            case.notes.about(
                codes.CONSTRAINT_NOT_REPRESENTABLE,
                f'{case.target.name} has no constraint {constraint.kind!r}', constraint)


def _note_fields(case: _Case) -> None:
    """Note the values of fields that the target has no place for (`fields`)."""
    model, target = case.model, case.target
    tables: tuple[Sequence[Any], ...] = (
        (model,), model.coordinates, model.joints, model.bodies, model.scopes, model.frames)
    for records in filter(None, tables):
        kind = type(records[0])
        for name, field in unheld(kind, target.holders, target.features).items():
            default, hint = default_of(kind, name), ''
            if field.gazebo and 'urdf' in target.holders:
                hint = ' (Gazebo has one: use --gazebo)'
            elif field.feature and 'sdf' in target.holders:
                hint = f' (version {first_sdf_with(field.feature)} has one: use --sdf-version)'
            case.notes.about(
                codes.DETAIL_NOT_REPRESENTABLE,
                f'{target.name} has no place for {field.noun}{hint}',
                *(record for record in records if getattr(record, name) != default))


def _note_static(case: _Case) -> None:
    """Note static links. In a URDF only a `<gazebo>` block can say static, for the whole robot."""
    model, target = case.model, case.target
    filled = [body for body in model.bodies if body.inertia or body.visuals or body.collisions]
    lost: Sequence[Any] = [body for body in filled if body.static]
    what = 'static links'
    if model.static or filled and len(lost) == len(filled):
        lost, what = [model], 'a static model (Gazebo has one: use --gazebo)'
    if lost != [model] or not target.gazebo:
        case.notes.about(
            codes.DETAIL_NOT_REPRESENTABLE, f'{target.name} has no place for {what}', *lost)


def _note_gravity(case: _Case) -> None:
    """Note the gravity of a model, unless it is the Earth's and points down."""
    model, target = case.model, case.target
    in_world = model.is_world and target.kind == 'sdf'
    if model.gravity is not None and not in_world and (
            math.dist(model.gravity, _EARTH) > _ROUNDED):
        case.notes.about(
            codes.DETAIL_NOT_REPRESENTABLE, f'a model of {target.name} has no gravity', model)


def _note_namespaces(case: _Case) -> None:
    """Note the namespaces of models that are merged."""
    case.notes.about(
        codes.DETAIL_NOT_REPRESENTABLE, f'{case.target.name} has no place for a namespace here',
        *(scope for scope in case.model.scopes
          if scope.namespace and scope.source_name not in case.owners))


def _note_multi_axis(case: _Case) -> None:
    """Note limits and dynamics of ball and free joints, which only joints of one axis have."""
    lost = unheld(Coordinate, case.target.holders, case.target.features)
    names = [
        name for name in (*limits_of(Coordinate), *numbers_of(Coordinate)) if name not in lost]
    for joint in case.model.joints:
        if all(motion.kind != 'rotation_vector' for motion in joint.motions):
            continue
        for index in joint.coordinates:
            coordinate = case.model.coordinates[index]
            if index not in case.own_joint and any(
                    getattr(coordinate, name) != default_of(Coordinate, name) for name in names):
                case.notes.add(
                    codes.DETAIL_NOT_REPRESENTABLE,
                    f'{case.target.name} has no place for limits and dynamics of a ball or free '
                    'joint', coordinate.name, joint.location)


def _note_frames(case: _Case) -> None:
    """Note the frames that are not links; the URDF lacks them, but the node publishes them."""
    kinds = case.target.frames
    links = {case.model.root, *(body.name for body in case.model.bodies)}
    if kinds is not None:
        case.notes.about(
            codes.FRAME_NOT_REPRESENTABLE, 'a URDF has frames for links only; these are omitted',
            *(frame for frame in case.model.frames
              if frame.name not in links and frame.kind not in kinds))


# ---- XML of other programs

def is_of_robot(extension: RawElement, model: Model) -> bool:
    """Return whether raw XML belongs to the robot, not to a missing include or a world."""
    return 'sdf' not in extension.held_by or extension.tag != 'include' and (
        bool(extension.owner) or not model.is_world)


def _note_extensions(case: _Case) -> None:
    """Note the raw XML that is not written, because the target or the model cannot hold it."""
    model, kind = case.model, case.target.kind
    holds = case.target.holds
    for raw in model.extensions:
        if kind == 'urdf' and not is_of_robot(raw, model):
            if not raw.owner:
                case.notes.add(
                    codes.EXTENSION_NOT_REPRESENTABLE,
                    'the content of a world beside its models is not part of a robot; omitted',
                    raw.tag, raw.location)
        elif kind == 'sdf' and raw.tag == 'include' and raw.owner in case.owners:
            case.notes.add(
                codes.SDF_INCLUDE_KEPT,
                'includes whose files are missing are written as they stand; joints and frames '
                'refer to their models', raw.owner, raw.location)
        elif kind == 'urdf':
            _note_extension(case, raw, raw.tag, holds(raw))
        else:
            is_held = holds(raw) and (kind != 'sdf' or raw.owner in case.owners)
            _note_extension(case, raw, f'{raw.owner or model.name}: {raw.tag}', is_held)
    items: tuple[Body | Joint, ...] = (*model.bodies, *model.joints)
    for item in items:
        for raw in item.extensions:
            _note_extension(case, raw, f'{item.name}: {raw.tag}', holds(raw))
    for name, raw in _in_shapes(model):
        is_held = holds(raw) and case.target.shape_extensions
        _note_extension(case, raw, f'{name}: {raw.tag}', is_held)


def _in_shapes(model: Model) -> Iterator[tuple[str, RawElement]]:
    """Yield the extensions of shapes and of their materials, with the names of the shapes."""
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            looks = () if shape.material is None else shape.material.extensions
            for extension in (*shape.extensions, *looks):
                yield f'{body.name}/{shape.name}', extension


_IN_MJCF = ('gravity', 'self_collide')
"""Elements of SDFormat that MJCF expresses."""
_EFFORTS = ('actuatorfrcrange', 'effort')
"""Elements of MJCF that only say how the effort of a Coordinate came about."""
_WITH_ATTRIBUTES = (
    'body', 'joint', 'freejoint', 'geom', 'site', 'camera', 'light', 'connect', 'weld', 'key',
    'mimic')
"""Elements of MJCF that are read except for some of their attributes."""


def _note_extension(case: _Case, raw: RawElement, name: str, is_held: bool) -> None:
    """Note one element, in the words of its target, unless the target holds it."""
    kind, is_sdf = case.target.kind, 'sdf' in raw.held_by
    code, text = codes.EXTENSION_NOT_REPRESENTABLE, 'XML of other programs is omitted'
    if kind == 'mjcf' and raw.tag == 'ros2_control':
        code, is_held = codes.DETAIL_NOT_REPRESENTABLE, False
        text = 'a <ros2_control> becomes actuators of its joints, with default gains'
    elif kind == 'mjcf' and raw.tag in _IN_MJCF or raw.tag in _EFFORTS:
        return
    elif 'mjcf' in raw.held_by:
        text = f"MuJoCo's own <{raw.tag}> is omitted"
        if raw.tag in _WITH_ATTRIBUTES:
            text = f"attributes of MuJoCo's own <{raw.tag}> are omitted"
    elif kind == 'urdf' and is_sdf and raw.tag != 'plugin' and ':' not in raw.tag:
        code = codes.SDF_NOT_CONVERTED
        text = f'elements that {case.target.name} has no place for'
    elif kind == 'sdf':
        text = 'XML of other programs, or of a nested model, is omitted'
    if not is_held:
        case.notes.add(
            code, text, name, raw.location,
            severity='warning' if is_sdf and kind == 'sdf' else None)


_LOSSES: dict[str, tuple[Callable[[_Case], None], ...]] = {
    'urdf': (
        _note_constraints, _note_fields, _note_static, _note_gravity, _note_multi_axis,
        _note_frames, _note_extensions),
    'sdf': (
        _note_fields, _note_gravity, _note_namespaces, _note_multi_axis, _note_extensions),
    'mjcf': (_note_constraints, _note_fields, _note_extensions)}
"""The functions that report losses of each target, in the order of their messages."""
