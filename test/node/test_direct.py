# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers straight from a message are those that the long way through the state gives."""

from __future__ import annotations

import math
import random
from typing import Any

from helpers.cdr import serialized
from helpers.node_robot import robot_of
from hrdf_ros.node.live import Live
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.tf_stream import Throttle, TransformStream
import numpy as np
import pytest

MIMIC = '<mimic joint="j0" multiplier="-0.5" offset="0.25"/>'


def urdf(count: int, kinds: tuple[str, ...], mimics: bool = False) -> str:
    """Return a chain of joints of these kinds in turn, with origins and axes off the axes."""
    chance = random.Random(count)
    parts = ['<robot name="r"><link name="l0"/>']
    for index in range(count):
        axis = ' '.join(f'{chance.uniform(-1.0, 1.0):.3f}' for _ in range(3))
        mimic = MIMIC if mimics and index % 3 else ''
        kind = kinds[index % len(kinds)]
        parts.append(
            f'<link name="l{index + 1}"/><joint name="j{index}" type="{kind}">'
            f'<parent link="l{index}"/><child link="l{index + 1}"/><origin rpy="{axis}" '
            f'xyz="{axis}"/><axis xyz="{axis}"/>{mimic}'
            '<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>')
    return ''.join([*parts, '</robot>'])


class Stream:
    """A stream that remembers what it sends, and in which order it sends and records."""

    def __init__(self, text: str, *, direct: bool) -> None:
        self.sent: list[Any] = []
        self.recorded_before: list[int] = []
        self.live = Live(robot_of(text, Settings()), self._sender)
        self._stream = TransformStream(lambda _: None, lambda: 1)
        self._stream.live = self.live
        self._stream.throttle = Throttle(0)
        self._direct = direct
        self.used = 0

    def _sender(self, frames: Any, at_zero: Any, changing: Any) -> Any:
        def send(seconds: int, nanoseconds: int, numbers: Any) -> None:
            rows = np.array(at_zero)
            rows.reshape(-1)[changing] = numbers
            self.recorded_before.append(self.live.activity.stamp)
            self.sent.append((seconds, nanoseconds, frames, rows))
        return send

    def move(self, names: list[str], values: list[float], second: int) -> None:
        data = serialized(names, values, stamp=(second, 5))
        if not self._direct:
            self._stream._reader._layouts.clear()
        layout = self._stream._reader.find_layout(data)
        plan = layout and self.live.plans.get(layout.joints)
        self.used += bool(plan and plan.direct)
        self._stream.receive(data)


def both(text: str, names: list[str], positions: list[list[float]]) -> tuple[Stream, Stream]:
    """Move a robot both ways and require the same of them."""
    quick, long = Stream(text, direct=True), Stream(text, direct=False)
    for second, values in enumerate(positions, 1):
        for stream in (quick, long):
            stream.move(names, values, second)
    assert len(quick.sent) == len(long.sent)
    for one, other in zip(quick.sent, long.sent):
        assert one[:3] == other[:3]
        assert np.abs(one[3] - other[3]).max(initial=0.0) < 1e-14
    assert np.array_equal(quick.live.state, long.live.state)
    assert quick.live.activity.stamp == long.live.activity.stamp
    for key, ring in quick.live.rings.items():
        assert ring.span() == long.live.rings[key].span()
    assert long.used == 0
    return quick, long


def moves(count: int) -> list[list[float]]:
    """Return positions of so many joints, again and again."""
    chance = random.Random(7)
    return [[chance.uniform(-3.0, 3.0) for _ in range(count)] for _ in range(6)]


@pytest.mark.parametrize('count', [1, 6, 12, 13, 40])
@pytest.mark.parametrize('kinds', [
    ('revolute',), ('prismatic',), ('revolute', 'prismatic', 'continuous')])
def test_every_joint_in_order_and_in_another_one(count: int, kinds: tuple[str, ...]) -> None:
    names = [f'j{index}' for index in range(count)]
    quick, _ = both(urdf(count, kinds), names, moves(count))
    assert quick.used == 4  # two messages are needed to know it
    both(urdf(count, kinds), names[::-1], moves(count))


def test_some_joints_and_names_that_the_robot_does_not_have() -> None:
    quick, _ = both(urdf(9, ('revolute',)), ['j4', 'other', 'j1'], moves(3))
    assert quick.used == 4
    assert [frames for _, _, frames, _ in quick.sent[-1:]] == [[('l1', 'l2'), ('l4', 'l5')]]


@pytest.mark.parametrize('count', [5, 30])
def test_mimics_follow(count: int) -> None:
    leaders = [f'j{index}' for index in range(0, count, 3)]
    quick, _ = both(urdf(count, ('revolute', 'prismatic'), mimics=True), leaders,
                    moves(len(leaders)))
    assert quick.used == 4
    assert len(quick.sent[-1][3]) == count


@pytest.mark.filterwarnings('error')
@pytest.mark.parametrize('more', [0, 30])
def test_positions_that_are_not_finite_take_the_long_way(more: int) -> None:
    names = [f'j{index}' for index in range(2 + more)]
    odd = [[math.nan, 0.2], [math.inf, 1.0], [math.inf, -math.inf], [1e300, -1e300], [9e99, 9e99]]
    positions = [[*pair, *[0.5] * more] for pair in ([[0.1, 0.2]] * 3 + odd + [[0.3, 0.4]])]
    quick, _ = both(urdf(2 + more, ('revolute',)), names, positions)
    kept = [2, 2, 2, 1, 1, *([0] if more else []), *([0] if more else []), 2, 2]
    assert [len(frames) - more for _, _, frames, _ in quick.sent] == kept


def test_a_mimic_with_a_huge_multiplier_does_not_fail() -> None:
    text = urdf(2, ('revolute',), mimics=True).replace('"-0.5"', '"1e250"')
    quick, _ = both(text, ['j0'], [[0.0]] * 6)
    assert len(quick.sent) == 6


def test_transforms_are_sent_before_anything_is_recorded() -> None:
    for direct in (True, False):
        stream = Stream(urdf(3, ('revolute',)), direct=direct)
        for second in range(1, 6):
            stream.move(['j0', 'j1', 'j2'], [0.1, 0.2, 0.3], second)
        stamps = [0, *(second * 1_000_000_000 + 5 for second in range(1, 5))]
        assert stream.recorded_before == stamps


def test_messages_without_a_stamp_get_that_of_the_clock() -> None:
    stream = Stream(urdf(2, ('revolute',)), direct=True)
    for _ in range(4):
        stream._stream.receive(serialized(['j0', 'j1'], [0.1, 0.2], stamp=(0, 0)))
    assert [sent[:2] for sent in stream.sent] == [(0, 1)] * 4
