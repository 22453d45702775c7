# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Write a MoveIt package or single files of it: ``hrdf moveit``, ``srdf``, ``ros2-control``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
import os
import re
from typing import NamedTuple, TYPE_CHECKING

from hrdf_ros import codes
from hrdf_ros.cli import loading, output
from hrdf_ros.cli.options import (
    command,
    FILE,
    Group,
    matching,
    Option,
    OUTPUT,
    OutputFile,
    whole_number,
)
from hrdf_ros.cli.planning import (
    CollisionSampling,
    hardware_for,
    HardwareOptions,
    note,
    nothing_to_plan,
    planned_robot,
    with_checked_pairs,
)
from hrdf_ros.cli.positions import POSITIONS, positions_of
from hrdf_ros.diagnostics import Report
from hrdf_ros.listing import count_of
from hrdf_ros.model import Model
from hrdf_ros.resolve import Resolver

if TYPE_CHECKING:
    from hrdf_ros import moveit

_SUFFIX = '_moveit_config'
_PACKAGE = re.compile('[a-z](?:_?[a-z0-9])*')
_NAMED = re.compile(r'package://([A-Za-z][\w-]*)/', re.ASCII)
_INTERFACES = ('position', 'velocity', 'effort', 'acceleration')


def _interfaces(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(text.split(',')))
    for name in names:
        if name not in _INTERFACES:
            raise argparse.ArgumentTypeError(output.unknown('interface', name, _INTERFACES))
    return names


class _PackageRequest(NamedTuple):
    """The package to write: its directory and name, and the facts in its package.xml."""

    directory: str
    name: str
    author: str
    email: str
    license: str  # noqa: A003
    reading: loading.Reading
    hardware: HardwareOptions


_GROUP = Option(
    '--group NAME=[BASE:]TIP', 'a planning group from one link to another, in place of those from '
    'the base to each end effector; repeatable', matching(
        r'([^\W\d]\w*)=(?:(.*):)?([^:]+)',
        'NAME=TIP or NAME=BASE:TIP, with a NAME of letters, digits and _'), many=True)
_VIRTUAL_JOINT = Option(
    '--virtual-joint', 'how the robot moves in the frame world (default fixed)', default='fixed',
    choices=('fixed', 'planar', 'floating', 'none'))
_COLLISIONS = Group('collisions', (
    Option('--no-collisions', 'disable those of adjacent links only'),
    Option(
        '--samples N', 'random configurations that are tried (default 10000)', whole_number,
        10_000),
    Option('--seed N', 'of the random numbers', whole_number, 1)),
    'by the library coal: pip install coal')
_HARDWARE = Group('hardware', (
    Option(
        '--driver NAME', 'mock (default), gz, hebi, mujoco, or a plugin of ros2_control: '
        'PACKAGE/CLASS', default='mock'),
    Option(
        '--driver-parameter NAME=VALUE', 'a parameter of the driver; repeatable',
        matching('(?s)([^=]+)=(.*)', 'NAME=VALUE'), many=True),
    Option(
        '--interfaces NAME,...', f'the commanded interfaces, of {", ".join(_INTERFACES)} (default '
        'position; hebi: position,velocity)', _interfaces)))


@command(FILE, OUTPUT, _GROUP, _VIRTUAL_JOINT, _COLLISIONS, POSITIONS, loading.READING)
def hrdf_srdf(options: argparse.Namespace) -> int:
    """
    Write the SRDF of a robot for MoveIt.

    It has planning groups from the base to each end effector, end effectors, group
    states, passive joints, and the pairs of links whose collisions need no check.
    The names are those of `hrdf convert FILE`. `hrdf moveit` writes it with all
    other files.

    for example:
      hrdf srdf arm.hrdf -o arm.srdf
      hrdf srdf arm.hrdf --position elbow=1.2         of the state home
      hrdf srdf cell.sdf --group left=table:left_tool --group right=right_tool

    Collisions are sampled: a pair that collides rarely needs many samples to be
    found. The same --samples and --seed give the same pairs.
    """
    reading, collisions = loading.reading_of(options), _sampling_of(options)
    model, _ = loading.read_model(reading)
    from hrdf_ros import moveit
    report = Report()
    robot, planning = planned_robot(model, positions_of(options), options.group, report)
    if not planning.groups:
        name = 'standard input' if options.file == output.STANDARD_STREAM else options.file
        output.warn(f'{name}: {nothing_to_plan(robot)}')
    robot, pairs = with_checked_pairs(robot, collisions, report)
    output.show_or_fail(report, reading.display)
    output.write_output(
        moveit.write_srdf(robot, planning, pairs, virtual_joint=options.virtual_joint),
        options.output)
    return 0


