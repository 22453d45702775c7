# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Actuators whose default classes have actuators of other tags, in MuJoCo before and after."""

from __future__ import annotations

from itertools import product

from hrdf_ros.load import load
from hrdf_ros.writers.mjcf import write_mjcf
import numpy as np
import pytest

_BODY = ('<worldbody><body name="b"><joint name="j" type="slide" axis="1 0 0"/>'
         '<geom size=".1"/></body></worldbody>')
_DEFAULTS = (
    '<muscle scale="200" range="0.65 1.05"/><motor ctrlrange="-1 1"/>',
    '<general gainprm="50" biastype="affine" biasprm="0 -50 -2" ctrlrange="-1 2" gear="2 3 4"/>',
    '<position kp="50" kv="3" ctrlrange="-1 1" forcerange="-5 5"/>', '<damper kv="2"/>',
    '<intvelocity kp="30" actrange="-1 1"/>', '<cylinder diameter="2" timeconst="3"/>',
    '<motor gear="4"/><default class="c"><position kp="50"/><motor gear="5 6"/></default>')
_ACTUATORS = (
    '<muscle name="a" joint="j" lengthrange="0 1"/>', '<general name="a" joint="j" gear="5"/>',
    '<position name="a" joint="j" dampratio="1"/>', '<cylinder name="a" joint="j" area="3"/>',
    '<damper name="a" joint="j" ctrlrange="0 1"/>', '<velocity name="a" joint="j"/>')
_FIELDS = (
    'gainprm', 'biasprm', 'dynprm', 'gaintype', 'biastype', 'dyntype', 'ctrlrange', 'ctrllimited',
    'forcerange', 'forcelimited', 'actrange', 'actlimited', 'gear', 'lengthrange')


@pytest.mark.parametrize(('defaults', 'actuator'), [*product(_DEFAULTS, _ACTUATORS)])
def test_an_actuator_is_what_mujoco_makes_of_it(defaults: str, actuator: str) -> None:
    mujoco = pytest.importorskip('mujoco')
    if 'class="c"' in defaults:
        actuator = actuator.replace(' name', ' class="c" name')
    text = f'<mujoco><default>{defaults}</default>{_BODY}<actuator>{actuator}</actuator></mujoco>'
    model = load(text).model
    try:
        expected = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        assert model is None
        return
    assert model is not None
    written = write_mjcf(model)[0]
    found = mujoco.MjModel.from_xml_string(written)
    for field in _FIELDS:
        a, b = (getattr(one, f'actuator_{field}') for one in (expected, found))
        assert np.allclose(a, b), field
    again = load(written).model
    assert again is not None and write_mjcf(again)[0] == written


@pytest.mark.parametrize(('limits', 'is_good'), [('', False), ('range="-1 1"', True)])
def test_a_muscle_needs_a_length_range_or_limits(limits: str, is_good: bool) -> None:
    loaded = load(
        '<mujoco><worldbody><body name="b"><joint name="j" '
        f'{limits}/><geom size=".1" pos="1 0 0"/></body></worldbody>'
        '<actuator><muscle joint="j"/></actuator></mujoco>')
    assert loaded.ok == is_good
