# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The jobs of a node's worker, reading, checking, converting, and their answers.

Both are plain records, which are sent to another process and back. A description comes back
ready to be published: the node has no document. ``perform`` runs the jobs.
"""

from __future__ import annotations

import os
from typing import NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.texts import one_line
from hrdf_ros.pose import Pose
from hrdf_ros.resolve import Packages

SHOWN = 100
"""Diagnostics of one load that are logged and shown on /diagnostics."""
PACKAGE = 'package://'


# ---- jobs

class LoadJob(NamedTuple):
    """Load the description that the settings name."""

    settings: Settings


class FileJob(NamedTuple):
    """
    Check a file or a text, with ``target`` convert it.

    Without both it is about ``loaded``: a LoadResult, pickled and compressed.
    """

    settings: Settings
    path: str = ''
    text: str = ''
    format: str = ''  # noqa: A003
    target: str = ''
    loaded: Optional[bytes] = None


class ModelJob(NamedTuple):
    """Load a text as a Model with its shapes; the answer is the LoadResult."""

    text: str


Job = Union[LoadJob, FileJob, ModelJob]


# ---- answers

class StaticTransform(NamedTuple):
    """A transform that never changes; the frame names carry the prefix."""

    parent: str
    child: str
    parent_from_child: Pose


class FrameRecord(NamedTuple):
    """A frame for list_frames; ``name``, ``body`` and ``parent`` carry the prefix."""

    name: str
    source_name: str
    kind: str
    tag: str
    body: str
    parent: str
    file: str
    line: int


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
    """The answer to a LoadJob; ``written`` are the diagnostics of its URDF."""

    description: Optional[Description]
    report: Report
    written: Report
    files: tuple[str, ...]


class FileAnswer(NamedTuple):
    """The answer to a FileJob; ``text`` is the converted file."""

    ok: bool
    text: str
    report: Report


Answer = Union[LoadAnswer, FileAnswer, LoadResult]


# ---- the file of a model

def model_file(settings: Settings) -> str:
    """Return the path of ``model``, a ``package://`` URI resolved if its package is known."""
    model = settings.model
    if not model.startswith(PACKAGE):
        return os.path.expanduser(model)
    from urllib.parse import unquote  # takes 2 ms; few models are such URIs
    package, _, below = model.removeprefix(PACKAGE).partition('/')
    share = Packages(settings.package_directories, os.environ, roots=None).share(package)
    return model if share is None else os.path.join(share, unquote(below))


# ---- diagnostics

def refusal(sentence: str) -> Report:
    """Return the report on a request that is not served."""
    report = Report()
    report.add(codes.REQUEST_REFUSED, sentence)
    return report


def as_line(found: Diagnostic) -> str:
    """Return a diagnostic with its hint on one line."""
    return one_line(f'{found} ({found.hint})' if found.hint else str(found))


def first_error(report: Optional[Report]) -> str:
    """Return the first error on one line; '' if there is none."""
    return one_line(str(report.first_error)) if report and report.first_error else ''
