# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Faults while the node runs: it goes on, and says what was wrong.

The tests of this file share one node. Whatever a test does to it, at the end it moves its joints
and answers lookups as before.
"""

import math
import os
from pathlib import Path
import random
import time

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Transform
from helpers.live_node import ARM, BROKEN, Client, joint_state
from hrdf_ros_interfaces.srv import Convert, ListFrames, LookupFrame, Validate
import pytest
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_srvs.srv import Trigger

SPARSE = 1 << 30


@pytest.fixture(autouse=True)
def goes_on(shared):
    """Require of every test that the node is as good as before."""
    yield
    if shared.file.is_dir():
        shared.file.rmdir()
    elif shared.file.is_fifo():  # which nobody reads: opening it would wait forever
        shared.file.unlink()
    shared.file.write_text(ARM)
    assert shared.client.call(Trigger).success
    heard = set(shared.client.move_until_heard({'base': 0, 'elbow': 0}))
    assert {'x5_link_1', 'tool/body'} <= heard
    assert shared.client.lookup('tool').success
    assert shared.node.process.poll() is None
    assert 'Traceback' not in shared.node.log


# ---- the file of the model

def replaced_by(make):
    return lambda file: (file.unlink(), make(file))


@pytest.mark.parametrize('spoil', [
    Path.unlink, replaced_by(os.mkfifo), replaced_by(Path.mkdir),
    lambda file: file.write_text(ARM[:len(ARM) // 2]), lambda file: os.truncate(file, SPARSE),
    lambda file: file.write_bytes(random.Random(1).randbytes(100_000))],
    ids=('deleted', 'a pipe', 'a directory', 'truncated', 'grown', 'noise'))
def test_model_file(shared, spoil):
    spoil(shared.file)
    answer = shared.client.call(Trigger)
    assert not answer.success
    assert str(shared.file) in answer.message
    assert 'error[' in answer.message
    assert 'tool/body' in shared.client.move_until_heard({'elbow': 0.1})


# ---- joint states

def test_a_million_names(shared):
    """A message of 16 MB: it may not even arrive, and is refused if it does."""
    message = JointState(name=['n'] * 1_000_000, position=[0.0] * 1_000_000)
    data = bytes(serialize_message(message))
    for _ in range(5):
        shared.client.joint_states.publish(data)
    assert 'tool/body' in shared.client.move_until_heard({'elbow': 0.1})


def test_transforms_of_joints_that_are_none(shared):
    publisher = shared.client.node.create_publisher(
        MultiDOFJointState, '/multi_dof_joint_states', 50)
    shared.client.wait_for(publisher.get_subscription_count, 'the subscription')
    zero = Transform()
    zero.rotation.w = 0.0
    for message in (
            MultiDOFJointState(joint_names=['base'], transforms=[zero]),
            MultiDOFJointState(joint_names=['base'], transforms=[]),
            MultiDOFJointState(joint_names=['a'] * 9_000, transforms=[Transform()] * 9_000)):
        publisher.publish(message)
        time.sleep(0.05)
    shared.client.wait_for(
        lambda: 'multi_dof_joint_states: ' in shared.node.log, 'the warning')
    assert 'unexpectedly' not in shared.node.log


# ---- services

@pytest.mark.parametrize('stamp', [
    Time(sec=2**31 - 1, nanosec=2**32 - 1), Time(nanosec=10**9), Time(sec=-1)])
def test_stamps_that_no_clock_shows(shared, stamp):
    answer = shared.client.lookup('tool', relative_to='tool/body', stamp=stamp)
    assert not answer.success
    assert answer.message.startswith('the stamp ')


def test_concurrent_clients(shared):
    pending = []
    for _ in range(60):
        pending += [
            shared.client.ask(LookupFrame, frame='tool'), shared.client.ask(ListFrames),
            shared.client.ask(Validate, text=BROKEN), shared.client.ask(Trigger),
            shared.client.ask(Convert, target='sdf')]
    answers = [shared.client.answer(request) for request in pending]
    assert len(answers) == 300
    assert all(answer.success for answer in answers if isinstance(answer, LookupFrame.Response))


@pytest.mark.parametrize('text', [
    '<robot ' + 'a' * 8_000_000 + '>', '<a>' * 1_000_000,
    '<robot>' + '<link name="a"/>' * 100_000 + '</robot>', ARM + ' ' * 8_000_000])
def test_huge_texts(shared, text):
    answer = shared.client.call(Validate, text=text)
    assert answer.ok == text.startswith(ARM)
    assert answer.ok or answer.diagnostics[0].message


def test_huge_words(shared):
    word = 'x' * 4_000_000
    unknown = joint_state({f'unknown_{index}': 0.0 for index in range(20_000)})
    for pattern in (word, '*a' * 100_000, '[' * 100_000):
        assert shared.client.call(ListFrames, pattern=pattern).frames == []
    said = [
        shared.client.lookup(word).message,
        shared.client.lookup('tool', joint_state=unknown).message,
        shared.client.call(Convert, target=word).message, *(
            shared.client.call(Validate, **fields).diagnostics[0].message
            for fields in ({'path': word}, {'text': '<a/>', 'format': word}))]
    assert all(0 < len(message) < 2000 for message in said)


@pytest.mark.parametrize('path', [
    '/proc/self/environ', '/dev/zero', '../../etc/passwd', '/', '~', '', 'file:///etc/passwd',
    'package://x/y', 'http://example.org/x.urdf'])
def test_paths_outside_the_roots(shared, path):
    answer = shared.client.call(Convert, path=path)
    assert answer.success == (path == '')
    assert 'root:' not in answer.text + answer.message
    assert answer.success or answer.message


# ---- parameters

def test_parameters_of_wrong_types(shared):
    values = [
        ParameterValue(),
        ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=math.nan),
        ParameterValue(type=ParameterType.PARAMETER_INTEGER_ARRAY, integer_array_value=[1, 2])]
    parameters = [
        Parameter(name=name, value=value) for value in values
        for name in ('model', 'path', 'publish_frequency', 'watch')]
    results = shared.client.call(SetParameters, parameters=parameters).results
    assert [bool(result.reason) and not result.successful for result in results] == [True] * 12
    no_type = Parameter(name='model', value=ParameterValue(type=99))
    shared.client.ask(SetParameters, parameters=[no_type])
    shared.client.wait_for(
        lambda: 'not a valid Parameter.Type' in shared.node.log, 'the warning')


def test_participants_that_come_and_go(shared):
    process = Path(f'/proc/{shared.node.process.pid}')

    def usage():
        return [len(os.listdir(process / name)) for name in ('task', 'fd')]

    threads, files = usage()
    for _ in range(4):
        other = Client(shared.client.context.get_domain_id())
        assert other.wait_for_message('/tf_static').transforms
        other.end()
    shared.client.wait_for(
        lambda: usage()[0] <= threads and usage()[1] <= files + 2, 'the end of leftovers')
