# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
``hrdf convert``: write a description in another format.

The options are checked first. Then the file is read, the Model is prepared, and the text is made.
Finally, either all files are written or none.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
import math
import os
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.cli import output
from hrdf_ros.cli.conversion import Bundle, Conversion, conversion_of, TARGETS
from hrdf_ros.cli.loading import read_model, READING, source_files, trusted
from hrdf_ros.cli.options import command, FILE, Group, matching, Option, OUTPUT, valid
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.formats import DEFAULT_SDF, URDF_VERSIONS
from hrdf_ros.listing import count_of, GroupedDiagnostics
from hrdf_ros.lowering import changes
from hrdf_ros.lowering.gazebo_blocks import preserved_joints, with_gazebo_blocks
from hrdf_ros.lowering.target import ACTUATORS
from hrdf_ros.model import Model
from hrdf_ros.resolve import Resolver
from hrdf_ros.writers.dot import GRAPHS, write_dot
from hrdf_ros.writers.files import Written

_WATER = 1000.0
"""The density of water, in kg/m^3."""


def _density(text: str) -> Optional[float]:
    """Return the density (kg/m^3) of ``shapes`` or ``shapes=DENSITY``, None for another text."""
    word, _, number = text.partition('=')
    density = float(number) if text != 'shapes' else _WATER
    return density if word == 'shapes' and 0.0 < density < math.inf else None


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
        '--urdf-version V', '1.0 is for RViz: of a URDF only the version and the URIs that RViz '
        'cannot resolve are replaced; 1.1 has quaternions, 1.2 capsules, which few readers know '
        '(default 1.0; a URDF that nothing changes keeps its own)', choices=URDF_VERSIONS)))


