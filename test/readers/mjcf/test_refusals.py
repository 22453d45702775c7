# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements that MuJoCo refuses though each attribute is good, asked of MuJoCo itself."""

from __future__ import annotations

from helpers.mujoco_verdict import assert_verdict
import pytest

_BODIES = (
    '<worldbody><body name="a"><joint name="j" range="-1 1"/><geom name="g" size=".1"/>'
    '<site name="s"/><body name="b"><geom name="h" size=".1"/><site name="t" pos="0 0 1"/></body>'
    '</body></worldbody>')
_TORUS = (
    '<extension><plugin plugin="mujoco.sdf.torus"><instance name="t"><config key="radius1" '
    'value="0.35"/><config key="radius2" value="0.15"/></instance></plugin></extension>')
_WITHOUT_AUTOLIMITS = (
    '<compiler autolimits="false"/><default><joint limited="true"/></default><tendon>'
    '<fixed {}><joint joint="j" coef="1"/></fixed></tendon>')
_WITH_FORCE = (
    '<tendon><fixed actuatorfrcrange="{}" {}><joint joint="j" coef="1"/></fixed></tendon>')
_REFUSED = (
    _WITH_FORCE.format('1 2', ''), _WITH_FORCE.format('-2 -1', 'actuatorfrclimited="true"'),
    '<size nuserdata="-1"/>',
    '<actuator><motor joint="j" cranklength="1"/></actuator>',
    '<actuator><motor joint="j" refsite="s"/></actuator>',
    '<actuator><general joint="j" actrange="-1 1"/></actuator>',
    '<default><general actlimited="false" actrange="-1 1"/></default><actuator>'
    '<motor joint="j"/></actuator>',
    '<sensor><framepos objtype="body" objname=""/></sensor>',
    '<actuator><motor site="s" damping="1"/></actuator>',
    '<actuator><position joint="j" kv="1" dampratio="1"/></actuator>',
    '<actuator><position joint="j" ctrlrange="0 1" inheritrange="1"/></actuator>',
    '<actuator><position site="s" inheritrange="1"/></actuator>',
    '<actuator><muscle joint="j" lmin="2"/></actuator>',
    '<actuator><motor joint=""/></actuator>',
    '<actuator><orientation site="s" refsite=""/></actuator>',
    '<actuator><motor joint="j" jointinparent=""/></actuator>',
    '<default><dcmotor motorconst=".1" resistance="1" input="pressure"/><default class="c">'
    '<motor/></default></default><actuator><dcmotor motorconst=".1" resistance="1" class="c" '
    'joint="j"/></actuator>',
    '<tendon><fixed armature="-1"><joint joint="j" coef="1"/></fixed></tendon>',
    '<actuator><general joint="j" gaintype="so3"/></actuator>',
    '<default><position kv="1" dampratio="1"/></default>',
    '<sensor><jointpos joint="j" interval="1 .5"/></sensor>',
    '<sensor><jointpos joint="j" cutoff="-1"/></sensor>',
    '<sensor><framequat objtype="body" objname="a" cutoff="1"/></sensor>',
    '<sensor><framepos objtype="body" objname="a" reftype="body"/></sensor>',
    '<sensor><distance geom1="g" geom2="g"/></sensor>',
    '<sensor><user dim="3" datatype="quaternion"/></sensor>',
    '<sensor><contact geom1="g" num="0"/></sensor>',
    '<tendon><spatial><site site="s"/><site site="t"/><pulley divisor="2"/></spatial></tendon>',
    *(_WITHOUT_AUTOLIMITS.format(limit) for limit in (
        'range="0 1"', 'actuatorfrcrange="-1 1" actuatorfrclimited="auto"')),
    '<tendon><spatial><site site="s"/><geom geom="h"/><geom geom="g"/><site site="t"/></spatial>'
    '</tendon>',
    '<default><joint type="ball"/></default><tendon><fixed><joint joint="j" coef="1"/></fixed>'
    '</tendon>',
    '<tendon><fixed limited="true"><joint joint="j" coef="1"/></fixed></tendon>',
    '<custom><tuple name="t"/></custom>',
    '<custom><numeric name="n" size="1" data="1 2"/></custom>',
    '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" maxhullvert="3"/></asset>',
    '<asset><mesh name="m" builtin="sphere"/></asset>',
    '<asset><hfield nrow="2" ncol="2" size="1 1 1 1"/></asset>',
    '<worldbody><camera focal="1 1"/></worldbody>',
    '<asset><hfield name="h" size="1 1 1 1" file=""/></asset>',
    '<asset><hfield name="h" size="1 1 1 1" nrow="2" ncol="2" elevation="1 2"/></asset>',
    '<asset><hfield name="h" size="1 1 1 1" nrow="2" ncol="1"/></asset>',
    '<asset><texture name="t" type="cube" builtin="flat" width="8" height="8" gridlayout=".."/>'
    '</asset>',
    '<asset><texture name="t" type="2d" builtin="flat" width="8" height="8"/><material name="m">'
    '<layer texture="t" role="color"/></material></asset>',
    '<size memory="10 M"/>',
    '<tendon><spatial armature="1"><site site="s"/><geom geom="h"/><site site="t"/></spatial>'
    '</tendon>',
    '<worldbody><geom name="box" type="box" size="1 1 1"/></worldbody><tendon><spatial>'
    '<site site="s"/><geom geom="box"/><site site="t"/></spatial></tendon>',
    '<default><position inheritrange="1"/></default><actuator><general jointinparent="j"/>'
    '</actuator>',
    '<worldbody><site material="none"/></worldbody>',
    '<worldbody><geom size="1" hfield="h"/></worldbody>',
    '<default><site mesh="m"/></default>',
    '<default><adhesion ctrlrange="-1 1"/></default>',
    '<actuator><adhesion body="a" ctrlrange="0 1" gain="-1"/></actuator>',
    '<actuator><muscle joint="j" tausmooth="-1"/></actuator>',
    '<actuator><motor cranksite="s" slidersite="t" cranklength="0"/></actuator>',
    '<actuator><motor cranksite="s" cranklength="1"/></actuator>',
    '<actuator><pid joint="j" input="vel pos"/></actuator>',
    '<actuator><pid joint="j" input="none"/></actuator>',
    '<actuator><intvelocity joint="j" actrange="0 1" inheritrange="1"/></actuator>',
    '<actuator><motor joint="j" class=""/></actuator>',
    '<actuator><plugin joint="j" plugin="mujoco.pid"/></actuator>',
    '<actuator><plugin joint="j" instance="none"/></actuator>',
    '<extension><plugin plugin="mujoco.pid"/></extension>'
    '<worldbody><geom size="1"><plugin/></geom></worldbody>',
    '<default><position inheritrange="1"/></default><actuator><position jointinparent="j"/>'
    '</actuator>',
    '<sensor><touch site=""/></sensor>',
    '<sensor><jointlimitpos joint="free"/></sensor><worldbody><body><joint name="free"/>'
    '<geom size="1"/></body></worldbody>',
    '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'
    '<sensor><tendonlimitfrc tendon="t"/></sensor>',
    '<sensor><user dim="1" objtype="body" objname="a" reftype="joint" refname="j"/></sensor>',
    '<custom><tuple name="t"><element objtype="thing" objname="a"/></tuple></custom>',
    '<size nuser_geom="1"/><worldbody><geom size="1" user="1 2"/></worldbody>',
    '<size nuser_sensor="0"/><sensor><clock user="1"/></sensor>',
    '<worldbody><body><freejoint name="f"/><joint springyield="-1"/><geom size="1"/></body>'
    '</worldbody>',
    '<asset><mesh name="m" builtin="none" params="1"/></asset>',
    '<asset><texture name="t" type="2d" builtin="flat" width="8" height="8" nchannel="4"/>'
    '</asset>',
    '<asset><texture name="t" type="2d"/></asset>', '<asset><texture name="t"/></asset>',
    '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" material="none"/></asset>'
    '<worldbody><geom type="mesh" mesh="m"/></worldbody>',
    '<worldbody><body name="q"><flexcomp name="x" type="grid" count="3 3 1" dim="2" mass="1" '
    'spacing=".1 .1 .1" radius=".01"/></body></worldbody><sensor><touch site="none"/></sensor>',
    '<worldbody><body name="q"><flexcomp name="x" type="grid" count="3 3 1" dim="2" mass="1" '
    'spacing=".1 .1 .1" radius=".01" euler="0 0 1" zaxis="0 0 1"/></body></worldbody>',
    '<worldbody><camera target="none"/></worldbody>',
    '<worldbody><light target="none"/></worldbody>',
    '<worldbody><replicate count="2" offset="1 0 0"><body name="q"><geom size="1"/>'
    '<camera target="a"/></body></replicate></worldbody>',
    '<worldbody><site type="mesh" mesh=""/></worldbody>',
    f'{_TORUS}<asset><mesh name="m" scale="1 1 2"><plugin instance="t"/></mesh></asset>',
    f'{_TORUS}<default><mesh scale="1 1 2"/></default><asset><mesh name="m">'
    '<plugin instance="t"/></mesh></asset>',
    '<asset><mesh name="m"><plugin instance="none"/></mesh></asset>',
    '<asset><mesh name="m"><plugin/></mesh></asset>',
    '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'
    '<equality><tendon tendon1="t" tendon2="t"/></equality>',
    '<worldbody><body><joint axis="0 0 9e-8"/><geom size="1"/></body></worldbody>',
    '<worldbody><body zaxis="0 0 9e-8"/></worldbody>',
    '<worldbody><body xyaxes="1 0 0 0 9e-8 0"/></worldbody>',
    '<worldbody><body axisangle="9e-8 0 0 1"/></worldbody>',
    '<worldbody><light dir="0 0 9e-8"/></worldbody>',
    '<worldbody><geom type="capsule" size="1" fromto="0 0 0 0 0 9e-8"/></worldbody>',
    '<worldbody><geom type="plane" size="1 1 -1"/></worldbody>',
    '<worldbody><site size="0"/></worldbody>', '<default><site size="-1"/></default>',
    '<worldbody><site type="box" size="1 0 1"/></worldbody>',
    '<worldbody><light softness="2"/></worldbody>',
    '<worldbody><camera sensorsize="-1 1" resolution="1 1" focal="1 1"/></worldbody>',
    '<worldbody><camera sensorsize="1 1" resolution="0 1"/></worldbody>',
    '<worldbody><body><joint springdamper="1 0"/><geom size="1"/></body></worldbody>',
    '<worldbody><body sleep="allowed"/></worldbody>',
    '<worldbody><body mocap="true" sleep="never"><geom size="1"/></body></worldbody>',
    '<worldbody><body><joint/><geom size="1"/><body sleep="init"><joint/><geom size="1"/></body>'
    '</body></worldbody>',
    '<tendon><spatial width="0"><site site="s"/><site site="t"/></spatial></tendon>',
    '<tendon><spatial><site site="s"/><site site="t"/><pulley divisor="0"/><site site="s"/>'
    '<site site="t"/></spatial></tendon>',
    '<tendon><spatial><site site="s"/><pulley divisor="2"/><site site="t"/><site site="s"/>'
    '</spatial></tendon>',
    '<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 0"/></asset>',
    '<asset><texture name="t" type="2d" builtin="flat" width="8"/></asset>',
    '<asset><texture name="t" type="cube" builtin="flat" width="-1"/></asset>',
    '<sensor><rangefinder site="s" data="normal dist"/></sensor>',
    '<sensor><contact geom1="g" data="force found"/></sensor>',
    '<sensor><user dim="-1"/></sensor>', '<sensor><clock nsample="16777217"/></sensor>',
    '<option timestep="0"/><sensor><clock nsample="2"/></sensor>',
    '<worldbody><body><replicate count="2" offset="1 0 0"><joint/><geom size="1"/></replicate>'
    '</body></worldbody>',
    '<sensor><contact geom1="g" reduce="netforce" data="found linvel"/></sensor>',
    '<default><texture gridlayout=".."/></default>', '<default><mesh maxhullvert="2"/></default>',
    '<default><material texture="none"/></default><asset><material name="m"/></asset>',
    '<default><material texture="t"><layer texture="t" role="rgb"/></material></default>',
    '<asset><texture name="t" type="2d" builtin="flat" width="8" height="8"/><material name="m" '
    'texture="t"><layer texture="t" role="rgb"/></material></asset>',
    *(f'<asset>{asset}</asset>' for asset in (
        '<texture name="t" type="2d" file=""/>', '<texture name="t" type="cube" file=""/>',
        '<texture name="t" type="cube" fileright="" fileleft=""/>', '<mesh name="m" file=""/>',
        '<skin name="s"/>', '<skin name="s" file=""/>')),
    '<visual><map znear="0"/></visual>', '<visual><global realtime="-1"/></visual>',
    '<statistic extent="0"/>', '<option actuatorgroupdisable="1 31"/>',
    '<custom><text name="t" data=""/></custom>',
    '<option><flag ipc="enable"/></option>',
    '<option integrator="discrete" solver="PGS"><flag ipc="enable"/></option>',
    '<option integrator="discrete"><flag ipc="enable" fwdinv="enable"/></option>',
    '<option integrator="discrete"><flag ipc="enable"/></option><option integrator="Euler"/>')
