# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Each rule of ``hrdf doctor`` finds its fault, alone, and nothing in a healthy system."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
import re
import sys

from hrdf_ros import load
from hrdf_ros.doctor import (
    DescriptionFact,
    Endpoint,
    Facts,
    Finding,
    JointFact,
    JointStateFact,
    judge,
    Stamp,
    TransformFact,
)
from hrdf_ros.pose import IDENTITY, translation
import pytest

URDF = """<robot name="r"><link name="base"/><link name="arm"/><link name="tool"/>
<joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="flange" type="fixed"><parent link="arm"/><child link="tool"/>
<origin xyz="0 0 0.5"/></joint></robot>"""
NOW = Stamp(1.7e9, 0.01)
JOINTS = 'sensor_msgs/msg/JointState'
TF = 'tf2_msgs/msg/TFMessage'
ENDPOINTS = (
    Endpoint('/rsp', '/robot_description', 'std_msgs/msg/String', True, True, True),
    Endpoint('/rsp', '/joint_states', JOINTS, False, False),
    Endpoint('/rsp', '/tf', TF, True), Endpoint('/rsp', '/tf_static', TF, True, True, True),
    Endpoint('/driver', '/joint_states', JOINTS, True))
STATE = JointStateFact('/joint_states', {'elbow': JointFact(0.0, 0.5)}, NOW)
MOVING = TransformFact('base', 'arm', IDENTITY, False, NOW)
FIXED = TransformFact('arm', 'tool', translation(0.0, 0.0, 0.5), True, NOW)
HEALTHY = Facts(
    seconds=5.0, endpoints=ENDPOINTS,
    descriptions=(DescriptionFact('/robot_description', URDF),), joint_states=(STATE,),
    transforms=(MOVING, FIXED))
OTHER = ENDPOINTS[0]._replace(node='/other')


def found(facts: Facts) -> list[Finding]:
    """Return the findings about some facts."""
    return judge(facts, load)


def reporting(**joints: JointFact) -> JointStateFact:
    """Return joint states of some joints."""
    return STATE._replace(joints=joints)


def without(node: str) -> tuple[Endpoint, ...]:
    """Return the endpoints of other nodes."""
    return tuple(each for each in ENDPOINTS if each.node != node)


def test_a_healthy_system_has_no_finding() -> None:
    """Nothing is wrong, with a prefix and in simulated time neither."""
    assert found(HEALTHY) == []
    assert found(HEALTHY._replace(transforms=tuple(
        each._replace(parent=f'left/{each.parent}', child=f'left/{each.child}')
        for each in HEALTHY.transforms))) == []
    simulated = Stamp(12.5, 1.7e9, 0.01)
    assert found(HEALTHY._replace(
        joint_states=(STATE._replace(stamp=simulated),),
        transforms=(MOVING._replace(stamp=simulated), FIXED))) == []


def free_joints(*parents: str) -> str:
    """Return a URDF of joints j0, j1, ... without limits, each with the link that it moves."""
    return '<robot name="r"><link name="base"/>' + ''.join(
        f'<link name="l{index}"/><joint name="j{index}" type="continuous">'
        f'<parent link="{parent}"/><child link="l{index}"/><axis xyz="0 0 1"/></joint>'
        for index, parent in enumerate(parents)) + '</robot>'


