# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Apply the fixes of diagnostics to the texts of files, for commands and editors.

A fix may uncover another fault, so a file is read again until nothing is left to fix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Diagnostic, Edit, Location
from hrdf_ros.load_result import LoadResult

_PASSES = 20
"""The most times that a file is read, since each fix may uncover another fault."""


class Applied(NamedTuple):
    """A fix that was applied: the place of its diagnostic, and what it does."""

    location: Optional[Location]
    title: str


class Fixed(NamedTuple):
    """
    The result of fixing.

    ``texts`` has the new texts of the files that change, by name, and ``after`` is the result of
    loading them. ``unsafe`` is the number of fixes in that result that are left out because they
    are unsafe, or because xacro makes the description.
    """

    texts: Mapping[str, str]
    applied: tuple[Applied, ...]
    after: LoadResult
    unsafe: int


class Fixing(NamedTuple):
    """
    The way to fix a description.

    ``load`` reads it with other texts for some files. ``text_of`` returns the text of a file, None
    if it must not change. ``counts`` says which diagnostics are fixed, and ``is_unsafe`` whether
    those whose fix may be wrong are, too. ``is_program`` says that xacro makes the description:
    every fix is then unsafe, and ``load`` takes no other texts.
    """

    load: Callable[[Mapping[str, str]], LoadResult]
    text_of: Callable[[str], Optional[str]]
    counts: Callable[[Diagnostic], bool] = lambda _: True
    is_unsafe: bool = False
    is_program: bool = False


def fix(fixing: Fixing) -> Fixed:
    """Return the texts of a description with the unique fixes of its diagnostics applied."""
    texts: dict[str, str] = {}
    applied: list[Applied] = []
    loaded = fixing.load(texts)
    seen: list[dict[str, str]] = []
    for _ in range(1 if fixing.is_program else _PASSES):
        edits: dict[str, list[Edit]] = {}
        for found, parts in _chosen(loaded, texts, fixing):
            applied.append(Applied(found.resolve(), found.fix.title if found.fix else ''))
            for part in parts:
                edits.setdefault(part.start.file, []).append(part)
        if not edits:
            break
        seen.append(dict(texts))
        for file, parts_of_file in edits.items():
            text = texts[file] if file in texts else fixing.text_of(file)
            texts[file] = with_edits(text or '', parts_of_file)
        if texts in seen:  # two fixes undo each other
            break
        if not fixing.is_program:
            loaded = fixing.load(texts)
    unsafe = 0 if fixing.is_unsafe else sum(
        found.fix is not None and (fixing.is_program or not found.fix.is_safe)
        and fixing.counts(found) and bool(found.fix.resolve()) for found in loaded.report)
    return Fixed(texts, tuple(applied), loaded, unsafe)


def _chosen(
    loaded: LoadResult, texts: Mapping[str, str], fixing: Fixing,
) -> Iterator[tuple[Diagnostic, tuple[Edit, ...]]]:
    """Yield the diagnostics that have a fix, with its edits; no two edits overlap."""
    taken: dict[str, list[Edit]] = {}
    for found in loaded.report:
        fix = found.fix
        if fix is None or not (fix.is_safe or fixing.is_unsafe) or not fixing.counts(found):
            continue
        edits = fix.resolve()
        if not edits or any(
                edit.start.file not in texts and fixing.text_of(edit.start.file) is None
                for edit in edits):
            continue
        if not any(_overlap(edit, other) for edit in edits
                   for other in taken.get(edit.start.file, ())):
            for edit in edits:
                taken.setdefault(edit.start.file, []).append(edit)
            yield found, edits


def _overlap(one: Edit, other: Edit) -> bool:
    """Return whether two edits of a file touch each other."""
    return _point(one.start) <= _point(other.end) and _point(other.start) <= _point(one.end)


def _point(at: Location) -> tuple[int, int]:
    return at.line or 0, at.column or 0


def with_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after edits, of which no two overlap."""
    breaks = [index for index, character in enumerate(text) if character == '\n']

    def offset(at: Location) -> int:
        line, column = _point(at)
        return (breaks[line - 2] + 1 if line > 1 else 0) + column - 1

    parts, position = [], 0
    for edit in sorted(edits, key=lambda one: _point(one.start)):
        parts += [text[position:offset(edit.start)], edit.text]
        position = offset(edit.end)
    return ''.join([*parts, text[position:]])
