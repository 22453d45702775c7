# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf view``: the robot in the browser."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from importlib import import_module
import os
import signal
import sys
from typing import NamedTuple, Optional
import webbrowser

from hrdf_ros import codes
from hrdf_ros.cli.loading import READING, Reading, reading_of
from hrdf_ros.cli.options import command, Option, valid, whole_number
from hrdf_ros.cli.output import CommandError, errors_as, say, show, show_or_fail, UsageError, warn
from hrdf_ros.cli.positions import POSITIONS, Positions, positions_of
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model
from hrdf_ros.names import is_namespace

REQUIRES_VISER = """\
{what} requires viser, which cannot be imported ({{error}}).
  Install it with: pip install viser trimesh pycollada pillow"""
_NO_ROS = (
    '{option} requires ROS 2, which cannot be imported ({{error}}); source a ROS 2 installation')
_BEYOND_MENDING = (codes.UNKNOWN_FORMAT.name, codes.XACRO_UNKNOWN_ARGUMENT.name)
_PORTS = 1 << 16
"""The number of TCP ports."""


class _Page(NamedTuple):
    """
    The content of the page, and where it is served.

    ``files`` are FILE and OTHER, and ``positions`` are those of FILE at first. With ``is_live``
    the page shows the robots of the ``namespaces``, and with ``publishes`` it sends the sliders
    as joint states.
    """

    files: tuple[Optional[str], Optional[str]]
    positions: Positions
    is_live: bool
    publishes: bool
    namespaces: Sequence[str]
    ros_arguments: Sequence[str]
    host: str
    port: int
    is_opened: bool


@command(
    Option('[FILE]', 'a description in any format'),
    Option('[OTHER]', 'another one, drawn over the first; differences have a color'),
    Option('--ros', 'show the robot of a running node: robot_description, joint_states and TF'),
    Option(
        '--namespace NS', 'the namespace of the running robot; give it again for more robots on '
        'one page', valid(
            lambda text: text if is_namespace(text) else None,
            'a namespace of letters, digits, _ and /'), many=True),
    Option(
        '--publish', 'publish the sliders as joint_states, as joint_state_publisher_gui does'),
    Option(
        '--port N', 'serve here, or on the next free port (default 8080)', valid(
            lambda text: port if 0 < (port := whole_number(text)) < _PORTS else None, 'a port'),
        8080),
    Option(
        '--host ADDRESS', 'serve on this address of the machine (default localhost)',
        default='localhost'),
    Option('--no-open', 'do not open a browser'), POSITIONS, READING,
    usage='hrdf view [OPTION...] (FILE [OTHER] | --ros) [--ros-args ...]')
def hrdf_view(options: argparse.Namespace) -> int:
    """
    Show a robot in the browser.

    Move its joints, look at frames, masses and source lines. Saving the file, or
    one that it includes, updates the picture.

    for example:
      hrdf view arm.hrdf
      hrdf view arm.hrdf --position elbow=30deg     begin in this configuration
      hrdf view old.sdf new.urdf                    differences in color
      hrdf view cell.sdf --path models --port 9000 --no-open
      hrdf view --ros --namespace left              the robot in the namespace /left
      hrdf view --ros --namespace left --namespace right
      hrdf view --ros --publish                     move a running robot's joints

    The page is served to this machine only, unless --host says otherwise. It needs
    nothing from the internet. End it with Ctrl-C.
    """
    with errors_as(CommandError, ImportError, REQUIRES_VISER.format(what='the viewer')):
        import_module('hrdf_ros.view.viewer')
    page = _Page(
        files=(options.file, options.other), positions=positions_of(options),
        is_live=options.ros, publishes=options.publish, namespaces=options.namespace,
        ros_arguments=options.ros_arguments, host=options.host, port=options.port,
        is_opened=not options.no_open)
    reading = reading_of(options)
    _refuse(page)
    if page.is_live or page.publishes:
        with errors_as(CommandError, ImportError, _NO_ROS.format(
                option='--publish' if page.publishes else '--ros')):
            import_module('hrdf_ros.node.viewer')
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    models = []
    for file in filter(None, page.files):
        result = reading.load(file)
        show(result.report, reading.display)
        if result.model is None and _is_beyond_mending(file, result.report):
            return 1
        models.append(result.model)
    positions: dict[str, float] = {}
    if page.positions.are_given:
        if models[0] is None:
            return 1  # its coordinates are unknown
        positions = solved_positions(models[0], page.positions, reading)
    with ExitStack() as closing, suppress(KeyboardInterrupt):
        _serve(page, reading, positions, closing)
    return 0


