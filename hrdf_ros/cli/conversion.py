# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Decide what ``hrdf convert`` writes, and where, from its options before a file is read."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
import os
from typing import NamedTuple, Optional

from hrdf_ros.cli import output
from hrdf_ros.cli.loading import Reading, reading_of
from hrdf_ros.formats import DEFAULT_SDF, DEFAULT_URDF
from hrdf_ros.lowering.target import MJCF, sdf_target, Target, URDF
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.writers.files import format_of, SUFFIXES

TARGETS = ('urdf', 'sdf', 'mjcf', 'dot')
_ONLY_FOR = {
    **dict.fromkeys(
        ('gazebo', 'expand-ball', 'urdf-extra', 'root-link', 'urdf-version'), ('urdf',)),
    **dict.fromkeys(('sdf-version', 'flatten'), ('sdf',)),
    **dict.fromkeys(('free-base', 'actuators', 'srdf'), ('mjcf',)),
    **dict.fromkeys(('frames', 'bundle', 'verify', 'inertia'), ('urdf', 'sdf', 'mjcf')),
    'graph': ('dot',), 'relative-meshes': ('urdf', 'mjcf'),
}
"""The targets of each option that only some targets have."""


class Bundle(NamedTuple):
    """A directory for copies of all files; if ``package`` is given, a ROS package of this name."""

    directory: str
    package: Optional[str]
    replaces: bool


class Layout(NamedTuple):
    """
    Where the files of a conversion belong, and how they are named.

    ``directory`` is the directory of the description, None for standard output; generated meshes
    go to ``meshes``. Files are named relative to ``relative_to``, or if that is None by the
    package that they are in; ``packages`` maps names of packages to directories. A URDF of version
    1.0 is for RViz, and names only files that RViz finds.
    """

    directory: Optional[str]
    meshes: Optional[str]
    relative_to: Optional[str]
    packages: Mapping[str, str]


class Changes(NamedTuple):
    """
    The changes of the Model that the user asks for.

    ``frames`` are the kinds of frames that become links, or ``all``. ``density`` (kg/m^3) is the
    density of shapes from which links without mass get one.
    """

    merges_fixed: bool
    frames: Optional[str]
    root_link: Optional[str]
    density: Optional[float]


class Conversion(NamedTuple):
    """
    A conversion: what is read, the format ``to``, and how the output is written.

    ``target`` is what the Model is lowered to, None for a graph. The description is written to
    ``output`` unless there is a bundle. The last fields are options that only one format has.
    """

    reading: Reading
    to: str
    target: Optional[Target]
    output: str
    layout: Layout
    bundle: Optional[Bundle]
    changes: Changes
    is_verified: bool
    expands_balls: bool
    has_gazebo: bool
    urdf_extra: Optional[str]
    urdf_version: Optional[str]
    free_base: bool
    actuators: str
    srdf: Optional[str]
    graph: str


def conversion_of(options: argparse.Namespace) -> Conversion:
    """Return the conversion that the options ask for; a contradiction raises UsageError."""
    to = _format(options.output, options.to)
    given = {name.replace('_', '-') for name, value in vars(options).items() if value}
    _refuse(given, to, is_printed=options.output == output.STANDARD_STREAM)
    if options.bundle == '':
        raise output.UsageError('--bundle requires the name of a directory')
    bundle = None if options.bundle is None else Bundle(
        options.bundle, options.package_name, options.force)
    reading = reading_of(options)
    return Conversion(
        reading=reading, to=to, output=options.output, bundle=bundle,
        target=_target(to, options.sdf_version or DEFAULT_SDF, is_flat=options.flatten),
        layout=_layout(
            to, options.output, bundle, is_relative=options.relative_meshes,
            packages={} if options.urdf_version == DEFAULT_URDF
            else reading.options.packages or {}),
        changes=Changes(
            options.merge_fixed, options.frames, options.root_link, options.inertia),
        is_verified=options.verify, expands_balls=options.expand_ball,
        has_gazebo=options.gazebo, urdf_extra=options.urdf_extra,
        urdf_version=options.urdf_version, free_base=options.free_base,
        actuators=options.actuators or '', srdf=options.srdf, graph=options.graph or 'tree')


def _format(out: str, to: Optional[str]) -> str:
    """Return the format that the name of OUT or ``--to`` states."""
    suffix = os.path.splitext(out)[1].lower()
    named = None if out == output.STANDARD_STREAM else format_of(out)
    if suffix == '.xml':
        named = to or named  # such a file may be MJCF or URDF
    if named and to and named != to:
        raise output.UsageError(f'-o {out} is {named}, and --to says {to}')
    for one in FORMATS:
        if suffix in one.suffixes and one.name not in TARGETS:
            raise output.UsageError(
                f"-o {out}: {one.title} cannot be written, only {', '.join(TARGETS)}")
    meant = None if named or to else closest(
        suffix, [known for known in SUFFIXES if known[:2] == suffix[:2]])
    if meant is not None:
        raise output.UsageError(f"-o {out}: did you mean the suffix '{meant}'? (or use --to)")
    return named or to or 'urdf'


def _refuse(given: Collection[str], to: str, *, is_printed: bool) -> None:
    """Raise a UsageError if the given options contradict each other."""
    for name, targets in _ONLY_FOR.items():
        if to not in targets and name in given:
            only = ', '.join(targets)
            raise output.UsageError(f'--{name} is for {only}, and the target is {to}')
    has_bundle = 'bundle' in given
    for is_wrong, message in (
            ('package-name' in given and not has_bundle, '--package-name requires --bundle'),
            ('force' in given and not has_bundle, '--force requires --bundle'),
            ('relative-meshes' in given and is_printed,
             '--relative-meshes requires -o: meshes are named relative to OUT'),
            (has_bundle and not is_printed, 'give either -o or --bundle')):
        if is_wrong:
            raise output.UsageError(message)


def _target(to: str, sdf_version: str, *, is_flat: bool) -> Optional[Target]:
    """Return the target that the Model is lowered to, None for a graph."""
    if to == 'sdf':
        with output.errors_as(output.UsageError, ValueError, '--sdf-version: {error}'):
            return sdf_target(sdf_version, flat=is_flat)
    return {'urdf': URDF, 'mjcf': MJCF}.get(to)


def _layout(
    to: str, out: str, bundle: Optional[Bundle], *, is_relative: bool,
    packages: Mapping[str, str],
) -> Layout:
    """Return where the files belong: in the bundle, or beside OUT."""
    from hrdf_ros.writers.bundle import GENERATED, MESHES
    if bundle is None:
        if out == output.STANDARD_STREAM:
            return Layout(None, None, None, packages)
        directory = os.path.dirname(out) or os.curdir
        return Layout(
            directory, os.path.join(directory, MESHES), directory if is_relative else None,
            packages)
    directory = bundle.directory
    meshes = os.path.join(directory, MESHES, GENERATED)
    if not bundle.package:
        return Layout(directory, meshes, directory, packages)
    return Layout(
        directory, meshes, os.path.join(directory, to) if to == 'mjcf' else None,
        {bundle.package: directory, **packages})
