# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The short form of benchmark/abuse.py: no client and no publisher stops the transforms.

The bounds leave room for a machine that does much else; the long form measures.
"""

from __future__ import annotations

from pathlib import Path
import sys
from typing import Any

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / 'benchmark'
SECONDS = 1.0


@pytest.fixture
def abuse(monkeypatch: pytest.MonkeyPatch, domain: int) -> Any:
    """Return the module of the benchmark."""
    monkeypatch.syspath_prepend(str(BENCHMARK))
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    before = set(sys.modules)
    import abuse
    yield abuse
    for name in set(sys.modules) - before:
        if name in ('abuse', 'inputs', 'nodes', 'tables'):
            del sys.modules[name]


@pytest.mark.parametrize('name', ['convert_4_mb', 'reload', 'new_names'])
def test_transforms_go_on(abuse: Any, name: str) -> None:
    row = abuse.measure(name, SECONDS)
    assert row.sent == 100
    assert row.lost <= 50, row
    assert row.p50 < 200.0, row
    assert row.gap < 2000.0, row
    assert row.megabytes < (200.0 if name == 'reload' else 130.0), row
    assert row.end < 10.0, row


def test_some_abuses_at_a_time(abuse: Any) -> None:
    mixed = abuse.mix(SECONDS / 60.0, seed=3)
    assert len(mixed.turns) >= 1
    assert mixed.sent >= 100 and len(mixed.calm) >= 200
    assert not [turn for turn in mixed.turns if turn.unanswered], mixed.faults
    assert mixed.end < 10.0
