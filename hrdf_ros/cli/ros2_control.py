# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf ros2-control``: the block and the parameters that ros2_control needs."""

from __future__ import annotations

import argparse
import os

from hrdf_ros.cli.options import (
    add_file_argument,
    add_load_options,
    add_position_options,
    load_shown,
)
from hrdf_ros.cli.output import (
    add_output_option,
    check_output,
    refuse_to_replace_a_source,
    write_output,
)
from hrdf_ros.cli.show import show
from hrdf_ros.cli.srdf import (
    add_driver_options,
    add_group_option,
    groups,
    hardware,
    urdf_robot,
)
from hrdf_ros.cli.usage import UsageError, warn
from hrdf_ros.diagnostics import Report
from hrdf_ros.file_writer import replace_file
from hrdf_ros.model import Model

_DESCRIPTION = """\
Write the <ros2_control> block of a robot, for `hrdf convert --urdf-extra` or
the parameter urdf_extra of the node: joints with limits and initial positions,
driven by mock hardware or a plugin. The names are those of `hrdf convert FILE`.
`hrdf moveit` writes it with all other files."""
_EPILOG = """\
examples:
  hrdf ros2-control arm.hrdf -o control.xml --controllers controllers.yaml
  hrdf convert arm.hrdf --urdf-extra control.xml -o arm.urdf
  hrdf ros2-control arm.hrdf --driver my_robot/Driver"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    add_file_argument(parser)
    add_output_option(parser)
    parser.add_argument('--name', help='of the hardware; default: the name of the robot')
    parser.add_argument(
        '--controllers', metavar='FILE',
        help='write the parameters of the controllers to this file: a trajectory controller for '
        'each planning group, and the joint state broadcaster')
    add_group_option(parser)
    add_driver_options(parser)
    add_position_options(parser)
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Write the block and return 1 where the file has errors."""
    _check(options)
    loaded = load_shown(options)
    for out in filter(None, (options.output, options.controllers)):
        refuse_to_replace_a_source(out, loaded.files, loaded.model)
    if loaded.model is None:
        return 1
    from hrdf_ros.moveit import write_block, write_controllers
    report = Report()
    robot = urdf_robot(loaded.model, options, report)
    planning = groups(robot, options)
    show(report, options)
    if not report.ok:
        return 1
    _warn(loaded.model)
    driven = hardware(robot, options, {})
    if options.controllers:
        text = write_controllers(robot, planning, driven)
        replace_file(options.controllers, text.encode('utf-8'))
    write_output(write_block(robot, driven), options)
    return 0


def _check(options: argparse.Namespace) -> None:
    check_output(options)
    if options.group and not options.controllers:
        raise UsageError('--group is for --controllers, which is not given')
    both = [os.path.realpath(file) for file in (options.output, options.controllers) if file]
    if len(both) != len(set(both)):
        raise UsageError('-o and --controllers name the same file')


def _warn(model: Model) -> None:
    """Warn of a block that the description already has: a joint may be in one only."""
    for extension in model.extensions:
        if extension.tag == 'ros2_control':
            where = '' if extension.location is None else f'{extension.location.resolve()}: '
            warn(
                f'{where}the description already has a <ros2_control> block; ros2_control refuses '
                'a joint that is in two')
