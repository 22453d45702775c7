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
from hrdf_ros.cli.options import (
    add_file_argument,
    add_load_options,
    add_position_options,
    limits,
    load_shown,
    trusted,
)
from hrdf_ros.cli.output import refuse_to_replace_a_source
from hrdf_ros.cli.show import count_of, show
from hrdf_ros.cli.srdf import (
    add_collision_options,
    add_driver_options,
    add_group_option,
    disabled,
    groups,
    hardware,
    urdf_robot,
)
from hrdf_ros.cli.usage import CommandError, UsageError, warn
from hrdf_ros.diagnostics import printable, Report
from hrdf_ros.model import Model
from hrdf_ros.resolve import Resolver
from hrdf_ros.writers.files import named_files, NamedFile, with_uris

if TYPE_CHECKING:
    from hrdf_ros.moveit import Planning

_DESCRIPTION = """\
Write the MoveIt configuration package of a robot: URDF with ros2_control,
SRDF, kinematics, joint limits, controllers, RViz and launch files, for
MoveItConfigsBuilder('NAME')."""
_EPILOG = """\
examples:
  hrdf moveit arm.urdf -o arm_moveit_config
  hrdf moveit arm.urdf -o arm_moveit_config --update   after a change of it
  hrdf moveit kit.cfg.yaml -o kit_moveit_config --driver hebi
  hrdf moveit cell.sdf -o cell_moveit_config --group arm=table:tool

--update replaces the files that nobody has changed; what would replace another
one is written as NAME.new beside it."""
_SUFFIX = '_moveit_config'
_PACKAGE = re.compile('[a-z](?:_?[a-z0-9])*')
_NAMED = re.compile(r'package://([A-Za-z][\w-]*)/', re.ASCII)
_MAINTAINER = re.compile(r'([^<>]*[^<>\s])\s*<([^<>@\s]+@[^<>@\s]+)>')


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    add_file_argument(parser)
    parser.add_argument(
        '-o', '--output', metavar='DIR', required=True,
        help='the package to write: NAME_moveit_config')
    parser.add_argument(
        '--update', action='store_true', help='write into a package of this command')
    add_group_option(parser)
    add_collision_options(parser)
    add_driver_options(parser)
    manifest = parser.add_argument_group('package.xml')
    manifest.add_argument(
        '--maintainer', metavar='NAME <EMAIL>', type=_maintainer,
        default=('maintainer', 'maintainer@example.com'), help='(default a placeholder)')
    manifest.add_argument(
        '--license', default='Proprietary', help='of the package (default Proprietary)')
    add_position_options(parser)
    add_load_options(parser)


