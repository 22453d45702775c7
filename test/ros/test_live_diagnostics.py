# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The node's /diagnostics: the findings of ``hrdf doctor`` that the node can see by itself."""

import time

from diagnostic_msgs.msg import DiagnosticStatus
from helpers.live_node import LATCHED, URDF
import pytest
from std_msgs.msg import String


@pytest.fixture
def said(run, client, tmp_path):
    """Start the node; return a function that waits for what a finding says."""
    file = tmp_path / 'slide.urdf'
    file.write_text(URDF)
    run(str(file), publish_frequency=0.0)

    def wait_for(rule, positions=None, age=0.0):
        def found():
            if positions is not None:
                client.move(positions, time.time() - age)
            return next((
                value.value for message in client.received['/diagnostics'][-2:]
                for status in message.status for value in status.values if value.key == rule), '')

        client.received['/diagnostics'].clear()
        return client.wait_for(found, rule)

    return wait_for


def test_findings_of_the_doctor(said, client):
    """Each fault is named by its rule, with the reason and the fix, and goes when it is mended."""
    assert 'no message on /joint_states' in said('silent-joint-states')
    assert "nobody reports 1 joint: 's'" in said('joint-not-reported', {'m': 0.1})
    assert "'m' is 0.4 m off" in said('mimic-differs', {'s': 0.1, 'm': 0.7})
    assert 'synchronize the clocks' in said('past', {'s': 0.1}, age=60.0)
    assert 'outside of its limits -1 and 1' in said('outside-limits', {'s': 3.0})

    def is_healthy():
        client.move({'s': 0.1})
        return any(
            status.level == DiagnosticStatus.OK and status.message == 'joint states arrive'
            for message in client.received['/diagnostics'][-1:] for status in message.status)

    client.wait_for(is_healthy, 'a status without findings')
    assert "did you mean 's'?" not in said('unknown-joint', {'s': 0.1, 'left_s': 0.1})
    client.node.create_publisher(String, '/robot_description', LATCHED).publish(String(data=URDF))
    assert "'/client', '/hrdf_ros'" in said('several-descriptions', {'s': 0.1})
    assert client.set_parameter('use_sim_time', True).successful
    assert 'nobody publishes /clock' in said('no-clock', {'s': 0.1})
