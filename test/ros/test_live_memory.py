# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the processes of a node hold while clients send large requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import os
from pathlib import Path
import time
from typing import Any

from helpers.live_node import Client, LATCHED, RunningNode, URDF
from helpers.node_in_process import running_node
from hrdf_ros.node import file_server
from hrdf_ros.node.node import HrdfNode
from hrdf_ros_interfaces.srv import Validate
import pytest
from std_msgs.msg import String

MOST = 150 << 20


def resident(process: int) -> int:
    """Return the bytes that a process has in memory."""
    try:
        pages = Path(f'/proc/{process}/statm').read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf('SC_PAGE_SIZE')


@pytest.fixture
def node(domain: int, arm: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HrdfNode]:
    """Return a running node whose file server may hold little."""
    monkeypatch.setattr(file_server, '_MAX_MEMORY', MOST)
    with running_node(domain, arm) as node:
        yield node


def server_of(node: HrdfNode) -> int:
    process: Any = node._file_services._server._process
    return 0 if process is None else int(process.pid)


def is_valid(client: Client) -> bool:
    """Ask by a client of its own: a request may go to a server that is no more."""
    other = client.node.create_client(Validate, '/hrdf_ros/validate')
    pending = other.call_async(Validate.Request(text='<robot name="r"><link name="a"/></robot>'))
    end = time.monotonic() + 2.0
    while time.monotonic() < end and not pending.done():
        time.sleep(0.02)
    found = pending.done() and pending.result().ok
    client.node.destroy_client(other)
    return bool(found)


def test_a_file_server_that_holds_too_much_is_replaced(node: HrdfNode, client: Client) -> None:
    client.wait_for_node()
    client.wait_for(lambda: is_valid(client), 'an answer')
    before, peak = server_of(node), 0
    flood = client.node.create_client(Validate, '/hrdf_ros/validate')
    flood.wait_for_service(60.0)
    text = f'<robot name="r">{"x" * 50_000_000}</robot>'
    for _ in range(4):
        flood.call_async(Validate.Request(text=text))
    end = time.monotonic() + 60.0
    while Path(f'/proc/{before}').exists() and time.monotonic() < end:
        peak = max(peak, resident(before))
        time.sleep(0.01)
    assert not Path(f'/proc/{before}').exists()
    assert peak < MOST + (400 << 20)
    client.node.destroy_client(flood)
    client.wait_for(lambda: is_valid(client), 'an answer of the next one')
    assert server_of(node) not in (0, before)
    assert client.move_until_heard({'base': 0.1, 'elbow': 0.2})


def test_descriptions_on_the_topic(
    start: Callable[..., RunningNode], client: Client,
) -> None:
    node = start(publish_frequency=0.0)
    topic = client.node.create_publisher(String, '/robot_description', LATCHED)
    client.wait_for(topic.get_subscription_count, 'the subscription')
    topic.publish(String(data=URDF))
    client.wait_for_node()
    assert client.move_until_heard({'s': 0.1})
    for data in (b'\0\1\0\0', b'\0\1\0\0\xff\xff\xff\xff<robot', b'\1\2\3\4\5\6\7\0\0'):
        topic.publish(data)
        client.wait_for(
            lambda: 'ignored a message on robot_description' in node.log, 'the warning')
        assert client.move_until_heard({'s': 0.2})
    topic.publish(String(data=f'<robot name="r">{"x" * 20_000_000}</robot>'))
    client.wait_for(lambda: 'error[' in node.log, 'the diagnostics')
    assert client.move_until_heard({'s': 0.3})
    topic.publish(String(data=URDF.replace('cart', 'sledge')))
    client.wait_for(
        lambda: 'sledge' in client.move_until_heard({'s': 0.4}), 'the other description')
