# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Tables that fit the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import sys
from typing import Optional

from hrdf_ros.cli.show import columns, width
from hrdf_ros.diagnostics import printable

_GAP = '  '
_WIDEST = 60
"""Columns up to which cells are padded: one long name would widen every line."""


def table(rows: Sequence[Sequence[str]], *, left: int = 1) -> Iterator[str]:
    """
    Yield the lines of a table whose first row is its head.

    The first ``left`` columns are aligned to the left, the others to the right; a cell that is
    wider than 60 columns moves the rest of its line. On a terminal
    that is too narrow the columns continue below, each part with the first column.
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [min(max(map(width, column)), _WIDEST) for column in zip(*cells)]
    for count, part in enumerate(_parts(widths, columns() if sys.stdout.isatty() else None)):
        if count:
            yield ''
        for row in cells:
            yield _GAP.join(
                _padded(row[index], widths[index], left=index < left) for index in part).rstrip()


def _parts(widths: Sequence[int], most: Optional[int]) -> Iterator[list[int]]:
    """Yield the columns of each part that fits on so many columns of the terminal."""
    part, used = [0], widths[0]
    for index in range(1, len(widths)):
        needed = len(_GAP) + widths[index]
        if most is not None and used + needed > most and len(part) > 1:
            yield part
            part, used = [0], widths[0]
        part.append(index)
        used += needed
    yield part


def _padded(cell: str, most: int, *, left: bool) -> str:
    space = ' ' * (most - width(cell))
    return cell + space if left else space + cell
