# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf check``, and how every command shows diagnostics and ends."""

from __future__ import annotations

from collections.abc import Iterator
import io
import json
import os
from pathlib import Path
import sys
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

from helpers.scaling import peak_memory
from helpers.terminal import Run
from hrdf_ros.cli.check import check_files, CheckRequest
from hrdf_ros.cli.command import COMMANDS
from hrdf_ros.cli.output import Checked
from hrdf_ros.cli.robot_files import robot_files
from hrdf_ros.file_reader import open_regular
import pytest

FOUR_BAR = Path(__file__).parents[2] / 'examples' / 'sdf' / 'four_bar.sdf'
TOML = 'tomllib' if sys.version_info >= (3, 11) else 'tomli'
ARM = """\
<robot version="1.6.0">
  <actuator type="X5-4" tag="base"/>
  <link type="X5" extension="0.3" twist="0"/>
</robot>
"""
BAD_ARM = '<robot version="1.6.0">\n\t<actuator type="X6-4"/>\n</robot>\n'
GOOD = '<robot name="good"><link name="a"/></robot>\n'
BAD = '<robot name="bad">\n  <link name="a"/>\n  <link name="é b"/>\n</robot>\n'
WARNS = '<robot name="warns">\n  <link name="a" x="1"/>\n</robot>\n'
MESH = ('<robot name="r"><link name="l"><visual><geometry><mesh filename="package://mine/a.stl"/>'
        '</geometry></visual></link></robot>')


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory with a good and a bad arm, and robots below it."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
            'good.hrdf': ARM, 'bad.hrdf': BAD_ARM,
            'robots/good.urdf': GOOD, 'robots/arms/bad.urdf': BAD, 'robots/arms/warns.urdf': WARNS,
            'robots/.hidden/bad.urdf': BAD, 'robots/readme.md': 'text',
            'robots/x.urdf.xacro': GOOD}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_bad_file_is_shown_with_line_and_caret(hrdf: Run) -> None:
    status, out, err = hrdf('check bad.hrdf')
    assert (status, out) == (1, 'bad.hrdf: 1 error\n')
    head, source, caret = err.splitlines()[:3]
    assert head.startswith('bad.hrdf:2:18: error[')
    assert source == '      <actuator type="X6-4"/>'
    assert caret.index('^') == source.index('X6-4')


def test_each_file_has_its_own_limit_of_diagnostics(hrdf: Run) -> None:
    text = '<robot version="1.6.0">' + '<joint axis="RX"/>' * 600 + '</robot>'
    found = hrdf('check --json a.hrdf b.hrdf', files={'a.hrdf': text, 'b.hrdf': text})
    assert [one['code'] for one in found.json('check')['diagnostics']] == ['wrong-case'] * 1200


def test_include_chain(hrdf: Run) -> None:
    text = '<robot version="1.6.0">\n  <include path="bad.hrdf"/>\n</robot>'
    assert '  included from main.hrdf:2:' in hrdf('check main.hrdf', files={'main.hrdf': text}).err
    [found, *_] = hrdf('check --json main.hrdf').json('check')['diagnostics']
    [included] = found['included_from']
    assert (found['file'], included['file'], included['line']) == ('bad.hrdf', 'main.hrdf', 2)
    assert found['checked_file'] == 'main.hrdf'
    document = hrdf('check --json nosuch.hrdf').json('check')
    assert document['ok'] is False
    assert [(one['file'], one['line'], one['column']) for one in document['diagnostics']] == [
        ('nosuch.hrdf', None, None)]


