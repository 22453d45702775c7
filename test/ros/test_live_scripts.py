# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts that need ROS, in their short form: pages, fuzzing, benchmark, soak."""

from __future__ import annotations

from pathlib import Path
import subprocess
import sys

from fuzz.live import fuzz, STEPS
from helpers.page_session import read_page
from helpers.pages import pages_that_need, ROOT
import pytest
from soak import growth


@pytest.mark.parametrize(
    'page', pages_that_need('ros'), ids=lambda page: str(page.relative_to(ROOT)))
def test_page_does_what_it_shows_with_ros(
        page: Path, domain: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    assert read_page(page, tmp_path, able=('ros',))


def test_fuzzing_finds_nothing(domain: int, tmp_path: Path) -> None:
    done = fuzz(domain, tmp_path, seed=1, seconds=0.0, least=6)
    assert done['rounds'] == 6
    assert sum(done.values()) - done['rounds'] == 6 * STEPS
    assert len(done) == 10  # every kind of step, and the rounds


@pytest.mark.parametrize('name, row', [
    ('transforms', '| 6 | hrdf_ros |'), ('starting', '| 6 | hrdf_ros |'),
    ('resting', '| hrdf_ros, six joints | 1 |'), ('fleet', '| 3 | one process |'),
    ('services', '| joint states at 2000 Hz |')])
def test_part_of_the_benchmark(
        name: str, row: str, domain: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    done = subprocess.run(
        [sys.executable, str(ROOT / 'benchmark' / f'{name}.py'), '--quick'], text=True,
        capture_output=True, timeout=280.0)
    assert done.returncode == 0, done.stderr
    assert row in done.stdout


def test_nothing_grows_in_a_flood(domain: int, tmp_path: Path) -> None:
    alone = growth.soak_hot_path(1_500_000)
    assert alone[-1].transforms >= 1_450_000
    assert growth.is_flat(alone), alone
    node = growth.soak_node(domain, tmp_path, 4.0)
    assert node[-1].transforms > 0
    assert growth.is_flat(node, megabytes=8.0), node


@pytest.mark.parametrize('each, transient, flat', [
    ((0.0, 0, 0), (30.0, 5, 9), True), ((0.0, 1, 0), (30.0, 5, 0), False),
    ((0.0, 0, 1), (30.0, 0, 4), False), ((0.5, 0, 0), (3.0, 0, 0), False)])
def test_leak_with_each_sample_is_growth_and_a_transient_is_not(
        each: tuple[float, int, int], transient: tuple[float, int, int],
        flat: bool) -> None:
    samples = [
        growth.Usage(index, *(
            rest + index * grown + (index % 4 == 1) * more
            for rest, grown, more in zip((70.0, 20, 15), each, transient)))
        for index in range(growth.SAMPLES)]
    assert growth.is_flat(samples) is flat
