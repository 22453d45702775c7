# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Frame semantics: the pose of every frame and the link that carries it (SDF 1.7 and 1.8).

Each frame is resolved once, along chains of any length, without recursion. An unknown reference
and a cycle are reported once, at the element that makes them; frames that depend on them are not
reported again.
"""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose
from hrdf_ros.readers.sdf.scopes import (
    AttachedBody,
    Scope,
    ScopedElement,
    ScopedModel,
    ScopePath,
    target,
    with_inner,
)

_ROOT = '__root__'
"""A name that cannot be referred to; reported where it is read."""


def resolve_frames(top: Scope, report: Report) -> None:
    """Resolve the body and the pose of everything in a scope and below it."""
    scopes = _inner_first(top, report)
    for scope in scopes:
        _check_attachments(scope, report)
        _check_canonical(scope, report)
    for scope in scopes:
        for item in scope.children:
            if item.body is None:
                resolve_body(item, report)
    for scope in scopes:
        _check_poses(scope, report)
    for scope in scopes:
        _resolve_poses(scope, report)
    for scope in reversed(scopes):
        for model in scope.models:
            model.inner.root_pose = model.root_pose


def _inner_first(top: Scope, report: Report) -> list[Scope]:
    """Set the values that scopes inherit from the ones around them; return all, inner first."""
    scopes = with_inner(top)
    for scope in scopes:
        for model in scope.models:
            inner = model.inner
            inner.depth = scope.depth + 1
            inner.scoped_name = model.scoped_name
            if scope.static_by_include:
                inner.static_by_include = True
                if not inner.static:
                    _report_static(model, report)
    return sorted(scopes, key=lambda scope: scope.depth, reverse=True)


def _report_static(model: ScopedModel, report: Report) -> None:
    """Report that an include around a model makes it static."""
    report.add(
        codes.SDF_INCLUDE_NON_STANDARD,
        f"the links of model '{model.scoped_name}' are static because of an include around it",
        model.location, hint='the composition proposal says so, but libsdformat makes only the '
        'included model static')


# ---- which link carries a frame

def choose_canonical(scope: Scope) -> Optional[ScopedElement]:
    """
    Return the link of the canonical link of a model (SDF 1.7, ``model/@canonical_link``).

    The named one, else its first link, else that of its first nested model.
    """
    current: Optional[Scope] = scope
    while current is not None and current.canonical is None:
        if current.canonical_link:
            path = current.find(current.canonical_link)
            item = path[-1] if path else None
            return item if item is not None and item.kind == 'link' else None
        for item in current.children:
            if item.kind == 'link':
                return item
        current = _first_model(current)
    return current.canonical if current is not None else None


def _check_canonical(scope: Scope, report: Report) -> None:
    """Find the canonical link of a model; the one that it names has to be there."""
    if scope.kind != 'model' or scope.interface is not None:
        return
    scope.canonical = choose_canonical(scope)
    name = scope.canonical_link
    if scope.static or scope.incomplete or name == _ROOT:
        return
    if name == scope.origin:
        report.add(
            codes.SDF_ATTACHED_TO_CYCLE,
            f"model '{scope.name}' names itself as its canonical link",
            scope.element.attribute_location('canonical_link', 0))
    elif name and scope.find(name) is None:
        report.add(
            codes.SDF_CANONICAL_LINK_UNKNOWN,
            f"there is no link '{name}' in model '{scope.name}'",
            scope.element.attribute_location('canonical_link', 0),
            hint=did_you_mean(name, scope.items), cause=name)


def _check_attachments(scope: Scope, report: Report) -> None:
    """Report joints and frames that are attached to something unknown."""
    for item in scope.children:
        name = item.attached_to
        if name and (name == item.name or name not in scope.items and scope.find(name) is None):
            item.body = scope
            if not scope.incomplete:
                _report_attachment(item, name, report)


def _report_attachment(item: ScopedElement, name: str, report: Report) -> None:
    hint = did_you_mean(name, item.scope.items)
    if name == _ROOT or item.kind == 'joint' and name == 'world':
        return
    if name == item.name:
        report.add(
            codes.SDF_ATTACHED_TO_CYCLE, f"{item.kind} '{name}' is attached to itself",
            item.element.attribute_location('attached_to', 0) if item.kind == 'frame'
            else item.element.locate('child'))
    elif item.kind == 'frame':
        report.add(
            codes.SDF_ATTACHED_TO_UNKNOWN,
            f"frame '{item.name}' is attached to '{name}', which is not in its scope",
            item.element.attribute_location('attached_to', 0), hint=hint, cause=name)
    else:
        report.add(
            codes.JOINT_CHILD_UNKNOWN,
            f"the child '{name}' of joint '{item.name}' is not in its scope",
            item.element.locate('child'), hint=hint, reference='JOINT_CHILD_LINK_INVALID',
            cause=name)


def resolve_body(start: AttachedBody, report: Report) -> AttachedBody:
    """Return the link, or the static model's or world's scope, that carries a frame."""
    chain: list[AttachedBody] = []
    current = start
    while current.body is None and not current.visiting:
        current.visiting = True
        chain.append(current)
        current = _next(current)
    if current.body is None:
        _report_attached_cycle(chain[chain.index(current):], report)
    body = current.body if current.body is not None else start
    for each in chain:
        each.body, each.visiting = body, False
    return body


def _next(current: AttachedBody) -> AttachedBody:
    """Return the target of an attachment; a scope without a link is its own body."""
    if isinstance(current, ScopedElement):
        if isinstance(current, ScopedModel):
            return current.inner
        path = current.scope.find(current.attached_to) if current.attached_to else ()
        return target(current.scope, path or ())
    if current.kind == 'model' and not current.static:
        path = current.find(current.canonical_link) if current.canonical_link else None
        following = path[-1] if path else current.canonical or _first_model(current)
        if following is not None:
            return following
    current.body = current
    return current


def _first_model(scope: Scope) -> Optional[Scope]:
    return next((model.inner for model in scope.models), None)


def _report_attached_cycle(cycle: list[AttachedBody], report: Report) -> None:
    """Report a cycle at the first element with an explicit attachment."""
    items = [each for each in cycle if isinstance(each, ScopedElement) and each.attached_to]
    item = min(items, key=lambda item: item.element.start) if items else None
    names = _cycle_text([each.name for each in cycle])
    location: Optional[SourceRef] = None
    if item is not None and item.kind == 'frame':
        location = item.element.attribute_location('attached_to')
    elif item is not None:
        location = item.element.locate('child')
    report.add(
        codes.SDF_ATTACHED_TO_CYCLE, f'frames are attached to each other in a cycle: {names}',
        location)


def _cycle_text(names: list[str]) -> str:
    """Return the names in a cycle, of a long one only the first."""
    shown = [f"'{name}'" for name in names[:8]]
    if len(names) > len(shown):
        shown.append(f'... ({len(names)} frames)')
    return ' -> '.join([*shown, f"'{names[0]}'"])


# ---- where a frame is

def _check_poses(scope: Scope, report: Report) -> None:
    """Report poses that are relative to an unknown frame; the scope's own is taken for it."""
    for item in scope.children:
        name = item.relative_to
        if name and (name == item.name or name not in scope.items and scope.find(name) is None):
            item.relative_to = ''
            if name not in (item.attached_to, _ROOT) and not scope.incomplete:
                _report_relative_to(item, name, report)
        if item.kind == 'model' and isinstance(item, ScopedModel):
            _check_placement(item, report)


