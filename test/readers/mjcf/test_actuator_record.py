# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What elements of default classes make of an actuator, and MuJoCo's verdict on it."""

from __future__ import annotations

from collections.abc import Sequence

from helpers.mujoco_verdict import assert_verdict
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.load import load
from hrdf_ros.readers.mjcf.actuator_record import BLANK, changed, Record
from hrdf_ros.readers.mjcf.schema import SCHEMA
from hrdf_ros.readers.schema import TypedElement
import numpy as np
import pytest

_BODY = (
    '<worldbody><body name="b"><joint name="j" type="slide" range="0 1"/><joint name="f" '
    'type="slide" axis="1 0 0"/><geom size=".1"/><site name="s"/><site name="t"/><body><joint '
    'name="q" type="ball"/><geom size=".1"/></body></body></worldbody><tendon><fixed name="n">'
    '<joint joint="j" coef="1"/></fixed></tendon>')
_ELEMENTS = (
    '<general gainprm="5 6 7" biasprm="8 9 10" dynprm="11 12" actdim="2" actearly="true" '
    'inheritrange=".5" actlimited="true" input="ff" dyntype="user"/>',
    '<general gaintype="muscle" gainprm=".5 .6 7"/>', '<general gaintype="affine" gainprm="5 6"/>',
    '<general gaintype="pid" biastype="affine" biasprm="0 -3" dyntype="pid" dynprm="8 9"/>',
    '<general gaintype="dcmotor" biastype="dcmotor" dyntype="dcmotor" dynprm="8 9"/>',
    '<motor/>', '<position kp="5" kv="6" timeconst="7" inheritrange=".5"/>',
    '<intvelocity kp="5" dampratio="6" ctrlrange="0 1"/>', '<velocity kv="5"/>',
    '<orientation kp="5" kv="6" input="quat"/>', '<damper kv="5" ctrlrange="0 1"/>',
    '<pid kp="5" kv="6" ki="7" imax="8" slewmax="9" posrange="0 1" input="pos"/>',
    '<cylinder area="5" timeconst="6" bias="7 8 9"/>', '<cylinder diameter="2"/>',
    '<muscle timeconst="5 6" range=".6 1.2" force="0" lmin=".4"/>',
    '<adhesion gain="5" ctrlrange="0 1"/>',
    '<dcmotor motorconst="5" resistance="6" inductance="7" thermal="1 0 2 3 4 5" input="pos" '
    'controller="1 2 3 4 5 6" lugre="1 2 3" cogging="1 2 3" saturation="0 1 2"/>',
    '<dcmotor nominal="2 3 4" damping="1"/>', '<dcmotor nominal="2 3 4" resistance="1"/>')
_ACTUATORS = (
    '<general/>', *_ELEMENTS[5:], '<position/>', '<intvelocity kv="1"/>', '<velocity/>',
    '<orientation/>', '<damper/>', '<pid/>', '<cylinder/>', '<muscle/>', '<adhesion/>',
    '<dcmotor motorconst="1" resistance="2"/>')
_NUMBERS = (
    'dynprm', 'gainprm', 'biasprm', 'actdim', 'actearly', 'actrange', 'ctrlrange', 'forcerange',
    'inheritrange')
_SWITCHES = ('actlimited', 'ctrllimited', 'forcelimited')


def _record(texts: Sequence[str]) -> Record:
    """Return the record after some elements, the last one that of the actuator."""
    text = f'<mujoco><actuator>{"".join(texts)}</actuator></mujoco>'.encode()
    root = parse(SourceFile('', text), Report(), TypedElement)
    assert root is not None and SCHEMA.validate(root, Report())
    record = BLANK
    for element in root.children[0].children:
        record = changed(record, element)
    return record


