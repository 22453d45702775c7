# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The processes that read for the node: killed, too slow, too full, or not wanted."""

import os
from pathlib import Path
import resource
import signal
import socket
import subprocess
import sys
import time
from unittest.mock import MagicMock

from helpers.live_node import ARM, LATCHED, URDF
from hrdf_ros.node import file_server
from hrdf_ros_interfaces.srv import Convert, Validate
import pytest
from std_msgs.msg import String
from std_srvs.srv import Trigger

LONG = '<robot name="r"><link name="a"/>' + ''.join(
    f'<link name="l{index}"/><joint name="j{index}" type="fixed"><parent link="a"/>'
    f'<child link="l{index}"/></joint>' for index in range(20_000)) + '</robot>'


def children(process):
    """Return the processes below one, with what they were started for."""
    found = {}
    for directory in Path('/proc').iterdir():
        try:
            fields = (directory / 'stat').read_text().rpartition(')')[2].split()
            words = (directory / 'cmdline').read_text()
        except OSError:
            continue
        if int(fields[1]) == process:
            found[int(directory.name)] = (
                'server' if 'file_server' in words else 'worker' if 'worker_process' in words
                else 'other')
    return found


def one_child(process, kind):
    [found] = [child for child, what in children(process).items() if what == kind]
    return found


def validate(client, text=ARM):
    return client.call('/hrdf_ros/validate', Validate, Validate.Request(text=text))


def test_a_worker_that_is_killed_is_answered_for(start, client, arm):
    node = start(str(arm), publish_frequency=0.0)
    client.wait_for_node()
    assert validate(client).ok
    server = one_child(node.process.pid, 'server')
    pending = client.ask('/hrdf_ros/validate', Validate, Validate.Request(text=LONG))
    client.wait_for(lambda: not os.kill(one_child(server, 'worker'), signal.SIGKILL), 'a kill')
    answer = client.answer(pending)
    if not answer.ok:  # it was not done before
        assert 'ended unexpectedly (signal 9)' in answer.diagnostics[0].message
    assert validate(client).ok
    os.kill(one_child(node.process.pid, 'worker'), signal.SIGKILL)
    answers = [client.call('/hrdf_ros/reload', Trigger, Trigger.Request()) for _ in range(2)]
    assert 'ended unexpectedly' in answers[0].message
    assert answers[1].success
    assert 'tool/body' in client.move_until_heard({'base': 0.0, 'elbow': 0.0})


def test_a_server_that_is_killed_is_started_again(without_shared_memory, start, client, arm):
    node = start(str(arm))
    client.wait_for_node()
    assert validate(client).ok
    server = one_child(node.process.pid, 'server')
    worker = one_child(server, 'worker')
    os.kill(server, signal.SIGKILL)
    client.wait_for(lambda: 'it is started again' in node.log, 'the warning')
    client.wait_for(lambda: not Path(f'/proc/{worker}').exists(), 'the end of its worker')
    client.wait_for(lambda: 'server' in children(node.process.pid).values(), 'another server')
    assert other_client_is_answered(client)


def other_client_is_answered(client):
    """Ask again and again: a request may go to the server that is no more."""
    def answered():
        other = client.node.create_client(Validate, '/hrdf_ros/validate')
        pending = other.call_async(Validate.Request(text=ARM))
        end = time.monotonic() + 2.0
        while time.monotonic() < end and not pending.done():
            time.sleep(0.02)
        return pending.done() and pending.result().ok

    return client.wait_for(answered, 'an answer')


def test_what_takes_too_long_is_answered(start, client, arm):
    start(str(arm))
    client.wait_for_node()
    assert validate(client).ok
    assert client.set_parameter('request_timeout', 0.2).successful
    answer = validate(client, LONG)
    assert 'longer than request_timeout allows (0.2 s)' in answer.diagnostics[0].message
    convert = client.call('/hrdf_ros/convert', Convert, Convert.Request(text=LONG, target='sdf'))
    assert not convert.success
    assert 'request_timeout' in convert.message
    assert 'request_timeout' in client.set_parameter('robot_description', LONG).reason
    assert client.set_parameter('request_timeout', 30.0).successful
    client.wait_for(lambda: validate(client, LONG).ok, 'the longer timeout')
    assert client.set_parameter('robot_description', URDF).successful


