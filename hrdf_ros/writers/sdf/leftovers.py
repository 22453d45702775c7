# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What a Model has and SDFormat has no place for: said, not dropped."""

from __future__ import annotations

from collections.abc import Iterator

from hrdf_ros.model import Extension, Model, NONE
from hrdf_ros.writers.notes import Notes


def note_leftovers(model: Model, notes: Notes) -> None:
    """Note everything that is in the Model and in no part of the SDFormat file."""
    if model.description:
        notes.add(
            'info', 'sdf-detail-left-out', 'SDFormat has no place for a description', model.name,
            model.place)
    for coordinate in model.coordinates:
        if coordinate.start or coordinate.start_velocity:
            notes.add(
                'info', 'sdf-detail-left-out',
                'SDFormat has no place for a start position or velocity', coordinate.name,
                coordinate.place)
    for joint in model.joints:
        if joint.actuator:
            notes.add(
                'info', 'sdf-detail-left-out', 'SDFormat has no place for a kind of actuator',
                joint.name, joint.place)
    for owner, extension in _left_out(model):
        notes.add(
            'info', 'sdf-extension-left-out',
            'what belongs to other programs, or to a nested model, is left out',
            f'{owner}: {extension.tag}', extension.place)


def _left_out(model: Model) -> Iterator[tuple[str, Extension]]:
    """Yield what is not written back: of SDFormat only what belongs to nested models."""
    if model.format != 'sdf':
        yield from _extensions(model)
        return
    tops = {scope.source_name for scope in model.scopes if scope.parent == NONE}
    if model.is_world:
        tops.add('')
    for extension in model.extensions:
        if extension.owner not in tops:
            yield extension.owner, extension


def _extensions(model: Model) -> Iterator[tuple[str, Extension]]:
    """Yield every extension with the name of its owner."""
    for extension in model.extensions:
        yield model.name, extension
    for body in model.bodies:
        for extension in body.extensions:
            yield body.name, extension
    for joint in model.joints:
        for extension in joint.extensions:
            yield joint.name, extension
