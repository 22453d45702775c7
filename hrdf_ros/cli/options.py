# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The options of commands as a table: their help, their values, defaults from a project."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from math import isfinite
import os
import re
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, Optional, Union

from hrdf_ros.cli.output import CommandError, harmless, STANDARD_STREAM, unknown, UsageError
from hrdf_ros.codes import CODES
from hrdf_ros.diagnostics import printable
from hrdf_ros.file_reader import open_regular
from hrdf_ros.limits import ResourceLimits, SETTINGS_BYTES, SETTINGS_DOTS
from hrdf_ros.parsing.suggestions import closest

Completer = Callable[..., Sequence[str]]


class Option(NamedTuple):
    """
    An option or argument as the help shows it: ``-o, --output OUT``, ``--json``, ``FILE...``.

    An option without a value is a flag; one that is ``many`` may be repeated and has a list.
    ``complete`` returns the values for tab completion; ``more`` is for argparse.
    """

    text: str
    help: str
    type: Optional[Callable[[str], Any]] = None  # noqa: A003
    default: Any = None
    choices: Optional[Sequence[str]] = None
    many: bool = False
    complete: Optional[Completer] = None
    more: Mapping[str, Any] = MappingProxyType({})

    @property
    def names(self) -> list[str]:
        """Return the names that begin with a dash, none for an argument."""
        return [word.rstrip(',') for word in self.text.split(' ') if word[0] == '-']

    def add_to(self, group: argparse._ActionsContainer) -> None:
        """Add the option to a parser or a group of its options."""
        names, value = self.names, ' '.join(self.text.split(' ')[len(self.names):])
        given: dict[str, Any] = {'help': self.help}
        if not names:
            word = value.strip('[.]')
            optional, several = value[0] == '[', value.strip(']').endswith('...')
            names = [word.lower() + ('s' if several else '')]
            given['nargs'] = ('*' if several else '?') if optional else '+' if several else None
            value = word
        if value or self.choices:
            given.update(
                type=self.type, choices=self.choices, metavar=value or None,
                default=[] if self.many else self.default)
            if self.many:
                given['action'] = 'append'
        elif 'action' not in self.more:
            given['action'] = 'store_true'
        if self.choices is None:
            given.pop('choices', None)
        action = group.add_argument(*names, **{**given, **self.more})
        action.completer = self.complete  # type: ignore[attr-defined]  # argcomplete's way


class Group(NamedTuple):
    """Options under a title of their own in the help."""

    title: str
    options: Sequence[Option]
    about: Optional[str] = None


class Command(NamedTuple):
    """A command: its function, whose docstring is the help, and its options."""

    run: Callable[[argparse.Namespace], int]
    parts: Sequence[Union[Option, Group]]
    usage: Optional[str] = None

    @property
    def help(self) -> str:  # noqa: A003
        """The help: the docstring without its indent."""
        text = self.run.__doc__ or ''
        return text.replace(text[:len(text) - len(text.lstrip())], '\n').strip()

    @property
    def options(self) -> list[Option]:
        """All options, of groups too."""
        return [option for part in self.parts
                for option in (part.options if isinstance(part, Group) else (part,))]


