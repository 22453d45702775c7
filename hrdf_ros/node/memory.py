# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What a process that takes large messages holds, and what it gives back to the system."""

from __future__ import annotations

import ctypes
import resource

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _MAX_ARENAS = -1, -3, -8
"""Names of parameters in glibc's malloc.h."""
_LARGE = 1 << 18
_ARENAS = 2


def return_memory_soon() -> None:
    """
    Have large pieces of memory returned when they are freed, and use few heaps; glibc only.

    Without this each thread of an executor keeps a heap as large as the largest message that it
    has taken.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return
    for name, value in ((_MMAP_THRESHOLD, _LARGE), (_TRIM_THRESHOLD, _LARGE),
                        (_MAX_ARENAS, _ARENAS)):
        mallopt(name, value)


def address_space() -> int:
    """Return the bytes of address space, which RLIMIT_AS limits."""
    return _pages()[0] * resource.getpagesize()


def resident() -> int:
    """Return the bytes of memory in use; ru_maxrss would begin with those of the parent."""
    return _pages()[1] * resource.getpagesize()


def _pages() -> list[int]:
    with open('/proc/self/statm') as stream:
        return list(map(int, stream.read().split()))
