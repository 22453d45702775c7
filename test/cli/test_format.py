# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf format``."""

from __future__ import annotations

from pathlib import Path
import shutil
import subprocess

from helpers.terminal import Run, shown_on_terminal
from hrdf_ros.cli import main
import pytest

UGLY, NEAT = '<robot  version="1.5.0"><joint axis="rz"/></robot>', (
    '<robot version="1.5.0">\n  <joint axis="rz"/>\n</robot>\n')


def test_files_are_written(hrdf: Run, tmp_path: Path) -> None:
    files = {'ugly.hrdf': UGLY, 'neat.hrdf': NEAT}
    assert hrdf('format --check ugly.hrdf', files=files) == (
        1, 'would reformat ugly.hrdf\n', '1 file would be reformatted\n')
    assert hrdf('format --diff ugly.hrdf') == (
        1, '--- ugly.hrdf\n+++ ugly.hrdf\n@@ -1 +1,3 @@\n'
        f'-{UGLY}\n\\ No newline at end of file\n'
        '+<robot version="1.5.0">\n+  <joint axis="rz"/>\n+</robot>\n',
        '1 file would be reformatted\n')
    ugly = tmp_path / 'ugly.hrdf'
    assert ugly.read_text() == UGLY
    ugly.chmod(0o640)
    assert hrdf('format .') == (
        0, 'reformatted ./ugly.hrdf\n', '1 file reformatted, 1 file unchanged\n')
    assert ugly.read_text() == NEAT and ugly.stat().st_mode & 0o777 == 0o640
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(files)
    assert hrdf('format --check .').status == 0


def test_a_directory_is_not_left_through_links(hrdf: Run, tmp_path: Path) -> None:
    (tmp_path / 'robots').mkdir()
    (tmp_path / 'robots' / 'arm.urdf').symlink_to(tmp_path / 'home' / 'private.urdf')
    (tmp_path / 'robots' / 'below').symlink_to(tmp_path / 'home')
    assert hrdf('format robots', files={'home/private.urdf': UGLY}).status == 0
    assert (tmp_path / 'home' / 'private.urdf').read_text() == UGLY


@pytest.mark.skipif(shutil.which('patch') is None, reason='patch is not installed')
@pytest.mark.parametrize('lines', [1, 30, 20_000])
def test_patch_applies_the_diff(hrdf: Run, lines: int) -> None:
    for end in ('', '\n'):
        inside = '\n'.join(f'{" " * (1 + i % 3)}<a  n="{i % 9}"/>' for i in range(lines))
        status, diff, _ = hrdf(
            'format --diff a.hrdf', files={'a.hrdf': f'<robot>\n{inside}\n</robot>{end}'})
        assert status == 1
        subprocess.run(['patch', '-s', 'a.hrdf'], input=diff, text=True, check=True)
        assert hrdf('format --check a.hrdf').status == 0


def test_what_is_not_well_formed_is_refused(hrdf: Run) -> None:
    status, _, err = hrdf(
        'format broken.urdf none.urdf', files={'broken.urdf': '<robot><link></robot>'})
    assert status == 1 and err.endswith('2 files refused\n')
    assert 'broken.urdf:1:16: error[xml-syntax]' in err and 'error[file-not-found]' in err
    assert Path('broken.urdf').read_text() == '<robot><link></robot>'


def test_standard_input_goes_to_standard_output(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> None:
    (tmp_path / 'ugly.hrdf').write_text(UGLY)
    with (tmp_path / 'ugly.hrdf').open() as stream:
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
