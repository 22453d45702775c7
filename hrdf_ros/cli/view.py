# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf view`` and ``hrdf render``: the robot in the browser, and a picture of it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from importlib import import_module
import os
import signal
import sys
from typing import Any, NamedTuple, Optional
import webbrowser

from hrdf_ros import codes
from hrdf_ros.cli.loading import READING, Reading, reading_of
from hrdf_ros.cli.options import (
    command,
    FILE,
    finite_number,
    matching,
    Option,
    OutputFile,
    valid,
    whole_number,
)
from hrdf_ros.cli.output import CommandError, errors_as, say, show, show_or_fail, UsageError, warn
from hrdf_ros.cli.positions import POSITIONS, Positions, positions_of
from hrdf_ros.cli.revisions import Side, side_of
from hrdf_ros.model import Model
from hrdf_ros.names import is_namespace
from hrdf_ros.view import VIEWS

_MISSING = """\
{what} requires viser, which cannot be imported ({{error}}).
  Install it with: pip install viser trimesh pycollada pillow"""
_NO_ROS = (
    '{option} requires ROS 2, which cannot be imported ({{error}}); source a ROS 2 installation')
_PORTS = 1 << 16
"""The number of TCP ports."""
_LONGEST = 1e6
"""The bound of ``--timeout`` in seconds, twelve days."""
_COMPARED_SIZE = (800, 520)
"""The size in pixels of one robot in a picture of several."""
_MOST_COMPARED = 4
"""The most robots in one picture; each takes the browser some seconds."""
_COMPARED_SECONDS = 180.0
"""
The seconds that the browser may take for each of them: nobody waits, and CI machines are slow.
"""
_NO_BROWSER = """\
pictures are drawn by a browser, and none of these is on the PATH: {names}.
  On Debian: apt install chromium"""


# ---- hrdf view

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
    with errors_as(CommandError, ImportError, _MISSING.format(what='the viewer')):
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
        if result.model is None and (not os.path.exists(file) or any(
                one.code == codes.UNKNOWN_FORMAT.name for one in result.report)):
            return 1  # no change of the file will make it a robot
        models.append(result.model)
    positions: dict[str, float] = {}
    if page.positions.are_given:
        if models[0] is None:
            return 1  # its coordinates are unknown
        positions = _solved(models[0], page.positions, reading)
    with ExitStack() as closing, suppress(KeyboardInterrupt):
        _serve(page, reading, positions, closing)
    return 0


def _solved(model: Model, positions: Positions, reading: Reading) -> dict[str, float]:
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


# ---- hrdf render

class _Picture(NamedTuple):
    """
    What is drawn, and the files to which pictures and movies are written.

    ``size`` is width and height in pixels, ``view`` azimuth and elevation in degrees, and
    ``timeout`` is in seconds. ``layers`` are those of the viewer; ``frames`` says which frames
    have axes.
    """

    positions: Positions
    layers: frozenset[str]
    frames: str
    is_dark: bool
    size: tuple[int, int]
    view: tuple[float, float]
    timeout: float
    is_sheet: bool
    output: Optional[str]
    turntable: Optional[str]
    animation: Optional[str]

    @property
    def is_movie(self) -> bool:
        """Whether a movie is written."""
        return self.turntable is not None or self.animation is not None


def _view(text: str) -> tuple[float, float]:
    if text in VIEWS:
        return VIEWS[text]
    azimuth, separator, elevation = text.partition(',')
    if not separator:
        raise argparse.ArgumentTypeError(
            f"'{text}' is none of {', '.join(VIEWS)}, nor AZIMUTH,ELEVATION")
    return finite_number(azimuth), max(-89.9, min(89.9, finite_number(elevation)))


@command(
    FILE,
    Option(
        '--compare OTHER', 'draw another description over it; what moved, appeared or vanished '
        'has a color'),
    Option('-o, --output OUT.png', 'write the picture here', OutputFile),
    Option('--turntable OUT.gif', 'write a movie of one turn around the robot', OutputFile),
    Option(
        '--animate OUT.gif', 'write a movie in which each joint in turn goes through its range',
        OutputFile),
    Option(
        '--sheet', 'zero, initial (if it differs) and a random configuration side by side'),
    Option(
        '--size WIDTHxHEIGHT', 'pixels of one picture (default 1280x800)',
        matching('([0-9]{2,4})x([0-9]{2,4})', 'WIDTHxHEIGHT, such as 1280x800'),
        ('1280', '800')),
    Option(
        '--from VIEW', 'front, back, left, right, top, corner (default), or AZIMUTH,ELEVATION in '
        'degrees', _view, 'corner', more={'dest': 'view'}),
    Option(
        '--frames', 'draw the axes and names of frames', default='off',
        choices=('off', 'links', 'tagged', 'all')),
    Option('--collisions', 'draw collisions in place of visuals'),
    Option('--axes', 'draw the axes of joints'), Option('--dark', 'on a dark ground'),
    Option(
        '--timeout SECONDS', 'how long the browser may take to start, or to draw one picture '
        '(default 60)', valid(
            lambda text: value if 0.0 < (value := finite_number(text)) < _LONGEST else None,
            'a number of seconds'), 60.0),
    POSITIONS, READING)
