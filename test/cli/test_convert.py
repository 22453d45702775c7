# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf convert``, ``hrdf diff`` and ``hrdf node``."""

import json
import os
from pathlib import Path
import stat
import sys
from types import SimpleNamespace
from xml.etree import ElementTree

from hrdf_ros.cli import main
import jsonschema
import pytest

SCHEMA = Path(__file__).parents[2] / 'docs' / 'schema' / 'diff.schema.json'
ARM = """\
<robot version="1.6.0">
  <actuator type="X5-4" tag="turn"/>
  <rigid-body mass="2" ixx="1" iyy="1" izz="1" output_trans="1 0 0" tag="bar"/>
</robot>
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory with an arm in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'arm.hrdf').write_text(ARM)
    return tmp_path


def names(urdf: str) -> list[str]:
    return [link.attrib['name'] for link in ElementTree.fromstring(urdf).iter('link')]


def test_urdf_goes_to_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(['convert', 'arm.hrdf']) == 0
    assert 'bar' in names(capsysbinary.readouterr().out.decode())


@pytest.mark.parametrize(('target', 'start'), [
    ('urdf', '<?xml'), ('sdf', '<?xml'), ('dot', 'digraph')])
def test_targets(
    target: str, start: str, here: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(['convert', 'arm.hrdf', '--to', target, '-o', 'out']) == 0
    assert (here / 'out').read_text().startswith(start)
    assert capsys.readouterr().out == ''


def test_sdf_version(here: Path) -> None:
    assert main(['convert', 'arm.hrdf', '--to', 'sdf', '--sdf-version', '1.8', '-o', 'out']) == 0
    assert ElementTree.parse(here / 'out').getroot().attrib['version'] == '1.8'


def test_extra_elements_are_merged(here: Path) -> None:
    (here / 'extra.xml').write_text('<robot><ros2_control name="c" type="system"/></robot>')
    assert main(['convert', 'arm.hrdf', '--urdf-extra', 'extra.xml', '-o', 'out']) == 0
    assert ElementTree.parse(here / 'out').find('ros2_control') is not None


def test_a_missing_extra_file_is_1(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['convert', 'arm.hrdf', '--urdf-extra', 'nosuch.xml', '-o', 'out']) == 1
    assert 'nosuch.xml: error[file-not-found]' in capsys.readouterr().err
    assert not (here / 'out').exists()


@pytest.mark.parametrize(('data', 'fault'), [
    (b'<robot>\n<x></robot>', 'extra.xml:2:6: error[xml-syntax]'),
    (b'<robot a="\xff"/>', 'extra.xml:1:11: error[xml-encoding]')])
def test_a_broken_extra_file_is_reported(
    data: bytes, fault: str, here: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    (here / 'extra.xml').write_bytes(data)
    assert main(['convert', 'arm.hrdf', '--urdf-extra', 'extra.xml', '-o', 'out']) == 1
    assert fault in capsys.readouterr().err
    assert not (here / 'out').exists()


@pytest.mark.parametrize('arguments', [
    ['--to', 'sdf', '--gazebo'], ['--to', 'dot', '--expand-ball'], ['--sdf-version', '1.8'],
    ['--to', 'sdf', '--sdf-version', '1.3'],
    ['--to', 'sdf', '--urdf-extra', 'x'], ['--relative-meshes']])
def test_options_without_effect_are_usage_errors(
    arguments: list[str], capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(['convert', 'arm.hrdf', *arguments]) == 2
    assert arguments[-1 if arguments[-1].startswith('--') else -2] in capsys.readouterr().err


@pytest.mark.parametrize('name', ['', 'out/', './'])
def test_a_name_of_no_file_is_wrong_usage(
    name: str, here: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(['convert', 'arm.hrdf', '-o', name]) == 2
    assert capsys.readouterr().err == f"hrdf: error: -o: '{name}' is not the name of a file\n"
    assert os.listdir(here) == ['arm.hrdf']


def test_nothing_is_written_for_a_file_with_errors(here: Path) -> None:
    (here / 'out').write_text('old')
    assert main(['convert', 'nosuch.hrdf', '-o', 'out']) == 1
    assert (here / 'out').read_text() == 'old'


def test_a_directory_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['convert', 'arm.hrdf', '-o', 'nosuch/out']) == 1
    assert capsys.readouterr().err.endswith(' nosuch/out: No such file or directory\n')


def test_the_old_file_keeps_its_mode(here: Path) -> None:
    (here / 'out').write_text('old')
    (here / 'out').chmod(0o640)
    assert main(['convert', 'arm.hrdf', '-o', 'out']) == 0
    assert stat.S_IMODE((here / 'out').stat().st_mode) == 0o640
    assert 'bar' in names((here / 'out').read_text())


def test_a_link_is_followed_not_replaced(here: Path) -> None:
    (here / 'below').mkdir()
    (here / 'below' / 'real').write_text('old')
    (here / 'out').symlink_to(Path('below', 'real'))
    assert main(['convert', 'arm.hrdf', '-o', 'out']) == 0
    assert (here / 'out').is_symlink()
    assert 'bar' in names((here / 'below' / 'real').read_text())


def test_a_failing_write_leaves_the_old_file(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    def full(_: int) -> None:
        raise OSError(28, 'No space left on device', 'out')
    (here / 'out').write_text('old')
    monkeypatch.setattr(os, 'fsync', full)
    assert main(['convert', 'arm.hrdf', '-o', 'out']) == 1
    assert 'No space left on device' in capsys.readouterr().err
    assert (here / 'out').read_text() == 'old'
    assert sorted(os.listdir(here)) == ['arm.hrdf', 'out']


@pytest.mark.skipif(not os.path.exists('/dev/full'), reason='needs /dev/full')
def test_a_full_device(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['convert', 'arm.hrdf', '-o', '/dev/full']) == 1
    assert 'No space left' in capsys.readouterr().err


def test_a_missing_directory(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['convert', 'arm.hrdf', '-o', 'no/such/out']) == 1
    assert 'no/such' in capsys.readouterr().err


def test_diff_of_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['diff', 'arm.hrdf', 'arm.hrdf']) == 0
    assert capsys.readouterr().out == ''


def test_diff_of_others(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / 'heavy.hrdf').write_text(ARM.replace('mass="2"', 'mass="2.5"'))
    assert main(['diff', 'arm.hrdf', 'heavy.hrdf']) == 1
    out = capsys.readouterr().out
    assert 'bar' in out and '2.0' in out and '2.5' in out
    assert main(['diff', 'arm.hrdf', 'heavy.hrdf', '--tolerance', '1']) == 0


def test_diff_of_what_both_have(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['convert', 'arm.hrdf', '-o', 'arm.urdf']) == 0
    assert main(['diff', 'arm.hrdf', 'arm.urdf']) == 1
    assert 'frame bar/com: present -> -' in capsys.readouterr().out
    assert main(['diff', 'arm.hrdf', 'arm.urdf', '--common']) == 0
    assert capsys.readouterr().out == ''
    urdf = (here / 'arm.urdf').read_text()
    (here / 'arm.urdf').write_text(urdf.replace('<mass value="2.0"', '<mass value="2.5"'))
    assert main(['diff', 'arm.hrdf', 'arm.urdf', '--common']) == 1
    assert capsys.readouterr().out == 'mass bar: 2.0 -> 2.5\n'


def test_diff_with_a_bad_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['diff', 'arm.hrdf', 'nosuch.hrdf']) == 2
    assert 'error[file-not-found]' in capsys.readouterr().err


def compared(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    status = main(['diff', '--json', *arguments])
    out, err = capsys.readouterr()
    document = json.loads(out)
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert (err, document['equal']) == ('', status == 0)
    assert document['files'] == list(arguments[:2])
    return document


def test_diff_as_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / 'heavy.hrdf').write_text(ARM.replace('mass="2"', 'mass="2.5"'))
    assert compared(capsys, 'arm.hrdf', 'arm.hrdf')['differences'] == []
    assert compared(capsys, 'arm.hrdf', 'heavy.hrdf')['differences'] == [
        {'what': 'mass', 'name': 'bar', 'a': '2.0', 'b': '2.5'}]
    assert compared(capsys, 'arm.hrdf', 'heavy.hrdf', '--tolerance', '1')['equal']
    missing = compared(capsys, 'arm.hrdf', 'nosuch.hrdf')
    assert (missing['equal'], missing['differences']) == (False, [])
    assert 'file-not-found' in [found['code'] for found in missing['diagnostics']]


def test_node_passes_ros_arguments_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    monkeypatch.setitem(sys.modules, 'hrdf_ros.node', SimpleNamespace(main=seen.append))
    ros = ['--ros-args', '-p', 'model:=arm.hrdf', '--animate']
    assert main(['node', '--animate', *ros]) == 0
    assert main(['node', *ros]) == 0
    assert main(['node']) == 0
    assert main(['node', 'arm.hrdf']) == 0
    assert seen == [['--animate', *ros], ros, [], ['arm.hrdf']]


def test_node_takes_the_options_of_all_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    monkeypatch.setitem(sys.modules, 'hrdf_ros.node', SimpleNamespace(main=seen.append))
    assert main([
        'node', 'cell.sdf', '--path', 'a b', '--package', 'x=y', '--model-name', 'arm', '--naming',
        'hebi', '--joint-names', 'a,ü', '--ros-args', '-r', '__ns:=/left']) == 0
    [[file, *arguments]] = seen
    assert file == 'cell.sdf'
    assert arguments[-3:] == ['--ros-args', '-r', '__ns:=/left']
    assert arguments[2:-3:4] == [
        'path:=["a b"]', 'packages:=["x=y"]', 'model_name:="arm"', 'naming:="hebi"',
        'joint_names:=["a", "ü"]']
