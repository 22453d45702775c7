# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The services over DDS."""

import math

from helpers.live_node import BROKEN, joint_state, URDF
from hrdf_ros_interfaces.msg import Diagnostic
from hrdf_ros_interfaces.srv import Convert, ListFrames, Validate
import pytest


@pytest.fixture
def live(shared):
    """Return a client of a node on the arm, both joints reported at zero."""
    shared.client.move_until_heard({'base': 0.0, 'elbow': 0.0})
    return shared.client


def position(answer):
    assert answer.success, answer.message
    at = answer.transform.transform.translation
    return pytest.approx((at.x, at.y, at.z), abs=1e-9)


def test_lookup_by_tag_name_and_configuration(live):
    answer = live.lookup('tool', relative_to='elbow')
    assert position(answer) == (0.0, 0.0, 0.13105)
    assert (answer.frame_id, answer.transform.header.frame_id) == ('tool', 'elbow')
    assert answer.transform.child_frame_id == 'tool'
    assert position(live.lookup('tool/com', relative_to='elbow')) == (0.0, 0.0, 0.03105)
    turned = live.lookup(
        'tool', relative_to='base', joint_state=joint_state({'base': math.pi / 2}))
    straight = live.lookup('tool', relative_to='base').transform.transform.translation
    assert position(turned) == (-straight.y, straight.x, straight.z)
    twice = joint_state({'base': math.pi / 2})
    twice.name, twice.position = ['base', 'base'], [math.pi / 2, 0.0]  # as on joint_states
    assert live.lookup('tool', relative_to='base', joint_state=twice).transform == turned.transform


def test_lookup_reports_what_it_cannot_answer(run, client, arm):
    run(str(arm))
    initial = client.lookup('tool')
    assert not initial.success
    assert initial.message == 'no joint state has been received for base, elbow'
    given = joint_state({'base': 0.0, 'elbow': 0.0})
    assert client.lookup('tool', joint_state=given).success
    assert 'does not have the joints: wheel' in client.lookup(
        'tool', joint_state=joint_state({'wheel': 1.0})).message
    assert client.lookup('tol').message.startswith(
        "'tol' is not a frame of the robot; did you mean 'tool'? (")
    assert client.lookup('').message == 'the name of the frame is empty'
    given.position = given.position[:1]
    assert '2 names but 1 position' in client.lookup('tool', joint_state=given).message


def test_list_frames(live, shared):
    def names(**fields):
        return [frame.name for frame in live.call(ListFrames, **fields).frames]

    assert names(pattern='tool*') == ['tool/body', 'tool/com', 'tool/output', 'tool']
    assert names(pattern='*', kinds=['end_effector']) == ['tool']
    assert names(pattern='nothing') == []
    every = live.call(ListFrames).frames
    tool = next(frame for frame in every if frame.name == 'tool')
    assert (tool.kind, tool.tag, tool.body, tool.parent) == (
        'end_effector', 'tool', 'tool', 'tool/body')
    assert (tool.file, tool.line) == (str(shared.file), 5)


def test_validate(live, shared):
    def validate(**fields):
        return live.call(Validate, **fields)

    assert validate().ok
    bad = validate(text=BROKEN)
    error = next(found for found in bad.diagnostics if found.severity == Diagnostic.ERROR)
    assert (bad.ok, error.file, error.line, error.column) == (False, '<text>', 4, 19)
    assert error.hint == "did you mean 'X5-4'?"
    assert not validate(path='/etc/passwd').ok
    assert validate(path='/etc/passwd').diagnostics[0].code == 'file-outside-roots'
    link = shared.file.with_name('link.hrdf')
    link.symlink_to('/etc/passwd')
    assert validate(path=str(link)).diagnostics[0].code == 'file-outside-roots'
    assert validate(text='x').diagnostics[0].code == 'request-refused'
    assert validate(text='<a/>', path='b').diagnostics[0].code == 'request-refused'
    assert validate(text='<a/>', format='vrml').diagnostics[0].code == 'request-refused'
    assert validate(text='<robot name="a"/>', format='hrdf').ok is False


def test_limits_hold_for_clients_and_change_while_the_node_runs(live):
    def codes():
        joints = '<joint axis="rz"/>' * 101
        answer = live.call(Validate, text=f'<robot version="1.6.0">{joints}</robot>')
        return [found.code for found in answer.diagnostics]

    assert 'too-many-frames' not in codes()
    assert live.set_parameter('resource_limits', ['frames=100']).successful
    assert 'too-many-frames' in codes()
    assert (
        "'frame' is not a resource limit"
        in live.set_parameter('resource_limits', ['frame=1']).reason
    )
    assert 'more than 3 frames' in live.set_parameter('resource_limits', ['frames=3']).reason
    assert live.set_parameter('resource_limits', ['']).successful
    assert live.lookup('tool').success


def test_convert(live):
    def convert(**fields):
        return live.call(Convert, **fields)

    loaded = convert()
    assert loaded.success
    assert '<link name="tool">' in loaded.text or '<link name="tool"/>' in loaded.text
    assert convert(text=URDF, target='urdf').text == URDF
    assert '<sdf version=' in convert(text=URDF, target='sdf').text
    assert convert(target='dot').text.startswith('digraph')
    bad = convert(text=BROKEN)
    assert not bad.success
    assert 'X5-44' in bad.message
    assert bad.diagnostics
    assert not convert(target='vrml').success
    assert 'vrml' in convert(target='vrml').message
