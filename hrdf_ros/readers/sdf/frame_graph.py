# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Frame semantics: the pose of every frame and the link that carries it (SDF 1.7 and 1.8).

Each frame is resolved once, along chains of any length, without recursion. An unknown reference
and a cycle are reported once, at the element that makes them; frames that depend on them are not
reported again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose
from hrdf_ros.readers.sdf.scopes import Scope, ScopedElement, with_inner

_ROOT = '__root__'
"""A name that cannot be referred to; reported where it is read."""


def resolve_frames(top: Scope, report: Report) -> None:
    """Resolve the body and the pose of everything in a scope and below it."""
    outer_first = with_inner(top)
    for scope in outer_first:
        for model in scope.models:
            _inherit(scope, model, report)
    scopes = sorted(outer_first, key=lambda scope: scope.depth, reverse=True)
    for scope in scopes:
        _check_attachments(scope, report)
        if scope.kind == 'model' and scope.interface is None:
            scope.canonical = choose_canonical(scope)
            _check_canonical(scope, report)
    for scope in scopes:
        for item in scope.children:
            if item.body is None:
                resolve_body(item, report)
    for scope in scopes:
        _check_poses(scope, report)
    for scope in scopes:
        for item in scope.children:
            if item.scope_pose is None:
                _resolve_pose(item, report)
    for scope in reversed(scopes):
        for model in scope.models:
            model.root_from_scope = model.root_pose


def _inherit(scope: Scope, model: Scope, report: Report) -> None:
    """Set the values of a model that come from the scope around it."""
    model.depth, model.path = scope.depth + 1, model.scoped_name
    if scope.static_by_include:
        model.static_by_include = True
        if not model.static:
            report.add(
                codes.SDF_INCLUDE_NON_STANDARD,
                f"the links of model '{model.path}' are static because of an include around it",
                model.location, hint='the composition proposal says so, but libsdformat makes '
                'only the included model static')


# ---- which link carries a frame

def choose_canonical(model: Scope) -> Optional[ScopedElement]:
    """
    Return the link of the canonical link of a model (SDF 1.7, ``model/@canonical_link``).

    The named one, else its first link, else that of its first nested model.
    """
    while model.canonical is None:
        if model.canonical_link:
            item = model.find(model.canonical_link)
            return item if item is not None and item.kind == 'link' else None
        for item in model.children:
            if item.kind == 'link':
                return item
        if not model.models:
            return None
        model = model.models[0]
    return model.canonical


def _check_canonical(scope: Scope, report: Report) -> None:
    """Report a canonical link that is not in its model."""
    name = scope.canonical_link
    if not name or scope.static or scope.incomplete or name == _ROOT:
        return
    location = scope.content.attribute_location('canonical_link', 0)
    if name == scope.origin:
        report.add(
            codes.SDF_ATTACHED_TO_CYCLE,
            f"model '{scope.name}' names itself as its canonical link", location)
    elif scope.find(name) is None:
        scope.report_unknown(
            name, codes.SDF_CANONICAL_LINK_UNKNOWN,
            f"there is no link '{name}' in model '{scope.name}'", location, report)


def _check_attachments(scope: Scope, report: Report) -> None:
    """Report joints and frames that are attached to something unknown."""
    for item in scope.children:
        name = item.attached_to
        if name and (name == item.name or name not in scope.items and scope.find(name) is None):
            item.body = scope
            is_joint = item.kind == 'joint'
            if scope.incomplete or name == _ROOT or is_joint and name == 'world':
                continue
            location = item.element.locate('child') if is_joint else (
                item.element.attribute_location('attached_to', 0))
            if name == item.name:
                report.add(
                    codes.SDF_ATTACHED_TO_CYCLE, f"{item.kind} '{name}' is attached to itself",
                    location)
            elif is_joint:
                scope.report_unknown(
                    name, codes.JOINT_CHILD_UNKNOWN,
                    f"the child '{name}' of joint '{item.name}' is not in its scope", location,
                    report, reference='JOINT_CHILD_LINK_INVALID')
            else:
                scope.report_unknown(
                    name, codes.SDF_ATTACHED_TO_UNKNOWN,
                    f"frame '{item.name}' is attached to '{name}', which is not in its scope",
                    location, report)


def resolve_body(start: ScopedElement, report: Report) -> ScopedElement:
    """Return the link, or the scope of a static model or of the world, that carries a frame."""
    chain: list[ScopedElement] = []
    current = start
    while current.body is None and not current.visiting:
        current.visiting = True
        chain.append(current)
        current = _next(current)
    if current.body is None:
        _report_attached_cycle(chain[chain.index(current):], report)
    body = current.body or start
    for each in chain:
        each.body, each.visiting = body, False
    return body


def _next(current: ScopedElement) -> ScopedElement:
    """Return the target of an attachment; a scope without a link is its own body."""
    if not isinstance(current, Scope):
        target = current.scope.find(current.attached_to) if current.attached_to else None
        return target or current.scope
    if current.kind == 'model' and not current.static:
        following = current.find(current.canonical_link) if current.canonical_link else None
        if following is None or following is current:
            following = current.canonical or (current.models[0] if current.models else None)
        if following is not None:
            return following
    current.body = current
    return current


