# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures that ``hrdf render`` writes."""

from __future__ import annotations

from pathlib import Path
import shutil

from helpers.git_repository import Repository
from hrdf_ros.cli import main
import numpy as np
import pytest

imageio = pytest.importorskip('imageio.v3', reason='the viewer requires viser')
BLOCK = ('<link name="{}"><visual><geometry><box size="1 1 1"/></geometry><material name="m">'
         '<color rgba="1 0 0 1"/></material></visual></link>')
LIT = ('<sdf version="1.9"><world name="w"><light name="lamp" type="spot"><pose>0 -1 3 0 0 0'
       '</pose><diffuse>1 0 0 1</diffuse><intensity>3</intensity><attenuation><linear>0</linear>'
       '</attenuation><spot><inner_angle>0.5</inner_angle><outer_angle>0.6</outer_angle></spot>'
       '</light>' + ''.join(
           f'<model name="m{y}"><static>1</static><pose>0 {y} 0 0 0 0</pose><link name="l">'
           '<visual name="v"><geometry><sphere><radius>0.8</radius></sphere></geometry><material>'
           '<diffuse>1 1 1 1</diffuse></material></visual></link></model>' for y in (-1, 1))
       + '</world></sdf>')
FAR = ('<robot name="r">' + BLOCK.format('a').replace('1 1 1', '9 1 1') + BLOCK.format('b')
       + '<joint name="j" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
       '<limit lower="0" upper="60" effort="1" velocity="1"/></joint></robot>')


def render(*arguments: object) -> None:
    assert main(['render', *map(str, arguments)]) == 0


def redness(picture: np.ndarray) -> np.ndarray:
    """Return where a picture is red."""
    red, green, blue = np.moveaxis(picture[..., :3].astype(int), -1, 0)
    return (red > 90) & (red > 2 * green) & (red > 2 * blue)


def orangeness(picture: np.ndarray) -> np.ndarray:
    """Return where a picture has the color of what moved."""
    red, green, blue = np.moveaxis(picture[..., :3].astype(int), -1, 0)
    return (red > 150) & (green > 0.5 * red) & (blue < 0.5 * green)


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    file = tmp_path / 'red.urdf'
    file.write_text(f'<robot name="r">{BLOCK.format("a")}</robot>')
    return file


@pytest.mark.usefixtures('browser')
def test_a_picture_shows_the_robot_in_the_middle(robot: Path) -> None:
    file = robot.parent / 'one.png'
    render(robot, '-o', file, '--size', '320x240', '--from', 'front')
    picture = imageio.imread(file)
    assert picture.shape == (240, 320, 3) and picture[0].min() > 250
    rows, columns = np.nonzero(redness(picture))
    assert rows.mean() == pytest.approx(120, abs=15)
    assert columns.mean() == pytest.approx(160, abs=8)
    assert 0.05 < redness(picture).mean() < 0.6


@pytest.mark.usefixtures('browser')
def test_the_lights_of_a_world_light_it_on_a_dark_ground(tmp_path: Path) -> None:
    file, output = tmp_path / 'world.sdf', tmp_path / 'world.png'
    file.write_text(LIT)
    render(file, '-o', output, '--size', '160x120', '--from', 'top', '--dark')
    picture = imageio.imread(output).astype(float)
    assert picture[0].max() < 120
    warm = [(half[..., 0] - half[..., 2]).max() for half in np.split(picture, 2)]
    assert max(warm) > min(warm) + 40, 'one of two white balls is in the red light'


@pytest.mark.usefixtures('browser')
def test_two_robots_in_one_picture(tmp_path: Path) -> None:
    """The first link stays, the second moves up, the third vanishes."""
    def robot(name: str, height: float, *links: str) -> Path:
        file = tmp_path / name
        file.write_text('<robot name="r">' + BLOCK.format('a') + ''.join(
            f'{BLOCK.format(link)}<joint name="{link}" type="fixed"><origin xyz="0 {index * 2 + 2}'
            f' {height * (1 - index)}"/><parent link="a"/><child link="{link}"/></joint>'
            for index, link in enumerate(links)) + '</robot>')
        return file

    output = tmp_path / 'diff.png'
    render(robot('old.urdf', 0, 'b', 'c'), '--compare', robot('new.urdf', 2, 'b'), '-o', output,
           '--size', '640x400', '--from', 'front')
    picture = imageio.imread(output)[:300]  # above the legend
    assert 0.005 < redness(picture).mean() < 0.2
    assert 0.005 < orangeness(picture).mean() < 0.2
    legend = imageio.imread(output)[320:, :60].reshape(-1, 3)
    assert all((legend == color).all(1).any() for color in (
        (224, 49, 49), (47, 158, 68), (245, 159, 0)))


