# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Pieces of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
import re

_CODE = re.compile(r'(`+[^`]*`+)')
_SPECIAL = re.compile(r'([\\*_\[\]|])')
_TAG = re.compile(r'<(?=[\w/!?:])')


def text(line: str) -> str:
    """Return a line of documentation as Markdown: nothing in it is markup but backticks."""
    parts = _CODE.split(line)
    parts[::2] = [_SPECIAL.sub(r'\\\1', _TAG.sub('&lt;', part)) for part in parts[::2]]
    parts[1::2] = [part.replace('|', '&#124;') for part in parts[1::2]]
    return ''.join(parts).replace('\n', ' ')


def code(word: str) -> str:
    """Return a word in the font of code, also in a table; nothing for no word."""
    if not word:
        return ''
    if '|' in word:
        return f'<code>{word.replace("|", "&#124;").replace("<", "&lt;")}</code>'
    return f'`{word}`'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table without the columns that are empty in all rows, or '' without rows."""
    rows = list(rows)
    if not rows:
        return ''
    kept = [column for column in range(len(heads)) if any(row[column] for row in rows)]
    lines = [heads, ['---'] * len(heads), *rows]
    return ''.join('| ' + ' | '.join(line[column] for column in kept) + ' |\n' for line in lines)


def fence(language: str, body: str) -> str:
    """Return a block of code."""
    return f'```{language}\n{body.rstrip()}\n```\n'
