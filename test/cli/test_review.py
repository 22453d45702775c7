# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf review``: what differs from a git revision, as a pull request shows it."""

from __future__ import annotations

from pathlib import Path
import shutil

from helpers.git_repository import Repository
from helpers.terminal import Run
from hrdf_ros.cli import render
from hrdf_ros.cli.output import CommandError
import pytest

pytestmark = pytest.mark.skipif(shutil.which('git') is None, reason='git is not installed')
ARM = """<robot name="arm">
  <link name="base"/>
  <link name="tool"/>
  <joint name="elbow" type="revolute">
    <parent link="base"/>
    <child link="tool"/>
    <limit lower="-1" upper="2.6" effort="1" velocity="1"/>
  </joint>
</robot>
"""
TYPO = '  <lnk name="old"/>\n'
SDF = '<sdf version="1.11"><model name="m">{}</model></sdf>'
CELL = SDF.format('<include><uri>part.sdf</uri></include>').replace('"m"', '"cell"')
PART = SDF.format('<link name="l"><inertial><mass>{}</mass></inertial></link>').replace(
    '"m"', '"part"')


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository with robots, of which one has a finding already."""
    made = Repository(tmp_path)
    made.commit({
        'robots/arm.urdf': ARM.replace('</robot>', f'{TYPO}</robot>'), 'robots/still.urdf': ARM,
        'robots/gone.urdf': ARM, 'cell.sdf': CELL, 'part.sdf': PART.format(1)})
    return made


def test_the_page(repository: Repository, hrdf: Run) -> None:
    (repository.directory / 'robots' / 'gone.urdf').unlink()
    repository.write({
        'robots/arm.urdf': '\n\n' + ARM.replace('2.6', '2.2').replace(
            '</robot>', f'{TYPO}{TYPO.replace("old", "new").replace("lnk", "jint")}</robot>'),
        'robots/new.urdf': ARM, 'part.sdf': PART.format(3)})
    before = repository.git('status', '--porcelain')
    status, out, err = hrdf('review HEAD .')
    assert (status, err) == (0, '')
    assert out == """\
## Robots that differ from HEAD

### cell.sdf

| what | name | before | after |
|---|---|---|---|
| mass | part/l | 1 | 3 |

### part.sdf

| what | name | before | after |
|---|---|---|---|
| mass | l | 1 | 3 |

### robots/arm.urdf

| what | name | before | after |
|---|---|---|---|
| upper | elbow | 2.6 | 2.2 |

### robots/gone.urdf

Gone.

### robots/new.urdf

New: urdf 1.0, 2 links, 1 joint, 1 coordinate.

## New findings

