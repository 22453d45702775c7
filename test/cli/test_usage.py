# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong usage of every command: status 2, one sentence; and missing libraries and programs."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

from helpers.terminal import Run
import pytest

WRONG = (
    ('bogus', 'there is no command'), ('chekc x', "no command 'chekc'; did you mean 'check'?"),
    ('check', 'arguments are required: FILE'), ('frames', 'arguments are required: FILE\n'),
    ('frames -x', "there is no option '-x'"), ('--versoin', "did you mean '--version'?"),
    ('tree arm.hrdf more', "unexpected argument 'more'"), ('tree', 'FILE'),
    ('diff a', 'give A and B, or --staged FILE'),
    ('check x --strct', "there is no option '--strct'; did you mean '--strict'?"),
    ('check x --model-nam=m', "'--model-nam'; did you mean '--model-name'?"),
    ('check x --format jsno', "--format: there is no choice 'jsno'; did you mean 'json'?"),
    ('check x --ignore mesh-not-fond', "no code 'mesh-not-fond'; did you mean 'mesh-not-found'?"),
    ('check x --naming odd', "no choice 'odd'"), ('check x --package nodir', 'is not NAME=DIR or'),
    ('check x --joint-names a,,b', 'is not a list of names'),
    ('check x --resource-limit fraems=1', "resource limit 'fraems'; did you mean 'frames'?"),
    ('node x --resource-limit frames=-1', 'without a sign'),
    ('info a.urdf --model-name x', '--model-name has no effect on URDF, which has no worlds'),
    ('diff a.urdf a.urdf --naming hebi', '--naming has no effect on URDF'),
    ('diff a b --tolerance x', "'x' is not a number"), ('diff a b --tolerance -1', 'from 0 up'),
    ('frames x --positions -inf', 'is not a finite number'),
    ('explain axis-zer', "there is no code 'axis-zer'; did you mean 'axis-zero'?"),
    ('schema urfd', "FORMAT: there is no choice 'urfd'; did you mean 'urdf'?"),
    ('fetch ftp://x/a.stl', 'neither a file nor an address at https'),
    ('node x --watch', "'watch' is a parameter: --ros-args -p watch:=true"),
    ('node x --frame-prefix left/', 'parameter: --ros-args -p frame_prefix:=VALUE'),
    ('node x --anmate', "no option '--anmate'; did you mean '--animate'?"),
    ('format x.urdf.xacro length:=2', "'length:=2' is an argument of a xacro file, which"),
    ('explain length:=2', 'which this command does not expand'),
    ('move elbow:=2', 'does not expand; ROS arguments follow --ros-args'),
    ('frames x --position a', 'is not NAME=VALUE'),
    ('frames x --position a=b', "'b' is not a finite number"),
    ('frames arm.hrdf --position trun=1', "no coordinate 'trun'; did you mean 'turn'?"),
    ('frames arm.hrdf --position turn=1 --position turn=2',
     "--position gives coordinate 'turn' twice"),
    ('tree arm.hrdf --positions 1,2', '--positions has 2 numbers for 1 coordinates: turn'),
    ('frames arm.hrdf --positions=', '--positions has 0 numbers'),
    ('frames arm.hrdf bra', "there is no frame 'bra'; did you mean 'bar'?"),
    ('convert arm.hrdf --to sdf --gazebo', '--gazebo is for urdf'),
    ('convert arm.hrdf --sdf-version 1.8', '--sdf-version is for sdf'),
    ('convert arm.hrdf --to sdf --sdf-version 1.3', '--sdf-version: '),
    ('convert arm.hrdf --relative-meshes', '--relative-meshes requires -o'),
    ('convert arm.hrdf --frames outptu', "no kind of frame 'outptu'; did you mean 'output'?"),
    ('convert arm.hrdf --frames all --to dot', '--frames is for urdf, sdf, mjcf'),
    ('convert arm.hrdf -o out/', "--output: 'out/' is not the name of a file"),
    ('convert arm.hrdf --output=', "--output: '' is not the name of a file"),
    ('convert arm.hrdf -o out.urd', "-o out.urd: did you mean the suffix '.urdf'? (or use --to)"),
    ('convert arm.hrdf -o a.hrdf --to urdf', 'HRDF cannot be written, only urdf, sdf, mjcf, dot'),
    ('convert arm.hrdf -o arm.urdf.XACRO', 'xacro would run expressions in names as code'),
    ('convert arm.hrdf --bundle out -o a.urdf', 'either -o or --bundle'),
    ('convert arm.hrdf --package-name p', '--package-name requires --bundle'),
    ('convert arm.hrdf --force', '--force requires --bundle'),
    ('convert arm.hrdf --bundle=', '--bundle requires the name of a directory'),
    ('convert arm.hrdf --bundle a.urdf', 'is not a directory'),
    *((f'convert arm.hrdf --bundle out --package-name={name}', 'is not the name of a ROS package')
      for name in ('../p', '', 'a/b', '.')),
    ('srdf arm.hrdf -o arm.hrdf --no-collisions', 'is a source of this conversion'),
    ('srdf arm.hrdf --group=arm=nosuch', "no link 'nosuch'"),
    ('srdf arm.hrdf --group=a/b=tool', 'is not NAME=TIP'),
    ('srdf arm.hrdf --samples=0', 'is not a whole number above 0'),
    ('ros2-control arm.hrdf --interfaces positoin', "did you mean 'position'?"),
    ('ros2-control arm.hrdf --driver-parameter port', 'is not NAME=VALUE'),
    ('ros2-control arm.hrdf --driver mok', "no driver 'mok'; did you mean 'mock'?"),
    ('ros2-control arm.hrdf --driver hebi', 'requires --driver-parameter config_pkg=VALUE'),
    ('ros2-control arm.hrdf --group arm=tool', '--group is for --controllers'),
    ('ros2-control arm.hrdf -o x.yaml --controllers x.yaml', 'the same file'),
    ('ros2-control arm.hrdf --controllers arm.hrdf', 'is a source of this conversion'),
    ('moveit arm.hrdf -o Arm', "'Arm' is not the name of a package"),
    ('moveit arm.hrdf --output=', "'' is not the name of a package"),
    ('moveit arm.hrdf -o x_moveit_config --maintainer me', 'is not NAME <EMAIL>'),
    ('render arm.hrdf', 'nothing to write: give -o OUT.png'),
    ('render arm.hrdf -o a.png --size 1x1', "'1x1' is not WIDTHxHEIGHT"),
    ('view', 'give either a FILE or --ros'), ('view a --ros', 'give either a FILE or --ros'),
    ('view --ros --position turn=1', '--position and --positions take a FILE'),
    ('view arm.hrdf --position trun=1', "did you mean 'turn'?"),
    ('view a b --publish', '--publish takes one FILE'),
    ('view a --namespace left', '--namespace requires --ros or --publish'),
    ('view a --publish --namespace a --namespace b', '--publish takes one --namespace'),
    ('view --ros --namespace a --namespace /a', 'each --namespace must be another one'),
    *((f'view --ros --namespace={name}', f"'{name}' is not a namespace of letters")
      for name in ('/', '1', '', 'a//b', 'a/', '~a')),
    ('view a --port 70000', "'70000' is not a port"),
)


