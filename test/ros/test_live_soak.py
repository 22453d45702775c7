# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The short forms of ``make soak``: nothing grows while joint states come in at full speed."""

from pathlib import Path

import pytest

SOAK = str(Path(__file__).parents[1] / 'soak')


@pytest.fixture(autouse=True)
def soak_on_the_path(monkeypatch):
    """Let the modules of the soak be imported."""
    monkeypatch.syspath_prepend(SOAK)


def test_the_hot_path_alone():
    import in_process
    from usage import is_flat
    samples = in_process.soak(1_500_000)
    assert samples[-1].transforms >= 1_450_000
    assert is_flat(samples), samples


def test_a_live_node(domain, tmp_path):
    import live
    from usage import is_flat
    samples = live.soak(domain, tmp_path, 4.0)
    assert samples[-1].transforms > 40_000
    assert is_flat(samples, megabytes=8.0), samples
