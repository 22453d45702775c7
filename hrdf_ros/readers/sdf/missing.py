# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Includes whose files are not there: an error only where what is wanted needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.readers.sdf.context import SdfContext
from hrdf_ros.readers.sdf.scopes import Scope, ScopedElement, ScopedModel

_MISSING = frozenset(code.name for code in (
    codes.FILE_NOT_FOUND, codes.SDF_MANIFEST_MISSING, codes.SDF_URI_NOT_FETCHED,
    codes.SDF_URI_NOT_FOUND))


def report_missing(tops: Iterable[Scope], context: SdfContext) -> None:
    """Report the missing includes, as warnings where the model that is asked for has no need."""
    if not context.missing:
        return
    name = context.reading.options.model_name
    wanted = next(
        (model for top in tops for model in top.models if model.name == name), None)
    needs_all = wanted is None or _hangs_in_the_air(wanted)
    for scope, report in context.missing:
        is_needed = needs_all or any(owner is wanted for owner in _owners(scope))
        context.syntax.extend(
            report if is_needed or not _is_of_missing_file(report) else report.as_warnings())


def _is_of_missing_file(report: Report) -> bool:
    return all(found.code in _MISSING for found in report if found.severity == 'error')


def _owners(scope: Scope) -> Iterator[ScopedModel]:
    """Yield the models around a scope, the innermost first."""
    owner: Optional[ScopedModel] = scope.owner
    while owner is not None:
        yield owner
        owner = owner.scope.owner


def _hangs_in_the_air(model: ScopedModel) -> bool:
    """Tell whether the pose of a model depends on what a missing include would have brought."""
    pending: list[ScopedElement] = [model]
    seen: set[ScopedElement] = set()
    while pending:
        item = pending.pop()
        if item in seen or not item.relative_to:
            continue
        seen.add(item)
        path = item.scope.find(item.relative_to)
        if path is None and item.scope.incomplete:
            return True
        pending += path or ()
    return False
