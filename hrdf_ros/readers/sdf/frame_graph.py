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
from hrdf_ros.model import NONE
from hrdf_ros.parsing.sdf import ROOT
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose
from hrdf_ros.readers.sdf.records import Item, Scope
from hrdf_ros.readers.sdf.tree import Frames, Tree


def resolve_frames(tree: Tree, report: Report, depth: int = 0) -> Frames:
    """
    Return the body and the pose of everything in a tree.

    ``depth`` is the depth of its outermost scope: 1 for a model, else 0.
    """
    return _Resolver(tree, report, depth).resolved()


class _Resolver:
    """
    The tables of Frames while they grow.

    ``_attached`` and ``_against`` are the targets of references. A target is NONE where it is
    unknown, and the scope around the item where the item refers to nothing. ``_poses`` are None
    until they are resolved.
    """

    def __init__(self, tree: Tree, report: Report, depth: int) -> None:
        self._tree = tree
        self._report = report
        self._attached = [0]
        self._against = [0]
        self._bodies = [NONE] * len(tree.items)
        self._poses: list[Optional[Pose]] = [None] * len(tree.items)
        self._visiting: set[int] = set()
        self._canonical = dict.fromkeys(tree.scopes, NONE)
        self._depths = {0: depth}
        self._paths = {0: ''}
        self._static = {0: tree.scopes[0].static_by_include}

    def resolved(self) -> Frames:
        """Return where everything is; diagnostics come in the order of libsdformat."""
        tree = self._tree
        self._inherit()
        self._find_targets()
        scopes = sorted(tree.scopes, key=self._depths.__getitem__, reverse=True)
        for scope in scopes:
            self._check_attachments(scope)
            self._canonical[scope] = self._choose_canonical(scope)
            self._check_canonical(scope)
        for scope in scopes:
            for index in tree.contents[scope]:
                if self._bodies[index] == NONE:
                    self._resolve_body(index)
        if self._bodies[0] == NONE:
            self._resolve_body(0)
        for scope in scopes:
            self._check_poses(scope)
        against = [
            around if target == NONE else target
            for target, around in zip(self._against, tree.around)]
        self._against = against
        self._poses[0] = tree.items[0].pose
        for scope in scopes:
            for index in tree.contents[scope]:
                if self._poses[index] is None:
                    pose = self._poses[index] = self._direct_pose(index)
                    if pose is None:
                        self._resolve_pose(index)
        poses = [pose or IDENTITY for pose in self._poses]
        root_from_scope = {0: IDENTITY}
        for scope in tree.scopes:
            if scope != 0:
                root_from_scope[scope] = compose(
                    root_from_scope[tree.around[scope]], poses[scope])
        return Frames(
            tree=tree, poses=poses, against=against, bodies=self._bodies,
            canonical=self._canonical, depths=self._depths, paths=self._paths,
            static=self._static, root_from_scope=root_from_scope)

    def _inherit(self) -> None:
        """Set the values of models that come from the scopes around them."""
        for index, model in self._tree.scopes.items():
            if index == 0:
                continue
            around = self._tree.around[index]
            path = self._paths[around]
            self._depths[index] = self._depths[around] + 1
            self._paths[index] = path = f'{path}::{model.name}' if path else model.name
            self._static[index] = model.static_by_include or self._static[around]
            if self._static[around] and not model.static:
                self._report.add(
                    codes.SDF_INCLUDE_NON_STANDARD,
                    f"the links of model '{path}' are static because of an include around it",
                    model.location, hint='the composition proposal says so, but '
                    'libsdformat makes only the included model static')

    def _find_targets(self) -> None:
        """Look up the references of all items."""
        tree = self._tree
        for index in range(1, len(tree.items)):
            item, scope = tree.items[index], tree.around[index]
            attached = against = self._target(scope, item, item.attached_to)
            if item.relative_to != item.attached_to:
                against = self._target(scope, item, item.relative_to)
            self._attached.append(attached)
            self._against.append(against)
            if item.kind == 'link':
                self._bodies[index] = index
            elif attached == NONE:
                self._bodies[index] = scope

    def _target(self, scope: int, item: Item, name: str) -> int:
        """Return the target of a name in an item, NONE if that is unknown or the item itself."""
        if not name:
            return scope
        return NONE if name == item.name else self._tree.find(scope, name)

    # ---- which link carries a frame

    def _choose_canonical(self, index: int) -> int:
        """
        Return the link of the canonical link of a model (SDF 1.7, ``model/@canonical_link``).

        That is the link of the frame that the attribute names, or else the model's first link, or
        else the canonical link of its first nested model, which is known already.
        """
        tree, scope = self._tree, self._tree.scopes[index]
        found = NONE
        if scope.interface is not None:
            if scope.canonical != NONE:
                found = tree.contents[index][scope.canonical]
        elif scope.canonical_link:
            found = tree.find(index, scope.canonical_link)
            if found != NONE and tree.items[found].kind != 'link':
                found = NONE
        elif scope.kind == 'model':
            found = next(
                (each for each in tree.contents[index] if tree.items[each].kind == 'link'), NONE)
            models = tree.models[index] if found == NONE else []
            if models:
                found = self._canonical[models[0]]
        return found

    def _check_canonical(self, index: int) -> None:
        """Report a canonical link that is not in its model."""
        scope = self._tree.scopes[index]
        name = scope.canonical_link
        if not name or scope.static or scope.incomplete or name == ROOT:
            return
        location = scope.content.attribute_location('canonical_link', 0)
        if name == scope.origin:
            self._report.add(
                codes.SDF_ATTACHED_TO_CYCLE,
                f"model '{scope.name}' names itself as its canonical link", location)
        elif self._tree.find(index, name) == NONE:
            self._tree.report_unknown(
                index, name, codes.SDF_CANONICAL_LINK_UNKNOWN,
                f"there is no link '{name}' in model '{scope.name}'", location, self._report)

    def _check_attachments(self, scope: int) -> None:
        """Report joints and frames that are attached to an unknown frame."""
        if self._tree.scopes[scope].incomplete:
            return
        for index in self._tree.contents[scope]:
            if self._attached[index] == NONE:
                item = self._tree.items[index]
                if item.attached_to != ROOT and (item.kind, item.attached_to) != (
                        'joint', 'world'):
                    self._report_attached_to(scope, item)

    def _report_attached_to(self, scope: int, item: Item) -> None:
        """Report that a joint or frame is attached to an unknown frame, or to itself."""
        name = item.attached_to
        location = item.element.locate('child') if item.kind == 'joint' else (
            item.element.attribute_location('attached_to', 0))
        if name == item.name:
            self._report.add(
                codes.SDF_ATTACHED_TO_CYCLE, f"{item.kind} '{name}' is attached to itself",
                location)
        elif item.kind == 'joint':
            self._tree.report_unknown(
                scope, name, codes.JOINT_CHILD_UNKNOWN,
                f"the child '{name}' of joint '{item.name}' is not in its scope", location,
                self._report, reference='JOINT_CHILD_LINK_INVALID')
        else:
            self._tree.report_unknown(
                scope, name, codes.SDF_ATTACHED_TO_UNKNOWN,
                f"frame '{item.name}' is attached to '{name}', which is not in its scope",
                location, self._report)

    def _resolve_body(self, start: int) -> None:
        """Find the link, or the scope of a static model or of the world, that carries a frame."""
        chain: dict[int, None] = {}
        current = start
        while self._bodies[current] == NONE and current not in chain:
            chain[current] = None
            following = self._next(current)
            if following == current:
                self._bodies[current] = current
            current = following
        body = self._bodies[current]
        if body == NONE:
            body = start
            items = list(chain)
            self._report_attached_cycle(items[items.index(current):])
        for each in chain:
            self._bodies[each] = body

    def _next(self, current: int) -> int:
        """Return the target of an attachment; a scope without a link is its own body."""
        tree, item = self._tree, self._tree.items[current]
        if not isinstance(item, Scope):
            return self._attached[current]
        if item.kind != 'model' or item.static:
            return current
        following = tree.find(current, item.canonical_link) if item.canonical_link else NONE
        if following in (NONE, current):
            following = self._canonical[current]
        if following == NONE:
            following = next(iter(tree.models[current]), current)
        return following

    def _report_attached_cycle(self, cycle: Sequence[int]) -> None:
        """Report a cycle at the first element with an explicit attachment."""
        items = [self._tree.items[index] for index in cycle]
        item = min((each for each in items if each.attached_to), default=None, key=_start)
        self._report.add(
            codes.SDF_ATTACHED_TO_CYCLE,
            f'frames are attached to each other in a cycle: {_names(items)}',
            None if item is None else item.element.attribute_location('attached_to')
            if item.kind == 'frame' else item.element.locate('child'))

    # ---- where a frame is

    def _check_poses(self, scope: int) -> None:
        """Report poses relative to an unknown frame, which the scope's own frame replaces."""
        tree = self._tree
        is_incomplete = tree.scopes[scope].incomplete
        for index in tree.contents[scope]:
            if self._against[index] == NONE and not is_incomplete:
                item = tree.items[index]
                if item.relative_to not in (item.attached_to, ROOT):
                    self._report_relative_to(scope, item)
        for index in tree.models[scope]:
            model = tree.scopes[index]
            if model.placement_frame:
                self._check_placement(index, model)

    def _check_placement(self, index: int, model: Scope) -> None:
        """Report the placement frame of a model if it is unknown."""
        name = model.placement_frame
        if name != ROOT and self._tree.find(index, name) == NONE:
            self._tree.report_unknown(
                index, name, codes.SDF_PLACEMENT_FRAME_UNKNOWN,
                f"there is no frame '{name}' in model '{model.name}' to place",
                model.element.attribute_location('placement_frame', 0), self._report)

    def _report_relative_to(self, scope: int, item: Item) -> None:
        """Report that a pose is relative to an unknown frame, or to itself."""
        name = item.relative_to
        pose = item.element.child('pose') or item.element
        location = pose.attribute_location('relative_to', 0)
        if name == item.name:
            self._report.add(
                codes.SDF_RELATIVE_TO_CYCLE, f"{item.kind} '{name}' is posed relative to itself",
                location)
        else:
            self._tree.report_unknown(
                scope, name, codes.SDF_RELATIVE_TO_UNKNOWN,
                f"{item.kind} '{item.name}' is posed relative to '{name}', which is not in its "
                'scope', location, self._report)

    def _direct_pose(self, index: int) -> Optional[Pose]:
        """Return the pose of an item in its scope or relative to a resolved sibling, if any."""
        item, scope = self._tree.items[index], self._tree.around[index]
        if isinstance(item, Scope) and item.placement_frame:
            return None
        target = self._against[index]
        if target == scope:
            return item.pose
        scope_from_target = self._poses[target]
        if scope_from_target is None or self._tree.around[target] != scope:
            return None
        return compose(scope_from_target, item.pose)

    def _resolve_pose(self, start: int) -> None:
        """Resolve the pose of an item and of everything that it depends on, depth first."""
        pending = [start]
        while pending:
            index = pending[-1]
            if self._poses[index] is not None:
                pending.pop()
                continue
            item = self._tree.items[index]
            against = self._tree.way(self._tree.around[index], self._against[index])
            placed = self._way_to_placement(index, item) if isinstance(item, Scope) else []
            needed = [each for each in (*against, *placed) if self._poses[each] is None]
            if not needed:
                pending.pop()
                self._visiting.discard(index)
                self._poses[index] = compose(
                    compose(self._along(against), item.pose), inverse(self._along(placed)))
                continue
            self._visiting.add(index)
            circular = [each for each in needed if each in self._visiting]
            if circular:
                self._cut_cycle(index, pending[pending.index(circular[0]):])
            else:
                pending.extend(needed)

    def _way_to_placement(self, index: int, model: Scope) -> list[int]:
        """Return the path to the placement frame of a model, empty for the model's own frame."""
        found = self._tree.find(index, model.placement_frame) if model.placement_frame else NONE
        return [] if found == NONE else self._tree.way(index, found)

    def _along(self, way: Sequence[int]) -> Pose:
        """Return scope_from_frame along a resolved path."""
        scope_from_frame = IDENTITY
        for index in way:
            scope_from_frame = compose(scope_from_frame, self._poses[index] or IDENTITY)
        return scope_from_frame

    def _cut_cycle(self, index: int, pending: Sequence[int]) -> None:
        """Report a cycle and cut it at the element that closes it."""
        items = [self._tree.items[each] for each in pending if each in self._visiting]
        at = min(
            (each for each in items if each.relative_to != each.attached_to), default=None,
            key=_start)
        if at is not None:
            pose = at.element.child('pose')
            self._report.add(
                codes.SDF_RELATIVE_TO_CYCLE,
                f'poses are relative to each other in a cycle: {_names(items)}',
                pose.attribute_location('relative_to') if pose is not None else
                at.location)
        self._visiting.discard(index)
        self._poses[index] = self._tree.items[index].pose


def _start(item: Item) -> int:
    return item.element.start


def _names(cycle: Sequence[Item]) -> str:
    """Return the names in a cycle, only the first ones of a long cycle."""
    shown = [f"'{item.name}'" for item in cycle[:8]]
    if len(cycle) > len(shown):
        shown.append(f'... ({len(cycle)} frames)')
    return ' -> '.join([*shown, shown[0]])
