# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A live node on a xacro file: arguments, and a macro that is broken and mended."""

from __future__ import annotations

from helpers.live_node import TIMEOUT
import pytest

NAMESPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
ROBOT = f"""<robot name="x" {NAMESPACE}>
<xacro:arg name="length" default="0.25"/>
<xacro:include filename="part.xacro"/>
<xacro:part name="a" length="$(arg length)"/>
</robot>
"""
PART = f"""<robot {NAMESPACE}>
<xacro:macro name="part" params="name length"><link name="${{name}}"/>
<link name="tip"/><joint name="j" type="fixed"><parent link="${{name}}"/><child link="tip"/>
<origin xyz="0 0 ${{length}}"/></joint></xacro:macro>
</robot>
"""


@pytest.fixture
def robot(tmp_path):
    pytest.importorskip('xacro')
    (tmp_path / 'part.xacro').write_text(PART)
    (file := tmp_path / 'robot.urdf.xacro').write_text(ROBOT)
    return file


def test_arguments_come_from_the_command_line_and_change(run, client, robot):
    run(str(robot), 'length:=0.5')
    assert 'xyz="0 0 0.5"' in client.wait_for_message('/robot_description').data
    assert client.set_parameter('xacro_arguments', ['length:=0.75']).successful
    client.wait_for(
        lambda: 'xyz="0 0 0.75"' in client.received['/robot_description'][-1].data,
        'the other length')
    result = client.set_parameter('xacro_arguments', ['lenght:=1'])
    assert (result.successful, result.reason) == (False, (
        f"{robot}:1:1: error[xacro-unknown-argument]: the xacro file has no argument 'lenght' "
        "(did you mean 'length'?)"))


def test_an_unknown_argument_ends_the_start(start, robot):
    node = start(str(robot), xacro_arguments='["lenght:=1"]')
    assert node.process.wait(TIMEOUT) == 1
    assert "did you mean 'length'?" in node.log


def test_a_macro_is_broken_and_mended_while_the_node_watches(run, client, robot):
    node = run(str(robot), watch='true')
    part = robot.with_name('part.xacro')
    client.wait_for_message('/robot_description')
    part.write_text(PART.replace('${length}', '${lenth}'))
    place = f'{part}:4:1: error[xacro-failed]'
    client.wait_for(lambda: place in node.log, 'the error')
    [line] = [line for line in node.log.splitlines() if place in line]
    assert "name 'lenth' is not defined" in line
    assert line.endswith(f"in the macro 'part', called at {robot}:4:1")
    assert client.lookup('tip').transform.transform.translation.z == 0.25
    part.write_text(PART.replace('${length}', '${2 * length}'))
    client.wait_for(
        lambda: 'xyz="0 0 0.5"' in client.received['/robot_description'][-1].data,
        'the mended macro')
