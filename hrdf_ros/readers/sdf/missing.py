# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Report includes whose files are missing, with one diagnostic for each cause.

They are errors where the wanted model needs them, and warnings elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic
from hrdf_ros.file_reader import TEXT
from hrdf_ros.fuel import fetch_hint
from hrdf_ros.model import NONE
from hrdf_ros.readers.sdf.file import SdfContext
from hrdf_ros.readers.sdf.include import is_of_missing_file
from hrdf_ros.readers.sdf.records import Scope
from hrdf_ros.readers.sdf.scopes import Draft
from hrdf_ros.readers.sdf.tree import Tree

_CODES = (codes.SDF_URI_NOT_FETCHED.name, codes.SDF_URI_NOT_FOUND.name)
"""The codes of missing includes whose first subject is the URI."""
_MODELS = 'model://'
_Cause = tuple[str, str, str]
"""A code, a severity, and where the files would be: a directory, or '' for the network."""


def report_missing(trees: Sequence[Tree], context: SdfContext) -> None:
    """Report the missing includes; those that the wanted model does not need are warnings."""
    found = _find_model(context.reading.options.model_name, trees)
    wanted = None if found is None or _depends_on_missing(*found) else found[0].scopes[found[1]]
    for draft, report in context.missing:
        is_needed = wanted is None or _is_inside(draft, wanted)
        context.syntax.extend(
            report if is_needed or not is_of_missing_file(report) else report.as_warnings())


def _find_model(name: Optional[str], trees: Sequence[Tree]) -> Optional[tuple[Tree, int]]:
    """Return the outermost model with a name, and the tree that it is in."""
    for tree in trees:
        for index in tree.models[0]:
            if tree.items[index].name == name:
                return tree, index
    return None


def _is_inside(draft: Optional[Draft], model: Scope) -> bool:
    """Return whether a scope is a model, or is nested in it."""
    while draft is not None and draft.scope.content is not model.content:
        draft = draft.around
    return draft is not None


def _depends_on_missing(tree: Tree, model: int) -> bool:
    """Return whether the pose of a model depends on a frame that a missing include would bring."""
    pending = [model]
    seen: set[int] = set()
    while pending:
        index = pending.pop()
        item, scope = tree.items[index], tree.around[index]
        if index in seen or not item.relative_to:
            continue
        seen.add(index)
        found = tree.find(scope, item.relative_to)
        if found != NONE:
            pending += tree.way(scope, found)
        elif tree.scopes[scope].incomplete:
            return True
    return False


# ---- one diagnostic for each cause

def by_cause(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """
    Return diagnostics with one in place of all those of missing includes with the same cause.

    All files on the network have the same cause; other files have the same cause if they would be
    in the same directory. The first subject of such a diagnostic is the URI.
    """
    groups: dict[_Cause, list[Diagnostic]] = {}
    kept: list[Diagnostic] = []
    for found in diagnostics:
        if found.code not in _CODES or not found.subjects:
            kept.append(found)
            continue
        group = groups.setdefault(_cause(found), [])
        if not group:
            kept.append(found)
        group.append(found)
    return [
        _of_all(groups[_cause(found)]) if found.code in _CODES and found.subjects else found
        for found in kept]


def _cause(found: Diagnostic) -> _Cause:
    is_remote = found.code == codes.SDF_URI_NOT_FETCHED.name
    return found.code, found.severity, '' if is_remote else _place(found.subjects[0])


def _place(uri: str) -> str:
    """Return the directory of the file that a URI names."""
    above = uri.rstrip('/').rpartition('/')[0]
    return _MODELS if above == _MODELS[:-1] else above or '.'


def _of_all(group: Sequence[Diagnostic]) -> Diagnostic:
    """Return the diagnostic in place of several with the same cause, at the first of them."""
    first, *others = group
    if not others:
        return first
    uris = dict.fromkeys(found.subjects[0] for found in group)
    uri = first.subjects[0]
    placeholders = [name for found in group for name in found.subjects[1:]]
    is_remote = first.code == codes.SDF_URI_NOT_FETCHED.name
    hint = first.hint
    if len(uris) == 1:
        message = f"'{uri}' is missing; {len(group):,} includes name it"
    elif is_remote:
        message = f"{len(uris):,} files are on the network, the first is '{uri}'"
        at = first.resolve()
        file = '' if at is None else at.included_from[-1].file if at.included_from else at.file
        hint = fetch_hint(uri if file in ('', TEXT) else file)
        hint = f'{hint}; or name the directory that contains them with --path'
    else:
        message = (
            f"{len(uris):,} files below {_place(uri)} are missing, the first is '{uri}'")
    if placeholders:
        message += f'; {len(placeholders):,} placeholders stand for the includes'
    return first._replace(message=message, hint=hint, subjects=tuple(uris))