_ACCEPTED = (
    _WITH_FORCE.format('0 2', ''), _WITH_FORCE.format('1 2', 'actuatorfrclimited="false"'),
    _WITH_FORCE.format('2 1', ''), '<size nuserdata="0"/>',
    '<worldbody><body><joint type="ball" limited="false" range="-1 1"/><geom size="1"/></body>'
    '</worldbody>',
    '<default><motor cranklength="1"/></default><actuator><motor joint="j"/></actuator>',
    '<actuator><general site="s" inheritrange="1"/></actuator>',
    '<actuator><intvelocity joint="j" actlimited="true"/></actuator>',
    '<actuator><motor joint="none" site="s"/></actuator>',
    '<tendon><spatial><site site="s"/><geom geom="h"/><site site="t"/></spatial></tendon>',
    '<sensor><jointpos joint="j" interval="1 -.5"/></sensor>',
    '<size memory="10m"/>', '<size memory="-1"/>',
    '<option integrator="discrete"/>', '<actuator><velocity joint="j" kv="-1"/></actuator>',
    '<actuator><general joint="j" input="pos"/></actuator>',
    '<actuator><pid joint="j" input="pos vel"/></actuator>',
    '<default><position inheritrange="1"/></default><actuator><pid jointinparent="j"/></actuator>',
    '<sensor><user dim="1" objtype="thing" objname="a"/></sensor>',
    '<default><dcmotor motorconst=".1" resistance="1" input="voltage"/></default><actuator>'
    '<pid joint="j"/></actuator>',
    '<size nuser_geom="-1"/><worldbody><geom size="1" user="1 2"/></worldbody>',
    '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" material="none"/></asset>',
    '<worldbody><body name="q"><flexcomp name="x" type="grid" count="3 3 1" dim="2" mass="1" '
    'spacing=".1 .1 .1" radius=".01"/></body></worldbody><equality><weld body1="a" body2="x_0"/>'
    '</equality>',
    '<worldbody><body name="q"><flexcomp name="x" type="grid" count="3 3 1" dim="2" mass="1" '
    'spacing=".1 .1 .1" radius=".01"/></body><camera target="x_0"/></worldbody>',
    '<worldbody><camera target="world"/><camera target=""/></worldbody>',
    '<worldbody><replicate count="2" offset="1 0 0"><body name="q"><geom size="1"/>'
    '<camera target="q"/></body></replicate></worldbody>',
    '<tendon><spatial material=""><site site="s"/><site site="t"/></spatial></tendon>',
    '<worldbody><site material="" mesh=""/></worldbody>',
    '<asset><material name="m" texture=""/></asset>',
    '<default><tendon springlength=".5 .6"/></default><tendon><spatial springlength=".7">'
    '<site site="s"/><site site="t"/></spatial></tendon>',
    f'{_TORUS}<asset><mesh name="m" scale="1 1 1"><plugin instance="t"/></mesh></asset>',
    '<option integrator="discrete" solver="CG"><flag ipc="enable"/></option>',
    '<worldbody><body><joint axis="0 0 2e-7"/><geom size="1"/></body></worldbody>',
    '<worldbody><light dir="0 0 2e-7" softness="1"/></worldbody>',
    '<worldbody><geom type="capsule" size="1" fromto="0 0 0 0 0 2e-7"/></worldbody>',
    '<worldbody><geom type="plane" size="-1 1 1"/></worldbody>',
    '<worldbody><site type="capsule" fromto="0 0 0 0 0 1" size="1 0"/></worldbody>',
    '<worldbody><camera sensorsize="-1 1" focal="0 0"/></worldbody>',
    '<worldbody><body><joint springdamper="0 0"/><geom size="1"/></body></worldbody>',
    '<worldbody><body><body sleep="allowed"><joint/><geom size="1"/></body></body></worldbody>',
    '<tendon><spatial><site site="s"/><site site="t"/><pulley divisor="2"/><site site="s"/>'
    '<site site="t"/></spatial></tendon>',
    '<asset><texture name="t" type="cube" builtin="flat" width="8" height="-1"/></asset>',
    '<sensor><contact geom1="g" data="found linvel angvel"/></sensor>',
    '<sensor><contact geom1="g" reduce="netforce" data="found force"/></sensor>',
    '<default><texture gridlayout="."/></default><asset><texture name="t" type="2d" '
    'builtin="flat" width="8" height="8" gridsize="1 2"/></asset>',
    '<default><material texture="none"/></default>',
    '<asset><mesh name="m" file="" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>',
    _WITHOUT_AUTOLIMITS.format('range="0 1" limited="false"'),
    '<actuator><motor joint="" jointinparent="j"/></actuator>',
    '<default><general inheritrange=".2"/><default class="c"><motor/></default></default>'
    '<actuator><position class="c" joint="j" ctrlrange="0 1"/></actuator>',
    '<worldbody><light softness="nan"/></worldbody>',
    '<default><dcmotor motorconst=".1" resistance="1"/><default class="c"><pid kp="1"/></default>'
    '</default><actuator><dcmotor class="c" joint="j"/></actuator>',
    '<visual><map zfar="0"/></visual>', '<option actuatorgroupdisable="0 30" timestep="0"/>')


