# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The process that reads for the node: on demand, killed, too slow, or not wanted."""

import os
from pathlib import Path
import signal
import subprocess
import sys

from diagnostic_msgs.msg import DiagnosticStatus
from helpers.live_node import ARM, LATCHED, TIMEOUT, URDF
from helpers.processes import children, is_running, LONG
from hrdf_ros_interfaces.srv import Convert, Validate
import pytest
from std_msgs.msg import String
from std_srvs.srv import Trigger


def validate(client, text=ARM):
    return client.call(Validate, text=text)


def test_a_worker_that_is_killed_is_answered_for(run, client, arm):
    node = run(str(arm), publish_frequency=0.0)
    assert validate(client).ok
    pending = client.ask(Validate, text=LONG)
    [worker] = children(node.process.pid)
    os.kill(worker, signal.SIGKILL)
    answer = client.answer(pending)
    if not answer.ok:  # it was not done before
        assert 'ended unexpectedly (signal 9)' in answer.diagnostics[0].message
    assert validate(client).ok
    [worker] = children(node.process.pid)
    os.kill(worker, signal.SIGKILL)
    answers = [client.call(Trigger) for _ in range(2)]
    assert 'ended unexpectedly' in answers[0].message
    assert answers[1].success
    assert 'tool/body' in client.move_until_heard({'base': 0.0, 'elbow': 0.0})


def test_a_node_at_rest_is_one_process_and_answers(run, client, arm):
    node = run(str(arm))
    assert validate(client).ok
    client.wait_for(lambda: not children(node.process.pid), 'the end of the worker')
    assert validate(client).ok
    assert len(children(node.process.pid)) == 1


@pytest.mark.parametrize('stopped', [False, True])
def test_the_worker_of_a_killed_node_ends(without_shared_memory, run, client, arm, stopped):
    node = run(str(arm))
    assert validate(client).ok
    [worker] = children(node.process.pid)
    if stopped:
        os.kill(worker, signal.SIGSTOP)
    node.process.kill()
    node.process.wait(TIMEOUT)
    client.wait_for(lambda: not is_running(worker), 'the end of the worker')


def test_what_takes_too_long_is_answered(run, client, arm):
    run(str(arm))
    assert validate(client).ok
    assert client.set_parameter('request_timeout', 0.2).successful
    answer = validate(client, LONG)
    assert 'longer than request_timeout allows (0.2 s)' in answer.diagnostics[0].message
    convert = client.call(Convert, text=LONG, target='sdf')
    assert not convert.success
    assert 'request_timeout' in convert.message
    assert 'request_timeout' in client.set_parameter('robot_description', LONG).reason
    assert client.set_parameter('request_timeout', TIMEOUT).successful
    assert validate(client, LONG).ok
    assert client.set_parameter('robot_description', URDF).successful


def test_more_text_than_there_is_room_for_is_refused(run, client, arm):
    run(str(arm), publish_frequency=0.0)
    text = '<robot name="r">' + 'x' * 30_000_000 + '</robot>'
    pending = [client.ask(Validate, text=text) for _ in range(6)]
    assert client.move_until_heard({'base': 0.1, 'elbow': 0.2})
    messages = [client.answer(request).diagnostics[0].message for request in pending]
    assert 0 < sum('64 MiB' in message for message in messages) < 6
    assert validate(client).ok


def test_the_process_that_publishes_has_no_readers_writers_and_viewer():
    """What it cannot parse it cannot be stopped by; and it is smaller and starts sooner."""
    code = (
        'import sys, hrdf_ros.node.node, hrdf_ros.node.joint_states, hrdf_ros.node.services; '
        'import hrdf_ros.node.diagnostic_status; '
        'print(*(name for name in sys.modules if name.startswith(("hrdf_ros.writers.", '
        '"hrdf_ros.readers.hrdf", "hrdf_ros.readers.sdf", "hrdf_ros.readers.urdf", '
        '"hrdf_ros.readers.skel", "hrdf_ros.lowering", "hrdf_ros.node.jobs", "hrdf_ros.view", '
        '"hrdf_ros.parsing.sdf", '
        '"html"))))')
    done = subprocess.run(
        [sys.executable, '-c', code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_names_forge_no_line_of_the_log(start, client):
    node = start(publish_frequency=0.0)
    topic = client.node.create_publisher(String, '/robot_description', LATCHED)
    client.wait_for(topic.get_subscription_count, 'the subscription')
    topic.publish(String(data=(
        '<robot name="a&#10;[FATAL] [1.0] [x]: forged&#x9b;31m">'
        f'<link name="l&#10;[FATAL] forged{"x" * 5000}&#x202e;"/></robot>')))
    client.wait_for(lambda: 'publishing' in node.log, 'the robot')
    forged = '\x1b[2J\n[FATAL] [hrdf_ros]: forged'
    client.wait_for(
        lambda: client.move({forged: 0.0}) and any(
            'forged' in text for text in client.statuses(DiagnosticStatus.WARN)),
        'the diagnostics')
    for message in client.received['/diagnostics']:
        assert all(status.message.isprintable() and status.hardware_id.isprintable()
                   for status in message.status)
    assert all(line.isprintable() for line in node.log.split('\n'))
    assert '\n[FATAL]' not in node.log


def test_a_stopped_worker_keeps_the_node_from_nothing(run, client, arm):
    node = run(str(arm), publish_frequency=0.0)
    assert validate(client).ok
    [worker] = children(node.process.pid)
    os.kill(worker, signal.SIGSTOP)
    pending = [client.ask(Convert, text=URDF), client.ask(Trigger)]
    assert 'tool/body' in client.move_until_heard({'base': 0.0, 'elbow': 0.0})
    assert client.lookup('tool').success
    assert not any(request.done() for request in pending)
    assert node.end(signal.SIGTERM) == 0
    assert not Path(f'/proc/{worker}').exists()


def test_descriptions_of_any_bytes_on_the_topic(start, client):
    node = start(publish_frequency=0.0)
    topic = client.node.create_publisher(String, '/robot_description', LATCHED)
    client.wait_for(topic.get_subscription_count, 'the subscription')
    topic.publish(String(data=URDF))
    client.wait_for_node()
    assert client.move_until_heard({'s': 0.1})
    for data, said in (
            (b'\0\1\0\0\xff\xff\xff\xff<robot', 'ignored a message on robot_description'),
            (String(data=f'<robot name="r">{"x" * 20_000_000}</robot>'), 'error[')):
        topic.publish(data)
        client.wait_for(lambda said=said: said in node.log, 'the message')
        assert client.move_until_heard({'s': 0.3})
    topic.publish(String(data=URDF.replace('cart', 'sledge')))
    client.wait_for(
        lambda: 'sledge' in client.move_until_heard({'s': 0.4}), 'the other description')
