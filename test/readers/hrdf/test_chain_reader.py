# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Includes of HRDF: where files are, whose version counts, what is bounded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from helpers.loading import model_of
from hrdf_ros.diagnostics import Report
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult
from hrdf_ros.readers.api import Context, Options
from hrdf_ros.readers.hrdf import read
from hrdf_ros.resolve import Resolver
import pytest

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_robot(name: str, elements: str = '', version: str = '1.6.0') -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'<robot version="{version}">{elements}</robot>', encoding='utf-8')
        return file
    return write_robot


def joint_names(loaded: LoadResult) -> list[str]:
    return [joint.name for joint in model_of(loaded).joints if joint.type != 'fixed']


def codes(loaded: LoadResult) -> list[str]:
    return [found.code for found in loaded.report if found.code != 'limits-missing']


def test_elements_replace_the_include(write: Write) -> None:
    write('parts/b.hrdf', '<joint axis="rx" tag="b"/><include path="../c.hrdf"/>')
    write('c.hrdf', '<joint axis="ry" tag="c"/>')
    robot = write(
        'a.hrdf', '<joint axis="rx" tag="a"/><include path="./parts/b.hrdf"/>'
        '<joint axis="rx" tag="d"/>')
    loaded = load(robot)
    assert joint_names(loaded) == ['a', 'b', 'c', 'd']
    assert [Path(file).name for file in loaded.files] == ['a.hrdf', 'b.hrdf', 'c.hrdf']


def test_each_file_is_read_by_its_own_version(write: Write) -> None:
    write('old.hrdf', '<joint axis="rx"/><rigid-body mass="pi"/>', '1.0.0')
    robot = write('a.hrdf', '<include path="old.hrdf"/><joint axis="rx" gear_ratio="pi"/>')
    report = load(robot).report
    warning, error = report
    assert (warning.severity, warning.code) == ('warning', 'hrdf-include-version')
    assert '1.0.0' in warning.message and '1.6.0' in warning.message
    assert 'old.hrdf' in warning.message and 'a.hrdf' in warning.message
    assert error.code == 'newer-than-version'
    assert [found.severity for found in report.strict()] == ['error', 'error']


def test_attributes_of_an_included_robot_are_ignored(write: Write, tmp_path: Path) -> None:
    (tmp_path / 'b.hrdf').write_text(
        '<robot version="1.6.0" rot="garbage" foo="1"><joint axis="rx"/></robot>')
    loaded = load(write('a.hrdf', '<include path="b.hrdf"/>'))
    assert codes(loaded) == ['hrdf-include-pose-ignored']
    assert model_of(loaded).joints[0].parent_from_joint.position == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(('included', 'before', 'found'), [
    ('<sdf version="1.9"><model name="m"/></sdf>', '', ['unknown-element']),
    ('<robot version="1.6.0"><rigid-body mass="1"><output/></rigid-body></robot>', '',
     ['chain-already-ended']),
    ('<robot version="1.6.0"><bracket type="R8LightLeft"/></robot>', '<actuator type="X5-4"/>',
     ['hrdf-interface-mismatch']),
    ('<robot version="1.1.0"/>', '', ['hrdf-include-version'])])
def test_a_chain_goes_through_files(
    write: Write, tmp_path: Path, included: str, before: str, found: list[str],
) -> None:
    (tmp_path / 'b.hrdf').write_text(included)
    assert codes(load(write(
        'a.hrdf', f'{before}<include path="b.hrdf"/><joint axis="rx"/>'))) == found


def test_tags_are_unique_over_all_files(write: Write) -> None:
    write('leg.hrdf', '<joint axis="rx" tag="hip"/>')
    loaded = load(write('a.hrdf', '<include path="leg.hrdf"/>' * 2))
    (error,) = loaded.report
    assert error.code == 'duplicate-tag'
    assert 'leg.hrdf:1' in error.message
    assert error.resolve().included_from[0].column == 50


@pytest.mark.parametrize('way', ['a.hrdf', './a.hrdf', 'sub/../a.hrdf', 'b.hrdf'])
def test_cycle_is_found(way: str, write: Write) -> None:
    write('sub/c.hrdf')
    write('b.hrdf', '<include path="a.hrdf"/>')
    assert codes(load(write('a.hrdf', f'<include path="{way}"/>'))) == ['include-cycle']


@pytest.mark.pins('include-too-deep')
def test_depth_is_bounded(write: Write) -> None:
    for number in range(66):
        write(f'{number}.hrdf', f'<include path="{number + 1}.hrdf"/>')
    (error,) = load(write('a.hrdf', '<include path="0.hrdf"/>')).report
    assert error.code == 'include-too-deep'
    assert error.resolve()[1:3] == (1, 39)
    assert len(error.resolve().included_from) == 64


def test_what_files_come_to_is_bounded(write: Write) -> None:
    write('leaf.hrdf', '<joint axis="rz"/>\n<rigid-body mass="1"/>')
    file = write('main.hrdf', '<include path="leaf.hrdf"/>' * 5)
    assert load(file, limits=ResourceLimits(frames=27)).report.ok
    [found] = load(file, limits=ResourceLimits(frames=17)).report
    at = found.resolve()
    assert (found.code, at.file, at.line) == ('too-many-frames', str(file.parent / 'leaf.hrdf'), 2)
    assert [location.file for location in at.included_from] == [str(file)]


@pytest.mark.pins('too-many-includes')
def test_number_of_files_is_bounded(write: Write) -> None:
    for number in range(30):
        write(f'{number}.hrdf', f'<include path="{number + 1}.hrdf"/>' * 2)
    write('30.hrdf')
    resolver = Resolver(limits=ResourceLimits(includes=100))
    context = Context(Report(), resolver, Options(), lambda *_: None)
    source = resolver.read(str(write('a.hrdf', '<include path="0.hrdf"/>')), context.report)
    assert source is not None
    assert read(source, context) is None
    assert [found.code for found in context.report] == ['too-many-includes']
    assert len(resolver.files) == 32


@pytest.mark.pins('file-outside-roots')
def test_files_outside_the_roots_are_refused(write: Write, tmp_path: Path) -> None:
    write('secret.hrdf')
    robot = write('robots/a.hrdf', '<include path="../secret.hrdf"/>')
    (tmp_path / 'robots' / 'link.hrdf').symlink_to(tmp_path / 'secret.hrdf')
    linked = write('robots/b.hrdf', '<include path="link.hrdf"/>')
    for file in (robot, linked):
        (error,) = load(file, roots=[str(tmp_path / 'robots')]).report
        assert (error.code, error.resolve()[1:3]) == ('file-outside-roots', (1, 39))
