# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
``hrdf check --fix``: apply the unique fixes, and say what they change.

The files that the user named are written, and the files that these include, unless an included
file is outside of the directory of the named one. No symbolic link is followed, and a xacro file
is only changed with ``--unsafe-fixes``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
import os
import sys
from typing import NamedTuple, Optional

from hrdf_ros.cli import output
from hrdf_ros.cli.loading import load_file, load_text
from hrdf_ros.cli.text_diff import unified
from hrdf_ros.diagnostics import Diagnostic
from hrdf_ros.document import SourceFile
from hrdf_ros.document.prolog import encoding_of
from hrdf_ros.file_reader import TEXT
from hrdf_ros.file_writer import has_content, Place, read_below, write_all
from hrdf_ros.fixes import Applied, fix, Fixed, Fixing
from hrdf_ros.listing import and_more, count_of
from hrdf_ros.load import LoadRequest
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model

_LISTED = 20
"""The maximum number of differences of a robot that are shown."""


class FixJob(NamedTuple):
    """
    A request to fix files: how each is loaded, and which diagnostics count.

    If ``writes`` is False, the changes are only shown.
    """

    requests: Sequence[LoadRequest]
    counts: Callable[[Diagnostic, str], bool]
    is_unsafe: bool
    writes: bool


class _File(NamedTuple):
    """A file that changes: where it is written, and its source."""

    place: Place
    source: SourceFile


class _Result(NamedTuple):
    file: str
    before: LoadResult
    fixed: Fixed


def fix_files(job: FixJob) -> bool:
    """
    Fix files, and say what was done; return whether anything changes.

    Either all files are written, or none.
    """
    batch = _Batch(job)
    results = [batch.fix(request) for request in job.requests]
    new = batch.contents()
    if job.writes and new:
        for file in batch.files.values():
            data = file.source.data
            has_content(*file.place, data, digests=(sha256(data).hexdigest(),))
        batch.write(new)
    applied = {one: None for result in results for one in result.fixed.applied}
    _say_applied(list(applied), job)
    changed = {os.path.realpath(file) for file in batch.texts}
    for request, result in zip(job.requests, results):
        if changed.intersection(map(os.path.realpath, (result.file, *result.before.files))):
            _say_differences(result, batch.after(request, result))
    _say_summary(list(applied), results, job)
    if not job.writes:
        for name, file in batch.files.items():
            after = encoding_of(file.source).encode(batch.texts[name])
            sys.stdout.writelines(unified(file.source, after))
    return bool(new)


def fix_text(text: str, request: LoadRequest, job: FixJob) -> tuple[str, LoadResult]:
    """Fix a description given as text; return the new text, and the result of loading it."""
    def load(texts: Mapping[str, str]) -> LoadResult:
        return load_text(texts.get(TEXT, text), request)

    before = load({})
    fixed = fix(Fixing(
        load, lambda file: text if file == TEXT else None,
        lambda found: job.counts(found, output.STANDARD_STREAM), job.is_unsafe))
    result = _Result(output.STANDARD_STREAM, before, fixed)
    _say_applied(fixed.applied, job)
    if fixed.applied:
        _say_differences(result, fixed.after)
    _say_summary(fixed.applied, [result], job)
    return fixed.texts.get(TEXT, text), fixed.after


def show_diff(name: str, before: str, after: str) -> None:
    """Write the unified diff of a text to standard output."""
    old, new = (text.encode('utf-8', 'surrogateescape') for text in (before, after))
    if old != new:
        sys.stdout.writelines(unified(SourceFile(name, old, encoding='utf-8'), new))


def _say_applied(applied: Sequence[Applied], job: FixJob) -> None:
    for one in applied:
        _say(f"{'fixed' if job.writes else 'would fix'} {one.location}: {one.title}")


