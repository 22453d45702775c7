# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf check --fix``: what it writes, what it leaves alone, what it says."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path
import shutil
import sys
from types import SimpleNamespace

from helpers.terminal import Run
from hrdf_ros import load
from hrdf_ros.cli import fixing
from hrdf_ros.diff import diff_models
import pytest

FAULTS = Path(__file__).parents[1] / 'diagnostics'
GOOD = """\
<robot name="r">
  <link name="base"/>
  <link name="hand"/>
  <joint name="turn" type="revolute">
    <parent link="base"/>
    <child link="hand"/>
    <origin xyz="0 0 0.3" rpy="0 0 0.5"/>
    <axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>
"""
BAD = GOOD.replace('"base"/>\n    <child', '"bas"/>\n    <child').replace('<origin', '<orign')
MATERIAL = GOOD.replace('<link name="hand"/>', '<link name="hand" nmae="x"/>')
WORLD = ('<sdf version="1.9"><world name="w"><include><uri>{}</uri><name>r</name></include>'
         '</world></sdf>')


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_unique_fixes_are_written_and_said(hrdf: Run) -> None:
    status, out, err = hrdf('check --fix a.urdf', files={'a.urdf': BAD})
    assert status == 0 and out.startswith('a.urdf: ok: urdf 1.0, 2 links, 1 joint')
    assert Path('a.urdf').read_text() == GOOD
    assert err.splitlines() == [
        "fixed a.urdf:5:19: Change to 'base'", "fixed a.urdf:7:5: Change to 'origin'",
        'a.urdf: there was no robot to compare with before, because of errors',
        '2 fixes in 1 file']
    assert hrdf('check --fix a.urdf').err == ''


def test_what_a_fix_changes_is_said(hrdf: Run) -> None:
    moved = GOOD.replace('<origin', '<orign')
    err = hrdf('check --fix a.urdf', files={'a.urdf': moved}).err
    assert 'a.urdf: changed: pose of frame hand: xyz 0' in err
    same = GOOD.replace('<axis xyz="1 0 0"/>', '<axis/>')
    err = hrdf('check --fix a.urdf', files={'a.urdf': same}).err
    assert 'Add xyz="1 0 0"' in err
    assert 'a.urdf: the kinematics stay: hrdf diff finds no difference\n' in err
    assert Path('a.urdf').read_text() == GOOD


def test_a_diff_writes_nothing(hrdf: Run) -> None:
    status, out, err = hrdf('check --fix --diff a.urdf', files={'a.urdf': BAD})
    assert status == 1 and Path('a.urdf').read_text() == BAD
    assert out.startswith('--- a.urdf\n+++ a.urdf\n@@ ') and '+    <parent link="base"/>\n' in out
    assert err.startswith("would fix a.urdf:5:19: Change to 'base'\n")
    status, out, _ = hrdf('check --fix --diff good.urdf', files={'good.urdf': GOOD})
    assert (status, out) == (0, '')


@pytest.mark.parametrize(('options', 'status'), [('--fix', 0), ('--fix --diff', 1)])
def test_standard_input_gives_the_fixed_text(
    options: str, status: int, hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, 'stdin', SimpleNamespace(buffer=io.BytesIO(BAD.encode())))
    done = hrdf(f'check {options} -')
    assert done.status == status
    assert done.out == GOOD if status == 0 else '+    <parent link="base"/>\n' in done.out
    assert '2 fixes in 1 file' in done.err


def test_errors_that_remain_are_the_exit_status(hrdf: Run) -> None:
    text = BAD.replace('</robot>', '<link name="loose"/></robot>')
    status, _, err = hrdf('check --fix a.urdf', files={'a.urdf': text})
    assert status == 1 and 'error[urdf-not-a-tree]' in err
    assert Path('a.urdf').read_text() == text.replace('"bas"', '"base"').replace('orign', 'origin')


