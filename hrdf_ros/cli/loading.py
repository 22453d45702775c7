# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Files, frames and coordinates as the options of a command name them."""

from __future__ import annotations

import argparse
from collections.abc import Collection
import os
import sys
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import unknown, UsageError
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.file_reader import is_text
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model
from hrdf_ros.topology import find_frame

STANDARD_INPUT = '-'


def load_file(file: str, options: argparse.Namespace) -> LoadResult:
    """Load a file, or standard input for ``-``, as the options say."""
    arguments = dict(options.xacro_arguments)
    if arguments and not _is_xacro(file, options):
        raise UsageError(f'{next(iter(arguments))}:= is for xacro files, and {file} is not one')
    source = _standard_input(options) if file == STANDARD_INPUT else _path(file)
    if source is None:
        report = Report()
        report.add(
            codes.UNKNOWN_FORMAT, 'standard input does not begin with <, as every format does',
            Location(STANDARD_INPUT, 1, 1))
        return LoadResult(None, report, ())
    return load(
        source, path=options.path, packages=dict(options.package), model_name=options.model_name,
        naming=options.naming, joint_names=options.joint_names, limits=limits(options),
        format=options.input_format, xacro=options.xacro, xacro_arguments=arguments)


def _path(file: str) -> str:
    """Return a path that is never read as text, whatever the name of the file."""
    return os.path.join(os.curdir, file) if is_text(file) else file


def _standard_input(options: argparse.Namespace) -> Optional[str]:
    """Return the text on standard input, None where it is not the text of a description."""
    data = sys.stdin.buffer.read(limits(options).file_bytes + 1)
    text = data.decode('utf-8', 'surrogateescape')
    return text if is_text(text) else None


def _is_xacro(file: str, options: argparse.Namespace) -> bool:
    if options.xacro is None:
        return file.lower().endswith('.xacro')
    return bool(options.xacro)


def limits(options: argparse.Namespace) -> ResourceLimits:
    """Return the resource limits that the options give."""
    return ResourceLimits(**dict(options.resource_limit))


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
    show(loaded.report, color=options.color)
    if loaded.model is not None:
        refuse_without_effect(options, {loaded.model.format})
    return loaded


def has_configuration(options: argparse.Namespace) -> bool:
    """Tell whether the options give positions."""
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
