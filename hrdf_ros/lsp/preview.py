# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The robot beside its text: the process of the viewer, which follows the editor's documents.

``view.beside`` runs in that process. The requests are not part of LSP; an extension sends them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
import os
from typing import Any, NamedTuple, Optional

from hrdf_ros.diagnostics import Location
from hrdf_ros.lsp.analysis import AnalysisSettings
from hrdf_ros.lsp.names import Buffer
from hrdf_ros.lsp.syntax import cursor_at
from hrdf_ros.view.beside import Clicked, Cursor, Reply, serve, Shown, Started
from pygls.exceptions import JsonRpcException

PREVIEW = 'hrdf/preview'
CURSOR = 'hrdf/previewCursor'
CLOSED = 'hrdf/previewClosed'
_PAUSE = 0.2
"""The seconds without a change after which the viewer receives a text."""
_REQUEST_FAILED = -32803
"""The error code RequestFailed of LSP 3.17, for a request that is valid but fails."""


Process = tuple[BaseProcess, Connection]
"""The process of a viewer and the channel to it."""


def _start_viewer() -> Process:
    context = get_context('forkserver')
    channel, other = context.Pipe()
    process = context.Process(target=serve, daemon=True, args=(other,))
    process.start()
    other.close()
    return process, channel


class _Running(NamedTuple):
    """The process of a viewer; ``started`` receives its address, or the problem at its start."""

    process: BaseProcess
    channel: Connection
    started: asyncio.Future[Started]


class Preview:
    """
    The viewer of an editor, which runs from the first request until the panel is closed.

    ``clicked`` is called with the location of a link that is clicked in the picture.
    """

    def __init__(
        self, clicked: Callable[[Location], object], start: Callable[[], Process] = _start_viewer,
    ) -> None:
        self._clicked = clicked
        self._start_process = start
        self._running: Optional[_Running] = None
        self._path = ''
        self._cursor = Cursor(())
        self._pending: Optional[asyncio.TimerHandle] = None

    async def show(
        self, buffer: Buffer, documents: Mapping[str, Buffer], settings: AnalysisSettings,
    ) -> dict[str, str]:
        """
        Draw a document; return the address of the page.

        JsonRpcException is raised if the document is not a robot description.
        """
        if buffer.format is None:
            raise JsonRpcException(
                f'{os.path.basename(buffer.path)} is no robot description', _REQUEST_FAILED)
        self._path = buffer.path
        running = self._running = self._running or self._start()
        self._send(documents, settings)
        started = await asyncio.shield(running.started)
        if started.problem:
            self.close()
            raise JsonRpcException(started.problem, _REQUEST_FAILED)
        return {'address': started.address}

    def follow(self, documents: Mapping[str, Buffer], settings: AnalysisSettings) -> None:
        """Draw the texts after a pause in typing."""
        if self._running is not None:
            if self._pending is not None:
                self._pending.cancel()
            self._pending = asyncio.get_running_loop().call_later(
                _PAUSE, self._send, documents, settings)

    def point(self, buffer: Buffer, offset: int) -> None:
        """Mark the link or joint whose element is around an offset of a document."""
        node = cursor_at(buffer.near(offset).syntax, offset).node
        path = [] if node is None else node.path()[::-1]
        source = buffer.text.source
        self._cursor = Cursor(tuple(
            Location(buffer.path, source.count('\n', 0, one.start) + 1,
                     one.start - source.rfind('\n', 0, one.start)) for one in path))
        if self._pending is None:  # otherwise it follows with the text that it refers to
            self._tell(self._cursor)

    def close(self) -> None:
        """End the process."""
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        running, self._running = self._running, None
        if running is not None:
            asyncio.get_running_loop().remove_reader(running.channel.fileno())
            running.process.kill()
            running.channel.close()
            if not running.started.done():
                running.started.set_result(Started(problem='the panel was closed'))

    def _start(self) -> _Running:
        process, channel = self._start_process()
        loop = asyncio.get_running_loop()
        loop.add_reader(channel.fileno(), self._receive)
        return _Running(process, channel, loop.create_future())

    def _send(self, documents: Mapping[str, Buffer], settings: AnalysisSettings) -> None:
        self._pending = None
        texts = {path: one.text.source for path, one in documents.items()}
        self._tell(Shown(self._path, texts, settings.options))
        self._tell(self._cursor)

    def _tell(self, order: Any) -> None:
        if self._running is not None:
            with suppress(OSError):  # the process has ended, which _receive notices
                self._running.channel.send(order)

    def _receive(self) -> None:
        """Take a reply of the process, or notice that it has ended."""
        running = self._running
        assert running is not None
        try:
            reply: Reply = running.channel.recv()
        except (EOFError, OSError):
            if not running.started.done():
                running.started.set_result(Started(problem='the viewer ended at its start'))
            self.close()
            return
        if isinstance(reply, Clicked):
            self._clicked(reply.at)
        elif not running.started.done():
            running.started.set_result(reply)
