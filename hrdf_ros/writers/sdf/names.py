# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Scoped names of SDFormat, ``model::link``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol, TypeVar


class _Scoped(Protocol):
    @property
    def source_name(self) -> str: ...


_Item = TypeVar('_Item', bound=_Scoped)


def scope_of(source_name: str) -> str:
    """Return the model that a name belongs to, '' for the world."""
    return source_name.rpartition('::')[0]


def by_scope(items: Iterable[_Item]) -> defaultdict[str, list[_Item]]:
    """Return the items of each model, those of the world under ''."""
    found: defaultdict[str, list[_Item]] = defaultdict(list)
    for item in items:
        found[scope_of(item.source_name)].append(item)
    return found


def local_name(source_name: str) -> str:
    """Return the name in its model."""
    return source_name.rpartition('::')[2]


def reference(source_name: str, scope: str) -> str:
    """Return how a link is named from a model, or from the world for ''."""
    return local_name(source_name) if scope_of(source_name) == scope else source_name
