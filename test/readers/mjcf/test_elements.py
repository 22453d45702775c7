# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Orientations and numbers of elements."""

from __future__ import annotations

from hrdf_ros.load import load
import pytest


def pose_of(attributes: str) -> tuple[float, ...]:
    model = load(f'<mujoco><worldbody><body name="b" {attributes}/></worldbody></mujoco>').model
    assert model is not None
    return tuple(model.bodies[1].pose)


@pytest.mark.parametrize(('direction', 'quaternion'), [
    ('1e-7 0 -1', (1.0, 0.0, 0.0, 0.0)), ('5e-7 0 -1', (0.0, 1.0, 0.0, 2.5e-7)),
    ('1e-7 0 1', (0.0, 0.0, 0.0, 1.0)), ('5e-7 0 1', (0.0, 2.5e-7, 0.0, 1.0)),
])
def test_zaxis_near_the_z_axis_is_as_in_mujoco(
    direction: str, quaternion: tuple[float, ...],
) -> None:
    """The quaternions, x y z w, are those of MuJoCo 4.0.1."""
    assert pose_of(f'zaxis="{direction}"')[3:] == pytest.approx(quaternion, abs=1e-12)


@pytest.mark.parametrize('text', ['1\u00a0 0 0', '\u20021 0 0', '1\u00a00 0'])
def test_only_the_blanks_of_c_separate_numbers(text: str) -> None:
    report = load(f'<mujoco><worldbody><body pos="{text}"/></worldbody></mujoco>').report
    assert [found.code for found in report] == ['bad-value']


def test_an_end_tag_too_many_ends_the_file() -> None:
    loaded = load('<mujoco><worldbody><body name="b"/></worldbody></mujoco></mujoco>')
    assert loaded.model is not None
    assert [(found.severity, found.code) for found in loaded.report] == [('warning', 'stray-text')]


def test_one_number_where_the_class_of_another_tag_has_two() -> None:
    loaded = load(
        '<mujoco><default><muscle timeconst="0.01 0.04"/></default><worldbody><body>'
        '<joint name="j"/><geom size="1"/></body></worldbody><actuator>'
        '<position joint="j" timeconst="0.5"/></actuator></mujoco>')
    assert loaded.model is not None
    assert any('timeconst="0.5"' in raw.text for raw in loaded.model.extensions)


def test_a_default_that_the_element_excludes_has_no_effect() -> None:
    loaded = load(
        '<mujoco><default><camera fovy="40"/></default><worldbody><camera name="c" '
        'focalpixel="0.5 0.5" sensorsize="1 1" resolution="10 10"/></worldbody></mujoco>')
    assert loaded.model is not None
    [camera] = [raw for body in loaded.model.bodies for raw in body.extensions]
    assert 'sensorsize' in camera.text
    assert 'fovy' not in camera.text
