# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Errors of memory while some is left.

Handling an exception takes memory: where RLIMIT_AS leaves none at all, Python may go round in a
loop instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import os

_RESERVE = 8
"""The part of the address space, an eighth, that is kept."""
_PERIOD = 0.02
"""Seconds between two looks at what is in use."""


@contextmanager
def memory_guard() -> Iterator[None]:
    """Raise MemoryError where RLIMIT_AS leaves less than an eighth of the address space."""
    import resource
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        yield
        return
    import signal
    statm, page = os.open('/proc/self/statm', os.O_RDONLY | os.O_CLOEXEC), resource.getpagesize()

    def check(*_: object) -> None:
        if int(os.pread(statm, 64, 0).split()[0]) * page > limit - limit // _RESERVE:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            raise MemoryError

    before = signal.signal(signal.SIGALRM, check)
    signal.setitimer(signal.ITIMER_REAL, _PERIOD, _PERIOD)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
        os.close(statm)
