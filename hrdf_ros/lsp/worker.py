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
from multiprocessing import forkserver, get_context
import os
import sys

from hrdf_ros.lsp.analysis import Analysis, AnalysisJob, AnalysisSettings, serve
from hrdf_ros.lsp.names import Buffer
from hrdf_ros.readers.registry import CONFIGURATION_SUFFIX

_AT_ONCE = 2
"""Analyses that run at the same time; others wait."""
_PAUSE = 0.03
"""Seconds without a change after which an analysis begins."""


def warm_up() -> None:
    """Start the process that the others are forked from; it imports while others do, too."""
    # the others would run the main module again, from its file
    vars(sys.modules['__main__']).update(__spec__=None, __file__=None)
    get_context('forkserver').set_forkserver_preload(['hrdf_ros.lsp.preload'])
    forkserver.ensure_running()


class Checks:
    """
    The analyses of the open documents by real path: one at a time for each.

    ``publish`` gets each analysis, ``failed`` a document whose process ended without one.
    """

    def __init__(
        self, documents: Mapping[str, Buffer], settings: AnalysisSettings,
        publish: Callable[[Buffer, Analysis], None], failed: Callable[[Buffer], None],
    ) -> None:
        self.analyses: dict[str, tuple[Buffer, Analysis]] = {}
        self._documents = documents
        self._settings = settings
        self._publish = publish
        self._failed = failed
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def changed(self, real: str) -> None:
        """Analyze a document that was opened or changed, and the documents that include it."""
        for other in self._documents:
            _, known = self.analyses.get(other, (None, Analysis()))
            if other == real or real in map(os.path.realpath, known.files):
                self._start(other)

    def files_changed(self) -> None:
        """Analyze every document again, since files were changed by others."""
        for real in self._documents:
            self._start(real)

    def closed(self, real: str) -> None:
        """Forget a document; for its users the file on disk counts again."""
        self._end(real)
        self.analyses.pop(real, None)
        self.changed(real)

    def _end(self, real: str) -> None:
        task = self._tasks.pop(real, None)
        if task is not None:
            task.cancel()

    def _start(self, real: str) -> None:
        self._end(real)
        self._tasks[real] = asyncio.get_running_loop().create_task(self._run(real))

    async def _run(self, real: str) -> None:
        """Publish the analysis of a document: without frames as soon as it is there."""
        await asyncio.sleep(_PAUSE)
        buffer = self._documents[real]
        if buffer.format is None and not buffer.path.endswith(CONFIGURATION_SUFFIX):
            # no robot description: not for this server
            self.analyses.pop(real, None)
            self._publish(buffer, Analysis())
            return
        async with self._slots:
            texts = {path: one.text.source for path, one in self._documents.items()}
            context = get_context('forkserver')
            receiver, sender = context.Pipe(duplex=False)
            job = AnalysisJob(buffer.path, texts, self._settings)
            process = context.Process(target=serve, args=(sender, job), daemon=True)
            process.start()
            sender.close()
            try:
                for _ in range(2):
                    self._received(buffer, await asyncio.to_thread(receiver.recv))
            except (EOFError, OSError):
                self._failed(buffer)
            finally:
                process.kill()

    def _received(self, buffer: Buffer, analysis: Analysis) -> None:
        _, known = self.analyses.get(buffer.real, (None, Analysis()))
        if analysis.frames is None:  # the last ones are better than none
            analysis = analysis._replace(frames=known.frames)
        self.analyses[buffer.real] = buffer, analysis
        self._publish(buffer, analysis)
