# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Joint states of the last seconds, written by one thread and read by others without a lock.

A ring of arrays for each set of joints that publish together: the writer fills a slot and then
counts it; a reader that was overtaken notices by the count and reads again.
"""

from __future__ import annotations

from collections.abc import Iterable
import math
from typing import Optional
from weakref import ref

from hrdf_ros.kinematics.transforms import Array, Indices
import numpy as np
from numpy.typing import NDArray

Stamps = NDArray[np.int64]
Flags = NDArray[np.bool_]

_START_SLOTS = 16
"""A ring begins with these; it may grow when as many were written again."""
_LATE = 1_000_000_000
_MOST_BYTES = 64 * 1024 * 1024


class Room:
    """The bytes that rings share: one thread says which rings, another one asks what is left."""

    def __init__(self, size: int = _MOST_BYTES) -> None:
        self._size = size
        self._rings: tuple[ref[Ring], ...] = ()  # a robot must have no reference cycles

    def share(self, rings: Iterable[Ring]) -> None:
        """Count what these rings take, and no others."""
        self._rings = tuple(map(ref, rings))

    @property
    def left(self) -> int:
        """The bytes that are not taken."""
        rings = (found() for found in self._rings)
        return self._size - sum(ring.size for ring in rings if ring is not None)


class Ring:
    """Positions (slots, k) of k coordinates with their stamps in nanoseconds."""

    def __init__(
        self, coordinates: Indices, duration: float, room: Optional[Room] = None,
    ) -> None:
        self.coordinates = coordinates
        self.records = 0
        self._duration = round(duration * 1e9)
        self._room = room or Room()
        self._state = (*_arrays(_START_SLOTS, len(coordinates)), 0)
        self._newest = 0

    def record(self, stamp: int, values: Array) -> None:
        """
        Remember the positions of one message.

        One that is late is left out; where the clock went back all starts afresh.
        """
        self.records += 1
        stamps, positions, count = self._state
        slots = len(stamps)
        if count and stamp <= self._newest:
            if self._newest - stamp < _LATE:
                return
            count = 0
        elif slots <= count and not count % _START_SLOTS and (
                stamp - stamps[(count + _margin(slots)) % slots] < self._duration
        ) and self.size <= self._room.left:
            stamps, positions, count = self._grown()
        slot = count % len(stamps)
        positions[slot] = values
        stamps[slot] = self._newest = stamp
        self._state = stamps, positions, count + 1

    def _grown(self) -> tuple[Stamps, Array, int]:
        """Return twice the slots with what is remembered in them, oldest first."""
        stamps, positions, count = self._state
        slots = len(stamps)
        order = np.arange(count, count + slots) % slots
        larger_stamps, larger_positions = _arrays(2 * slots, len(self.coordinates))
        larger_stamps[:slots] = stamps[order]
        larger_positions[:slots] = positions[order]
        return larger_stamps, larger_positions, slots

    @property
    def size(self) -> int:
        """The bytes that it takes."""
        stamps, positions, _ = self._state
        return stamps.nbytes + positions.nbytes

    def span(self) -> Optional[tuple[int, int]]:
        """Return the first and last stamp that can be asked for, None while empty."""
        stamps, _, count = self._state
        if not count:
            return None
        newest = int(stamps[(count - 1) % len(stamps)])
        oldest = int(stamps[max(0, count - len(stamps)) % len(stamps)])
        return max(oldest, newest - self._duration), newest

    def at(self, stamp: int, turning: Flags) -> Optional[Array]:
        """
        Return the positions (k,) at a stamp, interpolated, None outside of the span.

        ``turning`` (k,) tells which coordinates go the short way round.
        """
        while True:
            stamps, positions, count = self._state
            values = _interpolated(stamps, positions, count, stamp, turning)
            if self._state[0] is stamps and self._state[2] - count < _margin(len(stamps)):
                return values


def _margin(slots: int) -> int:
    """Return how many of the oldest slots a reader leaves to the writer."""
    return slots // 8


def _interpolated(
    stamps: Stamps, positions: Array, count: int, stamp: int, turning: Flags,
) -> Optional[Array]:
    slots = len(stamps)
    first = max(0, count - slots + _margin(slots)) if count > slots else 0
    low, high = first, count - 1
    if high < low or not stamps[low % slots] <= stamp <= stamps[high % slots]:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if stamps[middle % slots] <= stamp:
            low = middle
        else:
            high = middle
    before, after = positions[low % slots].copy(), positions[high % slots].copy()
    duration = int(stamps[high % slots]) - int(stamps[low % slots])
    part = (stamp - int(stamps[low % slots])) / duration if duration else 1.0
    step = after - before
    turn = 2.0 * math.pi
    step[turning] -= turn * np.round(step[turning] / turn)
    values: Array = before + part * step
    return values


def _arrays(slots: int, width: int) -> tuple[Stamps, Array]:
    return np.zeros(slots, dtype=np.int64), np.zeros((slots, width))
