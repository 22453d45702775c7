# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A unified diff of two texts that differ in their white space only.

Lines are compared where as many characters that are not white space are before them. That takes
linear time; a comparison of any texts may take far more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_CONTEXT = 3
"""Lines that are shown before and after a change."""


class _Change(NamedTuple):
    """Lines of the new text in place of lines of the old one; the ends are excluded."""

    first: int
    end: int
    new_first: int
    new_end: int


def white_space_diff(before: str, after: str, name: str) -> Iterator[str]:
    """Yield the lines of a unified diff of a file of some name."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    yield from (f'--- {name}\n', f'+++ {name}\n')
    for group in _grouped(_changes(old, new)):
        yield from _hunk(group, old, new)


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[_Change]:
    """Yield which lines take the place of which."""
    places = {place: index for index, place in enumerate(_places(new))}
    first = new_first = 0
    for index, (line, place) in enumerate(zip(old, _places(old))):
        new_index = places.get(place, -1)
        if new_index < new_first or line != new[new_index]:
            continue
        if (first, new_first) != (index, new_index):
            yield _Change(first, index, new_first, new_index)
        first, new_first = index + 1, new_index + 1
    if (first, new_first) != (len(old), len(new)):
        yield _Change(first, len(old), new_first, len(new))


def _places(lines: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield how many characters are before each line, and of blank lines how many it is."""
    characters = blanks = 0
    for line in lines:
        count = sum(map(len, line.split()))
        blanks = 0 if count else blanks + 1
        yield characters, blanks
        characters += count


def _grouped(changes: Iterable[_Change]) -> Iterator[list[_Change]]:
    """Yield the changes that are shown together: few lines are between them."""
    group: list[_Change] = []
    for change in changes:
        if group and change.first - group[-1].end > 2 * _CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(group: Sequence[_Change], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Yield the lines of changes, with those around them."""
    lead = min(group[0].first, _CONTEXT)
    tail = min(len(old) - group[-1].end, _CONTEXT)
    first, end = group[0].first - lead, group[-1].end + tail
    yield (
        f'@@ -{_range(first, end)} '
        f'+{_range(group[0].new_first - lead, group[-1].new_end + tail)} @@\n')
    for change in group:
        yield from _marked(' ', old[first:change.first])
        yield from _marked('-', old[change.first:change.end])
        yield from _marked('+', new[change.new_first:change.new_end])
        first = change.end
    yield from _marked(' ', old[first:end])


def _range(first: int, end: int) -> str:
    """Return lines as a unified diff names them; none are behind the one before."""
    count = end - first
    return f'{first + 1}' if count == 1 else f'{first + (count > 0)},{count}'


def _marked(mark: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        ending = '' if line.endswith('\n') else '\n\\ No newline at end of file\n'
        yield f'{mark}{line}{ending}'
