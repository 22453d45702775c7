# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Files of git revisions: what is written, and that hostile repositories change nothing."""

from __future__ import annotations

import os
from pathlib import Path
import shutil

from helpers.git_repository import Repository
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.revisions import parse_revision, RevisionError, Snapshot, snapshot, staged
import pytest

pytestmark = pytest.mark.skipif(shutil.which('git') is None, reason='git is not installed')
LIMITS = ResourceLimits()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    made = Repository(tmp_path / 'arm_description')
    monkeypatch.chdir(made.directory)
    return made


def texts(found: Snapshot) -> dict[str, str]:
    """Return the texts of the files of a snapshot, by their names."""
    root = Path(found.root)
    return {str(file.relative_to(root)): file.read_text()
            for file in sorted(root.rglob('*')) if file.is_file()}


@pytest.mark.parametrize(('text', 'expected'), [
    ('HEAD~3:urdf/arm.urdf', ('HEAD~3', 'urdf/arm.urdf')), (':arm.urdf', ('', 'arm.urdf')),
    ('HEAD@{1 day ago, 10:30}:a:b', ('HEAD@{1 day ago, 10:30}', 'a:b')),
    ('arm.urdf', None), ('HEAD:', None), ('HEAD\n:x', None)])
def test_names_of_revisions(text: str, expected: tuple[str, str] | None) -> None:
    assert parse_revision(text) == expected


def test_each_revision_has_its_own_files_and_the_work_tree_stays(repository: Repository) -> None:
    repository.commit({'urdf/a.urdf': 'old', 'meshes/a.stl': 'mesh', '-x': 'dash'})
    repository.write({'urdf/a.urdf': 'staged'})
    repository.git('add', 'urdf')
    repository.write({'urdf/a.urdf': 'new', 'untracked': ''})
    before = repository.git('status', '--porcelain')
    common = {'meshes/a.stl': 'mesh', '-x': 'dash'}
    for revision, text in (('HEAD', 'old'), ('', 'staged')):
        with snapshot(revision, 'urdf/a.urdf', LIMITS) as found:
            assert texts(found) == {**common, 'urdf/a.urdf': text}
            assert os.path.basename(found.root) == 'arm_description'
            assert found.readable(f'{found.file}:1: no') == f'{revision}:urdf/a.urdf:1: no'
            assert found.of('urdf') == os.path.join(found.root, 'urdf')
            assert found.of('/usr') == '/usr'
        assert not os.path.exists(found.root)
    assert repository.git('status', '--porcelain') == before


