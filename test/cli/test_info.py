# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf info``: what a description contains and requires."""

import json
from pathlib import Path

from hrdf_ros.cli import main
import jsonschema
import pytest

Output = pytest.CaptureFixture[str]
SCHEMA = Path(__file__).parents[2] / 'docs' / 'schema' / 'info.schema.json'
ROBOT = """\
<robot name="arm">
  <link name="base"><inertial><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="bar">
    <inertial><origin xyz="1 0 0"/><mass value="2"/>
      <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="package://mine/a.stl"/></geometry></visual>
    <collision><geometry><mesh filename="package://mine/a.stl"/></geometry></collision>
    <visual><geometry><mesh filename="nosuch.stl"/></geometry></visual>
  </link>
  <link name="end"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="bar"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="slide" type="prismatic"><parent link="bar"/><child link="end"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/><mimic joint="turn"/></joint>
  <ros2_control name="c" type="system"><hardware><plugin>mock/System</plugin></hardware>
  </ros2_control>
  <gazebo><plugin filename="libx.so" name="x"><file>package://other/x.yaml</file></plugin></gazebo>
</robot>
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory with a robot and one of its meshes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'arm.urdf').write_text(ROBOT)
    (tmp_path / 'a.stl').write_bytes(b'x' * 84)
    return tmp_path


def info(capsys: Output, *arguments: str) -> dict:
    assert main(['info', 'arm.urdf', '--package', 'mine=.', '--json', *arguments]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    return document


def test_as_json(capsys: Output) -> None:
    found = info(capsys)
    assert (found['name'], found['format'], found['version']) == ('arm', 'urdf', '1.0')
    assert (found['bodies'], found['joints'], found['coordinates']) == (3, 2, 2)
    assert (found['degrees_of_freedom'], found['frames']) == (1, 3)
    assert found['mass'] == 4.0
    assert found['files'] == ['arm.urdf']
    assert found['meshes'] == [
        {'uri': 'package://mine/a.stl', 'file': './a.stl', 'bytes': 84, 'uses': 2},
        {'uri': 'nosuch.stl', 'file': None, 'bytes': None, 'uses': 1}]
    assert found['packages'] == ['mine', 'other']
    assert found['plugins'] == ['libx.so', 'mock/System']


@pytest.mark.parametrize(('angle', 'center', 'inertia'), [
    ('0', [0.5, 0, 0], [1, 2, 2, 0, 0, 0]),
    ('1.5707963267948966', [0, 0.5, 0], [2, 1, 2, 0, 0, 0])])
def test_mass_is_at_the_configuration(
    angle: str, center: list[float], inertia: list[float], capsys: Output,
) -> None:
    found = info(capsys, '--position', f'turn={angle}')
    assert found['center_of_mass'] == pytest.approx(center, abs=1e-12)
    assert found['inertia'] == pytest.approx(inertia, abs=1e-12)


def test_as_text(capsys: Output) -> None:
    assert main(['info', 'arm.urdf', '--package', 'mine=.']) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:8] == [
        'name                arm', 'format              urdf 1.0',
        'degrees of freedom  1 (and 1 dependent coordinates)', 'links               3',
        'joints              2', 'frames              3', 'mass                4 kg',
        "center of mass      0.5 0 0 m in 'base'"]
    assert 'meshes              package://mine/a.stl (84 bytes, used 2 times)' in lines
    assert '                    nosuch.stl (not found)' in lines
    assert lines[-2:] == ['plugins             libx.so', '                    mock/System']


def test_inertia_of_each_link(capsys: Output) -> None:
    assert 'links' not in info(capsys)
    base, bar, end = info(capsys, '--inertia')['links']
    assert base == {'name': 'base', 'mass': 2, 'center_of_mass': [0, 0, 0],
                    'inertia': [1, 1, 1, 0, 0, 0]}
    assert (bar['center_of_mass'], end['mass'], end['inertia']) == ([1, 0, 0], 0, [0] * 6)
    assert main(['info', 'arm.urdf', '--package', 'mine=.', '--inertia']) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[-4:-1]] == [
        'link mass x y z ixx iyy izz ixy ixz iyz'.split(), 'base 2 0 0 0 1 1 1 0 0 0'.split(),
        'bar 2 1 0 0 0 0 0 0 0 0'.split()]


def test_without_mass(here: Path, capsys: Output) -> None:
    (here / 'arm.urdf').write_text('<robot name="r"><link name="l"/></robot>')
    found = info(capsys)
    assert (found['mass'], found['center_of_mass'], found['inertia']) == (0, None, None)


def test_long_lists_are_cut(here: Path, capsys: Output) -> None:
    meshes = ''.join(
        f'<visual><geometry><mesh filename="{"" if count else "https://x.org/"}{count}.stl"/>'
        '</geometry></visual>' for count in range(91))
    (here / 'arm.urdf').write_text(f'<robot name="r"><link name="l">{meshes}</link></robot>')
    assert main(['info', 'arm.urdf']) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == '                    and 80 more'
    assert 'meshes              https://x.org/0.stl (on the network)' in lines
