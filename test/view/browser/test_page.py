# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer's page as a browser shows it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
import re
from shutil import copytree
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from hrdf_ros import Kinematics, load_model
from hrdf_ros.cli import main
import numpy as np
import pytest

from .conftest import frames, Look, SIZE, SLIDER_BOX

EXAMPLES = Path(__file__).parents[3] / 'examples'
HOSTILE = '<img src=x onerror="window.hostile=true">'
BOX = '<visual><geometry><box size="0.2 0.1 0.1"/></geometry></visual>'
Show = Callable[..., Look]

SLIDE_ALL = """values => {
  const boxes = document.querySelectorAll(
    '.mantine-Slider-root + .mantine-NumberInput-root input');
  const type = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
  values.forEach((value, index) => {
    type.call(boxes[index], String(value));
    boxes[index].dispatchEvent(new Event('input', {bubbles: true}));
  });
}"""
"""Type a value into the box of each slider within one task of the page."""

FARTHEST = """() => {
  const page = window.__viserMutable, camera = page.camera;
  camera.updateMatrixWorld(true);
  const ends = [...Array(13).keys()].map(index => {
    const place = page.nodeRefFromName[`/robot/${index}`];
    const point = camera.position.clone().setFromMatrixPosition(place.matrixWorld);
    return Math.abs(point.project(camera).x);
  });
  return Math.max(...ends);
}"""
"""How far the links are from the middle of the picture; 1 is its left or right edge."""


def chain(links: int) -> str:
    """Return a URDF of a chain of boxes, each turning on the one before it."""
    joints = ''.join(
        f'<joint name="j{index}" type="continuous"><parent link="l{index}"/>'
        f'<child link="l{index + 1}"/><origin xyz="0.2 0 0"/><axis xyz="0 0 1"/></joint>'
        for index in range(links - 1))
    bodies = ''.join(f'<link name="l{index}">{BOX}</link>' for index in range(links))
    return f'<robot name="chain">{bodies}{joints}</robot>'


def test_a_slider_moves_the_links_to_where_hrdf_frames_has_them(look: Show) -> None:
    file = EXAMPLES / 'hrdf' / 'arm_6dof.hrdf'
    bodies = load_model(str(file)).bodies
    shown = look(file)
    start = frames(file)
    for index, body in enumerate(bodies):
        shown.wait_for_pose(index, start[body.name])
    shown.slide(1, 0.75)
    moved = frames(file, {'shoulder': 0.75})
    for index, body in enumerate(bodies):
        shown.wait_for_pose(index, moved[body.name])
    assert shown.page.get_by_text('--positions 0,0.75,0,0,0,0').is_visible()
    shown.page.get_by_role('button', name='degrees').click()
    shown.wait_for(lambda: shown.page.locator(SLIDER_BOX).nth(1).input_value() == '42.9718')


def test_sliders_moved_in_quick_succession_all_count(look: Show) -> None:
    file = EXAMPLES / 'hrdf' / 'arm_6dof.hrdf'
    kinematics = Kinematics.load(file)
    shown = look(file)
    shown.use_radians()
    for values in ((0.5, 0.7, 1.4, 0.5, 0.6, 0.2), (-0.3, 0.2, 0.9, -0.5, 0.1, 1.1)):
        shown.page.evaluate(SLIDE_ALL, values)
        words = ','.join(map(str, values))
        shown.page.get_by_text(f'--positions {words}').wait_for()
        for index, body in enumerate(kinematics.model.bodies):
            shown.wait_for_pose(index, kinematics.pose(body.name, values))
    shown.page.get_by_role('button', name='Zero').click()
    shown.page.get_by_text('--positions 0,0,0,0,0,0').wait_for()


def test_the_whole_robot_is_in_a_narrow_window(look: Show) -> None:
    shown = look(EXAMPLES / 'hrdf' / 'arm_6dof.hrdf')
    shown.page.set_viewport_size({'width': 700, 'height': 500})
    shown.page.reload()
    shown.wait_for_node('/robot/12')
    shown.wait_for(lambda: shown.page.evaluate(FARTHEST) < 1.0)


def test_a_closed_loop_stays_closed(look: Show) -> None:
    file = EXAMPLES / 'sdf' / 'four_bar.sdf'
    bodies = load_model(str(file)).bodies
    shown = look(file)
    for value in (0.4, -0.9):
        shown.slide(0, value)
        moved = frames(file, {'drive': value})
        for index, body in enumerate(bodies):
            shown.wait_for_pose(index, moved[body.name])
    assert not shown.page.get_by_text('cannot close').count()


