# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Whether memory, threads or files grow: a star of 300 joints in full flood.

``soak_hot_path`` is serialized joint states in, serialized transforms out, at full speed;
``soak_node`` a live node, with reloads, lookups and nonsense in between. Growth is by how much
the least in the last quarter of each run exceeds the most in its first half: a worker process
that comes and goes is no leak.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import math
import os
from pathlib import Path
import random
import struct
import time
from typing import Any, NamedTuple

from helpers.live_node import Client, RunningNode
from helpers.tf_stream import Bench, robot_of, star
from hrdf_ros.node.cdr import TransformTemplate
from hrdf_ros.node.settings import Settings
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

TRANSFORMS = 100_000_000
DOMAIN = 101
JOINTS = 300
NAMES = [f'j{index}' for index in range(JOINTS)]
SAMPLES = 40
PERIOD = 500_000
"""Nanoseconds between the stamps of the hot path."""
RATE = 1000
WARM_UP = 60


class Usage(NamedTuple):
    """What a process holds after some transforms."""

    transforms: int
    megabytes: float
    threads: int
    files: int


def usage(process: int, transforms: int) -> Usage:
    """Ask the system what a process holds now."""
    directory = Path(f'/proc/{process}')
    pages = int((directory / 'statm').read_text().split()[1])
    return Usage(
        transforms, pages * os.sysconf('SC_PAGE_SIZE') / 1e6,
        len(os.listdir(directory / 'task')), len(os.listdir(directory / 'fd')))


def growth(samples: Sequence[Usage]) -> Usage:
    """Return by how much the least of the last quarter exceeds the most of the first half."""
    before, after = samples[:len(samples) // 2], samples[-(len(samples) // 4):]

    def grown(field: str) -> float:
        return min(getattr(found, field) for found in after) - max(
            getattr(found, field) for found in before)

    return Usage(
        samples[-1].transforms - samples[0].transforms, grown('megabytes'),
        int(grown('threads')), int(grown('files')))


def is_flat(samples: Sequence[Usage], megabytes: float = 1.0) -> bool:
    """
    Return whether nothing grows: memory by less than some noise, threads and files.

    A pool may start another thread late; a leak with every second sample is found.
    """
    grown, some = growth(samples), len(samples) // 8
    return grown.megabytes < megabytes and grown.threads < some and grown.files < some


# ---- floods

def states() -> Callable[[int], bytes]:
    """Return the function from a stamp in nanoseconds to a serialized joint state."""
    poses = []
    for step in range(32):
        message = JointState(name=NAMES)
        message.position = [math.sin(0.2 * step + index) for index in range(JOINTS)]
        poses.append(bytearray(serialize_message(message)))
    count = 0

    def state(stamp: int) -> bytes:
        nonlocal count
        count += 1
        data = poses[count % len(poses)]
        struct.pack_into('<iI', data, 4, *divmod(stamp, 1_000_000_000))
        return bytes(data)

    return state


class HotPath(Bench):
    """A stream whose transforms go nowhere."""

    def _sender(self, *about: Any) -> Any:
        return TransformTemplate(*about).fill


def soak_hot_path(transforms: int) -> list[Usage]:
    """Feed joint states at 2,000 Hz by their stamps until so many transforms were made."""
    bench = HotPath(robot_of(star(NAMES), Settings(history_duration=0.2)))
    state, stamp, samples = states(), 1_000_000_000, []
    turns = max(1, transforms // JOINTS // SAMPLES)
    for _ in range(SAMPLES + 1):
        for _ in range(turns):
            bench.stream.receive(state(stamp))
            stamp += PERIOD
        samples.append(usage(os.getpid(), bench.state.activity.published * JOINTS))
    return samples[1:]


def soak_node(domain: int, directory: Path, seconds: float) -> list[Usage]:
    """Publish joint states at a rate for some seconds; sample what the node holds."""
    file = directory / 'star.urdf'
    file.write_text(star(NAMES))
    client = Client(domain, listening=False)
    count = _count_transforms(client)
    node = RunningNode(
        domain,
        [str(file), '--ros-args', '-p', 'publish_frequency:=0', '-p', 'history_duration:=0.2'],
        directory / 'soak.log')
    try:
        client.wait_for_node()
        _publish_until_heard(client, count)
        for _ in range(WARM_UP):  # what every part holds once it has been used
            _flood(client, 0.05, node)
        samples = []
        for _ in range(SAMPLES):
            _flood(client, seconds / SAMPLES, node)
            samples.append(usage(node.process.pid, count()))
        return samples
    finally:
        node.end()
        client.end()


def _count_transforms(client: Client) -> Callable[[], int]:
    """Count what arrives on /tf, without looking into it further than to its length."""
    received = 0

    def take(data: bytes) -> None:
        nonlocal received
        received += int.from_bytes(data[4:8], 'little')

    client.node.create_subscription(TFMessage, '/tf', take, QoSProfile(depth=1000), raw=True)
    return lambda: received


def _publish_until_heard(client: Client, count: Callable[[], int]) -> None:
    """Publish until transforms come back: what is sent before all have met may be lost."""
    state = states()

    def heard() -> bool:
        client.joint_states.publish(state(time.time_ns()))
        return count() > 0

    client.wait_for(heard, '/tf')


def _flood(client: Client, seconds: float, node: RunningNode) -> None:
    """Publish for some seconds, then ask for a reload and a lookup, and publish nonsense."""
    state = states()
    end = time.monotonic() + seconds
    while (now := time.monotonic()) < end:
        client.joint_states.publish(state(time.time_ns()))
        time.sleep(max(0.0, 1.0 / RATE - (time.monotonic() - now)))
    client.joint_states.publish(b'\0\1\0\0' + random.randbytes(100))
    for answer in (client.lookup('lj10'), client.call(Trigger)):
        assert answer.success, f'{answer.message}\n{node.log}'


def row(name: str, samples: Sequence[Usage], seconds: float) -> str:
    """Return one run as a line of the table."""
    grown, last = growth(samples), samples[-1]
    return (
        f'| {name} | {last.transforms:,} | {seconds:,.0f} s | {last.megabytes:.1f} MB '
        f'| {grown.megabytes:+.2f} MB | {grown.threads:+d} | {grown.files:+d} '
        f'| {"flat" if is_flat(samples) else "GROWS"} |')
