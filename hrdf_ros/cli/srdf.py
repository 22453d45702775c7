# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf srdf``: the semantic description that MoveIt needs beside the URDF."""

from __future__ import annotations

import argparse

from hrdf_ros.cli.options import (
    add_file_argument,
    add_load_options,
    add_position_options,
    load_shown,
    STANDARD_INPUT,
)
from hrdf_ros.cli.output import (
    add_output_option,
    check_output,
    refuse_to_replace_a_source,
    write_output,
)
from hrdf_ros.cli.planning import (
    add_collision_options,
    add_group_option,
    disabled,
    groups,
    urdf_robot,
)
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import warn
from hrdf_ros.diagnostics import Report

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


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    add_file_argument(parser)
    add_output_option(parser)
    add_group_option(parser)
    add_collision_options(parser)
    add_position_options(parser)
    add_load_options(parser)


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
    pairs = disabled(robot, options, report)
    show(report, options)
    if not report.ok:
        return 1
    write_output(
        write_srdf(robot, planning, pairs, virtual_joint=options.virtual_joint), options)
    return 0