@pytest.mark.parametrize(('text', 'is_good'), [
    *((text, False) for text in _REFUSED), *((text, True) for text in _ACCEPTED)])
def test_the_verdict_is_that_of_mujoco(text: str, is_good: bool) -> None:
    assert_verdict(f'<mujoco>{_BODIES}{text}</mujoco>', is_good)


@pytest.mark.parametrize(('values', 'is_good'), [
    ('qpos="1"', True), ('qpos="1 1 0 0 0"', True), ('qpos="1 1 0 0 0 1"', False),
    ('qvel="1 2 3 4"', True), ('qvel="1 2 3 4 5"', False), ('mpos="1 2 3"', True),
    ('mpos="1 2 3 4"', False), ('mquat="1 0 0 0"', True), ('mquat="1 0 0 0 1"', False)])
def test_a_key_has_at_most_as_many_numbers_as_the_model(values: str, is_good: bool) -> None:
    assert_verdict(
        '<mujoco><worldbody><body mocap="true"/><body><joint/><geom size="1"/><body>'
        '<joint type="ball"/><geom size="1"/></body></body></worldbody>'
        f'<keyframe><key {values}/></keyframe></mujoco>', is_good)


@pytest.mark.parametrize(('shape', 'params', 'is_good'), [
    ('sphere', '4.9', True), ('sphere', '5', False), ('sphere', 'nan', False),
    ('sphere', '1 1', False), ('hemisphere', '-0.9', True), ('hemisphere', '-1', False),
    ('cone', '3 1', True), ('cone', '2 1', False), ('cone', '3 1.1', False),
    ('supersphere', '3 0 1', True), ('supersphere', '3 -1 1', False),
    ('supertorus', '8 1 1 1', True), ('supertorus', '8 0 1 1', False),
    ('wedge', '8 8 90 45 .5', True), ('wedge', '8 8 181 45 .5', False),
    ('wedge', '8 8 90 45 2', False), ('plate', '2 2', True), ('plate', '2', False)])
def test_the_params_of_a_builtin_mesh(shape: str, params: str, is_good: bool) -> None:
    assert_verdict(
        f'<mujoco><asset><mesh name="m" builtin="{shape}" params="{params}"/></asset>'
        '<worldbody/></mujoco>', is_good)


@pytest.mark.parametrize(('part', 'is_good'), [
    ('<contact condim="-1"/>', True), ('<contact condim="2"/>', True),
    ('<contact condim="1.5"/>', False),
    ('<elasticity elastic2d="bend" thickness=".1" yield="1 2"/>', True),
    ('<elasticity elastic2d="bend" thickness=".1" yield="1 2 3"/>', False)])
def test_the_values_of_a_flex(part: str, is_good: bool) -> None:
    assert_verdict(
        '<mujoco><worldbody><body name="q"><flexcomp name="f" type="grid" count="3 3 1" dim="2" '
        f'spacing=".1 .1 .1" radius=".01" mass="1">{part}</flexcomp></body></worldbody></mujoco>',
        is_good)
