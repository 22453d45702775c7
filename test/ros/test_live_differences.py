# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the page on robot_state_publisher says of topics, parameters and changes of the robot."""

from __future__ import annotations

import ast
from pathlib import Path
import re

from helpers.live_node import LATCHED, URDF
from rcl_interfaces.srv import GetParameters
from rclpy.parameter import parameter_value_to_python
from tf2_msgs.msg import TFMessage

PAGE = Path(__file__).parents[2] / 'docs' / 'robot-state-publisher.md'
DEFAULT = re.compile(r'^\| `(\w+)`, default `([^`]+)`', re.MULTILINE)
QUEUE = re.compile(
    r'^\| topic `(\S+)` \|.*queue of (\d+) \|(?: the same|.*queue of (\d+)) \|$',
    re.MULTILINE)


def test_parameters_have_the_defaults_of_the_page_and_topics_its_queues(start, client):
    def read(names):
        values = client.call(GetParameters, names=list(names)).values
        return [parameter_value_to_python(value) for value in values]

    start()
    text = PAGE.read_text()
    defaults = {name: ast.literal_eval(value) for name, value in DEFAULT.findall(text)}
    assert len(defaults) == 5
    client.wait_for_node()
    assert read(defaults) == list(defaults.values())
    queues = {
        f"qos_overrides./{topic.lstrip('/')}.{kind}.depth": int(own or theirs)
        for topic, theirs, own in QUEUE.findall(text)
        for kind in ['publisher' if topic.startswith('/tf') else 'subscription']}
    assert len(queues) == 3
    assert read(queues) == list(queues.values())
    assert read(['qos_overrides./parameter_events.publisher.depth']) == []  # it is not declared


def test_another_robot_and_prefix_replace_what_was_static(start, client):
    def static_frames():
        late = client.listen('/tf_static', TFMessage, LATCHED)
        late.clear()
        client.wait_for(lambda: late, '/tf_static')
        return [each.child_frame_id for each in late[-1].transforms]

    start(robot_description=f"'{URDF}'")
    client.wait_for_message('/tf_static')
    assert client.set_parameter('frame_prefix', 'x/').successful
    client.wait_for(lambda: static_frames() == ['x/flag'], 'the prefix')
    other = URDF.replace('"flag"', '"pennant"')
    assert client.set_parameter('robot_description', other).successful
    client.wait_for(lambda: static_frames() == ['x/pennant'], 'the other robot')
