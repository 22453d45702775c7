# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf check``, and how the command shows diagnostics and ends."""

import json
import os
from pathlib import Path

from hrdf_ros.cli import main
from hrdf_ros.cli.command import COMMANDS
import jsonschema
import pytest

Output = pytest.CaptureFixture[str]
SCHEMAS = Path(__file__).parents[2] / 'docs' / 'schema'
GOOD = """\
<robot version="1.6.0">
  <actuator type="X5-4" tag="base"/>
  <link type="X5" extension="0.3" twist="0"/>
</robot>
"""
BAD = """\
<robot version="1.6.0">
\t<actuator type="X6-4"/>
</robot>
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory, with a good and a bad file in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv('NO_COLOR', raising=False)
    (tmp_path / 'good.hrdf').write_text(GOOD)
    (tmp_path / 'bad.hrdf').write_text(BAD)
    return tmp_path


def checked(capsys: Output, *arguments: str) -> tuple[int, str, str]:
    status = main(['check', *arguments])
    return (status, *capsys.readouterr())


def as_json(capsys: Output, *arguments: str) -> tuple[int, dict]:
    status, out, err = checked(capsys, '--json', *arguments)
    assert err == ''
    document = json.loads(out)
    jsonschema.validate(document, json.loads((SCHEMAS / 'check.schema.json').read_text()))
    assert document['ok'] is (status == 0)
    return status, document


def test_a_bad_file_is_shown_with_line_and_caret(capsys: Output) -> None:
    status, out, err = checked(capsys, 'bad.hrdf')
    assert status == 1
    assert out == 'bad.hrdf: 1 error\n'
    head, source, caret = err.splitlines()[:3]
    assert head.startswith('bad.hrdf:2:18: error[')
    assert source == '      <actuator type="X6-4"/>'
    assert caret.index('^') == source.index('X6-4')


def test_each_file_has_its_own_limit_of_diagnostics(here: Path, capsys: Output) -> None:
    for name in ('many.hrdf', 'more.hrdf'):
        (here / name).write_text(
            '<robot version="1.6.0">' + '<joint axis="RX"/>' * 600 + '</robot>')
    _, document = as_json(capsys, 'many.hrdf', 'more.hrdf')
    assert [found['code'] for found in document['diagnostics']] == ['wrong-case'] * 1200


def test_include_chain(here: Path, capsys: Output) -> None:
    (here / 'main.hrdf').write_text(
        '<robot version="1.6.0">\n  <include path="bad.hrdf"/>\n</robot>')
    _, _, err = checked(capsys, 'main.hrdf')
    assert '  included from main.hrdf:2:' in err
    _, document = as_json(capsys, 'main.hrdf')
    [found] = [found for found in document['diagnostics'] if found['severity'] == 'error']
    assert found['file'] == 'bad.hrdf'
    assert found['included_from'][0]['file'] == 'main.hrdf'
    assert found['included_from'][0]['line'] == 2


def test_a_missing_file_is_an_error(capsys: Output) -> None:
    status, out, err = checked(capsys, 'nosuch.hrdf')
    assert (status, out) == (1, 'nosuch.hrdf: 1 error\n')
    assert err == 'nosuch.hrdf: error[file-not-found]: the file nosuch.hrdf does not exist\n'
    [found] = as_json(capsys, 'nosuch.hrdf')[1]['diagnostics']
    assert (found['file'], found['line'], found['column']) == ('nosuch.hrdf', None, None)


@pytest.mark.parametrize('name', ['<robot>', ' <x.hrdf'])
def test_a_name_is_never_text(here: Path, name: str, capsys: Output) -> None:
    assert checked(capsys, name)[0] == 1
    (here / name).write_text(GOOD)
    assert checked(capsys, name)[0] == 0


@pytest.mark.parametrize(('name', 'hint'), [
    ('lfet', "did you mean 'left'?"), ('x', 'there are left, right')])
@pytest.mark.parametrize(('file', 'text'), [
    ('a.sdf', '<sdf version="1.9"><world name="w"><model name="left"><link name="l"/></model>'
     '<model name="right"><link name="l"/></model></world></sdf>'),
    ('a.skel', '<skel version="1.0"><world><skeleton name="left"/><skeleton name="right"/></world>'
     '</skel>')])
def test_a_model_that_is_not_there(
    name: str, hint: str, file: str, text: str, here: Path, capsys: Output,
) -> None:
    (here / file).write_text(text)
    status, document = as_json(capsys, file, '--model-name', name)
    assert status == 1
    assert hint in [found['hint'] for found in document['diagnostics']]


def test_strict_makes_warnings_errors(here: Path, capsys: Output) -> None:
    (here / 'warns.hrdf').write_text(GOOD.replace('X5-4', 'x5-4'))
    status, out, err = checked(capsys, 'warns.hrdf')
    assert status == 0
    assert out.endswith(' (1 warning)\n')
    assert 'warns.hrdf:2:' in err and ': warning[' in err
    status, out, err = checked(capsys, '--strict', 'warns.hrdf')
    assert (status, out) == (1, 'warns.hrdf: 1 error\n')
    assert ': warning[' not in err


def test_nothing_steers_the_terminal(here: Path, capsys: Output) -> None:
    (here / 'evil.hrdf').write_bytes(GOOD.replace('X5-4', '\x9b2J').encode())
    _, out, err = checked(capsys, 'evil.hrdf')
    assert '\x9b' not in out + err
    assert checked(capsys, '\x1b[2J')[2].isprintable() is False
    _, out, err = checked(capsys, '\x1b[2J')
    assert '\x1b' not in out + err


@pytest.mark.parametrize('verb', ['', *COMMANDS])
def test_help_has_examples_and_fits_a_terminal(
    verb: str, capsys: Output, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv('COLUMNS', '80')
    with pytest.raises(SystemExit) as ended:
        main([*([verb] if verb else []), '--help'])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert 0 < out.index(f'for example:\n  hrdf {verb}') < out.index('options:')
    assert out.count('Exit status: 0 ') == 1
    assert max(map(len, out.splitlines())) <= 80


def test_the_command_alone_shows_its_help(capsys: Output) -> None:
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert out.startswith('usage: hrdf COMMAND') and err == ''


@pytest.mark.parametrize('verb', ['check', 'convert', 'frames', 'tree', 'diff'])
def test_options_that_every_command_takes(verb: str, capsys: Output) -> None:
    files = ['good.hrdf'] * (2 if verb == 'diff' else 1)
    common = [
        '--path', '.', '--package', 'p=.', '--naming', 'hebi', '--joint-names', 'turn',
        '--resource-limit', 'frames=100', '--resource-limit', 'includes=0']
    assert main([verb, *files, *common]) == 0
    capsys.readouterr()
    limited = main([verb, *files, '--resource-limit', 'frames=1'])
    assert limited == (2 if verb == 'diff' else 1)
    assert 'error[too-many-frames]' in capsys.readouterr().err


def test_a_path_that_is_not_there_is_a_warning(capsys: Output) -> None:
    status, _, err = checked(capsys, 'good.hrdf', '--path', 'nosuch')
    assert (status, err) == (0, "hrdf: warning: --path: there is no directory 'nosuch'\n")


def test_an_internal_error_is_reported_without_a_traceback(
    capsys: Output, monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError('oh')
    monkeypatch.setattr('hrdf_ros.cli.check.load_file', fail)
    monkeypatch.delenv('HRDF_TRACEBACK', raising=False)
    status, _, err = checked(capsys, 'good.hrdf')
    assert status == 1
    assert err.startswith('hrdf: error: internal error: ZeroDivisionError: oh\n')
    assert 'Traceback' not in err
    monkeypatch.setenv('HRDF_TRACEBACK', '1')
    with pytest.raises(ZeroDivisionError):
        main(['check', 'good.hrdf'])


@pytest.mark.skipif(not hasattr(os, 'mkfifo'), reason='needs named pipes')
def test_a_pipe_does_not_block(here: Path, capsys: Output) -> None:
    os.mkfifo(here / 'pipe.hrdf')
    status, _, err = checked(capsys, 'pipe.hrdf')
    assert status == 1
    assert 'error[file-not-regular]' in err


@pytest.mark.parametrize('verb', ['frames', 'tree', 'info'])
def test_commands_that_take_positions(verb: str, capsys: Output) -> None:
    named = ['good.hrdf', '--joint-names', 'turn']
    assert main([verb, *named, '--position', 'turn=0.5']) == 0
    assert main([verb, *named, '--positions', '-0.5']) == 0
    four_bar = str(Path(__file__).parents[2] / 'examples' / 'sdf' / 'four_bar.sdf')
    assert main([verb, four_bar, '--position', 'drive=0.5']) == 0
    assert main([verb, four_bar, '--position', 'drive=0.5', '--position', 'pivot=-2']) == 1
    assert 'error[loop-open]' in capsys.readouterr().err


@pytest.mark.parametrize(('text', 'file'), [
    (GOOD, 'a.hrdf'), ('<robot name="r"><link name="l"/></robot>', 'a.urdf'),
    ('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>', 'a.sdf'),
    ('<skel version="1.0"><world><skeleton name="s"><body name="b"/><joint type="free" name="j">'
     '<parent>world</parent><child>b</child></joint></skeleton></world></skel>', 'a.skel')])
def test_joint_names_that_do_not_fit_are_reported_for_their_file(
    text: str, file: str, here: Path, capsys: Output,
) -> None:
    (here / file).write_text(text)
    _, document = as_json(capsys, file, '--joint-names', 'a,b,c,d,e,f,g')
    [found] = [
        found for found in document['diagnostics'] if found['code'] == 'joint-names-mismatch']
    assert (found['file'], found['line']) == (file, 1)
