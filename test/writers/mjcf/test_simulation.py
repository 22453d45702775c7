# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""What MuJoCo does with what is written: the examples simulate, and faults are found."""

from __future__ import annotations

import math
from pathlib import Path

from hrdf_ros.load import load_model
from hrdf_ros.mujoco_process import is_available
from hrdf_ros.writers.mjcf import simulate, write_mjcf
import pytest

pytestmark = pytest.mark.skipif(not is_available(), reason='needs mujoco-core')
EXAMPLES = Path(__file__).parents[3] / 'examples'
ARM = """<mujoco><worldbody>{floor}<body name="base" {base}><geom size=".1"/>
<body name="arm" pos="0 0 {height}"><joint name="j" axis="0 1 0"/><geom size=".1"/>
<body name="tip" pos="1 0 0"><joint name="k" axis="0 0 1"/><geom size=".1"/></body></body></body>
</worldbody></mujoco>"""


def written(tmp_path: Path, text: str) -> str:
    file = tmp_path / 'a.xml'
    file.write_text(text)
    return str(file)


def test_a_joint_that_contacts_hold_is_found(tmp_path: Path) -> None:
    """MuJoCo does not exempt the child of a body that is fixed to the world."""
    stuck = written(tmp_path, ARM.format(floor='', base='', height=0.15))
    found = simulate(stuck, {'j': math.inf, 'k': 2.0}, ())
    assert found.contacts == [('arm', 'base')] and [*found.held] == ['j']
    free, real = found.held['j']
    assert abs(real - free) > 0.05 * abs(free)
    apart = simulate(
        written(tmp_path, ARM.format(floor='', base='', height=0.3)), {'j': 5.0, 'k': 2.0}, ())
    assert (apart.contacts, apart.held, apart.warnings) == ([], {}, [])
    assert apart.torques['j'] == pytest.approx(-9.81 * 1000 * 4 / 3 * math.pi * 0.1 ** 3)
    assert apart.torques['k'] == pytest.approx(0.0)


def test_joints_are_pushed_without_their_surroundings(tmp_path: Path) -> None:
    floor = '<geom type="plane" size="2 2 .1" pos="0 0 .25"/>'
    file = written(tmp_path, ARM.format(floor=floor, base='', height=0.3))
    assert [*simulate(file, {'j': math.inf}, ()).held] == ['j']
    assert not simulate(file, {'j': math.inf}, ['world']).held


def test_a_joint_that_turns_too_far_in_a_step_is_named(tmp_path: Path) -> None:
    """It is no warning of MuJoCo's, but its motion is not that of the robot."""
    spun = ARM.format(floor='', base='', height=0.3).replace(
        '<mujoco>', '<mujoco><option timestep="{}"/>').replace(
        '</mujoco>', '<actuator><motor name="m" joint="k" gear="3000"/></actuator></mujoco>')
    found = simulate(written(tmp_path, spun.format(0.01)), {}, ())
    assert found.unstable == 'k'
    [warning] = found.warnings
    assert warning.startswith('a joint turns by ') and ' rad in one time step after' in warning
    found = simulate(written(tmp_path, spun.format(0.0005)), {}, ())
    assert (found.unstable, found.warnings) == (None, [])


@pytest.mark.parametrize('name', [
    'hrdf/arm_6dof.hrdf', 'hrdf/gantry.hrdf', 'sdf/four_bar.sdf', 'sdf/mobile_base.sdf',
    'sdf/nested_arm.sdf', 'sdf/parallel_gripper.sdf', 'skel/rover.skel', 'urdf/gripper_arm.urdf',
    'urdf/rover.urdf'])
def test_the_examples_simulate(name: str, tmp_path: Path) -> None:
    """A second of each, and a push of each of its joints."""
    model = load_model(EXAMPLES / name)
    text, report = write_mjcf(model)
    assert report.ok
    joints = {one.name: one.effort for one in model.coordinates if f'joint name="{one.name}"' in (
        text) and one.mimic is None}
    found = simulate(written(tmp_path, text), joints, ['world'])
    assert joints and (found.warnings, found.held) == ([], {})
    assert [pair for pair in found.contacts if 'floor' not in str(pair)] == []
