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


@pytest.mark.pins('request-refused')
def test_a_description_that_is_no_xml_is_refused() -> None:
    found, = load_description(Settings(robot_description='arm.urdf')).report
    assert (found.code, found.message) == (
        'request-refused', 'the robot_description does not begin with <')


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


def test_what_rviz_will_not_show_is_said_with_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    for name in ('own', 'given'):
        (tmp_path / f'{name}.stl').touch()
    visual = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
    text = ARM.replace('"r"', '"r" version="1.2"').replace(
        '<link name="a"/>', '<link name="a">{}{}</link>'.format(
            visual.format('own.stl'), visual.format('package://meshes/given.stl')))
    file = tmp_path / 'r.urdf'
    file.write_text(text)
    settings = Settings(model=str(file), packages=(f'meshes={tmp_path}',))
    as_it_is = load_description(settings)
    assert as_it_is.urdf == text
    assert as_it_is.unseen == (
        'RViz refuses URDF 1.2 (ROS 2 up to Kilted); rviz_compatible:=true publishes it as 1.0',
        'RViz will not find 2 files by the URI: own.stl, package://meshes/given.stl; '
        'rviz_compatible:=true publishes file:// URIs')
    compatible = load_description(settings._replace(rviz_compatible=True, root_link='top'))
    assert not compatible.unseen
    assert compatible.urdf == text.replace('1.2', '1.0').replace(
        '"own', f'"file://{tmp_path}/own').replace('package://meshes', f'file://{tmp_path}')


def test_of_other_formats_rviz_finds_what_no_package_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path / 'other'))
    (tmp_path / 'a.stl').touch()
    file = tmp_path / 'm.sdf'
    for uri, finds in (('a.stl', True), ('package://meshes/a.stl', False)):
        file.write_text(
            '<sdf version="1.9"><model name="m"><link name="a"><visual name="v"><geometry><mesh>'
            f'<uri>{uri}</uri></mesh></geometry></visual></link></model></sdf>')
        settings = Settings(model=str(file), packages=(f'meshes={tmp_path}',))
        answer = load_description(settings)
        assert (answer.unseen == (), f'file://{tmp_path}/a.stl' in answer.urdf) == (finds, finds)
        compatible = load_description(settings._replace(rviz_compatible=True))
        assert f'file://{tmp_path}/a.stl' in compatible.urdf and not compatible.unseen


def test_a_urdf_is_published_byte_for_byte() -> None:
    for file in (EXAMPLES / 'urdf').glob('*.urdf'):
        assert load_description(Settings(model=str(file))).urdf == file.read_text()


def test_blocks_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    extra = tmp_path / 'extra.xml'
    extra.write_text('<robot><link')
    answer = load_description(Settings(robot_description=ARM, urdf_extra=str(extra)))
    assert answer.model is None
    assert f'{extra}:1:8: error[xml-syntax]' in first_error(answer.report)
