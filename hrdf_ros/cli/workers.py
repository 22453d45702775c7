# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Work in several processes, of which each may end at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
import signal
from typing import Any, NamedTuple, TypeVar, Union

from hrdf_ros.cli.memory import memory_guard

_Item = TypeVar('_Item')
_Result = TypeVar('_Result')


class Lost(NamedTuple):
    """The result of an item whose process ended while it worked on it."""

    reason: str


class _Worker(NamedTuple):
    """A process and the connection to it."""

    process: ForkProcess
    connection: Connection[Any, Any]


def run_in_workers(
    work: Callable[[_Item], _Result], items: Sequence[_Item], count: int,
) -> Iterator[Union[_Result, Lost]]:
    """
    Yield the result of each item, in order, computed by so many processes.

    An exception of ``work`` is raised here; a process that ends has lost its item alone.
    """
    results: dict[int, Union[_Result, Lost]] = {}
    pool = _Pool(work, items)
    try:
        for _ in range(count):
            pool.start()
        for index in range(len(items)):
            while index not in results:
                results.update(pool.receive())
            yield results.pop(index)
    finally:
        pool.end()


class _Pool:
    """The processes that work on items, and the index of the item that each works on."""

    def __init__(self, work: Callable[[Any], Any], items: Sequence[Any]) -> None:
        self._work = work
        self._items = items
        self._waiting = iter(range(len(items)))
        self._running: dict[_Worker, int] = {}

    def start(self) -> None:
        """Start a process with the next item, if there is one."""
        index = next(self._waiting, None)
        if index is None:
            return
        context = get_context('fork')
        here, there = context.Pipe()
        others = [here, *(worker.connection for worker in self._running)]
        process = context.Process(
            target=_serve, args=(there, others, self._work, self._items), daemon=True)
        process.start()
        there.close()
        here.send(index)
        self._running[_Worker(process, here)] = index

    def receive(self) -> dict[int, Any]:
        """Wait for results and return them by index."""
        ready = wait([worker.connection for worker in self._running])
        results = {}
        for worker in [one for one in self._running if one.connection in ready]:
            index = self._running.pop(worker)
            try:
                results[index] = worker.connection.recv()
            except (EOFError, OSError):
                results[index] = Lost(_reason(worker.process))
                self.start()
                continue
            if isinstance(results[index], Exception):
                raise results[index]
            following = next(self._waiting, None)
            worker.connection.send(following)
            if following is not None:
                self._running[worker] = following
        return results

    def end(self) -> None:
        """End what still runs."""
        for worker in self._running:
            worker.process.kill()
            worker.connection.close()


def _serve(
    connection: Connection[Any, Any], others: list[Connection[Any, Any]],
    work: Callable[[Any], Any], items: Sequence[Any],
) -> None:
    """Work on items until there are no more; Ctrl-C is for the process that asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:
        other.close()  # so that all ends where that process does
    try:
        while (index := connection.recv()) is not None:
            try:
                with memory_guard():
                    result = work(items[index])
                connection.send(result)
            except MemoryError:
                connection.send(Lost('is out of memory'))
            except Exception as error:  # noqa: BLE001  # raised again where the results go
                connection.send(error)
    except EOFError:
        pass


def _reason(process: ForkProcess) -> str:
    process.join()
    status = process.exitcode or 0
    return f'was ended by signal {-status}' if status < 0 else f'ended with status {status}'
