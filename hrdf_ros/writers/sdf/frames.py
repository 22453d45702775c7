# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<frame>`` elements of SDFormat."""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.model import Frame, Model, NONE
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics
from hrdf_ros.writers.sdf.plan import Place, Plan
from hrdf_ros.writers.sdf.rest import WORLD
from hrdf_ros.writers.sdf.shapes import pose_element
from hrdf_ros.writers.xml import Element

_IMPLICIT = ('link', 'joint', WORLD)
"""Kinds of frames that SDFormat has without saying so."""
_IN_EXTENSIONS = (
    'actor', 'audio_sink', 'audio_source', 'light', 'particle_emitter', 'projector', 'sensor')
"""Kinds of frames whose elements an SDFormat file gets back as they were."""


def frame_elements(
    model: Model, plan: Plan, notes: GroupedDiagnostics
) -> dict[int, list[Element]]:
    """Return the frames of each group; the world is the last."""
    elements: dict[int, list[Element]] = {at: [] for at in range(len(plan.models) + 1)}
    tops = {scope.source_name for scope in model.scopes if scope.parent == NONE}
    for frame in model.frames:
        kept = model.format == 'sdf' and frame.kind in _IN_EXTENSIONS
        top = frame.kind == 'model' and frame.source_name in tops
        if frame.kind not in _IMPLICIT and not kept and not top:
            at, element = _frame_element(frame, model, plan, notes)
            if element is not None:
                elements[at].append(element)
    return elements


def _frame_element(
    frame: Frame, model: Model, plan: Plan, notes: GroupedDiagnostics,
) -> tuple[int, Optional[Element]]:
    """Return a frame and the group in which it stands: that of its name, else of its link."""
    world = len(plan.models)
    place = plan.places[frame.body]
    if place is None and not model.is_world:
        notes.add(
            codes.FRAME_NOT_REPRESENTABLE,
            'a model of SDFormat has no frames fixed to the world; these are left out',
            frame.name, frame.location)
        return world, None
    at = _group(frame, plan, place)
    group = plan.world if at == world else plan.models[at]
    attributes = (
        ('name', group.claim(frame.name, 'frame')),
        ('attached_to', _reference(place, at, plan)))
    return at, Element('frame', attributes, pose_element(frame.pose))


def _group(frame: Frame, plan: Plan, place: Optional[Place]) -> int:
    """Return the group of a frame's link if its name says so, else the world."""
    within = place is not None and frame.name.startswith(plan.models[place[0]].prefix)
    return place[0] if place is not None and within else len(plan.models)


def _reference(place: Optional[Place], at: int, plan: Plan) -> str:
    """Return how a link is named from a group."""
    if place is None:
        return WORLD
    return place[1] if place[0] == at else f'{plan.models[place[0]].name}::{place[1]}'