@pytest.mark.parametrize(('parents', 'positions', 'is_found'), [
    (('base', 'l0', 'l1'), (90.0, 0.1, -45.0), True),
    (('base', 'l0', 'l1'), (90.0, 0.1, 1.0), False),  # one joint that is wound up
    (('base', 'l0', 'l1'), (900.0, 0.1, -450.0), False),  # more than degrees have
    (('base', 'base', 'base', 'base'), (90.0, 91.0, 90.0, 91.0), False),  # wheels
    (('base', 'l0', 'base', 'l2'), (9.0, 91.0, 8.0, 91.0), False),  # swivels with wheels
])
def test_degrees_of_an_arm_without_limits(
    parents: tuple[str, ...], positions: tuple[float, ...], is_found: bool,
) -> None:
    rules = found(HEALTHY._replace(
        descriptions=(DescriptionFact('/robot_description', free_joints(*parents)),),
        joint_states=(reporting(**{
            f'j{index}': JointFact(value, value) for index, value in enumerate(positions)}),),
        transforms=tuple(
            MOVING._replace(parent=parent, child=f'l{index}')
            for index, parent in enumerate(parents))))
    assert [each.rule for each in rules] == ['degrees'] * is_found
    if is_found:
        assert rules[0].fix == 'report 1.571 for 90 degrees'
        assert rules[0].subjects == ('j0', 'j2')