def hrdf_render(options: argparse.Namespace) -> int:
    """
    Draw a robot as `hrdf view` shows it and write the picture as PNG.

    A browser draws it: chromium, without a window.

    for example:
      hrdf render arm.hrdf -o arm.png
      hrdf render arm.hrdf -o arm.png --positions 0,0.8,1.6,0,0,0 --from front
      hrdf render arm.hrdf -o three.png --sheet      zero, initial and random pose
      hrdf render arm.hrdf --turntable arm.gif --size 480x360
      hrdf render arm.hrdf --animate joints.gif --size 480x360
      hrdf render HEAD:arm.urdf --compare arm.urdf -o diff.png

    It needs pip install viser trimesh pycollada pillow, and chromium (on Debian:
    apt install chromium).
    """
    width, height = map(int, options.size)
    layers = {'collision' if options.collisions else 'visual', 'lights'}
    picture = _Picture(
        positions=positions_of(options),
        layers=frozenset({*layers, 'axes'} if options.axes else layers), frames=options.frames,
        is_dark=options.dark, size=(width, height), view=options.view, timeout=options.timeout,
        is_sheet=options.sheet, output=options.output, turntable=options.turntable,
        animation=options.animate)
    if picture.output is None and not picture.is_movie:
        raise UsageError(
            'nothing to write: give -o OUT.png, --turntable OUT.gif or --animate OUT.gif')
    render, executable = _renderer()
    if picture.is_movie and width * height > render.MOVIE_PIXELS:
        raise UsageError('a movie is at most as large as 1920x1080: give a smaller --size')
    if options.compare is not None and (picture.is_movie or picture.is_sheet):
        raise UsageError('--compare writes one picture, -o OUT.png')
    reading = reading_of(options)
    with ExitStack() as closing:
        _render(picture, [side_of(name, reading, closing) for name in (
            options.file, options.compare) if name is not None], executable)
    return 0


def _renderer() -> tuple[Any, str]:
    """Return the module that draws, and the browser; without one, a CommandError."""
    with errors_as(CommandError, ImportError, _MISSING.format(what='a picture')):
        render = import_module('hrdf_ros.view.render')
    executable = render.find_chromium()
    if executable is None:
        raise CommandError(_NO_BROWSER.format(names=', '.join(render.BROWSERS)))
    return render, executable


def draw_comparisons(
    file: str, revision: str, pairs: Sequence[tuple[str, Model, Model]],
) -> None:
    """
    Write a picture of robots, one below the other, each beside what it was in a revision.

    Above each robot is its path. A CommandError says why nothing can be drawn.
    """
    render, executable = _renderer()
    comparison, motion = map(import_module, ('hrdf_ros.view.comparison', 'hrdf_ros.view.motion'))
    shot = render.Shot(
        render.Look(frozenset(('visual', 'lights')), 'off', False), *_COMPARED_SIZE,
        *VIEWS['corner'], _COMPARED_SECONDS)
    pictures = []
    for path, model, other in pairs[:_MOST_COMPARED]:
        first, second = motion.PosedModel(model), motion.PosedModel(other)
        second.adopt(first)
        with errors_as(CommandError, render.RenderError), \
                render.rendering(executable, first, shot, second) as renderer:
            pictures.append(render.with_legend(
                renderer.picture(first), comparison.legend(f'{revision}:{path}', path), False))
    render.write_picture(file, render.stacked(pictures))


def _render(picture: _Picture, sides: list[Side], executable: str) -> None:
    """Draw one robot, or two over each other."""
    render = import_module('hrdf_ros.view.render')
    model, *others = (side.model() for side in sides)
    motion, *compared = map(import_module('hrdf_ros.view.motion').PosedModel, (model, *others))
    if picture.positions.are_given:
        motion.vector[:] = [*_solved(model, picture.positions, sides[0].reading).values()]
    for other in compared:
        other.adopt(motion)
    look = render.Look(picture.layers, picture.frames, picture.is_dark)
    shot = render.Shot(look, *picture.size, *picture.view, picture.timeout)
    with errors_as(CommandError, render.RenderError), \
            render.rendering(executable, motion, shot, *compared) as renderer:
        for note in renderer.scene.notes:
            warn(f'not drawn: {note}')
        if picture.output is not None:
            pictures = _sheet(renderer, motion) if picture.is_sheet else [
                renderer.picture(motion)]
            if compared:
                lines = import_module('hrdf_ros.view.comparison').legend(
                    *(side.name for side in sides))
                pictures = [render.with_legend(pictures[0], lines, picture.is_dark)]
            render.write_picture(picture.output, *pictures)
        if picture.turntable is not None:
            render.write_movie(picture.turntable, renderer.turntable(motion))
        if picture.animation is not None:
            render.write_movie(picture.animation, renderer.sweep(motion))


def _sheet(renderer: Any, motion: Any) -> list[Any]:
    """Return pictures of the zero, a random, and the initial configuration if that differs."""
    given: Any = motion.vector
    pictures: list[Any] = []
    last = None
    for name in ('Zero', 'Initial', 'Random'):
        motion.move_to(name)
        if last is None or any(motion.vector != last):
            pictures.append(renderer.picture(motion))
        last = motion.vector
    motion.vector = given
    return pictures
