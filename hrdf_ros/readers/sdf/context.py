# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""State of one reading: its diagnostics and missing includes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.sdf.scopes import Scope, ScopedElement, ScopedModel

_MISSING = frozenset(code.name for code in (
    codes.FILE_NOT_FOUND, codes.SDF_MANIFEST_MISSING, codes.SDF_URI_NOT_FETCHED,
    codes.SDF_URI_NOT_FOUND))

_ORDER = {codes.SDF_TOP_POSE_RELATIVE.name: 0, codes.SDF_DELIMITER_IN_NAME.name: 2}


class MissingInclude(NamedTuple):
    """An include whose file is not there: the scope around it, and its diagnostics."""

    scope: Scope
    report: Report


class SdfContext(NamedTuple):
    """
    The state of one reading, with its diagnostics in the order of libsdformat's phases.

    ``syntax`` is about parsing (phases 1 and 2 of the composition proposal), which libsdformat
    does element by element with the includes in between; ``semantics`` is about names, frames
    and joints. ``missing`` are the includes that are errors only where the wanted model needs
    them. The report of ``reading`` is that of the semantics; ``report`` gets all in the end.
    """

    reading: Context
    report: Report
    syntax: Report
    semantics: Report
    missing: list[MissingInclude]

    @classmethod
    def start(cls, context: Context) -> SdfContext:
        """Return the context in which a reading begins."""
        semantics = Report()
        return cls(
            reading=context._replace(report=semantics), report=context.report, syntax=Report(),
            semantics=semantics, missing=[])

    def finish(self) -> None:
        """Add all diagnostics to the context's report, syntax first, in file order."""
        self.syntax.diagnostics.sort(key=_outermost)
        self.report.extend(self.syntax)
        self.report.extend(self.semantics)


def _outermost(found: Diagnostic) -> tuple[int, int, int]:
    """
    Return the place of a diagnostic in the outermost file: the include for included files.

    libsdformat looks at the pose of a top-level model first, and for delimiters in names when a
    file is otherwise right.
    """
    order = _ORDER.get(found.code, 1)
    at = found.resolve()
    if at is None:
        return order, 0, 0
    outer = at.included_from[-1] if at.included_from else at
    return order, outer.line or 0, outer.column or 0


# ---- missing includes

def report_missing(tops: Sequence[Scope], context: SdfContext) -> None:
    """Report the missing includes, as warnings where the model that is asked for has no need."""
    if not context.missing:
        return
    name = context.reading.options.model_name
    wanted = next((model for top in tops for model in top.models if model.name == name), None)
    needs_all = wanted is None or _depends_on_missing(wanted)
    for scope, report in context.missing:
        is_needed = needs_all or _is_inside(scope, wanted)
        context.syntax.extend(
            report if is_needed or not is_of_missing_file(report) else report.as_warnings())


def is_of_missing_file(report: Report) -> bool:
    """Return whether an include failed because its file is not there."""
    return all(found.code in _MISSING for found in report if found.severity == 'error')


def _is_inside(scope: Scope, model: Optional[ScopedModel]) -> bool:
    """Return whether a scope is that of a model, or is nested in it."""
    owner = scope.owner
    while owner is not None and owner is not model:
        owner = owner.scope.owner
    return owner is not None


def _depends_on_missing(model: ScopedModel) -> bool:
    """Return whether the pose of a model depends on a frame that a missing include would bring."""
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
