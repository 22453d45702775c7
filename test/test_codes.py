# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Each diagnostic code: one line in the catalogue, one section in the docs, one file with it.

A fault file says in a comment what must be found in it, where:
``expect: SEVERITY CODE LINE:COLUMN`` with ``-`` for an unknown place, and ``in FILE`` behind it
"""

from pathlib import Path
import re

from hrdf_ros.codes import CODES
from hrdf_ros.load import load
import pytest

FAULTS = Path(__file__).parent / 'diagnostics'
DOCS = Path(__file__).parent.parent / 'docs' / 'diagnostics.md'
EXPECT = re.compile(r'expect: (error|warning|info) ([a-z0-9-]+) (\d+:\d+|-)(?: in (\S+))?')


def expectations(file: Path) -> list[tuple[str, ...]]:
    text = file.read_bytes().decode('utf-8', 'replace')
    return [found.groups(default='') for found in EXPECT.finditer(text)]


FILES = sorted(
    file for file in FAULTS.rglob('*') if file.is_file() and expectations(file))


@pytest.mark.parametrize('file', FILES, ids=lambda file: str(file.relative_to(FAULTS)))
def test_fault_is_found_where_it_is(file: Path) -> None:
    found = set()
    for diagnostic in load(file).report:
        at = diagnostic.resolve()
        location = '-' if at is None or at.line is None else f'{at.line}:{at.column}'
        name = '' if at is None or Path(at.file) == file else Path(at.file).name
        found.add((diagnostic.severity, diagnostic.code, location, name))
    assert set(expectations(file)) <= found


def test_every_code_has_a_fault_file() -> None:
    pinned = {code for file in FILES for _, code, _, _ in expectations(file)}
    assert pinned >= set(CODES) - codes_pinned_elsewhere()


def codes_pinned_elsewhere() -> set[str]:
    """Return the codes whose fault needs more than a file: their tests say ``pins``."""
    pins = re.compile(r'# pins: ([a-z0-9-]+)')
    tests = Path(__file__).parent.rglob('test_*.py')
    return {code for test in tests for code in pins.findall(test.read_text(encoding='utf-8'))}


def test_docs_and_catalogue_name_the_same_codes() -> None:
    sections = re.findall(r'^### `([a-z0-9-]+)`$', DOCS.read_text(encoding='utf-8'), re.MULTILINE)
    assert sorted(sections) == sorted(CODES)
