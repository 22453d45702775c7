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
            ((f'[`hrdf {name}`](#hrdf-{name})', text(does))
             for name, (_, does) in COMMANDS.items()))
        sections = [_section(name, make_parsers([name])[1][name]) for name in COMMANDS]
    return _HEAD + overview + '\n' + '\n'.join(sections)


def _section(name: str, parser: argparse.ArgumentParser) -> str:
    usage = parser.format_usage().partition(':')[2].strip()
    parts = [f'## hrdf {name}\n', fence('text', usage)]
    parts += _prose(f'{parser.description or ""}\n\n{parser.epilog or ""}')
    parts += _arguments(name, parser)
    return '\n'.join(parts)


def _arguments(command: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the arguments in a table, then a heading for each option that is not a common one."""
    positional, *groups = parser._action_groups
    yield table(('argument', 'means'), (
        (_shown(action), _explained(action)) for action in positional._group_actions))
    common = [f'[{group.title}](../command-line.md#common-options)'
              for group in groups if group.title in _COMMON]
    if common:
        yield f'It has the common options of {" and ".join(common)}, and these:\n'
    for group in groups:
        for action in group._group_actions:
            if group.title not in _COMMON and not isinstance(action, argparse._HelpAction):
                name = action.option_strings[-1].lstrip('-')
                yield f'### {_shown(action)} {{ #hrdf-{command}-{name} }}\n'
                yield _purpose(group, _explained(action)) + '\n'


def _purpose(group: argparse._ArgumentGroup, explained: str) -> str:
    """Return what an option means, with the title and description of its group."""
    title = '' if group.title == 'options' else f'{group.title}: '
    return title + '; '.join(filter(None, (explained, text(group.description or ''))))


def _shown(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else ''
    if not metavar and action.choices is not None:
        metavar = '{' + ','.join(map(str, action.choices)) + '}'
    if not metavar and action.nargs != 0:
        metavar = action.dest.upper()
    names: Iterable[str] = action.option_strings or ('',)
    return ', '.join(code(f'{name} {metavar}'.strip()) for name in names)


def _explained(action: argparse.Action) -> str:
    return text((action.help or '') % {'default': action.default, 'prog': 'hrdf'})


def _prose(description: str) -> Iterator[str]:
    """Yield the examples as a block, and all else as text."""
    for part in description.split('\n\n'):
        if part.startswith('for example:'):
            lines = part.splitlines()[1:]
            yield fence('text', '\n'.join(line.removeprefix('  ') for line in lines))
        elif part:
            yield text(part) + '\n'