def test_a_broken_file_shows_its_error_and_a_fixed_one_clears_it(
        look: Show, tmp_path: Path) -> None:
    file = tmp_path / 'robot.urdf'
    file.write_text(chain(2))
    shown = look(file)
    shown.slide(0, 0.5)
    turned = frames(file, {'j0': 0.5})['l1']
    shown.wait_for_pose(1, turned)
    camera = shown.page.evaluate('window.__viserMutable.camera.position.toArray()')

    file.write_text(chain(2).replace('<link name="l0">', '\n<link nome="l0">'))
    alert = shown.page.locator('.hrdf-over')
    alert.wait_for()
    assert f'{file}:2:' in alert.inner_text() and '<link nome="l0">' in alert.inner_text()
    assert shown.pose(1) == pytest.approx(turned, abs=1e-5)

    file.write_text(chain(3))
    alert.wait_for(state='detached')
    longer = frames(file, {'j0': 0.5})
    shown.wait_for_pose(2, longer['l2'])
    assert shown.pose(1) == pytest.approx(turned, abs=1e-5)
    assert shown.page.evaluate('window.__viserMutable.camera.position.toArray()') == (
        pytest.approx(camera))


def test_a_change_of_an_included_file_is_shown(look: Show, tmp_path: Path) -> None:
    part, file = tmp_path / 'part.hrdf', tmp_path / 'robot.hrdf'
    link = '<robot version="1.6.0"><link type="X5" extension="{length}" twist="0"/></robot>'
    part.write_text(link.format(length=0.3))
    file.write_text('<robot version="1.6.0"><actuator type="X5-4" tag="base"/>'
                    '<include path="part.hrdf"/><actuator type="X5-4" tag="tip"/></robot>')
    tip = [body.name for body in load_model(str(file)).bodies].index('tip')
    shown = look(file)
    shown.wait_for_pose(tip, frames(file)['tip'])
    part.write_text(link.format(length=0.6))
    shown.wait_for_pose(tip, frames(file)['tip'])


def test_a_hostile_name_is_only_text(look: Show, tmp_path: Path) -> None:
    file, name = tmp_path / 'hostile.urdf', escape(HOSTILE)
    file.write_text(
        f'<robot name="{name}"><link name="{name}">{BOX}</link><link name="b">{BOX}</link>'
        f'<joint name="{name}" type="continuous"><parent link="{name}"/><child link="b"/>'
        '<axis xyz="0 0 1"/></joint></robot>')
    shown = look(file)
    page = shown.page
    page.get_by_role('tab', name='Links').click()
    page.get_by_label('Find').click()
    page.get_by_role('option', name=HOSTILE).first.click()
    page.get_by_role('tab', name='Show').click()
    page.get_by_label('Frames').click()
    page.get_by_role('option', name='all').click()
    shown.wait_for(lambda: page.get_by_text(HOSTILE).count() >= 3)
    assert page.locator('img[src=x]').count() == 0
    assert page.evaluate('window.hostile') is None


def test_a_click_describes_a_part(look: Show, tmp_path: Path) -> None:
    file = tmp_path / 'box.urdf'
    file.write_text(
        '<robot name="r">\n<link name="the_box"><inertial><mass value="2.5"/><inertia ixx="1" '
        'iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>' + BOX + '</link></robot>')
    shown = look(file)
    page = shown.page
    canvas = page.locator('canvas').first.bounding_box()
    heading = page.get_by_role('heading', name='the_box')
    for _ in range(60):
        page.mouse.click(canvas['x'] + canvas['width'] / 2, canvas['y'] + canvas['height'] / 2)
        page.wait_for_timeout(500)
        if heading.count():
            break
    heading.wait_for()  # an earlier click that arrives late writes it again
    page.get_by_text('quaternion').wait_for()
    page.get_by_text('box.urdf:2').wait_for()
    shown.wait_for(lambda: page.get_by_text('2.5 kg').count() == 2)


def test_the_tree_of_links_and_the_filter(look: Show) -> None:
    shown = look(EXAMPLES / 'skel' / 'humanoid.skel')
    page = shown.page
    page.get_by_role('tab', name='Links').click()
    is_visible = "window.__viserMutable.nodeRefFromName['/robot/3'].visible"
    for expected in (False, True):
        page.locator('[data-event="show 3"]').click()
        shown.wait_for(lambda expected=expected: page.evaluate(is_visible) == expected)
    page.locator('[data-event="select 4"]').click()
    page.get_by_role('heading', name='left_upper_arm').wait_for()
    page.get_by_role('tab', name='Joints').click()
    row = page.locator('.mantine-Flex-root', has=page.get_by_text('Filter', exact=True))
    row.locator('input').fill('NECK')
    shown.wait_for(lambda: page.locator(SLIDER_BOX).count() == 3)