@pytest.mark.parametrize(('line', 'message'), WRONG, ids=[found for found, _ in WRONG])
def test_wrong_usage(
    line: str, message: str, hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ('render', 'view'):
        monkeypatch.setattr(f'hrdf_ros.cli.{module}.import_module', lambda _: None)
    status, out, err = hrdf(line, files={
        'a.urdf': '<robot name="r"><link name="l"/></robot>',
        'arm.hrdf': '<robot version="1.6.0"><actuator type="X5-4" tag="turn"/><rigid-body '
        'mass="2" ixx="1" iyy="1" izz="1" output_trans="1 0 0" tag="bar"/></robot>'})
    assert (status, out) == (2, '')
    assert message in err and err.replace('\n', '').isprintable()
    assert 'error: ' in err and sorted(os.listdir()) == ['a.urdf', 'arm.hrdf']


# ---- libraries and programs that this machine lacks

def test_pygls(hrdf: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('hrdf_ros.cli.servers.find_spec', lambda _: None)
    assert hrdf('lsp') == (1, '', (
        'hrdf: error: the language server requires pygls, which is not installed.\n'
        '  Install it with: pip install pygls\n'))


@pytest.mark.parametrize('file', ['/dev/null', __file__])
def test_a_language_server_without_an_editor(file: str) -> None:
    pytest.importorskip('pygls')
    with open(file, 'rb') as stream:
        done = subprocess.run(
            [sys.executable, '-m', 'hrdf_ros.cli', 'lsp'], stdin=stream, capture_output=True,
            text=True)
    assert (done.returncode, done.stdout) == (1, '')
    assert 'neither a pipe nor a socket: an editor starts this command' in done.stderr


def test_graphviz(hrdf: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('PATH', '/nowhere')
    status, _, err = hrdf('tree arm.hrdf --to svg', files={'arm.hrdf': '<robot version="1.6.0"/>'})
    assert status == 2 and 'apt install graphviz' in err


@pytest.mark.parametrize(('arguments', 'option'), [
    ('--ros', '--ros'), ('--ros --publish', '--publish'), ('arm.hrdf --publish', '--publish')])
def test_ros(
    arguments: str, option: str, hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    def load(name: str) -> Any:
        if '.node.' in name:
            raise ImportError("No module named 'rclpy'", name='rclpy')
        return SimpleNamespace()

    monkeypatch.setattr('hrdf_ros.cli.view.import_module', load)
    status, _, err = hrdf(f'view {arguments}')
    assert status == 1 and f'hrdf: error: {option} requires ROS 2, which cannot' in err
