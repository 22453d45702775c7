# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What a Model has and SDFormat has no place for: said, not dropped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Union

from hrdf_ros import codes
from hrdf_ros.model import Body, Joint, Model, NONE, RawElement
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics


def note_leftovers(model: Model, notes: GroupedDiagnostics) -> None:
    """Note everything that is in the Model and in no part of the SDFormat file."""
    if model.description:
        notes.add(
            codes.DETAIL_NOT_REPRESENTABLE, 'SDFormat has no place for a description', model.name,
            model.location)
    for coordinate in model.coordinates:
        if coordinate.start or coordinate.start_velocity:
            notes.add(
                codes.DETAIL_NOT_REPRESENTABLE,
                'SDFormat has no place for a start position or velocity', coordinate.name,
                coordinate.location)
    for joint in model.joints:
        if joint.actuator:
            notes.add(
                codes.DETAIL_NOT_REPRESENTABLE, 'SDFormat has no place for a kind of actuator',
                joint.name, joint.location)
    for owner, extension in _left_out(model):
        notes.add(
            codes.EXTENSION_NOT_REPRESENTABLE,
            'what belongs to other programs, or to a nested model, is left out',
            f'{owner}: {extension.tag}', extension.location)


def _left_out(model: Model) -> Iterator[tuple[str, RawElement]]:
    """Yield what is not written back: other formats', and what belongs to nested models."""
    tops = {scope.source_name for scope in model.scopes if scope.parent == NONE}
    if model.is_world:
        tops.add('')
    for extension in model.extensions:
        if extension.format != 'sdf' or extension.owner not in tops:
            yield extension.owner or model.name, extension
    items: list[Union[Body, Joint]] = [*model.bodies, *model.joints]
    for item in items:
        for extension in item.extensions:
            if extension.format != 'sdf':
                yield item.name, extension