@pytest.mark.parametrize(('rule', 'words', 'change'), [
    ('nothing-runs', 'hrdf node', {
        'endpoints': (), 'descriptions': (), 'joint_states': (), 'transforms': ()}),
    ('no-description', 'nobody publishes robot_description', {
        'endpoints': ENDPOINTS[1:], 'descriptions': ()}),
    ('several-descriptions', "'/other', '/rsp'", {'endpoints': (*ENDPOINTS, OTHER)}),
    ('silent-description', 'the log of /rsp', {'descriptions': ()}),
    ('bad-description', 'has an error', {
        'descriptions': (DescriptionFact('/robot_description', '<robot name="r"/>'),)}),
    ('no-joint-states', 'hrdf move elbow=0', {
        'endpoints': without('/driver'), 'joint_states': (), 'transforms': (FIXED,)}),
    ('other-topic', 'joint_states:=/left/joint_states', {
        'endpoints': (*without('/driver'), ENDPOINTS[-1]._replace(topic='/left/joint_states')),
        'joint_states': (STATE._replace(topic='/left/joint_states'),),
        'transforms': (FIXED,)}),
    ('silent-joint-states', 'the log of /driver', {
        'joint_states': (), 'transforms': (FIXED,)}),
    ('joint-not-reported', "'elbow'", {
        'joint_states': (reporting(elbo=JointFact(0.0, 0.0)),),
        'transforms': (FIXED,)}),
    ('unknown-joint', "did you mean 'elbow'?", {
        'joint_states': (reporting(**STATE.joints, elbo=JointFact(0.0, 0.0)),)}),
    ('unknown-joint', "the prefix 'left_'", {
        'joint_states': (reporting(**STATE.joints, left_elbow=JointFact(0.0, 0.0)),)}),
    ('outside-limits', 'the zero of the driver', {
        'joint_states': (reporting(elbow=JointFact(0.0, 1.5)),)}),
    ('outside-limits', 'report 0.5236 for 30 degrees', {
        'joint_states': (reporting(elbow=JointFact(0.0, 30.0)),)}),
    ('outside-limits', 'report 0.02 for 20 mm', {
        'descriptions': (DescriptionFact('/robot_description', URDF.replace(
            'revolute', 'prismatic').replace('lower="-1" upper="1"', 'lower="0" upper="0.04"')),),
        'joint_states': (reporting(elbow=JointFact(0.0, 20.0)),)}),
    ('no-number', 'not a finite number', {
        'joint_states': (reporting(elbow=JointFact(0.0, 0.0, is_finite=False)),)}),
    ('uneven-joint-state', 'more or fewer positions', {
        'joint_states': (STATE._replace(is_uneven=True),)}),
    ('no-stamp', 'no stamp', {'joint_states': (STATE._replace(stamp=Stamp(0.0, 1.7e9)),)}),
    ('past', '60 seconds old', {'joint_states': (STATE._replace(stamp=Stamp(1.7e9, 60.0)),)}),
    ('future', '60 seconds ahead', {
        'joint_states': (STATE._replace(stamp=Stamp(1.7e9, -60.0)),)}),
    ('other-clock', 'use_sim_time:=true', {
        'joint_states': (STATE._replace(stamp=Stamp(1.7e9, 0.01, -1.7e9)),)}),
    ('other-clock', 'use_sim_time:=false', {
        'joint_states': (STATE._replace(stamp=Stamp(12.5, 1.7e9)),)}),
    ('past', "the transform of 'arm'", {
        'transforms': (MOVING._replace(stamp=Stamp(1.7e9, 60.0)), FIXED)}),
    ('transform-twice', "on /tf: 'arm'", {
        'endpoints': (*ENDPOINTS, ENDPOINTS[2]._replace(node='/other')),
        'transforms': (MOVING._replace(is_shared=True), FIXED)}),
    ('several-parents', "'arm' has 2 parents on TF: 'base', 'map'", {
        'transforms': (MOVING, MOVING._replace(parent='map'), FIXED)}),
    ('fixed-and-moving', 'on /tf and on /tf_static', {
        'transforms': (MOVING, FIXED, MOVING._replace(is_static=True))}),
    ('static-differs', "'tool' in 'arm'", {
        'transforms': (MOVING, FIXED._replace(pose=translation(0.0, 0.0, 0.6)))}),
    ('prefix', "the robot has 'left/tool'", {
        'transforms': (
            MOVING._replace(parent='left/base', child='left/arm'),
            FIXED._replace(parent='left/arm', child='left/tool'),
            FIXED._replace(parent='tool', child='camera'))}),
    ('no-tf', 'no link of the robot', {'transforms': ()}),
    ('qos', 'asks for reliable, which is best effort', {'endpoints': (
        *ENDPOINTS[:4], ENDPOINTS[4]._replace(is_reliable=False),
        Endpoint('/plot', '/joint_states', JOINTS, False, True))}),
    ('qos', 'asks for transient local, which is volatile', {'endpoints': (
        *ENDPOINTS, Endpoint('/plot', '/joint_states', JOINTS, False, True, True))}),
    ('not-latched', '/rsp publishes /robot_description', {'endpoints': (
        ENDPOINTS[0]._replace(is_latched=False), *ENDPOINTS[1:],
        Endpoint('/rviz', '/robot_description', 'std_msgs/msg/String', False, True, True))}),
    ('not-latched', '/rsp publishes /tf_static', {'endpoints': (
        *ENDPOINTS[:3], ENDPOINTS[3]._replace(is_latched=False), *ENDPOINTS[4:])}),
    ('joint-twice', 'several nodes report 1 joint', {
        'endpoints': (*ENDPOINTS, ENDPOINTS[-1]._replace(node='/sliders')),
        'joint_states': (reporting(elbow=JointFact(0.0, 0.5, is_shared=True)),)}),
    ('repeated-joint', "1 joint twice: 'elbow'", {
        'joint_states': (reporting(elbow=JointFact(0.0, 0.5, is_repeated=True)),)}),
    ('no-positions', 'have no positions', {
        'joint_states': (STATE._replace(joints={}, is_empty=True),), 'transforms': (FIXED,)}),
    ('frozen', 'the same stamp', {'joint_states': (
        STATE._replace(stamp=Stamp(1.7e9, 4.0), first=NOW, received=20),)}),
    ('time-jump', 'went back', {'joint_states': (STATE._replace(went_back=True),)}),
    ('several-clocks', "'/bag', '/simulation'", {'endpoints': (*ENDPOINTS, *(
        Endpoint(node, '/clock', 'rosgraph_msgs/msg/Clock', True)
        for node in ('/bag', '/simulation')))}),
    ('other-type', '/rsp publishes /tf as tf2_msgs/msg/Tree', {
        'transforms': (FIXED,), 'endpoints': (
            *ENDPOINTS[:2], ENDPOINTS[2]._replace(type='tf2_msgs/msg/Tree'), *ENDPOINTS[3:])}),
    ('other-type', 'as std_msgs/msg/Header, but its type is std_msgs/msg/String', {
        'descriptions': (), 'endpoints': (ENDPOINTS[0]._replace(
            type='std_msgs/msg/Header', is_latched=False), *ENDPOINTS[1:])}),
    ('other-type', '/driver publishes /joint_states as', {
        'joint_states': (), 'transforms': (FIXED,), 'endpoints': (
            *ENDPOINTS[:4], ENDPOINTS[4]._replace(type='control_msgs/msg/DynamicJointState'))}),
    ('other-type', '/plot subscribes to /clock as', {'endpoints': (
        *ENDPOINTS, Endpoint('/plot', '/clock', 'builtin_interfaces/msg/Time', False))}),
    ('cycle', "'arm', 'base', 'arm'", {
        'transforms': (MOVING, FIXED, MOVING._replace(parent='arm', child='base'))}),
    ('not-connected', "the transform between 'map' and 'base'", {'transforms': (
        MOVING, FIXED, MOVING._replace(parent='map', child='odom'))}),
    ('refused-transform', "'camera' is refused: a name is empty", {
        'refused': (('camera', 'a name is empty'),)}),
])
def test_each_fault_is_found(rule: str, words: str, change: dict[str, object]) -> None:
    """A change of the healthy system makes this finding, and no other that is no part of it."""
    replace: Callable[..., Facts] = HEALTHY._replace
    findings = found(replace(**change))
    assert rule in [finding.rule for finding in findings]
    assert any(words in f'{one.message} {one.fix}' for one in findings if one.rule == rule)
    assert {finding.rule for finding in findings} <= {rule, *ALONGSIDE.get(rule, ())}


