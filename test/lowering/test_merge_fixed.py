# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""Links on fixed joints become one link."""

from __future__ import annotations

from pathlib import Path

from helpers.kinematic_models import random_model
from hrdf_ros import load_model
from hrdf_ros.cli import main
from hrdf_ros.diagnostics import GroupedDiagnostics, Report
from hrdf_ros.diff import diff_models
from hrdf_ros.inertia import combine
from hrdf_ros.lowering.changes import merge_fixed
from hrdf_ros.model import Model
from hrdf_ros.pose import compose
from hrdf_ros.topology import zero_poses
import pytest

INERTIAL = ('<inertial><origin xyz="0 0 1"/><mass value="{}"/><inertia ixx="1" iyy="1" izz="1" '
            'ixy="0" ixz="0" iyz="0"/></inertial>')
BOX = '<visual name="v"><geometry><box size="1 1 1"/></geometry></visual>'
URDF = f"""<robot name="r"><link name="a">{INERTIAL.format(1)}{BOX}</link>
<link name="b">{INERTIAL.format(3)}{BOX}</link><link name="c"/><link name="d"/>
<joint name="ab" type="fixed"><origin xyz="1 0 0" rpy="0 0 1"/><parent link="a"/><child link="b"/>
</joint><joint name="bc" type="continuous"><origin xyz="0 1 0"/><parent link="b"/>
<child link="c"/></joint><joint name="cd" type="fixed"><parent link="c"/><child link="d"/></joint>
<gazebo reference="b"><x/></gazebo></robot>"""


def merged(model: Model) -> tuple[Model, Report]:
    notes, report = GroupedDiagnostics(model.location), Report()
    result = merge_fixed(model, notes)
    notes.into(report)
    return result, report


def test_masses_and_shapes_move_and_frames_stay() -> None:
    model = load_model(URDF)
    result, report = merged(model)
    assert [body.name for body in result.bodies] == ['a', 'c']
    assert [joint.name for joint in result.joints] == ['bc']
    assert [(frame.name, frame.kind) for frame in result.frames] == [
        ('a', 'link'), ('b', 'frame'), ('c', 'link'), ('d', 'frame')]
    assert [found.what for found in diff_models(model, result)
            if found.what.startswith(('pose', 'motion'))] == []
    a, b = (model.bodies[index] for index in range(2))
    pose = model.joints[0].parent_from_joint
    assert a.inertia and b.inertia
    assert result.bodies[0].inertia == combine(
        [a.inertia, b.inertia._replace(pose=compose(pose, b.inertia.pose))])._replace(
            location=a.inertia.location)
    assert [shape.pose for shape in result.bodies[0].visuals] == [a.visuals[0].pose, pose]
    assert ["'b'" in found.message for found in report] == [True]


@pytest.mark.parametrize('seed', range(12))
def test_nothing_moves(seed: int) -> None:
    model = random_model(seed, 12, ('fixed', 'revolute', 'fixed', 'prismatic'), roots=1)
    result, _ = merged(model)
    assert [found for found in diff_models(model, result)
            if found.what.startswith(('pose', 'motion', 'coordinate'))] == []
    assert len(result.bodies) == len(zero_poses(result))
    assert merge_fixed(result, GroupedDiagnostics()) is result


def test_a_link_fixed_to_the_world_stays_a_link() -> None:
    model = load_model(
        '<sdf version="1.11"><model name="m"><link name="a"/><joint name="j" type="fixed">'
        '<parent>world</parent><child>a</child></joint></model></sdf>')
    assert merged(model)[0] is model


def test_a_sensor_on_a_link_that_moves_is_omitted_with_a_warning() -> None:
    model = load_model(
        '<sdf version="1.11"><model name="m"><link name="a"/><link name="b"><pose>1 0 0 0 0 0'
        '</pose><sensor name="s" type="imu"/></link><link name="c"><sensor name="t" type="imu"/>'
        '</link>' + ''.join(
            f'<joint name="{name}" type="fixed"><parent>a</parent><child>{name}</child></joint>'
            for name in ('b', 'c')).replace('name="b"', 'name="jb"').replace(
                'name="c"', 'name="jc"') + '</model></sdf>')
    result, report = merged(model)
    assert ['name="t"' in each.text for each in result.bodies[0].extensions] == [True]
    assert [(found.severity, 'sensor' in found.message) for found in report] == [
        ('warning', True)]


def test_a_nested_model_keeps_the_link_that_its_frame_is_on(tmp_path: Path) -> None:
    source = tmp_path / 'source.sdf'
    source.write_text(
        '<sdf version="1.11"><model name="m"><link name="a"/><model name="g"><link name="palm"/>'
        '<link name="pad"/><link name="finger"/><joint name="slide" type="prismatic"><parent>palm'
        '</parent><child>finger</child><axis><xyz>1 0 0</xyz></axis></joint></model>'
        + ''.join(
            f'<joint name="on_{name}" type="fixed"><parent>a</parent><child>g::{name}</child>'
            '</joint>'
            for name in ('palm', 'pad')) + '</model></sdf>')
    for options, links in ((), ['a', 'g/palm', 'g/finger']), (('--flatten',), ['a', 'g/finger']):
        out = str(tmp_path / 'out.sdf')
        assert main(['convert', str(source), '-o', out, '--merge-fixed', *options]) == 0
        after = load_model(out)
        assert [body.name for body in after.bodies] == links
        assert {'g/palm', 'g/pad', 'g/finger'} < {frame.name for frame in after.frames}
    assert main(['convert', str(source), '-o', out, '--merge-fixed', '--verify']) == 0


@pytest.mark.parametrize('target', ['urdf', 'sdf', 'dot'])
def test_the_command(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / 'r.urdf').write_text(URDF)
    out = str(tmp_path / f'out.{target}')
    verify = [] if target == 'dot' else ['--verify']
    assert main(['convert', str(tmp_path / 'r.urdf'), '-o', out, '--merge-fixed', *verify]) == 0
    text = (tmp_path / f'out.{target}').read_text()
    assert 'type="fixed"' not in text and 'ab' not in text.split()
    assert ('verified: ' in capsys.readouterr().err) == (target != 'dot')
