# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Runs analyses in processes that are ended as soon as their result is of no use.

Each process is forked from a server process that has imported the readers, which takes some
milliseconds; so it may be killed for every keystroke.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from multiprocessing import forkserver, get_context
from multiprocessing.connection import Connection
import sys
from typing import Optional, Protocol

from hrdf_ros.lsp.analysis import Analysis, AnalysisJob, serve
from hrdf_ros.readers.registry import FORMATS

_AT_ONCE = 2
"""Analyses that run at the same time; others wait."""


class _Process(Protocol):
    """What is used of a process of multiprocessing."""

    def start(self) -> None: ...
    def kill(self) -> None: ...
    def join(self) -> None: ...
    def close(self) -> None: ...


class AnalysisFailed(RuntimeError):
    """An analysis that ended without a result: out of memory or time, or killed."""


def warm_up() -> None:
    """Start the process that the others are forked from; it imports while others do, too."""
    # the others would run the main module again, from its file
    vars(sys.modules['__main__']).update(__spec__=None, __file__=None)
    get_context('forkserver').set_forkserver_preload(
        ['hrdf_ros.lsp.analysis', *(found.module for found in FORMATS),
         *(f'{found.module}.schema' for found in FORMATS)])
    forkserver.ensure_running()


class AnalysisWorker:
    """Starts the processes."""

    def __init__(self) -> None:
        self._context = get_context('forkserver')
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def run(self, job: AnalysisJob) -> AsyncIterator[Analysis]:
        """Yield the analysis of a job as it grows; the process ends where this is cancelled."""
        async with self._slots:
            receiver, sender = self._context.Pipe(duplex=False)
            process = self._context.Process(target=serve, args=(sender, job), daemon=True)
            starting = asyncio.ensure_future(asyncio.to_thread(_start, process, sender))
            receiving: Optional[asyncio.Future[Analysis]] = None
            try:
                await asyncio.shield(starting)
                for _ in range(2):
                    receiving = asyncio.ensure_future(asyncio.to_thread(_receive, receiver))
                    yield await asyncio.shield(receiving)
            finally:
                await asyncio.wait({starting})
                process.kill()
                if receiving is not None:
                    await asyncio.wait({receiving})
                    receiving.exception()
                receiver.close()
                process.join()
                process.close()


def _start(process: _Process, sender: Connection) -> None:
    process.start()
    sender.close()


def _receive(receiver: Connection) -> Analysis:
    try:
        analysis: Analysis = receiver.recv()
        return analysis
    except (EOFError, OSError) as error:
        raise AnalysisFailed('the analysis ended without a result') from error
