# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""publish_initial: floating, planar and ball joints that nobody reports."""


from pathlib import Path
import time

from diagnostic_msgs.msg import DiagnosticStatus
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'
ROVER = str(EXAMPLES / 'urdf' / 'rover.urdf')  # floats and drives on the plane


def links_on_tf(client):
    return {
        transform.child_frame_id
        for message in client.received['/tf'] for transform in message.transforms}


def test_shown_after_a_second_until_somebody_reports_them(run, client):
    run(ROVER, publish_initial='true', publish_frequency=0.0)
    client.wait_for_message('/tf')
    first = client.received['/tf'][0].transforms
    children = {transform.child_frame_id for transform in first}
    assert len(children) == 2
    assert all(transform.header.stamp.sec > 0 for transform in first)
    assert [transform.transform.rotation.w for transform in first] == pytest.approx([1.0, 1.0])
    moved = client.move_until_heard({'drive_x': 1.5, 'drive_y': 0.0, 'drive_rot': 0.0})
    [drive] = [
        transform for transform in moved.values() if transform.transform.translation.x == 1.5]

    def others_alone():
        client.received['/tf'].clear()
        client.wait_for_message('/tf')
        return links_on_tf(client) == children - {drive.child_frame_id}

    client.wait_for(others_alone, 'the joint that is not reported, alone')


def test_switched_at_run_time_no_warning_and_looked_up(run, client):
    run(str(EXAMPLES / 'skel' / 'humanoid.skel'))
    for _ in range(3):  # one each second, in which the joints may be reported
        client.received['/diagnostics'].clear()
        client.wait_for_message('/diagnostics')
    assert not client.received['/tf']
    assert client.set_parameter('publish_initial', True).successful
    client.wait_for(lambda: 'pelvis' in links_on_tf(client), 'the pelvis')
    client.received['/diagnostics'].clear()
    client.wait_for_message('/diagnostics')
    assert not any('root_pos_x' in text for text in client.statuses(DiagnosticStatus.WARN))
    assert any('nobody reports' in text for text in client.statuses(DiagnosticStatus.WARN))
    answer = client.lookup('pelvis')
    assert answer.success
    assert 'initial positions are used' in answer.message
    assert client.set_parameter('publish_initial', False).successful

    def silent():
        client.received['/tf'].clear()
        time.sleep(0.3)
        return not client.received['/tf']

    client.wait_for(silent, 'the end of the initial poses')
