# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The whole flow: which reader reads what, and what comes back."""

from __future__ import annotations

import gc
from math import inf
from pathlib import Path
from types import SimpleNamespace

from helpers.loading import model_of
from hrdf_ros import load, load_model, LoadError, write_urdf
from hrdf_ros.document import SourceFile
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.model import Body, Coordinate, Model
from hrdf_ros.readers.api import Context
import pytest

HRDF = '<robot version="1.6.0"><joint axis="rz"/><rigid-body mass="1"/></robot>'
URDF = '<robot name="r"><link name="a"/></robot>'
SDF = '<sdf version="1.11"><model name="m"><link name="a"/></model></sdf>'
SKEL = (
    '<skel version="1.0"><world name="w"><skeleton name="s"><body name="b"/>'
    '</skeleton></world></skel>')
TEXTS = {'hrdf': HRDF, 'urdf': URDF, 'sdf': SDF, 'skel': SKEL}


@pytest.mark.parametrize(('suffix', 'format'), [
    ('.hrdf', 'hrdf'), ('.urdf', 'urdf'), ('.sdf', 'sdf'), ('.world', 'sdf'), ('.skel', 'skel'),
    ('.SDF', 'sdf'), ('.xml', 'urdf'), ('', 'urdf')])
def test_the_format_is_recognized_by_suffix(
    suffix: str, format: str, tmp_path: Path,  # noqa: A002
) -> None:
    file = tmp_path / f'robot{suffix}'
    file.write_text(TEXTS[format])
    loaded = load(file)
    assert model_of(loaded).format == format
    assert loaded.files == model_of(loaded).files == (str(file),)


def test_urdf_that_is_named_as_sdformat_is_read_as_what_it_is(tmp_path: Path) -> None:
    mass = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
            '</inertial>')
    (tmp_path / 'robot.sdf').write_text(
        f'<robot name="r"><link name="a">{mass}</link></robot>')
    loaded = load(tmp_path / 'robot.sdf')
    assert model_of(loaded).format == 'urdf'
    assert 'suffix-mismatch' in [found.code for found in loaded.report]
    (tmp_path / 'world.sdf').write_text(
        '<sdf version="1.9"><world name="w"><include><uri>robot.sdf</uri></include></world></sdf>')
    world = load(tmp_path / 'world.sdf')
    assert [body.name for body in model_of(world).bodies] == ['world', 'r/a']
    assert 'suffix-mismatch' in [found.code for found in world.report]


@pytest.mark.parametrize('start', [
    '', '\ufeff', ' \n', *(f'<?xml version="1.0" encoding="{encoding}"?>\n' for encoding in (
        'utf-8', 'iso-8859-1', 'us-ascii', 'utf-16', 'no-such'))])
def test_a_text_has_no_encoding_whatever_it_declares(start: str) -> None:
    text = f'{start}<robot name="é"><link name="日本"/></robot>'
    model = load_model(text)
    assert (model.name, model.bodies[0].name) == ('é', '日本')
    extra = SourceFile('extra.xml', b'<gazebo/>')
    assert write_urdf(model, extra=extra)[0] == text.replace('</robot>', '  <gazebo/>\n</robot>')


def test_unknown_formats(tmp_path: Path) -> None:
    (tmp_path / 'page.html').write_text('<html/>')
    [found] = load(tmp_path / 'page.html').report
    at = found.resolve()
    assert at is not None
    assert (found.code, at.line, at.column) == ('unknown-format', 1, 1)


def test_options_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="naming is one of default, hebi, not 'odd'"):
        load(TEXTS['hrdf'], naming='odd')
    with pytest.raises(ValueError, match="format is one of .*, not 'stl'"):
        load(TEXTS['hrdf'], format='stl')


@pytest.mark.parametrize('enabled', [True, False])
def test_the_garbage_collector_is_left_as_it_was(enabled: bool) -> None:
    before = gc.isenabled()
    try:
        gc.enable() if enabled else gc.disable()
        load(SDF)
        load('nosuch')
        assert gc.isenabled() == enabled
    finally:
        gc.enable() if before else gc.disable()


@pytest.mark.parametrize('text', [
    HRDF, URDF, SDF, SKEL, '<sdf version="1.9"><world name="w"/></sdf>'])
def test_a_load_leaves_nothing_to_the_garbage_collector(text: str) -> None:
    load(text)
    gc.collect()
    load(text)
    assert gc.collect() == 0