def _report_relative_to(item: ScopedElement, name: str, report: Report) -> None:
    pose = item.element.child('pose') or item.element
    location = pose.attribute_location('relative_to', 0)
    if name == item.name:
        report.add(
            codes.SDF_RELATIVE_TO_CYCLE, f"{item.kind} '{name}' is posed relative to itself",
            location)
    else:
        report.add(
            codes.SDF_RELATIVE_TO_UNKNOWN,
            f"{item.kind} '{item.name}' is posed relative to '{name}', which is not in its scope",
            location, hint=did_you_mean(name, item.scope.items), cause=name)


def _check_placement(model: ScopedModel, report: Report) -> None:
    """Report a placement frame that is not in its model; the model's own frame is placed then."""
    inner = model.inner
    name = inner.placement_frame
    if name and inner.find(name) is None:
        inner.placement_frame = ''
        if name != _ROOT and not inner.incomplete:
            report.add(
                codes.SDF_PLACEMENT_FRAME_UNKNOWN,
                f"there is no frame '{name}' in model '{inner.name}' to place",
                model.element.attribute_location('placement_frame', 0),
                hint=did_you_mean(name, inner.items), cause=name)


def _resolve_poses(scope: Scope, report: Report) -> None:
    for item in scope.children:
        if item.scope_pose is None:
            if not item.relative_to and item.kind != 'model':
                item.scope_pose = item.pose
            else:
                _resolve_pose(item, report)


def resolve_pose(path: ScopePath, report: Report) -> Pose:
    """Return scope_from_frame for a path of ``Scope.find``."""
    for item in path:
        if item.scope_pose is None:
            _resolve_pose(item, report)
    return _along(path)


def _resolve_pose(start: ScopedElement, report: Report) -> None:
    """Resolve the pose of an element and all that it depends on, depth first."""
    pending = [start]
    while pending:
        item = pending[-1]
        if item.scope_pose is not None:
            pending.pop()
            continue
        against = item.scope.find(item.relative_to) or () if item.relative_to else ()
        placed = _placed(item)
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
            _report_pose_cycle(item, pending, circular[0], report)
        else:
            pending.extend(needed)


def _along(path: ScopePath) -> Pose:
    """Return scope_from_frame along a path that is resolved."""
    scope_from_frame = IDENTITY
    for item in path:
        scope_from_frame = compose(scope_from_frame, item.scope_pose or IDENTITY)
    return scope_from_frame


def _placed(item: ScopedElement) -> ScopePath:
    """Return the path, in a nested model, to the frame that its pose places."""
    if not isinstance(item, ScopedModel) or not item.inner.placement_frame:
        return ()
    return item.inner.find(item.inner.placement_frame) or ()


def _report_pose_cycle(
    item: ScopedElement, pending: list[ScopedElement], first: ScopedElement, report: Report,
) -> None:
    """Report a cycle and cut it at the element that closes it."""
    cycle = [each for each in pending[pending.index(first):] if each.visiting]
    names = _cycle_text([each.name for each in cycle])
    explicit = [each for each in cycle if each.relative_to != each.attached_to]
    if explicit:
        at = min(explicit, key=lambda item: item.element.start)
        pose = at.element.child('pose')
        report.add(
            codes.SDF_RELATIVE_TO_CYCLE,
            f'poses are relative to each other in a cycle: {names}',
            pose.attribute_location('relative_to') if pose is not None else at.location)
    item.visiting = False
    item.scope_pose = item.pose
