# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Analyze a text by ``load``: its diagnostics with their fixes, and the poses of its frames.

It runs in a process of its own (``process``), so everything here is plain data.
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
"""The most characters of a text that is read beyond its first fault."""
_SHOWN = 1000
"""The most diagnostics of a text that an editor gets."""
_OWN_KINDS = ('link', 'end_effector', 'frame', 'model')


class AnalysisSettings(NamedTuple):
    """
    The options of ``load``, and the codes that are reported.

    ``page`` is the address that explains the codes.
    """

    options: LoadOptions
    ignore: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    page: str = ''


class AnalysisJob(NamedTuple):
    """
    A file to analyze; ``overlay`` has the texts of all open documents by real path.

    ``document`` is the URI and version of a large text: the process then answers requests about it
    until it is ended.
    """

    path: str
    overlay: dict[str, str]
    settings: AnalysisSettings
    document: Optional[tuple[str, Optional[int]]] = None


class Finding(NamedTuple):
    """
    A diagnostic of a text: its part of the text, and the title and edits of its fix.

    ``elsewhere`` is the place of the fault if that is in a file which the part of the text
    includes.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    elsewhere: Optional[Location] = None
    title: str = ''
    edits: tuple[tuple[Span, str], ...] = ()


FramePlace = tuple[str, Optional[int], Optional[int]]
"""The place of an element that defines frames: real path, line, column."""


class Analysis(NamedTuple):
    """
    The findings of a text and the files that were read.

    ``frames`` are descriptions of the frames of the Model, if there is one, by their elements.
    ``fixed`` is the text with all fixes of ``hrdf check --fix``, None where it stays. ``names``
    are those of a large text.
    """

    findings: tuple[Finding, ...] = ()
    files: tuple[str, ...] = ()
    fixed: Optional[str] = None
    frames: Optional[dict[FramePlace, list[str]]] = None
    names: Optional[NameScope] = None


def analyze(job: AnalysisJob) -> tuple[LoadResult, Analysis]:
    """Return the findings of load, with places in the text of the job."""
    text, loaded = Text(job.overlay[os.path.realpath(job.path)]), _load(job)
    findings = [_finding(found, job, text) for found in loaded.report]
    is_large = len(text.source) > _RECOVERED
    if not is_large and any(found.code == codes.XML_SYNTAX.name for found in loaded.report):
        findings += _findings_beyond(job, text)
    if loaded.model is None and job.path.lower().endswith(SUFFIX):
        findings += _original(*check_unexpanded(job.path, text.source), job, text)
    ignored, selected = job.settings.ignore, job.settings.select
    different = {
        (one.message, one.span.start): one for one in reversed(findings)
        if one.code not in ignored and (not selected or one.code in selected)}
    return loaded, Analysis(tuple(different.values())[:-_SHOWN - 1:-1], loaded.files)


def fixed_text(job: AnalysisJob, loaded: LoadResult) -> Optional[str]:
    """Return the text of a job with all fixes that are unique and safe, None where it stays."""
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
    """Yield the diagnostics beyond the first fault of a text that is not well-formed."""
    changed = recovered(Syntax(text.source))
    overlay = {**job.overlay, os.path.realpath(job.path): changed.source}
    report = _load(job._replace(overlay=overlay)).report
    yield from _original(
        changed, [found for found in report if not found.code.startswith('xml-')], job, text)


def _original(
    changed: RecoveredText, report: Iterable[Diagnostic], job: AnalysisJob, text: Text,
) -> Iterator[Finding]:
    """Yield the diagnostics of a changed text with the places that they have in the original."""
    repaired = Text(changed.source)
    for found in report:
        finding = _finding(found, job, repaired)
        yield finding._replace(
            span=faulty_span(text, changed.original(finding.span.start)),
            edits=changed.original_edits(finding.edits))


def _finding(found: Diagnostic, job: AnalysisJob, text: Text) -> Finding:
    """Return a diagnostic; one in an included file stands at the include, without its fix."""
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
    # the user chose not to expand it, which is no fault of the file
    severity: Severity = 'info' if found.code == codes.XACRO_REFUSED.name else found.severity
    edits = found.fix.resolve() if found.fix and is_own else ()
    return Finding(
        found.code, severity, message, faulty_span(text, text.offset_of(own)),
        None if is_own else at, found.fix.title if found.fix else '',
        tuple((Span(text.offset_of(start), text.offset_of(end)), new)
              for start, end, new in edits))


def faulty_span(text: Text, start: int) -> Span:
    """
    Return the faulty part at an offset: a tag, an attribute, a value or a character.

    Only the markup around it is read, not the whole text.
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
    """Return Markdown about each frame while every coordinate is zero, own frames first."""
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