@pytest.mark.parametrize(('old', 'new', 'title'), [
    ('rpy="0 0 0.5"', 'rpy="0 0 90"', 'Convert degrees to radians'),
    ('lower="-1" upper="1"', 'lower="-90" upper="90"', 'Convert degrees to radians'),
    ('xyz="0 0 0.3"', 'xyz="0 0 300"', 'Convert millimeters to meters')])
def test_a_guess_needs_to_be_asked_for(old: str, new: str, title: str, hrdf: Run) -> None:
    text = GOOD.replace(old, new)
    err = hrdf('check --fix a.urdf', files={'a.urdf': text}).err
    assert Path('a.urdf').read_text() == text and '1 more with --unsafe-fixes\n' in err
    err = hrdf('check --fix --unsafe-fixes a.urdf').err
    assert f': {title}\n' in err and 'a.urdf: changed: ' in err
    fixed = Path('a.urdf').read_text()
    assert fixed == GOOD or '1.5707963267948966' in fixed and '90' not in fixed
    assert not load(fixed).report


@pytest.mark.parametrize(('text', 'expected'), [
    ('xyz="0,0,0.3"', 'xyz="0 0 0.3"'), ('xyz="0, 0 , 0.3"', 'xyz="0 0 0.3"'),
    ('xyz="0,5 0 0"', None), ('xyz="0,3"', None), ('xyz="1,5 2"', None)])
def test_commas_between_numbers(text: str, expected: str, hrdf: Run) -> None:
    faulty = GOOD.replace('xyz="0 0 0.3"', text)
    hrdf('check --fix a.urdf', files={'a.urdf': faulty})
    assert Path('a.urdf').read_text() == (faulty if expected is None else GOOD)


def test_two_words_that_are_equally_near_are_no_fix(hrdf: Run) -> None:
    text = GOOD.replace('"base"', '"bas1"', 1).replace('"hand"', '"bas2"').replace(
        'parent link="base"', 'parent link="bas"')
    assert hrdf('check --fix a.urdf', files={'a.urdf': text}).status == 1
    assert Path('a.urdf').read_text() == text


def test_includes_below_the_directory_are_fixed_and_no_others(here: Path, hrdf: Run) -> None:
    done = hrdf('check --fix sub/w.sdf', files={
        'sub/parts/a.urdf': BAD, 'sub/w.sdf': WORLD.format('parts/a.urdf')})
    assert Path('sub/parts/a.urdf').read_text() == GOOD
    assert done.err.startswith("fixed sub/parts/a.urdf:5:19: Change to 'base'\n")
    hrdf('check --fix sub/w.sdf', files={
        'a.urdf': BAD, 'sub/w.sdf': WORLD.format('../a.urdf')})
    assert Path('a.urdf').read_text() == BAD
    Path('sub/link.urdf').symlink_to(here / 'a.urdf')
    (here / 'real').mkdir()
    (here / 'real' / 'a.urdf').write_text(BAD)
    Path('sub/folder').symlink_to(here / 'real')
    for name in ('link.urdf', 'folder/a.urdf'):
        (here / 'sub' / 'w.sdf').write_text(WORLD.format(name))
        hrdf('check --fix sub/w.sdf')
        assert Path('a.urdf').read_text() == Path('real/a.urdf').read_text() == BAD
    done = hrdf('check --fix sub/link.urdf')
    assert done.status == 1 and Path('a.urdf').read_text() == BAD
    assert 'sub/link.urdf: this is a symbolic link, which is not followed' in done.err


def test_a_part_of_several_robots_is_fixed_once(hrdf: Run) -> None:
    files = {'some/a.urdf': BAD, 'some/v.sdf': WORLD.format('a.urdf'),
             'some/w.sdf': WORLD.format('a.urdf')}
    out = hrdf('check --fix --diff some', files=files).out
    assert out.count('+++ ') == 1
    done = hrdf('check --fix some')
    assert '2 fixes in 1 file' in done.err
    assert Path('some/a.urdf').read_text() == GOOD


