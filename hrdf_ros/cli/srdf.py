# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf srdf``: the semantic description that MoveIt needs beside the URDF."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from hrdf_ros.cli.options import (
    add_file_argument,
    add_load_options,
    add_position_options,
    load_shown,
    STANDARD_INPUT,
    whole_number,
)
from hrdf_ros.cli.output import (
    add_output_option,
    check_output,
    refuse_to_replace_a_source,
    write_output,
)
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import CommandError, UsageError, warn
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model

if TYPE_CHECKING:
    from hrdf_ros.moveit import DisabledPair, PlanningGroups, UrdfRobot

_DESCRIPTION = """\
Write the SRDF of a robot for MoveIt: planning groups from the base to each end
effector, end effectors, group states, passive joints, and the pairs of links
whose collisions need no check. The names are those of `hrdf convert FILE`."""
_EPILOG = """\
examples:
  hrdf srdf arm.hrdf -o arm.srdf
  hrdf srdf arm.hrdf --position elbow=1.2         of the group states
  hrdf srdf cell.sdf --group left=table:left_tool --group right=right_tool
  hrdf srdf arm.hrdf --no-collisions              without the collision library

Collisions are sampled: a pair that collides rarely needs many samples to be
found. The same --samples and --seed give the same pairs."""
_KINDS = ('fixed', 'planar', 'floating', 'none')


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    add_file_argument(parser)
    add_output_option(parser)
    add_group_option(parser)
    parser.add_argument(
        '--virtual-joint', choices=_KINDS, default='fixed',
        help='how the robot moves in the frame world (default fixed)')
    collisions = parser.add_argument_group(
        'collisions', "by the library coal: pip install 'hrdf_ros[srdf]'")
    collisions.add_argument(
        '--no-collisions', action='store_true', help='write no pairs of links')
    collisions.add_argument(
        '--samples', metavar='N', type=whole_number, default=10_000,
        help='random configurations that are tried (default 10000)')
    collisions.add_argument(
        '--seed', metavar='N', type=whole_number, default=1, help='of the random numbers')
    add_position_options(parser)
    add_load_options(parser)


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


def run(options: argparse.Namespace) -> int:
    """Write the SRDF and return 1 where the file has errors."""
    check_output(options)
    loaded = load_shown(options)
    refuse_to_replace_a_source(options.output, loaded.files)
    if loaded.model is None:
        return 1
    from hrdf_ros.moveit import write_srdf
    report = Report()
    robot = urdf_robot(loaded.model, options, report)
    planning = groups(robot, options)
    if not planning.groups:
        name = 'standard input' if options.file == STANDARD_INPUT else options.file
        warn(f'{name}: nothing moves, so there is no planning group')
    pairs = [] if options.no_collisions else _pairs(robot, options, report)
    show(report, options)
    if not report.ok:
        return 1
    write_output(
        write_srdf(robot, planning, pairs, virtual_joint=options.virtual_joint), options)
    return 0


def urdf_robot(model: Model, options: argparse.Namespace, report: Report) -> UrdfRobot:
    """Return the robot in the configuration of the options; problems go into the report."""
    from hrdf_ros.cli.configuration import solve
    from hrdf_ros.moveit import as_urdf, RobotTooLargeError
    state = solve(model, options.position, options.positions, None)
    report.extend(state.report)
    positions = {
        coordinate.name: position
        for coordinate, position in zip(model.coordinates, state.positions)}
    try:
        return as_urdf(model, positions)
    except RobotTooLargeError as error:
        raise CommandError(f'no planning groups: {error}') from None


def groups(robot: UrdfRobot, options: argparse.Namespace) -> PlanningGroups:
    """Return the planning groups that the options ask for."""
    from hrdf_ros.moveit import GroupError, planning_groups
    try:
        return planning_groups(robot, options.group)
    except GroupError as error:
        raise UsageError(f'--group: {error}') from None


def _pairs(
    robot: UrdfRobot, options: argparse.Namespace, report: Report,
) -> list[DisabledPair]:
    from hrdf_ros.moveit import CollisionLibraryError, disabled_pairs, RobotTooLargeError
    try:
        return disabled_pairs(robot, report, samples=options.samples, seed=options.seed)
    except CollisionLibraryError:
        raise UsageError(
            "collisions are checked by the library coal: pip install 'hrdf_ros[srdf]'; "
            'or write none of them, with --no-collisions') from None
    except RobotTooLargeError as error:
        raise CommandError(f'{error}; write none of them, with --no-collisions') from None
