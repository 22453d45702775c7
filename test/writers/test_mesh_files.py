# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Names of files in mesh files: found in linear time, whatever the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
import struct
from time import process_time

from hrdf_ros.writers.mesh_files import binary_stl, why_mujoco_refuses, with_parts_renamed
import pytest

LONGEST = 2.0
"""Seconds of CPU time for a file of 64 KB."""


def names(data: bytes, suffix: str, *existing: str) -> list[str]:
    found: list[str] = []

    def keep(name: str) -> str:
        found.append(name)
        return ''

    assert with_parts_renamed(data, suffix, keep, existing.__contains__) == data
    return found


def test_names_without_the_blanks_around_them() -> None:
    assert names(b'mtllib \t a b.mtl \t\r\nmtllib c.mtl d.mtl\n', '.obj', 'a b.mtl') == [
        'a b.mtl', 'c.mtl', 'd.mtl']
    assert names(b'map_Kd -s 1 1 1 a b.png \r\nbump x y\n', '.mtl', 'a b.png') == [
        'a b.png', 'y']
    assert names(
        b'{"buffers": [{"uri": "a b.bin"}, {"uri": "data:;base64,AAAA"}], '
        b'"images": [{}, {"uri": 1}]}', '.gltf') == ['a b.bin']
    assert names(
        b'<COLLADA xmlns="c"><ref>no</ref><image><init_from>\n a&amp;b.png </init_from></image>'
        b'<image id="i"><init_from><ref> c.png</ref><ref> </ref></init_from></image></COLLADA>',
        '.dae') == ['a&b.png', 'c.png']


@pytest.mark.parametrize(('data', 'suffix'), [
    (b'<COLLADA', '.dae'), (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', '.dae'), (b'', '.dae'),
    (b'{"images":[{"uri":"x"}', '.gltf'), (b'[{"images":1}]', '.gltf'), (b'[' * 9999, '.gltf'),
    *((b'glTF' + struct.pack('<III', 2, 48, length) + b'JSON{"images":[{"uri":"x.png"}]}', '.glb')
      for length in (500, 0xfffffff0))])
def test_files_that_cannot_be_read_name_nothing(data: bytes, suffix: str) -> None:
    assert names(data, suffix) == []


@pytest.mark.parametrize('suffix, make', [
    ('.obj', lambda size: b'mtllib a' + b' ' * size + b'b\n'),
    ('.mtl', lambda size: b'map_Kd a' + b' ' * size + b'b\n'),
    ('.mtl', lambda size: b'map_Kd ' + b'a ' * (size // 2)),
    ('.dae', lambda size: b'<image ' * (size // 7)),
    ('.dae', lambda size: b'<image><ref>' + b' ' * size + b'></image>'),
    ('.gltf', lambda size: b'"uri":"' + b'\\"uri":"' * (size // 8)),
])
def test_hostile_files_take_linear_time(suffix: str, make: Callable[[int], bytes]) -> None:
    start = process_time()
    names(make(1 << 16), suffix)
    assert process_time() - start < LONGEST


A, B, C = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


@pytest.mark.parametrize('triangles, why', [
    ([(A, B, C)], 'it has less than four corners'),
    ([(A, B, C), (B, (1.0, 1.0, 0.0), C)], 'it collides and is flat'),
    ([(A, B, C), (B, (1.0, 1.0, 1.0), C)], '')])
def test_meshes_that_mujoco_refuses(
    tmp_path: Path, triangles: list[tuple[tuple[float, float, float], ...]], why: str,
) -> None:
    binary, text = tmp_path / 'a.stl', tmp_path / 'a.obj'
    binary.write_bytes(binary_stl(triangles))
    text.write_text(''.join(f'v {x} {y} {z}\n' for corners in triangles for x, y, z in corners))
    assert {why_mujoco_refuses(str(file), True) for file in (binary, text)} == {why}
    assert bool(why_mujoco_refuses(str(text), False)) == ('four' in why)
    assert why_mujoco_refuses(str(text.rename(tmp_path / 'a.msh')), True) == ''


@pytest.mark.parametrize(('size', 'why'), [
    (3e38, 'a corner is farther than 1.07374e+09 from the origin'),
    (2.0**30, ''), (1e-6, ''), (1e-10, 'its surface is smaller than 1e-15 m^2'),
    (1e-40, 'its surface is smaller than 1e-15 m^2')])
def test_meshes_of_extreme_sizes_that_mujoco_refuses(
        tmp_path: Path, size: float, why: str) -> None:
    a, b, c, d = (0.0, 0.0, 0.0), (size, 0.0, 0.0), (0.0, size, 0.0), (0.0, 0.0, size)
    data = binary_stl([(a, c, b), (a, b, d), (a, d, c), (b, c, d)])
    (tmp_path / 'a.stl').write_bytes(data)
    found = why_mujoco_refuses(str(tmp_path / 'a.stl'), False)
    assert found.startswith(why) and bool(found) == bool(why)
    assert 'smaller' in why_mujoco_refuses(
        str(tmp_path / 'a.stl'), False, (1e-40, 1e-40, 1e-40)) or 'farther' in why
    mujoco = pytest.importorskip('mujoco', reason='mujoco-core is not installed')
    text = (
        '<mujoco><asset><mesh name="m" file="a.stl" inertia="shell"/></asset><worldbody>'
        '<geom type="mesh" mesh="m" contype="0" conaffinity="0"/></worldbody></mujoco>')
    refused = False
    try:
        mujoco.MjModel.from_xml_string(text, {'a.stl': data})
    except ValueError:
        refused = True
    assert refused == bool(why)
