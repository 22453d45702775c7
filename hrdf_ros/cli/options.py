# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The options of commands as a table: their help, their values, and defaults from a project."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from math import isfinite
import os
import re
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, Optional, TypeVar, Union

from hrdf_ros.cli.output import CommandError, harmless, STANDARD_STREAM, unknown, UsageError
from hrdf_ros.codes import CODES
from hrdf_ros.diagnostics import printable
from hrdf_ros.file_reader import open_regular
from hrdf_ros.limits import ResourceLimits, SETTINGS_BYTES, SETTINGS_DOTS
from hrdf_ros.parsing.suggestions import closest

Completer = Callable[..., Sequence[str]]
_Value = TypeVar('_Value')


class Option(NamedTuple):
    """
    An option or argument as the help shows it: ``-o, --output OUT``, ``--json``, ``FILE...``.

    An option without a value is a flag. An option that is ``many`` may be repeated; its value is a
    list. ``complete`` returns the values for tab completion; ``more`` has further arguments for
    argparse.
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
        """The names that begin with a dash; an argument has none."""
        return [word.rstrip(',') for word in self.text.split(' ') if word[0] == '-']

    def add_to(self, group: argparse._ActionsContainer) -> None:
        """Add the option to a parser, or to a group of options."""
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
        action.completer = self.complete  # type: ignore[attr-defined]  # argcomplete reads it


class Group(NamedTuple):
    """Options below a title of their own in the help."""

    title: str
    options: Sequence[Option]
    about: Optional[str] = None


class Command(NamedTuple):
    """A command: its function, whose docstring is the help text, and its options."""

    run: Callable[[argparse.Namespace], int]
    parts: Sequence[Union[Option, Group]]
    usage: Optional[str] = None
    parameters: Callable[[], Mapping[str, str]] = dict
    """Returns the parameters of the node that the command starts, each with an example."""

    @property
    def takes_xacro(self) -> bool:
        """Whether arguments NAME:=VALUE reach a xacro file."""
        return bool(self.parameters()) or any(
            '--xacro' in option.names for option in self.options)

    @property
    def help(self) -> str:  # noqa: A003
        """The help text: the docstring without its indent."""
        text = self.run.__doc__ or ''
        return text.replace(text[:len(text) - len(text.lstrip())], '\n').strip()

    @property
    def options(self) -> list[Option]:
        """The options of the command, with those of its groups."""
        return [option for part in self.parts
                for option in (part.options if isinstance(part, Group) else (part,))]


def command(
    *parts: Union[Option, Group], usage: Optional[str] = None,
    parameters: Callable[[], Mapping[str, str]] = dict,
) -> Callable[[Callable[[argparse.Namespace], int]], Command]:
    """Return a decorator that makes a command of the function that runs it."""
    return lambda run: Command(run, parts, usage, parameters)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are short and propose the nearest option or choice."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.parameters: Callable[[], Mapping[str, str]] = dict
        self._negative_number_matcher = re.compile(r'-[.\dinp]')  # values: -1,0 -inf -pi

    def error(self, message: str) -> NoReturn:
        """End with status 2 and a message."""
        self.exit(2, harmless(printable(f'{self.prog}: error: {message}'))
                  + f'\nusage: {self.usage}   (see {self.prog} --help)\n')

    def parse_intermixed(self, arguments: list[str]) -> argparse.Namespace:
        """
        Parse options and positional arguments in any order.

        After ``--`` all arguments are positional.
        """
        has_end = '--' in arguments  # argparse loses it
        self.refuse_unknown(arguments[:arguments.index('--')] if has_end else arguments)
        options, rest = self.parse_known_args(arguments)
        if rest and not has_end:  # arguments between options take two passes
            options, rest = self.parse_known_intermixed_args(arguments)
        if rest:
            self.error(f"unexpected argument '{rest[0]}'")
        return options

    def refuse_unknown(self, arguments: Sequence[str]) -> None:
        """End with status 2 at an unknown option, before argparse reports missing arguments."""
        known = self._option_string_actions
        for argument in arguments:
            name = argument.partition('=')[0]
            if len(name) < 2 or name[0] != '-' or name[1] in '.0123456789' or (
                    name[:4] in ('-inf', '-nan') or name[:3] == '-pi') or (
                    name in known or name[:2] in known and name[1] != '-'):
                continue
            parameter = name[2:].replace('-', '_')
            if parameter in (parameters := self.parameters()):
                self.error(
                    f"there is no option '{name}'; '{parameter}' is a parameter: "
                    f'--ros-args -p {parameter}:={parameters[parameter]}')
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

def valid(read: Callable[[str], Optional[_Value]], what: str) -> Callable[[str], _Value]:
    """
    Return an option type for the texts that ``read`` accepts.

    For other texts ``read`` returns None, or raises a ValueError or OSError.
    """
    def value(text: str) -> _Value:
        with suppress(OSError, ValueError):
            found = read(text)
            if found is not None:
                return found
        raise argparse.ArgumentTypeError(f"'{text}' is not {what}")
    return value


def matching(pattern: str, what: str) -> Callable[[str], Any]:
    """
    Return an option type for texts that match a pattern.

    The value is the tuple of the pattern's groups, or the text if it has none.
    """
    def read(text: str) -> Any:
        found = re.fullmatch(pattern, text.strip())
        return found and (found.groups() or found[0])
    return valid(read, what)


finite_number = valid(
    lambda text: value if isfinite(value := float(text)) else None, 'a finite number')
whole_number = valid(
    lambda text: int(text) or None if text.isascii() and text.isdigit() else None,
    'a whole number above 0')


class OutputFile(str):
    """The name of a file that the command writes, ``-`` for standard output."""

    def __init__(self, name: str) -> None:
        if not os.path.basename(name):
            raise argparse.ArgumentTypeError(f"'{name}' is not the name of a file")
        if name.lower().endswith('.xacro'):
            raise argparse.ArgumentTypeError(
                f'{name}: xacro would run expressions in names as code; name another suffix')


def code_option(name: str, does: str) -> Option:
    """Return an option that selects diagnostics by code."""
    return Option(
        f'{name} CODE', f'{does} this code; repeatable, or separated by commas', _codes, many=True,
        complete=complete_codes, more={'action': 'extend'})


def _codes(text: str) -> list[str]:
    names = [name.strip() for name in text.split(',')]
    for name in names:
        if name not in CODES:
            raise argparse.ArgumentTypeError(unknown('code', name, CODES))
    return names


def file_codes(text: str) -> tuple[str, list[str]]:
    """Return the pattern of files and the codes from ``PATTERN=CODE,...``."""
    pattern, _, names = text.rpartition('=')
    if not pattern:
        raise argparse.ArgumentTypeError(f"'{text}' is not PATTERN=CODE")
    return pattern, _codes(names)


def complete_codes(**_: object) -> list[str]:
    """Return the codes of diagnostics, for tab completion."""
    return list(CODES)


FILE = Option('FILE', 'a description in any format, - for standard input')
OUTPUT = Option(
    '-o, --output OUT', 'write to this file (default -, standard output)', OutputFile,
    OutputFile(STANDARD_STREAM))


# ---- defaults from a project: ``.hrdf.toml``, or ``[tool.hrdf]`` in pyproject.toml

_LIST, _TABLE, _TRUTH = 'a list of strings', 'a table of strings', 'true or false'
_SETTINGS: dict[str, tuple[str, type, str]] = {
    'baseline': ('--baseline', str, 'the name of a file'),
    'exclude': ('--exclude', list, _LIST), 'for': ('--for', list, _LIST),
    'force-exclude': ('--force-exclude', bool, _TRUTH),
    'ignore': ('--ignore', list, _LIST), 'jobs': ('--jobs', int, 'a whole number'),
    'packages': ('--package', dict, _TABLE), 'path': ('--path', list, _LIST),
    'per-file-ignores': ('--per-file-ignores', dict, 'a table of lists of codes'),
    'quiet': ('--quiet', bool, _TRUTH),
    'resource-limits': ('--resource-limit', dict, 'a table of numbers'),
    'select': ('--select', list, _LIST), 'strict': ('--strict', bool, _TRUTH),
    'xacro': ('--xacro', bool, 'false: --xacro must be given by the user')}
"""The option of each setting, the type of its value, and what the value is called in messages."""


class _SettingsParser(Parser):

    def error(self, message: str) -> NoReturn:
        """Raise a UsageError that names the file and the setting instead of the option."""
        raise UsageError(f'{self.prog}: {re.sub("^argument [^:]*: ", "", message)}')


def apply_settings(parser: Parser, options: Sequence[Option]) -> None:
    """Use the settings of the project as defaults for the options of a command."""
    try:
        directory = os.getcwd()
    except FileNotFoundError:
        raise CommandError('the working directory does not exist any more') from None
    found = settings_of(options, directory)
    parser.set_defaults(**found, settings=found)


def settings_of(options: Sequence[Option], directory: str, top: str = '') -> dict[str, Any]:
    """
    Return the values that the settings of a project have for options.

    The nearest file counts, from a directory upwards to the directory ``top``.
    """
    file, data = _find(directory, top)
    found: dict[str, Any] = {}
    for key, value in _read(file, data).items() if data else ():
        if key not in _SETTINGS:
            raise UsageError(f'{file}: {unknown("setting", key, _SETTINGS)}')
        own = _SettingsParser(f'{file}: {key}', add_help=False)
        for option in options:
            if _SETTINGS[key][0] in option.names:
                option.add_to(own)
                found.update(vars(own.parse_args(_arguments(key, value, file, own))))
        for name, number in found.get('resource_limit', ()):
            if number > (most := getattr(ResourceLimits(), name)):
                own.error(
                    f'a project cannot raise a limit: {name} is at most {most}; the user can, '
                    'with --resource-limit')
    return found


def _arguments(key: str, value: Any, file: str, own: Parser) -> list[str]:
    """Return a setting as arguments; relative directories begin at that of the settings file."""
    name, kind, what = _SETTINGS[key]
    items = value.values() if isinstance(value, dict) else value if kind is list else ()
    item_kind = {'resource-limits': int, 'per-file-ignores': list}.get(key, str)
    if type(value) is not kind or not all(type(item) is item_kind for item in items) or (
            key == 'xacro' and value):
        own.error(f'this is not {what}')
    if isinstance(value, bool):
        return ['--no-xacro'] if key == 'xacro' else [name] if value else []
    directory = os.path.join(os.path.dirname(file), '')
    start = directory if key in ('path', 'packages', 'baseline') else ''
    if key == 'exclude':
        return [f'{name}={_pattern(str(one), directory)}' for one in items]
    if isinstance(value, dict) and key == 'per-file-ignores':
        return [
            f'{name}={_pattern(of, directory)}={",".join(map(str, found))}'
            for of, found in value.items()]
    if isinstance(value, dict):
        return [f'{name}={of}={os.path.join(start, str(one))}' for of, one in value.items()]
    items = value if isinstance(value, list) else [value]
    return [f'{name}={os.path.join(start, str(one))}' for one in items]


def _pattern(pattern: str, directory: str) -> str:
    """Return a pattern of the settings; if it has a slash, it is relative to their directory."""
    return os.path.join(directory, pattern) if '/' in pattern.rstrip('/') else pattern


def _find(directory: str, top: str) -> tuple[str, bytes]:
    """Return the name and data of the nearest settings file up to ``top``; empty if none."""
    while True:
        for name in ('.hrdf.toml', 'pyproject.toml'):
            file = os.path.join(directory, name)
            if os.path.isfile(file):
                with open_regular(file) as stream:
                    data = stream.read(SETTINGS_BYTES + 1)
                return file, data if name[0] == '.' or b'[tool.hrdf' in data else b''
        if directory in (top, directory := os.path.dirname(directory)):
            return '', b''


def _read(file: str, data: bytes) -> dict[str, Any]:
    """Return the table of settings; a file that would keep the TOML parser busy is an error."""
    own = _SettingsParser(file)
    if len(data) > SETTINGS_BYTES:
        own.error(f'settings of more than {SETTINGS_BYTES} bytes are not read')
    if sum(line.count(b'.') ** 2 for line in data.splitlines()) > SETTINGS_DOTS:
        own.error('keys of so many parts are not read')
    for name in ('tomllib', 'tomli'):  # Python 3.11 has this module; before that it is a package
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
    for name in ('tool', 'hrdf') if os.path.basename(file) == 'pyproject.toml' else ():
        document = document.get(name, {})
        if not isinstance(document, dict):
            own.error(f'{name} is not a table')
    return dict(document)
