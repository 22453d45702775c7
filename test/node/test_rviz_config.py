# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The camera of RViz's configuration fits the robot."""

from __future__ import annotations

import math
from pathlib import Path

from hrdf_ros import load_model, write_urdf
from hrdf_ros.model import Model
from hrdf_ros.node.jobs import load_description
from hrdf_ros.node.rviz_config import Sight, sight_of, with_sight
from hrdf_ros.node.settings import Settings
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
OURS = yaml.safe_load((ROOT / 'config' / 'view.rviz').read_text())
VISUAL = '<visual><origin xyz="{}" rpy="{}"/><geometry>{}</geometry></visual>'


def robot(*parts: str) -> Model:
    return load_model(
        f'<robot name="r"><link name="a">{"".join(parts)}</link><link name="b"/>'
        '<joint name="j" type="fixed"><origin xyz="0 0 1"/><parent link="a"/><child link="b"/>'
        '</joint></robot>')


def test_the_sphere_is_around_links_shapes_and_masses() -> None:
    assert sight_of(robot()) == Sight((0.0, 0.0, 0.5), 0.5)
    for shape, low, high in (
            ('<box size="2 4 0.2"/>', (3.0, -1.0, -0.1), (7.0, 1.0, 0.1)),
            ('<sphere radius="1"/>', (4.0, -1.0, -1.0), (6.0, 1.0, 1.0)),
            ('<cylinder radius="1" length="6"/>', (4.0, -1.0, -3.0), (6.0, 1.0, 3.0))):
        low, high = tuple(map(min, low, (0.0,) * 3)), tuple(map(max, high, (0.0, 0.0, 1.0)))
        found = sight_of(robot(VISUAL.format('5 0 0', f'0 0 {math.pi / 2}', shape)))
        assert found.radius == pytest.approx(0.5 * math.dist(low, high))
        assert found.center == pytest.approx([0.5 * sum(ends) for ends in zip(low, high)])


def test_a_floor_does_not_count_and_a_mesh_is_as_large_as_its_inertia() -> None:
    floor = VISUAL.format('0 0 0', '0 0 0', '<box size="100 100 0.001"/>')
    assert sight_of(robot(floor)) == sight_of(robot())
    mesh = VISUAL.format('0 0 0', '0 0 0', '<mesh filename="nosuch.stl"/>')
    inertia = 12.0 * (2.0 ** 2 + 2.0 ** 2) / 12.0  # a cube of 2 m and 12 kg
    heavy = (f'<inertial><mass value="12"/><inertia ixx="{inertia}" iyy="{inertia}" '
             f'izz="{inertia}" ixy="0" ixz="0" iyz="0"/></inertial>')
    assert sight_of(robot(mesh, heavy)).radius == pytest.approx(math.sqrt(3.0))
    assert sight_of(robot(heavy)) == sight_of(robot())


@pytest.mark.parametrize(('radius', 'cell'), [(0.1, 0.01), (0.6, 0.1), (1.2, 0.1), (4.0, 1.0)])
def test_the_sphere_fills_the_view(radius: float, cell: float) -> None:
    config = with_sight(OURS, Sight((1.0, 2.0, 3.0), radius))
    view = config['Visualization Manager']['Views']['Current']
    assert view['Focal Point'] == {'X': 1.0, 'Y': 2.0, 'Z': 3.0}
    assert view['Distance'] * math.sin(math.radians(45.0 / 2.0)) == pytest.approx(
        1.3 * radius, abs=1e-3)
    grid, _, tf = config['Visualization Manager']['Displays']
    assert grid['Cell Size'] == pytest.approx(cell)
    assert tf['Marker Scale'] == pytest.approx(0.1 * view['Distance'], abs=1e-3)
    assert OURS['Visualization Manager']['Views']['Current']['Distance'] == 2.0


def test_examples_from_a_gripper_to_a_world() -> None:
    radii = [sight_of(load_model(write_urdf(load_model(ROOT / 'examples' / file))[0])).radius
             for file in ('hrdf/arm_6dof.hrdf', 'skel/humanoid.skel', 'sdf/two_arm_world.sdf')]
    assert all(0.3 < radius < 5.0 for radius in radii)


def test_a_floating_body_is_in_view_at_its_initial_pose(tmp_path: Path) -> None:
    file = tmp_path / 'floating.xml'
    file.write_text(
        '<mujoco><worldbody><body name="trunk" pos="0 0 2"><freejoint/>'
        '<geom type="box" size="0.1 0.1 0.1"/>'
        '<body name="arm"><joint name="j" axis="0 1 0"/>'
        '<geom type="box" size="0.1 0.1 0.1" pos="0 0 1"/></body></body></worldbody></mujoco>')
    answer = load_description(Settings(model=str(file)))
    urdf = load_model(answer.urdf)
    low, high = (-0.1, -0.1, 0.0), (0.1, 0.1, 3.1)  # from the world's origin to the arm
    assert answer.model is not None
    assert sight_of(urdf, answer.model) == (
        pytest.approx((0.0, 0.0, 1.55)), pytest.approx(0.5 * math.dist(low, high)))
    assert sight_of(urdf).center[2] == pytest.approx(0.5)
