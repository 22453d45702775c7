# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Options that several verbs share, and what they mean."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from math import isfinite
import os
from typing import Optional

from hrdf_ros.limits import parse_limit, ResourceLimits
from hrdf_ros.load import load, LoadResult
from hrdf_ros.model import Model
from hrdf_ros.resolve import is_text
from hrdf_ros.topology import find_frame


class UsageError(Exception):
    """Something asked for that cannot be: exit status 2."""


def add_load_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how a file is read."""
    group = parser.add_argument_group('reading')
    group.add_argument(
        '--path', metavar='DIR', action='append', default=[],
        help='look here for model:// and plain uris; repeatable')
    group.add_argument(
        '--package', metavar='NAME=DIR', action='append', default=[], type=_package,
        help="a ROS package's share directory, for package://NAME/...; repeatable")
    group.add_argument('--model-name', metavar='NAME', help='take this model of a world')
    group.add_argument(
        '--naming', choices=('default', 'hebi'), default='default',
        help='how HRDF elements without a tag are named; hebi: as hebi_description does')
    group.add_argument(
        '--joint-names', metavar='A,B,...', type=_names, default=(),
        help='names for the coordinates, in their order')
    bound = group.add_argument(
        '--resource-limit', metavar='NAME=VALUE', action='append', default=[], type=_limit,
        help='another bound on what is read, repeatable: ' + ', '.join(
            f'{name} ({value})' for name, value in ResourceLimits()._asdict().items()))
    bound.completer = _complete_limits  # type: ignore[attr-defined]  # argcomplete's way


def add_position_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that give a configuration."""
    group = parser.add_argument_group(
        'configuration', 'radians and metres; what is not given has its start value, mostly 0')
    position = group.add_argument(
        '--position', metavar='NAME=VALUE', action='append', default=[], type=_position,
        help='the position of one coordinate; repeatable')
    position.completer = complete_coordinates  # type: ignore[attr-defined]  # argcomplete's way
    group.add_argument(
        '--positions', metavar='V1,V2,...', type=_numbers,
        help='the positions of all coordinates, or of all but the dependent ones, in order')


def _package(text: str) -> tuple[str, str]:
    name, separator, directory = text.partition('=')
    if not (name and separator and directory):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=DIR")
    return name, directory


def _limit(text: str) -> tuple[str, int]:
    try:
        return parse_limit(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(','))
    if not all(names):
        raise argparse.ArgumentTypeError(f"'{text}' has an empty name")
    return names


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
    """Load a file as the options say; on the command line it is never text, whatever its name."""
    path = os.path.join(os.curdir, file) if is_text(file) else file
    return load(
        path, path=options.path, packages=dict(options.package), model_name=options.model_name,
        naming=options.naming, joint_names=options.joint_names,
        limits=limits(options))


def limits(options: argparse.Namespace) -> ResourceLimits:
    """Return the bounds that the options give."""
    return ResourceLimits(**dict(options.resource_limit))


def has_configuration(options: argparse.Namespace) -> bool:
    """Tell whether the options give positions."""
    return bool(options.position) or options.positions is not None


def load_posed(file: str, options: argparse.Namespace) -> LoadResult:
    """
    Load a file and hold it to the given positions, where nothing else is done with them.

    A loop that cannot close there is an error; a UsageError tells that they do not fit at all.
    """
    loaded = load_file(file, options)
    if loaded.model is None or not has_configuration(options):
        return loaded
    from hrdf_ros.cli.configuration import solve  # numpy, which costs more than all the rest
    loaded.report.extend(solve(loaded.model, options.position, options.positions, None).report)
    return loaded if loaded.report.ok else loaded._replace(model=None)


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
    """Return the model of the first file on the command line, whatever the verb calls it."""
    given = vars(parsed_args)
    file = given.get('file') or given.get('first') or next(iter(given.get('files') or ()), None)
    return None if file is None else load_file(file, parsed_args).model


def _complete_limits(**_: object) -> list[str]:
    return [f'{name}=' for name in ResourceLimits._fields]


def frame_index(model: Model, name: str) -> int:
    """Return the frame that a tag or name means; UsageError where it is unknown."""
    index = find_frame(model, name)
    if index is None:
        names = (frame.name for frame in model.frames)
        raise UsageError(unknown('frame', name, dict.fromkeys((*names, model.root))))
    return index


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return the message for a name that is not known, with what may have been meant."""
    from hrdf_ros.parsing.suggestions import one_of
    return f"there is no {what} '{name}'; {one_of(name, list(known))()}"
