# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Textures go out with URIs that lead to their files, from wherever the text is read."""

from __future__ import annotations

from pathlib import Path
import re

from hrdf_ros import load_model
from hrdf_ros.cli import main
from hrdf_ros.writers.sdf import write_sdf
from hrdf_ros.writers.urdf import write_urdf
import pytest

LOOK = """<sdf version="1.11"><model name="m"><link name="a"><visual name="v">
<geometry><box><size>1 1 1</size></box></geometry><material>
<pbr><metal>
  <albedo_map> textures/a&amp;b.png </albedo_map>
  <normal_map>model://m/textures/normal.png</normal_map>
  <roughness_map>textures/none.png</roughness_map>
</metal></pbr>
<script><uri>scripts</uri><name>Wood</name></script>
</material></visual></link></model></sdf>"""


@pytest.fixture
def part(tmp_path: Path) -> Path:
    """Return a model in a folder, with all but one of its files."""
    folder = tmp_path / 'models' / 'm'
    for name in ('textures/a&b.png', 'textures/normal.png', 'scripts/wood.material'):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    (folder / 'model.sdf').write_text(LOOK)
    (folder / 'model.config').write_text('<model><sdf>model.sdf</sdf></model>')
    return folder


def test_sdf_names_the_files_wherever_it_is_written(part: Path) -> None:
    text, _ = write_sdf(load_model(part / 'model.sdf', path=[str(part.parent)]))
    assert re.findall('_map>(.*?)</', text) == [
        f'file://{part}/textures/a&amp;b.png', 'model://m/textures/normal.png',
        'textures/none.png']
    assert re.findall('<script><uri>(.*?)</', text) == [f'file://{part}/scripts']
    whole = part.parents[1] / 'whole.sdf'  # the model includes this one
    whole.write_text('<sdf version="1.11"><model name="w"><include merge="true">'
                     '<uri>model://m</uri></include></model></sdf>')
    text, _ = write_sdf(load_model(whole, path=[str(part.parent)]))
    assert f'<albedo_map>file://{part}/textures/a&amp;b.png</albedo_map>' in text


def test_urdf_names_a_texture_as_it_names_meshes(part: Path) -> None:
    model = load_model(part / 'model.sdf', path=[str(part.parent)])
    assert f'<texture filename="file://{part}/textures/a%26b.png"/>' in write_urdf(model)[0]
    relative, _ = write_urdf(model, relative_to=str(part))
    assert '<texture filename="textures/a&amp;b.png"/>' in relative


@pytest.mark.parametrize('target', ['urdf', 'sdf'])
def test_meshes_on_the_network_are_named_once(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    robot = tmp_path / 'a.urdf'
    visuals = ''.join(
        f'<visual><geometry><mesh filename="https://a.org/{name}.stl"/></geometry></visual>'
        for name in 'xyz')
    robot.write_text(f'<robot name="a"><link name="l">{visuals}</link></robot>')
    assert main(['convert', str(robot), '--to', target]) == 0
    assert capsys.readouterr().err.count('hrdf fetch') == 1