def test_more_text_than_there_is_room_for_is_refused(start, client, arm):
    start(str(arm))
    client.wait_for_node()
    text = '<robot name="r">' + 'x' * 30_000_000 + '</robot>'
    pending = [
        client.ask('/hrdf_ros/validate', Validate, Validate.Request(text=text)) for _ in range(6)]
    messages = [client.answer(request).diagnostics[0].message for request in pending]
    assert any('64 MiB' in message for message in messages)
    assert not all('64 MiB' in message for message in messages)
    assert validate(client).ok


@pytest.mark.parametrize('isolation', ['process', 'none'])
def test_nothing_is_left_behind(start, client, arm, isolation):
    node = start(str(arm), isolation=isolation)
    client.wait_for_node()
    assert validate(client).ok
    assert client.call('/hrdf_ros/convert', Convert, Convert.Request()).success
    assert client.call('/hrdf_ros/reload', Trigger, Trigger.Request()).success
    below = children(node.process.pid)
    assert sorted(below.values()) == (['server', 'worker'] if isolation == 'process' else [])
    below.update({child: '' for server in list(below) for child in children(server)})
    assert node.end(signal.SIGTERM) == 0
    client.wait_for(
        lambda: not any(Path(f'/proc/{child}').exists() for child in below), 'all of them to end')


def test_the_isolation_is_chosen_at_the_start(start, client, arm):
    start(str(arm))
    client.wait_for_node()
    assert not client.set_parameter('isolation', 'none').successful


def test_names_of_joints_forge_no_line_of_the_log(start, client, arm):
    node = start(str(arm), publish_frequency=0.0)
    client.wait_for_node()
    forged = 'a\x1b[2J\n[FATAL] [hrdf_ros]: forged'
    for turn in range(300):
        client.move({f'{turn}{forged}': 0.0, 'base': 0.1})
    def has_warned():
        client.move({f'once more{forged}': 0.0, 'base': 0.1})  # the others may all be lost
        return 'does not have: ' in node.log

    client.wait_for(has_warned, 'the warning')
    client.move_until_heard({'base': 0.0})
    assert '\x1b[2J' not in node.log
    assert not any(line.startswith('[FATAL]') for line in node.log.splitlines())
    assert node.log.count('joint_states names joints') <= 100
    client.wait_for(
        lambda: any('unknown joints' in value.message for message in
                    client.received['/diagnostics'] for value in message.status),
        'the diagnostics')
    for message in client.received['/diagnostics']:
        assert all(status.message.isprintable() for status in message.status)