| severity | where | message | code |
|---|---|---|---|
| warning | robots/arm.urdf\\:12\\:3 | unknown element \\<jint\\> in \\<robot\\>; ignored \
(did you mean 'joint'?) | unknown-element |
"""
    assert repository.git('status', '--porcelain') == before


def test_nothing_differs(repository: Repository, hrdf: Run) -> None:
    assert hrdf('review HEAD').out == (
        '## Robots that differ from HEAD\n\nNo robot differs.\n\n## New findings\n\nNone.\n')


def test_names_are_text_and_not_markdown(repository: Repository, hrdf: Run) -> None:
    name = '|`*_[x](http://e.org) &lt;b&gt; @you #1 ~~'
    repository.write({'robots/arm.urdf': ARM.replace('"elbow"', f'"{name}"')})
    out = hrdf('review HEAD robots').out
    line, = (line for line in out.split('\n') if 'name of joint' in line)
    assert r'\|\`\*\_\[x\](http\://e.org) \<b\> \@you \#1 \~\~' in line
    assert line.replace(r'\|', '').count('|') == 5


def test_robots_that_cannot_be_read(repository: Repository, hrdf: Run) -> None:
    repository.write({'robots/arm.urdf': ARM.replace('"base"/></', '"bas"/></').replace(
        'link="base"', 'link="bas"')})
    out = hrdf('review HEAD robots').out
    assert '### robots/arm.urdf\n\nThis robot cannot be read, because of errors.\n' in out
    assert "| error | robots/arm.urdf\\:5\\:19 | unknown link 'bas' (did you mean " in out
    repository.commit({})
    repository.write({'robots/arm.urdf': ARM})
    assert 'This robot could not be read before. Now: urdf 1.0, 2 links' in hrdf('review HEAD').out


def test_what_does_not_count(repository: Repository, hrdf: Run) -> None:
    repository.write({'robots/arm.urdf': ARM.replace('</robot>', f'{TYPO}{TYPO}</robot>')})
    assert 'unknown-element' in hrdf('review HEAD').out
    assert 'unknown-element' not in hrdf('review HEAD --ignore unknown-element').out
    assert 'unknown-element' not in hrdf('review HEAD --exclude robots').out
    repository.write({'.hrdf.toml': '[per-file-ignores]\n"robots/*" = ["unknown-element"]\n'})
    assert 'unknown-element' not in hrdf('review HEAD').out


def test_xacro_files_are_expanded_when_asked(repository: Repository, hrdf: Run) -> None:
    pytest.importorskip('xacro')
    text = ARM.replace('<robot ', '<robot xmlns:xacro="http://ros.org/wiki/xacro" ').replace(
        '2.6', '${2 * %s}')
    repository.commit({'robots/arm.xacro': text % 1})
    repository.write({'robots/arm.xacro': text % 0.75})
    assert '1 xacro file not expanded' in hrdf('review HEAD').out
    assert '| upper | elbow | 2 | 1.5 |' in hrdf('review --xacro HEAD').out


def test_xacro_arguments_reach_both_sides_or_are_refused(
    repository: Repository, hrdf: Run,
) -> None:
    pytest.importorskip('xacro')
    text = ARM.replace('<robot name="arm">', """<robot name="arm" xmlns:xacro="http://ros.org/x">
  <xacro:arg name="reach" default="1"/>""").replace('2.6', '${%s * $(arg reach)}')
    repository.commit({'robots/arm.xacro': text % 1})
    unchanged = hrdf('review HEAD robots/arm.xacro raech:=3')
    repository.write({'robots/arm.xacro': text % 2})
    assert '| upper | elbow | 3 | 6 |' in hrdf('review HEAD robots/arm.xacro reach:=3').out
    assert '| upper | elbow | 3 | 6 |' in hrdf('review HEAD --xacro reach:=3').out
    for status, out, err in (
            unchanged, hrdf('review HEAD robots/arm.xacro raech:=3'),
            hrdf('review HEAD --xacro raech:=3')):
        assert (status, out) == (2, '')
        assert "no argument 'raech'; did you mean 'reach'?" in err
    for command in ('review HEAD', 'check robots'):
        status, out, err = hrdf(f'{command} reach:=3')
        assert (status, out) == (2, '')
        assert 'reach:= is for xacro files, and none of the files is expanded' in err


def test_a_revision_that_is_not_there(repository: Repository, hrdf: Run) -> None:
    status, _, err = hrdf('review nosuch')
    assert (status, 'nosuch: git knows no revision' in err) == (2, True)
    status, _, err = hrdf('review HEAD@{9}')
    assert (status, 'HEAD@{9}: ' in err) == (2, True)


def test_a_link_out_of_the_repository_has_its_own_name(
    repository: Repository, hrdf: Run, tmp_path_factory: pytest.TempPathFactory,
) -> None:
    outside = tmp_path_factory.mktemp('outside') / 'text'
    outside.write_text('no robot')
    (repository.directory / 'robots' / 'link.urdf').symlink_to(outside)
    out = hrdf('review HEAD robots').out
    assert '### robots/link.urdf\n\nThis robot cannot be read' in out


def test_long_tables_are_cut(repository: Repository, hrdf: Run) -> None:
    many = ''.join(f'<link name="l{index}"/>' for index in range(70))
    repository.write({'robots/arm.urdf': ARM.replace('</robot>', f'{TYPO * 40}{many}</robot>')})
    out = hrdf('review HEAD').out
    assert 'and ' in out and out.count('\n| ') < 40


def test_a_picture_replaces_no_robot(repository: Repository, hrdf: Run) -> None:
    changed = ARM.replace('2.6', '2.2')
    repository.write({'robots/arm.urdf': changed})
    status, _, err = hrdf('review HEAD --picture robots/arm.urdf')
    assert (status, 'is a source' in err) == (2, True)
    assert (repository.directory / 'robots' / 'arm.urdf').read_text() == changed


def test_a_picture_that_cannot_be_drawn_is_a_warning(
    repository: Repository, hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> None:
        raise CommandError('no browser')

    monkeypatch.setattr(render, '_renderer', fail)
    repository.write({'robots/arm.urdf': ARM.replace('2.6', '2.2')})
    assert hrdf('review HEAD --picture moved.png').err == '', 'a limit cannot be seen'
    repository.write({'robots/arm.urdf': ARM.replace(
        '<limit', '<origin xyz="0 0 1"/>\n    <limit')})
    status, out, err = hrdf('review HEAD --picture moved.png')
    assert (status, err) == (0, 'hrdf: warning: no picture: no browser\n')
    assert '| pose of frame | tool | xyz 0 0 0 rpy 0 0 0 | xyz 0 0 1 rpy 0 0 0 |' in out
