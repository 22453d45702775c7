# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Mesh files as the viewer reads them."""

import os
from pathlib import Path
import zipfile

from hrdf_ros.meshes import LoadedMesh, MeshError, MeshReader, Request
from hrdf_ros.model import Box, Geometry, Mesh
import numpy as np
import pytest

trimesh = pytest.importorskip('trimesh')
BOX = Box((1.0, 1.0, 1.0))


def write(file: Path, scene: 'trimesh.Scene | None' = None) -> Path:
    """Write a box of 1 x 2 x 3 at the origin."""
    box = trimesh.creation.box((1.0, 2.0, 3.0))
    (scene or box).export(str(file))
    return file


def load(
        geometry: Geometry, texture: 'Path | None' = None,
        reader: 'MeshReader | None' = None) -> LoadedMesh:
    """Return a mesh or a textured primitive, or raise the MeshError."""
    request = Request(geometry, None if texture is None else str(texture))
    found = (reader or MeshReader()).read([request])[request]
    if isinstance(found, MeshError):
        raise found
    return found


@pytest.mark.parametrize('suffix', ['stl', 'obj', 'glb', 'ply'])
def test_formats_are_read_and_scaled(tmp_path: Path, suffix: str) -> None:
    file = write(tmp_path / f'box.{suffix}')
    loaded = load(Mesh('box', str(file), scale=(1.0, 0.5, 2.0)))
    assert np.ptp(loaded.triangles.vertices, axis=0) == pytest.approx((1.0, 1.0, 6.0))
    assert len(loaded.triangles.faces) == 12


def test_the_unit_of_collada_counts(tmp_path: Path) -> None:
    pytest.importorskip('collada')
    file = write(tmp_path / 'box.dae')
    text = file.read_text()
    assert '<asset>' in text
    file.write_text(text.replace('meter="1.0"', 'meter="0.01"').replace(
        '<asset>', '<asset><unit name="centimeter" meter="0.01"/>')
        if '<unit' not in text else text.replace('meter="1.0"', 'meter="0.01"'))
    loaded = load(Mesh('box', str(file)))
    assert np.ptp(loaded.triangles.vertices, axis=0) == pytest.approx((0.01, 0.02, 0.03))


def test_a_submesh_is_taken_alone_and_centered(tmp_path: Path) -> None:
    scene = trimesh.Scene()
    for name, x in (('left', -5.0), ('right', 5.0)):
        scene.add_geometry(
            trimesh.creation.box((1.0, 1.0, 1.0)), geom_name=name, node_name=name,
            transform=trimesh.transformations.translation_matrix((x, 0.0, 0.0)))
    file = write(tmp_path / 'two.glb', scene)
    right = load(Mesh('two', str(file), submesh='right')).triangles.vertices
    assert right[:, 0].min() == pytest.approx(4.5)
    centered = load(
        Mesh('two', str(file), submesh='right', center_submesh=True)).triangles.vertices
    assert centered[:, 0].min() == pytest.approx(-0.5)
    with pytest.raises(MeshError, match="no submesh 'middle'"):
        load(Mesh('two', str(file), submesh='middle'))


def test_colors_of_a_file_are_kept(tmp_path: Path) -> None:
    pytest.importorskip('PIL', reason='materials need Pillow')
    vertices = '0 0 0 {0}\n1 0 0 {0}\n0 1 0 {0}\n'
    color = ''.join(f'property uchar {name}\n' for name in ('red', 'green', 'blue'))
    for name, of_vertex, of_face in (('vertex', color, ''), ('face', '', color)):
        file = tmp_path / f'{name}.ply'
        file.write_text(
            'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n'
            f'property float z\n{of_vertex}element face 1\n'
            f'property list uchar int vertex_indices\n{of_face}end_header\n'
            + vertices.format('255 0 0' if of_vertex else '')
            + ('3 0 1 2 255 0 0\n' if of_face else '3 0 1 2\n'))
        loaded = load(Mesh(name, str(file)))
        assert loaded.glb is not None and loaded.glb[:4] == b'glTF', name
        assert len(loaded.triangles.faces) == 1
    assert load(Mesh('gray', str(write(tmp_path / 'gray.stl')))).glb is None


@pytest.mark.parametrize('content', [b'', b'no mesh', b'solid x\nendsolid x\n', bytes(84)])
def test_a_broken_file_is_reported(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / 'broken.stl'
    file.write_bytes(content)
    with pytest.raises(MeshError):
        load(Mesh('broken', str(file)))


def test_a_missing_file_is_reported() -> None:
    with pytest.raises(MeshError, match='not found'):
        load(Mesh('missing'))


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    file = write(tmp_path / 'box.stl')
    reader = MeshReader()
    assert len(load(Mesh('box', str(file)), reader=reader).triangles.faces) == 12
    trimesh.creation.icosphere(2).export(str(file))
    assert len(load(Mesh('box', str(file)), reader=reader).triangles.faces) > 12


def test_files_beside_the_mesh_stay_below_its_directory(tmp_path: Path) -> None:
    (tmp_path / 'secret.mtl').write_text('newmtl a\nKd 1 0 0\n')
    directory = tmp_path / 'meshes'
    directory.mkdir()
    file = write(directory / 'box.obj')
    body = '\n'.join(line for line in file.read_text().splitlines() if 'mtl' not in line)
    file.write_text(f'mtllib ../secret.mtl\nusemtl a\n{body}\n')
    assert load(Mesh('box', str(file))).glb is None
    (directory / 'near.mtl').write_text('newmtl a\nKd 1 0 0\n')
    file.write_text(f'mtllib near.mtl\nusemtl a\n{body}\n')
    assert load(Mesh('box', str(file))).glb is not None


def test_archives_and_pipes_are_not_read(tmp_path: Path) -> None:
    write(tmp_path / 'a.stl')
    with zipfile.ZipFile(tmp_path / 'a.zip', 'w') as archive:
        archive.write(tmp_path / 'a.stl', 'a.stl')
    os.mkfifo(tmp_path / 'pipe.stl')
    for name, message in (('a.zip', 'archives are not read'), (
            'pipe.stl', 'it is not a regular file')):
        with pytest.raises(MeshError, match=message):
            load(Mesh(name, file=str(tmp_path / name)))


def test_a_pipe_beside_the_mesh_is_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path / 'a.obj')
    os.mkfifo(tmp_path / 'a.mtl')
    (tmp_path / 'b.obj').write_text(
        'mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
    assert len(load(Mesh('b.obj', file=str(tmp_path / 'b.obj'))).triangles.faces) == 1


def test_an_image_starts_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip('PIL', reason='materials need Pillow')
    program = tmp_path / 'gs'
    program.write_text(f'#!/bin/sh\necho > {tmp_path}/started\n')
    program.chmod(0o755)
    monkeypatch.setenv('PATH', str(tmp_path), prepend=os.pathsep)
    image = tmp_path / 'a.png'
    image.write_text('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n%%EOF\n')
    (tmp_path / 'a.mtl').write_text('newmtl m\nmap_Kd a.png\n')
    mesh = tmp_path / 'a.obj'
    mesh.write_text(
        'mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\n'
        'vt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n')
    with pytest.raises(MeshError):
        load(Mesh('a.obj', file=str(mesh)))
    with pytest.raises(MeshError):
        load(BOX, image)
    assert not (tmp_path / 'started').exists()
