# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Markdown tables and figures, as the parts of the benchmark print them."""

from __future__ import annotations

from collections.abc import Sequence
import statistics
from typing import Optional

ABSENT = 'absent'


def number(value: Optional[float]) -> str:
    """Return a figure with three digits, or the word for what was not there to be measured."""
    if value is None:
        return ABSENT
    return f'{value:.0f}' if abs(value) >= 100.0 else f'{value:.3g}'


def ratio(value: Optional[float], to: Optional[float]) -> Optional[float]:
    """Return one figure divided by another, None where one of them is absent."""
    return value / to if value is not None and to else None


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table; None and floats are written as figures."""
    lines = [head, ['---'] * len(head), *rows]
    return '\n'.join(f'| {" | ".join(map(_cell, line))} |' for line in lines) + '\n'


def _cell(value: object) -> str:
    return number(value) if value is None or isinstance(value, float) else str(value)


def quantile(values: Sequence[float], part: float) -> float:
    """Return the value below which a part of the values are."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def middle(values: Sequence[float]) -> Optional[float]:
    """Return the median, None of nothing."""
    return statistics.median(values) if values else None
