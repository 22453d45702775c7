# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What one reading of an SDFormat file carries along."""

from typing import NamedTuple, TYPE_CHECKING

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.schema import TypedElement

if TYPE_CHECKING:
    from hrdf_ros.readers.sdf.scopes import Scope, ScopedModel


class MissingInclude(NamedTuple):
    """An include of which the file is not there: the scope that it is in, what to report."""

    scope: 'Scope'
    report: Report


class SdfContext(NamedTuple):
    """
    The diagnostics of one reading in the order of libsdformat's phases, and what it preserves.

    ``syntax`` are those of parsing (phases 1 and 2 of the composition proposal), which libsdformat
    makes element by element with the includes in between; ``semantics`` those of names, frames
    and joints. ``preserved`` has the elements of each tag that become frames or raw text only,
    ``missing`` the includes that are errors only where the wanted model needs them, ``merged``
    the models that were included to be merged.
    The report of ``reading`` is that of the semantics; ``report`` gets all in the end.
    """

    reading: Context
    report: Report
    syntax: Report
    semantics: Report
    preserved: dict[str, list[TypedElement]]
    missing: list[MissingInclude]
    merged: list['ScopedModel']

    @classmethod
    def start(cls, context: Context) -> 'SdfContext':
        """Return the context in which a reading begins."""
        semantics = Report()
        return cls(
            reading=context._replace(report=semantics), report=context.report, syntax=Report(),
            semantics=semantics, preserved={}, missing=[], merged=[])

    def preserve(self, element: TypedElement) -> None:
        """Remember that nothing but raw text, and maybe a frame, becomes of an element."""
        self.preserved.setdefault(element.tag, []).append(element)

    def finish(self) -> None:
        """Hand all diagnostics to the context's report, those of parsing in file order."""
        for tag, elements in self.preserved.items():
            self.semantics.add(
                codes.SDF_NOT_CONVERTED,
                f'{len(elements)} <{tag}> preserved as frames and raw text, not interpreted',
                elements[0].location, cause=f'<{tag}>')
        sort_by_outermost_file(self.syntax)
        self.report.extend(self.syntax)
        self.report.extend(self.semantics)


def sort_by_outermost_file(report: Report) -> None:
    """Sort diagnostics by where they are in the outermost file."""
    if len(report) > 1:
        report.diagnostics.sort(key=_outermost)


def _outermost(found: Diagnostic) -> tuple[bool, int, int]:
    """
    Return where a diagnostic is in the outermost file: the include for what is included.

    Delimiters in names come last: libsdformat looks for them when a file is otherwise right.
    """
    late = found.code == codes.SDF_DELIMITER_IN_NAME.name
    at = found.resolve()
    if at is None:
        return late, 0, 0
    outer = at.included_from[-1] if at.included_from else at
    return late, outer.line or 0, outer.column or 0