@pytest.mark.parametrize(('line', 'status', 'out', 'err'), [
    ('check nosuch.hrdf', 1, 'nosuch.hrdf: 1 error\n',
     'nosuch.hrdf: error[file-not-found]: the file nosuch.hrdf does not exist\n'),
    ('check good.hrdf --path nosuch', 0, 'good.hrdf: ok: hrdf 1.6.0, ',
     "hrdf: warning: --path: there is no directory 'nosuch'\n"),
    ('check empty', 1, 'empty: 1 error\n1 file: not ok (1 error)\n',
     'empty: error[file-not-found]: there are no robot files below this directory\n'),
    ('check robots/arms/bad.urdf --ignore urdf-not-a-tree', 0,
     'robots/arms/bad.urdf: ok: nothing loaded\n', ''),
    ('check robots/arms --quiet', 1,
     'robots/arms/bad.urdf: 1 error\n2 files: not ok (1 error)\n', 'robots/arms/bad.urdf:'),
    ('check robots/arms/warns.urdf --quiet', 0, '', ''),
    ('check robots/arms/warns.urdf --quiet --strict', 1, 'robots/arms/warns.urdf: 1 error\n',
     'robots/arms/warns.urdf:2:18: error[unknown-attribute]'),
    ('', 0, 'usage: hrdf COMMAND', '')])
def test_verdicts(line: str, status: int, out: str, err: str, hrdf: Run) -> None:
    Path('empty').mkdir()
    done = hrdf(line)
    assert done.status == status
    assert done.out.startswith(out) if out else done.out == ''
    assert done.err.startswith(err) if err else done.err == ''


@pytest.mark.parametrize('name', ['<robot>', ' <x.hrdf'])
def test_a_name_is_never_text(name: str, hrdf: Run) -> None:
    assert hrdf('check', name).status == 1
    assert hrdf('check', name, files={name: ARM}).status == 0


@pytest.mark.parametrize(('name', 'hint'), [
    ('lfet', "did you mean 'left'?"), ('x', 'there are left, right')])
@pytest.mark.parametrize(('file', 'text'), [
    ('a.sdf', '<sdf version="1.9"><world name="w"><model name="left"><link name="l"/></model>'
     '<model name="right"><link name="l"/></model></world></sdf>'),
    ('a.skel', '<skel version="1.0"><world><skeleton name="left"/><skeleton name="right"/></world>'
     '</skel>')])
def test_a_model_that_is_not_there(name: str, hint: str, file: str, text: str, hrdf: Run) -> None:
    status, _, err = hrdf(f'check {file} --model-name {name}', files={file: text})
    assert status == 1 and f'  hint: {hint}' in err


def test_strict_makes_warnings_errors(hrdf: Run) -> None:
    status, out, err = hrdf('check robots/arms/warns.urdf')
    assert status == 0 and out.endswith(' (1 warning)\n') and ': warning[' in err
    status, out, err = hrdf('check --strict robots/arms/warns.urdf')
    assert (status, out) == (1, 'robots/arms/warns.urdf: 1 error\n') and ': warning[' not in err


def test_nothing_steers_the_terminal(hrdf: Run) -> None:
    found = hrdf('check evil.hrdf', files={'evil.hrdf': ARM.replace('X5-4', '\x9b2J')})
    assert '\x9b' not in found.out + found.err
    found = hrdf('check', '\x1b[2J')
    assert '\x1b' not in found.out + found.err
    status, _, err = hrdf('check a.urdf --jobs', '\x1b]0;owned\x07\n[FATAL]')
    assert status == 2 and 'owned' in err and err.replace('\n', '').isprintable()
    assert not any(line.startswith('[FATAL]') for line in err.splitlines())


