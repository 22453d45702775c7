# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The short form of `make fuzz`: every target with a fixed seed and a bounded number of inputs."""

from __future__ import annotations

from pathlib import Path
from random import Random

from fuzz import differential
from fuzz.corpus import corpus
from fuzz.oracles import Broken
from fuzz.run import table, Tally
from fuzz.targets import TARGETS
from fuzz.worker import Runner, Slot
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
    slot = Slot(tmp_path / 'slot')
    Runner('formula', slot, tmp_path)(b'1 + 1')
    assert slot.read().faults == slot.read().executions == 1
    kept, = tmp_path.glob('formula-*.txt')
    assert kept.read_text().startswith('Broken wrong')
    assert kept.with_suffix('').read_bytes() == b'1 + 1'


def test_the_table_has_a_row_for_each_target_and_their_sum() -> None:
    rows = table({'a': Tally(1000, seeds=[1]), 'b': Tally(234, seeds=[2])}).splitlines()
    assert [row.split(' | ')[1] for row in rows[2:]] == ['1,000', '234', '1,234']


@pytest.mark.parametrize(('answer', 'outcome'), [
    ({'status': 'refused'}, 'differ'), ({'status': 'crash'}, 'crash')])
def test_a_file_on_which_a_reference_differs_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: dict[str, str], outcome: str,
) -> None:
    monkeypatch.setattr(differential, 'KEPT', tmp_path)
    monkeypatch.setattr(differential, 'ask', lambda *_: answer)
    monkeypatch.setattr(
        differential, 'mutated', lambda *_: ['<robot name="r"><link name="l"/></robot>'])
    assert differential.run('urdf', [], 0, 1) == {outcome: 1}
    assert len([*tmp_path.iterdir()]) == (2 if outcome == 'differ' else 0)


@pytest.mark.parametrize('kind', ['hrdf', 'sdf', 'skel', 'urdf'])
def test_seeds_of_the_comparison_with_references(kind: str) -> None:
    assert len(differential.seeds(kind)) > 50
    assert len(set(differential.mutated(kind, 0, 20))) == 20
