# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What one reading of an SDFormat file carries along."""

from __future__ import annotations

from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.document import XmlElement
from hrdf_ros.readers.api import Context


class State(NamedTuple):
    """
    The findings of one reading in the order of libsdformat's phases, and what it meets.

    ``syntax`` are those of parsing (phases 1 and 2 of the composition proposal), which libsdformat
    makes element by element with the includes in between, ``semantics`` those of the frames.
    ``kept`` are the elements of each tag that become frames or extensions only. The report of
    ``context`` is that of the semantics; ``report`` gets all in the end.
    """

    context: Context
    report: Report
    syntax: Report
    semantics: Report
    kept: dict[str, list[XmlElement]]

    @classmethod
    def of(cls, context: Context) -> State:
        """Return the state in which a reading begins."""
        semantics = Report()
        return cls(
            context._replace(report=semantics), context.report, Report(), semantics, {})

    def finish(self) -> None:
        """Hand all findings to the context's report, those of parsing in file order."""
        for tag, nodes in self.kept.items():
            self.semantics.add(
                codes.SDF_NOT_CONVERTED,
                f'{len(nodes)} <{tag}> kept as frames and raw text: nothing here acts on them',
                nodes[0].location)
        in_file_order(self.syntax)
        self.report.extend(self.syntax)
        self.report.extend(self.semantics)


def in_file_order(report: Report) -> None:
    """Sort findings by where they stand in the outermost file."""
    if len(report) > 1:
        report.diagnostics.sort(key=_outermost)


def _outermost(found: Diagnostic) -> tuple[bool, int, int]:
    """
    Return where a finding stands in the outermost file: an include for what is included.

    Delimiters in names come last: libsdformat looks for them when a file is otherwise right.
    """
    late = found.code == codes.SDF_DELIMITER_IN_NAME.name
    at = found.resolve()
    if at is None:
        return late, 0, 0
    outer = at.included_from[-1] if at.included_from else at
    return late, outer.line or 0, outer.column or 0
