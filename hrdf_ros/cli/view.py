# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf view``: the robot in the browser."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
import os
import signal
from typing import Any, Optional
import webbrowser

from hrdf_ros.cli.options import add_load_options, load_file
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import required, UsageError, warn
from hrdf_ros.diagnostics import printable
from hrdf_ros.load_result import LoadResult
from hrdf_ros.names import is_namespace

_DESCRIPTION = """\
Show a robot in the browser: move its joints, look at frames, masses and source
lines. Saving the file, or one that it includes, updates the picture."""
_EPILOG = """\
examples:
  hrdf view arm.hrdf
  hrdf view old.sdf new.urdf                    differences in color
  hrdf view cell.sdf --path models --port 9000 --no-open
  hrdf view --ros --namespace left              the robot in the namespace /left
  hrdf view --ros --namespace left --namespace right
  hrdf view --ros --publish                     move a running robot's joints

The page is served to this machine only, unless --host says otherwise. It needs
nothing from the internet. End it with Ctrl-C."""
_MISSING = """\
the viewer requires viser, which cannot be imported ({error}).
  Install it with: pip install viser trimesh pycollada pillow"""
_NO_ROS = (
    '{option} requires ROS 2, which cannot be imported ({{error}}); source a ROS 2 installation')


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.usage = 'hrdf view [OPTION...] (FILE [FILE] | --ros) [--ros-args ...]'
    parser.add_argument(
        'file', metavar='FILE', nargs='?', help='a description in any format')
    parser.add_argument(
        'second', metavar='FILE', nargs='?',
        help='another one, drawn over the first; differences have a color')
    parser.add_argument(
        '--ros', action='store_true',
        help='show the robot of a running node: robot_description, joint_states and TF')
    parser.add_argument(
        '--namespace', type=_namespace, action='append', default=[], metavar='NS',
        help='the namespace of the running robot; give it again for more robots on one page')
    parser.add_argument(
        '--publish', action='store_true',
        help='publish the sliders as joint_states, as joint_state_publisher_gui does')
    parser.add_argument(
        '--port', type=_port, default=8080, metavar='N',
        help='serve here, or on the next free port (default 8080)')
    parser.add_argument(
        '--host', default='localhost', metavar='ADDRESS',
        help='serve on this address of the machine (default localhost)')
    parser.add_argument('--no-open', action='store_true', help='do not open a browser')
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C; return 1 if a file does not exist."""
    with required(_MISSING):
        import_module('hrdf_ros.view.viewer')
    _check_options(options)
    if options.ros or options.publish:
        with required(_NO_ROS.format(option='--publish' if options.publish else '--ros')):
            import_module('hrdf_ros.node.viewer')
    for file in filter(None, (options.file, options.second)):
        result = load_file(file, options)
        show(result.report, options)
        if result.model is None and not os.path.exists(file):
            return 1
    if options.ros or options.publish:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as closing:
        try:
            _serve(options, closing)
        except KeyboardInterrupt:
            print()
    return 0


def _serve(options: argparse.Namespace, closing: ExitStack) -> None:
    """Start the server, the viewer and the ROS node, and run until Ctrl-C."""
    server_module = import_module('hrdf_ros.view.server')
    viewer_module = import_module('hrdf_ros.view.viewer')
    server = server_module.start_server(options.host, options.port)
    closing.callback(server.stop)
    if options.ros or options.publish:
        viewer = _viewer_with_ros(options, server, viewer_module, closing)
    else:
        viewer = viewer_module.Viewer(server, viewer_module.Source(
            load=_loader(options.file, options), second=_loader(options.second, options),
            names=(options.file, options.second or '')))
    _print_address(options, server_module.is_loopback(options.host), server.get_port())
    viewer.run()


def _loader(
    file: Optional[str], options: argparse.Namespace,
) -> Optional[Callable[[], LoadResult]]:
    return None if file is None else lambda: load_file(file, options)


def _viewer_with_ros(
    options: argparse.Namespace, server: Any, viewer_module: Any, closing: ExitStack,
) -> Any:
    """Return a viewer of running robots, or one whose sliders drive them; start its node."""
    names = options.namespace if len(options.namespace) > 1 else ['']
    node = import_module('hrdf_ros.node.viewer').ViewerNode(_ros_arguments(options))
    closing.callback(node.end)
    live = import_module('hrdf_ros.view.live').LiveRobots(names) if options.ros else None
    viewer = viewer_module.Viewer(server, viewer_module.Source(
        load=_loader(options.file, options), live=live,
        publish=node.publish if options.publish else None))
    if options.ros:
        node.listen(viewer.receive, names)
    if options.publish:
        print(f'the sliders are published on {node.advertise()}')
    node.start()
    return viewer


def _check_options(options: argparse.Namespace) -> None:
    """Raise a UsageError for options that do not fit together."""
    if options.ros != (options.file is None):
        raise UsageError('give either a FILE or --ros')
    if options.publish and options.second is not None:
        raise UsageError('--publish takes one FILE')
    names = [name.strip('/') for name in options.namespace]
    if names and not (options.ros or options.publish):
        raise UsageError('--namespace requires --ros or --publish')
    if len(names) > 1 and options.publish:
        raise UsageError('--publish takes one --namespace')
    if len(set(names)) < len(names):
        raise UsageError('each --namespace must be another one')


def _ros_arguments(options: argparse.Namespace) -> list[str]:
    """Return the arguments of ROS; a single namespace is that of the viewer's node."""
    if len(options.namespace) != 1:
        return list(options.ros_arguments)
    name = options.namespace[0].strip('/')
    return [*options.ros_arguments, '--ros-args', '-r', f'__ns:=/{name}']


def _namespace(text: str) -> str:
    if not is_namespace(text):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a namespace of letters, digits, _ and /")
    return text


def _port(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if not 0 < number < 65536:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port")
    return number


def _print_address(options: argparse.Namespace, only_here: bool, port: int) -> None:
    """Print the address and open it."""
    if not only_here:
        warn(f'everyone who can reach {options.host} can look at the robot and move its sliders')
    shown = 'localhost' if options.host in ('0.0.0.0', '::') else options.host
    address = f'http://{f"[{shown}]" if ":" in shown else shown}:{port}'
    robots = 'the running robot' if len(options.namespace) < 2 else 'the robots of the namespaces'
    print(printable(f'{options.file or robots} is at {address}   (Ctrl-C ends)'), flush=True)
    if not options.no_open:
        webbrowser.open(address)
