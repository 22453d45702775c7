# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joint states of the last seconds, appended by one thread and read by others without a lock."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
import math
from operator import itemgetter
from typing import Optional

from hrdf_ros.kinematics.transforms import Array, Indices
from hrdf_ros.limits import HISTORY_BYTES
from hrdf_ros.node.cdr import SECOND
import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
_OVERHEAD = 256
"""Bytes of a record besides its numbers: a tuple, an int, an array's header."""


class HistoryBudget:
    """The bytes that the histories of a robot may still take, all together."""

    def __init__(self, size: int = HISTORY_BYTES) -> None:
        self.left = size


class JointHistory:
    """Positions (k,) of some coordinates, by their stamps in nanoseconds."""

    def __init__(self, coordinates: Indices, duration: float, budget: HistoryBudget) -> None:
        self.coordinates = coordinates
        self.last_use = 0
        """The number of the message that was appended last."""
        self._duration = round(duration * 1e9)
        self._budget = budget
        self._record_size = 8 * len(coordinates) + _OVERHEAD
        self._records: deque[tuple[int, Array]] = deque()

    def append(self, stamp: int, values: Array) -> None:
        """
        Append the positions of one message.

        A late message is ignored; if the clock went back, the history is cleared.
        """
        records, budget = self._records, self._budget
        if records and stamp <= records[-1][0]:
            if records[-1][0] - stamp < SECOND:
                return
            self.clear()
        records.append((stamp, values))
        budget.left -= self._record_size
        while len(records) > 1 and (
                budget.left < 0 or stamp - records[1][0] >= self._duration):
            records.popleft()
            budget.left += self._record_size

    def clear(self) -> None:
        """Drop all records and give their bytes back."""
        self._budget.left += len(self._records) * self._record_size
        self._records.clear()

    def span(self) -> Optional[tuple[int, int]]:
        """Return the first and last stamp that can be looked up, None while empty."""
        records = list(self._records)
        if not records:
            return None
        newest = records[-1][0]
        return max(records[0][0], newest - self._duration), newest

    def at(self, stamp: int, continuous: Flags) -> Optional[Array]:
        """
        Return the positions (k,) at a stamp, interpolated, None outside of the span.

        ``continuous`` (k,) are the coordinates that go the short way round.
        """
        records = list(self._records)  # in one step of the interpreter, as no other thread runs
        after = bisect_right(records, stamp, key=itemgetter(0))
        if not after or stamp > records[-1][0]:
            return None
        (start, before), (end, following) = records[after - 1], records[min(
            after, len(records) - 1)]
        if start == end:
            return before
        step = following - before
        turn = 2.0 * math.pi
        step[continuous] -= turn * np.round(step[continuous] / turn)
        values: Array = before + (stamp - start) / (end - start) * step
        return values
