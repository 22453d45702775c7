# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Links on fixed joints become one link; a massless link above a root link with inertia."""

from __future__ import annotations

from pathlib import Path

from helpers.kinematic_models import random_model
from hrdf_ros import Kinematics, load_model, Report
from hrdf_ros.cli import main
from hrdf_ros.diff import diff_models
from hrdf_ros.inertia import combine
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering.changes import find_merged, merge_fixed, RootLinkError, with_root_link
from hrdf_ros.model import Model
from hrdf_ros.pose import compose
from hrdf_ros.writers.urdf import write_urdf
import numpy as np
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
    result = merge_fixed(model, find_merged(model), notes)
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
    assert merge_fixed(result, find_merged(result), GroupedDiagnostics()) is result


def test_a_sensor_on_a_link_that_moves_is_omitted_and_its_frame_stays() -> None:
    links = ''.join(
        f'<link name="{name}">{pose}<sensor name="s" type="imu"/></link><joint name="j{name}" '
        f'type="fixed"><parent>a</parent><child>{name}</child></joint>'
        for name, pose in (('b', '<pose>1 0 0 0 0 0</pose>'), ('c', '')))
    result, report = merged(load_model(
        f'<sdf version="1.11"><model name="m"><link name="a"/>{links}</model></sdf>'))
    assert len(result.bodies[0].extensions) == 1
    assert [(found.severity, 'b: sensor' in found.message) for found in report] == [
        ('warning', True)]
    assert {'b/s': 'frame', 'c/s': 'sensor'}.items() <= {
        frame.name: frame.kind for frame in result.frames}.items()


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


def test_a_link_fixed_to_the_world_stays_a_link() -> None:
    model = load_model(
        '<sdf version="1.11"><model name="m"><link name="a"/><joint name="j" type="fixed">'
        '<parent>world</parent><child>a</child></joint></model></sdf>')
    assert merged(model)[0] is model


def test_a_root_named_world_keeps_its_own_joints_even_with_a_mass() -> None:
    model = load_model(
        '<robot name="r"><link name="world"><inertial><mass value="1"/><inertia ixx="1" iyy="1" '
        'izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="base"/><joint name="weld" '
        'type="fixed"><parent link="world"/><child link="base"/></joint></robot>')
    assert merged(model)[0] is model


@pytest.mark.parametrize('name, options', [('hrdf_arm', ()), ('two_arm_world', ('--flatten',))])
def test_joints_named_as_links_and_models_of_worlds_are_verified(
    name: str, options: tuple[str, ...], tmp_path: Path,
) -> None:
    source = str(Path(__file__).parents[2] / 'examples' / 'sdf' / f'{name}.sdf')
    out = str(tmp_path / 'out.sdf')
    assert main(['convert', source, '-o', out, '--merge-fixed', '--verify', *options]) == 0


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


# ---- a root link

MASS = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        '</inertial>')
ROOT_URDF = f"""<?xml version="1.0"?>
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
    assert load_model(write_urdf(below(ROOT_URDF, 'a<"&b'))[0]).root == 'a<"&b'
    text, report = write_urdf(below(ROOT_URDF))
    assert report.ok and text.startswith(ROOT_URDF.partition('</robot>')[0])
    assert text.endswith('</robot>\n<!-- </robot> -->\n')
    model = load_model(text)
    assert model.root == 'world_link' and model.bodies[-1].inertia is None
    assert [(joint.name, joint.type) for joint in model.joints] == [
        ('j', 'continuous'), ('world_link/base', 'fixed')]


@pytest.mark.parametrize('text', [ROOT_URDF, SDF])
def test_nothing_moves_below_a_new_root(text: str) -> None:
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


@pytest.mark.parametrize('name', ['base', 'tip', '', ' ', 'a\nb'])
def test_a_name_that_cannot_be_used(name: str) -> None:
    with pytest.raises(RootLinkError):
        below(ROOT_URDF, name)


def test_the_option_root_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / 'm.sdf'
    file.write_text(SDF)
    assert main(['convert', str(file), '--root-link', 'floor']) == 0
    out, err = capsys.readouterr()
    assert '<link name="floor"/>' in out and "'floor' is added above 'base'" in err
    assert main(['convert', str(file), '--root-link', 'tip']) == 2
    assert main(['convert', str(file), '--root-link', 'floor', '--to', 'sdf']) == 2
