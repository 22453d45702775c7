# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What the node has done elsewhere: reading, checking, converting. ``perform`` does it.

Jobs and answers are plain records, so that they can cross to another process. What the node gets
of a description is ready to be published and no more than it needs: it keeps no document.
"""

from __future__ import annotations

from collections.abc import Sequence
import os
from typing import NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.texts import one_line
from hrdf_ros.packages import Packages
from hrdf_ros.pose import Pose

_LOGGED = 100
"""Diagnostics of one load that are logged and shown on /diagnostics."""
PACKAGE = 'package://'
TARGETS = ('urdf', 'sdf', 'dot')


# ---- jobs

class LoadJob(NamedTuple):
    """Load what the settings describe."""

    settings: Settings


class FileJob(NamedTuple):
    """
    Check a file or a text, with ``target`` convert it.

    Where there is neither, what is ``loaded``: a LoadResult, pickled and compressed.
    """

    settings: Settings
    path: str = ''
    text: str = ''
    format: str = ''  # noqa: A003
    target: str = ''
    loaded: Optional[bytes] = None


class ModelJob(NamedTuple):
    """Load a text as it is, with all that it says."""

    text: str


Job = Union[LoadJob, FileJob, ModelJob]


# ---- answers

class StaticTransform(NamedTuple):
    """A transform that never changes; the frame names carry the prefix."""

    parent: str
    child: str
    parent_from_child: Pose


class FrameRecord(NamedTuple):
    """What list_frames says about a frame; ``body`` and ``parent`` carry the prefix."""

    name: str
    source_name: str
    kind: str
    tag: str
    body: str
    parent: str
    file: str
    line: int


class DiagnosticRecord(NamedTuple):
    """A diagnostic with its place resolved; what is unknown is 0 or empty."""

    severity: str
    code: str
    message: str
    hint: str
    reference: str
    file: str
    line: int
    column: int
    included_from: tuple[str, ...]


class LoggedDiagnostic(NamedTuple):
    """A diagnostic as one line for the log and /diagnostics."""

    severity: str
    code: str
    line: str


class Summary(NamedTuple):
    """The diagnostics of a load in short: the first ones, how many more, the first error."""

    shown: tuple[LoggedDiagnostic, ...] = ()
    more: int = 0
    warnings: int = 0
    first_error: str = ''


class Description(NamedTuple):
    """
    A robot ready to be published.

    ``model`` has one body for each link of the URDF, and nothing but kinematics; ``loaded`` is
    the LoadResult, pickled and compressed.
    """

    name: str
    model: Model
    urdf: str
    static: tuple[StaticTransform, ...]
    frames: tuple[FrameRecord, ...]
    loaded: bytes


class LoadAnswer(NamedTuple):
    """What a LoadJob comes to; ``written`` is what the URDF cannot say."""

    description: Optional[Description]
    report: Summary
    written: Summary
    files: tuple[str, ...]


class FileAnswer(NamedTuple):
    """What a FileJob comes to; ``text`` is what was converted."""

    ok: bool
    first_error: str
    text: str
    diagnostics: tuple[DiagnosticRecord, ...]


class ModelAnswer(NamedTuple):
    """What a ModelJob comes to; the places of its diagnostics are resolved."""

    result: LoadResult


Answer = Union[LoadAnswer, FileAnswer, ModelAnswer]


# ---- the file of a model

def model_file(settings: Settings) -> str:
    """Return the path of ``model``, which may be a ``package://`` URI; as it is if unknown."""
    model = settings.model
    if not model.startswith(PACKAGE):
        return os.path.expanduser(model)
    from urllib.parse import unquote  # costs a start 2 ms; few models are such URIs
    package, _, below = model.removeprefix(PACKAGE).partition('/')
    share = Packages(settings.package_directories, os.environ, roots=None).share(package)
    return model if share is None else os.path.join(share, unquote(below))


# ---- diagnostics

def refuse(sentence: str) -> FileAnswer:
    """Return the answer to a request that is not served."""
    report = refusal(sentence)
    return FileAnswer(False, one_line(sentence), '', tuple(map(diagnostic_record, report)))


def refusal(sentence: str) -> Report:
    """Return the report on a request that is not served."""
    report = Report()
    report.add(codes.REQUEST_REFUSED, sentence)
    return report


def summarize(report: Report) -> Summary:
    """Return the diagnostics of a load in short."""
    found = list(report)
    return Summary(
        shown=tuple(map(_logged, found[:_LOGGED])), more=max(0, len(found) - _LOGGED),
        warnings=sum(each.severity == 'warning' for each in found),
        first_error=first_error(report))


def first_error(report: Report) -> str:
    return '' if report.first_error is None else one_line(str(report.first_error))


def _logged(found: Diagnostic) -> LoggedDiagnostic:
    hint = f' ({found.hint})' if found.hint else ''
    return LoggedDiagnostic(
        found.severity, found.code, one_line(f'{found}{hint}'))


def diagnostic_record(found: Diagnostic) -> DiagnosticRecord:
    """Return a diagnostic as plain data."""
    location = found.resolve()
    included_from: Sequence[object] = () if location is None else location.included_from
    return DiagnosticRecord(
        severity=found.severity, code=found.code, message=one_line(found.message),
        hint=one_line(found.hint or ''), reference=found.reference or '',
        file='' if location is None else one_line(location.file),
        line=0 if location is None else location.line or 0,
        column=0 if location is None else location.column or 0,
        included_from=tuple(one_line(str(place)) for place in included_from))
