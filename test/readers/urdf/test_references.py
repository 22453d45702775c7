# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Names of links and joints in what other programs read."""

from __future__ import annotations

from hrdf_ros.document import SourceFile
from hrdf_ros.load import load, load_model
from hrdf_ros.writers.urdf import write_urdf
import pytest

ROBOT = (
    '<robot name="r"><link name="base"/><link name="arm"/>'
    '<joint name="shoulder" type="continuous"><parent link="base"/><child link="arm"/>'
    '<axis xyz="0 0 1"/></joint>{}</robot>')
HRDF = '<robot version="1.5.0"><actuator type="X5-4" tag="j"/></robot>'


def found(content: str) -> list[tuple[str, str | None]]:
    report = load(ROBOT.format(content)).report
    return [
        (one.message, one.hint) for one in report if one.code == 'urdf-name-unknown']


@pytest.mark.parametrize('content', [
    '<gazebo/>', '<gazebo reference="arm"/>', '<gazebo reference="shoulder"/>',
    '<ros2_control name="s" type="system"><hardware/><joint name="shoulder">'
    '<param name="min">-1</param></joint><gpio name="g"/><sensor name="f"/></ros2_control>',
    '<transmission name="t"><type>x</type><joint name="shoulder"/><actuator name="m"/>'
    '</transmission>', '<transmission><joint/></transmission>',
    '<group name="arm"><joint name="elbow"/></group>',
])
def test_names_that_are_there(content: str) -> None:
    assert found(content) == []


@pytest.mark.parametrize(('content', 'message', 'hint'), [
    ('<gazebo reference="amr"/>', "<gazebo> refers to 'amr', which is not a link or joint",
     "did you mean 'arm'?"),
    ('<gazebo reference="nothing_like_it"/>',
     "<gazebo> refers to 'nothing_like_it', which is not a link or joint", None),
    ('<ros2_control><joint name="sholder"/></ros2_control>',
     "<ros2_control> refers to an unknown joint 'sholder'", "did you mean 'shoulder'?"),
    ('<ros2_control><joint name="shoulder"><param name="mimic"> shoulde </param></joint>'
     '</ros2_control>', "<ros2_control> refers to an unknown joint 'shoulde'",
     "did you mean 'shoulder'?"),
    ('<transmission name="t"><joint name="Shoulder"/></transmission>',
     "<transmission> refers to an unknown joint 'Shoulder'", "did you mean 'shoulder'?"),
])
def test_names_that_are_not_there(content: str, message: str, hint: str | None) -> None:
    assert found(content) == [(message, hint)]


def extra(text: str) -> SourceFile:
    return SourceFile('extra.xml', text.encode())


@pytest.mark.parametrize(('robot', 'joint'), [(ROBOT.format(''), 'shoulder'), (HRDF, 'j')])
def test_what_is_added_to_a_urdf(robot: str, joint: str) -> None:
    added = extra(
        f'<robot><link name="camera"/><gazebo reference="camera"/>\n<gazebo reference="{joint}"/>'
        f'<transmission><joint name="{joint}"/><joint name="{joint}x"/></transmission></robot>')
    text, report = write_urdf(load_model(robot), extra=added)
    assert '<transmission><joint' in text
    unknown = [one for one in report if one.code == 'urdf-name-unknown']
    assert [(one.message, one.hint) for one in unknown] == [(
        f"<transmission> refers to an unknown joint '{joint}x'", f"did you mean '{joint}'?")]
    at = unknown[0].resolve()
    assert at is not None and (at.file, at.line) == ('extra.xml', 2)
    _, report = write_urdf(load_model(robot), extra=extra('<gazebo reference="nobody"/>'))
    assert 'urdf-name-unknown' in [one.code for one in report]
