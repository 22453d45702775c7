# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The recorded answers belong to the inputs: each input has one, and says what it is about."""

from __future__ import annotations

from pathlib import Path

from conformance.record import answer_of, FORMATS, inputs
from helpers.recorded import DIFFERENCES, EXPECTED, REPOSITORY
import pytest

INPUTS = REPOSITORY / 'test' / 'conformance' / 'inputs'


@pytest.mark.parametrize('kind', ['hrdf', 'sdf', 'skel', 'urdf'])
def test_every_input_has_an_answer_and_a_point(kind: str) -> None:
    files = sorted((INPUTS / kind).rglob(f'*.{kind}'))
    assert len(files) > 50
    for file in files:
        name = '~'.join(file.relative_to(REPOSITORY).parts)
        assert (EXPECTED / kind / f'{name}.json').is_file(), f'record.py has not seen {file}'
        assert file.read_text(encoding='utf-8').startswith('<!-- ')


@pytest.mark.parametrize('kind', FORMATS)
def test_every_example_and_fault_file_has_an_answer(kind: str) -> None:
    unseen = [str(file) for file in inputs(kind) if not answer_of(file).is_file()]
    assert unseen == [], 'record.py has not seen them'


@pytest.mark.parametrize('name', DIFFERENCES)
def test_every_difference_is_of_a_file(name: str) -> None:
    assert Path(REPOSITORY, name).is_file()