class _Batch:
    """The files of one command, and the texts that they will have."""

    def __init__(self, job: FixJob) -> None:
        self._job = job
        self.files: dict[str, _File] = {}
        self.texts: dict[str, str] = {}

    def fix(self, request: LoadRequest) -> _Result:
        """Fix a file and those that it includes, after the changes for earlier files."""
        file = os.fspath(request.source)
        directory = os.path.dirname(file) or os.curdir
        is_program = _is_xacro(file, request.options.xacro)
        if os.path.islink(file):
            _say(f'{file}: this is a symbolic link, which is not followed; it is not fixed')
        before = load_file(request)

        def load(texts: Mapping[str, str]) -> LoadResult:
            overlay = {
                os.path.realpath(name): text for name, text in {**self.texts, **texts}.items()}
            return load_file(request._replace(
                options=request.options._replace(overlay=overlay))) if overlay else before

        def text_of(name: str) -> Optional[str]:
            # xacro reads files from the disk, so edits do not fit a file that was changed before
            if is_program and (not self._job.is_unsafe or self._name_of(name) in self.texts):
                return None
            return self._text_of(name, directory)

        fixed = fix(Fixing(
            load, text_of, lambda found: self._job.counts(found, file), self._job.is_unsafe,
            is_program=is_program))
        for name, text in fixed.texts.items():
            self.texts[self._name_of(name)] = text
        return _Result(file, before, fixed)

    def after(self, request: LoadRequest, result: _Result) -> Optional[LoadResult]:
        """Return the result of loading a fixed file, written or not; None if it is unknown."""
        if self._job.writes:
            return load_file(request)
        return None if _is_xacro(result.file, request.options.xacro) else result.fixed.after

    def contents(self) -> dict[Place, bytes]:
        """Return the new contents of the files that change."""
        return {
            file.place: encoding_of(file.source).encode(self.texts[name])
            for name, file in self.files.items() if name in self.texts}

    def write(self, new: Mapping[Place, bytes]) -> None:
        """Write all files; where one cannot be written, the error says that none has changed."""
        try:
            write_all(new)
        except OSError as error:
            path = error.filename
            name = next((
                name for name, file in self.files.items() if os.path.join(*file.place) == path),
                path)
            raise OSError(error.errno, f'{error.strerror}; no file was changed', name) from error

    def _name_of(self, name: str) -> str:
        """Return the name under which a file was read first."""
        real = os.path.realpath(name)
        return next((one for one in self.files if os.path.realpath(one) == real), name)

    def _text_of(self, name: str, directory: str) -> Optional[str]:
        """Return the current text of a file, None if it must not be changed."""
        known = self._name_of(name)
        if known in self.texts:
            return self.texts[known]
        below = os.path.relpath(name, directory)
        if below.split(os.sep)[0] == os.pardir or not self._job.is_unsafe and (
                name.lower().endswith('.xacro')):
            return None
        try:
            data = read_below(directory, below)
        except OSError:  # a symbolic link on the way, or a device
            return None
        if data is None:
            return None
        source = SourceFile(name, data)
        try:
            text = encoding_of(source).decode(data)
            if encoding_of(source).encode(text) != data:
                return None
        except (LookupError, UnicodeError):
            return None
        self.files[name] = _File((directory, below), source)
        return text


def _is_xacro(file: str, wanted: Optional[bool]) -> bool:
    return file.lower().endswith('.xacro') if wanted is None else wanted


# ---- what is said

def _say(line: str) -> None:
    output.say(line, sys.stderr)


def _say_differences(result: _Result, after: Optional[LoadResult]) -> None:
    """Say how the meaning of the robot changes."""
    before = result.before.model
    if after is None:
        _say(f'{result.file}: what this changes is known when the file is written')
    elif before is None:
        _say(f'{result.file}: there was no robot to compare with before, because of errors')
    elif after.model is None:
        _say(f'{result.file}: there is no robot any more, because of errors')
    else:
        lines = _differences(before, after.model)
        for line in lines[:_LISTED]:
            _say(f'{result.file}: changed: {line}')
        if len(lines) > _LISTED:
            _say(f'{result.file}: {and_more(len(lines) - _LISTED, "differences")}')
        if not lines:
            _say(f'{result.file}: the kinematics stay: hrdf diff finds no difference')


def _differences(before: Model, after: Model) -> list[str]:
    from hrdf_ros.diff import diff_models  # imports numpy
    try:
        return [f'{one.what} {one.name}: {one.a} -> {one.b}' for one in diff_models(before, after)]
    except OverflowError as error:
        return [str(error)]


def _say_summary(applied: Sequence[Applied], results: Sequence[_Result], job: FixJob) -> None:
    parts = []
    if applied:
        files = len({one.location.file for one in applied if one.location})
        parts.append(f'{count_of(len(applied), "fix")} in {count_of(files, "file")}'
                     .replace('fixs', 'fixes'))
    unsafe = sum(result.fixed.unsafe for result in results)
    if unsafe and not job.is_unsafe:
        parts.append(f'{unsafe} more with --unsafe-fixes')
    if parts:
        _say(', '.join(parts))
