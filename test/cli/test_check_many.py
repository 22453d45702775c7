# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf check`` for projects: directories, formats, selected codes, settings, terminals."""

import io
import json
import os
from pathlib import Path
import sys
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

from hrdf_ros.cli import main
from hrdf_ros.cli.check import check_files, robot_files
import pytest

Output = pytest.CaptureFixture[str]
GOOD = '<robot name="good"><link name="a"/></robot>\n'
BAD = '<robot name="bad">\n  <link name="a"/>\n  <link name="é b"/>\n</robot>\n'
WARNS = '<robot name="warns">\n  <link name="a" x="1"/>\n</robot>\n'
TOML = 'tomllib' if sys.version_info >= (3, 11) else 'tomli'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory with robots below it."""
    monkeypatch.chdir(tmp_path)
    for name in ('NO_COLOR', 'FORCE_COLOR'):
        monkeypatch.delenv(name, raising=False)
    for name, text in {
            'robots/good.urdf': GOOD, 'robots/arms/bad.urdf': BAD, 'robots/arms/warns.urdf': WARNS,
            'robots/.hidden/bad.urdf': BAD, 'robots/readme.md': 'text',
            'robots/x.urdf.xacro': GOOD}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def checked(capsys: Output, *arguments: str) -> tuple[int, str, str]:
    status = main(['check', *arguments])
    return (status, *capsys.readouterr())


# ---- several files

@pytest.mark.parametrize('jobs', [(), ('--jobs', '1'), ('--jobs', '3')])
def test_a_directory_is_every_robot_file_below_it(jobs: tuple[str, ...], capsys: Output) -> None:
    status, out, err = checked(capsys, 'robots', *jobs)
    assert status == 1
    assert out == (
        'robots/good.urdf: ok: urdf 1.0, 1 link, 0 joints, 0 coordinates\n'
        'robots/arms/bad.urdf: 1 error\n'
        'robots/arms/warns.urdf: ok: urdf 1.0, 1 link, 0 joints, 0 coordinates (1 warning)\n'
        '3 files: not ok (1 error, 1 warning)\n')
    assert err.splitlines()[0].startswith('robots/arms/bad.urdf:')
    assert '  <link name="a" x="1"/>' in err


def test_directories_may_be_deep(tmp_path: Path) -> None:
    levels = [tmp_path.joinpath(*['d'] * depth) for depth in range(1, 1100)]
    for level in levels:
        level.mkdir()
    assert list(robot_files(str(tmp_path / 'd'))) == []
    for level in reversed(levels):  # pytest could not remove them
        level.rmdir()


def test_a_directory_without_robots_is_an_error(here: Path, capsys: Output) -> None:
    (here / 'empty').mkdir()
    status, out, err = checked(capsys, 'empty')
    assert (status, out) == (1, 'empty: 1 error\n1 file: not ok (1 error)\n')
    assert err == (
        'empty: error[file-not-found]: there are no robot files below this directory\n')


def test_quiet_prints_faults_only(capsys: Output) -> None:
    status, out, err = checked(capsys, 'robots', '--quiet')
    assert status == 1
    assert out == 'robots/arms/bad.urdf: 1 error\n3 files: not ok (1 error)\n'
    assert 'warning' not in err
    assert checked(capsys, 'robots/arms/warns.urdf', '--quiet') == (0, '', '')
    assert checked(capsys, 'robots/arms/warns.urdf', '--quiet', '--strict')[0] == 1


def test_codes_are_ignored_or_selected(capsys: Output) -> None:
    def codes(*arguments: str) -> tuple[int, list[str]]:
        status, out, _ = checked(capsys, 'robots', '--json', *arguments)
        return status, [found['code'] for found in json.loads(out)['diagnostics']]
    assert codes() == (1, ['urdf-not-a-tree', 'unknown-attribute'])
    assert codes('--ignore', 'urdf-not-a-tree') == (0, ['unknown-attribute'])
    assert codes('--select', 'unknown-attribute') == (0, ['unknown-attribute'])
    assert codes('--select', 'unknown-attribute', '--strict') == (1, ['unknown-attribute'])
    assert codes('--ignore', 'urdf-not-a-tree,unknown-attribute') == (0, [])
    assert codes('--ignore', 'urdf-not-a-tree', '--ignore', 'unknown-attribute') == (0, [])
    with pytest.raises(SystemExit) as ended:
        main(['check', 'robots', '--ignore', 'unknown-attribut'])
    assert ended.value.code == 2
    assert "there is no code 'unknown-attribut'; did you mean" in capsys.readouterr().err


def test_nothing_loaded_is_said(capsys: Output) -> None:
    arguments = 'robots/arms/bad.urdf', '--ignore', 'urdf-not-a-tree'
    assert checked(capsys, *arguments) == (0, 'robots/arms/bad.urdf: ok: nothing loaded\n', '')


# ---- standard input

class _Input:

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def test_a_dash_is_standard_input(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, 'stdin', _Input(GOOD.encode()))
    assert checked(capsys, '-')[:2] == (0, '-: ok: urdf 1.0, 1 link, 0 joints, 0 coordinates\n')
    monkeypatch.setattr(sys, 'stdin', _Input(b'robots/good.urdf\n'))
    status, _, err = checked(capsys, '-')
    assert status == 1
    assert err.startswith('-:1:1: error[unknown-format]: standard input does not begin with <')


def test_usage_errors_have_no_control_characters(capsys: Output) -> None:
    with pytest.raises(SystemExit) as ended:
        main(['check', 'a.urdf', '--jobs', '\x1b]0;owned\x07\n[FATAL]'])
    assert ended.value.code == 2
    shown = capsys.readouterr().err
    assert 'owned' in shown and shown.replace('\n', '').isprintable()
    assert not any(line.startswith('[FATAL]') for line in shown.splitlines())


def test_annotations_are_escaped(here: Path, capsys: Output) -> None:
    (here / 'a,b:100%.urdf').write_text(
        '<robot name="r"><link name="l\u009b\u202e"/><link name="l\u009b\u202e"/></robot>')
    out = checked(capsys, 'a,b:100%.urdf', '--format', 'github')[1]
    assert out.startswith('::error file=a%2Cb%3A100%25.urdf,')
    assert '\ufffd' in out and out.replace('\n', '').isprintable()


def test_sarif(here: Path, capsys: Output) -> None:
    (here / 'a b.sdf').write_text(
        '<sdf version="1.9"><world name="w">\n<include><uri>robots/arms/bad.urdf</uri></include>'
        '</world></sdf>')
    (here.parent / 'outside.urdf').write_text(WARNS)
    status, out, _ = checked(
        capsys, './robots', 'a b.sdf', str(here / 'robots/arms/warns.urdf'), '../outside.urdf',
        '--format', 'sarif')
    document = json.loads(out)
    assert (status, document['version']) == (1, '2.1.0')
    [run] = document['runs']
    rules = {rule['id']: rule for rule in run['tool']['driver']['rules']}
    assert rules['unknown-attribute']['shortDescription']['text'] == (
        'The format does not define this attribute on this element')
    first, second, *_ = results = run['results']
    assert (first['level'], second['level']) == ('error', 'warning')
    assert {result['ruleId'] for result in results} == set(rules)
    physical = second['locations'][0]['physicalLocation']
    assert physical == {
        'artifactLocation': {'uri': 'robots/arms/warns.urdf'},
        'region': {'startLine': 2, 'startColumn': 18}}
    uri = results[-1]['locations'][0]['physicalLocation']['artifactLocation']['uri']
    assert uri == f'file://{here.parent}/outside.urdf'
    assert len({json.dumps(result['locations']) for result in results}) == len(results)
    assert all(rule['helpUri'].endswith(f'#{name}') for name, rule in rules.items())
    [result] = json.loads(checked(capsys, 'a b.sdf', '--format', 'sarif')[1])['runs'][0]['results']
    [related] = result['relatedLocations']
    assert related['physicalLocation']['artifactLocation'] == {'uri': 'a%20b.sdf'}


def test_junit(capsys: Output) -> None:
    status, out, _ = checked(capsys, 'robots', '--format', 'junit')
    assert status == 1
    [suite] = ElementTree.fromstring(out)
    assert (suite.attrib['tests'], suite.attrib['failures']) == ('3', '1')
    good, bad, warns = suite
    assert [case.attrib['name'] for case in suite] == [
        'robots/good.urdf', 'robots/arms/bad.urdf', 'robots/arms/warns.urdf']
    assert len(good) == 0
    assert 'error[urdf-not-a-tree]' in bad.find('failure').attrib['message']
    assert 'warning[unknown-attribute]' in warns.find('system-out').text


@pytest.mark.parametrize('name', ['json', 'github', 'sarif', 'junit'])
def test_formats_are_ascii_and_survive_strange_files(
    name: str, here: Path, capsys: Output,
) -> None:
    file = os.fsdecode(b'\xff\xfe\x1b.urdf')
    (here / file).write_text('<robot name="r"><link name="a\x1b"/></robot>')
    status, out, err = checked(capsys, file, '--format', name)
    assert status == 1 and 'internal error' not in err
    if name == 'sarif':
        assert '"%FF%FE%1B.urdf"' in out
    if name == 'junit':
        ElementTree.fromstring(out)
    if name != 'github':
        assert out.isascii()


def test_json_names_the_checked_file(here: Path, capsys: Output) -> None:
    (here / 'a.sdf').write_text(
        '<sdf version="1.9"><world name="w"><include><uri>robots/arms/warns.urdf</uri></include>'
        '</world></sdf>')
    _, out, _ = checked(capsys, 'a.sdf', '--json')
    found = next(
        one for one in json.loads(out)['diagnostics'] if one['code'] == 'unknown-attribute')
    assert found['file'].endswith('robots/arms/warns.urdf')
    assert found['checked_file'] == 'a.sdf'


# ---- settings

def test_settings_of_the_project(
    here: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip(TOML)
    (here / 'pyproject.toml').write_text(
        '[tool.hrdf]\nignore = ["urdf-not-a-tree"]\nstrict = true\n')
    monkeypatch.chdir(here / 'robots')
    assert checked(capsys, 'arms/bad.urdf')[0] == 0
    assert checked(capsys, 'arms/warns.urdf')[0] == 1
    (here / '.hrdf.toml').write_text('quiet = true\n')  # goes before pyproject.toml
    assert checked(capsys, 'arms/warns.urdf') == (0, '', '')


def test_settings_are_relative_to_their_file(
    here: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip(TOML)
    (here / 'robots' / 'a.stl').touch()
    (here / '.hrdf.toml').write_text(
        'path = ["robots"]\npackages = {mine = "robots"}\nresource-limits = {frames = 7}\n')
    (here / 'a.urdf').write_text(
        '<robot name="r"><link name="l"><visual><geometry><mesh filename="package://mine/a.stl"/>'
        '</geometry></visual></link></robot>')
    monkeypatch.chdir(here / 'robots' / 'arms')
    options: dict[str, Any] = {}
    monkeypatch.setattr(
        'hrdf_ros.cli.check.check_files',
        lambda given: options.update(vars(given)) or check_files(given))
    assert checked(capsys, '../../a.urdf', '--strict')[0] == 0
    assert options['path'] == [str(here / 'robots')]
    assert options['resource_limit'] == [('frames', 7)]


@pytest.mark.parametrize(('text', 'message'), [
    ('ignor = []', "there is no setting 'ignor'; did you mean 'ignore'?"),
    ('ignore = ["nosuch"]', ".hrdf.toml: ignore: there is no code 'nosuch'"),
    ('ignore = "axis-zero"', 'ignore: this is not a list of strings'),
    ('strict = 1', 'strict: this is not true or false'),
    ('xacro = true', 'xacro: this is not false: --xacro must be given by the user'),
    ('jobs = 0', ".hrdf.toml: jobs: '0' is not a whole number above 0"),
    ('packages = {mine = 1}', 'packages: this is not a table of strings'),
    ('resource-limits = {nosuch = 1}', "resource-limits: there is no resource limit 'nosuch'"),
    ('resource-limits = {frames = 900000}', 'resource-limits: a project cannot raise a limit'),
    (f'{"a." * 40_000}b = 1', 'keys of so many parts'),
    ('"x".' * 4000 + 'd = 1', 'keys of so many parts'),
    (' ' * (1 << 20) + '\n', 'are not read'),
    (f'ignore = {"[" * 100_000}', 'nested too deeply'),
    ('x = ', 'Invalid value')])
def test_wrong_settings_are_wrong_usage(
    text: str, message: str, here: Path, capsys: Output,
) -> None:
    pytest.importorskip(TOML)
    (here / '.hrdf.toml').write_text(text)
    status, _, err = checked(capsys, 'robots')
    assert status == 2
    assert f'{here}/.hrdf.toml: ' in err and message in err


def test_settings_before_python_3_11(
    here: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch,
) -> None:
    (here / '.hrdf.toml').write_text('quiet = true\n')
    monkeypatch.setitem(sys.modules, 'tomllib', None)
    monkeypatch.setitem(sys.modules, 'tomli', None)
    status, _, err = checked(capsys, 'robots/good.urdf')
    assert status == 2
    assert 'settings require Python 3.11 or the package tomli' in err
    monkeypatch.setitem(sys.modules, 'tomli', SimpleNamespace(loads=lambda _: {'quiet': True}))
    assert checked(capsys, 'robots/good.urdf') == (0, '', '')


# ---- packages, terminals

def test_a_package_by_its_manifest(here: Path, capsys: Output) -> None:
    (here / 'robots' / 'package.xml').write_text('<package><name> mine </name></package>')
    (here / 'robots' / 'a.stl').touch()
    (here / 'a.urdf').write_text(
        '<robot name="r"><link name="l"><visual><geometry><mesh filename="package://mine/a.stl"/>'
        '</geometry></visual></link></robot>')
    assert checked(capsys, 'a.urdf', '--strict', '--package', 'robots')[0] == 0
    for directory in ('nosuch', '.'):
        with pytest.raises(SystemExit) as ended:
            main(['check', 'a.urdf', '--package', directory])
        assert ended.value.code == 2
        assert 'is not NAME=DIR or a directory with a package.xml' in capsys.readouterr().err


def test_color_is_chosen(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_colored(*arguments: str) -> bool:
        return '\x1b[' in checked(capsys, 'robots/arms/bad.urdf', *arguments)[2]
    assert not is_colored()
    assert is_colored('--color', 'always')
    monkeypatch.setenv('FORCE_COLOR', '1')
    assert is_colored()
    assert not is_colored('--color', 'never')
    monkeypatch.setenv('NO_COLOR', '1')
    assert not is_colored()
    assert is_colored('--color', 'always')


@pytest.mark.parametrize('columns', [40, 72, 200])
def test_excerpts_fit_the_terminal(
    columns: int, here: Path, capsys: Output,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv('COLUMNS', str(columns))
    monkeypatch.setenv('TERM', 'dumb')
    monkeypatch.setattr('sys.stderr.isatty', lambda: True)
    for text in ('<link name="a" x="1"/>', '<!-- 日本 -->' * 30 + '\t<link name="a" x="1"/>'):
        (here / 'long.urdf').write_text(
            '<robot name="r">' + ' ' * 3 + text + '<!-- ' + 'long ' * 100 + '--></robot>')
        _, source, caret, *_ = checked(capsys, 'long.urdf')[2].splitlines()
        wide = sum(ord(one) > 0x3000 for one in source)
        assert len(source) + wide <= columns
        before = source[:source.index('x="1"')]
        assert caret.index('^') == len(before) + sum(ord(one) > 0x3000 for one in before)


def test_what_several_diagnostics_say_is_said_once(here: Path, capsys: Output) -> None:
    (here / 'many.hrdf').write_text(
        '<robot version="1.6.0">\n' + '<joint axis="RX"/>\n' * 90 + '</robot>')
    err = checked(capsys, 'many.hrdf')[2].splitlines()
    assert len(err) == 4
    assert err[0].startswith('many.hrdf:2:14: warning[wrong-case]: ')
    assert err[3] == '  also at 3:14, 4:14, 5:14, 6:14, 7:14 and 84 more'


@pytest.mark.parametrize('columns', [45, 60])
def test_rows_of_tables_wrap(
    columns: int, capsys: Output, monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert main(['frames', 'robots/good.urdf']) == 0
    whole = capsys.readouterr().out.splitlines()
    assert len(whole) == 2
    monkeypatch.setenv('COLUMNS', str(columns))
    monkeypatch.setattr('sys.stdout.isatty', lambda: True)
    assert main(['frames', 'robots/good.urdf']) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4 and max(map(len, lines)) <= columns
    assert ' '.join(lines).split() == ' '.join(whole).split()
    assert len({len(line) for line in lines}) == 1
