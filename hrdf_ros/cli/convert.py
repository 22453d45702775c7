# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
``hrdf convert``: a description in another format.

Options are checked first, then the file is read, the Model prepared, the text made; at the end
everything is written, or nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
import os
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.cli import output
from hrdf_ros.cli.loading import limits, read_model, READING, trusted
from hrdf_ros.cli.options import command, FILE, Group, matching, Option, OUTPUT
from hrdf_ros.diagnostics import Diagnostic, GroupedDiagnostics, Report
from hrdf_ros.lowering import changes
from hrdf_ros.lowering.target import ACTUATORS, MJCF, sdf_target, Target, URDF, URDF_VERSIONS
from hrdf_ros.model import Model
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.resolve import Resolver
from hrdf_ros.writers.dot import GRAPHS, write_dot
from hrdf_ros.writers.files import format_of, named_files, SUFFIXES, Written

_SDF_VERSION = '1.11'
"""The newest that the Gazebo of ROS 2 Jazzy and Kilted (Harmonic) reads."""
_TARGETS = ('urdf', 'sdf', 'mjcf', 'dot')
_ONLY_FOR = {
    **dict.fromkeys(
        ('gazebo', 'expand-ball', 'urdf-extra', 'root-link', 'urdf-version'), ('urdf',)),
    **dict.fromkeys(('sdf-version', 'flatten'), ('sdf',)),
    **dict.fromkeys(('free-base', 'actuators'), ('mjcf',)),
    **dict.fromkeys(('frames', 'bundle', 'verify'), ('urdf', 'sdf', 'mjcf')),
    'graph': ('dot',), 'relative-meshes': ('urdf', 'mjcf'),
}
"""The targets of options that not all targets have."""


class _Layout(NamedTuple):
    """
    Where the files of a conversion belong.

    ``directory`` is that of the description, None for standard output; generated meshes go to
    ``meshes``. Files are named relative to ``relative_to``, else by the packages, name to
    directory, that they are in.
    """

    directory: Optional[str]
    meshes: Optional[str]
    relative_to: Optional[str]
    packages: Mapping[str, str]


_BUNDLE = Group('bundle', (
    Option(
        '--bundle DIR', 'write into this directory, with a copy of every mesh and texture, named '
        'by relative paths: for a web page or another machine'),
    Option(
        '--package-name NAME', 'lay the bundle out as a ROS package: urdf/, meshes/, textures/, '
        'named by package://NAME/',
        matching('[a-zA-Z][a-zA-Z0-9_-]*', 'the name of a ROS package')),
    Option(
        '--force', 'add the bundle to a directory that has other files, replace those of its '
        'names')))
_URDF = Group('URDF', (
    Option('--gazebo', 'add <gazebo> blocks for facts that only Gazebo reads'),
    Option(
        '--expand-ball', 'write ball and free joints as chains of single axes, not as floating'),
    Option(
        '--urdf-extra FILE',
        'add the elements in this file: <ros2_control>, <gazebo>, <transmission>, ...'),
    Option('--relative-meshes', 'name meshes relative to OUT'),
    Option(
        '--root-link NAME',
        'add a massless root link above one with inertia, which KDL warns of'),
    Option(
        '--urdf-version V', 'write quaternions (1.1) and capsules (1.2), which few readers know '
        '(default 1.0; a URDF that nothing changes keeps its own)', choices=URDF_VERSIONS)))


@command(
    FILE, OUTPUT,
    Option('--to', 'the target where OUT does not name it (default urdf)', choices=_TARGETS),
    Option(
        '--frames KIND,...', 'write frames of these kinds (output, com, frame, ...), or all, as '
        'massless links (URDF and SDFormat)'),
    Option('--merge-fixed', 'make one link of those that fixed joints connect; their frames stay'),
    Option(
        '--verify', 'read the result again and compare poses of all frames, masses and inertias; '
        'exit status 1 where they differ'),
    _BUNDLE, _URDF,
    Group('SDFormat', (
        Option('--sdf-version V', f'the version to write (default {_SDF_VERSION})'),
        Option('--flatten', 'write one model in place of nested models'))),
    Group('MJCF', (
        Option('--free-base', 'let the robot move freely in the world'),
        Option(
            '--actuators', 'the actuator of each joint that <ros2_control> commands (default: by '
            'its interface)', choices=ACTUATORS))),
    Group('graph', (
        Option(
            '--graph', 'draw the kinematic tree (default), which link each frame is attached to, '
            'or which frame each pose is relative to', choices=GRAPHS),)),
    READING)
