# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf convert --bundle``: what it writes, and what it leaves alone."""

from __future__ import annotations

import os
from pathlib import Path
import sys
from xml.etree import ElementTree

from hrdf_ros import load
from hrdf_ros.cli import main
import pytest

Capture = pytest.CaptureFixture[str]
ROBOT = """<sdf version="1.11"><model name="m"><link name="a">
<visual name="v"><geometry><mesh><uri>parts/a.stl</uri></mesh></geometry></visual>
<visual name="w"><geometry><cone><radius>1</radius><length>1</length></cone></geometry></visual>
</link></model></sdf>"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory with a robot and its mesh."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'parts' / 'a.stl').write_bytes(b'\0' * 84)
    (tmp_path / 'arm.sdf').write_text(ROBOT)
    return tmp_path


def bundle(*options: str) -> int:
    return main(['convert', 'arm.sdf', '--bundle', 'out', *options])


def files(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob('*') if file.is_file()} - {
        '.hrdf-bundle.json'}


def meshes(file: Path) -> list[str]:
    return [mesh.attrib['filename'] for mesh in ElementTree.parse(file).iter('mesh')]


def test_urdf_with_its_meshes_by_relative_paths(here: Path, capsys: Capture) -> None:
    assert bundle() == 0
    assert capsys.readouterr().out == 'out/arm.urdf and 2 files that it names\n'
    assert meshes(here / 'out' / 'arm.urdf') == ['meshes/a.stl', 'meshes/generated/unit_cone.stl']
    assert files(here / 'out') == {'arm.urdf', *meshes(here / 'out' / 'arm.urdf')}
    (here / 'elsewhere').mkdir()
    (here / 'out').rename(here / 'elsewhere' / 'moved')
    (here / 'parts' / 'a.stl').unlink()
    report = load(here / 'elsewhere' / 'moved' / 'arm.urdf').report
    assert 'mesh-not-found' not in {found.code for found in report}


def test_the_layout_of_a_package(here: Path) -> None:
    assert bundle('--package-name', 'my_arm') == 0
    assert meshes(here / 'out' / 'urdf' / 'arm.urdf') == [
        'package://my_arm/meshes/a.stl', 'package://my_arm/meshes/generated/unit_cone.stl']
    report = load(
        here / 'out' / 'urdf' / 'arm.urdf', packages={'my_arm': str(here / 'out')}).report
    assert 'mesh-not-found' not in {found.code for found in report}


def test_sdf_with_its_meshes(here: Path) -> None:
    assert bundle('--to', 'sdf') == 0
    assert '<uri>meshes/a.stl</uri>' in (here / 'out' / 'arm.sdf').read_text()
    assert load(here / 'out' / 'arm.sdf').model.bodies[0].visuals[0].geometry.file


def test_a_second_time_replaces_the_first_and_removes_what_is_gone(here: Path) -> None:
    assert bundle() == 0
    (here / 'out' / 'mine.txt').write_text('mine')
    (here / 'arm.sdf').write_text(ROBOT.replace('parts/a.stl', 'parts/b.stl'))
    (here / 'parts' / 'a.stl').rename(here / 'parts' / 'b.stl')
    assert bundle('--to', 'sdf') == 0
    assert files(here / 'out') == {'arm.sdf', 'meshes/b.stl', 'mine.txt'}
    assert not (here / 'out' / 'meshes' / 'generated').exists()


def test_files_of_others_are_left_alone(here: Path, capsys: Capture) -> None:
    (here / 'out').mkdir()
    (here / 'out' / 'arm.urdf').write_text('mine')
    assert bundle() == 2
    assert '--force' in capsys.readouterr().err
    assert files(here / 'out') == {'arm.urdf'} and not list(here.glob('.hrdf*'))
    assert bundle('--force') == 0
    before = (here / 'out' / 'arm.urdf').read_text()
    for options in ((), ('--force',)):  # a source is never replaced
        assert main(['convert', 'out/arm.urdf', '--bundle', 'out', *options]) == 2
        assert 'would be lost' in capsys.readouterr().err
    assert (here / 'out' / 'arm.urdf').read_text() == before
    (here / 'out' / 'arm.urdf').write_text('changed')
    assert bundle() == 2
    assert 'arm.urdf' in capsys.readouterr().err
    assert (here / 'out' / 'arm.urdf').read_text() == 'changed'


def test_no_link_leads_elsewhere(here: Path, capsys: Capture) -> None:
    elsewhere, kept, out = here / 'elsewhere', here / 'kept.txt', here / 'out'
    elsewhere.mkdir()
    out.mkdir()
    kept.write_text('kept')
    (out / 'meshes').symlink_to(elsewhere)
    assert bundle('--force') == 2
    assert 'meshes' in capsys.readouterr().err and not files(elsewhere)
    (out / 'meshes').unlink()
    (out / '.hrdf-bundle.json').symlink_to(kept)
    assert bundle('--force') == 0
    assert not (out / '.hrdf-bundle.json').is_symlink()
    (out / '.hrdf-bundle.json').write_text('{"files": {"": "", "../kept.txt": "", "a": 5}}')
    assert bundle('--force') == 0
    assert kept.read_text() == 'kept'


@pytest.mark.parametrize('text', [
    '{"files": {"a\\u0000": "b"}}', '{"files": {"\\ud800": "b"}}', '[' * 100_000, '{"files": []}',
    '{"files": {"../kept": "b"}}', '{"files": {"a": 1}}', '\0', ''])
def test_an_odd_list_is_an_error(here: Path, capsys: Capture, text: str) -> None:
    (here / 'out').mkdir()
    (here / 'out' / '.hrdf-bundle.json').write_text(text)
    assert bundle() == 2
    error = capsys.readouterr().err
    assert 'is not a list of the files of a bundle' in error and 'internal' not in error
    assert bundle('--force') == 0


@pytest.mark.parametrize('name', ['.hrdf-bundle.json', 'arm.urdf'])
def test_pipes_in_the_directory_are_not_waited_for(here: Path, name: str) -> None:
    (here / 'out').mkdir()
    os.mkfifo(here / 'out' / name)
    assert bundle('--force') == 0
    assert (here / 'out' / name).is_file()


def test_a_missing_mesh_is_reported_and_errors_leave_nothing(here: Path, capsys: Capture) -> None:
    (here / 'parts' / 'a.stl').unlink()
    assert bundle() == 0
    assert 'mesh-not-found' in capsys.readouterr().err
    assert meshes(here / 'out' / 'arm.urdf')[0] == 'parts/a.stl'
    (here / 'arm.sdf').write_text('<sdf version="1.11"><model/></sdf>')
    assert main(['convert', 'arm.sdf', '--bundle', 'other']) == 1
    assert not (here / 'other').exists() and not list(here.glob('.hrdf*'))


def test_relative_meshes_change_nothing_of_a_robot_without_meshes(here: Path) -> None:
    text = '<robot   name="r"><link name="a"/><!-- kept --></robot>\n'
    (here / 'r.urdf').write_text(text)
    assert main(['convert', 'r.urdf', '-o', 'out.urdf', '--relative-meshes']) == 0
    assert (here / 'out.urdf').read_text() == text


def test_directories_of_a_projects_settings_are_not_trusted(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture,
) -> None:
    """They may come with a stranger's robot."""
    pytest.importorskip('tomllib' if sys.version_info >= (3, 11) else 'tomli')
    (here / 'project').mkdir()
    (here / 'arm.sdf').rename(here / 'project' / 'arm.sdf')
    (here / 'project' / '.hrdf.toml').write_text('path = [".."]\n')
    monkeypatch.chdir(here / 'project')
    assert bundle() == 0
    assert 'lies outside of the directory' in capsys.readouterr().err
    assert bundle('--path', '..') == 0
    assert 'meshes/a.stl' in files(here / 'project' / 'out')
