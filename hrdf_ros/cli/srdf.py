# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf srdf``, and the options and decisions that it shares with moveit and ros2-control."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hrdf_ros.cli import options as shared
from hrdf_ros.cli.output import (
    add_output_option,
    check_output,
    refuse_to_replace_a_source,
    write_output,
)
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import CommandError, unknown, UsageError, warn
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model

if TYPE_CHECKING:
    from hrdf_ros.moveit import DisabledPair, Driver, Hardware, PlanningGroups, UrdfRobot

_DESCRIPTION = """\
Write the SRDF of a robot for MoveIt: planning groups from the base to each end
effector, end effectors, group states, passive joints, and the pairs of links
whose collisions need no check. The names are those of `hrdf convert FILE`.
`hrdf moveit` writes it with all other files."""
_EPILOG = """\
examples:
  hrdf srdf arm.hrdf -o arm.srdf
  hrdf srdf arm.hrdf --position elbow=1.2         of the state home
  hrdf srdf cell.sdf --group left=table:left_tool --group right=right_tool

Collisions are sampled: a pair that collides rarely needs many samples to be
found. The same --samples and --seed give the same pairs."""
_VIRTUAL_JOINTS = ('fixed', 'planar', 'floating', 'none')
_INTERFACES = ('position', 'velocity', 'effort', 'acceleration')
_INSTALL = 'collisions are checked by the library coal: pip install coal'


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    shared.add_file_argument(parser)
    add_output_option(parser)
    add_group_option(parser)
    add_collision_options(parser)
    shared.add_position_options(parser)
    shared.add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Write the SRDF and return 1 where the file has errors."""
    check_output(options)
    loaded = shared.load_shown(options)
    refuse_to_replace_a_source(options.output, loaded.files, loaded.model)
    if loaded.model is None:
        return 1
    from hrdf_ros.moveit import write_srdf
    report = Report()
    robot = urdf_robot(loaded.model, options, report)
    planning = groups(robot, options)
    if not planning.groups:
        name = 'standard input' if options.file == shared.STANDARD_INPUT else options.file
        warn(f'{name}: nothing moves, so there is no planning group')
    pairs = disabled(robot, options, report)
    show(report, options)
    if not report.ok:
        return 1
    write_output(
        write_srdf(robot, planning, pairs, virtual_joint=options.virtual_joint), options)
    return 0


# ---- shared with moveit and ros2-control

def add_group_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names planning groups."""
    parser.add_argument(
        '--group', metavar='NAME=[BASE:]TIP', action='append', default=[], type=_group,
        help='a planning group from one link to another, in place of those from the base to '
        'each end effector; repeatable')


def _group(text: str) -> tuple[str, str, str]:
    name, separator, links = text.partition('=')
    base, _, tip = links.rpartition(':')
    if not (name.isidentifier() and separator and tip):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not NAME=TIP or NAME=BASE:TIP, with a NAME of letters, digits and _")
    return name, base, tip


def add_collision_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the SRDF beside its groups."""
    parser.add_argument(
        '--virtual-joint', choices=_VIRTUAL_JOINTS, default='fixed',
        help='how the robot moves in the frame world (default fixed)')
    collisions = parser.add_argument_group('collisions', 'by the library coal: pip install coal')
    collisions.add_argument(
        '--no-collisions', action='store_true', help='disable those of adjacent links only')
    collisions.add_argument(
        '--samples', metavar='N', type=shared.whole_number, default=10_000,
        help='random configurations that are tried (default 10000)')
    collisions.add_argument(
        '--seed', metavar='N', type=shared.whole_number, default=1, help='of the random numbers')


def add_driver_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the hardware."""
    driver = parser.add_argument_group('hardware')
    driver.add_argument(
        '--driver', metavar='NAME', default='mock',
        help='mock (default), gz, hebi, mujoco, or a plugin of ros2_control: PACKAGE/CLASS')
    driver.add_argument(
        '--driver-parameter', metavar='NAME=VALUE', action='append', default=[], type=_parameter,
        help='a parameter of the driver; repeatable')
    driver.add_argument(
        '--interfaces', metavar='NAME,...', type=_interfaces,
        help=f'the commanded interfaces, of {", ".join(_INTERFACES)} (default position; hebi: '
        'position,velocity)')


def _parameter(text: str) -> tuple[str, str]:
    name, separator, value = text.partition('=')
    if not (name and separator):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


def _interfaces(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(text.split(',')))
    for name in names:
        if name not in _INTERFACES:
            raise argparse.ArgumentTypeError(unknown('interface', name, _INTERFACES))
    return names


def urdf_robot(model: Model, options: argparse.Namespace, report: Report) -> UrdfRobot:
    """Return the robot in the configuration of the options; problems go into the report."""
    from hrdf_ros.moveit import as_urdf, RobotTooLargeError
    given = None
    if shared.has_configuration(options):
        from hrdf_ros.cli.configuration import solve
        state = solve(model, options.position, options.positions, None)
        report.extend(state.report)
        given = {
            coordinate.name: position
            for coordinate, position in zip(model.coordinates, state.positions)}
    try:
        return as_urdf(model, given)
    except RobotTooLargeError as error:
        raise CommandError(f'no planning groups: {error}') from None


def groups(robot: UrdfRobot, options: argparse.Namespace) -> PlanningGroups:
    """Return the planning groups that the options ask for."""
    from hrdf_ros.moveit import GroupError, planning_groups
    try:
        return planning_groups(robot, options.group)
    except GroupError as error:
        raise UsageError(f'--group: {error}') from None


def disabled(
    robot: UrdfRobot, options: argparse.Namespace, report: Report,
) -> list[DisabledPair]:
    """Return the pairs whose collisions are not checked: adjacent ones only, or all found."""
    from hrdf_ros.moveit import (
        adjacent_pairs,
        CollisionLibraryError,
        disabled_pairs,
        RobotTooLargeError,
    )
    if not options.no_collisions:
        try:
            return disabled_pairs(robot, report, samples=options.samples, seed=options.seed)
        except CollisionLibraryError:
            warn(f'only collisions of adjacent links are disabled; {_INSTALL}')
        except RobotTooLargeError as error:
            warn(f'only collisions of adjacent links are disabled: {error}')
    return adjacent_pairs(robot)


def hardware(
    robot: UrdfRobot, options: argparse.Namespace, defaults: Mapping[str, str],
) -> Hardware:
    """Return the hardware; the options win over the ``defaults`` of its parameters."""
    from hrdf_ros.moveit import Hardware
    driver = _driver(options.driver)
    parameters = {**defaults, **dict(options.driver_parameter)}
    missing = [name for name in driver.required if name not in parameters]
    if missing:
        raise UsageError(
            f'--driver {options.driver} requires --driver-parameter {missing[0]}=VALUE')
    return Hardware(
        getattr(options, 'name', None) or robot.model.name, driver, tuple(parameters.items()),
        options.interfaces or driver.interfaces)


def _driver(name: str) -> Driver:
    from hrdf_ros.moveit import Driver, DRIVERS
    if name in DRIVERS:
        return DRIVERS[name]
    package, separator, _ = name.partition('/')
    if not separator:
        raise UsageError(f'--driver: {unknown("driver", name, DRIVERS)}')
    return Driver(name, packages=(package,))