def _report_attached_cycle(cycle: list[ScopedElement], report: Report) -> None:
    """Report a cycle at the first element with an explicit attachment."""
    item = min((each for each in cycle if each.attached_to), default=None, key=_start)
    report.add(
        codes.SDF_ATTACHED_TO_CYCLE,
        f'frames are attached to each other in a cycle: {_names(cycle)}',
        None if item is None else item.element.attribute_location('attached_to')
        if item.kind == 'frame' else item.element.locate('child'))


def _start(item: ScopedElement) -> int:
    return item.element.start


def _names(cycle: Sequence[ScopedElement]) -> str:
    """Return the names in a cycle, of a long one only the first."""
    shown = [f"'{item.name}'" for item in cycle[:8]]
    if len(cycle) > len(shown):
        shown.append(f'... ({len(cycle)} frames)')
    return ' -> '.join([*shown, shown[0]])


# ---- where a frame is

def _check_poses(scope: Scope, report: Report) -> None:
    """Report poses that are relative to an unknown frame; the scope's own is taken for it."""
    for item in scope.children:
        name = item.relative_to
        if name and (name == item.name or name not in scope.items and scope.find(name) is None):
            item.relative_to = ''
            if name not in (item.attached_to, _ROOT) and not scope.incomplete:
                _report_relative_to(item, name, report)
    for model in scope.models:
        name = model.placement_frame
        if name and model.find(name) is None:
            model.placement_frame = ''
            if name != _ROOT:
                model.report_unknown(
                    name, codes.SDF_PLACEMENT_FRAME_UNKNOWN,
                    f"there is no frame '{name}' in model '{model.name}' to place",
                    model.element.attribute_location('placement_frame', 0), report)


def _report_relative_to(item: ScopedElement, name: str, report: Report) -> None:
    pose = item.element.child('pose') or item.element
    location = pose.attribute_location('relative_to', 0)
    if name == item.name:
        report.add(
            codes.SDF_RELATIVE_TO_CYCLE, f"{item.kind} '{name}' is posed relative to itself",
            location)
    else:
        item.scope.report_unknown(
            name, codes.SDF_RELATIVE_TO_UNKNOWN,
            f"{item.kind} '{item.name}' is posed relative to '{name}', which is not in its scope",
            location, report)


def resolve_pose(scope: Scope, item: ScopedElement, report: Report) -> Pose:
    """Return scope_from_frame for an element that ``Scope.find`` returned."""
    way = scope.way(item)
    for each in way:
        if each.scope_pose is None:
            _resolve_pose(each, report)
    return _along(way)


def _resolve_pose(start: ScopedElement, report: Report) -> None:
    """Resolve the pose of an element and all that it depends on, depth first."""
    against_one = start.scope.items.get(start.relative_to)
    if against_one is not None and against_one.scope_pose is not None and start.kind != 'model':
        start.scope_pose = compose(against_one.scope_pose, start.pose)  # the usual case
        return
    pending = [start]
    while pending:
        item = pending[-1]
        if item.scope_pose is not None:
            pending.pop()
            continue
        against = _way(item.scope, item.relative_to)
        placed = _way(item, item.placement_frame) if isinstance(item, Scope) else []
        needed = [other for other in (*against, *placed) if other.scope_pose is None]
        if not needed:
            pending.pop()
            item.visiting = False
            item.scope_pose = compose(
                compose(_along(against), item.pose), inverse(_along(placed)))
            continue
        item.visiting = True
        circular = [other for other in needed if other.visiting]
        if circular:
            _cut_cycle(item, pending[pending.index(circular[0]):], report)
        else:
            pending.extend(needed)


def _way(scope: Scope, name: str) -> list[ScopedElement]:
    """Return the path to the target of a reference; empty for the scope's own frame."""
    found = scope.find(name) if name else None
    return [] if found is None else scope.way(found)


def _along(way: Sequence[ScopedElement]) -> Pose:
    """Return scope_from_frame along a resolved path."""
    scope_from_frame = IDENTITY
    for item in way:
        scope_from_frame = compose(scope_from_frame, item.scope_pose or IDENTITY)
    return scope_from_frame


def _cut_cycle(
    item: ScopedElement, pending: Sequence[ScopedElement], report: Report,
) -> None:
    """Report a cycle and cut it at the element that closes it."""
    cycle = [each for each in pending if each.visiting]
    at = min((each for each in cycle if each.relative_to != each.attached_to), default=None,
             key=_start)
    if at is not None:
        pose = at.element.child('pose')
        report.add(
            codes.SDF_RELATIVE_TO_CYCLE,
            f'poses are relative to each other in a cycle: {_names(cycle)}',
            pose.attribute_location('relative_to') if pose is not None else at.location)
    item.visiting = False
    item.scope_pose = item.pose
