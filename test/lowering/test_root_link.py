# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A massless link above a root link with inertia."""

from __future__ import annotations

from pathlib import Path

from hrdf_ros import Kinematics, load_model, Report
from hrdf_ros.cli import main
from hrdf_ros.lowering.changes import RootLinkError, with_root_link
from hrdf_ros.model import Model
from hrdf_ros.writers.urdf import write_urdf
import numpy as np
import pytest

MASS = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        '</inertial>')
URDF = f"""<?xml version="1.0"?>
<robot name="r"><!-- kept -->
  <link name="base">{MASS}</link>
  <link name="tip">{MASS}</link>
  <joint name="j" type="continuous"><parent link="base"/><child link="tip"/></joint>
</robot>
<!-- </robot> -->
"""
SDF = """<sdf version="1.11"><model name="m"><pose>1 2 3 0 0 0.5</pose><link name="base">
<inertial/></link><link name="tip"/><joint name="j" type="revolute"><parent>base</parent>
<child>tip</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""


def below(text: str, name: str = 'world_link') -> Model:
    return with_root_link(load_model(text), name, Report())


def test_the_text_of_a_urdf_keeps_all_else() -> None:
    text, report = write_urdf(below(URDF))
    assert report.ok and text.startswith(URDF.partition('</robot>')[0])
    assert text.endswith('</robot>\n<!-- </robot> -->\n')
    model = load_model(text)
    assert model.root == 'world_link' and model.bodies[-1].inertia is None
    assert [(joint.name, joint.type) for joint in model.joints] == [
        ('j', 'continuous'), ('world_link/base', 'fixed')]


@pytest.mark.parametrize('text', [URDF, SDF])
def test_nothing_moves(text: str) -> None:
    before, after = Kinematics(load_model(text)), Kinematics(below(text))
    written = Kinematics(load_model(write_urdf(below(text))[0]))
    for frame in ('base', 'tip'):
        pose = before.pose(frame, [0.4], relative_to='base')
        assert np.array_equal(before.pose(frame, q=[0.4]), after.pose(frame, q=[0.4]))
        assert np.allclose(after.pose(frame, [0.4], relative_to='world_link'), pose, atol=1e-15)
        assert np.allclose(written.pose(frame, q=[0.4]), pose, atol=1e-15)
    assert written.model.root == 'world_link'


@pytest.mark.parametrize('text', [
    '<robot name="r"><link name="base"/></robot>',
    '<robot version="1.6.0"><actuator type="X5-4"/></robot>',
    '<sdf version="1.11"><model name="m"><link name="a"/><link name="b"/></model></sdf>'])
def test_a_massless_root_is_enough(text: str) -> None:
    model = load_model(text)
    assert with_root_link(model, 'world_link', Report()) is model


@pytest.mark.parametrize('name', ['base', 'tip', '', ' '])
def test_a_name_that_cannot_be_used(name: str) -> None:
    with pytest.raises(RootLinkError):
        below(URDF, name)


def test_a_name_is_escaped() -> None:
    assert load_model(write_urdf(below(URDF, 'a<"&b'))[0]).root == 'a<"&b'


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / 'm.sdf'
    file.write_text(SDF)
    assert main(['convert', str(file), '--root-link', 'floor']) == 0
    out, err = capsys.readouterr()
    assert '<link name="floor"/>' in out and "'floor' is added above 'base'" in err
    assert main(['convert', str(file), '--root-link', 'tip']) == 2
    assert main(['convert', str(file), '--root-link', 'floor', '--to', 'sdf']) == 2