def read_toy(source: SourceFile, _: Context) -> Model:
    """Read a list of bodies, one a line."""
    names = source.data.decode().split()
    return Model('toy', 'toy', '1', 'world', tuple(Body(name, name) for name in names))


def test_a_package_may_register_a_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = SimpleNamespace(name='toy', load=lambda: read_toy)
    monkeypatch.setattr('importlib.metadata.entry_points', lambda group: [entry])
    (tmp_path / 'robot.toy').write_text('a\n')
    assert [body.name for body in load_model(tmp_path / 'robot.toy').bodies] == ['a']


def test_a_text_has_the_bounds_of_a_file() -> None:
    [found] = load('<robot>' + ' ' * (64 * 1024 * 1024)).report
    assert (found.code, found.severity) == ('file-too-large', 'error')
    assert not load('<robot name="\ud800"/>').report.ok


def test_texts_of_an_editor_are_read_instead_of_files(tmp_path: Path) -> None:
    """An overlay replaces files that are there, and stands for those that are not."""
    (tmp_path / 'whole.hrdf').write_text(
        '<robot version="1.5.0"><include path="part.hrdf"/></robot>')
    part = str((tmp_path / 'part.hrdf').resolve())
    overlay = {part: '<robot version="1.5.0"><joint axis="rz" tag="\u00e4"/>   </robot>'}
    found = load(tmp_path / 'whole.hrdf', overlay=overlay)
    assert found.model is not None and found.model.coordinates[0].name == '\u00e4'
    assert found.files[1] == part
    assert load(tmp_path / 'whole.hrdf').report.first_error.code == 'file-not-found'
    limited = load(tmp_path / 'whole.hrdf', overlay=overlay, limits=ResourceLimits(file_bytes=59))
    assert limited.report.first_error.code == 'file-too-large'
    refused = load(tmp_path / 'whole.hrdf', overlay={'/elsewhere.hrdf': '<robot/>'},
                   roots=[str(tmp_path)])
    assert refused.report.first_error.code == 'file-not-found'


HUGE = '1.79769e308'


@pytest.mark.parametrize('text', [
    '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
    f'<parent link="a"/><child link="b"/><limit lower="-1e16" upper="{HUGE}" effort="{HUGE}" '
    'velocity="1e16"/></joint></robot>',
    '<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><joint name="j" '
    'type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><limit><lower>-1e16'
    f'</lower><upper>{HUGE}</upper><effort>{HUGE}</effort><velocity>1e16</velocity></limit></axis>'
    '</joint></model></sdf>',
    '<skel version="1.0"><world name="w"><skeleton name="s"><body name="a"/><joint '
    'type="revolute" name="j"><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz><limit>'
    f'<lower>-1e16</lower><upper>{HUGE}</upper></limit></axis></joint></skeleton></world></skel>'])
def test_limits_of_1e16_and_more_are_none(text: str) -> None:
    model = load(text).model
    assert model is not None
    [coordinate] = model.coordinates
    assert limits_of(coordinate) == (-inf, inf, inf, inf)


def limits_of(coordinate: Coordinate) -> tuple[float, float, float, float]:
    return coordinate.lower, coordinate.upper, coordinate.velocity, coordinate.effort


def test_a_failed_include_beside_a_world() -> None:
    loaded = load(
        '<sdf version="1.12"><world name="w"/><include><uri>nosuch</uri></include></sdf>')
    assert loaded.model is None


def test_errors_leave_no_model_and_are_raised_on_demand() -> None:
    loaded = load('nosuch.sdf')
    assert loaded.model is None
    with pytest.raises(LoadError, match='the file nosuch.sdf does not exist') as caught:
        model_of(loaded)
    assert caught.value.report is loaded.report
    assert isinstance(caught.value, ValueError)


def test_limits_below_1e16_are_limits() -> None:
    model = load(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="prismatic">'
        '<parent link="a"/><child link="b"/><limit lower="-9e15" upper="9e15" effort="0" '
        'velocity="1"/></joint></robot>').model
    assert model is not None
    assert limits_of(model.coordinates[0]) == (-9e15, 9e15, 1.0, 0.0)


@pytest.mark.parametrize('format', TEXTS)
def test_the_format_is_recognized_by_content(format: str) -> None:  # noqa: A002
    model = load_model(f'\n <!-- c -->{TEXTS[format]}')
    assert (model.format, model.files) == (format, ())


def test_a_format_that_is_given_goes_before_the_suffix(tmp_path: Path) -> None:
    (tmp_path / 'robot.urdf').write_text(SDF)
    assert load_model(tmp_path / 'robot.urdf', format='sdf').format == 'sdf'
