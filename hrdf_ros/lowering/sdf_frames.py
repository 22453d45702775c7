# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of a Model as SDFormat can express them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics
from hrdf_ros.lowering.sdf_scopes import Namespaces, WORLD
from hrdf_ros.model import Body, Constraint, Frame, Model, NONE

_IMPLICIT = ('link', 'joint', 'world')
"""Kinds of frames that SDFormat has without saying so."""
_IN_EXTENSIONS = (
    'actor', 'audio_sink', 'audio_source', 'light', 'particle_emitter', 'projector', 'sensor')
"""Kinds of frames whose elements an SDFormat file gets back as they were."""


def lower_frames(
    model: Model, bodies: Sequence[Body], constraints: Sequence[Constraint], names: Namespaces,
    notes: GroupedDiagnostics,
) -> tuple[Frame, ...]:
    """Return the frames of links, those of gearboxes, and those that SDFormat says on its own."""
    own = (
        Frame(body.name, body.source_name, 'world' if scope == WORLD else 'link', index)
        for index, (body, scope) in enumerate(zip(bodies, names.scope_of)))
    return (*own, *_of_gearboxes(model, constraints), *_explicit(model, names, notes))


def _of_gearboxes(model: Model, constraints: Sequence[Constraint]) -> Iterator[Frame]:
    frames = {
        frame.location: frame for frame in reversed(model.frames) if frame.kind == 'joint'}
    for constraint in constraints:
        frame = frames.get(constraint.location)
        if frame is not None:
            yield frame._replace(name=constraint.name, source_name=constraint.source_name)


def _explicit(model: Model, names: Namespaces, notes: GroupedDiagnostics) -> Iterator[Frame]:
    tops = {scope.source_name for scope in model.scopes if scope.parent == NONE}
    for frame in model.frames:
        kept = model.format == 'sdf' and frame.kind in _IN_EXTENSIONS
        top = frame.kind == 'model' and frame.source_name in tops
        own = frame.name == model.bodies[frame.body].name
        if frame.kind not in _IMPLICIT and not kept and not top and not own:
            lowered = _lowered(frame, model, names, notes)
            if lowered is not None:
                yield lowered


def _lowered(
    frame: Frame, model: Model, names: Namespaces, notes: GroupedDiagnostics,
) -> Optional[Frame]:
    """Return a frame in the scope of its name if its link is there, else in the world."""
    scope = names.scope_of[frame.body]
    if scope == WORLD and not model.is_world:
        notes.add(
            codes.FRAME_NOT_REPRESENTABLE,
            'a model of SDFormat has no frames fixed to the world; these are omitted',
            frame.name, frame.location)
        return None
    scope = scope if names.holds(scope, frame.name) else WORLD
    name, source_name = names.claim_in(scope, frame.name, 'frame')
    return frame._replace(name=name, source_name=source_name)