@pytest.mark.parametrize('default', _ELEMENTS)
def test_a_record_is_that_of_mujoco(default: str) -> None:
    mujoco = pytest.importorskip('mujoco')
    for own in _ACTUATORS:
        target = 'body="b"' if 'adhesion' in own else 'joint="j"'
        actuator = own.replace('/>', f' {target}/>')
        spec = mujoco.MjSpec.from_string(
            f'<mujoco><default>{default}</default>{_BODY}<actuator>{actuator}</actuator></mujoco>')
        expected, found = spec.actuators[0], _record((default, actuator))
        for name in _NUMBERS:
            assert np.allclose(getattr(expected, name), getattr(found, name)), (own, name)
        for name in _SWITCHES:
            word = ('false', 'true', 'auto')[int(getattr(expected, name))]
            assert getattr(found, name) == word, (own, name)
        for name in ('dyntype', 'gaintype', 'biastype'):
            word = getattr(expected, name).name.partition('_')[2].lower()
            assert getattr(found, name) == word, (own, name)
        assert found.inputs == expected.ctrlspec, own


_VERDICTS = {
    '<orientation joint="j"/>': False, '<orientation joint="q"/>': True,
    '<orientation site="s"/>': False, '<orientation site="s" refsite="t"/>': True,
    '<orientation joint="q" forcerange="-1 1"/>': False,
    '<orientation joint="q" forcerange="0 1"/>': True,
    '<orientation joint="q" input="pos vel"/>': False, '<orientation joint="q" kv="-1"/>': False,
    '<general joint="q" gaintype="so3" biastype="so3"/>': False,
    '<general joint="q" gaintype="so3" biastype="so3" biasprm="0 -1"/>': True,
    '<general joint="q" gaintype="so3" biastype="so3" biasprm="0 -1" dyntype="filter"/>': False,
    '<general joint="q" gaintype="so3" biastype="so3" biasprm="0 -1" dyntype="integrator"/>': True,
    '<general joint="q" gaintype="so3" biastype="so3" biasprm="0 -1" dyntype="integrator" '
    'actdim="2"/>': False,
    '<general joint="q" gaintype="so3" biastype="so3" biasprm="0 -1" dyntype="integrator" '
    'input="quat"/>': False,
    '<general joint="j" gaintype="pid"/>': False,
    '<general joint="j" gaintype="pid" biastype="affine"/>': False,
    '<general joint="j" gaintype="pid" biastype="affine" gainprm="0"/>': True,
    '<general joint="j" gaintype="pid" biastype="affine" dyntype="filter"/>': False,
    '<general joint="j" gaintype="pid" biastype="affine" dyntype="pid" dynprm="-1"/>': False,
    '<general joint="j" gaintype="pid" biastype="affine" dyntype="pid" actdim="2"/>': False,
    '<general joint="j" dyntype="pid"/>': False,
    '<pid joint="j" ki="1" input="vel"/>': False, '<pid joint="j" ki="1" input="pos"/>': True,
    '<pid joint="j" input="pos voltage"/>': False, '<pid joint="j" slewmax="-1"/>': False,
    '<general joint="j" input="pressure"/>': True, '<general joint="j" input="ff"/>': False,
    '<general joint="j" gaintype="user" input="pos"/>': False,
    '<dcmotor joint="j"/>': False, '<dcmotor joint="j" motorconst="1"/>': False,
    '<dcmotor joint="j" motorconst="1" nominal="1 1 1"/>': True,
    '<dcmotor joint="j" resistance="1" input="none"/>': True,
    '<dcmotor joint="j" resistance="1" input="none" saturation="0 1"/>': False,
    '<dcmotor joint="j" resistance="1" motorconst="-1"/>': False,
    '<dcmotor joint="j" resistance="1" motorconst="1" inductance="-1"/>': False,
    '<dcmotor joint="j" resistance="1" motorconst="1" thermal="1"/>': False,
    '<dcmotor joint="j" resistance="1" motorconst="1" thermal="1 0 1"/>': True,
    '<dcmotor joint="j" resistance="1" motorconst="1" controller="1"/>': False,
    '<dcmotor joint="j" resistance="1" motorconst="1" controller="1" input="pos"/>': True,
    '<dcmotor joint="j" resistance="1" motorconst="1" controller="0 1" input="vel"/>': False,
    '<dcmotor joint="j" resistance="1" motorconst="1" input="pressure"/>': False,
    '<dcmotor joint="j" resistance="1" motorconst="1" input="none" delay="1" nsample="2"/>': False,
    '<general joint="j" gaintype="dcmotor" biastype="dcmotor" dyntype="dcmotor"/>': False,
    '<general joint="j" gaintype="dcmotor" biastype="dcmotor" dyntype="dcmotor" '
    'actearly="true"/>': True,
    '<general joint="j" gaintype="dcmotor" biastype="dcmotor" dyntype="dcmotor" actearly="true" '
    'actdim="2"/>': False,
    '<general joint="j" gaintype="dcmotor"/>': False,
    '<general joint="j" gaintype="dcmotor" dynprm="0"/>': True,
    '<general joint="j" gaintype="dcmotor" dyntype="filter"/>': True,
    '<general joint="j" gaintype="dcmotor" dyntype="filter" dynprm="0"/>': False,
    '<general joint="j" gaintype="dcmotor" dyntype="user" actdim="2"/>': False,
    '<general joint="j" biastype="dcmotor" dyntype="user" actdim="2"/>': True,
    '<general joint="j" gaintype="muscle" lengthrange="0 1"/>': False,
    '<muscle joint="j" scale="0" lengthrange="0 1"/>': False,
    '<muscle joint="j" range="1.2 1" lengthrange="0 1"/>': False,
    '<general joint="j" actdim="1"/>': False, '<general joint="j" actdim="2"/>': False,
    '<general joint="j" dyntype="filter" actdim="0"/>': False,
    '<general joint="j" dyntype="user" actdim="2"/>': True,
    '<position joint="f" inheritrange="1"/>': False,
    '<position joint="j" inheritrange="1"/>': True,
    '<position tendon="n" inheritrange="1"/>': False,
    '<position joint="q" inheritrange="1"/>': False,
    '<position jointinparent="j" inheritrange="1"/>': False,
    '<pid joint="j" posrange="0 1" inheritrange="1"/>': False,
    '<intvelocity joint="j" ctrlrange="0 1" inheritrange="1"/>': True,
    '<general joint="j" dyntype="filter" biastype="affine" biasprm="0 -1" inheritrange="1"/>':
        False,
}
"""Whether MuJoCo accepts an actuator."""


