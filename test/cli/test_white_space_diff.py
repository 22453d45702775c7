# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Unified diffs of texts that differ in white space."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path
import shutil
import subprocess

from helpers.robots import described, name_of, REPOSITORY
from hrdf_ros.cli.white_space_diff import white_space_diff
from hrdf_ros.document.formatter import format_text
from hypothesis import given
from hypothesis import strategies as st
import pytest

FILES = described(REPOSITORY / 'examples', ('.hrdf', '.sdf', '.skel', '.urdf'))[::6]
LINES = st.lists(st.sampled_from(['<a>', '  <a>', '', ' ', '<b/>', '<a><b/>', '<b/> <a>']))


@pytest.mark.parametrize('file', FILES, ids=name_of)
def test_it_is_the_diff_of_the_standard_library(file: Path) -> None:
    text = file.read_text(encoding='utf-8')
    lines = text.splitlines(keepends=True)
    for changed in (5, len(lines) // 2, len(lines) - 1):
        if lines[changed].strip():
            lines[changed] = f'    {lines[changed]}'
    before = ''.join(lines)
    assert list(white_space_diff(before, text, 'f')) == list(unified_diff(
        lines, text.splitlines(keepends=True), 'f', 'f', '', '', lineterm='\n'))


@given(LINES, LINES, st.booleans())
def test_patch_applies_it(
        tmp_path_factory: pytest.TempPathFactory, first: list[str], second: list[str],
        ends: bool) -> None:
    """The texts have the same characters: the second has the line ends of another one."""
    if shutil.which('patch') is None:
        pytest.skip('patch is not installed')
    characters = ''.join(''.join(first).split())
    before = '\n'.join(first) + '\n' * ends
    after = format_like(characters, second)
    if before == after:
        return
    file = tmp_path_factory.mktemp('patch') / 'f'
    file.write_text(before)
    diff = ''.join(white_space_diff(before, after, 'f'))
    subprocess.run(['patch', '-s', str(file)], input=diff, text=True, check=True)
    assert file.read_text() == after


def format_like(characters: str, lines: list[str]) -> str:
    """Return the characters on lines as long as those given, the blank ones included."""
    found, start = [], 0
    for line in lines:
        length = len(line.strip())
        found.append(characters[start:start + length])
        start += length
    return '\n'.join([*found, characters[start:]]) + '\n'


def test_many_lines_take_linear_time() -> None:
    words = [f'<a n="{index % 97}"/>' for index in range(20_000)]
    before = '\n'.join(words)
    after = format_text(f'<r>{before}</r>')
    assert len(list(white_space_diff(before, after, 'f'))) > 40_000
