# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf convert --bundle``: a description and all its files in one directory."""

from __future__ import annotations

import argparse
from collections.abc import Callable
import os
import re
from typing import NamedTuple, Optional

from hrdf_ros.cli.options import STANDARD_INPUT
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import UsageError
from hrdf_ros.diagnostics import printable, Report
from hrdf_ros.lowering.uris import named_files
from hrdf_ros.model import Model

MESHES = 'meshes'


class FileLayout(NamedTuple):
    """
    Where the files of a URDF are.

    Shapes that it lacks become meshes in ``mesh_directory``, if there is one; files are named
    relative to ``relative_to``, else by the packages, name to directory, that they are in.
    """

    mesh_directory: Optional[str]
    relative_to: Optional[str]
    packages: dict[str, str]


Write = Callable[[Model, argparse.Namespace, FileLayout], tuple[str, Report]]


def add_bundle_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``--bundle``."""
    group = parser.add_argument_group('bundle')
    group.add_argument(
        '--bundle', metavar='DIR',
        help='write into this directory, with a copy of every mesh and texture, named by relative '
        'paths: for a web page or another machine')
    group.add_argument(
        '--package-name', metavar='NAME', type=_package_name,
        help='lay the bundle out as a ROS package: urdf/, meshes/, textures/, named by '
        'package://NAME/')
    group.add_argument(
        '--force', action='store_true',
        help='add the bundle to a directory that has other files, replace those of its names')


def refuse_without_bundle(options: argparse.Namespace) -> None:
    """Raise a UsageError for options that do not go together."""
    if options.bundle is None:
        for name in ('package_name', 'force'):
            if getattr(options, name):
                raise UsageError(f'--{name.replace("_", "-")} requires --bundle')
    elif options.to == 'dot':
        raise UsageError('--bundle is for urdf and sdf, and the target is dot')
    elif options.output != '-':
        raise UsageError('give either -o or --bundle')


def write_bundle(
    model: Model, options: argparse.Namespace, report: Report, write: Write,
) -> int:
    """Write the description and its files into a directory; return the exit status."""
    from hrdf_ros.writers.bundle import collect, GENERATED
    from hrdf_ros.writers.bundle_directory import BundleError, install, staged
    name = options.package_name
    sources = {*model.files, *(found.file for found, _ in named_files(model) if found.file)}
    try:
        with staged(options.bundle) as stage:
            layout = FileLayout(
                os.path.join(stage, MESHES, GENERATED), None if name else stage,
                {**({name: stage} if name else {}), **dict(options.package)})
            text, written = write(collect(model, stage, name, report), options, layout)
            report.extend(written)
            report.sort(0)
            show(report, options, least='info')
            if not report.ok:
                return 1
            file = _file_name(model, options)
            _write_text(os.path.join(stage, file), text)
            files = install(stage, options.bundle, sources, force=options.force)
    except BundleError as error:
        raise UsageError(f'--bundle: {error}') from None
    count = len(files) - 1
    others = f' and {count} file{"" if count == 1 else "s"} that it names' if count else ''
    print(printable(f'{os.path.join(options.bundle, file)}{others}'))
    return 0


def _file_name(model: Model, options: argparse.Namespace) -> str:
    """Return the path of the description in the bundle: its name is that of the source."""
    from hrdf_ros.writers.bundle import plain_name
    source = model.name if options.file == STANDARD_INPUT else os.path.basename(options.file)
    stem = os.path.splitext(source.removesuffix('.xacro'))[0] or model.name
    name = f'{plain_name(stem)}.{options.to}'
    return os.path.join(options.to, name) if options.package_name else name


def _write_text(file: str, text: str) -> None:
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, 'w', encoding='utf-8', newline='') as stream:
        stream.write(text)


def _package_name(text: str) -> str:
    if re.fullmatch('[a-zA-Z][a-zA-Z0-9_-]*', text) is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not the name of a ROS package")
    return text
