# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""``hrdf convert --verify``: what it loads, compares and prints."""

from __future__ import annotations

from pathlib import Path
import re
import subprocess
import sys

from helpers.terminal import Run
from hrdf_ros.mujoco_process import ask, is_available, MujocoFailedError
from hrdf_ros.writers.mjcf import compare
import pytest

needs_mujoco = pytest.mark.skipif(not is_available(), reason='needs mujoco-core')
ARM = """<mujoco><worldbody><body name="a"><joint name="j" range="-60 60" damping="1"/>
<geom size=".1" mass="2"/><body pos="1 0 0"><joint axis="0 1 0"/><geom size=".1"/></body></body>
</worldbody><actuator><position name="p" joint="j" kp="50"/></actuator></mujoco>"""


@needs_mujoco
@pytest.mark.parametrize(('old', 'new', 'expected'), [
    ('', '', ''),
    ('mass="2"', 'mass="2.5"', "body 'a': mass 2 in the source, 2.5 in the result"),
    ('"1 0 0"', '"1 0 .5"', "body 'body 2': position 1 in the source, 1 0 0.5 in the result"),
    ('"-60 60"', '"-60 50"', "joint 'j': range -1.04719755 1.04719755 in the source"),
    ('range="-60 60"', '', "joint 'j': range is limited in the source alone"),
    ('kp="50"', 'kp="60"', "actuator 'p': gainprm 50 in the source, 60 in the result"),
    ('damping="1"', '', "joint 'j': damping 1 in the source, 0 in the result"),
    ('name="p" joint="j"', 'name="q" joint="j"', "actuator 'p' is missing"),
    ('<worldbody>', '<option gravity="0 0 -1"/><worldbody>', 'option: gravity 0 0 -9.81 in')])
def test_mujoco_names_what_differs(old: str, new: str, expected: str, tmp_path: Path) -> None:
    """A body without a name is known by its place."""
    first, second = tmp_path / 'a.xml', tmp_path / 'b.xml'
    first.write_text(ARM)
    second.write_text(ARM.replace(old, new, 1))
    found = compare(str(first), str(second), merged=False)
    assert (found.links, found.refused) == (3, '')
    assert [line for line in found.differences if expected in line] if expected else (
        found.differences == ())


@needs_mujoco
def test_mjcf_is_compared_with_its_source(hrdf: Run) -> None:
    status, _, err = hrdf('convert arm.xml -o b.xml --verify', files={'arm.xml': ARM})
    assert status == 0
    assert 'MuJoCo finds source and result the same: 3 links in 5 configurations' in err


@needs_mujoco
def test_what_mujoco_refuses_is_named_at_its_place_in_the_source(hrdf: Run) -> None:
    """Nothing of ours measures the volume of this mesh, which is flat."""
    status, _, err = hrdf('convert a.urdf -o b.xml --verify', files={
        'flat.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n',
        'a.urdf': '<robot name="r"><link name="l">\n<collision><geometry>'
        '<mesh filename="flat.obj"/></geometry></collision></link></robot>'})
    assert status == 1
    assert 'a.urdf:2:1: refused by MuJoCo: Error' in err


def test_a_process_that_ends_says_why() -> None:
    with pytest.raises(MujocoFailedError, match='status 1: .*No module named'):
        ask('hrdf_ros.no_such_module', None)


def test_a_process_keeps_a_lower_limit_of_memory_from_outside() -> None:
    """As ``ulimit -v`` of a shell or a batch system sets it."""
    done = subprocess.run([sys.executable, '-c', (
        'import resource\n'
        'resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n'
        'from hrdf_ros.mujoco_process import ask\n'
        'ask("hrdf_ros.no_such_module", None)')], capture_output=True, text=True)
    assert "No module named 'hrdf_ros.no_such_module'" in done.stderr


@pytest.mark.parametrize(('status', 'message', 'expected'), [
    (0, '', (0, 'accepted by gz sdf --check')),
    (1, 'Error Code 1: bad', (1, 'refused by gz sdf --check\nError Code 1: bad')),
    (0, 'Unable to convert from SDF version 1.12 to 1.9', (
        0, 'not verified by gz sdf --check: it is too old for this version of SDFormat')),
    (1, 'because is newer than this sdf parser', (
        0, 'not verified by gz sdf --check: it is too old for this version of SDFormat'))])
def test_sdformat_is_checked_by_gazebo(
    status: int, message: str, expected: tuple[int, str], tmp_path: Path, hrdf: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing here has libsdformat for Python, which would be asked first."""
    (tmp_path / 'gz').write_text(
        '#!/bin/sh\ntest "$1 $2" = "sdf --check" || exit 9\n'
        f'echo "{message}" >&2\nexit {status}\n')
    (tmp_path / 'gz').chmod(0o755)
    monkeypatch.setenv('PATH', str(tmp_path), prepend=':')
    found = hrdf('convert arm.xml -o a.sdf --verify', files={'arm.xml': ARM})
    assert (found.status, expected[1] in found.err) == (expected[0], True)


def test_a_program_that_is_missing_verifies_nothing(
    hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv('PATH', '')
    status, _, err = hrdf('convert arm.xml -o a.sdf --verify', files={'arm.xml': ARM})
    assert status == 0
    assert 'not verified by libsdformat: it is not installed' in err
    assert 'not verified by gz sdf --check: it is not installed' in err


@needs_mujoco
def test_what_mujoco_warns_of_is_named(hrdf: Run) -> None:
    """A robot without masses explodes; nothing is written, and the exit status says so."""
    links = ''.join(f'<link name="{name}"/>' for name in 'abc')
    joints = ''.join(
        f'<joint name="{a}{b}" type="continuous"><parent link="{a}"/><child link="{b}"/>'
        '<axis xyz="0 0 1"/></joint>' for a, b in ('ab', 'bc'))
    status, _, err = hrdf('convert a.urdf -o a.xml --actuators motor --verify', files={
        'a.urdf': f'<robot name="r">{links}{joints}</robot>'})
    assert status == 1 and not Path('a.xml').exists(), err
    assert 'warning[inertia-not-representable]: this will not simulate' in err
    assert 'the simulation fails: a joint turns by ' in err
    assert re.search(r"a\.urdf:1:\d+: joint '(ab|bc)' is unstable there", err)
