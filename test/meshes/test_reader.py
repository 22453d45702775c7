# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Meshes that are made to harm: the process that reads them is limited, and the rest is read."""

from __future__ import annotations

from pathlib import Path
import struct
import subprocess
import sys
import zlib

from hrdf_ros.limits import MeshLimits
from hrdf_ros.meshes import LoadedMesh, MeshError, MeshReader, Request
from hrdf_ros.model import Box, Mesh
import pytest

trimesh = pytest.importorskip('trimesh')
LIMITS = MeshLimits(memory=1 << 30, all_bytes=1 << 24, seconds=120.0, file_seconds=4)
COLLADA = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2026-01-01T00:00:00</created><modified>2026-01-01T00:00:00</modified></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
<accessor source="#a" count="3" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_nodes><node id="n0"><instance_geometry url="#g"/></node>{nodes}</library_nodes>
<library_visual_scenes><visual_scene id="s"><node><instance_node url="#n{last}"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
"""


def doubling(levels: int) -> str:
    """Return a COLLADA file whose nodes hold the one before them twice."""
    nodes = ''.join(
        f'<node id="n{level}">{f"<instance_node url=%s#n{level - 1}%s/>" * 2}</node>' % (
            ('"',) * 4) for level in range(1, levels + 1))
    return COLLADA.format(nodes=nodes, last=levels)


def black(width: int, height: int) -> bytes:
    """Return a black PNG, some kilobytes for any size."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack('>I', len(data)) + kind + data + struct.pack(
            '>I', zlib.crc32(kind + data))

    head = struct.pack('>IIBBBBB', width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes((1 + (width + 7) // 8) * height), 9)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + chunk(b'IDAT', rows) + chunk(b'IEND', b'')


def stl(file: Path) -> Request:
    trimesh.creation.box((1.0, 2.0, 3.0)).export(str(file))
    return Request(Mesh('box', str(file)))


def test_nodes_that_double_end_soon_and_the_others_are_read(tmp_path: Path) -> None:
    pytest.importorskip('collada')
    (tmp_path / 'one.dae').write_text(doubling(1))
    (tmp_path / 'bomb.dae').write_text(doubling(30))
    files = [Request(Mesh(name, str(tmp_path / f'{name}.dae'))) for name in ('one', 'bomb')]
    found = MeshReader(LIMITS).read([*files, stl(tmp_path / 'box.stl')])
    one, bomb, box = found.values()
    assert isinstance(one, LoadedMesh) and len(one.triangles.faces) == 2
    assert isinstance(bomb, MeshError) and 'memory or time' in str(bomb)
    assert isinstance(box, LoadedMesh)


def test_a_large_image_in_many_materials_is_left_out(tmp_path: Path) -> None:
    pytest.importorskip('PIL')
    (tmp_path / 'large.png').write_bytes(black(4_000, 2_000))
    materials = ''.join(f'newmtl m{index}\nmap_Kd large.png\n' for index in range(12))
    faces = ''.join(f'usemtl m{index}\nf 1/1 2/2 3/3\n' for index in range(12))
    (tmp_path / 'a.mtl').write_text(materials)
    (tmp_path / 'a.obj').write_text(
        'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n' + faces)
    request = Request(Mesh('a', str(tmp_path / 'a.obj')))
    found = MeshReader(LIMITS).read([request])[request]
    assert isinstance(found, LoadedMesh) and found.glb is None, 'a browser would decode them all'


def test_the_decoded_images_of_a_robot_have_a_limit_together(tmp_path: Path) -> None:
    pytest.importorskip('PIL')
    (tmp_path / 't.png').write_bytes(black(1000, 1000))
    requests = [Request(Box((size, 1.0, 1.0)), str(tmp_path / 't.png')) for size in (1.0, 2.0)]
    found = MeshReader(LIMITS._replace(all_bytes=4_500_000)).read(requests)
    assert [isinstance(each, LoadedMesh) for each in found.values()] == [True, False]


def test_thousands_of_materials_are_drawn_in_one_color(tmp_path: Path) -> None:
    pytest.importorskip('PIL')
    count = 1200
    (tmp_path / 'a.mtl').write_text(
        ''.join(f'newmtl m{index}\nKd 1 0 0\n' for index in range(count)))
    (tmp_path / 'a.obj').write_text('mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n' + ''.join(
        f'usemtl m{index}\nf 1 2 3\n' for index in range(count)))
    request = Request(Mesh('a', str(tmp_path / 'a.obj')))
    found = MeshReader().read([request])[request]
    assert isinstance(found, LoadedMesh) and found.glb is None
    assert len(found.triangles.faces) == count


def test_all_meshes_of_a_robot_have_a_limit_together(tmp_path: Path) -> None:
    trimesh.creation.icosphere(5).export(str(tmp_path / 'ball.stl'))
    requests = [Request(Mesh('ball', str(tmp_path / 'ball.stl'), scale=(scale, 1.0, 1.0)))
                for scale in (1.0, 2.0, 3.0)]
    found = MeshReader(LIMITS._replace(all_bytes=1_500_000)).read(requests)
    assert [isinstance(each, LoadedMesh) for each in found.values()] == [True, False, False]


def test_nothing_is_imported_from_the_working_directory(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ('trimesh', 'numpy', 'hrdf_ros', 'struct'):
        (tmp_path / f'{name}.py').write_text(f'open({str(tmp_path / "ran")!r}, "w")')
    monkeypatch.chdir(tmp_path)
    request = stl(tmp_path / 'box.stl')
    assert isinstance(MeshReader(LIMITS).read([request])[request], LoadedMesh)
    assert not (tmp_path / 'ran').exists()


def test_a_process_with_lower_limits_of_its_own_reads_too(tmp_path: Path) -> None:
    request = stl(tmp_path / 'box.stl')
    code = (f'import resource, sys; sys.path[:] = {sys.path!r}\n'
            'resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n'
            'from hrdf_ros.meshes import LoadedMesh, MeshReader, Request\n'
            'from hrdf_ros.model import Mesh\n'
            f'request = {request!r}\n'
            'assert isinstance(MeshReader().read([request])[request], LoadedMesh)')
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, '')


def test_a_texture_has_the_same_limits(tmp_path: Path) -> None:
    pytest.importorskip('PIL')
    (tmp_path / 't.png').write_bytes(black(20_000, 20_000))
    request = Request(Box((1.0, 1.0, 1.0)), str(tmp_path / 't.png'))
    assert isinstance(MeshReader(LIMITS).read([request])[request], MeshError)
