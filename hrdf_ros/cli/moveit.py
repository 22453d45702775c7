# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf moveit``: a MoveIt configuration package of a robot."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
import os
import re
from typing import TYPE_CHECKING

from hrdf_ros import codes
from hrdf_ros.cli import srdf
from hrdf_ros.cli.loading import (
    limits,
    POSITIONS,
    read_model,
    READING,
    refuse_to_replace,
    trusted,
)
from hrdf_ros.cli.options import command, FILE, Group, matching, Option
from hrdf_ros.cli.output import (
    CommandError,
    count_of,
    errors_as,
    say,
    show_or_fail,
    UsageError,
    warn,
)
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model
from hrdf_ros.resolve import Resolver
from hrdf_ros.writers.bundle import collect, GENERATED, MESHES
from hrdf_ros.writers.files import named_files, NamedFile, with_uris
from hrdf_ros.writers.urdf import make_urdf, UrdfOptions

if TYPE_CHECKING:
    from hrdf_ros import moveit

_SUFFIX = '_moveit_config'
_PACKAGE = re.compile('[a-z](?:_?[a-z0-9])*')
_NAMED = re.compile(r'package://([A-Za-z][\w-]*)/', re.ASCII)


@command(
    FILE,
    Option(
        '-o, --output DIR', 'the package to write: NAME_moveit_config', more={'required': True}),
    Option('--update', 'write into a package of this command'),
    srdf.GROUP, srdf.VIRTUAL_JOINT, srdf.COLLISIONS, srdf.HARDWARE,
    Group('package.xml', (
        Option(
            '--maintainer NAME <EMAIL>', '(default a placeholder)', matching(
                r'([^<>]*[^<>\s])\s*<([^<>@\s]+@[^<>@\s]+)>', 'NAME <EMAIL>'),
            ('maintainer', 'maintainer@example.com')),
        Option(
            '--license LICENSE', 'of the package (default Proprietary)', default='Proprietary'))),
    POSITIONS, READING)
def hrdf_moveit(options: argparse.Namespace) -> int:
    """
    Write the MoveIt configuration package of a robot.

    It has the URDF with ros2_control, SRDF, kinematics, joint limits, controllers,
    RViz and launch files, for MoveItConfigsBuilder('NAME').

    for example:
      hrdf moveit arm.urdf -o arm_moveit_config
      hrdf moveit arm.urdf -o arm_moveit_config --update   after a change of it
      hrdf moveit kit.cfg.yaml -o kit_moveit_config --driver hebi
      hrdf moveit cell.sdf -o cell_moveit_config --group arm=table:tool

    --update replaces the files that nobody has changed; what would replace another
    one is written as NAME.new beside it.
    """
    package = _package_name(options.output)
    if os.pardir in options.output.split(os.sep):  # the way there need not exist
        options.output = os.path.realpath(options.output)
    source, read = read_model(options)
    from hrdf_ros import moveit
    report, model = Report(), _without_control(source)
    if any(found.code == codes.MIMIC_INVALID.name for found in read):
        model = model._replace(source=None)  # as it came MoveIt would take it for a mimic
    robot = srdf.urdf_robot(model, options, report)
    planned = srdf.groups(robot, options)
    if not planned.groups:
        raise CommandError('nothing moves, so there is nothing to plan')
    driven = srdf.hardware(
        robot, options, moveit.default_parameters(options.driver, model, planned, package))
    planning = moveit.Planning(
        robot, planned, srdf.disabled(robot, options, report), options.virtual_joint, driven)
    files = {
        **_driver_files(model, planning, options, report),
        **_files(model, planning, package, options, report)}
    show_or_fail(report, options)
    refuse_to_replace((os.path.join(options.output, name) for name in files), source.files)
    with errors_as(CommandError, moveit.PackageError):
        changes = moveit.write_package(options.output, files, update=options.update)
    say(f'{options.output}: {count_of(len(changes.written), "file")} written')
    for name in changes.beside:
        say(f'{name}: {name.removesuffix(".new")} was changed and stays')
    return 0


def _package_name(directory: str) -> str:
    name = directory and os.path.basename(os.path.abspath(directory))
    if _PACKAGE.fullmatch(name) is None:
        raise UsageError(
            f"-o: '{name}' is not the name of a package: lower-case letters, digits and single _")
    return name


def _without_control(model: Model) -> Model:
    """Return the Model without blocks of ros2_control: the package has its own."""
    blocks = srdf.control_blocks(model)
    for where in blocks:
        warn(f'{where}the package replaces this <ros2_control>; --driver names its plugin')
    return model if not blocks else model._replace(source=None, extensions=tuple(
        extension for extension in model.extensions if extension.tag != 'ros2_control'))


def _driver_files(
    model: Model, planning: moveit.Planning, options: argparse.Namespace, report: Report,
) -> dict[str, bytes]:
    """Return the files of the package that the parameters of the driver name."""
    from hrdf_ros import moveit
    given = dict(options.driver_parameter)
    if options.driver == 'mujoco' and 'mujoco_model' not in given:
        return moveit.mujoco_files(
            model, moveit.write_block(planning.robot, planning.hardware), options.output,
            trusted(options), limits(options).bundle_bytes, report)
    if options.driver == 'hebi' and 'config_file' not in given:
        with errors_as(CommandError, moveit.PackageError):
            return moveit.hebi_files(model)
    return {}


def _files(
    model: Model, planning: moveit.Planning, package: str, options: argparse.Namespace,
    report: Report,
) -> dict[str, bytes]:
    """Return the files of the package by path in it."""
    from hrdf_ros import moveit
    copied, files = _with_copies(model, package, options, report)
    resolver = Resolver(
        options.path, {package: options.output, **dict(options.package)}, limits=limits(options))
    text, written, meshes = make_urdf(copied, UrdfOptions(
        resolver=resolver, mesh_directory=os.path.join(options.output, MESHES, GENERATED)))
    report.extend(written)
    generated = {os.path.relpath(file, options.output): data for file, data in meshes.items()}
    named = (_NAMED.match(one.uri) for one, _ in named_files(copied))
    author, email = options.maintainer
    made = moveit.Package(
        name=package, robot=package.removesuffix(_SUFFIX), author=author, email=email,
        license=options.license, files={**files, **generated},
        dependencies=frozenset(found[1] for found in named if found is not None))
    with errors_as(CommandError, moveit.PackageError):
        found = moveit.make_package(made, planning, text)
    if options.driver == 'gz' and (plugins := moveit.gazebo_plugins(text)):
        warn(f'Gazebo loads the plugins that the robot names: {", ".join(plugins)}')
    return found


def _with_copies(
    model: Model, package: str, options: argparse.Namespace, report: Report,
) -> tuple[Model, Mapping[str, bytes]]:
    """Return the Model with copies of its files that are in no package, and their content."""
    if all(_is_packaged(named) for named, _ in named_files(model)):
        return model, {}
    own = with_uris(
        model, lambda named: named._replace(file=None) if _is_packaged(named) else named)
    return collect(
        own, f'package://{package}/', report, trusted=trusted(options),
        most=limits(options).bundle_bytes)


def _is_packaged(named: NamedFile) -> bool:
    return named.uri.startswith('package://') or named.file is None
