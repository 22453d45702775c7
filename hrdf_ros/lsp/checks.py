# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Analyses of the open documents: one at a time for each, ended by the next change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
import os

from hrdf_ros.lsp.analysis import Analysis, AnalysisJob, AnalysisSettings
from hrdf_ros.lsp.buffer import Buffer
from hrdf_ros.lsp.worker import AnalysisFailed, AnalysisWorker

_PAUSE = 0.03
"""Seconds without a change after which an analysis begins."""


class Checks:
    """
    Analyzes open documents, and again where one changes that they include.

    ``documents`` are the open ones by real path; ``publish`` gets each analysis with the text
    that it is of, ``failed`` why there is none.
    """

    def __init__(
        self, documents: Mapping[str, Buffer], settings: AnalysisSettings,
        publish: Callable[[Buffer, Analysis], None], failed: Callable[[Buffer, str], None],
    ) -> None:
        self.analyses: dict[str, Analysis] = {}
        self._documents = documents
        self._settings = settings
        self._publish = publish
        self._failed = failed
        self._worker = AnalysisWorker()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def changed(self, real: str) -> None:
        """Analyze a document that was opened or changed, and those that read it."""
        for other in self._documents:
            files = self.analyses[other].files if other in self.analyses else ()
            if other == real or real in map(os.path.realpath, files):
                self._start(other)

    def files_changed(self) -> None:
        """Analyze every document again, since files were changed by others."""
        for real in self._documents:
            self._start(real)

    def closed(self, real: str) -> None:
        """Forget a document; those that read it see the file again."""
        task = self._tasks.pop(real, None)
        if task is not None:
            task.cancel()
        self.analyses.pop(real, None)
        self.changed(real)

    def end(self) -> None:
        """End everything that runs."""
        for task in self._tasks.values():
            task.cancel()

    def _start(self, real: str) -> None:
        running = self._tasks.get(real)
        if running is not None:
            running.cancel()
        self._tasks[real] = asyncio.ensure_future(self._run(real))

    async def _run(self, real: str) -> None:
        await asyncio.sleep(_PAUSE)
        buffer = self._documents[real]
        overlay = {path: one.text.source for path, one in self._documents.items()}
        try:
            job = AnalysisJob(buffer.path, overlay, self._settings)
            async for analysis in self._worker.run(job):
                self.analyses[real] = self._kept(real, analysis)
                self._publish(buffer, analysis)
        except AnalysisFailed as error:
            self._failed(buffer, str(error))

    def _kept(self, real: str, analysis: Analysis) -> Analysis:
        """Return an analysis with the frames of the last one that had some."""
        known = self.analyses.get(real)
        if analysis.frames or known is None:
            return analysis
        return analysis._replace(frames=known.frames)
