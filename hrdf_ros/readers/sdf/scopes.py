# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A scope while it is composed: the names and items in it so far."""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.formats import sdf_has
from hrdf_ros.parsing.sdf import is_reserved
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.records import Item, Joint, Scope


class Draft:
    """
    A scope that grows.

    ``scope`` has everything except for the content that is added; when a scope is merged, it has
    the names that were taken before. ``around`` is the draft of the scope around it.
    """

    def __init__(self, scope: Scope, around: Optional[Draft] = None) -> None:
        self.scope = scope
        self.around = around
        self.children: list[Item] = list(scope.children)
        self.others: list[TypedElement] = list(scope.others)
        self.incomplete = scope.incomplete
        self._names: dict[str, int] = dict(scope.names)
        self._written: set[tuple[str, str]] = set(scope.written)

    def finished(self) -> Scope:
        """Return the scope with everything that was added."""
        return self.scope._replace(
            children=tuple(self.children), names=self._names, written=self._written,
            others=tuple(self.others), incomplete=self.incomplete)

    def kinds(self) -> dict[str, str]:
        """Return the kind of each named item."""
        return {name: self.children[position].kind for name, position in self._names.items()}

    def has_name(self, name: str) -> bool:
        """Return whether a name is taken."""
        return name in self._names

    def add(self, item: Item, report: Report) -> None:
        """Add an item unless its name is missing or taken."""
        name, key = item.name, (item.kind, item.name)
        if is_reserved(name):
            report.add(
                codes.SDF_RESERVED_NAME, f"the {item.kind} name '{name}' is reserved",
                item.element.attribute_location('name', 0))
        if not name:
            self.incomplete = True
        elif key in self._written:
            report.add(
                codes.DUPLICATE_NAME, f"duplicate <{item.kind}> '{name}'",
                item.element.attribute_location('name', 0), reference='DUPLICATE_NAME')
        elif name in self._names and (
                sdf_has(self.scope.version, 'relative_to') or item.kind == 'model'):
            report.add(
                codes.DUPLICATE_NAME, self._taken(item),
                item.element.attribute_location('name', 0), reference='DUPLICATE_NAME')
        else:
            if name in self._names:
                item = self._renamed(item, report)
            self._names[item.name] = len(self.children)
            self.children.append(item)
        self._written.add(key)

    def add_joint(self, joint: Optional[Joint], report: Report) -> None:
        """Add a joint; the name of a joint that could not be read counts as missing."""
        if joint is None:
            self.incomplete = True
        else:
            self.add(joint, report)

    def _taken(self, item: Item) -> str:
        """Return a message if an item of another kind has the name of an item."""
        other = self.children[self._names[item.name]]
        return f"a {other.kind} beside this {item.kind} is also named '{item.name}'"

    def _renamed(self, item: Item, report: Report) -> Item:
        """
        Return an item with a name that is free.

        Until SDF 1.6 items of two kinds may share a name: the later one is renamed, references
        are not. Since 1.7 this is an error, and nested models were never renamed.
        """
        name, count = f'{item.name}_{item.kind}', 0
        while name in self._names:
            name, count = f'{item.name}_{item.kind}{count}', count + 1
        report.add(
            codes.NAME_CHANGED, f"{self._taken(item)}; it becomes '{name}'",
            item.element.attribute_location('name', 0),
            hint='since SDF 1.7 siblings require different names')
        return item._replace(name=name)
