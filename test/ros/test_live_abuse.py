# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The short form of ``soak.latency``: no client and no publisher stops the transforms.

How late they are, and how much memory that takes, the long form measures: it says as much about
the machine as about the node.
"""

from __future__ import annotations

from pathlib import Path
import sys
from typing import Any

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / 'benchmark'
SECONDS = 1.0
PATIENCE = 200.0


@pytest.fixture
def latency(monkeypatch: pytest.MonkeyPatch, domain: int) -> Any:
    """Return the module that abuses a node."""
    monkeypatch.syspath_prepend(str(BENCHMARK))
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    before = set(sys.modules)
    from soak import latency
    yield latency
    for name in set(sys.modules) - before:
        if name in ('soak.abuses', 'soak.latency', 'inputs', 'nodes', 'tables'):
            del sys.modules[name]


@pytest.mark.parametrize('names, links', [
    (('convert_4_mb',), 30), (('reload',), 5000), (('new_names',), 30),
    (('a_hundred_small', 'random_bytes'), 30)])
def test_transforms_and_answers_go_on(
    latency: Any, names: tuple[str, ...], links: int,
) -> None:
    with latency.driven(links, request_timeout=PATIENCE) as found:
        turn = latency.abused_turn(found, names, SECONDS)
        assert not turn.unanswered
        assert turn.answers.seconds or found.line.drive(1.0, 1.0, PATIENCE).seconds


def test_several_abuses_at_a_time(latency: Any) -> None:
    mixed = latency.mix(SECONDS / 60.0, seed=3)
    assert mixed.turns and mixed.calm
    assert not [turn for turn in mixed.turns if turn.unanswered]
    assert mixed.turns[0].names[0].replace('_', ' ') in latency.mixed_table(mixed)
