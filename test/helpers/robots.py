# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The robots of the repository, and those of the corpora if they are beside it."""

from __future__ import annotations

from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path

from hrdf_ros import load, LoadResult

REPOSITORY = Path(__file__).resolve().parents[2]
CORPORA = REPOSITORY.parent / 'shared' / 'corpora'


def read(file: Path) -> LoadResult:
    """Read a description; the corpus of SDFormat has its includes."""
    return load(file, path=[str(CORPORA / 'sdf' / 'resources')])


def robots(*suffixes: str) -> list[Path]:
    """Return the descriptions without errors: faulty ones have tests of their own."""
    known = [suffix for suffix in suffixes if suffix != '.xacro' or find_spec('xacro')]
    return [
        *described(REPOSITORY / 'examples', known),
        *(file for file in described(CORPORA, known) if read(file).model is not None)]


def described(directory: Path, suffixes: Collection[str]) -> list[Path]:
    """Return the descriptions below a directory."""
    return sorted(file for file in directory.rglob('*') if file.suffix in suffixes)


def name_of(file: Path) -> str:
    """Return the name of a robot in the names of tests."""
    return str(file.relative_to(REPOSITORY.parent))
