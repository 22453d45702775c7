# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf format``."""

from __future__ import annotations

from pathlib import Path
import shutil
import subprocess

from helpers.terminal import shown_on_terminal
from hrdf_ros.cli.command import main
import pytest

Output = pytest.CaptureFixture[str]
UGLY, NEAT = '<robot  version="1.5.0"><joint axis="rz"/></robot>', (
    '<robot version="1.5.0">\n  <joint axis="rz"/>\n</robot>\n')


def test_files_are_written(tmp_path: Path, capsys: Output) -> None:
    ugly, neat = tmp_path / 'ugly.hrdf', tmp_path / 'neat.hrdf'
    ugly.write_text(UGLY)
    ugly.chmod(0o640)
    neat.write_text(NEAT)
    assert main(['format', str(tmp_path)]) == 0
    assert ugly.read_text() == NEAT and ugly.stat().st_mode & 0o777 == 0o640
    assert sorted(file.name for file in tmp_path.iterdir()) == ['neat.hrdf', 'ugly.hrdf']
    out, err = capsys.readouterr()
    assert out == f'reformatted {ugly}\n'
    assert err == '1 file reformatted, 1 file unchanged\n'


def test_a_directory_is_not_left_through_links(tmp_path: Path) -> None:
    (tmp_path / 'home').mkdir()
    (tmp_path / 'home' / 'private.urdf').write_text(UGLY)
    (tmp_path / 'robots').mkdir()
    (tmp_path / 'robots' / 'arm.urdf').symlink_to(tmp_path / 'home' / 'private.urdf')
    (tmp_path / 'robots' / 'below').symlink_to(tmp_path / 'home')
    assert main(['format', str(tmp_path / 'robots')]) == 0
    assert (tmp_path / 'home' / 'private.urdf').read_text() == UGLY


def test_check_writes_nothing(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / 'ugly.hrdf'
    file.write_text(UGLY)
    assert main(['format', '--check', str(file)]) == 1
    assert file.read_text() == UGLY
    out, err = capsys.readouterr()
    assert (out, err) == (f'would reformat {file}\n', '1 file would be reformatted\n')
    file.write_text(NEAT)
    assert main(['format', '--check', str(file)]) == 0


@pytest.mark.parametrize('lines', [1, 30, 20_000])
def test_patch_applies_the_diff(tmp_path: Path, capsys: Output, lines: int) -> None:
    if shutil.which('patch') is None:
        pytest.skip('patch is not installed')
    file = tmp_path / 'a.hrdf'
    for end in ('', '\n'):
        inside = '\n'.join(f'{" " * (1 + i % 3)}<a  n="{i % 9}"/>' for i in range(lines))
        file.write_text(f'<robot>\n{inside}\n</robot>{end}')
        assert main(['format', '--diff', str(file)]) == 1
        diff = capsys.readouterr().out
        subprocess.run(['patch', '-s', str(file)], input=diff, text=True, check=True)
        assert main(['format', '--check', str(file)]) == 0
        capsys.readouterr()


def test_what_is_not_well_formed_is_refused(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / 'broken.urdf'
    file.write_text('<robot><link></robot>')
    assert main(['format', str(file), str(tmp_path / 'none.urdf')]) == 1
    assert file.read_text() == '<robot><link></robot>'
    err = capsys.readouterr().err
    assert f'{file}:1:16: error[xml-syntax]' in err and 'error[file-not-found]' in err
    assert err.endswith('2 files refused\n')


def test_standard_input_goes_to_standard_output(
        capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path) -> None:
    file = tmp_path / 'ugly.hrdf'
    file.write_text(UGLY)
    with file.open() as stream:
        monkeypatch.setattr('sys.stdin', stream)
        assert main(['format', '-']) == 0
    assert capfdbinary.readouterr().out.decode() == NEAT


@pytest.mark.parametrize('arguments', [('--diff', 'c.urdf'), ('-',)])
def test_a_terminal_gets_no_control_characters(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / 'c.urdf').write_text('<robot  name="a\u009bx\u202e"/>', encoding='utf-8')
    with (tmp_path / 'c.urdf').open('rb') as given:
        shown = shown_on_terminal(('format', *arguments), stdin=given, cwd=tmp_path)
    assert '<robot name="a\ufffdx\ufffd"/>' in shown
    assert '\u009b' not in shown and '\u202e' not in shown


def test_diff_shows_what_would_change(
        tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path('ugly.hrdf').write_text(UGLY)
    assert main(['format', '--diff', 'ugly.hrdf']) == 1
    assert Path('ugly.hrdf').read_text() == UGLY
    assert capsys.readouterr().out == (
        '--- ugly.hrdf\n+++ ugly.hrdf\n@@ -1 +1,3 @@\n'
        f'-{UGLY}\n\\ No newline at end of file\n'
        '+<robot version="1.5.0">\n+  <joint axis="rz"/>\n+</robot>\n')
