# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Files, frames and coordinates as the options of a command name them."""

from __future__ import annotations

import argparse
import os
from typing import Optional

from hrdf_ros.cli.usage import unknown, UsageError
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load import load, LoadResult
from hrdf_ros.model import Model
from hrdf_ros.resolve import is_text
from hrdf_ros.topology import find_frame


def load_file(file: str, options: argparse.Namespace) -> LoadResult:
    """Load a file as the options say; on the command line it is never text, whatever its name."""
    path = os.path.join(os.curdir, file) if is_text(file) else file
    arguments = dict(options.xacro_arguments)
    is_xacro = file.lower().endswith('.xacro') if options.xacro is None else options.xacro
    if arguments and not is_xacro:
        raise UsageError(f'{next(iter(arguments))}:= is for xacro files, and {file} is not one')
    return load(
        path, path=options.path, packages=dict(options.package), model_name=options.model_name,
        naming=options.naming, joint_names=options.joint_names,
        limits=limits(options), xacro=options.xacro, xacro_arguments=arguments)


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
