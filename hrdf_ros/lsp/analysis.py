# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The analysis of a text by ``load``: its diagnostics by offset, and the poses of its frames.

It runs in a process of its own (``worker``), so everything here is plain data.
"""

from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
import os
import resource
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Diagnostic, Fix, Location
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult
from hrdf_ros.lsp.documents import LARGEST
from hrdf_ros.lsp.syntax import Syntax
from hrdf_ros.lsp.text import Span, Text
from hrdf_ros.model import Frame, Model
from hrdf_ros.pose import compose, Pose
from hrdf_ros.topology import frame_parents, span, zero_poses

SECONDS = 60
"""CPU time that one analysis may take."""
_MEMORY = 2 << 30
_MOST_SHOWN = 1000
"""Diagnostics of a text that an editor gets."""


class AnalysisSettings(NamedTuple):
    """How files are read, as the options of ``hrdf check`` say, and which codes are reported."""

    path: tuple[str, ...] = ()
    packages: tuple[tuple[str, str], ...] = ()
    model_name: Optional[str] = None
    naming: str = 'default'
    joint_names: tuple[str, ...] = ()
    limits: ResourceLimits = ResourceLimits()
    xacro: Optional[bool] = False
    ignore: tuple[str, ...] = ()
    select: tuple[str, ...] = ()


class AnalysisJob(NamedTuple):
    """A file to analyze; ``overlay`` has the texts of all open documents by real path."""

    path: str
    overlay: dict[str, str]
    settings: AnalysisSettings = AnalysisSettings()


class TextEdit(NamedTuple):
    """A text in place of a part of the text."""

    span: Span
    text: str


class EditorFix(NamedTuple):
    """A fix of a diagnostic in the text."""

    title: str
    edits: tuple[TextEdit, ...]


class EditorDiagnostic(NamedTuple):
    """
    A diagnostic of a text, at a code point of it.

    ``related`` is its place in an included file, where it is about one.
    """

    code: str
    severity: Severity
    message: str
    start: int
    related: Optional[Location] = None
    fix: Optional[EditorFix] = None


class FrameFact(NamedTuple):
    """A frame of the Model with every coordinate at zero: poses are ``root_from_frame``, ..."""

    name: str
    kind: str
    location: Optional[Location]
    root: str
    pose: Pose
    parent: str
    parent_pose: Pose
    mass: Optional[float]


class Analysis(NamedTuple):
    """The diagnostics of a text and the files that were read; frames if there is a Model."""

    diagnostics: tuple[EditorDiagnostic, ...]
    files: tuple[str, ...]
    frames: tuple[FrameFact, ...] = ()


def serve(channel: Connection, job: AnalysisJob) -> None:
    """Send the analysis of a job, first without frames, then with them."""
    _limit(resource.RLIMIT_AS, _MEMORY)
    _limit(resource.RLIMIT_CPU, SECONDS)
    with suppress(OSError):  # the server has closed the channel
        loaded, analysis = analyze(job)
        channel.send(analysis)
        frames = () if loaded.model is None else tuple(frame_facts(loaded.model))
        channel.send(analysis._replace(frames=frames))


def _limit(kind: int, value: int) -> None:
    """Limit a resource of this process, if nothing has limited it further."""
    _, most = resource.getrlimit(kind)
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    with suppress(ValueError, OSError):  # not every system limits everything
        resource.setrlimit(kind, (value, value))


def analyze(job: AnalysisJob) -> tuple[LoadResult, Analysis]:
    """Return what load finds, with places in the text of the job."""
    real = os.path.realpath(job.path)
    source = job.overlay[real]
    loaded, text = _load(job), Text(source)
    diagnostics = [_diagnostic(found, job, text) for found in loaded.report]
    if len(source) <= LARGEST and any(
            found.code == codes.XML_SYNTAX.name for found in loaded.report):
        recovered = Syntax(source).recovered
        loaded = _load(job._replace(overlay={**job.overlay, real: recovered.source}))
        text = Text(recovered.source)
        for one in loaded.report:
            found = _diagnostic(one, job, text)
            if not found.code.startswith('xml-'):
                diagnostics.append(found._replace(
                    start=recovered.original(found.start), fix=None))
    settings = job.settings
    kept = [
        found for found in diagnostics if found.code not in settings.ignore
        and (not settings.select or found.code in settings.select)]
    return loaded, Analysis(tuple(dict.fromkeys(kept))[:_MOST_SHOWN], loaded.files)


def _load(job: AnalysisJob) -> LoadResult:
    settings = job.settings
    return load(
        job.path, path=settings.path, packages=dict(settings.packages),
        model_name=settings.model_name, naming=settings.naming,
        joint_names=settings.joint_names, limits=settings.limits, xacro=settings.xacro,
        overlay=job.overlay)


def _diagnostic(found: Diagnostic, job: AnalysisJob, text: Text) -> EditorDiagnostic:
    """Return a diagnostic in the text: one about an included file is at the include element."""
    at = found.resolve() or Location(job.path)
    message = found.message + (f'\nhint: {found.hint}' if found.hint else '')
    related = None
    if at.included_from:
        related, message = at, f'{os.path.basename(at.file)}:{at.line}: {message}'
        at = at.included_from[-1]
    elif at.file != job.path:
        related, at = at, Location(job.path)
    # that nothing is expanded is the user's choice, not a fault of the file
    is_choice = found.code == codes.XACRO_REFUSED.name
    return EditorDiagnostic(
        code=found.code, severity='info' if is_choice else found.severity, message=message,
        start=text.offset_of(at.line, at.column), related=related,
        fix=None if related or found.fix is None else _fix(found.fix, text))


def _fix(fix: Fix, text: Text) -> Optional[EditorFix]:
    edits = tuple(
        TextEdit(Span(*(text.offset_of(at.line, at.column) for at in (start, end))), new)
        for start, end, new in fix.resolve())
    return EditorFix(fix.title, edits) if edits else None


def frame_facts(model: Model) -> Iterator[FrameFact]:
    """Yield where each frame of a Model is while every coordinate is zero."""
    topology = span(model)
    poses = zero_poses(model)
    parents = frame_parents(model, topology)
    for frame, parent in zip(model.frames, parents):
        body = model.bodies[frame.body]
        is_own = frame.kind == 'link' or frame.kind == 'end_effector'
        mass = body.inertia.mass if body.inertia is not None and is_own else None
        yield FrameFact(
            name=frame.name, kind=frame.kind, location=_place(frame), root=model.root,
            pose=compose(poses[frame.body], frame.pose), parent=parent, parent_pose=frame.pose,
            mass=mass)


def _place(frame: Frame) -> Optional[Location]:
    return None if frame.location is None else frame.location.resolve()
