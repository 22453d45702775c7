# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Descriptions to compare: files, and files of git revisions as ``REV:PATH``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
import os
import sys
from typing import Any, NamedTuple, Optional

from hrdf_ros.cli.loading import load_file, read_model, READING, Reading, source_files
from hrdf_ros.cli.options import settings_of
from hrdf_ros.cli.output import (
    at_least,
    CommandError,
    errors_as,
    harmless,
    lines_of,
    STANDARD_STREAM,
    UsageError,
    warn,
)
from hrdf_ros.codes import Severity
from hrdf_ros.listing import first_of
from hrdf_ros.load import LoadRequest
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model
from hrdf_ros.readers.api import Options
from hrdf_ros.revisions import parse_revision, RevisionError, Snapshot, snapshot

_LISTED = 3
"""The maximum number of files in Git LFS that a warning lists."""


class Side(NamedTuple):
    """
    One of the descriptions that are compared.

    ``name`` is the user's name for the description, and ``reading`` says how it is read. A
    description of a revision is read with the settings and directories of this revision, whose
    files are in ``files``.
    """

    name: str
    reading: Reading
    files: Optional[Snapshot]

    def load(self) -> LoadResult:
        return load_file(self.reading.request)

    def model(self) -> Model:
        """Return the Model; if the description has errors, the command ends."""
        if self.files is None:
            return read_model(self.reading)[0]
        result = self.load()
        show_left_out([self], [result])
        self.show(result, 'warning')
        if result.model is None:
            raise CommandError
        return result.model

    def readable(self, value: Any) -> Any:
        """Return a JSON value in which files have the names that the user knows."""
        if isinstance(value, str):
            return value if self.files is None else self.files.readable(value)
        if isinstance(value, dict):
            return {name: self.readable(item) for name, item in value.items()}
        return [self.readable(item) for item in value] if isinstance(value, list) else value

    def show(self, result: LoadResult, least: Severity) -> None:
        """Write the diagnostics that are at least as severe as ``least`` to standard error."""
        display = self.reading.display
        shown = [one for one in at_least(result.report, least) if one.code not in display.ignore]
        for line in lines_of(shown, display.color):
            print(harmless(str(self.readable(line))), file=sys.stderr)

    def left_out(self, result: LoadResult) -> list[str]:
        """Return the parts of the revision that were not read, and that may be needed."""
        if self.files is None:
            return []
        named = {*result.files, *(() if result.model is None else source_files(result.model))}
        pointers = sorted(self.readable(file) for file in named & self.files.pointers)
        return [*self.files.left_out, *(
            [f'Git LFS has the content of {first_of(pointers, _LISTED)}'] if pointers else [])]


def side_of(file: str, reading: Reading, closing: ExitStack) -> Side:
    """
    Return a description by its name: a file, or ``REV:PATH`` if there is no such file.

    ``reading`` says how the command reads files. The files of the revision exist until the context
    is closed.
    """
    found = None if os.path.lexists(file) or file == STANDARD_STREAM else parse_revision(file)
    if found is None:
        request = reading.request._replace(source=file)
        return Side(file, reading._replace(request=request), None)
    with errors_as(UsageError, RevisionError, source=file):
        files = closing.enter_context(snapshot(*found, reading.options.limits))
    return Side(file, reading_in(files, reading), files)


def show_left_out(sides: Sequence[Side], loaded: Iterable[LoadResult]) -> None:
    """Warn about parts of revisions that were not read, once for all revisions that lack them."""
    names: dict[str, list[str]] = {}
    for side, result in zip(sides, loaded):
        for sentence in side.left_out(result):
            names.setdefault(sentence, []).append(side.name)
    for sentence, those in names.items():
        warn(f"{', '.join(those)}: {sentence}")


def reading_in(files: Snapshot, reading: Reading) -> Reading:
    """Return how a file of a revision is read: with the revision's settings and directories."""
    settings, given = _settings_in(files), reading.own
    own = Options(
        path=[files.of(directory) for directory in given.path],
        packages={
            name: files.of(directory) for name, directory in (given.packages or {}).items()})
    options = reading.options._replace(
        path=[*settings.get('path', ()), *own.path],
        packages={**dict(settings.get('package', ())), **(own.packages or {})})
    return reading._replace(request=LoadRequest(files.file, options), own=own)


def _settings_in(files: Snapshot) -> dict[str, Any]:
    """Return the settings of a revision, or those above its repository if it has none."""
    return settings_of(READING.options, files.of(os.getcwd()), files.root) or settings_of(
        READING.options, os.path.dirname(files.top))
