# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Whole commands: in proportion to their input, with little memory, in hostile directories."""

from __future__ import annotations

import os
from pathlib import Path

from fuzz.commands import COMMANDS, faults, IDLE, run_command, TEXTS, use, write_input
from hrdf_ros.cli import main
import pytest

SIZE = 1 << 14
LARGEST = 60
"""Bytes that are written for each byte of the text."""
FULL_REPORT = 1 << 20
"""Bytes of the diagnostics that a report keeps, with the lines of the source."""
REPORTS = ('text', 'json', 'sarif', 'github', 'junit')


@pytest.mark.parametrize('name', TEXTS)
@pytest.mark.parametrize('command', COMMANDS)
def test_output_is_in_proportion_to_the_text(
        command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch) -> None:
    size = write_input(tmp_path / 'here', name, SIZE)
    monkeypatch.chdir(tmp_path / 'here')
    main([*COMMANDS[command].split(), name])
    written = capsys.readouterr()
    assert 'internal error' not in written.err
    files = sum(file.stat().st_size for file in Path('out').rglob('*') if file.is_file())
    assert len(written.out) + files <= LARGEST * size
    assert len(written.err) <= FULL_REPORT


@pytest.mark.parametrize('name', ['faults.urdf', 'deep.urdf', 'long_tag.urdf', 'nested.sdf'])
@pytest.mark.parametrize('form', REPORTS)
def test_reports_are_bounded(
        form: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / name
    file.write_text(TEXTS[name](8 * SIZE))
    main(['check', '--format', form, str(file)])
    written = capsys.readouterr()
    assert 'internal error' not in written.err
    assert len(written.out) + len(written.err) <= 2 * FULL_REPORT


@pytest.mark.parametrize(('command', 'name'), [
    ('convert --bundle', 'polylines.sdf'),
    ('check', 'packages.urdf'), ('convert --to sdf', 'nested.sdf')])
def test_twice_the_input_takes_twice_as_much(command: str, name: str) -> None:
    idle, small, large = (
        use(command, *given)[1] for given in ((IDLE, 1), (name, SIZE), (name, 2 * SIZE)))
    assert faults(small, large, idle, timed=False) == []


@pytest.mark.parametrize('command', COMMANDS)
def test_too_little_memory_is_a_sentence(command: str, tmp_path: Path) -> None:
    write_input(tmp_path / 'here', 'star.urdf', 1 << 21)
    used = run_command([*COMMANDS[command].split(), 'star.urdf'], tmp_path / 'here', 50 << 20)
    assert used.status == 1
    assert used.messages.splitlines()[-1] == 'hrdf: error: out of memory'
    assert not list((tmp_path / 'here' / 'out').iterdir())


@pytest.mark.parametrize('hostile', [
    'pipe', 'device', 'loop', 'large', 'keys', 'no table', 'directory'])
@pytest.mark.parametrize('name', ['.hrdf.toml', 'pyproject.toml'])
def test_hostile_settings(hostile: str, name: str, tmp_path: Path) -> None:
    write_input(tmp_path / 'here', 'chain.hrdf', 1)
    (tmp_path / 'here' / '.hrdf.toml').unlink()
    file = tmp_path / 'here' / name
    {'pipe': lambda: os.mkfifo(file), 'device': lambda: file.symlink_to('/dev/zero'),
     'loop': lambda: file.symlink_to(name), 'directory': file.mkdir,
     'large': lambda: file.write_text('# [tool.hrdf]\n' * (1 << 20)),
     'keys': lambda: file.write_text(f'[tool.hrdf]\n{"a." * 40_000}b = 1'),
     'no table': lambda: file.write_text('[tool]\nhrdf = 3  # [tool.hrdf]')}[hostile]()
    used = run_command(['check', 'chain.hrdf'], tmp_path / 'here', 256 << 20, seconds=5)
    is_read = hostile in ('large', 'keys', 'no table')
    assert used.status == (2 if is_read else 0), used.messages
    assert 'internal error' not in used.messages