@command(
    FILE, OUTPUT, Option('--name NAME', 'of the hardware; default: the name of the robot'),
    Option(
        '--controllers FILE', 'write the parameters of the controllers to this file: a trajectory '
        'controller for each planning group, and the joint state broadcaster', OutputFile),
    _GROUP, _HARDWARE, POSITIONS, loading.READING)
def hrdf_ros2_control(options: argparse.Namespace) -> int:
    """
    Write the <ros2_control> block of a robot.

    It is for `hrdf convert --urdf-extra` or the parameter urdf_extra of the node:
    joints with limits and initial positions, driven by mock hardware or a plugin.
    The names are those of `hrdf convert FILE`. `hrdf moveit` writes it with all
    other files.

    for example:
      hrdf ros2-control arm.hrdf -o control.xml --controllers controllers.yaml
      hrdf convert arm.hrdf --urdf-extra control.xml -o arm.urdf
      hrdf ros2-control arm.hrdf --driver my_robot/Driver
    """
    if options.group and not options.controllers:
        raise output.UsageError('--group is for --controllers, which is not given')
    if options.controllers and (
            os.path.realpath(options.controllers) == os.path.realpath(options.output)):
        raise output.UsageError('-o and --controllers name the same file')
    reading = loading.reading_of(options)
    model, _ = loading.read_model(reading)
    from hrdf_ros import moveit
    report = Report()
    robot, planning = planned_robot(model, positions_of(options), options.group, report)
    output.show_or_fail(report, reading.display)
    for where in _control_blocks(model):
        output.warn(
            f'{where}the description already has a <ros2_control> block; ros2_control refuses a '
            'joint that is in two')
    driven = hardware_for(robot, _hardware_of(options)._replace(name=options.name), {})
    if options.controllers:
        output.write_output(moveit.write_controllers(robot, planning, driven), options.controllers)
    output.write_output(moveit.write_block(robot, driven), options.output)
    return 0


@command(
    FILE,
    Option(
        '-o, --output DIR', 'the package to write: NAME_moveit_config', more={'required': True}),
    Option('--update', 'write into a package of this command'),
    _GROUP, _VIRTUAL_JOINT, _COLLISIONS, _HARDWARE,
    Group('package.xml', (
        Option(
            '--maintainer NAME <EMAIL>', '(default a placeholder)', matching(
                r'([^<>]*[^<>\s])\s*<([^<>@\s]+@[^<>@\s]+)>', 'NAME <EMAIL>'),
            ('maintainer', 'maintainer@example.com')),
        Option(
            '--license LICENSE', 'of the package (default Proprietary)', default='Proprietary'))),
    POSITIONS, loading.READING)
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
    request, collisions = _package_of(options), _sampling_of(options)
    if options.update:
        request = _with_recorded_arguments(request)
    source, read = loading.read_model(request.reading)
    from hrdf_ros import moveit
    report, model = Report(), source
    if blocks := _control_blocks(source):
        for where in blocks:
            output.warn(
                f'{where}the package replaces this <ros2_control>; --driver names its plugin')
        model = source._replace(extensions=tuple(
            one for one in source.extensions if one.tag != 'ros2_control'))
    if any(found.code == codes.MIMIC_INVALID.name for found in read):
        # in the unchanged text, MoveIt would mistake the joint for a mimic
        model = model._replace(source=None)
    robot, planned = planned_robot(model, positions_of(options), options.group, report)
    if not planned.groups:
        raise output.CommandError(nothing_to_plan(robot))
    robot, pairs = with_checked_pairs(robot, collisions, report)
    driven = hardware_for(robot, request.hardware, moveit.default_parameters(
        request.hardware.driver, model, planned, request.name))
    planning = moveit.Planning(
        robot, planned, pairs, options.virtual_joint, driven)
    files = {
        **_driver_files(model, planning, request, report),
        **_files(model, planning, request, report),
        **moveit.arguments_file(request.reading.options.xacro_arguments or {})}
    output.show_or_fail(report, request.reading.display)
    loading.refuse_to_replace(
        (os.path.join(request.directory, name) for name in files), source.files)
    with output.errors_as(output.CommandError, moveit.PackageError):
        changes = moveit.write_package(request.directory, files, update=options.update)
    output.say(f'{request.directory}: {count_of(len(changes.written), "file")} written')
    for name in changes.beside:
        output.say(f'{name}: {name.removesuffix(".new")} was changed and stays')
    return 0


# ---- what the commands share

def _sampling_of(options: argparse.Namespace) -> CollisionSampling:
    return CollisionSampling(not options.no_collisions, options.samples, options.seed)


def _hardware_of(options: argparse.Namespace) -> HardwareOptions:
    return HardwareOptions(options.driver, dict(options.driver_parameter), options.interfaces)


