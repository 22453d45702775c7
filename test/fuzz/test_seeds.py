# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The committed seeds of each target, and how they are chosen."""

from __future__ import annotations

from fuzz.seeds import fewest, LARGEST, SEEDS, seeds_of
from fuzz.targets import TARGETS
from hrdf_ros.parsing import formula
import pytest

MOST_BYTES = 500_000
"""Of all seeds together."""


@pytest.mark.parametrize('name', TARGETS)
def test_nothing_is_found_in_the_seeds(name: str) -> None:
    files = seeds_of(name)
    assert files
    for file in files:
        TARGETS[name].run(file.read_bytes())


def test_the_seeds_are_small_and_each_is_of_a_target() -> None:
    files = [*SEEDS.iterdir()]
    assert {file.name.rpartition('-')[0] for file in files} == {*TARGETS}
    sizes = [file.stat().st_size for file in files]
    assert max(sizes) <= LARGEST and sum(sizes) <= MOST_BYTES


def test_a_seed_reaches_what_no_smaller_one_does() -> None:
    def run(data: bytes) -> None:
        formula.formula(data.decode())

    assert fewest([b'1+2', b'2', b'1', b'1+1'], run)[1:] in ([b'1+1'], [b'1+2'])
