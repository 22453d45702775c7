# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Parts of glTF and COLLADA files that cannot be read, and would be missing without a word."""

from collections.abc import Callable
import json
from pathlib import Path
import struct
from typing import Any

from hrdf_ros.meshes import LoadedMesh, MeshError, MeshReader, Request
from hrdf_ros.model import Mesh
import numpy as np
import pytest

pytest.importorskip('trimesh')
POINTS = struct.pack('<9f', 0, 0, 0, 1, 0, 0, 0, 1, 0)
SOURCE = """
<source id="{0}s"><float_array id="{0}a" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#{0}a" count="3" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
"""
GEOMETRY = '<geometry id="{0}"><mesh>' + SOURCE + """
<vertices id="{0}v"><input semantic="POSITION" source="#{0}s"/></vertices><triangles count="1">
<input semantic="VERTEX" source="#{0}v" offset="0"/><p>0 1 {1}</p></triangles></mesh></geometry>
"""


def load(file: Path) -> LoadedMesh:
    request = Request(Mesh('mesh', str(file)))
    found = MeshReader().read([request])[request]
    if isinstance(found, MeshError):
        raise found
    return found


def gltf(directory: Path, change: Callable[[Any], object], suffix: str) -> Path:
    """Write a file of one triangle, whose JSON is changed."""
    header = {
        'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}],
        'nodes': [{'mesh': 0}], 'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}],
        'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 3, 'type': 'VEC3'}],
        'bufferViews': [{'buffer': 0, 'byteLength': len(POINTS)}],
        'buffers': [{'byteLength': len(POINTS), 'uri': 'a%20b.bin'}]}
    change(header)
    (directory / 'a b.bin').write_bytes(POINTS)
    file = directory / f'a.{suffix}'
    text = json.dumps(header).encode()
    if suffix == 'glb':
        text += b' ' * (-len(text) % 4)
        text = b''.join((
            struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(POINTS)),
            struct.pack('<I4s', len(text), b'JSON'), text,
            struct.pack('<I4s', len(POINTS), b'BIN\0'), POINTS))
    file.write_bytes(text)
    return file


def in_primitive(**changes: Any) -> Callable[[Any], object]:
    return lambda header: header['meshes'][0]['primitives'][0].update(changes)


def in_accessor(**changes: Any) -> Callable[[Any], object]:
    return lambda header: header['accessors'][0].update(changes)


@pytest.mark.parametrize('suffix', ['gltf', 'glb'])
def test_a_file_with_a_percent_encoded_name_is_read(tmp_path: Path, suffix: str) -> None:
    triangles = load(gltf(tmp_path, lambda header: None, suffix)).triangles
    assert np.ptp(triangles.vertices, axis=0) == pytest.approx((1.0, 1.0, 0.0))


@pytest.mark.parametrize('suffix', ['gltf', 'glb'])
@pytest.mark.parametrize(('change', 'reason'), [
    (in_primitive(mode=6), 'triangle fans'),
    (in_accessor(sparse={'count': 1}), 'sparse accessors'),
    (in_accessor(componentType=5122, normalized=True), 'normalized integers'),
    (in_primitive(extensions={'KHR_draco_mesh_compression': {'bufferView': 0}}), 'pip install D'),
    (lambda header: header['bufferViews'][0].update(
        extensions={'EXT_meshopt_compression': {'buffer': 0}}), 'EXT_meshopt_compression'),
    (in_primitive(attributes={'POSITION': -1}), 'negative index'),
    (in_primitive(indices=-1), 'negative index'),
    (in_accessor(bufferView=-1), 'negative index'),
    (in_accessor(byteOffset=-12), 'negative index'),
    (lambda header: header['nodes'][0].update(mesh=-1), 'negative index'),
    (lambda header: header['scenes'][0].update(nodes=[-1]), 'negative index'),
    (lambda header: header['nodes'][0].update(skin=0), 'it has a skin'),
    (lambda header: header['nodes'][0].update(weights=[0.0, 0.5]), 'morph targets'),
    (lambda header: header['meshes'][0].update(weights=[1.0]), 'morph targets')])
def test_geometry_of_gltf_that_is_not_read(
        tmp_path: Path, change: Callable[[Any], object], reason: str, suffix: str) -> None:
    with pytest.raises(MeshError, match=reason):
        load(gltf(tmp_path, change, suffix))


def test_gltf_that_nothing_deforms_is_read(tmp_path: Path) -> None:
    """Negative numbers are allowed in transforms, bounds and extras; morph weights may be zero."""
    def change(header: Any) -> None:
        header['nodes'][0].update(translation=[-1.0, 0.0, 0.0], extras={'a': -1}, weights=[0.0])
        header['accessors'][0].update(min=[-1.0, -1.0, -1.0], max=[1.0, 1.0, 1.0])

    triangles = load(gltf(tmp_path, change, 'glb')).triangles
    assert triangles.vertices.min(axis=0) == pytest.approx((-1.0, 0.0, 0.0))


@pytest.mark.parametrize(('content', 'reason'), [
    (b'{"asset":', 'JSON cannot be read: Expecting value'), (b'\xff\xfe{', 'JSON cannot be read'),
    (b'[' * 200_000, 'JSON cannot be read'), (b'[]', 'no object')])
def test_json_that_cannot_be_read(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / 'a.gltf').write_bytes(content)
    with pytest.raises(MeshError, match=reason):
        load(tmp_path / 'a.gltf')


def test_a_missing_buffer_is_named(tmp_path: Path) -> None:
    file = gltf(tmp_path, lambda header: None, 'gltf')
    (tmp_path / 'a b.bin').unlink()
    with pytest.raises(MeshError, match="^'a%20b.bin' is not found in its directory$"):
        load(file)


def collada(directory: Path, geometries: str, nodes: str) -> Path:
    (directory / 'a.dae').write_text(
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>'
        f'<library_geometries>{GEOMETRY.format("g", 2)}{geometries}</library_geometries>'
        '<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/>'
        f'{nodes}</node></visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#s"/></scene></COLLADA>')
    return directory / 'a.dae'


@pytest.mark.parametrize(('geometries', 'nodes'), [
    ('', '<instance_geometry url="#none"/>'),
    ('', '<instance_geometry url="other.dae#g"/>'),
    ('', '<node><matrix>1 2 3</matrix></node>'),
    ('', '<instance_controller url="#skin"/>'),
    (GEOMETRY.format('h', 9), '<instance_geometry url="#h"/>'),
    (GEOMETRY.format('h', 'x'), '<instance_geometry url="#h"/>')])
def test_a_lost_part_of_collada_is_reported(
        tmp_path: Path, geometries: str, nodes: str) -> None:
    pytest.importorskip('collada')
    with pytest.raises(MeshError, match='a part of it cannot be read: '):
        load(collada(tmp_path, geometries, nodes))


@pytest.mark.parametrize(('geometries', 'nodes'), [
    ('', '<instance_light url="#none"/><instance_camera url="other.dae#a"/>'),
    ('<geometry id="h"><spline/></geometry>', '<instance_geometry url="#h"/>'),
    ('', '<instance_geometry url="#g"><bind_material><technique_common><instance_material '
     'symbol="m" target="#none"/></technique_common></bind_material></instance_geometry>')])
def test_what_is_not_drawn_may_be_missing_in_collada(
        tmp_path: Path, geometries: str, nodes: str) -> None:
    pytest.importorskip('collada')
    assert len(load(collada(tmp_path, geometries, nodes)).triangles.faces)
