# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf convert``: a description in another format."""

from __future__ import annotations

import argparse
import os

from hrdf_ros import codes
from hrdf_ros.cli.bundle import (
    add_bundle_options,
    FileLayout,
    MESHES,
    refuse_without_bundle,
    write_bundle,
)
from hrdf_ros.cli.options import (
    add_file_argument,
    add_load_options,
    limits,
    load_shown,
    STANDARD_INPUT,
)
from hrdf_ros.cli.output import (
    add_output_option,
    check_output,
    refuse_to_replace_a_source,
    STANDARD_OUTPUT,
    write_output,
)
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import unknown, UsageError
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.load_result import LoadResult
from hrdf_ros.lowering import URDF_VERSIONS
from hrdf_ros.lowering.frames_as_links import frame_kinds, frames_as_links
from hrdf_ros.lowering.root_link import RootLinkError, with_root_link
from hrdf_ros.model import Model
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.resolve import Resolver
from hrdf_ros.writers.files import format_of, SUFFIXES

_DESCRIPTION = """\
Write a description as URDF, SDFormat or a graph for Graphviz. What the target
cannot express is a diagnostic: nothing is lost without a message."""
_EPILOG = """\
examples:
  hrdf convert arm.hrdf > arm.urdf
  hrdf convert old.skel -o model.sdf
  hrdf convert arm.hrdf -o arm.urdf --urdf-extra control.xml
  hrdf convert arm.hrdf --to dot | dot -Tsvg > arm.svg
  hrdf convert arm.sdf --bundle web/arm      with its meshes and textures

The suffix of OUT names the format: .urdf, .sdf, .world, .dot, .gv. OUT is
replaced when everything is written: a full disk leaves the old file as it was."""
_SDF_VERSION = '1.11'
"""The newest that the Gazebo of ROS 2 Jazzy and Kilted (Harmonic) reads."""
_TARGETS = ('urdf', 'sdf', 'dot')
_ONLY_FOR = {
    'urdf': ('gazebo', 'expand-ball', 'urdf-extra', 'relative-meshes', 'root-link',
             'urdf-version'),
    'sdf': ('sdf-version',),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    add_file_argument(parser)
    add_output_option(parser)
    parser.add_argument(
        '--to', choices=_TARGETS,
        help='the target where OUT does not name it (default urdf)')
    parser.add_argument(
        '--frames', metavar='KIND,...',
        help='write frames of these kinds (output, com, frame, ...), or all, as massless '
             'links (URDF and SDFormat)')
    add_bundle_options(parser)
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
    urdf.add_argument(
        '--root-link', metavar='NAME',
        help='add a massless root link above one with inertia, which KDL warns of')
    urdf.add_argument(
        '--urdf-version', metavar='V', choices=URDF_VERSIONS,
        help='write quaternions (1.1) and capsules (1.2), which few readers know (default 1.0; a '
        'URDF that nothing changes keeps its own)')
    sdf = parser.add_argument_group('SDFormat')
    sdf.add_argument(
        '--sdf-version', metavar='V', help=f'the version to write (default {_SDF_VERSION})')
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Convert and return 1 where the file has errors or cannot be written in the target."""
    options.to = _target(options)
    _refuse_options_of_other_targets(options)
    loaded = load_shown(options)
    _check_out(loaded, options)
    if loaded.model is None:
        return 1
    model = _with_root_link(_with_frames(loaded.model, options), options)
    report = Report()
    report.diagnostics += _lost_in_reading(loaded, model, options)
    if options.bundle is not None:
        return write_bundle(model, options, report, _WRITE[options.to])
    text, written = _WRITE[options.to](model, options, _layout(options))
    report.extend(written)
    report.sort(0)
    show(report, options, least='info')
    if not report.ok:
        return 1
    write_output(text, options)
    return 0


def _target(options: argparse.Namespace) -> str:
    """Return the target that OUT or ``--to`` names."""
    named = None if options.output == STANDARD_OUTPUT else format_of(options.output)
    if named and options.to and named != options.to:
        raise UsageError(f'-o {options.output} is {named}, and --to says {options.to}')
    if not (named or options.to):
        _refuse_misspelled_suffix(options.output)
    target: str = named or options.to or 'urdf'
    return target


def _refuse_misspelled_suffix(output: str) -> None:
    """Raise a UsageError for a suffix that is nearly, and begins as, one that names a target."""
    suffix = os.path.splitext(output)[1].lower()
    if any(suffix in one.suffixes for one in FORMATS):
        return
    meant = closest(suffix, [known for known in SUFFIXES if known[:2] == suffix[:2]])
    if meant is not None:
        raise UsageError(f"-o {output}: did you mean the suffix '{meant}'? --to does without")


def _refuse_options_of_other_targets(options: argparse.Namespace) -> None:
    for target, names in _ONLY_FOR.items():
        for name in names:
            if target != options.to and getattr(options, name.replace('-', '_')):
                raise UsageError(f'--{name} is for {target}, and the target is {options.to}')
    check_output(options)
    if options.relative_meshes and options.output == STANDARD_OUTPUT:
        raise UsageError('--relative-meshes requires -o: meshes are named relative to OUT')
    refuse_without_bundle(options)


def _check_out(loaded: LoadResult, options: argparse.Namespace) -> None:
    """
    Raise a UsageError where OUT is a file that was read, and not the same in one format.

    Also where its suffix names a format that cannot be written.
    """
    is_source = options.file != STANDARD_INPUT and (
        os.path.realpath(options.file) == os.path.realpath(options.output))
    if not is_source or loaded.model is not None and loaded.model.format != options.to:
        refuse_to_replace_a_source(options.output, loaded.files)
    suffix = os.path.splitext(options.output)[1].lower()
    only_read = next((
        one for one in FORMATS if suffix in one.suffixes and one.name not in _TARGETS), None)
    if only_read is not None:
        raise UsageError(
            f'-o {options.output}: {only_read.title} cannot be written, '
            f"only {', '.join(_TARGETS)}")


def _with_frames(model: Model, options: argparse.Namespace) -> Model:
    """Return the Model with the frames that the options name as links."""
    if options.frames is None:
        return model
    if options.to == 'dot':
        raise UsageError('--frames is for urdf and sdf, and the target is dot')
    known = frame_kinds(model)
    kinds = None if options.frames == 'all' else options.frames.split(',')
    for kind in kinds or ():
        if kind not in known:
            raise UsageError(unknown('kind of frame', kind, known))
    return frames_as_links(model, kinds)


def _with_root_link(model: Model, options: argparse.Namespace) -> Model:
    """Return the Model below the root link that the options name."""
    if options.root_link is None:
        return model
    report = Report()
    try:
        model = with_root_link(model, options.root_link, report)
    except RootLinkError as error:
        raise UsageError(f'--root-link: {error}') from None
    show(report, options, least='info')
    return model


def _lost_in_reading(
    loaded: LoadResult, model: Model, options: argparse.Namespace,
) -> list[Diagnostic]:
    """Return what of the source no Model holds, nothing where its text goes out unchanged."""
    if options.to == 'urdf' and options.bundle is None and model.source is not None:
        from hrdf_ros.writers.urdf import is_unchanged
        layout = _layout(options)
        if is_unchanged(model, options.expand_ball, layout.relative_to, options.urdf_version):
            return []
    code = codes.DETAIL_NOT_PRESERVED.name
    return [found for found in loaded.report if found.code == code and found.severity == 'info']


def _layout(options: argparse.Namespace) -> FileLayout:
    """Return where the files of a URDF are: beside OUT."""
    if options.output == STANDARD_OUTPUT:
        return FileLayout(None, None, dict(options.package))
    directory = os.path.dirname(options.output) or os.curdir
    return FileLayout(
        os.path.join(directory, MESHES), directory if options.relative_meshes else None,
        dict(options.package))


def _urdf(model: Model, options: argparse.Namespace, layout: FileLayout) -> tuple[str, Report]:
    from hrdf_ros.writers.urdf import write_urdf
    report = Report()
    resolver = Resolver(options.path, layout.packages, limits=limits(options))
    extra = None if options.urdf_extra is None else resolver.read(options.urdf_extra, report)
    text, written = write_urdf(
        model, expand_ball=options.expand_ball, gazebo=options.gazebo, extra=extra,
        relative_to=layout.relative_to, mesh_directory=layout.mesh_directory, resolver=resolver,
        version=options.urdf_version)
    report.extend(written)
    return text, report


def _sdf(model: Model, options: argparse.Namespace, _: FileLayout) -> tuple[str, Report]:
    from hrdf_ros.writers.sdf import SDF_VERSIONS, write_sdf
    version = options.sdf_version or _SDF_VERSION
    if version not in SDF_VERSIONS:
        raise UsageError(f"--sdf-version: '{version}' is not one of {', '.join(SDF_VERSIONS)}")
    return write_sdf(model, version=version)


def _dot(model: Model, _: argparse.Namespace, __: FileLayout) -> tuple[str, Report]:
    from hrdf_ros.writers.dot import write_dot
    return write_dot(model)


_WRITE = {'urdf': _urdf, 'sdf': _sdf, 'dot': _dot}
