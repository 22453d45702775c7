# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Mesh files as the viewer reads them, and the surfaces of primitives."""

from cProfile import Profile
from io import BytesIO
from math import pi
import os
from pathlib import Path
import re
import zipfile

from hrdf_ros.meshes import LoadedMesh, MeshError, MeshReader, Request, surface, Triangles
from hrdf_ros.meshes.files import read
from hrdf_ros.model import Mesh, shapes
import numpy as np
import pytest

trimesh = pytest.importorskip('trimesh')
TRIANGLE = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n'


def write(file: Path, scene: 'trimesh.Scene | None' = None) -> Path:
    """Write a box of 1 x 2 x 3 at the origin."""
    box = trimesh.creation.box((1.0, 2.0, 3.0))
    (scene or box).export(str(file))
    return file


def load(
        geometry: shapes.Geometry, texture: 'Path | None' = None,
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


def test_a_file_that_is_neither_binary_nor_text(tmp_path: Path) -> None:
    """The encoding is not guessed, for which trimesh needs a package of its own."""
    file = tmp_path / 'bytes.obj'
    file.write_bytes(b'\xff\xfe\xf0 nonsense')
    with pytest.raises(MeshError, match='UTF-8|no triangles'):
        load(Mesh('bytes', str(file)))


def test_relative_indices_of_wavefront_count_from_their_line(tmp_path: Path) -> None:
    file = tmp_path / 'two.obj'
    faces = 'vn 0 0 1\nf -3//-1 -2//-1 -1//-1\n'
    file.write_text(TRIANGLE + faces + TRIANGLE.replace('v 0', 'v 5') + faces)
    corners = load(Mesh('two', str(file))).triangles
    assert sorted(corners.vertices[corners.faces][:, :, 0].max(axis=1)) == [1.0, 5.0]


@pytest.mark.parametrize('face', ['0 1 2', '-4 -3 -2', '1/0 2/1 3/1', '1 2 \\\n-4', '1 2 9'])
def test_a_corner_that_wavefront_does_not_have_is_reported(tmp_path: Path, face: str) -> None:
    (tmp_path / 'a.obj').write_text(f'{TRIANGLE}vt 0 0\nf {face}\n')
    with pytest.raises(MeshError, match='corner that is not in the file|out of bounds'):
        load(Mesh('a', str(tmp_path / 'a.obj')))


@pytest.mark.parametrize('text', [
    TRIANGLE + 'f 1 2 3',
    f'# a\n{TRIANGLE}f 1 2 3'.replace(' ', '\t'),
    f'{TRIANGLE}f 1 2 3'.replace('\n', '\r\n  \t'),
    f'{TRIANGLE}f 1 2 3'.replace(' ', ' \\\n'),
    f'{TRIANGLE}f -3 -2 -1'.replace(' ', ' \\\r\n')])
def test_white_space_of_wavefront(tmp_path: Path, text: str) -> None:
    (tmp_path / 'a.obj').write_bytes(text.encode())
    assert len(load(Mesh('a', str(tmp_path / 'a.obj'))).triangles.faces) == 1


def test_time_grows_with_the_parts_of_a_mesh(tmp_path: Path) -> None:
    """Doubling the parts twice takes about four times as many calls, not sixteen times."""
    counts = []
    for parts in (1, 200, 800):  # the first reading imports what the others need
        file = tmp_path / f'{parts}.obj'
        file.with_suffix('.mtl').write_text(''.join(
            f'newmtl m{index}\nKd 1 0 0\n' for index in range(parts)))
        file.write_text(f'mtllib {parts}.mtl\n' + ''.join(
            f'usemtl m{index}\n{TRIANGLE}f -3 -2 -1\n' for index in range(parts)))
        profile = Profile()
        found = profile.runcall(read, Mesh('parts', str(file), scale=(2.0, 2.0, 2.0)), None)
        assert len(found.triangles.faces) == parts and found.glb is not None
        counts.append(sum(entry.callcount for entry in profile.getstats()))
    assert counts[2] < 5 * counts[1]


def test_the_unit_of_collada_counts(tmp_path: Path) -> None:
    pytest.importorskip('collada')
    file = write(tmp_path / 'box.dae')
    file.write_text(re.sub('<unit[^>]*>', '', file.read_text()).replace(
        '<asset>', '<asset><unit name="centimeter" meter="0.01"/>'))
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
def test_a_broken_or_missing_file_is_reported(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / 'broken.stl'
    file.write_bytes(content)
    with pytest.raises(MeshError):
        load(Mesh('broken', str(file)))
    with pytest.raises(MeshError, match='not found'):
        load(Mesh('missing'))


@pytest.mark.parametrize('corner', [3, -1])
@pytest.mark.parametrize(('properties', 'color'), [
    ('', ''), ('property uchar red\nproperty uchar green\nproperty uchar blue\n', ' 255 0 0')])
def test_a_corner_that_the_file_does_not_have_is_reported(
        tmp_path: Path, corner: int, properties: str, color: str) -> None:
    (tmp_path / 'a.ply').write_text(
        'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n'
        'property float z\nelement face 1\nproperty list uchar int vertex_indices\n'
        f'{properties}end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 {corner}{color}\n')
    with pytest.raises(MeshError, match='corner that is not in the file'):
        load(Mesh('a', str(tmp_path / 'a.ply')))


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


@pytest.mark.parametrize('lines', [
    'mtllib red.mtl\nmtllib blue sky.mtl\n', 'mtllib red.mtl blue.mtl\n',
    '# mtllib none.mtl\nmtllib blue sky.mtl\nmtllib red.mtl\n'])
def test_each_material_library_is_read(tmp_path: Path, lines: str) -> None:
    pytest.importorskip('PIL', reason='materials need Pillow')
    (tmp_path / 'red.mtl').write_text('newmtl red\nKd 1 0 0')
    for name in ('blue.mtl', 'blue sky.mtl'):
        (tmp_path / name).write_text('newmtl blue\nKd 0 0 1\n')
    (tmp_path / 'a.obj').write_text(
        f'{lines}{TRIANGLE}usemtl red\nf 1 2 3\nusemtl blue\nf 3 2 1\n')
    loaded = load(Mesh('a', str(tmp_path / 'a.obj')))
    assert loaded.glb is not None and not loaded.lost
    scene = trimesh.load_scene(BytesIO(loaded.glb), file_type='glb')
    colors = [tuple(each.visual.material.main_color[:3]) for each in scene.geometry.values()]
    assert sorted(colors) == [(0, 0, 255), (255, 0, 0)]


@pytest.mark.parametrize(('line', 'missing'), [
    ('none.mtl', "'none.mtl'"), ('no such.mtl', "'no such.mtl'"), ('red.mtl no.mtl', "'no.mtl'")])
def test_a_library_that_is_missing_is_named(tmp_path: Path, line: str, missing: str) -> None:
    (tmp_path / 'red.mtl').write_text('newmtl red\nKd 1 0 0\n')
    (tmp_path / 'a.obj').write_text(
        f'mtllib red.mtl\nmtllib {line}\n{TRIANGLE}usemtl red\nf 1 2 3\n')
    assert load(Mesh('a', str(tmp_path / 'a.obj'))).lost == (
        f'{missing} is not found in its directory')


@pytest.mark.parametrize('kept', [0.3, 0.9])
def test_an_image_that_is_cut_off_is_left_out(tmp_path: Path, kept: float) -> None:
    images = pytest.importorskip('PIL.Image', reason='materials need Pillow')
    noise = np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8)
    for name in ('a.png', 'a.jpg'):
        images.fromarray(noise).save(tmp_path / name)
        content = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(content[:int(kept * len(content))])
        (tmp_path / 'a.mtl').write_text(f'newmtl m\nKd 1 0 0\nmap_Kd {name}\n')
        mesh = tmp_path / 'a.obj'
        mesh.write_text(
            f'mtllib a.mtl\nusemtl m\n{TRIANGLE}vt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n')
        loaded = load(Mesh('a.obj', file=str(mesh)))
        assert len(loaded.triangles.faces) == 1 and loaded.glb is not None
        assert loaded.lost == 'an image cannot be read'


def test_archives_and_pipes_are_not_read(tmp_path: Path) -> None:
    write(tmp_path / 'a.stl')
    with zipfile.ZipFile(tmp_path / 'a.zip', 'w') as archive:
        archive.write(tmp_path / 'a.stl', 'a.stl')
    os.mkfifo(tmp_path / 'a.mtl')
    for name, message in (('a.zip', 'archives are not read'), ('a.mtl', 'not a regular file')):
        with pytest.raises(MeshError, match=message):
            load(Mesh(name, file=str(tmp_path / name)))
    (tmp_path / 'b.obj').write_text(f'mtllib a.mtl\nusemtl m\n{TRIANGLE}f 1 2 3\n')
    beside = load(Mesh('b.obj', file=str(tmp_path / 'b.obj')))
    assert len(beside.triangles.faces) == 1, 'nobody waits for the pipe'


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
        f'mtllib a.mtl\nusemtl m\n{TRIANGLE}vt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n')
    assert load(Mesh('a.obj', file=str(mesh))).lost == 'an image cannot be read'
    with pytest.raises(MeshError):
        load(shapes.Box((1.0, 1.0, 1.0)), image)
    assert not (tmp_path / 'started').exists()


