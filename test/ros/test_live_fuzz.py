# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The short form of `python -m fuzz.live`: a fixed seed, a few rounds."""

from pathlib import Path

from fuzz.live import fuzz, STEPS


def test_nothing_is_found(domain: int, tmp_path: Path) -> None:
    done = fuzz(domain, tmp_path, seed=1, seconds=0.0, least=6)
    assert done['rounds'] == 6
    assert sum(done.values()) - done['rounds'] == 6 * STEPS
    assert len(done) == 10  # every kind of step, and the rounds
