# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Defaults of options from a project: ``.hrdf.toml``, or ``[tool.hrdf]`` in pyproject.toml."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
import os
from typing import Any, Optional

from hrdf_ros.cli.usage import CommandError, unknown, UsageError
from hrdf_ros.codes import CODES
from hrdf_ros.file_reader import open_regular
from hrdf_ros.limits import ResourceLimits, SETTINGS_BYTES, SETTINGS_DOTS

_Table = dict[str, Any]


def apply_settings(parser: argparse.ArgumentParser) -> None:
    """Make the settings of the project the defaults of the options of a command."""
    file = _find()
    if file is None:
        return
    known = {action.dest for action in parser._actions}
    for key, value in _read(file).items():
        if key not in _SETTINGS:
            raise UsageError(f'{file}: {unknown("setting", key, _SETTINGS)}')
        dest, convert = _SETTINGS[key]
        try:
            default = convert(value, os.path.dirname(file))
        except (TypeError, ValueError) as error:
            raise UsageError(f'{file}: {key}: {error}') from None
        if dest in known:
            parser.set_defaults(**{dest: default})


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
    """Return a file that the TOML parser reads in bounded time and memory."""
    with open_regular(file) as stream:
        data = stream.read(SETTINGS_BYTES + 1)
    if len(data) > SETTINGS_BYTES:
        raise UsageError(f'{file}: settings of more than {SETTINGS_BYTES} bytes are not read')
    if sum(line.count(b'.') ** 2 for line in data.splitlines()) > SETTINGS_DOTS:
        raise UsageError(f'{file}: keys of so many parts are not read')
    return data


def _read(file: str) -> _Table:
    data, parse = _content(file), _toml_parser(file)
    try:
        document = parse(data.decode('utf-8'))
    except RecursionError:
        raise UsageError(f'{file}: values are nested too deeply') from None
    except ValueError as error:
        raise UsageError(f'{file}: {error}') from None
    if os.path.basename(file) == 'pyproject.toml':
        document = _table(_table(document, 'tool', file), 'hrdf', file)
    return document


def _table(document: _Table, name: str, file: str) -> _Table:
    table = document.get(name, {})
    if not isinstance(table, dict):
        raise UsageError(f'{file}: {name} is not a table')
    return table


def _toml_parser(file: str) -> Callable[[str], _Table]:
    """Return the parser of Python 3.11, or of the package that it came from."""
    for name in ('tomllib', 'tomli'):
        with suppress(ImportError):
            parse: Callable[[str], _Table] = import_module(name).loads
            return parse
    raise UsageError(
        f'{file}: settings require Python 3.11 or the package tomli (pip install tomli)')


def _flag(value: Any, _: str) -> bool:
    if not isinstance(value, bool):
        raise TypeError('this is not true or false')
    return value


def _xacro(value: Any, _: str) -> Optional[bool]:
    if value is not False:
        raise ValueError('only false is possible: --xacro must be given by the user')
    return False


def _codes(value: Any, _: str) -> list[str]:
    names = _texts(value)
    for name in names:
        if name not in CODES:
            raise ValueError(unknown('code', name, CODES))
    return names


def _texts(value: Any) -> list[str]:
    if not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
        raise TypeError('this is not a list of strings')
    return value


def _directories(value: Any, base: str) -> list[str]:
    return [os.path.join(base, directory) for directory in _texts(value)]


def _packages(value: Any, base: str) -> list[tuple[str, str]]:
    if not isinstance(value, dict):
        raise TypeError('this is not a table of names and directories')
    return list(zip(value, _directories(list(value.values()), base)))


def _limits(value: Any, _: str) -> list[tuple[str, int]]:
    if not (isinstance(value, dict)
            and all(type(number) is int and number >= 0 for number in value.values())):
        raise TypeError('this is not a table of names and whole numbers')
    defaults = ResourceLimits()._asdict()
    for name, number in value.items():
        if name not in defaults:
            raise ValueError(unknown('resource limit', name, ResourceLimits._fields))
        if number > defaults[name]:
            raise ValueError(
                f'a project cannot raise a limit: {name} is at most {defaults[name]}; '
                'the user can, with --resource-limit')
    return list(value.items())


def _count(value: Any, _: str) -> int:
    if type(value) is not int or value < 1:
        raise TypeError('this is not a whole number above 0')
    return value


_SETTINGS: dict[str, tuple[str, Callable[[Any, str], Any]]] = {
    'ignore': ('ignore', _codes),
    'jobs': ('jobs', _count),
    'packages': ('package', _packages),
    'path': ('path', _directories),
    'quiet': ('quiet', _flag),
    'resource-limits': ('resource_limit', _limits),
    'select': ('select', _codes),
    'strict': ('strict', _flag),
    'xacro': ('xacro', _xacro),
}
