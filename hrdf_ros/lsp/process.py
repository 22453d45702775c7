# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The process of an analysis, with its limits, which then answers requests about a large text."""

from __future__ import annotations

from contextlib import suppress
import gc
from multiprocessing.connection import Connection
import os
import resource
from typing import Any

from hrdf_ros.lsp.analysis import (
    Analysis,
    AnalysisJob,
    analyze,
    described_frames,
    fixed_text,
)

SECONDS = 60
"""The CPU time in seconds that one analysis may take."""
_MEMORY = 2 << 30
"""The bytes of memory that one analysis may take; one that needs more ends without a result."""


def serve(channel: Connection, job: AnalysisJob) -> None:
    """Send the analysis of a job twice: first without frames, then with them."""
    gc.freeze()  # the garbage collector skips what was imported
    for kind, value in ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_CPU, SECONDS)):
        with suppress(ValueError, OSError):  # some systems cannot limit everything
            resource.setrlimit(kind, (value, value))
    with suppress(OSError, EOFError):  # the server has closed the channel
        loaded, analysis = analyze(job)
        channel.send(analysis)
        frames = None if loaded.model is None else described_frames(loaded.model)
        analysis = analysis._replace(frames=frames, fixed=fixed_text(job, loaded))
        del loaded  # what follows takes as much memory as the Model
        if job.document is None:
            channel.send(analysis)
        else:
            _remain(channel, job, analysis)


def _remain(channel: Connection, job: AnalysisJob, analysis: Analysis) -> None:
    """Send the analysis of a large text with its names; answer requests until the server ends."""
    # these import the types of the protocol, which takes 0.35 s of CPU time
    from hrdf_ros.lsp.answers import ANSWERS, Query
    from hrdf_ros.lsp.names import Buffer
    from hrdf_ros.lsp.positions import Text
    from pygls.exceptions import JsonRpcException

    assert job.document is not None
    uri, version = job.document
    buffer = Buffer(uri, job.path, Text(job.overlay[os.path.realpath(job.path)]), version)
    channel.send(analysis._replace(frames={}, names=buffer.names.top.without_places()))
    while True:
        query: Query = channel.recv()
        own = query._replace(
            buffer=buffer, library=query.library.with_document(buffer),
            frames=analysis.frames or {})
        answer: Any
        try:
            answer = ANSWERS[query.method](own)
        except JsonRpcException as error:
            answer = error
        channel.send(answer)
