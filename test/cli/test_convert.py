# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf convert``, ``hrdf diff`` and ``hrdf node``."""

from __future__ import annotations

import io
import os
from pathlib import Path
import stat
import sys
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

from helpers.terminal import Run, shown_on_terminal
from hrdf_ros import Kinematics, load_model, node
from hrdf_ros.writers.urdf import write_urdf
import numpy as np
import pytest

ARM = """\
<robot version="1.6.0">
  <actuator type="X5-4" tag="turn"/>
  <rigid-body mass="2" ixx="1" iyy="1" izz="1" output_trans="1 0 0" tag="bar"/>
</robot>
"""
INERTIAL = ('<inertial><mass value="{}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
            'iyz="0"/></inertial>')
POLYLINE = """<sdf version="1.11"><model name="m"><link name="a"><visual name="v"><geometry>
<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>1</height></polyline>
</geometry></visual></link></model></sdf>"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory with an arm in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'arm.hrdf').write_text(ARM)
    return tmp_path


def mesh(name: str) -> str:
    return (f'<robot name="a"><link name="a"><visual><geometry><mesh filename="{name}"/>'
            '</geometry></visual></link></robot>')


@pytest.mark.parametrize(('extra', 'message'), [
    ('<robot>\n<link name="bar"/>\n<link name="new"/>\n<link name="new"/></robot>',
     "x.xml:2:13: error[duplicate-name]: duplicate <link> 'bar'"),
    ('<robot><link name="new"/>\n<link name="new"/></robot>',
     "x.xml:2:13: error[duplicate-name]: duplicate <link> 'new'"),
    ('<robot>\n<x></robot>', 'x.xml:2:6: error[xml-syntax]')])
def test_faults_in_added_blocks_write_nothing(extra: str, message: str, hrdf: Run) -> None:
    done = hrdf('convert arm.hrdf --urdf-extra x.xml -o out', files={'x.xml': extra})
    assert done.status == 1 and message in done.err
    assert not os.path.exists('out')


def test_added_blocks_that_do_not_exist_write_nothing(hrdf: Run) -> None:
    done = hrdf('convert arm.hrdf --urdf-extra x.xml -o out')
    assert done.status == 1 and 'x.xml: error[file-not-found]' in done.err
    assert not os.path.exists('out')


@pytest.mark.parametrize('target', ['urdf', 'mjcf'])
def test_a_polyline_that_is_too_large_is_reported(target: str, hrdf: Run) -> None:
    text = POLYLINE.replace('1 0', '1e39 0')
    done = hrdf(f'convert arm.sdf --to {target} -o out', files={'arm.sdf': text})
    message = 'warning[geometry-not-representable]: a polyline is too large'
    assert done.status == 0 and message in done.err
    assert os.path.exists('out')


def test_a_mesh_that_is_not_found_is_reported(hrdf: Run) -> None:
    done = hrdf('convert a.urdf --to urdf -o out', files={'a.urdf': mesh('m.stl'), 'out': ''})
    assert done.status == 0 and 'mesh-not-found' in done.err
    assert 'm.stl' in Path('out').read_text()


def test_a_difference_to_an_unknown_format(hrdf: Run) -> None:
    done = hrdf('diff arm.hrdf out', files={'out': '<a/>'})
    assert done.status == 2 and 'error[unknown-format]' in done.err


@pytest.mark.parametrize(('out', 'message'), [
    ('nosuch/out', ' nosuch/out: No such file or directory\n'),
    pytest.param('/dev/full', 'No space left', marks=pytest.mark.skipif(
        not os.path.exists('/dev/full'), reason='needs /dev/full'))])
def test_an_output_that_cannot_be_written_is_named(out: str, message: str, hrdf: Run) -> None:
    status, _, err = hrdf(f'convert arm.hrdf -o {out}')
    assert status == 1 and message in err


def test_a_terminal_gets_no_control_characters(here: Path) -> None:
    (here / 'c.urdf').write_text('<robot name="a\u009bx">\n\t<link name="l\u202e"/></robot>')
    text = shown_on_terminal(['convert', 'c.urdf'])
    assert text.replace('\r\n', '\n') == (
        '<robot name="a\ufffdx">\n\t<link name="l\ufffd"/></robot>')


def test_a_mesh_or_texture_that_is_a_pipe_is_not_waited_for(hrdf: Run) -> None:
    """MuJoCo would wait for it, when it looks for links that touch."""
    os.mkfifo('a.stl')
    os.mkfifo('a.png')
    os.mkdir('b.stl')
    shapes = ''.join(
        f'<collision><geometry>{shape}</geometry></collision>' for shape in (
            '<mesh filename="a.stl"/>', '<mesh filename="b.stl"/>', '<box size="1 1 1"/>'))
    look = '<material name="m"><texture filename="a.png"/></material>'
    done = hrdf('convert a.urdf -o a.xml', files={
        'a.urdf': f'<robot name="r"><link name="a">{shapes}</link><link name="b">{shapes}<visual>'
        f'<geometry><box size="1 1 1"/></geometry>{look}</visual></link><joint name="j" '
        'type="continuous"><parent link="a"/><child link="b"/><origin xyz="9 0 0"/></joint>'
        '</robot>'})
    assert done.status == 0 and 'takes longer' not in done.err
    assert "mesh 'a.stl' is not a regular file; omitted" in done.err
    assert "mesh 'b.stl' is a directory; omitted" in done.err
    assert "texture 'a.png' is not a regular file; omitted" in done.err
    assert 'file=' not in Path('a.xml').read_text()


def test_verifying_waits_for_no_pipe(hrdf: Run) -> None:
    pytest.importorskip('mujoco')
    os.mkfifo('a.png')
    done = hrdf('convert a.xml -o b.xml --verify', files={
        'a.xml': '<mujoco><asset><hfield name="h" file="a.png" size="1 1 1 1"/></asset>'
        '<worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>'})
    assert done.status == 1 and 'a.png' in done.err and 'refused by MuJoCo' in done.err


def test_a_texture_that_mujoco_does_not_read_is_named(hrdf: Run) -> None:
    done = hrdf('convert a.urdf -o a.xml', files={'a.jpg': '', 'a.urdf': (
        '<robot name="r"><link name="a"><visual><geometry><box size="1 1 1"/></geometry>'
        '<material name="m"><texture filename="a.jpg"/></material></visual></link></robot>')})
    assert done.status == 0
    assert "texture 'a.jpg' is neither PNG nor KTX, which MuJoCo reads; omitted" in done.err


@pytest.mark.parametrize('target', ['urdf', 'sdf'])
def test_frames_are_written_as_links(target: str, hrdf: Run) -> None:
    for kinds, more in (('output', {'turn/output', 'bar/output'}), ('all', {
            'turn/output', 'turn/com', 'bar/output', 'bar/com'})):
        assert hrdf(f'convert arm.hrdf -o a.{target}')[:2] == (0, '')
        assert hrdf(f'convert arm.hrdf -o b.{target} --frames {kinds}').status == 0
        before, after = (
            {link.attrib['name'] for link in ElementTree.parse(f'{one}.{target}').iter('link')}
            for one in 'ab')
        assert after - before >= more and before <= after
        ours, theirs = (Kinematics.load(name) for name in ('arm.hrdf', f'b.{target}'))
        for name in more:
            np.testing.assert_allclose(
                theirs.pose(name, [0.7], relative_to='bar'),
                ours.pose(name, [0.7], relative_to='bar'), atol=1e-12)


@pytest.mark.parametrize(('name', 'start'), [
    ('a.urdf', '<?xml'), ('a.SDF', '<?xml'), ('a.world', '<?xml'), ('a.dot', 'digraph')])
def test_the_suffix_of_the_output_is_the_target(name: str, start: str, hrdf: Run) -> None:
    is_sdf = name in ('a.SDF', 'a.world')
    assert hrdf(f'convert arm.hrdf -o {name}').status == 0
    text = Path(name).read_text()
    assert text.startswith(start)
    assert ('<sdf version="1.11">' in text) is is_sdf
    assert hrdf(f'convert arm.hrdf -o {name} --to sdf').status == (0 if is_sdf else 2)
    assert hrdf(f'convert nosuch.hrdf -o {name}').status == 1
    assert Path(name).read_text() == text
    assert hrdf('convert arm.hrdf --to sdf --sdf-version 1.8').out.count('version="1.8"') == 1


def test_diagnostics_are_in_the_order_of_the_file(hrdf: Run) -> None:
    err = hrdf('convert two.hrdf -o out', files={'two.hrdf': (
        '<robot version="1.6.0" description="d">\n<actuator type="X5-4"/>\n'
        '<end-effector type="Custom" mass="0.1"/>\n</robot>')}).err
    lines = [
        int(line.split(':')[1]) for line in err.splitlines() if line.startswith('two.hrdf:')]
    assert len(lines) > 2 and lines == sorted(lines)


def test_a_dash_is_standard_output_and_input(
    hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, 'stdin', SimpleNamespace(buffer=io.BytesIO(ARM.encode())))
    assert '<sdf version="1.11">' in hrdf('convert - -o - --to sdf').out


# ---- the files that are written

def test_a_source_is_not_replaced_by_its_conversion(hrdf: Run, here: Path) -> None:
    robot = f'<robot name="r"><link name="l">{INERTIAL.format(1)}</link></robot>'
    world = '<sdf version="1.9"><model name="m"><include><uri>a.urdf</uri></include></model></sdf>'
    (here / 'link.urdf').symlink_to('a.urdf')
    for out in ('a.urdf', 'link.urdf', './a.urdf'):
        status, _, err = hrdf(
            f'convert a.sdf -o {out}', files={'a.urdf': robot, 'a.sdf': world})
        assert status == 2 and f'-o: {out} is a source of this conversion' in err
    assert (here / 'a.urdf').read_text() == robot
    assert hrdf('convert a.urdf -o a.urdf').status == 0


@pytest.mark.parametrize('command', ['convert --to urdf', 'srdf', 'ros2-control'])
def test_a_mesh_of_the_robot_is_not_replaced(command: str, hrdf: Run) -> None:
    status, _, err = hrdf(
        f'{command} a.urdf -o m.stl', files={'a.urdf': mesh('m.stl'), 'm.stl': ''})
    assert status == 2 and '-o: m.stl is a source of this conversion' in err


@pytest.mark.parametrize('is_folder', [False, True])
def test_a_generated_mesh_follows_no_link(is_folder: bool, here: Path, hrdf: Run) -> None:
    assert hrdf('convert arm.sdf -o arm.urdf', files={'arm.sdf': POLYLINE}).status == 0
    [generated] = (here / 'meshes').iterdir()
    (here / 'home').mkdir()
    private = here / 'home' / generated.name
    private.write_text('private')
    generated.unlink()
    if is_folder:
        generated.parent.rmdir()
        generated.parent.symlink_to(here / 'home')
    else:
        generated.symlink_to(private)
    status, _, err = hrdf('convert arm.sdf -o arm.urdf')
    assert status == 1 and 'symbolic link' in err and private.read_text() == 'private'


def test_a_link_is_followed_and_the_file_keeps_its_mode(here: Path, hrdf: Run) -> None:
    real = here / 'below' / 'real'
    real.parent.mkdir()
    real.write_text('old')
    real.chmod(0o640)
    (here / 'out').symlink_to(real)
    assert hrdf('convert arm.hrdf -o out').status == 0
    assert (here / 'out').is_symlink() and stat.S_IMODE(real.stat().st_mode) == 0o640
    assert '<link name="bar"' in real.read_text()


# ---- hrdf diff, and --verify

def test_diff(hrdf: Run, here: Path) -> None:
    assert hrdf('convert arm.hrdf -o arm.urdf').status == 0
    files = {'heavy.hrdf': ARM.replace('mass="2"', 'mass="2.5"'), 'heavy.urdf': (
        here / 'arm.urdf').read_text().replace('<mass value="2.0"', '<mass value="2.5"')}
    assert hrdf('diff arm.hrdf arm.hrdf', files=files) == (0, '', '')
    assert hrdf('diff arm.hrdf heavy.hrdf') == (1, 'mass bar: 2 -> 2.5\n', '')
    status, out, _ = hrdf('diff arm.hrdf arm.urdf')
    assert status == 1 and 'frame bar/com: present -> -' in out
    assert hrdf('diff arm.hrdf arm.urdf --common')[:2] == (0, '')
    assert hrdf('diff arm.hrdf heavy.urdf --common')[:2] == (1, 'mass bar: 2 -> 2.5\n')


@pytest.mark.parametrize(('options', 'status', 'differences', 'codes'), [
    ('arm.hrdf', 0, [], []),
    ('heavy.hrdf', 1, [{'what': 'mass', 'name': 'bar', 'a': '2', 'b': '2.5'}], []),
    ('heavy.hrdf --tolerance 1', 0, [], []), ('nosuch.hrdf', 2, [], ['file-not-found'])])
def test_diff_as_json(
    options: str, status: int, differences: list[Any], codes: list[str], hrdf: Run,
) -> None:
    done = hrdf(f'diff --json arm.hrdf {options}', files={
        'heavy.hrdf': ARM.replace('mass="2"', 'mass="2.5"')})
    document = done.json('diff')
    assert (done.status, done.err, document['equal']) == (status, '', status == 0)
    assert document['files'] == ['arm.hrdf', options.split()[0]]
    assert document['differences'] == differences
    assert [found['code'] for found in document['diagnostics']
            if found['severity'] == 'error'] == codes


@pytest.mark.parametrize('target', ['urdf', 'sdf'])
def test_the_result_is_verified(target: str, hrdf: Run) -> None:
    status, _, err = hrdf(f'convert arm.hrdf -o a.{target} --verify')
    assert status == 0 and os.path.exists(f'a.{target}')
    assert 'verified: ' in err and '6 configurations' in err and '0 kg' in err


def test_a_result_that_differs_is_not_written(
    here: Path, hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = '<robot name="r"><link name="a">' + INERTIAL + '</link></robot>'
    status, _, err = hrdf(
        'convert a.urdf -o b.sdf --verify', files={'a.urdf': text.format(-1)})
    assert status == 1 and not (here / 'b.sdf').exists()
    assert 'not verified: 1 frame in' in err and "1 kg ('a')" in err
    (here / 'check_urdf').write_text('#!/bin/sh\necho bad >&2\nexit 1\n')
    (here / 'check_urdf').chmod(0o755)
    monkeypatch.setenv('PATH', str(here), prepend=':')
    status, _, err = hrdf('convert a.urdf -o c.urdf --verify', files={'a.urdf': text.format(1)})
    assert status == 1 and 'refused by check_urdf\nbad' in err


def test_verify_knows_the_free_base_and_ends_with_what_overflows(hrdf: Run) -> None:
    assert hrdf('convert a.sdf -o a.xml --free-base --verify', files={'a.sdf': (
        '<sdf version="1.9"><model name="m"><link name="a"><pose>1 2 3 0 0 1</pose></link>'
        '</model></sdf>')}).status == 0
    links = ''.join(f'<link name="{name}"/>' for name in 'abc')
    joints = ''.join(
        f'<joint name="{child}" type="continuous"><parent link="a"/><child link="{child}"/>'
        f'<axis xyz="0 0 1"/>{mimic}</joint>' for child, mimic in (
            ('b', ''), ('c', '<mimic joint="b" multiplier="1e308" offset="1e308"/>')))
    status, _, err = hrdf('convert b.urdf -o c.urdf --verify', files={'b.urdf': (
        f'<robot name="r">{links}{joints}<link name="d"/><joint name="d" type="prismatic">'
        '<parent link="c"/><child link="d"/><axis xyz="0 0 1"/><limit effort="1" velocity="1"/>'
        '<mimic joint="b" multiplier="1e308" offset="1.7e308"/></joint></robot>')})
    assert status == 1 and 'not verified: frames of ' in err
    status, _, err = hrdf('diff b.urdf b.urdf')
    assert status == 2 and 'infinitely far away' in err


# ---- --urdf-version

NEWER = Path(__file__).parents[2] / 'examples' / 'urdf' / 'newer.urdf'
CAPSULE = """<sdf version="1.11"><model name="m"><link name="a"><visual name="v">
<pose>1 2 3 0.1 0.2 0.3</pose><geometry><capsule><radius>0.1</radius><length>1</length></capsule>
</geometry></visual></link></model></sdf>"""


@pytest.mark.parametrize('options', ['', '--urdf-version 1.2'])
def test_a_text_that_nothing_changes_goes_out_as_it_came(options: str, hrdf: Run) -> None:
    status, out, err = hrdf(f'convert {NEWER} {options}')
    assert (status, out) == (0, NEWER.read_text()) and 'not preserved' not in err
    assert 'acceleration' not in err.partition('warning')[0]


@pytest.mark.parametrize('options', ['--urdf-version 1.0', '--expand-ball'])
def test_what_is_written_anew_is_for_all_readers(options: str, hrdf: Run) -> None:
    _, out, err = hrdf(f'convert {NEWER} {options}')
    assert all(word not in out for word in ('" version=', 'quat_xyzw', 'capsule', 'acceleration'))
    assert 'has no place for an acceleration limit' in err and 'a capsule is written as' in err
    assert 'has no place for an acceleration limit' in hrdf(f'convert {NEWER} --to sdf').err
    before, after = (Kinematics(model) for model in (load_model(NEWER), load_model(out)))
    for frame in ('base_link', 'arm'):
        assert np.allclose(before.pose(frame, q=[0.7]), after.pose(frame, q=[0.7]), atol=1e-12)


@pytest.mark.parametrize(('version', 'has_quaternion', 'has_capsule'), [
    (None, False, False), ('1.0', False, False), ('1.1', True, False), ('1.2', True, True)])
def test_versions(version: str | None, has_quaternion: bool, has_capsule: bool) -> None:
    model = load_model(CAPSULE)
    text, _ = write_urdf(model, version=version)
    assert ('quat_xyzw' in text, '<capsule' in text) == (has_quaternion, has_capsule)
    assert (f'<robot name="m" version="{version}"' in text) == (version in ('1.1', '1.2'))
    shape = load_model(text).bodies[0].visuals[0]
    assert shape.pose == pytest.approx(model.bodies[0].visuals[0].pose, abs=1e-15)
    with pytest.raises(ValueError, match='1.3'):
        write_urdf(model, version='1.3')


# ---- hrdf node

ROS = '--ros-args -p model:=arm.hrdf --animate'


@pytest.mark.parametrize(('line', 'arguments'), [
    (f'node --animate {ROS}', ['--animate', *ROS.split()]), (f'node {ROS}', ROS.split()),
    ('node', []), ('node arm.hrdf', ['arm.hrdf']),
    ("node arm.xacro len:=0.9 'name:=a b'", [
        'arm.xacro', '--ros-args', '-p', 'xacro_arguments:=["len:=0.9", "name:=a b"]', '--']),
    ("node cell.sdf --path 'a b' --package x=y --model-name arm --naming hebi --joint-names a,ü "
     '--ros-args -r __ns:=/left', ['cell.sdf', *(word for parameter in (
         'path:=["a b"]', 'packages:=["x=y"]', 'model_name:="arm"', 'naming:="hebi"',
         'joint_names:=["a", "ü"]') for word in ('--ros-args', '-p', parameter, '--')),
         '--ros-args', '-r', '__ns:=/left'])])
def test_node_gets_options_as_parameters(
    line: str, arguments: list[str], hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr(node, 'main', seen.append)
    assert hrdf(line).status == 0
    assert seen == [arguments]


# ---- --inertia and --srdf

LIGHT = """<robot name="r"><link name="base"/><link name="bar">
<collision><geometry><box size="0.1 0.1 1"/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="base"/><child link="bar"/><axis xyz="0 1 0"/>
</joint></robot>"""


@pytest.mark.parametrize(('option', 'status', 'mass', 'message'), [
    ('', 0, '1e-09', 'this will not simulate'), ('--inertia shapes', 0, '10.0', ''),
    ('--inertia shapes=500', 0, '5.0', ''), ('--inertia shapes=0', 2, '', "'shapes=0' is not"),
    ('--inertia boxes', 2, '', "'boxes' is not shapes"),
    ('--srdf missing.srdf', 1, '', 'missing.srdf: error[file-not-found]'),
    ('--srdf r.srdf', 0, 'body1="bar" body2="base"', '')])
def test_inertia_and_pairs_for_mujoco(
    option: str, status: int, mass: str, message: str, hrdf: Run,
) -> None:
    done = hrdf(f'convert light.urdf --to mjcf {option}', files={
        'light.urdf': LIGHT, 'r.srdf': '<robot name="r"><disable_collisions link1="base" '
        'link2="bar"/></robot>'})
    assert done.status == status and mass in done.out and message in done.err
    assert ('not simulate' in done.err) == (status != 2 and 'shapes' not in option)
