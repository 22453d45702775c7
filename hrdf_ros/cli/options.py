# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share."""

from __future__ import annotations

import argparse
from math import isfinite

from hrdf_ros.cli.loading import complete_coordinates, complete_limits
from hrdf_ros.cli.usage import did_mean
from hrdf_ros.limits import parse_limit, ResourceLimits
from hrdf_ros.packages import package_name
from hrdf_ros.readers.registry import format_names


def add_file_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the file to read."""
    parser.add_argument(
        'file', metavar='FILE', help='a description in any format, - for standard input')


def add_load_options(
    parser: argparse.ArgumentParser, *, xacro: bool = True, formats: bool = True,
) -> None:
    """
    Add the options that say how a file is read.

    ``xacro`` those for xacro files, too; ``formats`` the one that says the format.
    """
    parser.set_defaults(xacro=None, xacro_arguments=[], input_format=None)
    group = parser.add_argument_group('reading')
    group.add_argument(
        '--path', metavar='DIR', action='append', default=[],
        help='search here for model:// and plain URIs; repeatable')
    group.add_argument(
        '--package', metavar='NAME=DIR', action='append', default=[], type=package,
        help='the directory of a ROS package, for package://NAME/...; or DIR alone, which has a '
        'package.xml; repeatable')
    if formats:
        group.add_argument(
            '--input-format', choices=format_names(),
            help='the format of FILE, whatever its suffix and content say')
    group.add_argument('--model-name', metavar='NAME', help='select this model of a world')
    group.add_argument(
        '--naming', choices=('default', 'hebi'), default='default',
        help='how HRDF elements without a tag are named; hebi: as in hebi_description')
    group.add_argument(
        '--joint-names', metavar='A,B,...', type=_names, default=(),
        help='names for the coordinates, in their order')
    if xacro:
        group.add_argument(
            '--xacro', action=argparse.BooleanOptionalAction,
            help='expand FILE by xacro, which runs code that it contains; the default for the '
            'suffix .xacro; further arguments NAME:=VALUE are for xacro')
    add_limit_option(group)
    add_color_option(group)


def add_limit_option(group: argparse._ActionsContainer) -> None:
    """Add the option that changes resource limits."""
    limit = group.add_argument(
        '--resource-limit', metavar='NAME=VALUE', action='append', default=[], type=_limit,
        help='another resource limit, repeatable: ' + ', '.join(
            f'{name} ({value})' for name, value in ResourceLimits()._asdict().items()))
    limit.completer = complete_limits  # type: ignore[attr-defined]  # argcomplete's way


def add_color_option(group: argparse._ActionsContainer) -> None:
    """Add the option that colors diagnostics."""
    group.add_argument(
        '--color', choices=('auto', 'always', 'never'), default='auto',
        help='color diagnostics (default auto: on a terminal)')


def add_position_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that give a configuration."""
    group = parser.add_argument_group(
        'configuration',
        'radians and meters; what is not given has its initial value, mostly 0')
    position = group.add_argument(
        '--position', metavar='NAME=VALUE', action='append', default=[], type=_position,
        help='the position of one coordinate; repeatable')
    position.completer = complete_coordinates  # type: ignore[attr-defined]  # argcomplete's way
    group.add_argument(
        '--positions', metavar='V1,V2,...', type=_numbers,
        help='the positions of all coordinates, or of all but the dependent ones, in order')


def package(text: str) -> tuple[str, str]:
    """Return name and directory of a package given as ``NAME=DIR``, or as DIR alone."""
    name, separator, directory = text.partition('=')
    if separator and name and directory:
        return name, directory
    if separator:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=DIR")
    try:
        name = package_name(text)
    except (OSError, ValueError):
        raise argparse.ArgumentTypeError(
            f"'{text}' is neither NAME=DIR nor a directory with a package.xml") from None
    if not name:
        raise argparse.ArgumentTypeError(f"the package.xml in '{text}' has no <name>")
    return name, text


def _limit(text: str) -> tuple[str, int]:
    name, known = text.partition('=')[0], ResourceLimits._fields
    meant = None if name in known else did_mean('resource limit', name, known)
    if meant is not None:
        raise argparse.ArgumentTypeError(meant)
    try:
        return parse_limit(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(','))
    if not all(names):
        raise argparse.ArgumentTypeError(f"'{text}' has an empty name")
    return names


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


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(finite_number(part) for part in text.split(',')) if text.strip() else ()


def _position(text: str) -> tuple[str, float]:
    name, separator, value = text.rpartition('=')
    if not (name and separator):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, finite_number(value)