@pytest.mark.parametrize('verb', ['', *COMMANDS])
def test_help_has_examples_and_fits_a_terminal(
    verb: str, hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv('COLUMNS', '80')
    status, out, _ = hrdf(f'{verb} --help')
    assert status == 0
    assert 0 < out.index(f'for example:\n  hrdf {verb}') < out.index('options:')
    assert out.count('Exit status: 0 ') == 1
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize('verb', ['check', 'convert', 'frames', 'tree', 'diff'])
def test_options_that_every_command_takes(verb: str, hrdf: Run) -> None:
    files = 'good.hrdf good.hrdf' if verb == 'diff' else 'good.hrdf'
    assert hrdf(
        f'{verb} {files} --path . --package p=. --naming hebi --joint-names turn '
        '--resource-limit frames=100 --resource-limit includes=0').status == 0
    limited = hrdf(f'{verb} {files} --resource-limit frames=1')
    assert limited.status == (2 if verb == 'diff' else 1)
    assert 'error[too-many-frames]' in limited.err


def test_an_internal_error_is_reported_without_a_traceback(
    hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError('oh')
    monkeypatch.setattr('hrdf_ros.cli.check.load_file', fail)
    status, _, err = hrdf('check good.hrdf')
    assert status == 1 and 'Traceback' not in err
    assert err.startswith('hrdf: error: internal error: ZeroDivisionError: oh\n')
    monkeypatch.setenv('HRDF_TRACEBACK', '1')
    with pytest.raises(ZeroDivisionError):
        hrdf('check good.hrdf')


def test_a_pipe_does_not_block(hrdf: Run) -> None:
    os.mkfifo('pipe.hrdf')
    status, _, err = hrdf('check pipe.hrdf')
    assert status == 1 and 'error[file-not-regular]' in err


@pytest.mark.parametrize('verb', ['frames', 'tree', 'info'])
def test_commands_that_take_positions(verb: str, hrdf: Run) -> None:
    assert hrdf(f'{verb} good.hrdf --joint-names turn --position turn=0.5').status == 0
    assert hrdf(f'{verb} good.hrdf --joint-names turn --positions -0.5').status == 0
    assert hrdf(f'{verb} {FOUR_BAR} --position drive=0.5').status == 0
    status, _, err = hrdf(f'{verb} {FOUR_BAR} --position drive=0.5 --position pivot=-2')
    assert status == 1 and 'error[loop-open]' in err


@pytest.mark.parametrize(('text', 'file'), [
    (ARM, 'a.hrdf'), (GOOD, 'a.urdf'),
    ('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>', 'a.sdf'),
    ('<skel version="1.0"><world><skeleton name="s"><body name="b"/><joint type="free" name="j">'
     '<parent>world</parent><child>b</child></joint></skeleton></world></skel>', 'a.skel')])
def test_joint_names_that_do_not_fit_are_reported_for_their_file(
    text: str, file: str, hrdf: Run,
) -> None:
    err = hrdf(f'check {file} --joint-names a,b,c,d,e,f,g', files={file: text}).err
    assert f'{file}:1:' in err and 'error[joint-names-mismatch]' in err


# ---- several files

@pytest.mark.parametrize('jobs', ['', '--jobs 1', '--jobs 3'])
def test_a_directory_is_every_robot_file_below_it(jobs: str, hrdf: Run) -> None:
    status, out, err = hrdf(f'check robots {jobs}')
    assert (status, out) == (1, (
        'robots/good.urdf: ok: urdf 1.0, 1 link, 0 joints, 0 coordinates\n'
        'robots/arms/bad.urdf: 1 error\n'
        'robots/arms/warns.urdf: ok: urdf 1.0, 1 link, 0 joints, 0 coordinates (1 warning)\n'
        '3 files: not ok (1 error, 1 warning)\n'))
    assert err.splitlines()[0].startswith('robots/arms/bad.urdf:')
    assert '  <link name="a" x="1"/>' in err


def test_jobs_are_no_more_than_processors(
    here: Path, hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip(TOML)
    seen: list[int] = []
    monkeypatch.setattr('os.sched_getaffinity', lambda _: {0, 1})
    monkeypatch.setattr(
        'hrdf_ros.cli.workers.run_in_workers',
        lambda check, files, jobs: seen.append(jobs) or map(check, files))
    assert hrdf('check robots --jobs 64').status == 1
    (here / '.hrdf.toml').write_text('jobs = 64\n')
    assert hrdf('check robots').status == 1
    assert seen == [2, 2]


def test_directories_may_be_deep(tmp_path: Path) -> None:
    levels = [tmp_path.joinpath(*['d'] * depth) for depth in range(1, 1100)]
    for level in levels:
        level.mkdir()
    assert list(robot_files(str(tmp_path / 'd'))) == []
    for level in reversed(levels):  # pytest could not remove them
        level.rmdir()


@pytest.mark.parametrize(('options', 'status', 'codes'), [
    ('', 1, ['urdf-not-a-tree', 'unknown-attribute']),
    ('--ignore urdf-not-a-tree', 0, ['unknown-attribute']),
    ('--select unknown-attribute', 0, ['unknown-attribute']),
    ('--select unknown-attribute --strict', 1, ['unknown-attribute']),
    ('--ignore urdf-not-a-tree,unknown-attribute', 0, []),
    ('--ignore urdf-not-a-tree --ignore unknown-attribute', 0, [])])
def test_codes_are_ignored_or_selected(
    options: str, status: int, codes: list[str], hrdf: Run,
) -> None:
    found = hrdf(f'check robots --json {options}')
    assert found.status == status
    assert [one['code'] for one in found.json('check')['diagnostics']] == codes


def test_a_dash_is_standard_input(hrdf: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(data: bytes) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, 'stdin', SimpleNamespace(buffer=io.BytesIO(data)))
        return hrdf('check -')
    assert check(GOOD.encode())[:2] == (
        0, '-: ok: urdf 1.0, 1 link, 0 joints, 0 coordinates\n')
    status, _, err = check(b'robots/good.urdf\n')
    assert status == 1
    assert err.startswith('-:1:1: error[unknown-format]: standard input does not begin with <')


# ---- which files of a directory

MJCF = '<mujoco><worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>'
XACRO = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"'
MATERIALS = '<robot name="r"><material name="m"/></robot>'
MACROS = f'{XACRO} name="m"><xacro:macro name="leg"><link name="l"/></xacro:macro></robot>'
CALLS = f'{XACRO} name="r"><xacro:include filename="m.xacro"/><xacro:leg/></robot>'


@pytest.mark.parametrize(('name', 'text', 'is_found'), [
    ('a.xml', MJCF, True), ('a.xml', GOOD, True), ('a.XML', ARM, True),
    ('a.xml', '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>', True),
    ('a.xml', '<skel version="1.0"><world/></skel>', True),
    ('package.xml', '<package><name>p</name></package>', False),
    ('a.xml', 'text', False), ('a.txt', GOOD, False),
    ('a.xml', '<robot name="r"><group name="arm"/></robot>', False),
    ('part.xml', '<mujoco><asset><material name="m"/></asset></mujoco>', False),
    ('part.xml', '<mujoco><worldbody><site name="s"/></worldbody></mujoco>', False),
    ('part.mjcf', '<mujocoinclude><body name="b"/></mujocoinclude>', True),
    ('part.xml', '<mujocoinclude><body name="b"/></mujocoinclude>', False),
    ('scene.xml', '<mujoco><include file="a.xml"/></mujoco>', True),
    ('macros.urdf', MACROS, False), ('materials.urdf', MATERIALS, False),
    ('a.urdf', CALLS, True), ('faulty.urdf', 'text', True)])
def test_files_of_a_directory_are_selected_by_content(
    name: str, text: str, is_found: bool, hrdf: Run,
) -> None:
    found = hrdf('check --json some', files={f'some/{name}': text})
    assert (found.json('check')['files'] == [f'some/{name}']) is is_found


@pytest.mark.parametrize(('include', 'count'), [
    ('$(find r)/xacro/body.xacro', 1), ('body.xacro', 1), ('materials.xacro', 0),
    ('missing.xacro', 0), ('$(arg file)', 0)])
def test_a_robot_may_be_in_a_file_that_a_xacro_file_includes(
    include: str, count: int, hrdf: Run,
) -> None:
    err = hrdf('check r', files={
        'r/package.xml': '<package><name>r</name></package>',
        'r/xacro/body.xacro': f'{XACRO}><link name="l"/></robot>',
        'r/xacro/materials.xacro': f'{XACRO}><material name="m"/></robot>',
        'r/xacro/robot.xacro': f'{XACRO} name="r"><xacro:include filename="{include}"/></robot>',
    }).err
    assert ('there are xacro files with a robot (1)' in err) is bool(count)


def test_a_file_that_is_included_again_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    include = '<xacro:include filename="m.xacro"/>'
    (tmp_path / 'r.xacro').write_text(f'{XACRO} name="r">{include * 50}</robot>')
    (tmp_path / 'm.xacro').write_text(
        f'{XACRO}><xacro:macro name="leg"><link name="a"/></xacro:macro></robot>')
    opened: list[str] = []

    def open_once(file: str) -> Any:
        opened.append(os.path.basename(file))
        return open_regular(file)

    monkeypatch.setattr('hrdf_ros.cli.robot_files.open_regular', open_once)
    list(robot_files(str(tmp_path)))
    assert opened.count('m.xacro') == 2  # as a file of the directory, and as an included one


def test_a_file_that_is_too_large_is_a_robot_by_its_beginning(here: Path, hrdf: Run) -> None:
    for name in ('large.urdf', 'large.xml', 'other.xml'):
        (here / name).write_text('<a>' if name.startswith('other') else '<robot><link name="a"/>')
        os.truncate(here / name, 1 << 28)
    assert peak_memory(lambda: list(robot_files('.'))) < 1 << 28
    _, out, err = hrdf('check .')
    assert 'large.urdf is larger than' in err and 'large.xml is larger than' in err
    assert 'other.xml' not in out + err


def test_xacro_files_of_a_directory_are_expanded_when_asked(hrdf: Run) -> None:
    pytest.importorskip('xacro')
    files = {
        'some/good.urdf': GOOD, 'some/macros.xacro': MACROS,
        'some/r.urdf.xacro': CALLS.replace('m.xacro', 'macros.xacro'),
        'some/named.urdf': CALLS.replace('m.xacro', 'macros.xacro')}
    found = hrdf('check some --json', files=files)
    assert found.json('check')['files'] == ['some/good.urdf', 'some/named.urdf']
    assert 'xacro-markup' in [one['code'] for one in found.json('check')['diagnostics']]
    assert found.err.startswith('1 xacro file is not expanded and not checked; --xacro ')
    found = hrdf('check some --xacro --json')
    assert (found.status, found.err) == (0, '')
    assert found.json('check')['files'] == [
        'some/good.urdf', 'some/named.urdf', 'some/r.urdf.xacro']
    Path('some/good.urdf').unlink()
    Path('some/named.urdf').unlink()
    status, _, err = hrdf('check some')
    assert status == 1 and 'there are xacro files with a robot (1), which --xacro expands' in err


@pytest.mark.parametrize(('options', 'files'), [
    ('robots --exclude arms', ['robots/good.urdf']),
    ('robots --exclude robots/arms/', ['robots/good.urdf']),
    ('robots --exclude good.*', ['robots/arms/bad.urdf', 'robots/arms/warns.urdf']),
    ('robots --exclude robots/*/b*.urdf', ['robots/good.urdf', 'robots/arms/warns.urdf']),
    ('robots --exclude nosuch/good.urdf --exclude arms', ['robots/good.urdf']),
    ('robots/arms/bad.urdf --exclude arms', ['robots/arms/bad.urdf']),
    ('robots/arms/bad.urdf robots/readme.md good.hrdf --exclude arms --force-exclude',
     ['good.hrdf']),
    ('nosuch.urdf --force-exclude', ['nosuch.urdf'])])
def test_files_are_excluded(options: str, files: list[str], hrdf: Run) -> None:
    assert hrdf(f'check --json {options}').json('check')['files'] == files


def test_codes_are_ignored_for_files(here: Path, hrdf: Run) -> None:
    world = ('<sdf version="1.9"><world name="w"><include><uri>robots/arms/warns.urdf</uri>'
             '</include></world></sdf>')
    assert 'unknown-attribute' in hrdf('check w.sdf', files={'w.sdf': world}).err
    for pattern in ('warns.urdf', 'robots/arms/*', 'arms'):
        ignores = f'--per-file-ignores {pattern}=unknown-attribute,axis-zero'
        assert 'unknown-attribute' not in hrdf(f'check w.sdf {ignores}').err
        assert hrdf(f'check robots/arms/warns.urdf --strict {ignores}').status == 0
    assert hrdf('check w.sdf --per-file-ignores warns.urdf').status == 2
    pytest.importorskip(TOML)
    (here / '.hrdf.toml').write_text(
        'exclude = ["robots/arms/bad.urdf"]\nstrict = true\n'
        '[per-file-ignores]\n"robots/arms/w*" = ["unknown-attribute"]\n')
    os.chdir(here / 'robots')
    assert hrdf('check .').status == 0


# ---- known findings

def test_a_baseline_hides_what_is_known_by_its_message(here: Path, hrdf: Run) -> None:
    status, out, _ = hrdf('check robots --write-baseline known.json')
    assert status == 0 and out.endswith('(1 error, 1 warning)\n')
    status, out, err = hrdf('check robots --strict --baseline known.json')
    assert status == 0 and 'error' not in out + err
    assert out.splitlines()[1] == 'robots/arms/bad.urdf: ok: nothing loaded (1 known)'
    bad = here / 'robots' / 'arms' / 'bad.urdf'
    bad.write_text('\n\n' + bad.read_text())
    os.chdir(here / 'robots' / 'arms')
    assert hrdf('check bad.urdf --baseline ../../known.json').status == 0
    os.chdir(here)
    bad.write_text(BAD.replace('é b', 'other'))
    status, out, err = hrdf('check robots --baseline known.json')
    assert status == 1 and 'robots/arms/bad.urdf: 1 error\n' in out
    assert 'known.json: gone: robots/arms/bad.urdf: urdf-not-a-tree: ' in err
    bad.unlink()
    status, out, err = hrdf('check robots/good.urdf --baseline known.json')
    assert status == 0 and 'gone: robots/arms/bad.urdf: ' in err and 'warns.urdf' not in err


def test_a_second_finding_of_the_same_message_is_new(here: Path, hrdf: Run) -> None:
    hrdf('check robots/arms/warns.urdf --write-baseline known.json')
    text = WARNS.replace('  <link', '  <material name="m" x="1"/>\n  <link')
    (here / 'robots' / 'arms' / 'warns.urdf').write_text(text)
    line = 'check robots/arms/warns.urdf --strict --baseline known.json'
    assert hrdf(line).status == 1
    hrdf('check robots/arms/warns.urdf --write-baseline known.json')
    assert hrdf(line).status == 0
    twice = text.replace('<link name="a" x="1"/>', '<link name="a" x="1"><visual x="1"/></link>')
    (here / 'robots' / 'arms' / 'warns.urdf').write_text(twice)
    assert hrdf(line).status == 1


def test_the_setting_of_a_baseline(here: Path, hrdf: Run) -> None:
    pytest.importorskip(TOML)
    hrdf('check robots --write-baseline known.json')
    (here / '.hrdf.toml').write_text('baseline = "known.json"\n')
    os.chdir(here / 'robots')
    assert hrdf('check .').status == 0


@pytest.mark.parametrize('text', ['', '[]', '{"findings": [{"file": "a"}]}'])
def test_what_is_no_baseline_is_refused(text: str, hrdf: Run) -> None:
    status, _, err = hrdf('check robots --baseline b.json', files={'b.json': text})
    assert status == 2 and 'b.json: this is no baseline' in err


def test_a_baseline_replaces_no_robot(hrdf: Run) -> None:
    assert hrdf('check good.hrdf --write-baseline good.hrdf').status == 2
    assert Path('good.hrdf').read_text() == ARM


# ---- formats

def test_annotations_are_escaped(hrdf: Run) -> None:
    text = '<robot name="r"><link name="l\u009b\u202e"/><link name="l\u009b\u202e"/></robot>'
    out = hrdf('check a,b:100%.urdf --format github', files={'a,b:100%.urdf': text}).out
    assert out.startswith('::error file=a%2Cb%3A100%25.urdf,')
    assert '\ufffd' in out and out.replace('\n', '').isprintable()


def test_sarif(here: Path, hrdf: Run) -> None:
    world = ('<sdf version="1.9"><world name="w">\n<include><uri>robots/arms/bad.urdf</uri>'
             '</include></world></sdf>')
    status, out, _ = hrdf(
        f"check ./robots 'a b.sdf' {here}/robots/arms/warns.urdf ../outside.urdf --format sarif",
        files={'a b.sdf': world, '../outside.urdf': WARNS})
    document = json.loads(out)
    assert (status, document['version']) == (1, '2.1.0')
    [run] = document['runs']
    rules = {rule['id']: rule for rule in run['tool']['driver']['rules']}
    assert rules['unknown-attribute']['shortDescription']['text'] == (
        'The format does not define this attribute on this element')
    assert all(rule['helpUri'].endswith(f'#{name}') for name, rule in rules.items())
    first, second, *_ = results = run['results']
    assert (first['level'], second['level']) == ('error', 'warning')
    assert {result['ruleId'] for result in results} == set(rules)
    assert second['locations'][0]['physicalLocation'] == {
        'artifactLocation': {'uri': 'robots/arms/warns.urdf'},
        'region': {'startLine': 2, 'startColumn': 18}}
    uri = results[-1]['locations'][0]['physicalLocation']['artifactLocation']['uri']
    assert uri == f'file://{here.parent}/outside.urdf'
    assert len({json.dumps(result['locations']) for result in results}) == len(results)
    [result] = json.loads(hrdf("check 'a b.sdf' --format sarif").out)['runs'][0]['results']
    [related] = result['relatedLocations']
    assert related['physicalLocation']['artifactLocation'] == {'uri': 'a%20b.sdf'}


def test_junit(hrdf: Run) -> None:
    status, out, _ = hrdf('check robots --format junit')
    [suite] = ElementTree.fromstring(out)
    assert (status, suite.attrib['tests'], suite.attrib['failures']) == (1, '3', '1')
    good, bad, warns = suite
    assert [case.attrib['name'] for case in suite] == [
        'robots/good.urdf', 'robots/arms/bad.urdf', 'robots/arms/warns.urdf']
    assert len(good) == 0
    assert 'error[urdf-not-a-tree]' in bad.find('failure').attrib['message']
    assert 'warning[unknown-attribute]' in warns.find('system-out').text


@pytest.mark.parametrize('name', ['json', 'github', 'sarif', 'junit'])
def test_formats_are_ascii_and_survive_strange_files(name: str, hrdf: Run) -> None:
    file = os.fsdecode(b'\xff\xfe\x1b.urdf')
    status, out, err = hrdf(
        f'check --format {name}', file,
        files={file: '<robot name="r"><link name="a\x1b"/></robot>'})
    assert status == 1 and 'internal error' not in err
    assert name != 'sarif' or '"%FF%FE%1B.urdf"' in out
    assert name != 'junit' or ElementTree.fromstring(out)
    assert name == 'github' or out.isascii()


# ---- settings

def test_settings_of_the_project(here: Path, hrdf: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(TOML)
    (here / 'pyproject.toml').write_text(
        '[tool.hrdf]\nignore = ["urdf-not-a-tree"]\nstrict = true\n')
    monkeypatch.chdir(here / 'robots')
    assert hrdf('check arms/bad.urdf').status == 0
    assert hrdf('check arms/warns.urdf').status == 1
    (here / '.hrdf.toml').write_text('quiet = true\n')  # goes before pyproject.toml
    assert hrdf('check arms/warns.urdf') == (0, '', '')


def test_settings_are_relative_to_their_file(
    here: Path, hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip(TOML)
    (here / 'robots' / 'a.stl').touch()
    (here / '.hrdf.toml').write_text(
        'path = ["robots"]\npackages = {mine = "robots"}\nresource-limits = {frames = 7}\n')
    (here / 'a.urdf').write_text(MESH)
    monkeypatch.chdir(here / 'robots' / 'arms')
    requests: list[CheckRequest] = []

    def check(request: CheckRequest) -> Iterator[Checked]:
        requests.append(request)
        return check_files(request)

    monkeypatch.setattr('hrdf_ros.cli.check.check_files', check)
    assert hrdf('check ../../a.urdf --strict').status == 0
    options = requests[0].reading.options
    assert options.path == [str(here / 'robots')]
    assert options.limits.frames == 7


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
def test_wrong_settings_are_wrong_usage(text: str, message: str, here: Path, hrdf: Run) -> None:
    pytest.importorskip(TOML)
    status, _, err = hrdf('check robots', files={'.hrdf.toml': text})
    assert status == 2
    assert f'{here}/.hrdf.toml: ' in err and message in err


def test_settings_before_python_3_11(hrdf: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'tomllib', None)
    monkeypatch.setitem(sys.modules, 'tomli', None)
    status, _, err = hrdf('check robots/good.urdf', files={'.hrdf.toml': 'quiet = true\n'})
    assert status == 2 and 'settings require Python 3.11 or the package tomli' in err
    monkeypatch.setitem(sys.modules, 'tomli', SimpleNamespace(loads=lambda _: {'quiet': True}))
    assert hrdf('check robots/good.urdf') == (0, '', '')


def test_a_package_by_its_manifest(hrdf: Run) -> None:
    assert hrdf('check a.urdf --strict --package robots', files={
        'robots/package.xml': '<package><name> mine </name></package>', 'robots/a.stl': '',
        'a.urdf': MESH}).status == 0


# ---- terminals

def test_color_is_chosen(hrdf: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_colored(options: str = '') -> bool:
        return '\x1b[' in hrdf(f'check robots/arms/bad.urdf {options}').err
    assert not is_colored() and is_colored('--color always')
    monkeypatch.setenv('FORCE_COLOR', '1')
    assert is_colored() and not is_colored('--color never')
    monkeypatch.setenv('NO_COLOR', '1')
    assert not is_colored() and is_colored('--color always')


@pytest.mark.parametrize('columns', [40, 72, 200])
def test_excerpts_fit_the_terminal(
    columns: int, hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv('COLUMNS', str(columns))
    monkeypatch.setenv('TERM', 'dumb')
    monkeypatch.setattr('sys.stderr.isatty', lambda: True)
    for text in ('<link name="a" x="1"/>', '<!-- 日本 -->' * 30 + '\t<link name="a" x="1"/>'):
        robot = '<robot name="r">   ' + text + '<!-- ' + 'long ' * 100 + '--></robot>'
        _, source, caret, *_ = hrdf(
            'check long.urdf', files={'long.urdf': robot}).err.splitlines()
        wide = sum(ord(one) > 0x3000 for one in source)
        assert len(source) + wide <= columns
        before = source[:source.index('x="1"')]
        assert caret.index('^') == len(before) + sum(ord(one) > 0x3000 for one in before)


def test_what_several_diagnostics_say_is_said_once(hrdf: Run) -> None:
    text = '<robot version="1.6.0">\n' + '<joint axis="RX"/>\n' * 90 + '</robot>'
    err = hrdf('check many.hrdf', files={'many.hrdf': text}).err.splitlines()
    assert len(err) == 4
    assert err[0].startswith('many.hrdf:2:14: warning[wrong-case]: ')
    assert err[3] == '  also at 3:14, 4:14, 5:14, 6:14, 7:14 and 84 more'


@pytest.mark.parametrize(('columns', 'count'), [(45, 6), (60, 4)])
def test_rows_of_tables_wrap(
        columns: int, count: int, hrdf: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = hrdf('frames robots/good.urdf').out.splitlines()
    assert len(whole) == 2
    monkeypatch.setenv('COLUMNS', str(columns))
    monkeypatch.setattr('sys.stdout.isatty', lambda: True)
    lines = hrdf('frames robots/good.urdf').out.splitlines()
    assert len(lines) == count and max(map(len, lines)) <= columns
    assert ' '.join(lines).split() == ' '.join(whole).split()
    assert len({len(line) for line in lines}) == 1


# ---- for whom

def test_for_names_the_consumer_in_json(hrdf: Run) -> None:
    text = GOOD.replace('name="good"', 'name="good" version="1.2"')
    done = hrdf('check --json --for rviz,moveit a.urdf', files={'a.urdf': text})
    found = done.json('check')['diagnostics']
    assert [(one['code'], one['consumer']) for one in found] == [
        ('newer-than-version', None), ('consumer-refuses', 'rviz'), ('consumer-refuses', 'moveit')]
    assert done.status == 1


def test_settings_say_whom_a_project_is_for(hrdf: Run) -> None:
    pytest.importorskip(TOML)
    text = GOOD.replace('name="good"', 'name="good" version="1.2"')
    files = {'a.urdf': text, '.hrdf.toml': 'for = ["rviz"]'}
    assert 'RViz refuses' in hrdf('check a.urdf', files=files).err
    assert 'consumer-refuses' not in hrdf('frames a.urdf').err


def test_an_unknown_consumer_gets_the_nearest(hrdf: Run) -> None:
    done = hrdf('check --for rvis good.hrdf')
    assert done.status == 2 and "did you mean 'rviz'?" in done.err
