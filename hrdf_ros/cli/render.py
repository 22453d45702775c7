# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf render``: pictures and movies of a robot."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from typing import Any, NamedTuple, Optional

from hrdf_ros.cli.loading import READING, reading_of
from hrdf_ros.cli.options import command, FILE, finite_number, matching, Option, OutputFile, valid
from hrdf_ros.cli.output import CommandError, errors_as, UsageError, warn
from hrdf_ros.cli.positions import POSITIONS, Positions, positions_of
from hrdf_ros.cli.revisions import Side, side_of
from hrdf_ros.cli.view import REQUIRES_VISER, solved_positions
from hrdf_ros.model import Model
from hrdf_ros.view import VIEWS

_LONGEST = 1e6
"""The upper bound of ``--timeout`` in seconds, about twelve days."""
_COMPARED_SIZE = (800, 520)
"""The size in pixels of one robot in a picture of several."""
_MOST_COMPARED = 4
"""The maximum number of robots in one picture; each takes the browser some seconds."""
_COMPARED_SECONDS = 180.0
"""
The time in seconds that the browser may take for each robot. It is long because nobody waits for
the picture, and CI machines are slow.
"""
_NO_BROWSER = """\
pictures are drawn by a browser, and none of these is on the PATH: {names}.
  On Debian: apt install chromium"""


class _Picture(NamedTuple):
    """
    A request that says what is drawn, and to which files pictures and movies are written.

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
    """Return the module that draws, and the browser; a missing one raises CommandError."""
    with errors_as(CommandError, ImportError, REQUIRES_VISER.format(what='a picture')):
        render = import_module('hrdf_ros.view.render')
    executable = render.find_chromium()
    if executable is None:
        raise CommandError(_NO_BROWSER.format(names=', '.join(render.BROWSERS)))
    return render, executable


def draw_comparisons(
    file: str, revision: str, pairs: Sequence[tuple[str, Model, Model]],
) -> None:
    """
    Write a picture of robots, one below another, each beside its appearance in a revision.

    Above each robot is its path. If nothing can be drawn, CommandError says why.
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
        motion.vector[:] = [*solved_positions(model, picture.positions, sides[0].reading).values()]
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
