# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What a Model has and URDF has no place for: said, not dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import math
from typing import NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable
from hrdf_ros.model import Body, Coordinate, Joint, Model
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics
from hrdf_ros.writers.urdf.plan import Plan


class _Detail(NamedTuple):
    """Something that a coordinate may have; ``gazebo`` tells that Gazebo's blocks hold it."""

    text: str
    has: Callable[[Coordinate], bool]
    gazebo: bool = False


_DETAILS = (
    _Detail('a start position or velocity', lambda it: bool(it.start or it.start_velocity)),
    _Detail(
        'a spring (Gazebo has: ask for its blocks)', lambda it: bool(it.spring_stiffness), True),
)


def note_leftovers(model: Model, plan: Plan, notes: GroupedDiagnostics, *, gazebo: bool) -> None:
    """Note everything that is in the Model and in no part of the URDF."""
    if model.description:
        notes.add(
            codes.DETAIL_NOT_REPRESENTABLE, 'URDF has no place for a description', model.name,
            model.location)
    for constraint in model.constraints:
        notes.add(
            codes.CONSTRAINT_NOT_REPRESENTABLE, f'URDF has no constraint {constraint.kind!r}',
            constraint.name, constraint.location)
    for detail in _DETAILS:
        if detail.gazebo and gazebo:
            continue
        for coordinate in filter(detail.has, model.coordinates):
            notes.add(
                codes.DETAIL_NOT_REPRESENTABLE, f'URDF has no place for {detail.text}',
                coordinate.name, coordinate.location)
    _note_multi_axis(model, plan, notes)
    _note_actuators(model, notes)
    _note_frames(model, notes)
    for name, location in (*_extensions(model, 'sdf' if gazebo else ''), *_in_shapes(model)):
        notes.add(
            codes.EXTENSION_NOT_REPRESENTABLE, 'what belongs to other programs is left out',
            name, location)


def _note_multi_axis(model: Model, plan: Plan, notes: GroupedDiagnostics) -> None:
    """Note limits and dynamics of coordinates that have no joint of their own in the URDF."""
    for joint in model.joints:
        if all(motion.kind != 'rotation_vector' for motion in joint.motions):
            continue
        for index in (index for motion in joint.motions for index in motion.coordinates):
            if index not in plan.coordinates and _is_restrained(model.coordinates[index]):
                notes.add(
                    codes.DETAIL_NOT_REPRESENTABLE,
                    'URDF has no place for limits and dynamics of a ball or free joint',
                    model.coordinates[index].name, joint.location)


def _is_restrained(coordinate: Coordinate) -> bool:
    limits = (coordinate.lower, coordinate.upper, coordinate.velocity, coordinate.effort)
    return any(map(math.isfinite, limits)) or bool(coordinate.damping or coordinate.friction)


def _note_actuators(model: Model, notes: GroupedDiagnostics) -> None:
    for joint in model.joints:
        if joint.actuator:
            notes.add(
                codes.DETAIL_NOT_REPRESENTABLE, 'URDF has no place for a kind of actuator',
                joint.name, joint.location)


def _note_frames(model: Model, notes: GroupedDiagnostics) -> None:
    """Note the frames that are no links; the node publishes them, the URDF has none of them."""
    links = {model.root, *(body.name for body in model.bodies)}
    for frame in model.frames:
        if frame.name not in links:
            notes.add(
                codes.FRAME_NOT_REPRESENTABLE,
                'a URDF has frames for links only; these are left out', frame.name, frame.location)


def _in_shapes(model: Model) -> Iterator[tuple[str, Optional[Locatable]]]:
    """Yield the tag and owner of every extension of a visual or collision."""
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            looks = () if shape.material is None else shape.material.extensions
            for extension in (*shape.extensions, *looks):
                yield f'{body.name}/{shape.name}: {extension.tag}', extension.location


def _extensions(model: Model, written: str) -> Iterator[tuple[str, Optional[Locatable]]]:
    """
    Yield the tag and owner of every extension of the model, its bodies and joints.

    Not those in the format ``written``, nor URDF's own: of an included URDF only those of the
    whole robot are left out, which go by other names.
    """
    own = model.format if model.format == 'urdf' else written
    for extension in model.extensions:
        if extension.format not in (written, own):
            yield extension.tag, extension.location
    items: list[Union[Body, Joint]] = [*model.bodies, *model.joints]
    for item in items:
        for extension in item.extensions:
            if extension.format not in (written, 'urdf'):
                yield f'{item.name}: {extension.tag}', extension.location
