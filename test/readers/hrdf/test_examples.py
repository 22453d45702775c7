# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The bundled robots: each has no errors or warnings and is listed in their README."""

from pathlib import Path

from hrdf_ros.load import load, load_model
from hrdf_ros.topology import find_frame
import pytest

EXAMPLES = Path(__file__).parents[3] / 'examples' / 'hrdf'
FILES = sorted(EXAMPLES.rglob('*.hrdf'))


@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_example_has_no_errors_or_warnings(file: Path) -> None:
    report = load(file).report
    assert not [found for found in report if found.severity == 'error']
    assert {found.code for found in report if found.severity == 'warning'} <= {
        'limits-missing', 'mass-missing'}


@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_readme_names_example(file: Path) -> None:
    assert file.name in (EXAMPLES / 'README.md').read_text(encoding='utf-8')


@pytest.mark.parametrize(('name', 'count'), [
    ('arm_6dof', 6), ('arm_7dof', 7), ('hexapod', 18), ('arm_r25', 6), ('gantry', 4)])
def test_robot_has_its_coordinates(name: str, count: int) -> None:
    assert len(load_model(EXAMPLES / f'{name}.hrdf').coordinates) == count


def test_demo_arm_has_a_tool() -> None:
    model = load_model(EXAMPLES / 'arm_6dof.hrdf')
    index = find_frame(model, 'tool')
    assert index is not None
    assert model.frames[index].name == 'tool'