@pytest.mark.usefixtures('browser')
@pytest.mark.skipif(shutil.which('git') is None, reason='git is not installed')
def test_a_review_has_a_picture_of_each_robot_that_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    text = (f'<robot name="r">{BLOCK.format("a")}{BLOCK.format("b")}<joint name="j" type="fixed">'
            '<origin xyz="0 2 0"/><parent link="a"/><child link="b"/></joint></robot>')
    names = ('left.urdf', 'right.urdf', 'still.urdf')
    repository = Repository(tmp_path)
    repository.commit(dict.fromkeys(names, text))
    repository.write(dict.fromkeys(names[:2], text.replace('0 2 0', '0 2 1')))
    monkeypatch.chdir(tmp_path)
    assert main(['review', 'HEAD', '--picture', 'moved.png']) == 0
    assert capsys.readouterr().err == ''
    picture = imageio.imread('moved.png')
    assert picture.shape[0] > picture.shape[1], 'one robot is below the other'
    for half in np.split(picture, 2):
        assert 0.005 < orangeness(half).mean() < 0.2


@pytest.mark.usefixtures('browser')
def test_a_sheet_and_movies_have_all_of_the_robot(robot: Path) -> None:
    robot.write_text(FAR)
    sheet, movie = robot.parent / 'sheet.png', robot.parent / 'turn.gif'
    sweep = robot.parent / 'sweep.gif'
    render(robot, '-o', sheet, '--sheet', '--turntable', movie, '--size', '160x120',
           '--animate', sweep)
    assert imageio.imread(sheet).shape == (120, 320, 3), 'zero is the initial configuration'
    for picture in np.split(imageio.imread(sheet), 2, axis=1):
        red = redness(picture)
        assert 0.001 < red.mean()
        assert not (red[0].any() or red[-1].any() or red[:, 0].any() or red[:, -1].any())
    turn, moved = imageio.imread(movie), imageio.imread(sweep)
    assert turn.shape[0] > 20 and turn.shape[1:3] == moved.shape[1:3] == (120, 160)
    widths = [np.ptp(np.nonzero(redness(frame).any(axis=0))[0]) for frame in turn]
    assert max(widths) > 1.3 * min(widths)


@pytest.mark.usefixtures('browser')
def test_a_mesh_that_is_not_drawn_is_named(
        robot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (robot.parent / 'bad.stl').write_text('no mesh')
    text = robot.read_text().replace('<box size="1 1 1"/>', '<mesh filename="bad.stl"/>')
    robot.write_text(text)
    render(robot, '-o', robot.parent / 'x.png', '--size', '160x120')
    assert "warning: not drawn: mesh 'bad.stl': " in capsys.readouterr().err


def test_a_missing_browser_is_reported(
        robot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv('PATH', '/nowhere')
    assert main(['render', str(robot), '-o', str(robot.parent / 'x.png')]) == 1
    assert 'apt install chromium' in capsys.readouterr().err
    assert not (robot.parent / 'x.png').exists()


@pytest.mark.parametrize(('options', 'complaint'), [
    ((), 'nothing to write'), (('-o', 'x.png', '--size', '8'), 'WIDTHxHEIGHT'),
    (('-o', 'x.png', '--from', 'below'), 'is none of'),
    (('--animate', 'x.gif', '--size', '4000x3000'), 'a movie is at most as large as 1920x1080'),
    (('-o', 'x.png', '--model-name', 'arm'), 'has no effect'),
    (('-o', 'x.png', '--sheet', '--compare', 'red.urdf'), '--compare writes one picture'),
    (('-o', 'x.png', '--timeout', '0'), "'0' is not a number of seconds"),
    (('-o', 'red.urdf', '--compare', 'red.urdf'), 'is a source of this conversion'),
    (('--turntable', 'red.urdf'), 'is a source of this conversion')])
def test_what_cannot_be_asked_for(
        robot: Path, options: tuple[str, ...], complaint: str, monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(robot.parent)
    try:
        status: object = main(['render', str(robot), *options])
    except SystemExit as end:
        status = end.code
    assert status == 2
    assert complaint in capsys.readouterr().err
