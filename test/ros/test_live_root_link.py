# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""root_link: a massless link above a root link with inertia."""


from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOUR_BAR = str(ROOT / 'examples' / 'sdf' / 'four_bar.sdf')


def test_the_link_is_in_the_urdf_and_on_tf(start, client):
    start(FOUR_BAR, root_link='floor')
    client.wait_for_node()
    client.wait_for_message('/robot_description')
    assert '<link name="floor"/>' in client.received['/robot_description'][-1].data
    client.wait_for_message('/tf_static')
    parents = {
        transform.header.frame_id
        for message in client.received['/tf_static'] for transform in message.transforms}
    assert 'floor' in parents
    answer = client.lookup('floor')
    assert answer.success, answer.message


def test_a_name_that_is_taken_is_refused_and_the_old_robot_stays(start, client):
    start(FOUR_BAR)
    client.wait_for_node()
    client.wait_for_message('/robot_description')
    result = client.set_parameter('root_link', 'coupler')
    assert not result.successful and 'root_link' in result.reason
    assert client.set_parameter('root_link', 'floor').successful
    client.wait_for(
        lambda: 'name="floor"' in client.received['/robot_description'][-1].data, 'the new root')