def hrdf_convert(options: argparse.Namespace) -> int:
    """
    Write a description as URDF, SDFormat, MJCF or a graph for Graphviz.

    Nothing is lost without a message: a diagnostic names what the target cannot
    express.

    for example:
      hrdf convert arm.hrdf > arm.urdf
      hrdf convert old.skel -o model.sdf
      hrdf convert arm.urdf -o arm.xml           for MuJoCo
      hrdf convert arm.hrdf -o arm.urdf --urdf-extra control.xml
      hrdf convert arm.hrdf --to dot | dot -Tsvg > arm.svg
      hrdf convert arm.sdf --bundle web/arm      with its meshes and textures

    The suffix of OUT names the format: .urdf, .sdf, .world, .xml (MJCF), .dot, .gv.
    OUT is replaced when everything is written: a full disk leaves the old file as
    it was.
    """
    options.to = _target(options)
    _refuse(options)
    source, read = read_model(options, replaced_format=options.to)
    report, layout = Report(), _layout(options)
    model, files = _prepared(source, options, report), dict[str, bytes]()
    if options.bundle is not None:
        model, files = _with_copies(model, options, report)
    else:
        report.diagnostics += _found_by_reading(read, model, options, layout)
    written = _write(model, options, layout, report)
    report.sort(0)
    output.show_or_fail(report, options, least='info')
    if options.verify and not _is_verified(model, written, files, options):
        return 1
    meshes = {
        os.path.relpath(file, layout.directory): data for file, data in written.meshes.items()}
    if options.bundle is not None:
        _write_bundle(written.text, {**files, **meshes}, source, options)
    else:
        directory = layout.directory or os.curdir
        beside = {(directory, name): data for name, data in meshes.items()}
        output.write_output(written.text, options.output, beside)
    return 0


# ---- options

def _target(options: argparse.Namespace) -> str:
    """Return the target that OUT or ``--to`` names."""
    out = options.output
    suffix = os.path.splitext(out)[1].lower()
    named = None if out == output.STANDARD_STREAM else format_of(out)
    if suffix == '.xml':
        named = options.to or named  # any of them may be in a .xml
    if named and options.to and named != options.to:
        raise output.UsageError(f'-o {out} is {named}, and --to says {options.to}')
    for one in FORMATS:
        if suffix in one.suffixes and one.name not in _TARGETS:
            raise output.UsageError(
                f"-o {out}: {one.title} cannot be written, only {', '.join(_TARGETS)}")
    meant = None if named or options.to else closest(
        suffix, [known for known in SUFFIXES if known[:2] == suffix[:2]])
    if meant is not None:
        raise output.UsageError(f"-o {out}: did you mean the suffix '{meant}'? (or use --to)")
    target: str = named or options.to or 'urdf'
    return target


def _refuse(options: argparse.Namespace) -> None:
    """Raise a UsageError for options that do not go together; nothing is read yet."""
    for name, targets in _ONLY_FOR.items():
        if options.to not in targets and vars(options)[name.replace('-', '_')]:
            only = ', '.join(targets)
            raise output.UsageError(f'--{name} is for {only}, and the target is {options.to}')
    is_printed, bundle = options.output == output.STANDARD_STREAM, options.bundle
    for is_wrong, message in (
            (options.package_name and bundle is None, '--package-name requires --bundle'),
            (options.force and bundle is None, '--force requires --bundle'),
            (options.relative_meshes and is_printed,
             '--relative-meshes requires -o: meshes are named relative to OUT'),
            (bundle is not None and not is_printed, 'give either -o or --bundle'),
            (bundle == '', '--bundle requires the name of a directory')):
        if is_wrong:
            raise output.UsageError(message)


def _layout(options: argparse.Namespace) -> _Layout:
    """Return where the files are: in the bundle, or beside OUT."""
    from hrdf_ros.writers.bundle import GENERATED, MESHES
    packages, name, bundle = dict(options.package), options.package_name, options.bundle
    if bundle is None:
        if options.output == output.STANDARD_STREAM:
            return _Layout(None, None, None, packages)
        directory = os.path.dirname(options.output) or os.curdir
        return _Layout(
            directory, os.path.join(directory, MESHES),
            directory if options.relative_meshes else None, packages)
    meshes = os.path.join(bundle, MESHES, GENERATED)
    if not name:
        return _Layout(bundle, meshes, bundle, packages)
    return _Layout(
        bundle, meshes, os.path.join(bundle, options.to) if options.to == 'mjcf' else None,
        {name: bundle, **packages})


# ---- the Model and its text

def _prepared(model: Model, options: argparse.Namespace, report: Report) -> Model:
    """Return the Model with the changes that options ask for."""
    if options.merge_fixed:
        notes = GroupedDiagnostics(model.location)
        model = changes.merge_fixed(
            model, notes,
            keeps_scopes=options.to == 'sdf' and (model.is_world or not options.flatten))
        notes.into(report)
    if options.frames is not None:
        known = changes.frame_kinds(model)
        kinds = options.frames.split(',') if options.frames != 'all' else [
            kind for kind in known if kind != 'model' or options.to != 'sdf']
        for kind in kinds:
            if kind not in known:
                raise output.UsageError(output.unknown('kind of frame', kind, known))
        model = changes.frames_as_links(model, kinds)
    if options.root_link is not None:
        with output.errors_as(output.UsageError, changes.RootLinkError, '--root-link: {error}'):
            model = changes.with_root_link(model, options.root_link, report)
    return model


