# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Files that are written: in one step, and through no symbolic link that a repository has."""

from __future__ import annotations

from hashlib import sha256
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hrdf_ros.file_writer import read_below, replace_file, write_all, write_below
import pytest

_NOBODY = 65534
SECRET = b'export PATH=/usr/bin\n'


def test_a_named_file_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / 'target').write_bytes(b'old')
    (tmp_path / 'target').chmod(0o640)
    (tmp_path / 'link').symlink_to('target')
    replace_file(str(tmp_path / 'link'), b'new')
    assert (tmp_path / 'link').is_symlink()
    assert (tmp_path / 'target').read_bytes() == b'new'
    assert (tmp_path / 'target').stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ['link', 'target']


def test_a_chosen_file_is_made_with_its_directories(tmp_path: Path) -> None:
    write_below(str(tmp_path / 'new'), 'meshes/deep/a.stl', b'data')
    assert read_below(str(tmp_path / 'new'), 'meshes/deep/a.stl') == b'data'
    new = str(tmp_path / 'new')
    write_all({(new, 'list'): b''}, removed=[(new, 'meshes/deep/a.stl')])
    assert read_below(new, 'meshes/deep/a.stl') is None
    assert os.listdir(new) == ['list']


def test_a_read_only_file_is_not_replaced() -> None:
    with TemporaryDirectory() as folder:  # in reach of another user, as tmp_path is not
        file = Path(folder) / 'a.urdf'
        file.write_bytes(b'old')
        (Path(folder) / 'b.urdf').write_bytes(b'old')
        user = os.geteuid()
        for place in (Path(folder), *Path(folder).iterdir()):
            os.chown(place, _NOBODY if user == 0 else user, -1)
        file.chmod(0o444)
        if user == 0:
            os.seteuid(_NOBODY)
        try:
            with pytest.raises(PermissionError, match='is read-only and is not') as caught:
                write_all({(folder, 'b.urdf'): b'new', (folder, 'a.urdf'): b'new'})
        finally:
            os.seteuid(user)
        assert caught.value.filename == str(file)
        assert sorted(os.listdir(folder)) == ['a.urdf', 'b.urdf']
        assert {one.read_bytes() for one in Path(folder).iterdir()} == {b'old'}


@pytest.mark.parametrize('force', [False, True])
@pytest.mark.parametrize('link', ['out/meshes/a.stl', 'out/meshes'])
def test_no_link_is_followed(link: str, force: bool, tmp_path: Path) -> None:
    (tmp_path / 'home').mkdir()
    (tmp_path / 'home' / 'a.stl').write_bytes(SECRET)
    place = tmp_path / link
    place.parent.mkdir(parents=True)
    is_file = place.suffix == '.stl'
    place.symlink_to(tmp_path / 'home' / ('a.stl' if is_file else ''))
    if force and is_file:
        write_below(str(tmp_path / 'out'), 'meshes/a.stl', b'data', force=True)
        assert not place.is_symlink()
    else:
        with pytest.raises(FileExistsError, match='symbolic link'):
            write_below(str(tmp_path / 'out'), 'meshes/a.stl', b'data', force=force)
    assert (tmp_path / 'home' / 'a.stl').read_bytes() == SECRET
    assert os.listdir(tmp_path / 'home') == ['a.stl']


def test_other_content_is_kept_unless_it_is_known(tmp_path: Path) -> None:
    file = tmp_path / 'a.stl'
    file.write_bytes(b'old')
    with pytest.raises(FileExistsError, match='other content') as caught:
        write_below(str(tmp_path), 'a.stl', b'new')
    assert caught.value.filename == str(file)
    write_below(str(tmp_path), 'a.stl', b'new', digests=[sha256(b'old').hexdigest()])
    assert file.read_bytes() == b'new'
    file.chmod(0o400)
    write_below(str(tmp_path), 'a.stl', b'new')
    assert file.stat().st_mode & 0o777 == 0o400


def test_a_pipe_of_that_name_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / 'a.stl')
    with pytest.raises(FileExistsError, match='not a regular file'):
        write_below(str(tmp_path), 'a.stl', b'data')


@pytest.mark.parametrize('name', ['../a', 'b/../../a', './a'])
def test_a_chosen_name_stays_below(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        write_below(str(tmp_path), name, b'data')


def test_gigabytes_are_not_read_to_be_compared(tmp_path: Path) -> None:
    with open(tmp_path / 'list.json', 'wb') as stream:
        stream.truncate(3 << 30)
    with pytest.raises(OSError, match='larger than'):
        read_below(str(tmp_path), 'list.json')
    with pytest.raises(OSError, match='larger than'):
        write_below(str(tmp_path), 'list.json', b'{}')


def test_directories_that_others_make_meanwhile_are_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    mkdir = os.mkdir

    def mkdir_twice(*arguments: Any, **named: Any) -> None:
        mkdir(*arguments, **named)
        mkdir(*arguments, **named)

    monkeypatch.setattr(os, 'mkdir', mkdir_twice)
    write_below(str(tmp_path / 'a' / 'b'), 'c/d', b'data')
    assert (tmp_path / 'a' / 'b' / 'c' / 'd').read_bytes() == b'data'