# ---- primitives

SQUARE = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))


def volume(triangles: Triangles) -> float:
    """Return the volume inside, which is negative where faces look inwards."""
    a, b, c = np.moveaxis(triangles.vertices.astype(float)[triangles.faces], 1, 0)
    return float(np.einsum('ij,ij->', a, np.cross(b, c))) / 6.0


@pytest.mark.parametrize(('geometry', 'expected'), [
    (shapes.Box((1.0, 2.0, 3.0)), 6.0), (shapes.Sphere(0.5), 4.0 / 3.0 * pi * 0.5 ** 3),
    (shapes.Cylinder(0.5, 2.0), pi * 0.25 * 2.0),
    (shapes.Capsule(0.5, 2.0), pi * 0.25 * 2.0 + 4.0 / 3.0 * pi * 0.125),
    (shapes.Cone(0.5, 3.0), pi * 0.25), (shapes.Ellipsoid((1.0, 2.0, 3.0)), 8.0 * pi),
    (shapes.Pyramid(1.0, 2.0, 3.0), 2.0), (shapes.Polyline((SQUARE,), 0.5), 2.0),
    (shapes.MultiSphere(((0.5, (0.0, 0.0, 0.0)), (0.5, (3.0, 0.0, 0.0)))), 8.0 / 3.0 * pi * 0.125),
])
def test_the_surface_is_closed_and_faces_outwards(
        geometry: shapes.Geometry, expected: float) -> None:
    assert volume(surface(geometry)) == pytest.approx(expected, rel=0.03)


def test_a_cone_has_its_tip_above_and_nothing_has_no_surface() -> None:
    assert surface(shapes.Empty()).faces.shape == (0, 3)
    vertices = surface(shapes.Cone(0.5, 3.0)).vertices
    assert np.hypot(*vertices[vertices[:, 2] > 1.4][:, :2].T).max() == pytest.approx(0.0)
    assert np.hypot(*vertices[vertices[:, 2] < -1.4][:, :2].T).max() == pytest.approx(0.5)


def test_a_plane_lies_across_its_normal() -> None:
    plane = surface(shapes.Plane((0.0, 3.0, 4.0), (2.0, 6.0), offset=5.0))
    assert plane.vertices @ (0.0, 0.6, 0.8) == pytest.approx([5.0] * 4)
    corners = plane.vertices[plane.faces[0]]
    assert np.cross(corners[1] - corners[0], corners[2] - corners[0]) == pytest.approx(
        np.array([0.0, 0.6, 0.8]) * 12.0, rel=1e-5)
