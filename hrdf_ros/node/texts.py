# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Texts from outside, fit for a log: on one line, without control characters, not endless."""

from __future__ import annotations

from collections.abc import Sequence

from hrdf_ros.diagnostics import printable

_MAX_SENTENCE = 1000
_MAX_NAMES = 5
_MAX_NAME = 80


def one_line(text: str) -> str:
    """Return a text on one line, without the middle of what is long in it."""
    if len(text) > _MAX_SENTENCE:
        half = _MAX_SENTENCE // 2
        text = f'{text[:half]} ... {text[-half:]}'
    return printable(text).encode('utf-8', 'replace').decode()


def short(name: str) -> str:
    """Return a name, printable, without the end of a long one."""
    return printable(name if len(name) <= _MAX_NAME else f'{name[:_MAX_NAME]} ...')


def listed(names: Sequence[str]) -> str:
    """Return the first few names, printable, and how many more there are."""
    more = len(names) - _MAX_NAMES
    shown = map(short, names[:_MAX_NAMES])
    return ', '.join(shown) + (f' and {more} more' if more > 0 else '')
