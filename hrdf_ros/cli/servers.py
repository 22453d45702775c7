# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf node`` and ``hrdf lsp``: the ROS 2 node, and the language server."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from json import dumps
import os
from pathlib import Path
import stat

from hrdf_ros.cli.loading import load_options_of, reading_without
from hrdf_ros.cli.options import code_option, command, Option
from hrdf_ros.cli.output import CommandError, PAGE
from hrdf_ros.readers.api import LoadOptions, Options

_MISSING = """\
the language server requires pygls, which is not installed.
  Install it with: pip install pygls"""


def _parameters_of_node() -> dict[str, str]:
    """Return the node's parameters, each with the value that an example sets."""
    defaults = import_module('hrdf_ros.node.settings').Settings._field_defaults
    return {name: 'true' if default is False else 'VALUE' for name, default in defaults.items()}


@command(
    Option('[FILE]', 'the parameter model'),
    Option('--animate', 'move the joints: sweep each coordinate within its limits'),
    Option(
        '--robots FILE', 'serve all robots of a YAML file in one process: a list of namespace, '
        'model and prefix'),
    reading_without('--input-format', '--ignore', '--xacro'),
    usage='hrdf node [OPTION...] [FILE] [--ros-args ...]',
    parameters=_parameters_of_node)
def hrdf_node(options: argparse.Namespace) -> int:
    r"""
    Run the ROS 2 node, which publishes robot_description and TF from joint_states.

    It answers lookup_frame, list_frames, validate, convert and reload. Arguments
    after --ros-args go to ROS unchanged.

    for example:
      hrdf node --ros-args -p model:=arm.hrdf
      hrdf node arm.hrdf --animate --ros-args -r __ns:=/left
      hrdf node arm.hrdf --ros-args -p watch:=true -p publish_frequency:=50.0
      hrdf node arm.urdf.xacro length:=0.9
      hrdf node cell.sdf --model-name left_arm --path models
      hrdf node --robots fleet.yaml
      ros2 service call /hrdf_ros/lookup_frame \
          hrdf_ros_interfaces/srv/LookupFrame '{frame: tool}'

    A ROS 2 must be sourced.
    """
    arguments = [
        *([options.file] if options.file is not None else []),
        *(['--animate'] if options.animate else []),
        *(['--robots', options.robots] if options.robots is not None else []),
        *_parameters(load_options_of(options), options.resource_limit), *options.ros_arguments]
    node = import_module('hrdf_ros.node')  # a lower layer, imported only on demand
    return int(node.main(arguments) or 0)


def _parameters(options: Options, limits: Sequence[tuple[str, int]]) -> list[str]:
    """Return the parameters that say how the file is read, as ROS arguments in YAML."""
    parameters = {
        'path': options.path,
        'packages': [
            f'{name}={directory}' for name, directory in (options.packages or {}).items()],
        'model_name': options.model_name,
        'naming': options.naming if options.naming != 'default' else None,
        'joint_names': options.joint_names,
        'xacro_arguments': [
            f'{name}:={value}' for name, value in (options.xacro_arguments or {}).items()],
        'resource_limits': [f'{name}={value}' for name, value in limits],
    }
    given = [
        f'{name}:={dumps(value, ensure_ascii=False)}' for name, value in parameters.items()
        if value]
    return [word for text in given for word in ('--ros-args', '-p', text, '--')]


@command(
    Option('--stdio', 'the default; some editors pass it'),
    Option(
        '--docs URL', 'the page that explains the diagnostics, for links (default: the installed '
        'one)', default=Path(PAGE).as_uri()),
    code_option('--select', 'report only'), reading_without('--input-format'))
def hrdf_lsp(options: argparse.Namespace) -> int:
    """
    Serve an editor by the Language Server Protocol, on standard input and output.

    It has diagnostics while you type, completion, documentation, definitions,
    references, rename, quick fixes and formatting. Your editor starts it, for files
    .hrdf, .mjcf, .sdf, .world, .skel and .urdf. xacro files are only expanded with
    --xacro, because that runs code that they contain.

    for example:
      hrdf lsp                              what an editor runs
      hrdf lsp --path models --ignore implausible-value
    """
    if find_spec('pygls') is None:
        raise CommandError(_MISSING)
    mode = os.fstat(0).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(0)):
        raise CommandError('the standard input is neither a pipe nor a socket: an editor starts '
                           'this command and talks to it')
    # only the server may use the streams of the protocol, and no other code or process
    reader, writer = os.fdopen(os.dup(0), 'rb'), os.fdopen(os.dup(1), 'wb')
    with open(os.devnull, 'rb') as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    given = load_options_of(options)
    absolute: LoadOptions = {
        'path': [os.path.abspath(where) for where in given.path],
        'packages': {
            name: os.path.abspath(where) for name, where in (given.packages or {}).items()},
        'model_name': given.model_name, 'naming': given.naming,
        'joint_names': given.joint_names, 'limits': given.limits, 'xacro': bool(given.xacro)}
    # Python may import modules from the working directory, where an editor has files of strangers
    os.chdir(os.sep)
    import_module('hrdf_ros.lsp').warm_up()
    settings = import_module('hrdf_ros.lsp.analysis').AnalysisSettings(
        absolute, tuple(options.ignore), tuple(options.select), options.docs)
    import_module('hrdf_ros.lsp.server').serve(settings, reader, writer)
    return 0
