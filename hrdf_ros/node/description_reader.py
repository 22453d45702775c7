# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Reading robot_description of other nodes for the viewer: in a worker process."""

from __future__ import annotations

from collections.abc import Callable
import threading

from hrdf_ros.load_result import LoadResult
from hrdf_ros.node.jobs import ModelAnswer, ModelJob, refusal
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.worker import start_worker, Worker, WorkerError

Take = Callable[[LoadResult], None]


class DescriptionReader:
    """
    Has a worker load texts, and passes the results on, on a thread of its own.

    Of each robot only the latest text waits, so that a flood cannot fill the memory.
    """

    def __init__(self, seconds: float = Settings().request_timeout) -> None:
        self._seconds = seconds
        self._waiting: dict[str, tuple[str, Take]] = {}
        self._changed = threading.Condition()
        self._ended = False
        self._worker: Worker = start_worker()
        self._thread = threading.Thread(target=self._run, name='descriptions', daemon=True)
        self._thread.start()

    def read(self, robot: str, text: str, take: Take) -> None:
        """Have the text of a robot loaded; returns at once."""
        with self._changed:
            self._waiting[robot] = text, take
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not (self._waiting or self._ended):
                    self._changed.wait()
                if self._ended:
                    return
                text, take = self._waiting.pop(next(iter(self._waiting)))
            result = self._load(text)
            if not self._ended:
                take(result)

    def _load(self, text: str) -> LoadResult:
        try:
            answer = self._worker.run(ModelJob(text), self._seconds)
        except WorkerError as error:
            return LoadResult(None, refusal(f'the description was not loaded: {error}'), ())
        assert isinstance(answer, ModelAnswer)
        return answer.result

    def end(self) -> None:
        """Stop, whatever is being read."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._worker.end()
        self._thread.join(timeout=1.0)