def _maintainer(text: str) -> tuple[str, str]:
    found = _MAINTAINER.fullmatch(text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME <EMAIL>")
    return found[1], found[2]


def run(options: argparse.Namespace) -> int:
    """Write the package and return 1 where the file has errors."""
    package = _package_name(options.output)
    loaded = load_shown(options)
    if loaded.model is None:
        return 1
    from hrdf_ros.moveit import Planning
    from hrdf_ros.moveit.driver_files import default_parameters
    report, model = Report(), _without_control(loaded.model)
    if any(found.code == codes.MIMIC_INVALID.name for found in loaded.report):
        model = model._replace(source=None)  # as it came MoveIt would take it for a mimic
    robot = urdf_robot(model, options, report)
    planned = groups(robot, options)
    if not planned.groups:
        raise CommandError('nothing moves, so there is nothing to plan')
    driven = hardware(
        robot, options, default_parameters(options.driver, model, planned, package))
    planning = Planning(
        robot, planned, disabled(robot, options, report), options.virtual_joint, driven)
    files = {
        **_driver_files(model, planning, options, report),
        **_files(model, planning, package, options, report)}
    show(report, options)
    if not report.ok:
        return 1
    for name in files:
        refuse_to_replace_a_source(os.path.join(options.output, name), loaded.files)
    _write(files, options)
    return 0


def _package_name(directory: str) -> str:
    name = directory and os.path.basename(os.path.abspath(directory))
    if _PACKAGE.fullmatch(name) is None:
        raise UsageError(
            f"-o: '{name}' is not the name of a package: lower-case letters, digits and single _")
    return name


def _without_control(model: Model) -> Model:
    """Return the Model without blocks of ros2_control: the package has its own."""
    kept = []
    for extension in model.extensions:
        if extension.tag != 'ros2_control':
            kept.append(extension)
            continue
        where = '' if extension.location is None else f'{extension.location.resolve()}: '
        warn(f'{where}the package replaces this <ros2_control>; --driver names its plugin')
    if len(kept) == len(model.extensions):
        return model
    return model._replace(extensions=tuple(kept), source=None)


def _driver_files(
    model: Model, planning: Planning, options: argparse.Namespace, report: Report,
) -> dict[str, bytes]:
    """Return the files of the package that the parameters of the driver name."""
    from hrdf_ros.moveit import write_block
    from hrdf_ros.moveit.driver_files import hebi_files, mujoco_files, OutsideError
    given = dict(options.driver_parameter)
    if options.driver == 'mujoco' and 'mujoco_model' not in given:
        return mujoco_files(
            model, write_block(planning.robot, planning.hardware), options.output,
            trusted(options), limits(options).bundle_bytes, report)
    if options.driver == 'hebi' and 'config_file' not in given:
        try:
            return hebi_files(model)
        except OutsideError as error:
            raise CommandError(str(error)) from None
    return {}


def _files(
    model: Model, planning: Planning, package: str, options: argparse.Namespace, report: Report,
) -> dict[str, bytes]:
    """Return the files of the package by path in it."""
    from hrdf_ros.moveit import gazebo_plugins, make_package, Package, XacroError
    from hrdf_ros.writers.bundle import GENERATED, MESHES
    from hrdf_ros.writers.urdf import make_urdf, UrdfOptions
    copied, files = _with_copies(model, package, options, report)
    resolver = Resolver(
        options.path, {package: options.output, **dict(options.package)}, limits=limits(options))
    text, written, meshes = make_urdf(copied, UrdfOptions(
        resolver=resolver, mesh_directory=os.path.join(options.output, MESHES, GENERATED)))
    report.extend(written)
    generated = {os.path.relpath(file, options.output): data for file, data in meshes.items()}
    author, email = options.maintainer
    made = Package(
        name=package, robot=package.removesuffix(_SUFFIX), author=author, email=email,
        license=options.license, dependencies=_dependencies(copied), files={**files, **generated})
    try:
        found = make_package(made, planning, text)
    except XacroError as error:
        raise CommandError(str(error)) from None
    if options.driver == 'gz' and (plugins := gazebo_plugins(text)):
        warn(f'Gazebo loads the plugins that the robot names: {", ".join(plugins)}')
    return found


def _with_copies(
    model: Model, package: str, options: argparse.Namespace, report: Report,
) -> tuple[Model, Mapping[str, bytes]]:
    """Return the Model with copies of its files that are in no package, and their content."""
    if all(_is_packaged(named) for named, _ in named_files(model)):
        return model, {}
    from hrdf_ros.writers.bundle import collect
    own = with_uris(
        model, lambda named: named._replace(file=None) if _is_packaged(named) else named)
    return collect(
        own, f'package://{package}/', report, trusted=trusted(options),
        most=limits(options).bundle_bytes)


def _is_packaged(named: NamedFile) -> bool:
    return named.uri.startswith('package://') or named.file is None


def _dependencies(model: Model) -> frozenset[str]:
    """Return the packages that the description names."""
    found = (_NAMED.match(named.uri) for named, _ in named_files(model))
    return frozenset(match[1] for match in found if match is not None)


def _write(files: Mapping[str, bytes], options: argparse.Namespace) -> None:
    """Write the package and print what was written."""
    from hrdf_ros.moveit import UpdateError, write_package
    try:
        changes = write_package(options.output, files, update=options.update)
    except UpdateError as error:
        raise CommandError(str(error)) from None
    print(printable(f'{options.output}: {count_of(len(changes.written), "file")} written'))
    for name in changes.beside:
        print(printable(f'{name}: {name.removesuffix(".new")} was changed and stays'))
