# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Notice that files changed, by what the file system says about them."""

from __future__ import annotations

from collections.abc import Sequence
import os
from typing import Optional

Fingerprint = tuple[Optional[tuple[int, int, int]], ...]


class FileWatch:
    """
    Tells when some of the files are no longer what they were.

    A change counts once the files have been the same for two looks, so that a file is not read
    while it is being written.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self._files = tuple(files)
        self._seen = self._settled = self._look()

    def changed(self) -> bool:
        """Look again; True once for each change that has settled."""
        now = self._look()
        settled = now == self._seen and now != self._settled
        self._seen = now
        if settled:
            self._settled = now
        return settled

    def _look(self) -> Fingerprint:
        return tuple(_fingerprint(file) for file in self._files)


def _fingerprint(file: str) -> Optional[tuple[int, int, int]]:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