def test_xacro_files_are_fixed_only_when_guesses_are(hrdf: Run) -> None:
    pytest.importorskip('xacro')
    text = ('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
            '<xacro:property name="b" value="bas"/>\n<link name="base"/>\n'
            '<xacro:macro name="m" params="n"><link name="l${n}"/>\n'
            '<joint name="j${n}" type="fixd"><parent link="base"/><child link="l${n}"/>\n'
            '<!-- ${b} --></joint></xacro:macro>\n<xacro:m n="1"/><xacro:m n="2"/></robot>\n')
    done = hrdf('check --fix a.urdf.xacro', files={'a.urdf.xacro': text})
    assert done.status == 1 and done.err.startswith('2 more with --unsafe-fixes\n')
    assert Path('a.urdf.xacro').read_text() == text
    done = hrdf('check --fix --unsafe-fixes a.urdf.xacro')
    assert done.status == 0 and done.err.startswith('fixed a.urdf.xacro:5:1: ')
    assert Path('a.urdf.xacro').read_text() == text.replace('fixd', 'fixed')
    expression = text.replace('link="base"', 'link="${b}"')
    assert hrdf('check --fix --unsafe-fixes b.urdf.xacro', files={
        'b.urdf.xacro': expression}).status == 1
    assert Path('b.urdf.xacro').read_text() == expression.replace('fixd', 'fixed')


def test_a_part_of_several_xacro_files_is_fixed_once(hrdf: Run) -> None:
    pytest.importorskip('xacro')
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    part = f'{head}<xacro:macro name="m"><link name="a"/><link name="b"/><joint name="j" ' \
        'type="fixd"><parent link="a"/><child link="b"/></joint></xacro:macro></robot>'
    robot = f'{head}<xacro:include filename="part.xacro"/><xacro:m/></robot>'
    done = hrdf('check --fix --unsafe-fixes --xacro some', files={
        'some/part.xacro': part, 'some/v.urdf.xacro': robot, 'some/w.urdf.xacro': robot})
    assert done.status == 0 and '1 fix in 1 file' in done.err
    assert Path('some/part.xacro').read_text() == part.replace('fixd', 'fixed')


def test_line_ends_and_encoding_stay(here: Path, hrdf: Run) -> None:
    text = '<?xml version="1.0" encoding="iso-8859-1"?>\n<!-- \xe9\u00a0 -->' + BAD
    data = text.replace('\n', '\r\n').encode('iso-8859-1')
    (here / 'a.urdf').write_bytes(data)
    assert hrdf('check --fix a.urdf').status == 0
    assert (here / 'a.urdf').read_bytes() == data.replace(b'"bas"', b'"base"').replace(
        b'orign', b'origin')


def test_only_what_counts_is_fixed(hrdf: Run) -> None:
    hrdf('check --fix --ignore unknown-element a.urdf', files={'a.urdf': BAD})
    assert Path('a.urdf').read_text() == BAD.replace('"bas"', '"base"')


