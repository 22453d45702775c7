# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Scopes from elements: what is in a model or a world, and in all that it includes."""

from __future__ import annotations

from hrdf_ros.readers.sdf.includes import read_include
from hrdf_ros.readers.sdf.items import add, read_frame, read_joint, read_link, read_model
from hrdf_ros.readers.sdf.links import check_siblings
from hrdf_ros.readers.sdf.merge import merge_included
from hrdf_ros.readers.sdf.scopes import name_scopes, Scope
from hrdf_ros.readers.sdf.state import State
from hrdf_ros.readers.sdf.words import check_world


def build(top: Scope, state: State) -> list[Scope]:
    """Read what is in a scope and in all below it; return all of them, inner ones first."""
    pending = [top]
    while pending:
        scope = pending.pop()
        if scope.foreign is None:
            _read_children(scope, state)
            inner = [item.inner for item in reversed(scope.children) if item.inner is not None]
            pending.extend(inner)
    merge_included(top, state)
    return name_scopes(top)


def _read_children(scope: Scope, state: State) -> None:
    late = []
    for node in scope.node.children:
        tag = node.tag
        if tag == 'link' and scope.kind == 'model':
            read_link(node, scope, state)
        elif tag == 'joint':
            read_joint(node, scope, state)
        elif tag == 'frame' and scope.kind == 'world' and scope.version < (1, 7):
            late.append(node)
        elif tag == 'frame':
            read_frame(node, scope, state)
        elif tag == 'model':
            add(scope, read_model(node, scope, scope.version), state)
        elif tag == 'include':
            read_include(node, scope, state)
        elif tag not in ('pose', 'static'):
            scope.others.append(node)
    for node in late:
        read_frame(node, scope, state)
    if scope.kind == 'world':
        check_world(scope.node, state.semantics)
    if scope.others and scope.kind != 'root':
        taken: dict[str, str] = {name: item.kind for name, item in scope.items.items()}
        check_siblings(scope.others, taken, state.semantics)
