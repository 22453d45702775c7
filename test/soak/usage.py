# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What a process holds: memory, threads, open files; and whether that stays the same."""

from __future__ import annotations

from collections.abc import Sequence
import os
from pathlib import Path
from typing import NamedTuple


class Usage(NamedTuple):
    """What a process holds after some transforms."""

    transforms: int
    megabytes: float
    threads: int
    files: int


def usage(process: int, transforms: int) -> Usage:
    """Ask the system what a process holds now."""
    directory = Path(f'/proc/{process}')
    pages = int((directory / 'statm').read_text().split()[1])
    return Usage(
        transforms, pages * os.sysconf('SC_PAGE_SIZE') / 1e6,
        len(os.listdir(directory / 'task')), len(os.listdir(directory / 'fd')))


def growth(samples: Sequence[Usage]) -> Usage:
    """Return by how much the last half of the samples exceeds the first, at their peaks."""
    half = len(samples) // 2
    before, after = samples[:half], samples[half:]

    def grown(field: str) -> float:
        return max(getattr(found, field) for found in after) - max(
            getattr(found, field) for found in before)

    return Usage(
        samples[-1].transforms - samples[0].transforms, grown('megabytes'),
        int(grown('threads')), int(grown('files')))


def is_flat(samples: Sequence[Usage], megabytes: float = 2.0) -> bool:
    """Tell whether nothing grows: memory by less than some noise, threads and files not at all."""
    grown = growth(samples)
    return grown.megabytes < megabytes and grown.threads <= 0 and grown.files <= 0