def test_the_process_that_publishes_has_no_readers_and_writers():
    """What it cannot parse it cannot be stopped by; and it starts sooner without them."""
    code = (
        'import sys, hrdf_ros.node.main, hrdf_ros.node.joint_states, hrdf_ros.node.file_server; '
        'print(*(name for name in sys.modules if name.startswith(("hrdf_ros.writers.", '
        '"hrdf_ros.readers.hrdf", "hrdf_ros.readers.sdf", "hrdf_ros.readers.urdf", '
        '"hrdf_ros.readers.skel", "hrdf_ros.lowering", "hrdf_ros.node.perform"))))')
    done = subprocess.run(
        [sys.executable, '-c', code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_names_of_descriptions_forge_no_line_of_the_log(start, client):
    node = start()
    topic = client.node.create_publisher(String, '/robot_description', LATCHED)
    client.wait_for(topic.get_subscription_count, 'the subscription')
    topic.publish(String(data=(
        '<robot name="a&#10;[FATAL] [1.0] [x]: forged&#x9b;31m">'
        f'<link name="l&#10;[FATAL] forged{"x" * 5000}&#x202e;"/></robot>')))
    client.wait_for(lambda: 'publishing' in node.log, 'the robot')
    answer = client.call('/hrdf_ros/reload', Trigger, Trigger.Request())
    assert answer.success
    assert answer.message.isprintable()
    assert len(node.log) < 2000
    assert all(line.isprintable() for line in node.log.split('\n'))
    assert '\n[FATAL]' not in node.log
    client.wait_for(lambda: [
        status for message in client.received['/diagnostics'] for status in message.status
        if status.hardware_id.startswith('a')], 'its diagnostics')
    for message in client.received['/diagnostics']:
        assert all(status.hardware_id.isprintable() for status in message.status)


def test_a_file_server_that_is_stopped_does_not_outlive_the_node(start, client, tmp_path):
    file = tmp_path / 'large.urdf'
    file.write_text(LONG)
    node = start(str(file))
    client.wait_for(lambda: 'publishing' in node.log, 'the robot')
    client.wait_for(lambda: validate(client).ok, 'the file server')
    server = one_child(node.process.pid, 'server')
    os.kill(server, signal.SIGSTOP)
    try:
        for _ in range(2):  # what is sent to it fills the socket
            assert client.call('/hrdf_ros/reload', Trigger, Trigger.Request()).success
        began = time.monotonic()
        assert node.end(signal.SIGTERM) == 0
        assert time.monotonic() - began < 2.0
        assert not Path(f'/proc/{server}').exists()
    finally:
        if Path(f'/proc/{server}').exists():
            os.kill(server, signal.SIGKILL)


def test_descriptors_that_are_used_up_for_a_while(start, client, arm):
    node = start(str(arm), publish_frequency=0.0)
    client.wait_for_node()
    assert validate(client).ok
    pid = node.process.pid
    used = max(int(each.name) for each in Path(f'/proc/{pid}/fd').iterdir())
    most = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (used, most[1]))
    for process in children(pid):
        os.kill(process, signal.SIGKILL)
    client.wait_for(lambda: 'no process can be spawned for validate' in node.log, 'the error')
    answers = [client.call('/hrdf_ros/reload', Trigger, Trigger.Request()) for _ in range(2)]
    assert 'no process can be spawned to read files' in answers[1].message
    assert client.move_until_heard({'base': 0.1, 'elbow': 0.2})
    resource.prlimit(pid, resource.RLIMIT_NOFILE, most)
    assert client.call('/hrdf_ros/reload', Trigger, Trigger.Request()).success
    client.wait_for(lambda: 'server' in children(pid).values(), 'the file server')
    assert client.move_until_heard({'base': 0.3, 'elbow': 0.2})
    assert 'unexpectedly:' not in node.log


def test_a_file_server_that_gives_no_sign_of_life_is_replaced(monkeypatch):
    silent = []

    def spawn(*_, **__):
        ours, theirs = socket.socketpair()
        silent.append(subprocess.Popen(['sleep', '100'], pass_fds=(theirs.fileno(),)))
        theirs.close()
        return silent[-1], ours

    monkeypatch.setattr(file_server, 'spawn', spawn)
    monkeypatch.setattr(file_server, '_SILENT', 0.2)
    monkeypatch.setattr(file_server, '_PAUSE', 0.1)
    node = MagicMock()
    server = file_server.FileServer(node)
    # more than a socket holds: what is being sent does not keep it from being noticed
    server.update(('validate', 'convert'), file_server.Published(loaded=bytes(8 << 20)))
    until = time.monotonic() + 10.0
    while len(silent) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    server.end()
    assert silent[0].wait(5.0) == -signal.SIGKILL
    assert len(silent) > 1
    warnings = str(node.get_logger().warning.call_args_list)
    assert 'gives no sign of life; it is killed' in warnings
    assert 'it is started again' in warnings
