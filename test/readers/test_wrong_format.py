# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A file of another format than its suffix says is one diagnostic."""

from __future__ import annotations

from pathlib import Path

from hrdf_ros import load
from hrdf_ros.cli import main
import pytest

TEXTS = {
    'hrdf': '<robot version="1.6.0"><actuator type="X5-4"/><link type="X5" extension="1" '
            'twist="0"/><bogus/></robot>',
    'sdf': '<sdf version="1.9"><model name="m"><link name="a"/><bogus/></model></sdf>',
    'skel': '<skel version="1.0"><world name="w"/></skel>',
    'urdf': '<robot name="r"><link name="a"/><link name="b"/><transmission name="t"><actuator '
            'name="m"/></transmission><bogus/></robot>'}
TITLES = {'hrdf': 'HRDF', 'sdf': 'SDFormat', 'skel': 'SKEL', 'urdf': 'URDF'}


@pytest.mark.parametrize(('named', 'content'), [
    (named, content) for named in TEXTS for content in TEXTS
    if named != content and (named, content) not in (('sdf', 'hrdf'), ('sdf', 'urdf'))])
def test_a_wrong_format_is_one_diagnostic(named: str, content: str, tmp_path: Path) -> None:
    file = tmp_path / f'robot.{named}'
    file.write_text(TEXTS[content])
    [found] = load(file).report
    assert found.severity == 'error'
    assert found.hint is not None
    assert found.hint.endswith(f'name it .{content}, or use --input-format {content}')
    if {named, content} == {'hrdf', 'urdf'}:
        assert found.code == 'suffix-mismatch'
        assert found.message == (
            f'this is {TITLES[content]} in a file that is named as {TITLES[named]}')
    else:
        root = 'robot' if content in ('hrdf', 'urdf') else content
        assert found.message.startswith('the root element ') and f'<{root}>' in found.message


@pytest.mark.parametrize(('content', 'title'), [('hrdf', 'HRDF'), ('urdf', 'URDF')])
def test_sdformat_files_may_hold_robots(content: str, title: str, tmp_path: Path) -> None:
    file = tmp_path / 'robot.sdf'
    file.write_text(TEXTS[content].replace('<bogus/>', ''))
    found = load(file).report.diagnostics[0]
    assert (found.severity, found.code, found.hint) == (
        'warning', 'suffix-mismatch', f'name it .{content}')
    assert found.message == f'this is {title} in a file that is named as SDFormat'


@pytest.mark.parametrize(('suffix', 'text'), [
    ('urdf', '<robot><lnk nme="a"/></robot>'),
    ('urdf', '<robot name="r"><actuator type="X5-4"/></robot>'),
    ('hrdf', '<robot version="1.6.0"><link name="a" type="X5" extension="1" twist="0"/></robot>'),
    ('hrdf', '<robot><bracket name="b"/><joint name="j" axis="q"/></robot>')])
def test_faults_of_the_right_format_are_reported_as_they_are(
    suffix: str, text: str, tmp_path: Path,
) -> None:
    file = tmp_path / f'robot.{suffix}'
    file.write_text(text)
    report = load(file).report
    assert not report.ok
    assert not any('format' in (found.hint or '') for found in report)
    assert 'suffix-mismatch' not in {found.code for found in report}


def test_a_wrong_format_of_an_include_is_reported_at_the_include(tmp_path: Path) -> None:
    (tmp_path / 'leg.hrdf').write_text(TEXTS['sdf'])
    text = '<robot version="1.6.0">\n  <include path="leg.hrdf"/>\n</robot>'
    (tmp_path / 'robot.hrdf').write_text(text)
    [found] = load(tmp_path / 'robot.hrdf').report
    at = found.resolve()
    assert at is not None
    assert (at.file, at.line) == (str(tmp_path / 'leg.hrdf'), 1)
    assert [one.line for one in at.included_from] == [2]


def test_the_format_can_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / 'robot.hrdf'
    file.write_text(TEXTS['urdf'].replace('<bogus/>', '<joint name="j" type="fixed"><parent '
                                          'link="a"/><child link="b"/></joint>'))
    assert main(['check', str(file)]) == 1
    assert main(['check', '--input-format', 'urdf', str(file)]) == 0
    assert main(['tree', '--input-format', 'urdf', str(file)]) == 0
    assert main(['check', '--input-format', 'skel', str(file)]) == 1
    capsys.readouterr()
    with pytest.raises(SystemExit, match='2'):
        main(['check', '--input-format', 'usd', str(file)])
