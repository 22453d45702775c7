# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures that ``hrdf render`` writes."""

from __future__ import annotations

import os
from pathlib import Path
import subprocess
import sys

import numpy as np
import pytest

from .conftest import SOURCE

imageio = pytest.importorskip('imageio.v3', reason='the viewer requires viser')
RED = ('<robot name="r"><link name="a"><visual><geometry><box size="{size} 1 1"/></geometry>'
       '<material name="m"><color rgba="1 0 0 1"/></material></visual></link>'
       '<link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/>'
       '<axis xyz="0 0 1"/></joint></robot>')


BLOCK = ('<link name="{}"><visual><geometry><box size="1 1 1"/></geometry><material name="m">'
         '<color rgba="1 0 0 1"/></material></visual></link>')
FAR = ('<robot name="r">' + BLOCK.format('a') + BLOCK.format('b') + '<joint name="j" '
       'type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
       '<limit lower="0" upper="60" effort="1" velocity="1"/></joint></robot>')


def render(*arguments: object, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, '-m', 'hrdf_ros.cli', 'render', *map(str, arguments)],
        env={**os.environ, 'PYTHONPATH': str(SOURCE), **changes}, capture_output=True, text=True,
        timeout=300)


def redness(picture: np.ndarray) -> np.ndarray:
    """Return where a picture is red."""
    red, green, blue = np.moveaxis(picture[..., :3].astype(int), -1, 0)
    return (red > 90) & (red > 2 * green) & (red > 2 * blue)


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    file = tmp_path / 'red.urdf'
    file.write_text(RED.format(size=1))
    return file


@pytest.mark.usefixtures('browser')
def test_a_picture_shows_the_robot_in_the_middle_twice_the_same(robot: Path) -> None:
    pictures = []
    for name in ('one.png', 'two.png'):
        done = render(robot, '-o', robot.parent / name, '--size', '320x240', '--from', 'front')
        assert (done.returncode, done.stderr) == (0, '')
        pictures.append(imageio.imread(robot.parent / name))
    assert pictures[0].shape == (240, 320, 3)
    rows, columns = np.nonzero(redness(pictures[0]))
    assert rows.mean() == pytest.approx(120, abs=15)
    assert columns.mean() == pytest.approx(160, abs=8)
    assert 0.05 < redness(pictures[0]).mean() < 0.6
    assert np.abs(pictures[0].astype(int) - pictures[1]).mean() < 0.5


@pytest.mark.usefixtures('browser')
def test_a_sheet_and_a_turntable(robot: Path) -> None:
    robot.write_text(RED.format(size=3))
    sheet, movie = robot.parent / 'sheet.png', robot.parent / 'turn.gif'
    sweep = robot.parent / 'sweep.gif'
    done = render(robot, '-o', sheet, '--sheet', '--turntable', movie, '--size', '120x90',
                  '--animate', sweep)
    assert (done.returncode, done.stderr) == (0, '')
    assert imageio.imread(sheet).shape == (90, 240, 3), 'zero is the initial configuration'
    turn = imageio.imread(movie)
    assert turn.shape[0] > 20 and turn.shape[1:3] == (90, 120)
    widths = [np.ptp(np.nonzero(redness(frame).any(axis=0))[0]) for frame in turn]
    assert max(widths) > 1.3 * min(widths)
    assert imageio.imread(sweep).shape[1:3] == (90, 120)


@pytest.mark.usefixtures('browser')
def test_each_picture_of_a_sheet_has_all_of_the_robot(robot: Path) -> None:
    robot.write_text(FAR)
    done = render(robot, '-o', robot.parent / 'sheet.png', '--sheet', '--size', '160x120')
    assert (done.returncode, done.stderr) == (0, '')
    for picture in np.split(imageio.imread(robot.parent / 'sheet.png'), 2, axis=1):
        red = redness(picture)
        assert 0.001 < red.mean()
        assert not (red[0].any() or red[-1].any() or red[:, 0].any() or red[:, -1].any())


@pytest.mark.usefixtures('browser')
def test_frames_and_a_dark_ground_change_the_picture(robot: Path) -> None:
    first, second = robot.parent / 'first.png', robot.parent / 'second.png'
    options = ('--size', '160x120')
    render(robot, '-o', first, *options)
    render(robot, '-o', second, *options, '--frames', 'all', '--dark')
    assert np.abs(imageio.imread(first).astype(int) - imageio.imread(second)).mean() > 20


def test_a_missing_browser_is_reported(robot: Path) -> None:
    done = render(robot, '-o', robot.parent / 'x.png', PATH='/nowhere')
    assert done.returncode == 1 and 'apt install chromium' in done.stderr
    assert not (robot.parent / 'x.png').exists()


@pytest.mark.parametrize(('options', 'complaint'), [
    ((), 'nothing to write'), (('-o', 'x.png', '--size', '8'), 'WIDTHxHEIGHT'),
    (('-o', 'x.png', '--from', 'below'), 'is none of'),
    (('--animate', 'x.gif', '--size', '4000x3000'), 'a movie is at most as large as 1920x1080'),
    (('-o', 'x.png', '--model-name', 'arm'), 'has no effect')])
def test_what_cannot_be_asked_for(robot: Path, options: tuple[str, ...], complaint: str) -> None:
    done = render(robot, *options)
    assert done.returncode == 2 and complaint in done.stderr
