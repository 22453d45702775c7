# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The page of the commands, from their parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from unittest.mock import patch

from hrdf_ros.cli.command import COMMANDS, make_parsers
from reference.markdown import code, fence, table, text

_WIDTH = '98'
_COMMON = ('reading', 'configuration')
"""Groups of options that have a page of their own."""
_HEAD = """\
# Commands

Generated from the parsers of the commands; `hrdf COMMAND --help` prints the same.
Options of *reading* and *configuration* are [common](../command-line.md#common-options) ones.

"""


def commands_page() -> str:
    """Return the page: the commands in a table, then each with its usage and options."""
    with patch.dict('os.environ', COLUMNS=_WIDTH):
        overview = table(
            ('command', 'does'),
            ((f'[`hrdf {name}`](#hrdf-{name})', text(does)) for name, does in COMMANDS.items()))
        sections = [_section(name, make_parsers([name])[1][name]) for name in COMMANDS]
    return _HEAD + overview + '\n' + '\n'.join(sections)


def _section(name: str, parser: argparse.ArgumentParser) -> str:
    usage = parser.format_usage().partition(':')[2].strip()
    parts = [f'## hrdf {name}\n', fence('text', usage), text(parser.description or '') + '\n']
    parts += _groups(parser)
    parts += _epilog(parser.epilog or '')
    return '\n'.join(parts)


def _groups(parser: argparse.ArgumentParser) -> Iterator[str]:
    for group in parser._action_groups:
        rows = [_row(action) for action in group._group_actions
                if not isinstance(action, argparse._HelpAction)]
        title = group.title or ''
        if title in _COMMON:
            yield f'And the options of [{title}](../command-line.md#common-options).\n'
        elif rows:
            if title not in ('positional arguments', 'options'):
                yield f'**{title[:1].upper()}{title[1:]}**' + (
                    f': {text(group.description)}' if group.description else '') + '\n'
            yield table(('argument' if title.startswith('pos') else 'option', 'means'), rows)


def _row(action: argparse.Action) -> tuple[str, str]:
    metavar = action.metavar if isinstance(action.metavar, str) else ''
    if not metavar and action.choices is not None:
        metavar = '{' + ','.join(map(str, action.choices)) + '}'
    if not metavar and action.nargs != 0:
        metavar = action.dest.upper()
    names: Iterable[str] = action.option_strings or ('',)
    shown = [code(f'{name} {metavar}'.strip()) for name in names]
    explained = (action.help or '') % {'default': action.default, 'prog': 'hrdf'}
    return ', '.join(shown), text(explained)


def _epilog(epilog: str) -> Iterator[str]:
    """Yield the examples as a block, and what follows them as text."""
    for part in epilog.split('\n\n'):
        if part.startswith('examples:'):
            lines = part.splitlines()[1:]
            yield fence('text', '\n'.join(line.removeprefix('  ') for line in lines))
        elif part:
            yield text(part) + '\n'
