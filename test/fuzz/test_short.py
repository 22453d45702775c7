# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The short form of `make fuzz`: every target with a fixed seed and a bounded number of inputs."""

from __future__ import annotations

from pathlib import Path
from random import Random

from fuzz.corpus import corpus, FORMATS
from fuzz.oracles import Broken, check_loaded
from fuzz.schema_texts import each_item
from fuzz.targets import TARGETS
from fuzz.worker import read_state, Runner
from hrdf_ros.load import load
import pytest


@pytest.mark.parametrize('name', TARGETS)
def test_nothing_is_found(name: str) -> None:
    rng = Random(f'{name} short')
    target = TARGETS[name]
    for _ in range(target.executions):
        target.run(target.generate(rng))


def test_a_seed_decides_the_inputs() -> None:
    for target in TARGETS.values():
        assert target.generate(Random('a')) == target.generate(Random('a'))


def test_every_format_has_seeds() -> None:
    assert all(corpus().trees.values())


def test_a_fault_is_kept_with_its_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(data: bytes) -> None:
        raise Broken(f'wrong: {data!r}')

    monkeypatch.setitem(TARGETS, 'formula', TARGETS['formula']._replace(run=run))
    Runner('formula', tmp_path / 'state', tmp_path)(b'1 + 1')
    state, data = read_state(tmp_path / 'state')
    assert state.faults == state.executions == 1 and data == b'1 + 1'
    kept, = tmp_path.glob('formula-*.txt')
    assert kept.read_text().startswith('Broken wrong')
    assert kept.with_suffix('').read_bytes() == b'1 + 1'


@pytest.mark.parametrize('name', FORMATS)
def test_everything_that_a_schema_declares_can_be_read(name: str) -> None:
    items = list(each_item(name))
    for text in items[::max(1, len(items) // 300)]:
        check_loaded(load(text.decode('utf-8', 'replace'), format=name))
