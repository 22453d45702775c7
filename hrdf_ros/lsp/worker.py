# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Analyses of the open documents, each in a process that the next change ends.

The processes are forked from one that has imported the readers, which takes some milliseconds;
so one may be killed for every keystroke.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import forkserver, get_context
import os
import sys
from typing import Any, Optional

from hrdf_ros.lsp.analysis import Analysis, AnalysisJob, AnalysisSettings, serve
from hrdf_ros.lsp.documents import Buffer, OpenDocument
from hrdf_ros.readers.registry import FORMATS

_AT_ONCE = 2
"""Analyses that run at the same time; others wait."""
_PAUSE = 0.03
"""Seconds without a change after which an analysis begins."""


def warm_up() -> None:
    """Start the process that the others are forked from; it imports while others do, too."""
    # the others would run the main module again, from its file
    vars(sys.modules['__main__']).update(__spec__=None, __file__=None)
    get_context('forkserver').set_forkserver_preload(
        ['hrdf_ros.lsp.analysis', *(found.module for found in FORMATS),
         *(f'{found.module}.schema' for found in FORMATS)])
    forkserver.ensure_running()


class _Run:
    """One analysis: waits for its process on a thread; ``end`` kills it from any other."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.is_ended = False
        self._process: Any = None

    def end(self) -> None:
        """Kill the process; nothing is received from it any more."""
        self.is_ended = True
        if self._process is not None:
            with suppress(ValueError):  # it has ended
                self._process.kill()

    def perform(self, job: AnalysisJob, receive: Callable[[Optional[Analysis]], None]) -> None:
        """Receive the analysis as it grows, None where the process ends before it is complete."""
        if self.is_ended:
            return
        context = get_context('forkserver')
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=serve, args=(sender, job), daemon=True)
        process.start()
        self._process = process
        sender.close()
        try:
            for _ in range(0 if self.is_ended else 2):
                receive(receiver.recv())
        except (EOFError, OSError):
            receive(None)
        finally:
            process.kill()
            process.join()
            process.close()
            receiver.close()


class Checks:
    """
    The analyses of the open documents by real path: one at a time for each.

    ``publish`` gets each analysis, ``failed`` a document whose process ended without one.
    """

    def __init__(
        self, documents: Mapping[str, OpenDocument], settings: AnalysisSettings,
        publish: Callable[[Buffer, Analysis], None], failed: Callable[[Buffer], None],
    ) -> None:
        self.analyses: dict[str, tuple[Buffer, Analysis]] = {}
        self._documents = documents
        self._settings = settings
        self._publish = publish
        self._failed = failed
        self._loop = asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(_AT_ONCE)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._runs: dict[str, _Run] = {}

    def changed(self, real: str) -> None:
        """Analyze a document that was opened or changed, and the documents that include it."""
        for other in self._documents:
            _, known = self.analyses.get(other, (None, None))
            files = () if known is None else known.files
            if other == real or real in map(os.path.realpath, files):
                self._schedule(other)

    def files_changed(self) -> None:
        """Analyze every document again, since files were changed by others."""
        for real in self._documents:
            self._schedule(real)

    def closed(self, real: str) -> None:
        """Forget a document; for its users the file on disk counts again."""
        self._end(real)
        self.analyses.pop(real, None)
        self.changed(real)

    def end(self) -> None:
        """End everything that runs."""
        for real in [*self._timers, *self._runs]:
            self._end(real)
        self._threads.shutdown(wait=False)

    def _end(self, real: str) -> None:
        timer, run = self._timers.pop(real, None), self._runs.pop(real, None)
        if timer is not None:
            timer.cancel()
        if run is not None:
            run.end()

    def _schedule(self, real: str) -> None:
        self._end(real)
        self._timers[real] = self._loop.call_later(_PAUSE, self._start, real)

    def _start(self, real: str) -> None:
        buffer = self._documents[real].buffer
        if buffer.language is None:  # no robot description: not for this server
            self.analyses.pop(real, None)
            self._publish(buffer, Analysis((), ()))
            return
        overlay = {path: one.buffer.text.source for path, one in self._documents.items()}
        run = self._runs[real] = _Run(buffer)
        job = AnalysisJob(buffer.path, overlay, self._settings)

        def receive(analysis: Optional[Analysis]) -> None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._received, real, run, analysis)
        self._threads.submit(run.perform, job, receive)

    def _received(self, real: str, run: _Run, analysis: Optional[Analysis]) -> None:
        if run.is_ended:
            return
        if analysis is None:
            self._failed(run.buffer)
            return
        _, known = self.analyses.get(real, (None, None))
        if known is not None and not analysis.frames:  # the last ones are better than none
            analysis = analysis._replace(frames=known.frames)
        self.analyses[real] = run.buffer, analysis
        self._publish(run.buffer, analysis)
