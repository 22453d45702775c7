# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf explain``: the meaning of a diagnostic and its fix."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
import os
import re
import sys
import textwrap
from typing import Optional

from hrdf_ros.cli.options import complete_codes
from hrdf_ros.cli.output import columns
from hrdf_ros.cli.usage import unknown, UsageError
from hrdf_ros.codes import CODES

_DESCRIPTION = """\
Explain a diagnostic: what it means, why it matters, an example, the fix.
Without CODE, list all codes with their severity and a summary."""
_EPILOG = """\
examples:
  hrdf explain inertia-invalid
  hrdf explain                    all codes
  hrdf explain | grep '^sdf-'     those of SDFormat"""
PAGE = os.path.join(os.path.dirname(__file__), 'diagnostics.md')
_COLUMNS = 80
_REMARK = re.compile(r'^<!-- (?:exit status|not run|run): .* -->\n', re.MULTILINE)
"""A comment for the tests about the next block of a page."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    code = parser.add_argument(
        'code', metavar='CODE', nargs='?', help='the word in brackets of a diagnostic')
    code.completer = complete_codes  # type: ignore[attr-defined]  # argcomplete's way


def run(options: argparse.Namespace) -> int:
    """Show the explanation of a code, or all codes."""
    if options.code is None:
        for line in _list(columns() if sys.stdout.isatty() else None):
            print(line)
        return 0
    if options.code not in CODES:
        raise UsageError(unknown('code', options.code, CODES))
    code = CODES[options.code]
    width = min(columns(), _COLUMNS)
    print(f'{code.name} ({code.severity})\n')
    for line in _rendered(_sections()[code.name], width):
        print(line)
    return 0


def _list(width: Optional[int]) -> Iterator[str]:
    """Yield a line for each code; on a terminal of some width its summary is wrapped."""
    name = max(map(len, CODES))
    indent = ' ' * (name + 11)
    for code, summary in summaries().items():
        line = f'{code:{name}}  {CODES[code].severity:7}  {summary}'
        if width is None or width < 2 * len(indent):
            yield line
        else:
            yield from textwrap.wrap(
                line, width, subsequent_indent=indent, break_on_hyphens=False)


def _sections() -> dict[str, str]:
    """Return the Markdown of each code's section, without its heading."""
    with open(PAGE, encoding='utf-8') as stream:
        page = stream.read()
    found = re.findall(r'^### `(.*)`\n((?:(?!#).*\n)*)', page, re.MULTILINE)
    return {name: section.strip('\n') for name, section in found}


def summaries() -> dict[str, str]:
    """Return the first sentence about each code as plain text."""
    return {name: _plain(re.split(r'[.:](?:\s|$)', section, maxsplit=1)[0])
            for name, section in _sections().items()}


def _rendered(markdown: str, width: int) -> Iterator[str]:
    """Yield the lines of paragraphs, list items and examples for a terminal."""
    is_example = False
    for line in _REMARK.sub('', markdown).splitlines():
        if line.startswith('```'):
            is_example = not is_example
        elif is_example or not line:
            yield f'    {line}'.rstrip()
        else:
            yield from textwrap.wrap(
                _plain(line), width, subsequent_indent='  ' if line.startswith('- ') else '',
                break_long_words=False, break_on_hyphens=False)


def _plain(line: str) -> str:
    """Return a line without Markdown's marks: backticks, emphasis, links."""
    line = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', line)
    return re.sub(r'\*(\w+)\*', r'\1', line.replace('`', ''))
