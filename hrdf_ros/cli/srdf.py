# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf srdf`` and ``hrdf ros2-control``, and what they share with moveit."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
import os
from typing import TYPE_CHECKING

from hrdf_ros.cli.loading import has_configuration, POSITIONS, read_model, READING
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
from hrdf_ros.cli.output import (
    CommandError,
    errors_as,
    show_or_fail,
    STANDARD_STREAM,
    unknown,
    UsageError,
    warn,
    write_output,
)
from hrdf_ros.diagnostics import Report
from hrdf_ros.file_writer import replace_file
from hrdf_ros.model import Model

if TYPE_CHECKING:
    from hrdf_ros import moveit

_INTERFACES = ('position', 'velocity', 'effort', 'acceleration')


def _interfaces(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(text.split(',')))
    for name in names:
        if name not in _INTERFACES:
            raise argparse.ArgumentTypeError(unknown('interface', name, _INTERFACES))
    return names


GROUP = Option(
    '--group NAME=[BASE:]TIP', 'a planning group from one link to another, in place of those from '
    'the base to each end effector; repeatable', matching(
        r'([^\W\d]\w*)=(?:(.*):)?([^:]+)',
        'NAME=TIP or NAME=BASE:TIP, with a NAME of letters, digits and _'), many=True)
VIRTUAL_JOINT = Option(
    '--virtual-joint', 'how the robot moves in the frame world (default fixed)', default='fixed',
    choices=('fixed', 'planar', 'floating', 'none'))
COLLISIONS = Group('collisions', (
    Option('--no-collisions', 'disable those of adjacent links only'),
    Option(
        '--samples N', 'random configurations that are tried (default 10000)', whole_number,
        10_000),
    Option('--seed N', 'of the random numbers', whole_number, 1)),
    'by the library coal: pip install coal')
HARDWARE = Group('hardware', (
    Option(
        '--driver NAME', 'mock (default), gz, hebi, mujoco, or a plugin of ros2_control: '
        'PACKAGE/CLASS', default='mock'),
    Option(
        '--driver-parameter NAME=VALUE', 'a parameter of the driver; repeatable',
        matching('(?s)([^=]+)=(.*)', 'NAME=VALUE'), many=True),
    Option(
        '--interfaces NAME,...', f'the commanded interfaces, of {", ".join(_INTERFACES)} (default '
        'position; hebi: position,velocity)', _interfaces)))


@command(FILE, OUTPUT, GROUP, VIRTUAL_JOINT, COLLISIONS, POSITIONS, READING)
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
    model, _ = read_model(options)
    from hrdf_ros import moveit
    report = Report()
    robot = urdf_robot(model, options, report)
    planning = groups(robot, options)
    if not planning.groups:
        name = 'standard input' if options.file == STANDARD_STREAM else options.file
        warn(f'{name}: nothing moves, so there is no planning group')
    pairs = disabled(robot, options, report)
    show_or_fail(report, options)
    write_output(
        moveit.write_srdf(robot, planning, pairs, virtual_joint=options.virtual_joint),
        options.output)
    return 0


@command(
    FILE, OUTPUT, Option('--name NAME', 'of the hardware; default: the name of the robot'),
    Option(
        '--controllers FILE', 'write the parameters of the controllers to this file: a trajectory '
        'controller for each planning group, and the joint state broadcaster', OutputFile),
    GROUP, HARDWARE, POSITIONS, READING)
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
        raise UsageError('--group is for --controllers, which is not given')
    if options.controllers and (
            os.path.realpath(options.controllers) == os.path.realpath(options.output)):
        raise UsageError('-o and --controllers name the same file')
    model, _ = read_model(options)
    from hrdf_ros import moveit
    report = Report()
    robot = urdf_robot(model, options, report)
    planning = groups(robot, options)
    show_or_fail(report, options)
    for where in control_blocks(model):
        warn(f'{where}the description already has a <ros2_control> block; ros2_control refuses a '
             'joint that is in two')
    driven = hardware(robot, options, {})
    if options.controllers:
        text = moveit.write_controllers(robot, planning, driven)
        replace_file(options.controllers, text.encode('utf-8'))
    write_output(moveit.write_block(robot, driven), options.output)
    return 0


def control_blocks(model: Model) -> list[str]:
    """Return the place of each block of ros2_control, as a message begins with it."""
    return ['' if extension.location is None else f'{extension.location.resolve()}: '
            for extension in model.extensions if extension.tag == 'ros2_control']


def urdf_robot(model: Model, options: argparse.Namespace, report: Report) -> moveit.UrdfRobot:
    """Return the robot in the configuration of the options; problems go into the report."""
    from hrdf_ros import moveit
    given = None
    if has_configuration(options):
        from hrdf_ros.cli.configuration import solve
        state = solve(model, options)
        report.extend(state.report)
        given = dict(zip((coordinate.name for coordinate in model.coordinates), state.positions))
    with errors_as(CommandError, moveit.RobotTooLargeError, 'no planning groups: {error}'):
        return moveit.as_urdf(model, given)


def groups(robot: moveit.UrdfRobot, options: argparse.Namespace) -> moveit.PlanningGroups:
    """Return the planning groups that the options ask for."""
    from hrdf_ros import moveit
    with errors_as(UsageError, moveit.GroupError, '--group: {error}'):
        return moveit.planning_groups(
            robot, [(name, base or '', tip) for name, base, tip in options.group])


def disabled(
    robot: moveit.UrdfRobot, options: argparse.Namespace, report: Report,
) -> list[moveit.DisabledPair]:
    """Return the pairs whose collisions are not checked: adjacent ones only, or all found."""
    from hrdf_ros import moveit
    if not options.no_collisions:
        try:
            return moveit.disabled_pairs(
                robot, report, samples=options.samples, seed=options.seed)
        except moveit.CollisionLibraryError:
            warn('only collisions of adjacent links are disabled; others are found by the library '
                 'coal: pip install coal')
        except moveit.RobotTooLargeError as error:
            warn(f'only collisions of adjacent links are disabled: {error}')
    return moveit.adjacent_pairs(robot)


def hardware(
    robot: moveit.UrdfRobot, options: argparse.Namespace, defaults: Mapping[str, str],
) -> moveit.Hardware:
    """Return the hardware; the options win over the ``defaults`` of its parameters."""
    from hrdf_ros import moveit
    driver = moveit.DRIVERS.get(options.driver)
    if driver is None:
        package, separator, _ = options.driver.partition('/')
        if not separator:
            raise UsageError(f'--driver: {unknown("driver", options.driver, moveit.DRIVERS)}')
        driver = moveit.Driver(options.driver, packages=(package,))
    parameters = {**defaults, **dict(options.driver_parameter)}
    missing = [name for name in driver.required if name not in parameters]
    if missing:
        raise UsageError(
            f'--driver {options.driver} requires --driver-parameter {missing[0]}=VALUE')
    return moveit.Hardware(
        getattr(options, 'name', None) or robot.model.name, driver, tuple(parameters.items()),
        options.interfaces or driver.interfaces)
