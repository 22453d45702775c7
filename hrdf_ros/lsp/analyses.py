# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The analyses of the open documents: each runs in a process that the next change ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from hrdf_ros.lsp.analysis import Analysis, AnalysisJob, AnalysisSettings
from hrdf_ros.lsp.answers import Query
from hrdf_ros.lsp.names import Buffer
from hrdf_ros.lsp.process import serve
from hrdf_ros.lsp.unexpanded import SUFFIX
from pygls.exceptions import JsonRpcContentModified, JsonRpcException

_AT_ONCE = 2
"""The most analyses that run at the same time; others wait."""
_PAUSE = 0.03
"""The seconds without a change after which an analysis begins."""
_LONG_PAUSE = 0.5
"""
The seconds without a change after which the analysis of a large text or a xacro file begins;
such an analysis takes seconds itself.
"""


Request = tuple[Query, asyncio.Future[Any]]
"""A request about a large text, and the future that receives its answer."""


class _Running(NamedTuple):
    """An analysis in progress, and the requests that its process has to answer."""

    buffer: Buffer
    task: asyncio.Task[None]
    requests: asyncio.Queue[Request]


class Analyses:
    """
    The last analysis of each document and the analyses in progress, by real path.

    ``published`` is called with each result, and ``failed`` when a process ends without a result.
    """

    def __init__(
        self, settings: AnalysisSettings, published: Callable[[Buffer, Analysis], None],
        failed: Callable[[Buffer], None],
    ) -> None:
        self.settings = settings
        self._published = published
        self._failed = failed
        self._done: dict[str, tuple[Buffer, Analysis]] = {}
        """The last result of each document, and the text that was analyzed."""
        self._running: dict[str, _Running] = {}
        self._slots = asyncio.Semaphore(_AT_ONCE)

    def last(self, real: str) -> Analysis:
        """Return the last analysis of a document, which may be of an older text."""
        return self._done[real][1] if real in self._done else Analysis()

    def of(self, buffer: Buffer) -> Analysis:
        """Return the analysis of this text, or an empty one until it is done."""
        text, analysis = self._done.get(buffer.real, (None, Analysis()))
        return analysis if text is buffer else Analysis()

    def start(self, buffer: Buffer, documents: Mapping[str, Buffer]) -> None:
        """Analyze a text after a pause; end the analysis of the document's previous text."""
        self._cancel(buffer.real)
        requests: asyncio.Queue[Request] = asyncio.Queue()
        task = asyncio.get_running_loop().create_task(self._run(buffer, documents, requests))
        self._running[buffer.real] = _Running(buffer, task, requests)

    def forget(self, real: str) -> None:
        """End the analysis of a document, and forget the results of earlier analyses."""
        self._cancel(real)
        self._done.pop(real, None)

    async def ask(self, query: Query) -> Any:
        """
        Return the answer to a query, once the process that analyzes the large text gives it.

        JsonRpcContentModified is raised if that text is no longer analyzed.
        """
        running = self._running.get(query.buffer.real)
        if running is None or running.buffer is not query.buffer or running.task.done():
            raise JsonRpcContentModified
        answer = asyncio.get_running_loop().create_future()
        running.requests.put_nowait((query, answer))
        return await answer

    def _cancel(self, real: str) -> None:
        if real in self._running:
            self._running.pop(real).task.cancel()

    async def _run(
        self, buffer: Buffer, documents: Mapping[str, Buffer], requests: asyncio.Queue[Request],
    ) -> None:
        """Publish an analysis; then answer requests about a large text."""
        try:
            is_slow = buffer.is_large or buffer.path.lower().endswith(SUFFIX)
            await asyncio.sleep(_LONG_PAUSE if is_slow else _PAUSE)
            async with self._slots:
                channel, process = _started(AnalysisJob(
                    buffer.path, {path: one.text.source for path, one in documents.items()},
                    self.settings, (buffer.uri, buffer.version) if buffer.is_large else None))
                try:
                    await self._publish(buffer, channel)
                except BaseException:
                    process.kill()
                    raise
            try:
                while buffer.is_large:
                    await _answer(channel, requests)
            finally:
                process.kill()
        except (EOFError, OSError):
            self._failed(buffer)
        finally:
            while not requests.empty():
                requests.get_nowait()[1].set_exception(JsonRpcContentModified())

    async def _publish(self, buffer: Buffer, channel: Connection) -> None:
        """Publish the two results of a process; the first is without frames and names."""
        for _ in range(2):
            analysis: Analysis = await asyncio.to_thread(channel.recv)
            if analysis.frames is None:  # keep those of the last analysis
                last = self.last(buffer.real)
                analysis = analysis._replace(frames=last.frames, names=last.names)
            self._done[buffer.real] = buffer, analysis
            self._published(buffer, analysis)


def _started(job: AnalysisJob) -> tuple[Connection, BaseProcess]:
    """Start the process of an analysis; return it and the channel to it."""
    context = get_context('forkserver')
    channel, other = context.Pipe()
    process = context.Process(target=serve, daemon=True, args=(other, job))
    process.start()
    other.close()
    return channel, process


async def _answer(channel: Connection, requests: asyncio.Queue[Request]) -> None:
    """Let a process answer the next request."""
    query, answer = await requests.get()
    try:
        await asyncio.to_thread(channel.send, query)
        result = await asyncio.to_thread(channel.recv)
    except BaseException:
        answer.set_exception(JsonRpcContentModified())
        raise
    if isinstance(result, JsonRpcException):
        answer.set_exception(result)
    else:
        answer.set_result(result)
