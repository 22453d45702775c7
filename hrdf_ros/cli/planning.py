# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The robot as MoveIt plans for it: planning groups, home, collisions and hardware."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import sys
from typing import NamedTuple, Optional, TYPE_CHECKING

from hrdf_ros.cli import output
from hrdf_ros.cli.positions import Positions
from hrdf_ros.diagnostics import Report
from hrdf_ros.listing import count_of, first_of
from hrdf_ros.model import Model

if TYPE_CHECKING:
    from hrdf_ros import moveit

_LISTED = 5
"""The maximum number of names or pairs that a message lists."""


class CollisionSampling(NamedTuple):
    """How pairs of links that never collide are found."""

    are_sampled: bool
    samples: int
    seed: int


class HardwareOptions(NamedTuple):
    """The hardware that the user wants: a driver, its parameters, the command interfaces."""

    driver: str
    parameters: Mapping[str, str]
    interfaces: Optional[tuple[str, ...]]
    name: Optional[str] = None


def planned_robot(
    model: Model, positions: Positions,
    groups: Sequence[tuple[str, Optional[str], str]], report: Report,
) -> tuple[moveit.UrdfRobot, moveit.PlanningGroups]:
    """Return the robot at the positions, with the given planning groups or else all groups."""
    from hrdf_ros import moveit
    given = None
    if positions.are_given:
        from hrdf_ros.cli.configuration import solve
        state = solve(model, positions)
        report.extend(state.report)
        given = dict(zip((one.name for one in model.coordinates), state.positions))
    with output.errors_as(
            output.CommandError, moveit.RobotTooLargeError, 'no planning groups: {error}'):
        robot = moveit.as_urdf(model, given, {name for name, _ in positions.named})
    with output.errors_as(output.UsageError, moveit.GroupError, '--group: {error}'):
        planning = moveit.planning_groups(
            robot, [(name, base or '', tip) for name, base, tip in groups])
    if planning.groups and not groups and not planning.has_arm:
        output.warn(
            f'no planning group has {moveit.ARM_JOINTS} joints or more, as an arm has: if this is '
            'a gripper, attach it to its arm and use the description of both')
    elif planning.groups and not groups and (wheels := moveit.wheel_joints(robot)):
        note(f'{count_of(len(wheels), "joint")} of wheels are in no planning group')
    return robot, planning


def nothing_to_plan(robot: moveit.UrdfRobot) -> str:
    """Return why a robot has no planning group, and what to do about it."""
    from hrdf_ros import moveit
    wheels = moveit.wheel_joints(robot)
    if not wheels:
        return 'nothing moves, so there is no planning group'
    names = first_of([f"'{name}'" for name in wheels], _LISTED)
    return (
        f'nothing moves but wheels ({names}), so there is no planning group: this is a mobile '
        'base without an arm. Nav2 drives it, with diff_drive_controller and the block that `hrdf '
        'ros2-control` writes; attach an arm to plan for, or name a group with --group')


def with_checked_pairs(
    robot: moveit.UrdfRobot, collisions: CollisionSampling, report: Report,
) -> tuple[moveit.UrdfRobot, moveit.LinkPairs]:
    """Return the robot with its home, and which pairs of links MoveIt has to check."""
    from hrdf_ros import moveit
    pairs = moveit.LinkPairs(moveit.adjacent_pairs(robot), [])
    if not collisions.are_sampled:
        return robot, pairs
    try:
        search = moveit.CollisionSearch(
            robot, report, samples=collisions.samples, seed=collisions.seed)
    except moveit.CollisionLibraryError:
        output.warn(
            'only collisions of adjacent links are disabled; others are found by the library '
            'coal: pip install coal')
        return robot, pairs
    except moveit.RobotTooLargeError as error:
        output.warn(f'only collisions of adjacent links are disabled: {error}')
        return robot, pairs
    robot, pairs = _at_home(robot, search), search.pairs()
    for pair in pairs.checked:
        if pair.is_default:
            note(
                f"'{pair.first}' and '{pair.second}' collide at MoveIt's default "
                f'({moveit.millimeters(pair.least)} mm); they stay checked, since they are '
                f'{moveit.millimeters(pair.most)} mm apart elsewhere')
    return robot, pairs


def _at_home(robot: moveit.UrdfRobot, search: moveit.CollisionSearch) -> moveit.UrdfRobot:
    """Return the robot at the first pose without a collision; say which it is, and why."""
    from hrdf_ros import moveit
    with output.errors_as(output.CommandError, moveit.StartError):
        pose, refused = search.start_pose()
    for name, pairs in refused.items():
        colliding = [f"'{first}' with '{second}'" for first, second in pairs]
        say = output.warn if name == moveit.GIVEN else note
        say(f'home is not {name}: links collide: {first_of(colliding, _LISTED)}')
    note(f'home is {pose.name}')
    return robot.starting_at(pose)


def note(message: str) -> None:
    """Write a remark to standard error."""
    output.say(f'hrdf: {message}', sys.stderr)


def hardware_for(
    robot: moveit.UrdfRobot, wanted: HardwareOptions, defaults: Mapping[str, str],
) -> moveit.Hardware:
    """Return the hardware; the parameters of the user win over the ``defaults``."""
    from hrdf_ros import moveit
    driver = moveit.DRIVERS.get(wanted.driver)
    if driver is None:
        package, separator, _ = wanted.driver.partition('/')
        if not separator:
            raise output.UsageError(
                f'--driver: {output.unknown("driver", wanted.driver, moveit.DRIVERS)}')
        driver = moveit.Driver(wanted.driver, packages=(package,))
    parameters = {**defaults, **wanted.parameters}
    missing = [name for name in driver.required if name not in parameters]
    if missing:
        raise output.UsageError(
            f'--driver {wanted.driver} requires --driver-parameter {missing[0]}=VALUE')
    return moveit.Hardware(
        wanted.name or robot.model.name, driver, tuple(parameters.items()),
        wanted.interfaces or driver.interfaces)
