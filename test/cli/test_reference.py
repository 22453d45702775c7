# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf explain``: every code has a page, which fits a terminal."""

import re

from hrdf_ros.cli import main
from hrdf_ros.cli.reference import summaries
from hrdf_ros.codes import CODES
import pytest

Output = pytest.CaptureFixture[str]


@pytest.mark.parametrize('code', CODES)
def test_every_code_is_explained_on_80_columns(
    code: str, capsys: Output, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv('COLUMNS', '120')
    assert main(['explain', code]) == 0
    head, blank, *lines = capsys.readouterr().out.splitlines()
    assert (head, blank) == (f'{code} ({CODES[code].severity})', '')
    assert max(map(len, lines)) <= 80
    examples = [line for line in lines if line.startswith('    ')]
    assert lines[0] and examples, 'a meaning and an example'
    assert lines[-1].endswith('.') or re.fullmatch('    .*', lines[-1]), 'a fix'
    assert not any('`' in line or line.startswith('#') for line in lines)


def test_narrow_terminals_wrap(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('COLUMNS', '40')
    assert main(['explain', 'mass-negative']) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 40


def test_without_a_code_all_are_listed(capsys: Output) -> None:
    assert main(['explain']) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=2) for line in lines] == [
        [name, CODES[name].severity, summary] for name, summary in summaries().items()]


def test_summaries_wrap_on_a_terminal(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('sys.stdout.isatty', lambda: True)
    monkeypatch.setenv('COLUMNS', '90')
    assert main(['explain']) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 90
    assert out.split() == [
        word for name, summary in summaries().items()
        for word in (name, CODES[name].severity, *summary.split())]


def test_codes_are_found_by_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    """Any case; only codes whose name or explanation has the word are listed."""
    assert main(['explain', 'Degrees']) == 0
    listed = capsys.readouterr().out
    assert 'implausible-value  warning' in listed and 'mass-negative' not in listed
    assert main(['explain', 'zzzq']) == 2
    assert "there is no code 'zzzq'" in capsys.readouterr().err


def test_several_words_find_what_has_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['explain', 'meshes', 'package']) == 0
    listed = capsys.readouterr().out
    assert 'mesh-not-found' in listed and 'texture-not-found' not in listed
    assert main(['explain', 'mesh', 'zzzq']) == 2
    assert 'no explanation has it' in capsys.readouterr().err