def test_paths_are_as_for_git(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit({'urdf/a.urdf': 'a'})
    assert staged('urdf/a.urdf') == ('HEAD:urdf/a.urdf', ':urdf/a.urdf')
    monkeypatch.chdir('urdf')
    assert staged('a.urdf') == ('HEAD:urdf/a.urdf', ':urdf/a.urdf')
    with snapshot('HEAD', './a.urdf', LIMITS) as found:
        assert found.file == os.path.join(found.root, 'urdf', 'a.urdf')
    with pytest.raises(RevisionError, match="did you mean 'HEAD:./a.urdf'"), \
            snapshot('HEAD', 'a.urdf', LIMITS):
        pass


@pytest.mark.parametrize(('revision', 'path', 'message'), [
    ('nosuch', 'a', "git knows no revision 'nosuch'"),
    ('HEAD\n', 'a', 'git knows no revision'), ('HEAD\nHEAD', 'a', 'git knows no revision'),
    ('--output=x', 'a', "git knows no revision '--output=x'"),
    ('HEAD', 'b', "the revision 'HEAD' has no file 'b'"),
    ('HEAD', '../../etc/passwd', 'has no file'), ('', 'b', "the index has no file 'b'")])
def test_what_is_not_there(
    revision: str, path: str, message: str, repository: Repository,
) -> None:
    repository.commit({'a': ''})
    with pytest.raises(RevisionError, match=message), snapshot(revision, path, LIMITS):
        pass


def test_without_a_repository_or_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('GIT_CEILING_DIRECTORIES', str(tmp_path.parent))
    with pytest.raises(RevisionError, match='not a git repository'), \
            snapshot('HEAD', 'a', LIMITS, directory=str(tmp_path)):
        pass
    monkeypatch.setenv('PATH', '')
    with pytest.raises(RevisionError, match='the command git is required'), \
            snapshot('HEAD', 'a', LIMITS):
        pass


def test_what_is_left_out_is_named(repository: Repository) -> None:
    pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n'
    repository.commit({'a.urdf': 'robot', 'a.stl': pointer, 'b.stl': '123456789' * 30})
    repository.git('update-index', '--add', '--cacheinfo', f'160000,{"1" * 40},parts')
    with snapshot('', 'a.urdf', LIMITS._replace(all_bytes=200)) as found:
        assert found.pointers == {os.path.join(found.root, 'a.stl')}
        assert found.left_out == (
            'submodules are not read: parts',
            'files beyond 200 bytes are not read (--resource-limit all_bytes=NUMBER): b.stl')
    with pytest.raises(RevisionError, match="'parts/b.urdf' is in the submodule 'parts', which"), \
            snapshot('', 'parts/b.urdf', LIMITS):
        pass


def test_symbolic_links_stay_in_the_repository(repository: Repository) -> None:
    directory = repository.directory
    repository.write({'p/q/file': 'inside'})
    for name, target in (
            ('link', 'p/q/file'), ('folder', 'p/q'), ('p/q/r', '../..'), ('up', 'p/q/r/../secret'),
            ('absolute', '/etc/passwd'), ('loop', 'loop')):
        (directory / name).symlink_to(target)
    (directory.parent / 'secret').write_text('secret')
    repository.commit({})
    with snapshot('HEAD', 'p/q/file', LIMITS) as found:
        Path(found.root).with_name('secret').write_text('secret')
        assert (Path(found.root) / 'link').read_text() == 'inside'
        assert (Path(found.root) / 'folder/file').read_text() == 'inside'
        assert not {'up', 'absolute'} & set(os.listdir(found.root))
        assert found.left_out == (
            'symbolic links that lead out of the repository are not read: absolute, up',)


def test_no_program_of_the_repository_runs(repository: Repository) -> None:
    repository.commit({'a.urdf': 'robot', '.gitattributes': '*.urdf filter=evil diff=evil\n'})
    proof, hooks = repository.directory.parent / 'proof', repository.directory / '.git' / 'hooks'
    evil = f'touch {proof}; cat'
    hooks.mkdir(exist_ok=True)
    for hook in ('post-index-change', 'fsmonitor-watchman', 'reference-transaction'):
        (hooks / hook).write_text(f'#!/bin/sh\n{evil}\n')
        (hooks / hook).chmod(0o755)
    repository.git('update-index', '--fsmonitor')
    for name in ('core.fsmonitor', 'filter.evil.smudge', 'filter.evil.clean', 'core.pager',
                 'diff.evil.textconv', 'diff.external', 'core.sshCommand'):
        repository.git('config', name, evil)
    proof.unlink()  # of update-index, which writes the index
    for revision in ('HEAD', ''):
        with snapshot(revision, 'a.urdf', LIMITS) as found:
            assert texts(found)['a.urdf'] == 'robot'
    assert not proof.exists()


def test_missing_objects_are_not_downloaded(repository: Repository) -> None:
    repository.commit({'a.urdf': 'robot'})
    proof = repository.directory.parent / 'proof'
    blob = repository.git('rev-parse', 'HEAD:a.urdf')
    (repository.directory / '.git' / 'objects' / blob[:2] / blob[2:]).unlink()
    for name, value in (
            ('core.repositoryFormatVersion', '1'), ('extensions.partialClone', 'origin'),
            ('remote.origin.promisor', 'true'), ('protocol.allow', 'always'),
            ('protocol.ext.allow', 'always'),
            ('remote.origin.url', f'ext::touch {proof}')):
        repository.git('config', name, value)
    with pytest.raises(RevisionError, match="'a.urdf' of this revision is not on this machine"), \
            snapshot('HEAD', 'a.urdf', LIMITS):
        pass
    assert not proof.exists()


def made_tree(repository: Repository, *entries: tuple[str, str, str]) -> str:
    """Return a tree that git itself would not make; entries are mode, name and object."""
    data = b''.join(
        f'{mode} {name}\0'.encode() + bytes.fromhex(entry) for mode, name, entry in entries)
    return repository.git(
        'hash-object', '-t', 'tree', '-w', '--literally', '--stdin', given=data)


@pytest.mark.parametrize('name', ['..', '../evil', '.git', '/tmp/evil'])
def test_a_path_that_leads_out_is_refused(name: str, repository: Repository) -> None:
    blob = repository.git('hash-object', '-w', '--stdin', given=b'evil')
    tree = made_tree(repository, ('100644', name, blob), ('100644', 'a', blob))
    with pytest.raises(RevisionError, match='has a file of the name'), \
            snapshot(tree, 'a', LIMITS):
        pass


def test_nothing_is_written_through_a_link(repository: Repository) -> None:
    blob, target = (repository.git('hash-object', '-w', '--stdin', given=given)
                    for given in (b'evil', os.fsencode(repository.directory.parent)))
    below = made_tree(repository, ('100644', 'evil', blob))
    tree = made_tree(repository, ('120000', 'd', target), ('40000', 'd', below))
    with snapshot(tree, 'd/evil', LIMITS) as found:
        assert texts(found) == {'d/evil': 'evil'}
    assert not (repository.directory.parent / 'evil').exists()


def test_a_tree_without_end_is_refused(repository: Repository) -> None:
    tree = repository.git('hash-object', '-w', '--stdin', given=b'')
    mode = '100644'
    for _ in range(8):
        tree = made_tree(repository, *((mode, f'{index:02}', tree) for index in range(20)))
        mode = '40000'
    with pytest.raises(RevisionError, match='more than 200000 files'), \
            snapshot(tree, 'a', LIMITS):
        pass
