# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The short form of the comparison of random MJCF with MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator
import os
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

from fuzz.mjcf_files import Added, contents, everything, Generator
from fuzz.mjcf_robot import ROBOT, write_files
from fuzz.mujoco_reference import compare, is_known, KNOWN, OwnProcess, run
import pytest

_FILES = 60


def test_random_files_are_as_in_mujoco() -> None:
    pytest.importorskip('mujoco')
    found, generator, accepted = run(_FILES, seed=1)
    assert [(result, text) for text, result in found] == []
    assert accepted > 0.3 * _FILES
    assert sum(count > 0 for count in generator.counts.values()) > 0.2 * len(everything())


@pytest.mark.parametrize(('old', 'new', 'verdict'), [
    ('range="-1 1" axis="0 1 0"', 'range="-1 1" axis="0 1 0"', 'same'),
    ('<joint joint="j" coef="1"/>', '<joint joint="z" coef="1"/>', 'same'),
])
def test_a_file_is_compared(old: str, new: str, verdict: str, tmp_path: Path) -> None:
    pytest.importorskip('mujoco')
    write_files(tmp_path)
    result = compare(ROBOT.replace(old, new), tmp_path)
    assert result.verdict == verdict and result.is_accepted == (old == new)


def test_a_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mujoco = pytest.importorskip('mujoco')
    write_files(tmp_path)

    def refuse(_file: str) -> None:
        raise ValueError('a reason')

    monkeypatch.setattr(mujoco.MjModel, 'from_xml_path', refuse)
    result = compare(ROBOT, tmp_path)
    assert (result.verdict, result.reason) == ('accepted', 'a reason')
    assert not is_known(result, ROBOT)


def test_a_crash_of_mujoco_is_a_refusal(tmp_path: Path) -> None:
    mujoco = pytest.importorskip('mujoco')
    crashing, good = tmp_path / 'crashing.xml', tmp_path / 'good.xml'
    good.write_text('<mujoco/>')
    process = OwnProcess()
    with patch.object(mujoco.MjModel, 'from_xml_path', lambda file: os.abort()):
        assert process.refusal(crashing) == 'MuJoCo crashed'
    assert process.refusal(good) == ''
    process.end()


def test_the_known_differences_are_documented() -> None:
    page = (Path(__file__).parents[2] / 'docs' / 'mjcf.md').read_text()
    assert [one.row for one in KNOWN if f'\n| {one.row} |' not in page] == []


def test_a_seed_decides_the_files() -> None:
    first, second = Generator(4), Generator(4)
    assert [first.next() for _ in range(5)] == [second.next() for _ in range(5)]


def _made(generator: Generator, item: Added) -> Iterator[str]:
    """Yield files with an element or attribute of the schema."""
    for _ in range(8):
        root = ElementTree.fromstring(ROBOT.replace('\n', ' '))
        generator.add(root, item)
        if item in contents(root):
            yield ElementTree.tostring(root, encoding='unicode')


def test_each_element_and_attribute_can_be_in_a_file() -> None:
    generator = Generator(7)
    assert [item for item in everything() if next(_made(generator, item), None) is None] == []


@pytest.mark.parametrize('item', everything()[::25], ids='/'.join)
def test_mujoco_accepts_a_file_with_it(item: Added, tmp_path: Path) -> None:
    mujoco = pytest.importorskip('mujoco')
    write_files(tmp_path)
    reasons = []
    for text in _made(Generator(7), item):
        (tmp_path / 'robot.xml').write_text(text)
        try:
            mujoco.MjModel.from_xml_path(str(tmp_path / 'robot.xml'))
        except ValueError as error:
            reasons.append(str(error))
        else:
            return
    pytest.fail(f'MuJoCo refuses them: {reasons}')


def test_what_a_file_has_is_counted() -> None:
    found = {f'{one.key}/{one.attribute}' for one in contents(ElementTree.fromstring(ROBOT))}
    assert {'spatial.site/site', 'body.joint/range', 'default.geom/density'} <= found
