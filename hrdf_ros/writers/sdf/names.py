# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Scoped names of SDFormat, ``model::link``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from hrdf_ros.model import Model, NONE


class _Scoped(Protocol):
    @property
    def source_name(self) -> str: ...


_Item = TypeVar('_Item')
_ScopedItem = TypeVar('_ScopedItem', bound=_Scoped)
Indexed = tuple[int, _Item]
"""An index in one of the Model's tables, and the item there."""


def by_scope(items: Iterable[_ScopedItem]) -> defaultdict[str, list[Indexed[_ScopedItem]]]:
    """Return the items of each model, those of the world under ''."""
    found: defaultdict[str, list[Indexed[_ScopedItem]]] = defaultdict(list)
    for index, item in enumerate(items):
        found[item.source_name.rpartition('::')[0]].append((index, item))
    return found


def first_in_scopes(model: Model) -> dict[str, tuple[int, int]]:
    """Return the index of the first body and of the first joint in each model, or NONE."""
    found = {scope.source_name: (NONE, NONE) for scope in model.scopes}
    tables: tuple[Sequence[_Scoped], ...] = (model.bodies, model.joints)
    for place, items in enumerate(tables):
        for index in reversed(range(len(items))):
            scope = items[index].source_name.rpartition('::')[0]
            while scope in found:
                body, joint = found[scope]
                found[scope] = (body, index) if place else (index, joint)
                scope = scope.rpartition('::')[0]
    return found


def body_names(model: Model) -> list[str]:
    """Return how references name each body: that of a missing include by its model."""
    includes = {each.owner for each in model.extensions if each.tag == 'include'}
    scopes = (body.source_name.rpartition('::')[0] for body in model.bodies)
    return [
        scope if scope in includes else body.source_name
        for scope, body in zip(scopes, model.bodies)]


def local_name(source_name: str) -> str:
    """Return the name in its model."""
    return source_name.rpartition('::')[2]


def reference(source_name: str, scope: str) -> str:
    """Return how a link is named from a model around it, or from the world for ''."""
    return source_name.removeprefix(f'{scope}::') if scope else source_name