def _package_of(options: argparse.Namespace) -> _PackageRequest:
    """Return the package to write; a name that no package may have raises UsageError."""
    directory: str = options.output
    package = directory and os.path.basename(os.path.abspath(directory))
    if _PACKAGE.fullmatch(package) is None:
        raise output.UsageError(
            f"-o: '{package}' is not the name of a package: lower-case letters, digits and "
            'single _')
    if os.pardir in directory.split(os.sep):  # the directories above it need not exist
        directory = os.path.realpath(directory)
    author, email = options.maintainer
    return _PackageRequest(
        directory=directory, name=package, author=author, email=email, license=options.license,
        reading=loading.reading_of(options), hardware=_hardware_of(options))


def _with_recorded_arguments(request: _PackageRequest) -> _PackageRequest:
    """Return the request with the xacro arguments of the last run; those given now win."""
    from hrdf_ros import moveit
    load = request.reading.request
    given = load.options.xacro_arguments or {}
    if not loading.is_expanded(load):
        return request
    with output.errors_as(output.CommandError, moveit.PackageError):
        arguments = {**moveit.read_arguments(request.directory), **given}
    if again := [f'{name}:={value}' for name, value in arguments.items() if name not in given]:
        note(f'xacro has the arguments of the package: {" ".join(again)}')
    return request._replace(reading=request.reading._replace(request=load._replace(
        options=load.options._replace(xacro_arguments=arguments))))


def _control_blocks(model: Model) -> list[str]:
    """Return the location of each <ros2_control> block as the start of a message."""
    return ['' if extension.location is None else f'{extension.location.resolve()}: '
            for extension in model.extensions if extension.tag == 'ros2_control']


# ---- the files of the package

def _driver_files(
    model: Model, planning: moveit.Planning, request: _PackageRequest, report: Report,
) -> dict[str, bytes]:
    """Return the files of the package that the driver's parameters name."""
    from hrdf_ros import moveit
    driver, given = request.hardware.driver, request.hardware.parameters
    if driver == 'mujoco' and 'mujoco_model' not in given:
        return moveit.mujoco_files(
            model, moveit.write_block(planning.robot, planning.hardware), request.directory,
            loading.trusted(request.reading), request.reading.options.limits.bundle_bytes, report)
    if driver == 'hebi' and 'config_file' not in given:
        with output.errors_as(output.CommandError, moveit.PackageError):
            return moveit.hebi_files(model)
    return {}


def _files(
    model: Model, planning: moveit.Planning, request: _PackageRequest, report: Report,
) -> dict[str, bytes]:
    """Return the files of the package by their paths in it."""
    from hrdf_ros import moveit
    from hrdf_ros.writers.bundle import GENERATED, MESHES
    from hrdf_ros.writers.files import named_files
    from hrdf_ros.writers.urdf import make_urdf, UrdfOptions
    copied, files = _with_copies(model, request, report)
    package, directory, options = request.name, request.directory, request.reading.options
    resolver = Resolver(
        options.path, {package: directory, **(options.packages or {})}, limits=options.limits)
    written = make_urdf(copied, UrdfOptions(
        resolver=resolver, mesh_directory=os.path.join(directory, MESHES, GENERATED)))
    report.extend(written.report)
    generated = {
        os.path.relpath(file, directory): data for file, data in written.meshes.items()}
    named = (_NAMED.match(one.uri) for one, _ in named_files(copied))
    made = moveit.Package(
        name=package, robot=package.removesuffix(_SUFFIX), author=request.author,
        email=request.email, license=request.license, files={**files, **generated},
        dependencies=frozenset(found[1] for found in named if found is not None))
    with output.errors_as(output.CommandError, moveit.PackageError):
        found = moveit.make_package(made, planning, written.text)
    if request.hardware.driver == 'gz' and (plugins := moveit.gazebo_plugins(written.text)):
        output.warn(f'Gazebo loads the plugins that the robot names: {", ".join(plugins)}')
    return found


def _with_copies(
    model: Model, request: _PackageRequest, report: Report,
) -> tuple[Model, Mapping[str, bytes]]:
    """Return the Model with copies of the files that are in no package, and their contents."""
    from hrdf_ros.writers.bundle import collect
    from hrdf_ros.writers.files import named_files, with_uris
    loose = [named for named, _ in named_files(model)
             if named.file is not None and not named.uri.startswith('package://')]
    if not loose:
        return model, {}
    own = with_uris(model, lambda named: named if named in loose else named._replace(file=None))
    return collect(
        own, f'package://{request.name}/', report, trusted=loading.trusted(request.reading),
        most=request.reading.options.limits.bundle_bytes)
