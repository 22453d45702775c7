# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf move`` and ``hrdf echo``: move a running robot, follow its frames."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from math import degrees
import sys
from typing import Any, Optional

from hrdf_ros.cli.options import command, Option, valid
from hrdf_ros.cli.output import CommandError, errors_as, say, unknown, UsageError, warn
from hrdf_ros.cli.positions import DEGREES, named_position, Positions
from hrdf_ros.load import load_published
from hrdf_ros.parsing.quantities import Quantity
from hrdf_ros.pose import Pose, to_rpy

NO_ROS = (
    'hrdf {} requires ROS 2, which cannot be imported ({{error}}); source a ROS 2 installation, '
    'or see the README for one from PyPI')
"""The error message of a command that needs ROS where ROS is missing."""
_SECONDS = 1.0
"""The time in seconds that ``hrdf move`` publishes, and between two lines of ``hrdf echo``."""
_PATIENCE = 5.0
"""The time in seconds within which other nodes have to be found."""
_LOADING = 30.0
"""The time in seconds that a node may take to load its robot, as its request_timeout."""
_BESIDE = 1.0
"""The time in seconds within which further topics of a robot are found once one is known."""


def _running_system(name: str, ros_arguments: Sequence[str]) -> Any:
    with errors_as(CommandError, ImportError, NO_ROS.format(name)):
        module = import_module('hrdf_ros.node.running')  # it requires ROS
    return module.RunningSystem(f'hrdf_{name}', ros_arguments)


# ---- hrdf move

@command(
    Option(
        'JOINT...', 'NAME=VALUE, a joint and its position: 0.5, 30deg, pi/6, 50mm',
        valid(named_position, 'NAME=VALUE')),
    usage='hrdf move [OPTION...] NAME=VALUE... [--ros-args ...]')
def hrdf_move(options: argparse.Namespace) -> int:
    """
    Move joints of a running robot: publish joint_states for a second.

    Names, units and limits are checked by robot_description, where a node publishes
    it. Arguments after --ros-args go to ROS unchanged.

    for example:
      hrdf move elbow=0.5
      hrdf move base=-90deg elbow=pi/6
      hrdf move elbow=30deg --ros-args -r __ns:=/left    the robot in /left

    It requires ROS 2, but not the command ros2.
    """
    named = options.joints
    names = [name for name, _ in named]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"joint '{twice}' has two positions")
    with _running_system('move', options.ros_arguments) as system:
        robot = system.robot()
        description = _description(system, robot)
        if not robot.is_listening:
            raise CommandError(
                f'nobody listens to {robot.topic}. Start the robot, such as: hrdf node FILE; '
                'for a robot in a namespace add: --ros-args -r __ns:=/NAMESPACE')
        positions = _checked(description, named)
        robot.move(positions, _SECONDS)
        topic, listeners = robot.topic, robot.listeners
        others = system.other_publishers(topic)
    if others:
        warn(f'{", ".join(others)} publishes {topic} too, so the robot may not stay there')
    values = ', '.join(f'{name}={value:.6g}' for name, value in positions.items())
    say(f'sent {values} on {topic} to {", ".join(listeners)}')
    return 0


def _description(system: Any, robot: Any) -> Optional[str]:
    """Wait for a robot, and as long as its node loads it; return its description if it has one."""
    system.wait(_PATIENCE, lambda: robot.is_listening)
    system.wait(_BESIDE, lambda: robot.description or robot.offering)
    offering = robot.offering

    def is_loaded() -> bool:
        return robot.is_listening and robot.description is not None

    if offering and not system.wait(_BESIDE, is_loaded):
        names = ', '.join(offering)
        say(f'waiting for {names}, which may still load the robot ...', sys.stderr)
        system.wait(_LOADING, is_loaded)
    description: Optional[str] = robot.description
    return description


def _checked(
    description: Optional[str], named: Sequence[tuple[str, Quantity]],
) -> dict[str, float]:
    """Return the positions, checked against the description if there is one."""
    model = None if description is None else load_published(description).model
    if model is None:
        warn('there is no readable robot_description, so names and limits are not checked')
        return {name: quantity.value for name, quantity in named}
    from hrdf_ros.cli.configuration import solve  # imports numpy, the slowest part
    state = solve(model, Positions(None, named))
    for found in state.report:
        warn(found.message)
    names = [coordinate.name for coordinate in model.coordinates]
    return {name: state.positions[names.index(name)] for name, _ in named}


