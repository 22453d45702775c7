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
from hrdf_ros.file_reader import open_regular
from hrdf_ros.limits import ResourceLimits, SETTINGS_BYTES, SETTINGS_DOTS

_Table = dict[str, Any]


def apply_settings(parser: argparse.ArgumentParser) -> None:
    """Make the settings of the project the defaults of the options of a command."""
    file = _find()
    if file is None:
        return
    options = {action.dest: action for action in parser._actions}
    found: _Table = {}
    for key, value in _read(file).items():
        if key not in _SETTINGS:
            raise UsageError(f'{file}: {unknown("setting", key, _SETTINGS)}')
        name, convert = _SETTINGS[key]
        if name in options:
            try:
                found[name] = convert(value, os.path.dirname(file), options[name].type)
            except (argparse.ArgumentTypeError, TypeError, ValueError) as error:
                raise UsageError(f'{file}: {key}: {error}') from None
    parser.set_defaults(**found, settings=found)


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


# ---- values; those of options that take a text are converted as on the command line

def _flag(value: Any, *_: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError('this is not true or false')
    return value


def _xacro(value: Any, *_: object) -> bool:
    if value is not False:
        raise ValueError('only false is possible: --xacro must be given by the user')
    return False


def _codes(value: Any, _: str, convert: Any) -> Any:
    names = ','.join(_texts(value))
    return convert(names) if names else []


def _texts(value: Any) -> list[str]:
    if not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
        raise TypeError('this is not a list of strings')
    return value


def _directories(value: Any, base: str, _: object = None) -> list[str]:
    return [os.path.join(base, directory) for directory in _texts(value)]


def _packages(value: Any, base: str, _: object) -> list[tuple[str, str]]:
    if not isinstance(value, dict):
        raise TypeError('this is not a table of names and directories')
    return list(zip(value, _directories(list(value.values()), base)))


def _limits(value: Any, _: str, convert: Any) -> Any:
    if not isinstance(value, dict):
        raise TypeError('this is not a table of names and whole numbers')
    found = [convert(f'{name}={number}') for name, number in value.items()]
    defaults = ResourceLimits()._asdict()
    for name, number in found:
        if number > defaults[name]:
            raise ValueError(
                f'a project cannot raise a limit: {name} is at most {defaults[name]}; '
                'the user can, with --resource-limit')
    return found


_SETTINGS: dict[str, tuple[str, Callable[..., Any]]] = {
    'ignore': ('ignore', _codes),
    'jobs': ('jobs', lambda value, _, convert: convert(str(value))),
    'packages': ('package', _packages),
    'path': ('path', _directories),
    'quiet': ('quiet', _flag),
    'resource-limits': ('resource_limit', _limits),
    'select': ('select', _codes),
    'strict': ('strict', _flag),
    'xacro': ('xacro', _xacro),
}
"""The option of each setting, and the function that converts its value."""