def _is_unchanged(model: Model, options: argparse.Namespace, layout: _Layout) -> bool:
    """Return whether the text of the source is written unchanged."""
    if options.to != 'urdf':
        return False
    from hrdf_ros.writers.urdf import is_unchanged, UrdfOptions
    return is_unchanged(model, UrdfOptions(
        expand_ball=options.expand_ball, relative_to=layout.relative_to,
        version=options.urdf_version))


def _write(
    model: Model, options: argparse.Namespace, layout: _Layout, report: Report,
) -> Written:
    """Return the text and the meshes that it needs; add its losses to the report."""
    if options.to == 'dot':
        written = Written(*write_dot(model, graph=options.graph or 'tree'), {})
    elif options.to == 'sdf':
        from hrdf_ros.writers.sdf import write_sdf
        target = _sdf_target(options)
        written = Written(
            *write_sdf(model, version=target.version, flatten=target.flat), {})
    elif options.to == 'mjcf':
        from hrdf_ros.writers.mjcf import make_mjcf, MjcfOptions
        written = make_mjcf(model, MjcfOptions(
            options.free_base, options.actuators or '',
            None if layout.meshes is None else os.path.abspath(layout.meshes),
            layout.relative_to, options.bundle is not None))
    else:
        from hrdf_ros.writers.urdf import make_urdf, UrdfOptions
        resolver = Resolver(options.path, layout.packages, limits=limits(options))
        extra = None if options.urdf_extra is None else resolver.read(options.urdf_extra, report)
        written = make_urdf(model, UrdfOptions(
            expand_ball=options.expand_ball, gazebo=options.gazebo, extra=extra,
            relative_to=layout.relative_to, mesh_directory=layout.meshes, resolver=resolver,
            version=options.urdf_version))
    report.extend(written.report)
    return written


def _sdf_target(options: argparse.Namespace) -> Target:
    with output.errors_as(output.UsageError, ValueError, '--sdf-version: {error}'):
        return sdf_target(options.sdf_version or _SDF_VERSION, flat=options.flatten)


# ---- the bundle

def _found_by_reading(
    read: Report, model: Model, options: argparse.Namespace, layout: _Layout,
) -> list[Diagnostic]:
    """Return the diagnostics of the source that concern the output."""
    shown = [codes.FILE_ON_NETWORK.name] if options.to in ('urdf', 'sdf') else []
    if not _is_unchanged(model, options, layout):
        shown.append(codes.DETAIL_NOT_PRESERVED.name)
    return [found for found in read if found.code in shown and found.severity == 'info']


def _is_verified(
    model: Model, written: Written, copies: Mapping[str, bytes], options: argparse.Namespace,
) -> bool:
    """Return whether the output means the same; print the differences."""
    from hrdf_ros.cli.verify import verify
    target = {'urdf': URDF, 'mjcf': MJCF}.get(options.to) or _sdf_target(options)
    return verify(
        model, written._replace(files={**copies, **written.files}), target, options)


def _with_copies(
    model: Model, options: argparse.Namespace, report: Report,
) -> tuple[Model, dict[str, bytes]]:
    """Return a model that names the files of a bundle, and the files."""
    from hrdf_ros.writers.bundle import collect
    is_mjcf, name = options.to == 'mjcf', options.package_name
    start = '' if not name else f'{os.pardir}/' if is_mjcf else f'package://{name}/'
    return collect(
        model, start, report, trusted=trusted(options), most=limits(options).bundle_bytes,
        for_mjcf=is_mjcf)


def _write_bundle(
    text: str, files: Mapping[str, bytes], source: Model, options: argparse.Namespace,
) -> None:
    """Write all files into the directory and print what was written."""
    from hrdf_ros.writers.bundle import BundleError, install, plain_name
    is_input = options.file == output.STANDARD_STREAM
    name = source.name if is_input else os.path.basename(options.file)
    stem = os.path.splitext(name.removesuffix('.xacro'))[0] or source.name
    file = f'{plain_name(stem)}.{options.to}'
    if options.package_name:
        file = os.path.join(options.to, file)
    sources = {*source.files, *(found.file for found, _ in named_files(source) if found.file)}
    with output.errors_as(output.UsageError, BundleError, '--bundle: {error}'):
        install(
            options.bundle, {file: text.encode(), **files}, sources, force=options.force)
    others = f' and {output.count_of(len(files), "file")} that it names' if files else ''
    output.say(f'{os.path.join(options.bundle, file)}{others}')