# ---- hrdf echo

@command(
    Option('FRAME', 'a frame of TF, or a name or tag that lookup_frame knows'),
    Option('--relative-to FRAME', 'give poses relative to this frame (default: the root)'),
    Option('--once', 'end after the first pose'), DEGREES,
    usage='hrdf echo [OPTION...] FRAME [--ros-args ...]')
def hrdf_echo(options: argparse.Namespace) -> int:
    """
    Follow a frame of a running robot: print its pose every second.

    The frame is looked up on TF. The service lookup_frame of a node knows more:
    frames that are not on TF, and the robot's root while no joint states arrive.
    Arguments after --ros-args go to ROS unchanged.

    for example:
      hrdf echo tool
      hrdf echo tool --relative-to elbow --degrees
      hrdf echo tool --once

    Poses are in meters and radians, roll-pitch-yaw about fixed axes. The command
    requires ROS 2, but not the command ros2. End it with Ctrl-C.
    """
    with suppress(KeyboardInterrupt), _running_system('echo', options.ros_arguments) as system:
        tree, last_root = system.listen_to_tf(), None
        system.wait(_PATIENCE, lambda: _pose_on_tf(tree, options.frame, options.relative_to))
        known_root = None if options.relative_to else _root_by_service(system, options.frame)
        while True:
            found = _pose_on_tf(tree, options.frame, options.relative_to)
            if found and (known_root is None or tree.relative(known_root, options.frame)):
                root, pose = found
            else:
                root, pose = _pose_by_service(system, tree, options.frame, options.relative_to)
            if root != last_root:  # it changes when the first joint states arrive
                print(_head(root, options.degrees))
            print(_line(options.frame, pose, options.degrees))
            sys.stdout.flush()
            if options.once:
                break
            last_root = root
            system.wait(_SECONDS)
    return 0


def _pose_on_tf(tree: Any, frame: str, relative_to: Optional[str]) -> Optional[tuple[str, Pose]]:
    """Return the frame that the pose is relative to, and the pose; None if TF does not have it."""
    if not tree.has(frame):
        return None
    root = [*tree.ancestors(frame)][-1] if relative_to is None else relative_to
    pose = tree.relative(root, frame)
    return None if pose is None else (root, pose)


def _root_by_service(system: Any, frame: str) -> Optional[str]:
    """Return the root frame that lookup_frame uses for a frame, None if no node answers."""
    no_lookup = import_module('hrdf_ros.node.running').NoLookup
    with suppress(no_lookup):
        found: tuple[str, Pose] = system.look_up(frame, '', _PATIENCE)
        return found[0]
    return None


def _pose_by_service(
    system: Any, tree: Any, frame: str, relative_to: Optional[str],
) -> tuple[str, Pose]:
    """Return the answer of lookup_frame; without an answer, raise CommandError with the reason."""
    no_lookup = import_module('hrdf_ros.node.running').NoLookup
    try:
        found: tuple[str, Pose] = system.look_up(frame, relative_to or '', _PATIENCE)
        return found
    except no_lookup as error:
        names = tree.frames
        if str(error):
            raise CommandError(str(error)) from None
    if not names:
        raise CommandError(
            'there are no frames on TF: start a node, such as hrdf node FILE, and send joint '
            'states, such as hrdf move NAME=VALUE')
    for name in filter(None, (frame, relative_to)):
        if name not in names:
            raise CommandError(unknown('frame', name, names))
    raise CommandError(
        f"TF does not connect '{frame}' and '{relative_to}'; hrdf doctor says why")


def _head(root: str, in_degrees: bool) -> str:
    unit = ' deg' if in_degrees else ''
    names = ('x', 'y', 'z', *(f'{angle}{unit}' for angle in ('roll', 'pitch', 'yaw')))
    return f'in {root}\n{"":16}' + ''.join(f'{name:>{_width(in_degrees)}}' for name in names)


def _line(frame: str, pose: Pose, in_degrees: bool) -> str:
    per_radian = degrees(1.0) if in_degrees else 1.0
    values = (*pose.position, *(angle * per_radian for angle in to_rpy(pose)))
    return f'{frame:16}' + ''.join(
        f'{round(value, 6) + 0.0:{_width(in_degrees)}.6f}' for value in values)


def _width(in_degrees: bool) -> int:
    """Return the characters of a column: a space, a sign, the number with six decimals."""
    return len(' -180.000000') if in_degrees else len(' -99.000000')
