# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf node``: the ROS 2 node."""

from __future__ import annotations

import argparse
from importlib import import_module
from json import dumps

from hrdf_ros.cli.loading import reading_without
from hrdf_ros.cli.options import command, Option
from hrdf_ros.cli.output import UsageError


@command(
    Option('[FILE]', 'the parameter model'),
    Option('--animate', 'move the joints: sweep each coordinate within its limits'),
    Option(
        '--robots FILE', 'serve all robots of a YAML file in one process: a list of namespace, '
        'model and prefix'),
    reading_without('--input-format', '--ignore', '--xacro'),
    usage='hrdf node [OPTION...] [FILE] [--ros-args ...]')
def hrdf_node(options: argparse.Namespace) -> int:
    r"""
    Run the ROS 2 node, which publishes robot_description and TF from joint_states.

    It answers lookup_frame, list_frames, validate, convert and reload. Arguments
    after --ros-args go to ROS unchanged.

    for example:
      hrdf node --ros-args -p model:=arm.hrdf
      hrdf node arm.hrdf --animate --ros-args -r __ns:=/left
      hrdf node cell.sdf --model-name left_arm --path models
      hrdf node --robots fleet.yaml
      ros2 service call /hrdf_ros/lookup_frame \
          hrdf_ros_interfaces/srv/LookupFrame '{frame: tool}'

    A ROS 2 must be sourced.
    """
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
