# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The table of faults names tests that are there."""

from pathlib import Path
import re

import pytest

ROOT = Path(__file__).resolve().parents[1]
TABLE = (ROOT / 'docs' / 'reliability.md').read_text()
NAMED = re.findall(r'`(test/[\w/]+\.py)(?:::(\w+))?`', TABLE)


@pytest.mark.parametrize(('file', 'test'), NAMED)
def test_a_fault_has_its_test(file: str, test: str) -> None:
    assert f'def {test or "main"}(' in (ROOT / file).read_text()


def test_every_live_fault_has_its_row() -> None:
    for name in ('test_live_faults.py', 'test_live_endings.py'):
        tests = re.findall(r'^def (test_\w+)', (ROOT / 'test' / 'ros' / name).read_text(), re.M)
        assert set(tests) <= {test for _, test in NAMED}
