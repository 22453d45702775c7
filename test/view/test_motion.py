# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""How a model moves in the viewer."""

from math import pi
from pathlib import Path

from helpers.loop_models import slider_crank
from hrdf_ros import load_model
from hrdf_ros.model import Configuration
from hrdf_ros.view.motion import PosedModel, Slider
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / 'examples'
TEMPLATE = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
<joint name="turn" type="{type}"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
{limit}</joint>
<joint name="slide" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="1 0 0"/>
<limit lower="0" upper="0.5" effort="1" velocity="1"/>{mimic}</joint></robot>"""


def motion(joint_type: str = 'continuous', limit: str = '', mimic: str = '') -> PosedModel:
    return PosedModel(load_model(TEMPLATE.format(type=joint_type, limit=limit, mimic=mimic)))


def slider(moving: PosedModel, name: str) -> Slider:
    return next(each for each in moving.sliders() if each.name == name)


@pytest.mark.parametrize(('limit', 'lower', 'upper'), [
    ('<limit lower="-1e16" upper="1e16" effort="1" velocity="1"/>', -pi, pi),
    ('<limit lower="5" upper="1e16" effort="1" velocity="1"/>', 0.0, 5.0 + 2.0 * pi),
    ('<limit lower="-1e16" upper="-5" effort="1" velocity="1"/>', -5.0 - 2.0 * pi, 0.0),
])
def test_a_slider_without_limits_can_be_used(limit: str, lower: float, upper: float) -> None:
    turn = slider(motion('revolute', limit), 'turn')
    assert (turn.lower, turn.upper) == pytest.approx((lower, upper))
    assert not turn.is_limited


def test_a_mimic_follows_and_names_its_leader() -> None:
    moving = motion(mimic='<mimic joint="turn" multiplier="0.1" offset="0.2"/>')
    assert slider(moving, 'slide').depends == 'follows turn'
    moving.move({0: 1.0})
    assert moving.vector == pytest.approx([1.0, 0.3])
    assert moving.positions() == '--positions 1'


def test_what_is_not_finite_does_not_move_anything() -> None:
    moving = motion()
    moving.move({0: 0.5})
    moving.move({0: float('nan')})
    moving.move({1: 1e308})
    moving.move({1: float('inf')})
    assert moving.vector[0] == 0.5 and np.isfinite(moving.frames()).all()


def test_a_loop_that_cannot_close_is_reported() -> None:
    moving = PosedModel(slider_crank(crank=0.2, rod=0.1))
    moving.move({0: pi / 2})
    assert moving.open_loops() != ()


def test_zero_initial_and_random() -> None:
    moving = PosedModel(load_model(str(EXAMPLES / 'skel' / 'humanoid.skel')))
    initial = moving.vector.copy()
    assert initial.any()
    moving.move_to('Random')
    for each in moving.sliders():
        assert each.lower <= moving.vector[each.coordinate] <= each.upper
    assert not np.allclose(moving.vector, initial)
    moving.move_to('Zero')
    assert not moving.vector.any()
    moving.move_to('Initial')
    assert moving.vector == pytest.approx(initial)


def test_another_version_of_the_robot_keeps_the_configuration() -> None:
    before = motion()
    before.move({0: 0.7, 1: 0.1})
    after = PosedModel(load_model(TEMPLATE.format(type='continuous', limit='', mimic='').replace(
        '"turn"', '"other"')))
    after.adopt(before)
    assert after.vector == pytest.approx([0.0, 0.1])


def test_values_have_units() -> None:
    turn, slide = motion().sliders()
    assert turn.text(pi / 2, 'degrees') == '90°'
    assert turn.text(pi / 2, 'radians') == '1.571 rad'
    assert slide.text(0.25, 'degrees') == '0.25 m'


def test_a_sweep_takes_each_joint_to_both_ends() -> None:
    moving = motion('revolute', '<limit lower="-1" upper="2" effort="1" velocity="1"/>')
    vectors = np.array(moving.sweep(96))
    assert len(vectors) == 49 and (moving.vector == 0.0).all()
    assert vectors.min(0) == pytest.approx([-1.0, 0.0])
    assert vectors.max(0) == pytest.approx([2.0, 0.5])
    assert (vectors[:, 0] * vectors[:, 1] == 0.0).all(), 'one after the other'
    humanoid = PosedModel(load_model(EXAMPLES / 'skel' / 'humanoid.skel'))
    assert 80 < len(humanoid.sweep(96)) <= 97


def test_a_link_is_dragged_by_its_joint() -> None:
    moving = motion()
    for _ in range(20):
        point = moving.frames()[1, :3, :3] @ (1.0, 0.0, 0.0)
        moving.drag(1, tuple(point), (0.0, 2.0, 0.0))
    assert moving.vector == pytest.approx([pi / 2, 0.0], abs=1e-3)
    moving.drag(2, (0.0, 0.0, 0.0), (0.0, 0.3, 0.0))
    assert moving.vector == pytest.approx([pi / 2, 0.3], abs=1e-3)
    moving.drag(2, (0.0, 0.3, 0.0), (0.0, 0.8, 0.0))
    assert moving.vector[1] == 0.5, 'its limit'
    moving.drag(0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert moving.vector[1] == 0.5, 'no joint carries the root'


def test_a_link_of_a_loop_is_dragged_by_the_crank() -> None:
    moving = PosedModel(load_model(EXAMPLES / 'sdf' / 'four_bar.sdf'))
    body = moving.model.bodies.index(moving.model.link('coupler'))
    frame = [frame.name for frame in moving.model.frames].index('coupler')
    before = moving.frames()[frame, :3, 3]
    moving.drag(body, tuple(before), tuple(before + (0.01, 0.01, 0.01)))
    assert moving.vector[0] != 0.0 and moving.open_loops() == ()


def test_a_configuration_of_the_file_is_a_start() -> None:
    model = motion().model
    moving = PosedModel(model._replace(configurations=(Configuration('home', ((0, 0.5),)),)))
    moving.move_to('home')
    assert moving.vector == pytest.approx([0.5, 0.0])
