# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The bundled robots: each has no errors or warnings and is listed in their README."""

from pathlib import Path

from hrdf_ros.load import load
import pytest

EXAMPLES = Path(__file__).parents[3] / 'examples' / 'hrdf'
FILES = sorted(EXAMPLES.rglob('*.hrdf'))


@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_example_has_no_errors_or_warnings(file: Path) -> None:
    report = load(file).report
    assert not [found for found in report if found.severity == 'error']
    assert {found.code for found in report if found.severity == 'warning'} <= {
        'limits-missing', 'mass-missing'}
