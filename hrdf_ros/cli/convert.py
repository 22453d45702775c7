# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf convert``: a description in another format."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Optional

from hrdf_ros.cli.loading import limits, load_posed
from hrdf_ros.cli.options import add_load_options, add_position_options
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import UsageError
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model
from hrdf_ros.resolve import Resolver
from hrdf_ros.writers.files import replace_file

_DESCRIPTION = """\
Write a description as URDF, SDFormat or a graph for Graphviz. What the target
cannot express is a finding: nothing is lost without a word."""
_EPILOG = """\
examples:
  hrdf convert arm.hrdf > arm.urdf
  hrdf convert old.skel --to sdf -o model.sdf
  hrdf convert arm.hrdf -o arm.urdf --urdf-extra control.xml
  hrdf convert arm.hrdf --to dot | dot -Tsvg > arm.svg

OUT is replaced only when everything is written: a full disk leaves the old
file as it was."""

_ONLY_FOR = {
    'urdf': ('gazebo', 'expand-ball', 'urdf-extra', 'relative-meshes'),
    'sdf': ('sdf-version',),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the verb and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.add_argument('file', metavar='FILE', help='a description in any format')
    parser.add_argument('-o', '--output', metavar='OUT', help='write here, not to standard output')
    parser.add_argument(
        '--to', choices=('urdf', 'sdf', 'dot'), default='urdf', help='the target (default urdf)')
    urdf = parser.add_argument_group('URDF')
    urdf.add_argument(
        '--gazebo', action='store_true', help='add <gazebo> blocks for what only Gazebo reads')
    urdf.add_argument(
        '--expand-ball', action='store_true',
        help='write ball and free joints as chains of single axes, not as floating')
    urdf.add_argument(
        '--urdf-extra', metavar='FILE',
        help='add the elements in this file: <ros2_control>, <gazebo>, <transmission>, ...')
    urdf.add_argument(
        '--relative-meshes', action='store_true', help='name meshes relative to OUT')
    sdf = parser.add_argument_group('SDFormat')
    sdf.add_argument('--sdf-version', metavar='V', help='the version to write (default 1.12)')
    add_position_options(parser)
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Convert and return 1 where the file has errors or cannot be written in the target."""
    _refuse_without_effect(options)
    loaded = load_posed(options.file, options)
    show(loaded.report)
    if loaded.model is None:
        return 1
    text, report = _WRITE[options.to](loaded.model, options)
    show(report, least='info')
    if not report.ok:
        return 1
    _put(text, options.output)
    return 0


def _refuse_without_effect(options: argparse.Namespace) -> None:
    """Raise a UsageError for an option that the target does not know, or that names nothing."""
    for target, names in _ONLY_FOR.items():
        for name in names:
            if target != options.to and getattr(options, name.replace('-', '_')):
                raise UsageError(f'--{name} is for --to {target}')
    if options.output is not None and not os.path.basename(options.output):
        raise UsageError(f"-o: '{options.output}' is no name of a file")
    if options.relative_meshes and options.output is None:
        raise UsageError('--relative-meshes needs -o: relative to what?')


def _urdf(model: Model, options: argparse.Namespace) -> tuple[str, Report]:
    from hrdf_ros.writers.urdf import write_urdf
    report = Report()
    resolver = Resolver(options.path, dict(options.package), limits=limits(options))
    extra = None if options.urdf_extra is None else resolver.read(options.urdf_extra, report)
    directory = None if options.output is None else os.path.dirname(options.output) or os.curdir
    text, written = write_urdf(
        model, expand_ball=options.expand_ball, gazebo=options.gazebo, extra=extra,
        relative_to=directory if options.relative_meshes else None,
        mesh_directory=None if directory is None else os.path.join(directory, 'meshes'),
        resolver=resolver)
    report.extend(written)
    return text, report


def _sdf(model: Model, options: argparse.Namespace) -> tuple[str, Report]:
    from hrdf_ros.writers.sdf import SDF_VERSIONS, write_sdf
    version = options.sdf_version or SDF_VERSIONS[-1]
    if version not in SDF_VERSIONS:
        raise UsageError(f"--sdf-version: '{version}' is not one of {', '.join(SDF_VERSIONS)}")
    return write_sdf(model, version=version)


def _dot(model: Model, _: argparse.Namespace) -> tuple[str, Report]:
    from hrdf_ros.writers.dot import write_dot
    return write_dot(model)


_WRITE = {'urdf': _urdf, 'sdf': _sdf, 'dot': _dot}


def _put(text: str, file: Optional[str]) -> None:
    """Write a text to a file or to standard output, in UTF-8 as its first line may declare."""
    data = text.encode('utf-8')
    if file is None:
        sys.stdout.flush()
        rest = memoryview(data)
        while rest:  # an unbuffered stream may take a part only
            rest = rest[sys.stdout.buffer.write(rest):]
        sys.stdout.buffer.flush()
    else:
        replace_file(file, data)
