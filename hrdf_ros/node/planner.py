# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A thread for what takes too long for the hot path, with a bounded queue."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
import threading

_MAX_BYTES = 4 << 20
_MAX_WAITING = 1000


class Planner:
    """Calls functions one after another on a thread of its own."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._waiting: deque[tuple[Callable[[], None], int]] = deque()
        self._bytes = 0
        self._ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name='planner', daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], None], size: int) -> bool:
        """Have a function called that holds so many bytes; False where too much waits."""
        with self._changed:
            if len(self._waiting) >= _MAX_WAITING or self._bytes + size > _MAX_BYTES:
                return False
            self._waiting.append((work, size))
            self._bytes += size
            self._changed.notify()
        return True

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._ended:
                    self._changed.wait()
                if self._ended:
                    return
                work, size = self._waiting.popleft()
                self._bytes -= size
            try:
                work()
            except Exception as error:  # noqa: BLE001 - the next message must find the thread
                self._report(f'a message on joint_states failed unexpectedly: {error!r}')

    def end(self) -> None:
        """Stop the thread."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join(timeout=2.0)