def test_a_file_that_cannot_be_written_is_named(
    hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(files: dict[tuple[str, str], bytes]) -> None:
        raise PermissionError(errno.EACCES, 'is read-only and is not replaced', './b.urdf')

    monkeypatch.setattr(fixing, 'write_all', refuse)
    done = hrdf('check --fix a.urdf b.urdf', files={'a.urdf': BAD, 'b.urdf': BAD})
    assert done == (
        1, '', 'hrdf: error: b.urdf: is read-only and is not replaced; no file was changed\n')


@pytest.mark.parametrize('options', ['--diff', '--unsafe-fixes'])
def test_options_of_fix_require_it(options: str, hrdf: Run) -> None:
    assert hrdf(f'check {options} a.urdf', files={'a.urdf': BAD}).status == 2


def test_no_setting_fixes(hrdf: Run) -> None:
    pytest.importorskip('tomllib' if sys.version_info >= (3, 11) else 'tomli')
    for name in ('fix', 'unsafe-fixes', 'diff'):
        files = {'.hrdf.toml': f'{name} = true\n', 'a.urdf': BAD}
        status, _, err = hrdf('check a.urdf', files=files)
        assert status == 2 and f"there is no setting '{name}'" in err
    os.remove('.hrdf.toml')


# ---- the fault file of each code

FIXED = {
    file: codes for folder in sorted(FAULTS.iterdir()) if folder.is_dir()
    for file in sorted(folder.iterdir()) if file.is_file()
    for codes in [{one.code for one in load(file).report if one.fix and one.fix.resolve()}]
    if codes}


_SDF = '<sdf version="1.11"><model name="m"><link name="base"/><link name="hand"/>{}</model></sdf>'
_SKEL = ('<skel version="1.0"><world name="w"><skeleton name="s"><body name="base"/>'
         '<body name="hand"/><joint type="{}" name="j"><parent>{}</parent><child>hand</child>'
         '</joint></skeleton></world></skel>')
_MIMIC = GOOD.replace('</joint>', '<mimic joint="tlt"/></joint>').replace(
    '</robot>', '<link name="tip"/>\n' + GOOD[GOOD.index('  <joint'):].replace(
        '"hand"', '"tip"').replace('"turn"', '"tilt"'))
MISSPELLED = {
    'joint-parent-unknown': GOOD.replace('parent link="base"', 'parent link="bas"'),
    'mimic-invalid': _MIMIC,
    'sdf-relative-to-unknown': _SDF.format('<frame name="f"><pose relative_to="hnd"/></frame>'),
    'sdf-expressed-in-unknown': _SDF.format(
        '<joint name="j" type="revolute"><parent>base</parent><child>hand</child><axis>'
        '<xyz expressed_in="bas">1 0 0</xyz></axis></joint>'),
    'sdf-placement-frame-unknown': _SDF.replace(
        'name="m"', 'name="m" placement_frame="hnd"').format(''),
    'skel-joint-discarded': _SKEL.format('weld', 'bas'),
}
"""Descriptions with a word that is nearly right, for codes whose fault file has no such word."""


@pytest.mark.parametrize('file', FIXED, ids=lambda file: str(file.relative_to(FAULTS)))
def test_each_fault_file_with_a_fix(file: Path, tmp_path: Path, hrdf: Run) -> None:
    folder = shutil.copytree(file.parent, tmp_path / 'faults')
    _check_fix(folder / file.name, hrdf)


@pytest.mark.parametrize('code', MISSPELLED)
def test_each_code_for_a_misspelled_name(code: str, here: Path, hrdf: Run) -> None:
    file = here / 'a.xml'
    file.write_text(MISSPELLED[code])
    assert code in {one.code for one in load(file).report if one.fix and one.fix.resolve()}
    _check_fix(file, hrdf)
    assert code not in {one.code for one in load(file).report}


def _check_fix(copy: Path, hrdf: Run) -> None:
    """Require that fixes leave no fix, and that what they change in a robot is said."""
    before = load(copy)
    done = hrdf(f'check --fix --unsafe-fixes {copy}')
    after = load(copy)
    left = [one for one in after.report if one.fix and one.fix.resolve()]
    assert not left, left
    assert len(after.report) <= len(before.report) or not before.ok
    assert done.status == (0 if after.ok else 1)
    said = f'{copy}: changed: ' in done.err
    if before.model is None:
        assert f'{copy}: there was no robot to compare with before' in done.err
    elif after.model is None:
        assert f'{copy}: there is no robot any more' in done.err
    else:
        assert said is bool(diff_models(before.model, after.model))
        assert said is (f'{copy}: the kinematics stay' not in done.err)


def test_codes_with_a_fix() -> None:
    assert set.union(*FIXED.values()) >= {
        'bad-value', 'implausible-value', 'joint-child-unknown', 'missing-attribute',
        'missing-version', 'newer-than-version', 'skel-spec-over-dart', 'unknown-attribute',
        'unknown-element', 'wrong-case', 'xml-recovered', 'xml-syntax'}
