# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Changes of files, by their times and sizes."""

from __future__ import annotations

from collections.abc import Sequence
import os
import sys
from typing import Optional

Fingerprint = tuple[Optional[tuple[int, int, int]], ...]
_CLOCK_STEP = 20_000_000
"""By how much the clock of a file system may be late, in nanoseconds."""


class FileWatch:
    """
    Reports changes of files.

    A change counts once two looks found the files the same, so that no file is read while it is
    being written.
    """

    def __init__(self, files: Sequence[str], since: int = sys.maxsize) -> None:
        """Watch files; one that was changed after ``since``, in ns, counts as changed."""
        self.files = tuple(files)
        self._seen = self._look()
        self._settled = tuple(
            None if found is None or found[0] >= since - _CLOCK_STEP else found
            for found in self._seen)

    def changed(self) -> bool:
        """Look again; True once for each change that has settled."""
        now = self._look()
        settled = now == self._seen and now != self._settled
        self._seen = now
        if settled:
            self._settled = now
        return settled

    def _look(self) -> Fingerprint:
        return tuple(_fingerprint(file) for file in self.files)


def _fingerprint(file: str) -> Optional[tuple[int, int, int]]:
    try:
        status = os.stat(file)
    except (OSError, ValueError):  # a path with NUL
        return None
    return max(status.st_mtime_ns, status.st_ctime_ns), status.st_size, status.st_ino
