# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share, and the files, frames and coordinates that they name."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from math import isfinite
import os
import sys
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import unknown, UsageError
from hrdf_ros.codes import CODES
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.file_reader import is_text
from hrdf_ros.limits import parse_limit, ResourceLimits
from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model
from hrdf_ros.readers.registry import format_names
from hrdf_ros.resolve import package_name, Resolver
from hrdf_ros.topology import find_frame

STANDARD_INPUT = '-'


def add_file_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the file to read."""
    parser.add_argument(
        'file', metavar='FILE', help='a description in any format, - for standard input')


def add_load_options(
    parser: argparse.ArgumentParser, *, for_node: bool = False, formats: bool = True,
) -> None:
    """
    Add the options that say how a file is read.

    ``for_node`` leaves out options that the node has no parameter for; ``formats`` adds the one
    that says the format.
    """
    parser.set_defaults(xacro=None, xacro_arguments=[], input_format=None, placeholders=True)
    group = parser.add_argument_group('reading')
    group.add_argument(
        '--path', metavar='DIR', action='append', default=[],
        help='where to search for model:// and plain URIs; repeatable')
    group.add_argument(
        '--package', metavar='NAME=DIR', action='append', default=[], type=package,
        help='the directory of a ROS package, for package://NAME/, or DIR alone with its '
        'package.xml; repeatable')
    if formats and not for_node:
        group.add_argument(
            '--input-format', choices=format_names(),
            help='the format of FILE (default: by its suffix and content)')
    group.add_argument('--model-name', metavar='NAME', help='select this model of a world')
    group.add_argument(
        '--naming', choices=('default', 'hebi'), default='default',
        help='names of HRDF elements without a tag (hebi: as in hebi_description)')
    group.add_argument(
        '--joint-names', metavar='A,B,...', type=_names, default=(),
        help='names for the coordinates, in their order')
    if not for_node:
        add_code_option(group, 'ignore', 'do not report')
        group.add_argument(
            '--xacro', action=argparse.BooleanOptionalAction,
            help='expand FILE by xacro, which runs code in it (default: by the suffix .xacro); '
            'arguments NAME:=VALUE are for xacro')
    add_limit_option(group)
    add_color_option(group)


def add_code_option(group: argparse._ActionsContainer, name: str, does: str) -> None:
    """Add an option that says which diagnostics are reported."""
    action = group.add_argument(
        f'--{name}', metavar='CODE', action='extend', default=[], type=_codes,
        help=f'{does} this code; repeatable, or separated by commas')
    action.completer = complete_codes  # type: ignore[attr-defined]  # argcomplete's way


def add_limit_option(group: argparse._ActionsContainer) -> None:
    """Add the option that changes resource limits."""
    limit = group.add_argument(
        '--resource-limit', metavar='NAME=VALUE', action='append', default=[], type=_limit,
        help='change a resource limit, such as file_bytes=1000000; repeatable')
    limit.completer = complete_limits  # type: ignore[attr-defined]  # argcomplete's way


def add_color_option(group: argparse._ActionsContainer) -> None:
    """Add the option that colors diagnostics."""
    group.set_defaults(ignore=[])
    group.add_argument(
        '--color', choices=('auto', 'always', 'never'), default='auto',
        help='color diagnostics (default auto: on a terminal)')


def add_position_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that give a configuration."""
    group = parser.add_argument_group(
        'configuration',
        'in radians and meters; a coordinate that is not given has its initial value')
    position = group.add_argument(
        '--position', metavar='NAME=VALUE', action='append', default=[], type=_position,
        help='one coordinate, by name; repeat the option for others')
    position.completer = complete_coordinates  # type: ignore[attr-defined]  # argcomplete's way
    group.add_argument(
        '--positions', metavar='V1,V2,...', type=_numbers,
        help='all coordinates in one list, in the order of the file (with or without the '
        'dependent ones)')


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
    name = text.partition('=')[0]
    if name not in ResourceLimits._fields:
        raise argparse.ArgumentTypeError(unknown('resource limit', name, ResourceLimits._fields))
    try:
        return parse_limit(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _codes(text: str) -> list[str]:
    names = [name.strip() for name in text.split(',')]
    for name in names:
        if name not in CODES:
            raise argparse.ArgumentTypeError(unknown('code', name, CODES))
    return names


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


def load_file(file: str, options: argparse.Namespace) -> LoadResult:
    """Load a file, or standard input for ``-``, as the options say."""
    arguments = dict(options.xacro_arguments)
    is_xacro = file.lower().endswith('.xacro') if options.xacro is None else options.xacro
    if arguments and not is_xacro:
        raise UsageError(f'{next(iter(arguments))}:= is for xacro files, and {file} is not one')
    name = os.path.join(os.curdir, file) if is_text(file) else file  # never taken for text
    source = _standard_input(options) if file == STANDARD_INPUT else name
    if source is None:
        report = Report()
        report.add(
            codes.UNKNOWN_FORMAT, 'standard input does not begin with <, as every format does',
            Location(STANDARD_INPUT, 1, 1))
        return LoadResult(None, report, ())
    return load(
        source, path=options.path, packages=dict(options.package), model_name=options.model_name,
        naming=options.naming, joint_names=options.joint_names, limits=limits(options),
        format=options.input_format, xacro=options.xacro, xacro_arguments=arguments,
        placeholders=options.placeholders)


def _standard_input(options: argparse.Namespace) -> Optional[str]:
    """Return the text on standard input, None where it is not the text of a description."""
    data = sys.stdin.buffer.read(limits(options).file_bytes + 1)
    text = data.decode('utf-8', 'surrogateescape')
    return text if is_text(text) else None


def limits(options: argparse.Namespace) -> ResourceLimits:
    """Return the resource limits that the options give."""
    return ResourceLimits(**dict(options.resource_limit))


def trusted(options: argparse.Namespace) -> list[str]:
    """
    Return the directories, besides the description's, whose files are copied for it.

    A project's settings may come with the description, so their directories are not among them.
    """
    settings = getattr(options, 'settings', {})
    path, packages = (
        getattr(options, name)[len(settings.get(name, ())):] for name in ('path', 'package'))
    resolver = Resolver(path, dict(packages), roots=())
    return [*resolver.search_path, *resolver.packages.shares(), *(resolver.roots or ())]


def refuse_without_effect(options: argparse.Namespace, formats: Collection[str]) -> None:
    """Raise a UsageError for an option that no file of these formats can use."""
    if not formats:
        return
    names = ' and '.join(sorted(name.upper() for name in formats))
    if options.model_name and not {'sdf', 'skel'}.intersection(formats):
        raise UsageError(f'--model-name has no effect on {names}, which has no worlds')
    if options.naming != 'default' and not {'hrdf', 'sdf'}.intersection(formats):
        raise UsageError(f'--naming has no effect on {names}, only on HRDF')


def load_shown(options: argparse.Namespace) -> LoadResult:
    """Load FILE and show its diagnostics; refuse options that have no effect on its format."""
    loaded = load_file(options.file, options)
    show(loaded.report, options, is_stopped=loaded.model is None)
    if loaded.model is not None:
        refuse_without_effect(options, {loaded.model.format})
    return loaded


def has_configuration(options: argparse.Namespace) -> bool:
    """Return whether the options give positions."""
    return bool(options.position) or options.positions is not None


def complete_frames(parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """Return the names and tags of the frames, for tab completion."""
    model = _first_model(parsed_args)
    if model is None:
        return []
    return sorted({name for frame in model.frames for name in (frame.name, frame.tag) if name})


def complete_coordinates(parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """Return ``NAME=`` for every coordinate, for tab completion."""
    model = _first_model(parsed_args)
    return [] if model is None else [f'{coordinate.name}=' for coordinate in model.coordinates]


def _first_model(parsed_args: argparse.Namespace) -> Optional[Model]:
    """Return the model of the first file on the command line; xacro files are not run for it."""
    given = vars(parsed_args)
    file = given.get('file') or given.get('first') or next(iter(given.get('files') or ()), None)
    if file in (None, STANDARD_INPUT):
        return None
    parsed_args.xacro, parsed_args.xacro_arguments = False, []
    return load_file(str(file), parsed_args).model


def complete_codes(**_: object) -> list[str]:
    """Return the codes of diagnostics, for tab completion."""
    return list(CODES)


def complete_limits(**_: object) -> list[str]:
    """Return ``NAME=`` for every resource limit, for tab completion."""
    return [f'{name}=' for name in ResourceLimits._fields]


def frame_index(model: Model, name: str) -> int:
    """Return the frame that a tag or name means; UsageError where it is unknown."""
    index = find_frame(model, name)
    if index is None:
        names = (frame.name for frame in model.frames)
        raise UsageError(unknown('frame', name, dict.fromkeys((*names, model.root))))
    return index
