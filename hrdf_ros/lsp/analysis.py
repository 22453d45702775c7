# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Analyze a text by ``load``: its diagnostics with their fixes, and the poses of its frames.

The analysis runs in a process of its own (``process``), so everything here is plain data.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
import os
from typing import NamedTuple, Optional, TYPE_CHECKING

from hrdf_ros import codes
from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Diagnostic, Location, printable
from hrdf_ros.fixes import fix, Fixing
from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult
from hrdf_ros.lsp.positions import code, Span, Text
from hrdf_ros.lsp.syntax import cursor_at, recovered, RecoveredText, Syntax
from hrdf_ros.lsp.unexpanded import check_unexpanded, SUFFIX
from hrdf_ros.model import Frame, Model
from hrdf_ros.pose import compose, Pose, to_rpy
from hrdf_ros.topology import frame_parents, span, zero_poses

if TYPE_CHECKING:
    from hrdf_ros.lsp.names import NameScope
    from hrdf_ros.readers.api import LoadOptions

_RECOVERED = 1 << 20
"""
The most characters of a text in which analysis continues after the first syntax error; in a longer
text only that error is reported.
"""
_UNEXPANDED = frozenset((
    codes.XACRO_FAILED.name, codes.XACRO_MISSING.name, codes.XACRO_REFUSED.name,
    codes.XML_SYNTAX.name))
"""The faults with which a xacro file is not expanded, so that its own elements are checked."""
_SHOWN = 1000
"""The most diagnostics of a text that are sent to an editor."""
_OWN_KINDS = ('link', 'end_effector', 'frame', 'model')
"""The kinds of frames that an element defines itself; a hover describes these first."""


class AnalysisSettings(NamedTuple):
    """
    The options of ``load``, and which codes are reported or ignored.

    ``page`` is the address of the page that explains the codes.
    """

    options: LoadOptions
    ignore: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    page: str = ''


class AnalysisJob(NamedTuple):
    """
    A file to analyze; ``overlay`` has the texts of all open documents by real path.

    ``document`` is the URI and version of a large text. If it is given, the process remains after
    the analysis and answers requests about that text.
    """

    path: str
    overlay: dict[str, str]
    settings: AnalysisSettings
    document: Optional[tuple[str, Optional[int]]] = None


class Finding(NamedTuple):
    """
    A diagnostic of a text: the span that it marks, and the title and edits of its fix.

    ``elsewhere`` is the place of a fault in an included file; ``span`` is then the element that
    includes the file.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    elsewhere: Optional[Location] = None
    title: str = ''
    edits: tuple[tuple[Span, str], ...] = ()


FramePlace = tuple[str, Optional[int], Optional[int]]
"""The place of an element that defines frames: its file's real path, line and column."""


class Analysis(NamedTuple):
    """
    The findings about a text, and the files that were read.

    ``frames`` describes the frames of the Model, if there is one, by the elements that define
    them. ``fixed`` is the text with all fixes of ``hrdf check --fix``, or None if they leave it
    unchanged. ``names`` has the names of a large text.
    """

    findings: tuple[Finding, ...] = ()
    files: tuple[str, ...] = ()
    fixed: Optional[str] = None
    frames: Optional[dict[FramePlace, list[str]]] = None
    names: Optional[NameScope] = None


def analyze(job: AnalysisJob) -> tuple[LoadResult, Analysis]:
    """Load the file of a job; return the result, and the findings with places in its text."""
    text, loaded = Text(job.overlay[os.path.realpath(job.path)]), _load(job)
    findings = [_finding(found, job, text) for found in loaded.report]
    is_large = len(text.source) > _RECOVERED
    if not is_large and any(found.code == codes.XML_SYNTAX.name for found in loaded.report):
        findings += _findings_beyond(job, text)
    is_unexpanded = any(found.code in _UNEXPANDED for found in loaded.report)
    if is_unexpanded and job.path.lower().endswith(SUFFIX):
        findings += _original(*check_unexpanded(job.path, text.source), job, text)
    ignored, selected = job.settings.ignore, job.settings.select
    different = {
        (one.message, one.span.start): one for one in reversed(findings)
        if one.code not in ignored and (not selected or one.code in selected)}
    return loaded, Analysis(tuple(different.values())[:-_SHOWN - 1:-1], loaded.files)


def fixed_text(job: AnalysisJob, loaded: LoadResult) -> Optional[str]:
    """Return the text of a job with all safe and unique fixes, or None if it stays unchanged."""
    real = os.path.realpath(job.path)
    ignored, selected = job.settings.ignore, job.settings.select

    def load_fixed(texts: Mapping[str, str]) -> LoadResult:
        text = next(iter(texts.values()), None)
        return loaded if text is None else _load(
            job._replace(overlay={**job.overlay, real: text}))

    fixed = fix(Fixing(
        load_fixed, lambda name: job.overlay[real] if os.path.realpath(name) == real else None,
        lambda found: found.code not in ignored and (not selected or found.code in selected)))
    return fixed.texts.get(job.path)


