# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf srdf``."""

from __future__ import annotations

from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

from helpers.robots import REPOSITORY
from hrdf_ros.cli import main
import pytest

ARM = str(REPOSITORY / 'examples' / 'hrdf' / 'arm_6dof.hrdf')
Output = pytest.CaptureFixture[str]


def srdf(output: Output, *arguments: str) -> ElementTree.Element:
    assert main(['srdf', *arguments]) == 0
    return ElementTree.fromstring(output.readouterr().out)


def test_all_parts_are_there(capsys: Output) -> None:
    pytest.importorskip('coal')
    robot = srdf(capsys, ARM, '--samples', '50')
    assert {child.tag for child in robot} == {
        'virtual_joint', 'group', 'group_state', 'end_effector', 'disable_collisions'}
    assert {pair.get('reason') for pair in robot.iter('disable_collisions')} == {
        'Adjacent', 'Never'}


def test_groups_states_and_the_virtual_joint_are_as_asked_for(capsys: Output) -> None:
    robot = srdf(
        capsys, ARM, '--no-collisions', '--group', 'wrist=forearm:tool', '--position',
        'wrist_2=0.25', '--virtual-joint', 'planar')
    assert robot.find('group/chain').attrib == {'base_link': 'forearm', 'tip_link': 'tool'}
    assert robot.find("group_state/joint[@name='wrist_2']").get('value') == '0.25'
    assert robot.find('virtual_joint').get('type') == 'planar'
    assert {pair.get('reason') for pair in robot.iter('disable_collisions')} == {'Adjacent'}


def test_a_file_is_written_and_no_source_is_replaced(tmp_path: Path, capsys: Output) -> None:
    out = tmp_path / 'arm.srdf'
    assert main(['srdf', ARM, '--no-collisions', '-o', str(out)]) == 0
    assert ElementTree.parse(out).getroot().get('name') == 'arm_6dof'
    assert main(['srdf', ARM, '--no-collisions', '-o', ARM]) == 2
    assert 'is a source of this conversion' in capsys.readouterr().err


@pytest.mark.parametrize('command', ['srdf', 'ros2-control'])
def test_a_robot_of_too_many_links_is_refused(
        command: str, tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / 'chain.hrdf'
    joints = '<joint axis="rz"/>' * 1001
    file.write_text(f'<robot version="1.6.0">{joints}</robot>')
    assert main([command, str(file)]) == 1
    assert capsys.readouterr().err == (
        'hrdf: error: no planning groups: the robot has 1003 links; 1000 are the most\n')


def test_without_the_library_adjacent_links_are_disabled(capsys: Output) -> None:
    with mock.patch.dict('sys.modules', {'coal': None}):
        assert main(['srdf', ARM]) == 0
    out, err = capsys.readouterr()
    assert 'pip install coal' in err
    assert main(['srdf', ARM, '--no-collisions']) == 0
    assert capsys.readouterr() == (out, '')


def test_what_cannot_move_has_no_group(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / 'stone.urdf'
    file.write_text('<robot name="stone"><link name="stone"/></robot>')
    assert main(['srdf', str(file), '--no-collisions']) == 0
    out, err = capsys.readouterr()
    assert '<group' not in out and 'nothing moves' in err


def test_an_open_loop_ends_it(capsys: Output) -> None:
    four_bar = str(REPOSITORY / 'examples' / 'sdf' / 'four_bar.sdf')
    assert main([
        'srdf', four_bar, '--no-collisions', '--position', 'drive=0.1',
        '--position', 'crank_pin=3', '--position', 'pivot=2', '--position', 'rocker_pin=1']) == 1
    assert 'loop-open' in capsys.readouterr().err