ALONGSIDE = {'joint-not-reported': ('unknown-joint',)}


@pytest.mark.parametrize(('topic', 'command'), [
    ('/joint_states', 'hrdf move elbow=0 wrist=0'),
    ('/left/joint_states', 'hrdf move elbow=0 wrist=0 --ros-args -r __ns:=/left'),
    ('/left/driver', 'hrdf move elbow=0 wrist=0 --ros-args -r joint_states:=/left/driver')])
@pytest.mark.parametrize('joints', [{}, {'other': JointFact(0.0, 0.5)}])
def test_the_command_moves_all_joints_of_the_robot_that_lacks_them(
    topic: str, command: str, joints: dict[str, JointFact],
) -> None:
    text = URDF.replace('"flange" type="fixed"', '"wrist" type="continuous"')
    fixes = [each.fix for each in found(HEALTHY._replace(
        endpoints=(
            ENDPOINTS[0], ENDPOINTS[1]._replace(topic=topic), *ENDPOINTS[2:4],
            *([ENDPOINTS[4]._replace(topic=topic)] if joints else [])),
        descriptions=(DescriptionFact('/robot_description', text),), transforms=(),
        joint_states=(STATE._replace(topic=topic, joints=joints),) if joints else ()))]
    assert any(fix.endswith(f'or try: {command}') for fix in fixes), fixes


def test_the_page_has_every_rule() -> None:
    """Troubleshooting explains each rule, and no other."""
    root = Path(__file__).parents[2]
    sources = [*(root / 'hrdf_ros' / 'doctor').glob('*.py'),
               root / 'hrdf_ros' / 'node' / 'diagnostic_status.py']
    rules = {rule for file in sources
             for rule in re.findall(r"Finding\(\s*'([a-z-]+)'", file.read_text())}
    page = (root / 'docs' / 'troubleshooting.md').read_text()
    table = page.partition('## What hrdf doctor says')[2]
    rows = [line.split('|')[1] for line in table.splitlines() if line.startswith('| `')]
    assert {rule for row in rows for rule in re.findall(r'`([a-z-]+)`', row)} == rules | {'qos'}


