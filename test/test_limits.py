# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The limits of docs/security.md: what is beyond them is refused with a diagnostic, and soon."""

from __future__ import annotations

from pathlib import Path
import re

from helpers.scaling import FULL_REPORT, peak_memory
from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.limits import DIAGNOSTICS_PER_CODE, HINTS, parse_limit, ResourceLimits
from hrdf_ros.load import load
from hrdf_ros.readers.skel.solids import mesh_extents
import pytest


def codes_of(text: str, **limits: int) -> list[str]:
    return [found.code for found in load(text, limits=ResourceLimits(**limits)).report]


# ---- limits as they are written


@pytest.mark.parametrize('text', [
    '', 'frames', 'frames=', 'frames=-1', 'frames=1e3', 'frames=1.0', 'frames=²', 'Frames=1',
    '=1', 'nosuch=1', 'frames =1'])
def test_a_limit_is_a_name_and_a_number(text: str) -> None:
    assert parse_limit('frames=10') == ('frames', 10)
    with pytest.raises(ValueError, match='limit|NUMBER'):
        parse_limit(text)


# ---- documents and reports

def test_elements_and_attributes() -> None:
    most = ResourceLimits().elements
    attributes = ''.join(f' a{number}=""' for number in range(most // 2))
    text = f'<robot name="r">{"<a/>" * (most // 2)}<a{attributes}/></robot>'
    assert codes_of(text) == ['too-many-elements']
    small = '<robot version="1.6.0"><joint axis="rz"/></robot>'
    assert codes_of(small, elements=4) == []
    assert codes_of(small, elements=3) == ['too-many-elements']


def test_elements_within_each_other() -> None:
    assert codes_of(robot('<joint axis="rz"/>'), element_depth=2) == []
    assert codes_of(robot('<joint axis="rz"/>'), element_depth=1) == ['xml-too-deep']


@pytest.mark.pins('too-many-diagnostics')
def test_diagnostics_of_one_kind() -> None:
    extra = '<foo/>' * (DIAGNOSTICS_PER_CODE + 5)
    assert codes_of(f'<robot name="r"><link name="a"/>{extra}</robot>') == [
        *['unknown-element'] * DIAGNOSTICS_PER_CODE, 'too-many-diagnostics']


def test_hints_are_worked_out_for_the_first_diagnostics_only() -> None:
    report, asked = Report(), []
    for number in range(HINTS + 5):
        report.add(codes.NAME_CHANGED, '', hint=lambda number=number: asked.append(number))
    assert asked == list(range(HINTS))


# ---- models

@pytest.mark.pins('names-too-long')
@pytest.mark.parametrize('limit, least', [('name_length', 4), ('all_names', 12)])
def test_long_names(limit: str, least: int) -> None:
    text = '<robot name="r"><link name="link"/></robot>'
    assert codes_of(text, **{limit: least}) == []
    assert codes_of(text, **{limit: least - 1}) == ['names-too-long']


@pytest.mark.parametrize(('depth', 'length'), [(200, 280), (900, 1), (90, 700)])
def test_names_of_deeply_nested_models(depth: int, length: int) -> None:
    name = 'n' * length
    text = ''.join(f'<model name="{name}{index}"><link name="l"/>' for index in range(depth))
    text = f'<sdf version="1.9">{text}{"</model>" * depth}</sdf>'

    def read() -> None:
        assert [found.code for found in load(text).report] == ['names-too-long']
    read()
    assert peak_memory(read) <= 60 * len(text) + FULL_REPORT


def test_frames() -> None:
    text = model('<link name="b"/>')
    assert codes_of(text, frames=3) == ['body-disconnected']
    assert codes_of(text, frames=2)[-1] == 'too-many-frames'


@pytest.mark.parametrize('name, part', [
    ('bomb.hrdf', '<include path="{}"/>'),
    ('bomb.sdf', '<include><uri>{}</uri><name>{}</name></include>'),
    ('bomb.sdf', '<include merge="true"><uri>{}</uri><name>{}</name></include>')])
def test_includes_that_double_at_each_step(tmp_path: Path, name: str, part: str) -> None:
    shell = robot if name.endswith('hrdf') else model
    for step in range(40):
        twice = (part.format(f'{step + 1}-{name}', letter) for letter in 'ab')
        (tmp_path / f'{step}-{name}').write_text(shell(''.join(twice)))
    (tmp_path / f'40-{name}').write_text(shell(''))
    loaded = load(
        tmp_path / f'0-{name}', path=[str(tmp_path)], limits=ResourceLimits(includes=200))
    assert 'too-many-includes' in [found.code for found in loaded.report]
    assert loaded.model is None


def test_nothing_is_read_after_a_limit_of_the_whole_load(tmp_path: Path) -> None:
    links = ''.join(f'<link name="l{number}"/>' for number in range(10))
    (tmp_path / 'part.sdf').write_text(
        f'<sdf version="1.9"><model name="p">{links}</model></sdf>')
    includes = ''.join(
        f'<include><uri>part.sdf</uri><name>m{number}</name></include>' for number in range(50))
    (tmp_path / 'w.sdf').write_text(
        f'<sdf version="1.9"><world name="w">{includes}</world></sdf>')
    for limits, code in (
            (ResourceLimits(elements=500), 'too-many-elements'),
            (ResourceLimits(includes=20), 'too-many-includes'),
            (ResourceLimits(all_bytes=10_000), 'file-too-large')):
        loaded = load(tmp_path / 'w.sdf', limits=limits)
        assert [found.code for found in loaded.report] == [code]


def robot(inside: str) -> str:
    return f'<robot version="1.6.0">{inside}</robot>'


def model(inside: str) -> str:
    return f'<sdf version="1.9"><model name="m"><link name="l"/>{inside}</model></sdf>'


# ---- meshes

@pytest.mark.parametrize('name, data', [
    ('a.obj', b'v 0 0 0\nv 1 2 3\n' * 60_000),
    ('a.stl', b'vertex 0 0 0\nvertex 1 2 3\n' * 60_000)])
def test_meshes_of_many_points(name: str, data: bytes) -> None:
    for points, extents in ((120_000, (1.0, 2.0, 3.0)), (119_999, None)):
        limits = ResourceLimits(mesh_points=points)
        assert mesh_extents(SourceFile(name, data, limits=limits)) == extents


def test_a_mesh_that_occurs_many_times_in_its_scene() -> None:
    instances = '<instance_geometry url="#g"/>' * 300
    numbers = '0 0 0 1 2 3 ' * 300
    data = f"""<COLLADA><library_geometries><geometry id="g"><mesh><source id="p">
<float_array>{numbers}</float_array></source><vertices><input semantic="POSITION" source="#p"/>
</vertices></mesh></geometry></library_geometries><library_visual_scenes><visual_scene><node>
{instances}</node></visual_scene></library_visual_scenes></COLLADA>"""
    source = SourceFile('a.dae', data.encode())
    assert mesh_extents(source) == (1.0, 2.0, 3.0)
    assert mesh_extents(source._replace(limits=ResourceLimits(mesh_points=100_000))) is None


# ---- entities, formulas, devices


def test_formulas_as_long_as_the_limit() -> None:
    assert codes_of(robot('<rigid-body mass="1+1"/>'), formula_length=3) == []
    assert codes_of(robot('<rigid-body mass="1+1"/>'), formula_length=2) == ['bad-value']
    assert 'bad-value' in codes_of(robot('<rigid-body mass="1" com_rot="Rx(0)"/>'),
                                        formula_length=4)


@pytest.mark.parametrize('uri', [
    '/etc/passwd', 'file:///etc/passwd', '../outside.obj', 'link.obj', 'package://other/a.obj'])
def test_meshes_outside_the_roots_are_not_read(tmp_path: Path, uri: str) -> None:
    root = tmp_path / 'root'
    root.mkdir()
    (tmp_path / 'outside.obj').write_text('v 0 0 0\nv 1 2 3\n')
    (root / 'link.obj').symlink_to(tmp_path / 'outside.obj')
    (root / 'a.skel').write_text(f"""<skel version="1.0"><world name="w"><skeleton name="s">
<body name="b"><inertia><mass>1</mass></inertia><visualization_shape><geometry><mesh>
<file_name>{uri}</file_name></mesh></geometry></visualization_shape></body>
<joint type="weld" name="j"><parent>world</parent><child>b</child></joint></skeleton></world>
</skel>""")
    loaded = load(root / 'a.skel', roots=[str(root)])
    assert loaded.files == (str(root / 'a.skel'),)


def test_what_is_outside_the_roots_is_not_revealed(tmp_path: Path) -> None:
    (tmp_path / 'there').mkdir()
    (tmp_path / 'there' / 'model.config').write_text('<model/>')
    root = tmp_path / 'root'
    root.mkdir()
    reported = set()
    for name in ('there', 'nosuch'):
        outside = str(tmp_path / name)
        texts = (
            f'<sdf version="1.9"><model name="m"><link name="l"/><include><uri>{outside}</uri>'
            '</include></model></sdf>',
            '<robot name="r"><link name="l"><visual><geometry>'
            f'<mesh filename="{outside}"/></geometry></visual></link></robot>')
        found = [load(source, roots=[str(root)]).report for source in (outside, *texts)]
        reported.add(tuple(
            (each.code, each.message.replace(name, '')) for report in found for each in report))
    assert len(reported) == 1


# ---- the documentation

SECURITY = Path(__file__).parent.parent / 'docs' / 'security.md'
LIMIT = re.compile(r'\| ([\d,]+) \| `(\w+)` \|')


def test_every_limit_is_documented() -> None:
    rows = LIMIT.findall(SECURITY.read_text())
    assert rows == [(f'{default:,}', name) for name, default in ResourceLimits()._asdict().items()]


def test_a_long_name_of_many_frames() -> None:
    frames = ''.join(f'<frame name="{index}"/>' for index in range(1000))
    text = f'<sdf version="1.9"><model name="m"><link name="{"n" * 2000}"/>{frames}</model></sdf>'
    assert [found.code for found in load(text).report] == ['names-too-long']
    assert load(text, limits=ResourceLimits(names_per_byte=200)).ok