def _is_beyond_mending(file: str, report: Report) -> bool:
    """
    Return whether the file or the command has to be another one.

    Other faults may be mended in the file while the page is open.
    """
    if not os.path.exists(file) or os.path.isdir(file) or not os.path.getsize(file):
        return True
    return any(one.code in _BEYOND_MENDING for one in report)


def solved_positions(model: Model, positions: Positions, reading: Reading) -> dict[str, float]:
    """Return the position of every coordinate, by name, after the diagnostics are shown."""
    from hrdf_ros.cli.configuration import solve
    state = solve(model, positions)
    show_or_fail(state.report, reading.display)
    return {coordinate.name: position
            for coordinate, position in zip(model.coordinates, state.positions)}


def _serve(
    page: _Page, reading: Reading, positions: Mapping[str, float], closing: ExitStack,
) -> None:
    """Start the server, the viewer and the ROS node, and run until Ctrl-C."""
    module = import_module('hrdf_ros.view.viewer')
    server = import_module('hrdf_ros.view.server').start_server(page.host, page.port)
    closing.callback(server.stop)
    first, second = (
        None if file is None else partial(reading.load, file) for file in page.files)
    source = module.Source(first, second, tuple(file or '' for file in page.files), positions)
    if not (page.is_live or page.publishes):
        viewer = module.Viewer(server, source)
    else:
        names, arguments = page.namespaces, page.ros_arguments
        if len(names) == 1:  # the namespace of the viewer's own node
            arguments = [*arguments, '--ros-args', '-r', f'__ns:=/{names[0].strip("/")}']
        names = names if len(names) > 1 else ['']
        node = import_module('hrdf_ros.node.viewer').ViewerNode(arguments)
        closing.callback(node.end)
        live = import_module('hrdf_ros.view.live').LiveRobots(names) if page.is_live else None
        viewer = module.Viewer(server, source._replace(
            live=live, publish=node.publish if page.publishes else None))
        if page.is_live:
            node.listen(viewer.receive, names)
        if page.publishes:
            print(f'the sliders are published on {node.advertise()}')
        node.start()
    _print_address(page, server.get_port())
    viewer.run()


def _refuse(page: _Page) -> None:
    """Raise a UsageError if options contradict each other."""
    file, other = page.files
    names = [name.strip('/') for name in page.namespaces]
    for is_wrong, message in (
            (page.is_live != (file is None), 'give either a FILE or --ros'),
            (page.positions.are_given and file is None, '--position and --positions take a FILE'),
            (page.publishes and other is not None, '--publish takes one FILE'),
            (names and not (page.is_live or page.publishes),
             '--namespace requires --ros or --publish'),
            (len(names) > 1 and page.publishes, '--publish takes one --namespace'),
            (len(set(names)) < len(names), 'each --namespace must be another one')):
        if is_wrong:
            raise UsageError(message)


def _print_address(page: _Page, port: int) -> None:
    """Print the address of the page, and open it if the user wants that."""
    if not import_module('hrdf_ros.view.server').is_loopback(page.host):
        warn(f'everyone who can reach {page.host} can look at the robot and move its sliders')
    shown = 'localhost' if page.host in ('0.0.0.0', '::') else page.host
    address = f'http://{f"[{shown}]" if ":" in shown else shown}:{port}'
    robots = 'the running robot' if len(page.namespaces) < 2 else 'the robots of the namespaces'
    say(f'{page.files[0] or robots} is at {address}   (Ctrl-C ends)')
    sys.stdout.flush()
    if page.is_opened:
        webbrowser.open(address)