def command(
    *parts: Union[Option, Group], usage: Optional[str] = None,
) -> Callable[[Callable[[argparse.Namespace], int]], Command]:
    """Make a command of the function that runs it."""
    return lambda run: Command(run, parts, usage)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are short and suggest the closest option or choice."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._negative_number_matcher = re.compile(r'-[.\d]')  # --positions -1,0

    def error(self, message: str) -> NoReturn:
        """End with status 2 and a message."""
        self.exit(2, harmless(printable(f'{self.prog}: error: {message}'))
                  + f'\nusage: {self.usage}   (see {self.prog} --help)\n')

    def parse_intermixed(self, arguments: list[str]) -> argparse.Namespace:
        """Parse options and positional arguments in any order; after ``--`` all are positional."""
        has_end = '--' in arguments  # argparse loses it where arguments are intermixed
        self.refuse_unknown(arguments[:arguments.index('--')] if has_end else arguments)
        parse = self.parse_known_args if has_end else self.parse_known_intermixed_args
        options, rest = parse(arguments)
        if rest:
            self.error(f"unexpected argument '{rest[0]}'")
        return options

    def refuse_unknown(self, arguments: Sequence[str]) -> None:
        """End with status 2 at an unknown option, before argparse reports missing arguments."""
        known = self._option_string_actions
        for argument in arguments:
            name = argument.partition('=')[0]
            if len(name) < 2 or name[0] != '-' or name[1] in '.0123456789' or (
                    name in known or name[:2] in known and name[1] != '-'):
                continue
            near = closest(name[2:], [option[2:] for option in known if option[:2] == '--'])
            hint = '' if near is None else f"; did you mean '--{near}'?"
            self.error(f"there is no option '{name}'{hint}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        choices = list(action.choices or ())
        if choices and value not in choices:
            is_command = action.dest == 'command'
            raise argparse.ArgumentError(
                None if is_command else action,
                unknown('command' if is_command else 'choice', str(value), choices))


# ---- values: types of options

def matching(pattern: str, what: str) -> Callable[[str], Any]:
    """Return the type of texts that match a pattern; the value is its groups, or the text."""
    def value(text: str) -> Any:
        found = re.fullmatch(pattern, text.strip())
        if found is None:
            raise argparse.ArgumentTypeError(f"'{text}' is not {what}")
        return found.groups() or found[0]
    return value


def whole_number(text: str) -> int:
    """Return the positive whole number that an argument gives."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return int(text)


def finite_number(text: str) -> float:
    """Return the number that an argument gives."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None
    if not isfinite(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not a finite number")
    return value


class OutputFile(str):
    """The name of a file that the command writes, ``-`` for standard output."""

    def __init__(self, name: str) -> None:
        if not os.path.basename(name):
            raise argparse.ArgumentTypeError(f"'{name}' is not the name of a file")
        if name.lower().endswith('.xacro'):
            raise argparse.ArgumentTypeError(
                f'{name}: xacro would run expressions in names as code; name another suffix')


def code_option(name: str, does: str) -> Option:
    """Return an option that says which diagnostics are reported."""
    return Option(
        f'{name} CODE', f'{does} this code; repeatable, or separated by commas', _codes, many=True,
        complete=complete_codes, more={'action': 'extend'})


def _codes(text: str) -> list[str]:
    names = [name.strip() for name in text.split(',')]
    for name in names:
        if name not in CODES:
            raise argparse.ArgumentTypeError(unknown('code', name, CODES))
    return names


def complete_codes(**_: object) -> list[str]:
    """Return the codes of diagnostics, for tab completion."""
    return list(CODES)


FILE = Option('FILE', 'a description in any format, - for standard input')
OUTPUT = Option(
    '-o, --output OUT', 'write to this file (default -, standard output)', OutputFile,
    OutputFile(STANDARD_STREAM))


# ---- defaults from a project: ``.hrdf.toml``, or ``[tool.hrdf]`` in pyproject.toml

_SETTINGS: dict[str, tuple[str, type]] = {
    'ignore': ('--ignore', list), 'jobs': ('--jobs', int), 'packages': ('--package', dict),
    'path': ('--path', list), 'quiet': ('--quiet', bool),
    'resource-limits': ('--resource-limit', dict), 'select': ('--select', list),
    'strict': ('--strict', bool), 'xacro': ('--xacro', bool)}
"""The option of each setting, and the type of its value."""
_KINDS = {
    bool: 'true or false', dict: 'a table', int: 'a whole number', list: 'a list of strings'}


class _SettingsParser(Parser):

    def error(self, message: str) -> NoReturn:
        """Raise a UsageError that names the file and the setting, not its option."""
        raise UsageError(f'{self.prog}: {re.sub("^argument [^:]*: ", "", message)}')


def apply_settings(parser: Parser, options: Sequence[Option]) -> None:
    """Make the settings of the project the defaults of the options of a command."""
    file = _find()
    if file is None:
        return
    found: dict[str, Any] = {}
    for key, value in _read(file, _SettingsParser(file)).items():
        if key not in _SETTINGS:
            raise UsageError(f'{file}: {unknown("setting", key, _SETTINGS)}')
        name, kind = _SETTINGS[key]
        own = _SettingsParser(f'{file}: {key}', add_help=False)
        for option in options:
            if name in option.names:
                option.add_to(own)
                _check_type(value, kind, name, own)
                arguments = _arguments(name, value, os.path.dirname(file))
                given = vars(own.parse_args(list(arguments)))
                _check_limits(given.get('resource_limit', ()), own)
                found.update(given)
    parser.set_defaults(**found, settings=found)


def _check_type(value: Any, kind: type, name: str, own: Parser) -> None:
    """End with an error where a value does not have the type of its setting."""
    directories = value.values() if name == '--package' and isinstance(value, dict) else ()
    items = value if isinstance(value, list) else ()
    if type(value) is not kind or not all(isinstance(item, str) for item in items):
        own.error(f'this is not {_KINDS[kind]}')
    if not all(isinstance(directory, str) for directory in directories):
        own.error('a directory is not a string')
    if name == '--xacro' and value:
        own.error('only false is possible: --xacro must be given by the user')


def _check_limits(limits: Sequence[tuple[str, int]], own: Parser) -> None:
    """End with an error where a project raises a limit."""
    defaults = ResourceLimits()._asdict()
    for name, number in limits:
        if number > defaults[name]:
            own.error(
                f'a project cannot raise a limit: {name} is at most {defaults[name]}; the user '
                'can, with --resource-limit')


def _arguments(name: str, value: Any, base: str) -> Iterator[str]:
    """Yield a setting as arguments; directories are relative to that of the file."""
    if isinstance(value, bool):
        if value or name == '--xacro':
            yield '--no-xacro' if name == '--xacro' else name
        return
    start = os.path.join(base, '') if name in ('--path', '--package') else ''
    if isinstance(value, dict):
        value = [f'{key}={os.path.join(start, str(one))}' for key, one in value.items()]
    elif isinstance(value, list):
        value = [os.path.join(start, one) for one in value]
    for one in value if isinstance(value, list) else [value]:
        yield f'{name}={one}'


def _find() -> Optional[str]:
    """Return the nearest file with settings, from the working directory upwards."""
    try:
        directory = os.getcwd()
    except FileNotFoundError:
        raise CommandError('the working directory does not exist any more') from None
    while True:
        own = os.path.join(directory, '.hrdf.toml')
        if os.path.isfile(own):
            return own
        project = os.path.join(directory, 'pyproject.toml')
        if os.path.isfile(project):
            return project if b'[tool.hrdf' in _content(project) else None
        above = os.path.dirname(directory)
        if above == directory:
            return None
        directory = above


def _content(file: str) -> bytes:
    """Return the content of a file; refuse one that takes the TOML parser long."""
    with open_regular(file) as stream:
        data = stream.read(SETTINGS_BYTES + 1)
    if len(data) > SETTINGS_BYTES:
        raise UsageError(f'{file}: settings of more than {SETTINGS_BYTES} bytes are not read')
    if sum(line.count(b'.') ** 2 for line in data.splitlines()) > SETTINGS_DOTS:
        raise UsageError(f'{file}: keys of so many parts are not read')
    return data


def _read(file: str, own: Parser) -> dict[str, Any]:
    """Return the table of settings."""
    data = _content(file)
    for name in ('tomllib', 'tomli'):  # Python 3.11 has it, before that it is a package
        with suppress(ImportError):
            parse: Callable[[str], Any] = import_module(name).loads
            break
    else:
        own.error('settings require Python 3.11 or the package tomli (pip install tomli)')
    try:
        document = parse(data.decode('utf-8'))
    except RecursionError:
        own.error('values are nested too deeply')
    except ValueError as error:
        own.error(str(error))
    names = ('tool', 'hrdf') if os.path.basename(file) == 'pyproject.toml' else ()
    for name in names:
        document = document.get(name, {})
        if not isinstance(document, dict):
            own.error(f'{name} is not a table')
    return dict(document)