def test_a_file_that_does_not_run() -> None:
    """The joints of the file are compared with those of the running robot."""
    other = load(URDF.replace('"elbow"', '"shoulder"')).model
    assert 'other-description' in [one.rule for one in judge(HEALTHY, load, other)]
    assert judge(HEALTHY, load, load(URDF).model) == []
    alone = HEALTHY._replace(endpoints=ENDPOINTS[-1:], descriptions=(), transforms=())
    findings = judge(alone, load, load(URDF).model)
    assert [one.rule for one in findings] == ['no-description']


def test_a_mimic_joint_that_does_not_follow() -> None:
    """It is compared with multiplier and offset; a difference below the encoder's is none."""
    model = URDF.replace('</robot>', """<link name="jaw"/>
        <joint name="grip" type="prismatic"><parent link="tool"/><child link="jaw"/>
        <limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="elbow"
        multiplier="-0.1" offset="0.2"/></joint></robot>""")
    described = HEALTHY._replace(descriptions=(DescriptionFact('/robot_description', model),))
    for low, high, rules in ((0.15, 0.2, []), (0.151, 0.201, []), (0.0, 0.05, ['mimic-differs'])):
        state = reporting(**STATE.joints, grip=JointFact(low, high))
        findings = found(described._replace(joint_states=(state,)))
        assert [each.rule for each in findings] == rules


def test_a_paused_simulation_is_healthy() -> None:
    """Stamps that stay the same are no fault while /clock stands still."""
    paused = Stamp(12.5, 1.7e9, 0.0)
    state = STATE._replace(stamp=paused._replace(age=1.7e9 + 4.0), first=paused, received=20)
    facts = HEALTHY._replace(
        joint_states=(state,), transforms=(MOVING._replace(stamp=paused), FIXED))
    assert found(facts) == []
    going = state._replace(stamp=Stamp(12.5, 1.7e9 + 4.0, 1.5))
    assert [each.rule for each in found(facts._replace(joint_states=(going,)))] == ['frozen']


# ---- hostile systems

def calls_of(facts: Facts) -> int:
    """Return how many functions the rules call, those of C included."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ('call', 'c_call')
    sys.setprofile(note)
    try:
        found(facts)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize('name_pair', [
    lambda index: ('base', f'f{index}'), lambda index: (f'r{index}/base', f'f{index}'),
    lambda index: ('map', f'r{index}/arm'), lambda index: (f'f{index}', f'f{index + 1}'),
    lambda index: (f'f{index}', f'f{index ^ 1}'), lambda index: (f'f{index}', 'arm')])
def test_a_flood_of_transforms(name_pair: Callable[[int], tuple[str, str]]) -> None:
    """Twice the transforms and links take twice the calls."""
    counts = []
    for links in (400, 800):
        text = URDF.replace('</robot>', ''.join(
            f'<link name="l{index}"/><joint name="j{index}" type="fixed"><parent link="tool"/>'
            f'<child link="l{index}"/></joint>' for index in range(links)) + '</robot>')
        transforms = [
            TransformFact(*name_pair(index), IDENTITY, False, NOW) for index in range(links)]
        counts.append(calls_of(HEALTHY._replace(
            descriptions=(DescriptionFact('/robot_description', text),),
            transforms=tuple(transforms))))
    assert counts[1] < 2.3 * counts[0]


def test_the_prefix_of_the_longest_link() -> None:
    """A link may be the end of another one's name."""
    text = URDF.replace('</robot>', '<link name="left_tool"/><joint name="f" type="fixed">'
                        '<parent link="arm"/><child link="left_tool"/></joint></robot>')
    facts = HEALTHY._replace(
        descriptions=(DescriptionFact('/robot_description', text),),
        transforms=(
            MOVING, FIXED, FIXED._replace(child='left_tool', pose=IDENTITY),
            TransformFact('r_left_tool', 'camera', IDENTITY, True, NOW)))
    assert [each.fix for each in found(facts) if each.rule == 'prefix'] == [
        "publish 'camera' in 'left_tool'"]
