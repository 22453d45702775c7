# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Starts, restarts and endings that go wrong: killed, doubled, without a disk, in full flood."""

import signal
import sys
import threading

from helpers.live_node import ARM, START, TIMEOUT
from helpers.processes import children, LONG
from hrdf_ros_interfaces.srv import Convert
import pytest
from rcl_interfaces.srv import GetParameters
from std_srvs.srv import Trigger

FAULTY = """
import hrdf_ros.node.diagnostic_status as diagnostics
import hrdf_ros.node.tf2 as tf2
import hrdf_ros.node.tf_stream as tf_stream
diagnostics.joint_status = tf2.lookup = lambda *_, **__: 1 / 0
receive, heard = tf_stream.TransformStream.receive, []


def faulty(self, data):
    heard.append(data)
    len(heard) > 1 or 1 / 0
    receive(self, data)


tf_stream.TransformStream.receive = faulty
"""


def ends_well(node, by=signal.SIGTERM):
    assert node.end(by) == 0, node.log
    assert 'Traceback' not in node.log


def test_no_place_for_log_files(monkeypatch, run, client, arm):
    with monkeypatch.context() as patch:
        patch.setenv('HOME', '/proc/nowhere')
        node = run(str(arm))
    assert 'tool/body' in client.move_until_heard({'base': 0.0, 'elbow': 0.0})
    assert 'going on without log files' in node.log
    ends_well(node)


def test_ends_in_full_flood(run, client, arm):
    node = run(str(arm), publish_frequency=0.0)
    ended = threading.Event()

    def flood():
        while not ended.is_set():
            client.move({'base': 0.1, 'elbow': 0.2})

    thread = threading.Thread(target=flood)
    thread.start()
    try:
        client.wait_for(lambda: len(client.received['/tf']) > 500, 'a flood of transforms')
        ends_well(node)
    finally:
        ended.set()
        thread.join()


@pytest.mark.parametrize(('kind', 'fields', 'by'), [
    (Trigger, {}, signal.SIGTERM),
    (Convert, {'text': LONG, 'target': 'sdf'}, signal.SIGINT)])
def test_ends_while_requests_are_under_way(run, client, tmp_path, kind, fields, by):
    file = tmp_path / 'long.urdf'
    file.write_text(LONG)
    node = run(str(file), request_timeout=TIMEOUT)
    for _ in range(3):
        client.ask(kind, **fields)
    client.wait_for(lambda: children(node.process.pid), 'a request under way')
    ends_well(node, by)


TERMINATED_AT = """
import signal, sys
def end(event, arguments):
    if (event, str(arguments[0])) == {at}:
        signal.raise_signal(signal.SIGTERM)
sys.addaudithook(end)
"""


@pytest.mark.parametrize('at', [
    ('import', 'rclpy'), ('import', 'hrdf_ros.node.node'), ('import', 'rclpy.executors'),
    ('subprocess.Popen', sys.executable), ('import', 'hrdf_ros.node.services')], ids=str)
def test_ends_while_it_starts(start, arm, at):
    node = start(str(arm), program=TERMINATED_AT.format(at=at) + START)
    status = node.process.wait(TIMEOUT)
    assert status in (0, -signal.SIGTERM)
    assert 'Traceback' not in node.log


def test_whole_numbers_for_floats_and_wrong_types_at_the_start(start, run, client, arm):
    run(str(arm), publish_frequency=50, history_duration=3)
    values = client.call(GetParameters, names=['publish_frequency', 'history_duration']).values
    assert [value.integer_value for value in values] == [50, 3]
    wrong = {'frame_prefix': 1, 'path': '[1, 2]', 'use_sim_time': 'maybe'}
    refused = {name: start(str(arm), **{name: value}) for name, value in wrong.items()}
    for name, node in refused.items():
        assert node.process.wait(TIMEOUT) == 1
        assert name in node.log
        assert 'Traceback' not in node.log


def test_unexpected_exceptions_are_answered(run, client, arm):
    node = run(str(arm), program=FAULTY + START)
    assert client.lookup('tool').message == (
        "lookup_frame failed unexpectedly: ZeroDivisionError('division by zero')")
    client.wait_for(lambda: 'publish_diagnostics failed unexpectedly' in node.log, 'the timer')
    assert 'tool/body' in client.move_until_heard({'base': 0.0, 'elbow': 0.0})
    ends_well(node)


def test_watched_files_may_vanish_and_change_while_they_are_read(run, client, tmp_path):
    inner, outer = tmp_path / 'inner.hrdf', tmp_path / 'outer.hrdf'
    inner.write_text(ARM)
    outer.write_text('<robot version="1.4.0"><include path="inner.hrdf"/></robot>')
    node = run(str(outer), watch='true')
    inner.unlink()
    client.wait_for(lambda: 'error[' in node.log, 'the diagnostics')
    assert client.lookup('tool', relative_to='tool').success
    inner.write_text(ARM.replace('tag="tool"', 'tag="hand"'))
    client.wait_for(lambda: client.lookup('hand', relative_to='hand').success, 'the new tag')
    for turn in range(20):
        fresh = tmp_path / 'fresh'
        fresh.write_text(ARM.replace('tag="tool"', f'tag="hand_{turn}"'))
        fresh.rename(inner)
        client.ask(Trigger)
    client.wait_for(lambda: client.lookup('hand_19', relative_to='hand_19').success, 'the last')