def _load(job: AnalysisJob) -> LoadResult:
    options: LoadOptions = {**job.settings.options, 'overlay': job.overlay}
    return load(job.path, **options)


def _findings_beyond(job: AnalysisJob, text: Text) -> Iterator[Finding]:
    """Yield the diagnostics after the first syntax error."""
    changed = recovered(Syntax(text.source))
    overlay = {**job.overlay, os.path.realpath(job.path): changed.source}
    report = _load(job._replace(overlay=overlay)).report
    yield from _original(
        changed, [found for found in report if not found.code.startswith('xml-')], job, text)


def _original(
    changed: RecoveredText, report: Iterable[Diagnostic], job: AnalysisJob, text: Text,
) -> Iterator[Finding]:
    """Yield the diagnostics of a changed text at the places that they have in the original."""
    repaired = Text(changed.source)
    for found in report:
        finding = _finding(found, job, repaired)
        yield finding._replace(
            span=faulty_span(text, changed.original(finding.span.start)),
            edits=changed.original_edits(finding.edits))


def _finding(found: Diagnostic, job: AnalysisJob, text: Text) -> Finding:
    """
    Return a diagnostic as a finding.

    A diagnostic in an included file is reported at the include, and has no fix.
    """
    at = found.resolve() or Location(job.path)
    is_own = at.file == job.path
    message = printable(found.message)
    if found.hint:
        message += f'\nhint: {printable(found.hint)}'
    if at.included_from:
        message = f'{printable(os.path.basename(at.file))}:{at.line}: {message}'
    own = at.included_from[-1] if at.included_from else at
    if own.file != job.path:
        own = Location(job.path)
    # the user chose not to expand xacro files, so this is no fault of the file
    severity: Severity = 'info' if found.code == codes.XACRO_REFUSED.name else found.severity
    edits = found.fix.resolve() if found.fix and is_own else ()
    return Finding(
        found.code, severity, message, faulty_span(text, text.offset_of(own)),
        None if is_own else at, found.fix.title if found.fix else '',
        tuple((Span(text.offset_of(start), text.offset_of(end)), new)
              for start, end, new in edits))


def faulty_span(text: Text, start: int) -> Span:
    """
    Return the span to mark for a fault: the tag, attribute, value or character at an offset.

    Only the markup around the offset is read, not the whole text.
    """
    source = text.source
    begin = max(source.rfind('<', 0, start + 1), 0)
    end = source.find('<', start + 1)
    place = cursor_at(Syntax(source[begin:None if end < 0 else end]), start + 1 - begin)
    span = Span(place.span.start + begin, place.span.end + begin)
    is_tag = place.kind == 'tag' and span.start == start + 1
    if is_tag or place.kind in ('attribute', 'value', 'text') and span.start <= start < span.end:
        return Span(start, span.end)
    return Span(start, min(start + 1, len(source)))


# ---- frames

def described_frames(model: Model) -> dict[FramePlace, list[str]]:
    """Return Markdown about each frame at zero coordinates, the element's own frames first."""
    topology = span(model)
    poses, parents = zero_poses(model, topology), frame_parents(model, topology)
    found: dict[FramePlace, list[str]] = defaultdict(list)
    real = cache(os.path.realpath)
    own_first = sorted(
        zip(model.frames, parents), key=lambda one: one[0].kind not in _OWN_KINDS)
    for frame, parent in own_first:
        if frame.location is not None:
            at = frame.location.resolve()
            found[real(at.file), at.line, at.column].append(
                _frame(model, frame, compose(poses[frame.body], frame.pose), parent))
    return dict(found)


def _frame(model: Model, frame: Frame, pose: Pose, parent: str) -> str:
    inertia = model.bodies[frame.body].inertia if frame.kind in ('link', 'end_effector') else None
    mass = '' if inertia is None else f', mass {inertia.mass:.4g} kg'
    lines = [f'frame {code(frame.name)} ({frame.kind}{mass}), joints at zero',
             f'- in {code(model.root)}: {_pose(pose)}']
    if frame.pose != pose and frame.kind not in ('link', 'world'):
        lines.append(f'- in {code(parent)}: {_pose(frame.pose)}')
    return '\n'.join(lines)


def _pose(pose: Pose) -> str:
    position, rotation = (
        ' '.join(f'{round(value, 6) + 0.0:g}' for value in values)
        for values in (pose.position, to_rpy(pose)))
    return f'xyz {position} m, rpy {rotation} rad'
