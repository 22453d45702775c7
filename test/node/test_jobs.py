# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Descriptions that are refused before the process that publishes sees them."""

from __future__ import annotations

from pathlib import Path

from hrdf_ros.node.jobs import load_description, load_text
from hrdf_ros.node.log_text import first_error
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.settings import Settings
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'
ARM = """<robot name="r"><link name="a"/><link name="b"/><joint name="elbow" type="continuous">
<parent link="a"/><child link="b"/></joint></robot>"""


@pytest.mark.parametrize(('name', 'hint'), [
    ('elbo', "; did you mean 'elbow'?"), ('/dev/zero', ''), ('\x1b[2J\n', ''), ('x' * 5000, '')])
def test_actuated_joints_that_the_robot_does_not_have(name: str, hint: str) -> None:
    """Fuzzing found that they ended the node at its start, by an exception."""
    answer = load_description(
        Settings(robot_description=ARM, actuated_joints=('elbow', name)))
    assert answer.model is None
    reason = first_error(answer.report)
    assert 'actuated_joints: the robot has no joint' in reason
    assert hint in reason
    assert reason.isprintable()
    assert len(reason) < 300
    assert load_description(
        Settings(robot_description=ARM, actuated_joints=('elbow',))).model


def test_no_description_from_a_topic_runs_a_program(tmp_path: Path) -> None:
    trace = tmp_path / 'trace'
    result = load_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/>'
        f'<xacro:property name="x" value="${{open(\'{trace}\', \'w\')}}"/>'
        '<link name="${x}"/></robot>')
    assert not trace.exists()
    assert result.report.diagnostics


def test_frames_of_sensors_are_published_where_that_is_wanted() -> None:
    settings = Settings(model=str(EXAMPLES / 'sdf' / 'mobile_base.sdf'), frame_prefix='base/')
    for kinds, expected in (('bodies', []), ('sensor', [('base/chassis', 'base/chassis/lidar')])):
        answer = load_description(settings._replace(publish_frames=kinds))
        robot = Robot(answer, settings)
        assert [pair for pair in robot.frames_of(robot.edges) if 'lidar' in pair[1]] == expected
        assert ('<link name="chassis/lidar"' in answer.urdf) == bool(expected)


def test_blocks_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    extra = tmp_path / 'extra.xml'
    extra.write_text('<robot><link')
    answer = load_description(Settings(robot_description=ARM, urdf_extra=str(extra)))
    assert answer.model is None
    assert f'{extra}:1:8: error[xml-syntax]' in first_error(answer.report)
