# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf render``: a picture of the robot."""

from __future__ import annotations

import argparse
from importlib import import_module
from random import Random
import re
from typing import Any

from hrdf_ros.cli.options import (
    add_load_options,
    add_position_options,
    finite_number,
    has_configuration,
    load_shown,
)
from hrdf_ros.cli.output import refuse_to_replace_a_source
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import CommandError, required, UsageError, warn
from hrdf_ros.model import Model
from hrdf_ros.view import VIEWS

_DESCRIPTION = """\
Draw a robot as `hrdf view` shows it and write the picture as PNG. A browser
draws it: chromium, without a window."""
_EPILOG = """\
examples:
  hrdf render arm.hrdf -o arm.png
  hrdf render arm.hrdf -o arm.png --positions 0,0.8,1.6,0,0,0 --from front
  hrdf render arm.hrdf -o three.png --sheet      zero, initial and random pose
  hrdf render arm.hrdf --turntable arm.gif --size 480x360
  hrdf render arm.hrdf --animate joints.gif --size 480x360

It needs pip install viser trimesh pycollada pillow, and chromium (on Debian:
apt install chromium)."""
_MISSING = """\
pictures require viser, which cannot be imported ({error}).
  Install it with: pip install viser trimesh pycollada pillow"""
_NO_BROWSER = """\
pictures are drawn by a browser, and none of these is on the PATH: {names}.
  On Debian: apt install chromium"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.add_argument('file', metavar='FILE', help='a description in any format')
    parser.add_argument('-o', '--output', metavar='OUT.png', help='write the picture here')
    parser.add_argument(
        '--turntable', metavar='OUT.gif', help='write a movie of one turn around the robot')
    parser.add_argument(
        '--animate', metavar='OUT.gif',
        help='write a movie in which each joint in turn goes through its range')
    parser.add_argument(
        '--sheet', action='store_true',
        help='zero, initial (if it differs) and a random configuration side by side')
    parser.add_argument(
        '--size', metavar='WIDTHxHEIGHT', type=_size, default=(1280, 800),
        help='pixels of one picture (default 1280x800)')
    parser.add_argument(
        '--from', dest='view', default='corner', metavar='VIEW', type=_view,
        help='front, back, left, right, top, corner (default), or AZIMUTH,ELEVATION in degrees')
    parser.add_argument(
        '--frames', choices=('off', 'links', 'tagged', 'all'), default='off',
        help='draw the axes and names of frames')
    parser.add_argument(
        '--collisions', action='store_true', help='draw collisions in place of visuals')
    parser.add_argument('--axes', action='store_true', help='draw the axes of joints')
    parser.add_argument('--dark', action='store_true', help='on a dark ground')
    add_position_options(parser)
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Write the pictures; return 1 where the file has errors."""
    is_movie = options.turntable is not None or options.animate is not None
    if options.output is None and not is_movie:
        raise UsageError(
            'nothing to write: give -o OUT.png, --turntable OUT.gif or --animate OUT.gif')
    with required(_MISSING):
        render = import_module('hrdf_ros.view.render')
    if is_movie and options.size[0] * options.size[1] > render.MOVIE_PIXELS:
        raise UsageError('a movie is at most as large as 1920x1080: give a smaller --size')
    executable = render.find_chromium()
    if executable is None:
        raise CommandError(_NO_BROWSER.format(names=', '.join(render.BROWSERS)))
    loaded = load_shown(options)
    model = loaded.model
    for out in filter(None, (options.output, options.turntable, options.animate)):
        refuse_to_replace_a_source(out, loaded.files, model)
    motion = None if model is None else _posed_motion(model, options)
    if motion is None:
        return 1
    try:
        _draw(render, executable, motion, options)
    except render.RenderError as error:
        raise CommandError(str(error)) from None
    return 0


def _draw(render: Any, executable: str, motion: Any, options: argparse.Namespace) -> None:
    """Take the pictures and write them."""
    width, height = options.size
    azimuth, elevation = options.view
    look = render.Look(
        width=width, height=height, azimuth=azimuth, elevation=elevation, frames=options.frames,
        layers=('collision',) if options.collisions else ('visual',), axes=options.axes,
        dark=options.dark)
    with render.rendering(executable, motion, look) as renderer:
        for note in renderer.notes:
            warn(f'not drawn: {note}')
        if options.output is not None:
            render.write_picture(options.output, _picture(render, renderer, motion, options))
        if options.turntable is not None:
            render.write_movie(options.turntable, renderer.turntable(motion))
        if options.animate is not None:
            render.write_movie(options.animate, renderer.sweep(motion))


def _picture(render: Any, renderer: Any, motion: Any, options: argparse.Namespace) -> Any:
    if not options.sheet:
        return renderer.picture(motion)
    given = motion.vector
    vectors = []
    for move in (
            motion.move_to_zero, motion.move_to_start,
            lambda: motion.move_to_random(Random(1), renderer.size)):
        move()
        vectors.append(motion.vector)
    if all(vectors[0] == vectors[1]):
        del vectors[1]
    pictures = []
    for motion.vector in vectors:
        pictures.append(renderer.picture(motion))
    motion.vector = given
    return render.side_by_side(pictures)


def _posed_motion(model: Model, options: argparse.Namespace) -> Any:
    """Return the model in the configuration that the options give, None where a loop is open."""
    motion = import_module('hrdf_ros.view.motion').PosedModel(model)
    if has_configuration(options):
        from hrdf_ros.cli.configuration import solve
        state = solve(model, options.position, options.positions, None)
        show(state.report, options)
        if not state.report.ok:
            return None
        motion.vector[:] = state.positions
    return motion


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r'(\d{2,4})x(\d{2,4})', text)
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not WIDTHxHEIGHT, such as 1280x800")
    return int(found[1]), int(found[2])


def _view(text: str) -> tuple[float, float]:
    if text in VIEWS:
        return VIEWS[text]
    azimuth, separator, elevation = text.partition(',')
    if not separator:
        raise argparse.ArgumentTypeError(
            f"'{text}' is none of {', '.join(VIEWS)}, nor AZIMUTH,ELEVATION")
    return finite_number(azimuth), max(-89.9, min(89.9, finite_number(elevation)))
