# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf convert``, ``hrdf diff`` and ``hrdf node``."""

import io
import json
import os
from pathlib import Path
import stat
import sys
from types import SimpleNamespace
from xml.etree import ElementTree

from helpers.terminal import shown_on_terminal
from hrdf_ros import Kinematics, load_model
from hrdf_ros.cli import main
from hrdf_ros.writers.urdf import write_urdf
import jsonschema
import numpy as np
import pytest

Output = pytest.CaptureFixture[str]
SCHEMA = Path(__file__).parents[2] / 'docs' / 'schema' / 'diff.schema.json'
ARM = """\
<robot version="1.6.0">
  <actuator type="X5-4" tag="turn"/>
  <rigid-body mass="2" ixx="1" iyy="1" izz="1" output_trans="1 0 0" tag="bar"/>
</robot>
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory with an arm in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'arm.hrdf').write_text(ARM)
    return tmp_path


def names(urdf: str) -> list[str]:
    return [link.attrib['name'] for link in ElementTree.fromstring(urdf).iter('link')]


def test_sdf_version(here: Path) -> None:
    assert main(['convert', 'arm.hrdf', '--to', 'sdf', '--sdf-version', '1.8', '-o', 'out']) == 0
    assert ElementTree.parse(here / 'out').getroot().attrib['version'] == '1.8'


def test_an_extra_link_or_joint_whose_name_is_taken_is_an_error(
    here: Path, capsys: Output,
) -> None:
    (here / 'extra.xml').write_text(
        '<robot>\n<link name="bar"/>\n<link name="new"/>\n<link name="new"/></robot>')
    assert main(['convert', 'arm.hrdf', '--urdf-extra', 'extra.xml', '-o', 'out']) == 1
    shown = capsys.readouterr().err
    assert "extra.xml:2:13: error[duplicate-name]: duplicate <link> 'bar'" in shown
    assert "extra.xml:4:13: error[duplicate-name]: duplicate <link> 'new'" in shown
    assert not (here / 'out').exists()


def test_a_terminal_gets_no_control_characters(here: Path) -> None:
    (here / 'c.urdf').write_text('<robot name="a\u009bx">\n\t<link name="l\u202e"/></robot>')
    text = shown_on_terminal(['convert', 'c.urdf'])
    assert text.replace('\r\n', '\n') == (
        '<robot name="a\ufffdx">\n\t<link name="l\ufffd"/></robot>')


@pytest.mark.parametrize(('data', 'fault'), [
    (b'<robot>\n<x></robot>', 'extra.xml:2:6: error[xml-syntax]'),
    (None, 'extra.xml: error[file-not-found]'),
    (b'<robot a="\xff"/>', 'extra.xml:1:11: error[xml-encoding]')])
def test_a_broken_extra_file_is_reported(
    data: bytes | None, fault: str, here: Path, capsys: Output,
) -> None:
    if data is not None:
        (here / 'extra.xml').write_bytes(data)
    assert main(['convert', 'arm.hrdf', '--urdf-extra', 'extra.xml', '-o', 'out']) == 1
    assert fault in capsys.readouterr().err
    assert not (here / 'out').exists()


@pytest.mark.skipif(not hasattr(os, 'mkfifo'), reason='needs named pipes')
def test_a_mesh_that_is_a_pipe_is_not_waited_for(here: Path) -> None:
    os.mkfifo(here / 'a.stl')
    (here / 'a.urdf').write_text(
        '<robot name="a"><link name="a"><visual><geometry><mesh filename="a.stl"/></geometry>'
        '</visual></link></robot>')
    assert main(['convert', 'a.urdf', '-o', 'a.xml']) == 0


def test_a_directory_that_is_not_there_is_named(capsys: Output) -> None:
    assert main(['convert', 'arm.hrdf', '-o', 'nosuch/out']) == 1
    assert capsys.readouterr().err.endswith(' nosuch/out: No such file or directory\n')


POLYLINE = """<sdf version="1.11"><model name="m"><link name="a"><visual name="v"><geometry>
<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>1</height></polyline>
</geometry></visual></link></model></sdf>"""


@pytest.mark.parametrize('target', ['urdf', 'mjcf'])
def test_a_polyline_that_no_mesh_file_can_hold(
    target: str, here: Path, capsys: Output,
) -> None:
    (here / 'arm.sdf').write_text(POLYLINE.replace('1 0', '1e39 0'))
    assert main(['convert', 'arm.sdf', '--to', target, '-o', 'out.xml']) == 0
    err = capsys.readouterr().err
    assert 'warning[geometry-not-representable]: a polyline is too large' in err


def test_diff_of_others(here: Path, capsys: Output) -> None:
    (here / 'heavy.hrdf').write_text(ARM.replace('mass="2"', 'mass="2.5"'))
    assert main(['diff', 'arm.hrdf', 'arm.hrdf']) == 0
    assert main(['diff', 'arm.hrdf', 'heavy.hrdf']) == 1
    assert capsys.readouterr().out == 'mass bar: 2.0 -> 2.5\n'
    assert main(['diff', 'arm.hrdf', 'nosuch.hrdf']) == 2
    assert 'error[file-not-found]' in capsys.readouterr().err


def test_diff_of_what_both_have(here: Path, capsys: Output) -> None:
    assert main(['convert', 'arm.hrdf', '-o', 'arm.urdf']) == 0
    assert main(['diff', 'arm.hrdf', 'arm.urdf']) == 1
    assert 'frame bar/com: present -> -' in capsys.readouterr().out
    assert main(['diff', 'arm.hrdf', 'arm.urdf', '--common']) == 0
    assert capsys.readouterr().out == ''
    urdf = (here / 'arm.urdf').read_text()
    (here / 'arm.urdf').write_text(urdf.replace('<mass value="2.0"', '<mass value="2.5"'))
    assert main(['diff', 'arm.hrdf', 'arm.urdf', '--common']) == 1
    assert capsys.readouterr().out == 'mass bar: 2.0 -> 2.5\n'


def compared(capsys: Output, *arguments: str) -> dict:
    status = main(['diff', '--json', *arguments])
    out, err = capsys.readouterr()
    document = json.loads(out)
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert (err, document['equal']) == ('', status == 0)
    assert document['files'] == list(arguments[:2])
    return document


def test_diff_as_json(here: Path, capsys: Output) -> None:
    (here / 'heavy.hrdf').write_text(ARM.replace('mass="2"', 'mass="2.5"'))
    assert compared(capsys, 'arm.hrdf', 'arm.hrdf')['differences'] == []
    assert compared(capsys, 'arm.hrdf', 'heavy.hrdf')['differences'] == [
        {'what': 'mass', 'name': 'bar', 'a': '2.0', 'b': '2.5'}]
    assert compared(capsys, 'arm.hrdf', 'heavy.hrdf', '--tolerance', '1')['equal']
    missing = compared(capsys, 'arm.hrdf', 'nosuch.hrdf')
    assert (missing['equal'], missing['differences']) == (False, [])
    assert 'file-not-found' in [found['code'] for found in missing['diagnostics']]


def test_node_passes_ros_arguments_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    monkeypatch.setitem(sys.modules, 'hrdf_ros.node', SimpleNamespace(main=seen.append))
    ros = ['--ros-args', '-p', 'model:=arm.hrdf', '--animate']
    assert main(['node', '--animate', *ros]) == 0
    assert main(['node', *ros]) == 0
    assert main(['node']) == 0
    assert main(['node', 'arm.hrdf']) == 0
    assert seen == [['--animate', *ros], ros, [], ['arm.hrdf']]


def test_node_takes_the_options_of_all_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    monkeypatch.setitem(sys.modules, 'hrdf_ros.node', SimpleNamespace(main=seen.append))
    assert main([
        'node', 'cell.sdf', '--path', 'a b', '--package', 'x=y', '--model-name', 'arm', '--naming',
        'hebi', '--joint-names', 'a,ü', '--ros-args', '-r', '__ns:=/left']) == 0
    [[file, *arguments]] = seen
    assert file == 'cell.sdf'
    assert arguments[-3:] == ['--ros-args', '-r', '__ns:=/left']
    assert arguments[2:-3:4] == [
        'path:=["a b"]', 'packages:=["x=y"]', 'model_name:="arm"', 'naming:="hebi"',
        'joint_names:=["a", "ü"]']


@pytest.mark.parametrize('target', ['urdf', 'sdf'])
def test_frames_are_written_as_links(target: str, here: Path, capsys: Output) -> None:
    for kinds, more in (('output', {'turn/output', 'bar/output'}), ('all', {
            'turn/output', 'turn/com', 'bar/output', 'bar/com'})):
        assert main(['convert', 'arm.hrdf', '-o', f'a.{target}']) == 0
        assert main(['convert', 'arm.hrdf', '-o', f'b.{target}', '--frames', kinds]) == 0
        before, after = (
            {link.attrib['name'] for link in ElementTree.parse(here / f'{one}.{target}').iter(
                'link')} for one in 'ab')
        assert after - before >= more and before <= after
        ours, theirs = (Kinematics.load(here / name) for name in ('arm.hrdf', f'b.{target}'))
        for name in more:
            np.testing.assert_allclose(
                theirs.pose(name, [0.7], relative_to='bar'),
                ours.pose(name, [0.7], relative_to='bar'),
                atol=1e-12)
    assert capsys.readouterr().out == ''


@pytest.mark.parametrize(('name', 'start'), [
    ('a.urdf', '<?xml'), ('a.SDF', '<?xml'), ('a.world', '<?xml'), ('a.dot', 'digraph')])
def test_the_suffix_of_the_output_is_the_target(name: str, start: str, here: Path) -> None:
    assert main(['convert', 'arm.hrdf', '-o', name]) == 0
    text = (here / name).read_text()
    assert text.startswith(start)
    assert ('<sdf version="1.11">' in text) is (name in ('a.SDF', 'a.world'))
    assert main(['convert', 'arm.hrdf', '-o', name, '--to', 'sdf']) == (
        0 if name in ('a.SDF', 'a.world') else 2)
    assert main(['convert', 'nosuch.hrdf', '-o', name]) == 1
    assert (here / name).read_text().startswith('<?xml' if name == 'a.urdf' else text[:5])


def test_diagnostics_are_in_the_order_of_the_file(here: Path, capsys: Output) -> None:
    (here / 'two.hrdf').write_text(
        '<robot version="1.6.0" description="d">\n<actuator type="X5-4"/>\n'
        '<end-effector type="Custom" mass="0.1"/>\n</robot>')
    assert main(['convert', 'two.hrdf', '-o', 'out']) == 0
    lines = [
        int(line.split(':')[1]) for line in capsys.readouterr().err.splitlines()
        if line.startswith('two.hrdf:')]
    assert len(lines) > 2 and lines == sorted(lines)


def test_a_dash_is_standard_output_and_input(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, 'stdin', SimpleNamespace(buffer=io.BytesIO(ARM.encode())))
    assert main(['convert', '-', '-o', '-', '--to', 'sdf']) == 0
    assert b'<sdf version="1.11">' in capsysbinary.readouterr().out


def test_a_source_is_not_replaced_by_its_conversion(here: Path, capsys: Output) -> None:
    robot = ('<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" '
             'izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>')
    (here / 'a.urdf').write_text(robot)
    (here / 'a.sdf').write_text(
        '<sdf version="1.9"><model name="m"><include><uri>a.urdf</uri></include></model></sdf>')
    (here / 'link.urdf').symlink_to('a.urdf')
    for out in ('a.urdf', 'link.urdf', './a.urdf'):
        assert main(['convert', 'a.sdf', '-o', out]) == 2
        assert f'-o: {out} is a source of this conversion' in capsys.readouterr().err
    assert (here / 'a.urdf').read_text() == robot
    assert main(['convert', 'a.urdf', '-o', 'a.urdf']) == 0


@pytest.mark.parametrize('command', ['convert --to urdf', 'srdf', 'ros2-control'])
def test_a_mesh_of_the_robot_is_not_replaced(command: str, here: Path, capsys: Output) -> None:
    (here / 'a.urdf').write_text(
        '<robot name="r"><link name="l"><visual><geometry><mesh filename="m.stl"/></geometry>'
        '</visual></link></robot>')
    (here / 'm.stl').touch()
    assert main([*command.split(), 'a.urdf', '-o', 'm.stl']) == 2
    assert '-o: m.stl is a source of this conversion' in capsys.readouterr().err


@pytest.mark.parametrize('target', ['urdf', 'sdf'])
def test_the_result_is_verified(target: str, here: Path, capsys: Output) -> None:
    assert main(['convert', 'arm.hrdf', '-o', f'a.{target}', '--verify']) == 0
    shown = capsys.readouterr().err
    assert 'verified: ' in shown and '6 configurations' in shown and '0 kg' in shown
    assert (here / f'a.{target}').exists()


def test_a_result_that_differs_is_not_written(
    here: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = ('<robot name="r"><link name="a"><inertial><mass value="{}"/>{}</inertial></link>'
            '</robot>')
    tensor = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    (here / 'a.urdf').write_text(text.format(-1, tensor))
    assert main(['convert', 'a.urdf', '-o', 'b.sdf', '--verify']) == 1
    shown = capsys.readouterr().err
    assert 'not verified: 1 frame in' in shown and "1 kg ('a')" in shown
    assert not (here / 'b.sdf').exists()
    program = here / 'check_urdf'
    program.write_text('#!/bin/sh\necho bad >&2\nexit 1\n')
    program.chmod(0o755)
    monkeypatch.setenv('PATH', str(here), prepend=':')
    (here / 'a.urdf').write_text(text.format(1, tensor))
    assert main(['convert', 'a.urdf', '-o', 'c.urdf', '--verify']) == 1
    assert 'refused by check_urdf\nbad' in capsys.readouterr().err


def test_verify_knows_the_free_base_and_ends_with_what_overflows(
    here: Path, capsys: Output,
) -> None:
    (here / 'a.sdf').write_text(
        '<sdf version="1.9"><model name="m"><link name="a"><pose>1 2 3 0 0 1</pose></link>'
        '</model></sdf>')
    assert main(['convert', 'a.sdf', '-o', 'a.xml', '--free-base', '--verify']) == 0
    links = ''.join(f'<link name="{name}"/>' for name in 'abc')
    joints = ''.join(
        f'<joint name="{child}" type="continuous"><parent link="a"/><child link="{child}"/>'
        f'<axis xyz="0 0 1"/>{mimic}</joint>' for child, mimic in (
            ('b', ''), ('c', '<mimic joint="b" multiplier="1e308" offset="1e308"/>')))
    (here / 'b.urdf').write_text(
        f'<robot name="r">{links}{joints}<link name="d"/><joint name="d" type="prismatic">'
        '<parent link="c"/><child link="d"/><axis xyz="0 0 1"/><limit effort="1" velocity="1"/>'
        '<mimic joint="b" multiplier="1e308" offset="1.7e308"/></joint></robot>')
    capsys.readouterr()
    assert main(['convert', 'b.urdf', '-o', 'c.urdf', '--verify']) == 1
    assert 'not verified: frames of ' in capsys.readouterr().err
    assert main(['diff', 'b.urdf', 'b.urdf']) == 2
    assert 'infinitely far away' in capsys.readouterr().err


# ---- --urdf-version

NEWER = Path(__file__).parents[2] / 'examples' / 'urdf' / 'newer.urdf'
CAPSULE = """<sdf version="1.11"><model name="m"><link name="a"><visual name="v">
<pose>1 2 3 0.1 0.2 0.3</pose><geometry><capsule><radius>0.1</radius><length>1</length></capsule>
</geometry></visual></link></model></sdf>"""


def convert(*options: str, capsys: Output) -> tuple[str, str]:
    assert main(['convert', str(NEWER), *options]) == 0
    return capsys.readouterr()


def test_a_text_that_nothing_changes_goes_out_as_it_came(capsys: Output) -> None:
    for options in ((), ('--urdf-version', '1.2')):
        out, err = convert(*options, capsys=capsys)
        assert out == NEWER.read_text() and 'acceleration' not in err.partition('warning')[0]
        assert 'not preserved' not in err


@pytest.mark.parametrize('options', [('--urdf-version', '1.0'), ('--expand-ball',)])
def test_what_is_written_anew_is_for_all_readers(options: tuple[str, ...], capsys: Output) -> None:
    out, err = convert(*options, capsys=capsys)
    assert all(word not in out for word in ('" version=', 'quat_xyzw', 'capsule', 'acceleration'))
    assert 'has no place for an acceleration limit' in err and 'a capsule is written as' in err
    before, after = (Kinematics(model) for model in (load_model(NEWER), load_model(out)))
    for frame in ('base_link', 'arm'):
        assert np.allclose(before.pose(frame, q=[0.7]), after.pose(frame, q=[0.7]), atol=1e-12)


def test_sdformat_shows_what_is_lost_too(capsys: Output) -> None:
    _, err = convert('--to', 'sdf', capsys=capsys)
    assert 'has no place for an acceleration limit' in err


@pytest.mark.parametrize(('version', 'has_quaternion', 'has_capsule'), [
    (None, False, False), ('1.0', False, False), ('1.1', True, False), ('1.2', True, True)])
def test_versions(version: str | None, has_quaternion: bool, has_capsule: bool) -> None:
    model = load_model(CAPSULE)
    text, _ = write_urdf(model, version=version)
    assert ('quat_xyzw' in text, '<capsule' in text) == (has_quaternion, has_capsule)
    assert (f'<robot name="m" version="{version}"' in text) == (version in ('1.1', '1.2'))
    shape = load_model(text).bodies[0].visuals[0]
    assert shape.pose == pytest.approx(model.bodies[0].visuals[0].pose, abs=1e-15)


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(ValueError, match='1.3'):
        write_urdf(load_model(CAPSULE), version='1.3')


@pytest.mark.skipif(not os.path.exists('/dev/full'), reason='needs /dev/full')
def test_a_full_device(capsys: Output) -> None:
    assert main(['convert', 'arm.hrdf', '-o', '/dev/full']) == 1
    assert 'No space left' in capsys.readouterr().err


@pytest.mark.parametrize('is_folder', [False, True])
def test_a_generated_mesh_follows_no_link(is_folder: bool, here: Path, capsys: Output) -> None:
    (here / 'arm.sdf').write_text(POLYLINE)
    assert main(['convert', 'arm.sdf', '-o', 'arm.urdf']) == 0
    [mesh] = (here / 'meshes').iterdir()
    (here / 'home').mkdir()
    (here / 'home' / mesh.name).write_text('private')
    mesh.unlink()
    if is_folder:
        mesh.parent.rmdir()
        mesh.parent.symlink_to(here / 'home')
    else:
        mesh.symlink_to(here / 'home' / mesh.name)
    capsys.readouterr()
    assert main(['convert', 'arm.sdf', '-o', 'arm.urdf']) == 1
    assert 'symbolic link' in capsys.readouterr().err
    assert (here / 'home' / mesh.name).read_text() == 'private'


def test_a_link_is_followed_not_replaced(here: Path) -> None:
    (here / 'below').mkdir()
    (here / 'below' / 'real').write_text('old')
    (here / 'out').symlink_to(Path('below', 'real'))
    assert main(['convert', 'arm.hrdf', '-o', 'out']) == 0
    assert (here / 'out').is_symlink()
    assert 'bar' in names((here / 'below' / 'real').read_text())


def test_the_old_file_keeps_its_mode(here: Path) -> None:
    (here / 'out').write_text('old')
    (here / 'out').chmod(0o640)
    assert main(['convert', 'arm.hrdf', '-o', 'out']) == 0
    assert stat.S_IMODE((here / 'out').stat().st_mode) == 0o640
    assert 'bar' in names((here / 'out').read_text())
