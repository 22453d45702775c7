# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf diff`` of files of git revisions."""

from __future__ import annotations

from pathlib import Path
import shutil
import tempfile

from helpers.git_repository import Repository
from helpers.terminal import Run
import pytest

pytestmark = pytest.mark.skipif(shutil.which('git') is None, reason='git is not installed')
CELL = '<sdf version="1.11"><model name="cell"><include><uri>{}</uri></include></model></sdf>'
ARM = '<sdf version="1.11"><model name="arm"><link name="l"><inertial><mass>{}</mass></inertial>' \
      '</link></model></sdf>'


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository whose settings name the directory of the arm in each revision."""
    made = Repository(tmp_path)
    made.commit({
        'cell.sdf': CELL.format('model://arm.sdf'), 'old/arm.sdf': ARM.format(1),
        '.hrdf.toml': 'path = ["old"]'})
    made.git('mv', 'old', 'new')
    made.commit({'new/arm.sdf': ARM.format(2), '.hrdf.toml': 'path = ["new"]'})
    return made


def test_each_side_has_the_includes_and_settings_of_its_revision(
    repository: Repository, hrdf: Run, tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    temporary = tmp_path_factory.mktemp('temporary')
    monkeypatch.setattr(tempfile, 'tempdir', str(temporary))
    before = repository.git('status', '--porcelain', '--ignored')
    done = hrdf('diff HEAD~:cell.sdf cell.sdf')
    assert tuple(done) == (1, 'mass arm/l: 1 -> 2\n', '')
    repository.write({'new/arm.sdf': ARM.format(3)})
    repository.git('add', 'new/arm.sdf')
    repository.write({'new/arm.sdf': ARM.format(4)})
    assert hrdf('diff --staged cell.sdf').out == 'mass arm/l: 2 -> 3\n'
    assert hrdf('diff :cell.sdf cell.sdf').out == 'mass arm/l: 3 -> 4\n'
    assert hrdf(f'diff HEAD:cell.sdf cell.sdf --path {Path("new").resolve()}').out == (
        'mass arm/l: 2 -> 4\n')
    repository.git('checkout', '--quiet', 'HEAD', 'new')
    assert repository.git('status', '--porcelain', '--ignored') == before
    assert not list(temporary.iterdir())


def test_files_of_a_revision_have_its_name_in_messages(repository: Repository, hrdf: Run) -> None:
    repository.commit({'new/arm.sdf': ARM.format('x')})
    repository.commit({'new/arm.sdf': ARM.format(1)})
    done = hrdf('diff HEAD~:cell.sdf cell.sdf')
    assert done.status == 2 and done.err.startswith('HEAD~:new/arm.sdf:1:')
    document = hrdf('diff --json HEAD~:cell.sdf cell.sdf').json('diff')
    found, = [one for one in document['diagnostics'] if one['severity'] == 'error']
    assert found['file'] == 'HEAD~:new/arm.sdf' and found['checked_file'] == 'HEAD~:cell.sdf'
    assert found['included_from'][0]['file'] == 'HEAD~:cell.sdf'


@pytest.mark.parametrize(('line', 'message'), [
    ('HEAD:nosuch.sdf cell.sdf', "HEAD:nosuch.sdf: the revision 'HEAD' has no file 'nosuch.sdf'"),
    ('x:cell.sdf cell.sdf', "x:cell.sdf: git knows no revision 'x'"),
    ('HEAD^{x}:cell.sdf cell.sdf', "HEAD^{x}:cell.sdf: git knows no revision 'HEAD^{x}'"),
    ('cell.sdf', 'give A and B, or --staged FILE'),
    ('a b --staged cell.sdf', 'give A and B, or --staged FILE')])
def test_wrong_usage(line: str, message: str, repository: Repository, hrdf: Run) -> None:
    done = hrdf(f'diff {line}')
    assert done.status == 2 and message in done.err


def test_pointers_of_git_lfs_that_are_read_are_named(repository: Repository, hrdf: Run) -> None:
    pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n'
    repository.commit({'unused.stl': pointer, 'new/arm.sdf': pointer})
    done = hrdf('diff HEAD:cell.sdf HEAD~:cell.sdf')
    assert done.status == 2
    assert 'hrdf: warning: HEAD:cell.sdf: Git LFS has the content of HEAD:new/arm.sdf' in (
        done.err.splitlines())


def test_groups(repository: Repository, hrdf: Run) -> None:
    assert hrdf('diff HEAD~:cell.sdf cell.sdf --only inertia').out == 'mass arm/l: 1 -> 2\n'
    assert hrdf('diff HEAD~:cell.sdf cell.sdf --only kinematics,shapes,names') == (0, '', '')
    done = hrdf('diff HEAD~:cell.sdf cell.sdf --only inertias')
    assert done.status == 2 and "there is no group 'inertias'" in done.err
