# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Directories for tests, which are filled and compared as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shutil import rmtree


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make a directory have these files and no others."""
    for entry in folder.iterdir():
        if entry.is_dir():
            rmtree(entry)
        else:
            entry.unlink()
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def content_of(folder: Path) -> dict[str, bytes | None]:
    """Return the contents of all files below a directory by path; a directory has None."""
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob('*'))}


def is_between(
    found: Mapping[str, bytes | None], before: Mapping[str, bytes | None],
    after: Mapping[str, bytes | None],
) -> bool:
    """Return whether each file is as it was before or as it is after, and none is missing."""
    return before.keys() & after.keys() <= found.keys() and all(
        (name, data) in (*before.items(), *after.items()) for name, data in found.items())
