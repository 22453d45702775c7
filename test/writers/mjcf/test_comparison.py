# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the comparison of two models of MuJoCo."""

from __future__ import annotations

from pathlib import Path

from hrdf_ros import load
from hrdf_ros.writers.mjcf import comparison, write_mjcf
import pytest

_FREE = (
    '<mujoco><worldbody><body name="b" quat="{}"><freejoint name="j"/><geom size="1"/></body>'
    '</worldbody></mujoco>')


@pytest.mark.parametrize(('quaternion', 'is_same'), [
    ('.6 .8 0 0', True), ('-.6 -.8 0 0', True), ('.6 -.8 0 0', False)])
def test_a_quaternion_and_its_negative(quaternion: str, is_same: bool, tmp_path: Path) -> None:
    pytest.importorskip('mujoco')
    source, result = tmp_path / 'source.xml', tmp_path / 'result.xml'
    source.write_text(_FREE.format('.6 .8 0 0'))
    result.write_text(_FREE.format(quaternion))
    answer = comparison.answer({'source': str(source), 'result': str(result), 'merged': False})
    assert bool(answer['differences']) != is_same


@pytest.mark.parametrize(('compiler', 'joint', 'actuator'), [
    ('', 'range="-1 1" limited="false"', '<position joint="j" inheritrange=".5"/>'),
    ('', 'range="-1 1"', '<position joint="j" inheritrange=".5"/>'),
    ('', '', '<position joint="j" kp="nan"/>'),
    ('settotalmass="1e-14"', '', ''),
], ids=['degrees that are no limit', 'degrees', 'NaN', 'mass'])
def test_what_is_written_compiles_to_the_same(
    compiler: str, joint: str, actuator: str, tmp_path: Path,
) -> None:
    pytest.importorskip('mujoco')
    source, result = tmp_path / 'source.xml', tmp_path / 'result.xml'
    source.write_text(
        f'<mujoco><compiler {compiler}/><worldbody><body name="b"><joint name="j" {joint}/>'
        f'<geom size="9"/></body></worldbody><actuator>{actuator}</actuator></mujoco>')
    result.write_text(write_mjcf(load(source).model)[0])
    answer = comparison.answer({'source': str(source), 'result': str(result), 'merged': False})
    assert answer['differences'] == ()