@command(
    FILE, OUTPUT,
    Option('--to', 'the target where OUT does not name it (default urdf)', choices=TARGETS),
    Option(
        '--frames KIND,...', 'write frames of these kinds (output, com, frame, ...), or all, as '
        'massless links (URDF and SDFormat)'),
    Option('--merge-fixed', 'make one link of those that fixed joints connect; their frames stay'),
    Option(
        '--verify', 'read the result again and compare poses of all frames, masses and inertias, '
        'in the program that it is for too; exit status 1 where they differ'),
    Option(
        '--inertia shapes', 'give links without mass that of their shapes, of 1000 kg/m^3 or of '
        'another density: shapes=DENSITY',
        valid(_density, 'shapes, or shapes= and a density in kg/m^3')),
    _BUNDLE, _URDF,
    Group('SDFormat', (
        Option('--sdf-version V', f'the version to write (default {DEFAULT_SDF})'),
        Option('--flatten', 'write one model in place of nested models'))),
    Group('MJCF', (
        Option('--free-base', 'let the robot move freely in the world'),
        Option(
            '--actuators', 'the actuator of each joint that <ros2_control> commands (default: by '
            'its interface)', choices=ACTUATORS),
        Option('--srdf FILE', 'exclude the pairs of links whose collisions this SRDF disables'))),
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
    conversion = conversion_of(options)
    reading, bundle = conversion.reading, conversion.bundle
    source, read = read_model(reading, target=conversion.to)
    report = Report()
    model, files = _prepared(source, conversion, report), dict[str, bytes]()
    if bundle is not None:
        model, files = _with_copies(model, bundle, conversion, report)
    written = _write(model, conversion, report)
    if bundle is None:
        report.diagnostics += _found_by_reading(read, written, conversion)
    report.extend(written.report)
    report.sort(0)
    output.show_or_fail(report, reading.display, least='info')
    if conversion.is_verified and not _is_verified(model, written, files, conversion):
        return 1
    directory = conversion.layout.directory
    meshes = {os.path.relpath(file, directory): data for file, data in written.meshes.items()}
    if bundle is not None:
        _write_bundle(written.text, {**files, **meshes}, source, bundle, conversion)
    else:
        output.write_output(written.text, conversion.output, {
            (directory or os.curdir, name): data for name, data in meshes.items()})
    return 0


# ---- the Model and its text

def _prepared(model: Model, conversion: Conversion, report: Report) -> Model:
    """Return the Model with the changes that the options ask for."""
    wanted, is_sdf = conversion.changes, conversion.to == 'sdf'
    if wanted.density is not None:
        from hrdf_ros.meshes.solid_inertia import with_inertia_of_shapes
        notes = GroupedDiagnostics(model.location)
        model = with_inertia_of_shapes(model, wanted.density, notes)
        notes.into(report)
    if wanted.merges_fixed:
        notes = GroupedDiagnostics(model.location)
        is_flat = conversion.target is not None and conversion.target.flat
        merged = changes.find_merged(
            model, keeps_scopes=is_sdf and (model.is_world or not is_flat),
            kept=preserved_joints(model) if is_sdf else ())
        if is_sdf:
            model = with_gazebo_blocks(model, notes, merged=merged.carriers(model))
        model = changes.merge_fixed(model, merged, notes)
        notes.into(report)
    if wanted.frames is not None:
        known = changes.frame_kinds(model)
        kinds = wanted.frames.split(',') if wanted.frames != 'all' else [
            kind for kind in known if kind != 'model' or not is_sdf]
        for kind in kinds:
            if kind not in known:
                raise output.UsageError(output.unknown('kind of frame', kind, known))
        model = changes.frames_as_links(model, kinds)
    if wanted.root_link is not None:
        with output.errors_as(output.UsageError, changes.RootLinkError, '--root-link: {error}'):
            model = changes.with_root_link(model, wanted.root_link, report)
    return model


def _write(model: Model, conversion: Conversion, report: Report) -> Written:
    """Return the text in the target format, the losses, and the meshes that the text needs."""
    layout, target = conversion.layout, conversion.target
    if target is None:
        text, losses = write_dot(model, graph=conversion.graph)
        return Written(text, losses, {})
    if conversion.to == 'sdf':
        from hrdf_ros.writers.sdf import make_sdf
        return make_sdf(model, target)
    if conversion.to == 'mjcf':
        from hrdf_ros.writers.mjcf import make_mjcf, MjcfOptions
        return make_mjcf(model, MjcfOptions(
            conversion.free_base, conversion.actuators,
            None if layout.meshes is None else os.path.abspath(layout.meshes),
            layout.relative_to, conversion.bundle is not None,
            _disabled(model, conversion, report)))
    from hrdf_ros.writers.urdf import make_urdf, UrdfOptions
    options = conversion.reading.options
    resolver = Resolver(options.path, layout.packages, limits=options.limits)
    extra = None if conversion.urdf_extra is None else resolver.read(
        conversion.urdf_extra, report)
    return make_urdf(model, UrdfOptions(
        expand_ball=conversion.expands_balls, gazebo=conversion.has_gazebo, extra=extra,
        relative_to=layout.relative_to, mesh_directory=layout.meshes, resolver=resolver,
        version=conversion.urdf_version))


def _disabled(
    model: Model, conversion: Conversion, report: Report,
) -> tuple[tuple[str, str], ...]:
    """Return the pairs of links whose collisions the SRDF disables."""
    if conversion.srdf is None:
        return ()
    from hrdf_ros.lowering.srdf import disabled_pairs
    options = conversion.reading.options
    source = Resolver(options.path, limits=options.limits).read(conversion.srdf, report)
    return () if source is None else disabled_pairs(
        source, [body.name for body in model.bodies], report)


def _found_by_reading(
    read: Report, written: Written, conversion: Conversion,
) -> list[Diagnostic]:
    """Return the diagnostics about the source that matter for the output."""
    shown = [codes.FILE_ON_NETWORK.name] if conversion.to in ('urdf', 'sdf') else []
    if not written.is_unchanged:
        shown.append(codes.DETAIL_NOT_PRESERVED.name)
    return [found for found in read if found.code in shown and found.severity == 'info']


def _is_verified(
    model: Model, written: Written, copies: Mapping[str, bytes], conversion: Conversion,
) -> bool:
    """Return whether the output means the same as the source; print the differences."""
    from hrdf_ros.cli.verify import verify
    return verify(
        model, written._replace(files={**copies, **written.files}), conversion)


# ---- the bundle

def _with_copies(
    model: Model, bundle: Bundle, conversion: Conversion, report: Report,
) -> tuple[Model, dict[str, bytes]]:
    """Return a Model that names the files of a bundle, and these files."""
    from hrdf_ros.writers.bundle import collect
    is_mjcf, name = conversion.to == 'mjcf', bundle.package
    start = '' if not name else f'{os.pardir}/' if is_mjcf else f'package://{name}/'
    return collect(
        model, start, report, trusted=trusted(conversion.reading),
        most=conversion.reading.options.limits.bundle_bytes, for_mjcf=is_mjcf)


def _write_bundle(
    text: str, files: Mapping[str, bytes], source: Model, bundle: Bundle, conversion: Conversion,
) -> None:
    """Write all files into the directory, and print what was written."""
    from hrdf_ros.writers.bundle import BundleError, install, plain_name
    given = str(conversion.reading.request.source)
    name = source.name if given == output.STANDARD_STREAM else os.path.basename(given)
    stem = os.path.splitext(name.removesuffix('.xacro'))[0] or source.name
    file = f'{plain_name(stem)}.{conversion.to}'
    if bundle.package:
        file = os.path.join(conversion.to, file)
    with output.errors_as(output.UsageError, BundleError, '--bundle: {error}'):
        install(
            bundle.directory, {file: text.encode(), **files}, source_files(source),
            force=bundle.replaces)
    others = f' and {count_of(len(files), "file")} that it names' if files else ''
    output.say(f'{os.path.join(bundle.directory, file)}{others}')
