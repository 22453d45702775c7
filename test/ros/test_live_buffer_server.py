# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The action tf2_buffer_server over DDS, by a plain action client."""


from action_msgs.msg import GoalStatus
from builtin_interfaces.msg import Duration, Time
from helpers.live_node import TIMEOUT
from hrdf_ros.limits import GOAL_NAME, GOALS
import pytest
from rclpy.action import ActionClient

LookupTransform = pytest.importorskip('tf2_msgs.action').LookupTransform
TF2Error = pytest.importorskip('tf2_msgs.msg').TF2Error


@pytest.fixture
def client(shared):
    """Return a client of a node on the arm, both joints reported at zero."""
    shared.client.move_until_heard({'base': 0.0, 'elbow': 0.0})
    shared.client.received['/tf'].clear()
    return shared.client


@pytest.fixture
def ask(client):
    """Return two functions: one waits for a transform, the other returns a pending result."""
    action = ActionClient(client.node, LookupTransform, '/hrdf_ros/tf2_buffer_server')
    assert action.wait_for_server(TIMEOUT)

    def send(target, source, seconds=0.0, **fields):
        timeout = Duration(sec=int(seconds), nanosec=int(seconds % 1 * 1e9))
        handle = client.answer(client.begin(action.send_goal_async, LookupTransform.Goal(
            target_frame=target, source_frame=source, timeout=timeout, **fields)))
        assert handle.accepted
        return client.begin(handle.get_result_async)

    yield lambda *words, **fields: client.answer(send(*words, **fields)).result, send
    action.destroy()


def report(client, positions, stamp):
    """Publish a joint state until the node has heard it; of a stamp it takes one."""
    def heard():
        client.move(positions, stamp)
        return any(each.header.stamp.sec == stamp
                   for message in client.received['/tf'] for each in message.transforms)

    client.wait_for(heard, '/tf')


def test_names_and_tags(ask):
    lookup, _ = ask
    result = lookup('elbow', 'tool')
    assert result.error.error == TF2Error.NO_ERROR
    assert (result.transform.header.frame_id, result.transform.child_frame_id) == (
        'elbow', 'tool')
    assert result.transform.transform.translation.z == pytest.approx(0.13105)


def test_a_goal_waits_for_its_transform(ask, client):
    lookup, send = ask
    report(client, {'elbow': 0.0, 'base': 0.0}, 1000.0)
    pending = send('base', 'tool', 60.0, source_time=Time(sec=1001))
    assert lookup('elbow', 'tool').error.error == TF2Error.NO_ERROR
    assert not pending.done()
    client.wait_for(
        lambda: client.move({'base': 0.0, 'elbow': 0.0}, 1002.0) and pending.done(),
        'the transform')
    assert client.answer(pending).result.transform.header.stamp.sec == 1001


def test_errors_are_results(ask):
    lookup, _ = ask
    unknown = lookup('base', 'tol')
    assert unknown.error.error == TF2Error.LOOKUP_ERROR
    assert "did you mean 'tool'?" in unknown.error.error_string
    late = lookup('base', 'tool', 0.1, source_time=Time(sec=2_000_000_000))
    assert late.error.error == TF2Error.EXTRAPOLATION_ERROR


def test_long_names_are_rejected(client):
    action = ActionClient(client.node, LookupTransform, '/hrdf_ros/tf2_buffer_server')
    assert action.wait_for_server(TIMEOUT)
    for size, accepted in ((GOAL_NAME, True), (GOAL_NAME + 1, False)):
        goal = LookupTransform.Goal(target_frame='base', source_frame='x' * size)
        assert client.answer(client.begin(action.send_goal_async, goal)).accepted == accepted
    action.destroy()


def test_goals_that_wait_and_results_that_are_kept_are_bounded(client):
    report(client, {'elbow': 0.0, 'base': 0.0}, 3000.0)
    action = ActionClient(client.node, LookupTransform, '/hrdf_ros/tf2_buffer_server')
    assert action.wait_for_server(TIMEOUT)
    goal = LookupTransform.Goal(
        target_frame='base', source_frame='tool', source_time=Time(sec=3001),
        timeout=Duration(sec=50))
    handles = [client.answer(client.begin(action.send_goal_async, goal)) for _ in range(GOALS + 1)]
    assert [handle.accepted for handle in handles] == [True] * GOALS + [False]
    report(client, {'base': 0.0, 'elbow': 0.0}, 3002.0)
    client.wait_for(
        lambda: client.answer(
            client.begin(action.send_goal_async, LookupTransform.Goal())).accepted, 'room')
    client.wait_for(
        lambda: client.answer(client.begin(handles[0].get_result_async)).status
        == GoalStatus.STATUS_UNKNOWN, 'the end of a result')
    action.destroy()


@pytest.mark.parametrize('target, source', [('', 'tool'), ('base', '')])
def test_an_empty_name_is_invalid_at_once(ask, target, source):
    lookup, _ = ask
    error = lookup(target, source, 60.0).error
    assert error.error == TF2Error.INVALID_ARGUMENT_ERROR
    assert 'empty' in error.error_string


def test_two_times_by_a_fixed_frame(ask, client):
    lookup, _ = ask
    for step in range(3):
        report(client, {'base': 0.5 * step, 'elbow': 0.0}, 1000.0 + step)
    result = lookup(
        'base/output', 'base/output', 30.0, advanced=True, fixed_frame='base',
        source_time=Time(sec=1001), target_time=Time(sec=1002))
    assert result.error.error == TF2Error.NO_ERROR, result.error.error_string
    assert abs(result.transform.transform.rotation.z) == pytest.approx(0.247404, abs=1e-5)