def test_the_sliders_are_the_first_controls(look: Show) -> None:
    page = look(EXAMPLES / 'hrdf' / 'arm_6dof.hrdf').page
    last = page.locator(SLIDER_BOX).nth(5)
    last.wait_for()
    button = page.get_by_role('button', name='Zero')
    assert last.bounding_box()['y'] < button.bounding_box()['y']
    assert not page.get_by_label('Find').is_visible()


def test_a_link_is_dragged_with_shift(look: Show, tmp_path: Path) -> None:
    file = tmp_path / 'chain.urdf'
    file.write_text(chain(2))
    shown = look(file)
    shown.use_radians()
    before = shown.pose(1)
    canvas = shown.page.locator('canvas').first.bounding_box()
    x, y = canvas['x'] + 0.58 * canvas['width'], canvas['y'] + 0.42 * canvas['height']
    shown.page.keyboard.down('Shift')
    shown.page.mouse.move(x, y)
    shown.page.mouse.down()
    for step in range(20):
        shown.page.mouse.move(x - 4 * step, y - 4 * step)
        shown.page.wait_for_timeout(50)
    shown.page.mouse.up()
    shown.wait_for(lambda: not np.allclose(shown.pose(1), before, atol=0.1))


def test_a_large_robot_moves(look: Show, tmp_path: Path) -> None:
    file = tmp_path / 'chain.urdf'
    file.write_text(chain(200))
    shown = look(file)
    shown.wait_for_node('/robot/199')
    before = shown.pose(199)
    shown.slide(0, 0.5)
    shown.wait_for(lambda: not np.allclose(shown.pose(199), before, atol=0.1))


def test_the_page_needs_nothing_from_elsewhere(look: Show) -> None:
    shown = look(EXAMPLES / 'urdf' / 'gripper_arm.urdf')
    with urlopen(shown.address) as answer:
        text = answer.read().decode()
    assert re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="https?:', text) == []
    asked: list[str] = []
    shown.page.on('request', lambda request: asked.append(request.url))
    shown.page.reload()
    shown.wait_for_node('/robot/0')
    host = urlsplit(shown.address).netloc
    assert asked and all(
        urlsplit(url).scheme in ('data', 'blob') or urlsplit(url).netloc == host for url in asked)


def test_two_robots_lie_over_each_other_and_differences_are_listed(
        look: Show, tmp_path: Path) -> None:
    first, second = tmp_path / 'first.urdf', tmp_path / 'second.urdf'
    first.write_text(chain(3))
    second.write_text(chain(4).replace('xyz="0.2 0 0"', 'xyz="0.3 0 0"', 1))
    shown = look(first, second)
    shown.page.get_by_text('only in second.urdf').wait_for()
    assert shown.page.get_by_text('l3: - → present').count() == 2, 'the body and its frame'
    shown.slide(0, 0.5)
    for root, file, last in (('/robot', first, 2), ('/second', second, 3)):
        expected = frames(file, {'j0': 0.5})[f'l{last}']
        shown.wait_for_pose(last, expected, root)


def test_a_robot_configuration_is_served_under_a_printable_name(
        browser: Any, serve: Callable[..., str], tmp_path: Path) -> None:
    folder = copytree(EXAMPLES / 'hrdf', tmp_path / 'hrdf')
    file = (folder / 'arm_6dof.cfg.yaml').rename(folder / 'a\x1b[31m.cfg.yaml')
    shown = Look(browser.new_page(viewport=SIZE), serve(file))
    shown.wait_for_node('/robot/0')
    shown.page.get_by_label('of the file').click()
    shown.page.get_by_role('option', name='home').click()
    shown.page.get_by_text('Option for the command line').click()
    shown.page.get_by_text('--positions 0,1.2,1.6,-1.17,-1.57,0').wait_for()
    robot = Kinematics.load(file)
    tip = robot.model.bodies[-1].name
    shown.wait_for_pose(
        len(robot.model.bodies) - 1, robot.pose(tip, robot.configuration('home')))
    shown.page.close()
    assert shown.errors == []


def test_the_command_gives_the_first_positions(
        browser: Any, serve: Callable[..., str]) -> None:
    file = EXAMPLES / 'hrdf' / 'arm_6dof.hrdf'
    shown = Look(browser.new_page(viewport=SIZE), serve(
        file, '--position', 'elbow=90deg', '--position', 'base=-0.5'))
    shown.wait_for_node('/robot/12')
    robot = Kinematics.load(file)
    shown.wait_for_pose(12, robot.pose(
        robot.model.bodies[12].name, {'elbow': np.pi / 2, 'base': -0.5}))
    assert shown.page.locator(SLIDER_BOX).nth(2).input_value() == '90'
    shown.page.close()


def test_a_missing_file_ends_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['view', 'none.urdf', '--no-open']) == 1
    assert 'none.urdf' in capsys.readouterr().err
