# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The analysis of a text by ``load``: its diagnostics with their fixes, and the poses of its frames.

It runs in a process of its own (``worker``), so everything here is plain data.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
import gc
from multiprocessing.connection import Connection
import os
from pathlib import Path
import resource
from typing import NamedTuple, Optional
from urllib.parse import quote

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, Location, printable, Report
from hrdf_ros.document import as_utf8
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult
from hrdf_ros.lsp.documents import Buffer
from hrdf_ros.lsp.places import place_at
from hrdf_ros.lsp.syntax import Syntax
from hrdf_ros.lsp.text import code, Span, Text
from hrdf_ros.model import Frame, Model
from hrdf_ros.pose import compose, Pose, to_rpy
from hrdf_ros.resolve import Resolver
from hrdf_ros.topology import frame_parents, span, zero_poses
from lsprotocol import types as lsp

SECONDS = 60
"""CPU time that one analysis may take."""
_MEMORY = 2 << 30
_SHOWN = 1000
"""Diagnostics of a text that an editor gets."""
_SEVERITIES = {
    'error': lsp.DiagnosticSeverity.Error, 'warning': lsp.DiagnosticSeverity.Warning,
    'info': lsp.DiagnosticSeverity.Information}
_OWN_KINDS = ('link', 'end_effector', 'frame', 'model')


class AnalysisSettings(NamedTuple):
    """
    How files are read, as the options of ``hrdf check`` say, and which codes are reported.

    ``page`` is the address that explains the codes, ``encoding`` the unit of positions.
    """

    path: tuple[str, ...] = ()
    packages: tuple[tuple[str, str], ...] = ()
    model_name: Optional[str] = None
    naming: str = 'default'
    joint_names: tuple[str, ...] = ()
    limits: ResourceLimits = ResourceLimits()
    xacro: Optional[bool] = False
    ignore: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    page: str = ''
    encoding: str = 'utf-16'


class AnalysisJob(NamedTuple):
    """A file to analyze; ``overlay`` has the texts of all open documents by real path."""

    path: str
    overlay: dict[str, str]
    settings: AnalysisSettings = AnalysisSettings()


class Finding(NamedTuple):
    """A diagnostic of a text, and the title and edits of its fix if it has one."""

    diagnostic: lsp.Diagnostic
    title: str = ''
    edits: tuple[lsp.TextEdit, ...] = ()


FramePlace = tuple[str, Optional[int], Optional[int]]
"""Where an element begins that frames come from: real path, line, column."""


class Analysis(NamedTuple):
    """
    The findings of a text and the files that were read.

    ``frames`` are descriptions of the frames of the Model, if there is one, by their elements.
    """

    findings: tuple[Finding, ...] = ()
    files: tuple[str, ...] = ()
    frames: Optional[dict[FramePlace, list[str]]] = None


def serve(channel: Connection, job: AnalysisJob) -> None:
    """Send the analysis of a job, first without frames, then with them."""
    gc.freeze()  # what was imported is not looked through for garbage
    _limit(resource.RLIMIT_AS, _MEMORY)
    _limit(resource.RLIMIT_CPU, SECONDS)
    with suppress(OSError):  # the server has closed the channel
        loaded, analysis = analyze(job)
        channel.send(analysis)
        frames = None if loaded.model is None else described_frames(loaded.model)
        channel.send(analysis._replace(frames=frames))


def _limit(kind: int, value: int) -> None:
    """Limit a resource of this process, if nothing has limited it further."""
    _, most = resource.getrlimit(kind)
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    with suppress(ValueError, OSError):  # not every system limits everything
        resource.setrlimit(kind, (value, value))


def analyze(job: AnalysisJob) -> tuple[LoadResult, Analysis]:
    """Return what load finds, with places in the text of the job."""
    reader = _Reader(job)
    loaded = reader.load(job)
    findings = [reader.finding(found) for found in reader.selected(loaded)]
    if any(found.code == codes.XML_SYNTAX.name for found in loaded.report):
        findings += reader.findings_beyond()
    different = {
        (one.diagnostic.message, one.diagnostic.range.start.line,
         one.diagnostic.range.start.character): one for one in reversed(findings)}
    return loaded, Analysis(tuple(different.values())[:-_SHOWN - 1:-1], loaded.files)


