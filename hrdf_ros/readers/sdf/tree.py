# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A composed scope and everything below it as a table, to look up names and poses.

A scope is a model or a world (pose frame semantics proposal, SDF 1.7; composition proposal, SDF
1.8); the links, joints, frames and nested models in it share one namespace. References lead
downwards only: ``arm::wrist`` is ``wrist`` in the scope of the nested model ``arm``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.model import NONE
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import compose, IDENTITY, Pose
from hrdf_ros.readers.sdf.records import Item, Joint, Scope


class Tree:
    """
    The items of a scope and of everything below it; none of them changes.

    The outermost scope has index 0. The items of a scope follow each other, after the items of the
    scopes around it. ``around`` has the index of the scope around each item; the outermost scope
    is around itself. ``scopes`` are the scopes by their index, outer ones first; ``contents`` are
    the indices of the items in each, and ``models`` those of the models in each.
    """

    def __init__(self, top: Scope) -> None:
        self.items: list[Item] = [top]
        self.around = [0]
        self.scopes: dict[int, Scope] = {}
        self.contents: dict[int, range] = {}
        self.models: dict[int, list[int]] = {}
        for index, item in enumerate(self.items):  # the list grows in the loop
            if isinstance(item, Scope):
                first, count = len(self.items), len(item.children)
                self.scopes[index] = item
                self.contents[index] = range(first, first + count)
                self.models[index] = []
                if index != 0:
                    self.models[self.around[index]].append(index)
                self.items += item.children
                self.around += [index] * count

    def links(self, scope: int) -> list[int]:
        """Return the indices of the links in a scope."""
        items = self.items
        return [index for index in self.contents[scope] if items[index].kind == 'link']

    def scopes_in(self, top: int) -> list[int]:
        """Return the index of a scope and of every scope below it, outer ones first."""
        found = [top]
        for scope in found:  # the list grows in the loop
            found += self.models[scope]
        return found

    def find(self, scope: int, name: str) -> int:
        """
        Return the target of a reference, NONE where there is none.

        The name of a scope's own frame means the scope itself. An item with the whole name (in old
        flattened files) comes first.
        """
        item, rest = self.items[scope], name
        while isinstance(item, Scope):
            position = item.names.get(rest)
            if position is not None:
                return self.contents[scope][position]
            if rest == item.origin:
                return scope
            if item.is_placeholder:
                return self.contents[scope][0]
            head, _, rest = rest.partition('::')
            position = item.names.get(head)
            if position is None or not rest:
                break
            scope = self.contents[scope][position]
            item = self.items[scope]
        return NONE

    def way(self, scope: int, index: int) -> list[int]:
        """Return the models that lead from a scope to an item in or below it, and the item."""
        found = []
        while index != scope:
            found.append(index)
            index = self.around[index]
        return found[::-1]

    def depth_first(self, scope: int) -> Iterator[int]:
        """Yield a model, or the items of a world, and everything below, in document order."""
        is_model = self.scopes[scope].kind == 'model'
        pending = [iter([scope] if is_model else self.contents[scope])]
        while pending:
            for index in pending[-1]:
                yield index
                if index in self.contents:
                    pending.append(iter(self.contents[index]))
                    break
            else:
                pending.pop()

    def report_unknown(
        self, scope: int, name: str, code: codes.Code, message: str, location: SourceRef,
        report: Report, *, severity: Optional[codes.Severity] = None,
        reference: Optional[str] = None,
    ) -> None:
        """Report a name that is not in a scope, unless a failed include may be the reason."""
        around = self.scopes[scope]
        if not around.incomplete:
            report.add(
                code, message, location, hint=did_you_mean(name, around.names), severity=severity,
                reference=reference, cause=name)


class Frames(NamedTuple):
    """
    Where everything in a tree is, by its index there (``frame_graph``).

    ``poses`` are scope_from_item, in the scope around each item; ``against`` is the frame that
    each pose was written relative to. ``bodies`` is what carries each item: a link, or the scope
    of a static model or of the world. The other tables are by scope: ``canonical`` are the
    canonical links, NONE without one; ``depths`` are 1 for a root model and for the models of a
    world; ``paths`` are the scoped names; ``static`` says whether an include makes the scope
    static; ``root_from_scope`` are poses.
    """

    tree: Tree
    poses: Sequence[Pose]
    against: Sequence[int]
    bodies: Sequence[int]
    canonical: Mapping[int, int]
    depths: Mapping[int, int]
    paths: Mapping[int, str]
    static: Mapping[int, bool]
    root_from_scope: Mapping[int, Pose]

    def joint(self, index: int) -> Joint:
        joint = self.tree.items[index]
        assert isinstance(joint, Joint)
        return joint

    def severity(self, scope: int) -> Severity:
        """Return the severity of a fault of a joint in a scope."""
        return 'error' if self.depths[scope] < 2 else 'warning'

    def scoped_name(self, index: int) -> str:
        """Return the name from the outermost scope down, as SDFormat writes it."""
        path, name = self.paths[self.tree.around[index]], self.tree.items[index].name
        return f'{path}::{name}' if path else name

    def link_of(self, body: int) -> int:
        """Return the link of a body: for a scope its canonical link, or NONE if it has none."""
        return self.canonical.get(body, body)

    def pose_in(self, scope: int, index: int) -> Pose:
        """Return scope_from_item for an item that ``Tree.find`` returned."""
        scope_from_item = IDENTITY
        for each in self.tree.way(scope, index):
            scope_from_item = compose(scope_from_item, self.poses[each])
        return scope_from_item

    def root_pose(self, index: int) -> Pose:
        """Return the pose root_from_item."""
        return compose(self.root_from_scope[self.tree.around[index]], self.poses[index])

    def root_pose_of(self, body: int) -> Pose:
        """Return the pose in the root of the link of a body, the identity without a link."""
        link = self.link_of(body)
        return IDENTITY if link == NONE else self.root_pose(link)