@pytest.mark.parametrize(('actuator', 'is_good'), _VERDICTS.items())
def test_the_verdict_on_an_actuator_is_that_of_mujoco(actuator: str, is_good: bool) -> None:
    assert_verdict(f'<mujoco>{_BODY}<actuator>{actuator}</actuator></mujoco>', is_good)


@pytest.mark.parametrize(('defaults', 'actuator', 'is_good'), [
    ('<motor ctrlrange="-1 1"/><damper/>', '<motor joint="j"/>', False),
    ('<motor ctrlrange="0 1"/><position inheritrange="1"/>', '<motor joint="j"/>', True),
    ('<motor ctrlrange="0 1"/><general inheritrange="1"/>', '<position joint="j"/>', False),
    ('<pid inheritrange="1"/>', '<pid joint="j" posrange="0 1"/>', True),
    ('<dcmotor saturation="1"/>', '<motor joint="j"/>', False),
    ('<dcmotor motorconst="1" resistance="1"/>', '<general joint="j" dynprm="1"/>', False),
    ('<general actlimited="true"/>', '<cylinder joint="j"/>', True),
    ('<adhesion ctrlrange="0 1" forcelimited="true"/>',
     '<dcmotor joint="j" motorconst="1" resistance="1" saturation="1"/>', True),
])
def test_the_verdict_on_defaults_is_that_of_mujoco(
    defaults: str, actuator: str, is_good: bool,
) -> None:
    assert_verdict(
        f'<mujoco><default>{defaults}</default>{_BODY}<actuator>{actuator}</actuator></mujoco>',
        is_good)


def test_a_default_that_nothing_uses_is_checked_once() -> None:
    report = load(
        '<mujoco><default><position kv="-1"/><default class="c"><motor/></default></default>'
        f'{_BODY}<actuator><position class="c" joint="j"/></actuator></mujoco>').report
    assert [found.code for found in report if found.severity == 'error'] == ['mjcf-not-allowed']


def test_the_saturation_of_a_motor_is_the_effort_of_its_joint() -> None:
    model = load(
        f'<mujoco>{_BODY}<actuator><dcmotor joint="j" motorconst="2" resistance="1" gear="3" '
        'saturation="0 5"/></actuator></mujoco>').model
    assert model is not None
    assert [one.effort for one in model.coordinates if one.name == 'j'] == [30.0]