class _Reader:
    """Makes diagnostics of the protocol; reads the texts that they are about."""

    def __init__(self, job: AnalysisJob) -> None:
        self._job = job
        self._buffers: dict[str, Buffer] = {}
        self._buffer = self._read(job.path)

    def _read(self, path: str) -> Buffer:
        """Return the text of a file, empty where it cannot be read."""
        if path not in self._buffers:
            settings = self._job.settings
            text = self._job.overlay.get(os.path.realpath(path))
            if text is None:
                source = Resolver(limits=settings.limits).read(path, Report())
                data = None if source is None else as_utf8(source, Report())
                text = (data or b'').decode('utf-8')
            self._buffers[path] = Buffer(
                Path(path).absolute().as_uri(), path, Text(text, settings.encoding))
        return self._buffers[path]

    def load(self, job: AnalysisJob) -> LoadResult:
        """Load the file."""
        settings = job.settings
        return load(
            job.path, path=settings.path, packages=dict(settings.packages),
            model_name=settings.model_name, naming=settings.naming,
            joint_names=settings.joint_names, limits=settings.limits, xacro=settings.xacro,
            overlay=job.overlay)

    def selected(self, loaded: LoadResult) -> Iterator[Diagnostic]:
        """Yield the diagnostics that the settings select, each once."""
        settings = self._job.settings
        for found in dict.fromkeys(loaded.report):
            if found.code not in settings.ignore and (
                    not settings.select or found.code in settings.select):
                yield found

    def findings_beyond(self) -> Iterator[Finding]:
        """Yield the diagnostics beyond the first fault of a text that is not well-formed."""
        if self._buffer.is_large:
            return
        job, recovered = self._job, self._buffer.syntax.recovered
        text = Text(recovered.source)
        loaded = self.load(job._replace(
            overlay={**job.overlay, self._buffer.real: recovered.source}))
        for found in self.selected(loaded):
            if not found.code.startswith('xml-'):
                at = self._own_place(found)
                start = recovered.original(text.offset_of(at.line, at.column))
                yield Finding(self._diagnostic(found, start))

    def finding(self, found: Diagnostic) -> Finding:
        """Return a diagnostic and its fix."""
        text, at = self._buffer.text, self._own_place(found)
        diagnostic = self._diagnostic(found, text.offset_of(at.line, at.column))
        if found.fix is None or diagnostic.related_information:
            return Finding(diagnostic)
        return Finding(diagnostic, found.fix.title, tuple(
            lsp.TextEdit(text.range_of(Span(
                *(text.offset_of(one.line, one.column) for one in (start, end)))), new)
            for start, end, new in found.fix.resolve()))

    def _own_place(self, found: Diagnostic) -> Location:
        """Return the place in the text: of one about an included file, the include element."""
        at = found.resolve() or Location(self._job.path)
        if at.included_from:
            return at.included_from[-1]
        return at if at.file == self._job.path else Location(self._job.path)

    def _diagnostic(self, found: Diagnostic, start: int) -> lsp.Diagnostic:
        at, settings = found.resolve() or Location(self._job.path), self._job.settings
        message = printable(found.message)
        if found.hint:
            message += f'\nhint: {printable(found.hint)}'
        if at.included_from:
            message = f'{printable(os.path.basename(at.file))}:{at.line}: {message}'
        # that nothing is expanded is the user's choice, not a fault of the file
        severity = 'info' if found.code == codes.XACRO_REFUSED.name else found.severity
        return lsp.Diagnostic(
            range=self._buffer.text.range_of(faulty_span(self._buffer.text, start)), message=message,
            severity=_SEVERITIES[severity], code=found.code, source='hrdf',
            code_description=lsp.CodeDescription(f'{settings.page}#{quote(found.code)}'),
            related_information=None if at.file == self._job.path else [self._related(at)])

    def _related(self, at: Location) -> lsp.DiagnosticRelatedInformation:
        """Return the place of a diagnostic in an included file."""
        buffer = self._read(at.file)
        start = buffer.text.offset_of(at.line, at.column)
        return lsp.DiagnosticRelatedInformation(
            buffer.location(faulty_span(buffer.text, start)), 'it is here')


def faulty_span(text: Text, start: int) -> Span:
    """
    Return the faulty part at an offset: a tag, an attribute, a value or a character.

    Only the markup around it is read, not the whole text.
    """
    source = text.source
    begin = max(source.rfind('<', 0, start + 1), 0)
    end = source.find('<', start + 1)
    place = place_at(Syntax(source[begin:None if end < 0 else end]), start + 1 - begin)
    span = Span(place.span.start + begin, place.span.end + begin)
    is_tag = place.kind == 'tag' and span.start == start + 1
    if is_tag or place.kind in ('attribute', 'value', 'text') and span.start <= start < span.end:
        return Span(start, span.end)
    return Span(start, min(start + 1, len(source)))


# ---- frames

def described_frames(model: Model) -> dict[FramePlace, list[str]]:
    """Return Markdown about each frame while every coordinate is zero, own frames first."""
    poses, parents = zero_poses(model), frame_parents(model, span(model))
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
