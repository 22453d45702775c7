# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf node``: the ROS 2 node."""

from __future__ import annotations

import argparse
from importlib import import_module
from json import dumps

from hrdf_ros.cli.options import add_load_options
from hrdf_ros.cli.usage import UsageError

_DESCRIPTION = """\
Run the ROS 2 node: it publishes robot_description, TF from joint_states, and
answers lookup_frame, list_frames, validate, convert and reload. What follows
--ros-args goes to ROS unchanged."""
_EPILOG = """\
examples:
  hrdf node --ros-args -p model:=arm.hrdf
  hrdf node arm.hrdf --animate --ros-args -r __ns:=/left
  hrdf node cell.sdf --model-name left_arm --path models
  hrdf node --robots fleet.yaml
  ros2 service call /hrdf_ros/lookup_frame \\
      hrdf_ros_interfaces/srv/LookupFrame '{frame: tool}'

A ROS 2 must be sourced."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.usage = 'hrdf node [OPTION...] [FILE] [--ros-args ...]'
    parser.add_argument('file', metavar='FILE', nargs='?', help='the parameter model')
    parser.add_argument(
        '--animate', action='store_true',
        help='move the joints: sweep each coordinate within its limits')
    parser.add_argument(
        '--robots', metavar='FILE',
        help='serve all robots of a YAML file in one process: a list of '
        'namespace, model and prefix')
    add_load_options(parser, for_node=True)


def run(options: argparse.Namespace) -> int:
    """Run the node until it is stopped."""
    if options.xacro_arguments:
        raise UsageError('expand a xacro file that takes arguments before: xacro FILE NAME:=VALUE')
    arguments = [
        *([options.file] if options.file is not None else []),
        *(['--animate'] if options.animate else []),
        *(['--robots', options.robots] if options.robots is not None else []),
        *_parameters(options), *options.ros_arguments]
    node = import_module('hrdf_ros.node')  # a lower layer: imported on demand only
    return int(node.main(arguments) or 0)


def _parameters(options: argparse.Namespace) -> list[str]:
    """Return the parameters that say how the file is read as ROS arguments, which are YAML."""
    parameters = {
        'path': options.path,
        'packages': [f'{name}={directory}' for name, directory in options.package],
        'model_name': options.model_name,
        'naming': options.naming if options.naming != 'default' else None,
        'joint_names': options.joint_names,
        'resource_limits': [f'{name}={value}' for name, value in options.resource_limit],
    }
    given = [
        f'{name}:={dumps(value, ensure_ascii=False)}' for name, value in parameters.items()
        if value]
    return [word for text in given for word in ('--ros-args', '-p', text, '--')]
