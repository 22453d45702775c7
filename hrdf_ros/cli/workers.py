# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Run work that may use all memory, and work in several processes, any of which may die."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
import os
from typing import TypeVar, Union

_Item = TypeVar('_Item')
_Result = TypeVar('_Result')
_RESERVE = 8
"""The divisor of the address space that gives the part to keep free: an eighth."""
_PERIOD = 0.02
"""The time in seconds between two checks of the memory in use."""


def run_in_workers(
    work: Callable[[_Item], _Result], items: Sequence[_Item], count: int,
) -> Iterator[Union[_Result, str]]:
    """
    Yield the result of each item, in order, as computed by several processes.

    If a process ends, the first item without a result gets a process of its own, and new processes
    take the others. If the process of a single item ends, its result is a text that says why.
    """
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context
    done, is_alone = 0, False
    while done < len(items):
        with ProcessPoolExecutor(
                1 if is_alone else count, get_context('fork'), _end_with_parent) as pool:
            try:
                for future in [pool.submit(_guarded, work, item) for item in (
                        items[done:done + 1] if is_alone else items[done:])]:
                    yield future.result()
                    done += 1
                is_alone = False
            except BrokenProcessPool:
                if is_alone:
                    yield 'has ended'
                    done += 1
                is_alone = not is_alone
            except BaseException:
                for child in active_children():  # otherwise the executor waits for their work
                    child.kill()
                raise


def _end_with_parent() -> None:
    """End this process at Ctrl-C, and when the process that started it ends."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait
    import signal
    from threading import Thread
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = parent_process()
    if parent is not None:
        Thread(target=lambda: (wait([parent.sentinel]), os._exit(1)), daemon=True).start()


def _guarded(work: Callable[[_Item], _Result], item: _Item) -> Union[_Result, str]:
    try:
        with memory_guard():
            return work(item)
    except MemoryError:
        return 'is out of memory'


@contextmanager
def memory_guard() -> Iterator[None]:
    """
    Raise MemoryError when RLIMIT_AS leaves less than an eighth of the address space.

    Handling an exception takes memory: with none left at all, Python may be unable to end.
    """
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
