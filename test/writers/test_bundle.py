# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A robot's files copied into one directory: with all that meshes name, under safe names."""

from __future__ import annotations

import json
from pathlib import Path
import struct
from typing import Any

from hrdf_ros import load_model, Report
from hrdf_ros.model import Mesh
from hrdf_ros.writers.bundle import collect
import pytest

OBJ = 'mtllib {library}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n'
COLLADA = ('<COLLADA><library_images><image id="i"><init_from>{image}</init_from></image>'
           '</library_images><surface><init_from>i</init_from></surface></COLLADA>')


STARTS = {
    '.png': b'\x89PNG\r\n\x1a\n', '.stl': b'solid endsolid', '.material': b'{', '.bin': b''}


def write(file: Path, text: str | bytes = '') -> Path:
    """Write a file that begins as its suffix says."""
    file.parent.mkdir(parents=True, exist_ok=True)
    data = text if isinstance(text, bytes) else text.encode()
    file.write_bytes(STARTS.get(file.suffix.lower(), b'') + data)
    return file


def robot(folder: Path, *meshes: str, looks: str = '') -> Path:
    visuals = ''.join(
        f'<visual><geometry><mesh filename="{mesh}"/></geometry>{looks}</visual>'
        for mesh in meshes)
    return write(folder / 'r.urdf', f'<robot name="r"><link name="a">{visuals}</link></robot>')


def bundled(
    file: Path, package: str | None = None, **options: Any,
) -> tuple[Path, list[str], list[str]]:
    """Return the directory, the URIs of the visuals in it, and the messages."""
    out, report = file.parent.parent / 'out', Report()
    model, copied = collect(
        load_model(file), f'package://{package}/' if package else '', report, **options)
    for name, data in copied.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(data)
    uris = [shape.geometry.uri for shape in model.bodies[0].visuals
            if isinstance(shape.geometry, Mesh)]
    return out, uris, [found.message for found in report]


def files(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob('*') if file.is_file()}


def test_equal_names_do_not_clash_whatever_their_case(tmp_path: Path) -> None:
    source = tmp_path / 'in'
    odd = ('https://a.org/a.stl', 'my part%20(1).stl', '.hidden.stl')
    for name in ('a/part.stl', 'b/part.stl', 'c/PART.STL', *odd[1:]):
        write(source / name, name)
    out, uris, messages = bundled(
        robot(source, 'a/part.stl', 'b/part.stl', 'c/PART.STL', 'a/part.stl', *odd))
    assert bundled(source / 'r.urdf', 'demo')[1][0] == 'package://demo/meshes/part.stl'
    assert uris == [
        'meshes/part.stl', 'meshes/part_2.stl', 'meshes/PART_3.STL', 'meshes/part.stl', odd[0],
        'meshes/my_part_20_1_.stl', 'meshes/_.hidden.stl']
    assert len(messages) == 1 and 'on the network' in messages[0]
    assert [(out / uri).read_text().removeprefix('solid endsolid') for uri in uris[:3]] == [
        'a/part.stl', 'b/part.stl', 'c/PART.STL']


@pytest.mark.parametrize(('given', 'expected'), [
    ({'m/a.obj': OBJ.format(library='my look.mtl'), 'm/bump.png': '',
      'm/my look.mtl': 'newmtl a\nmap_Kd -s 1 1 1 ../images/wood grain.png\nmap_bump bump.png\n',
      'images/wood grain.png': ''},
     {'a.obj': 'mtllib my_look.mtl\n', 'bump.png': '', 'wood_grain.png': '',
      'my_look.mtl': 'map_Kd -s 1 1 1 wood_grain.png\nmap_bump bump.png\n'}),
    ({'a.gltf': json.dumps({
        'asset': {}, 'buffers': [{'uri': 'deep/a b.bin'}, {'uri': 'data:;base64,AAAA'}],
        'images': [{'uri': 'deep/i.png'}]}), 'deep/a b.bin': '', 'deep/i.png': ''},
     {'a.gltf': '[{"uri": "a_b.bin"}, {"uri": "data:;base64,AAAA"}]', 'a_b.bin': '', 'i.png': ''}),
    ({'a/a.dae': COLLADA.format(image='./the%20image.png'), 'a/the image.png': 'a',
      'b/b.dae': COLLADA.format(image='./the%20image.png'), 'b/the image.png': 'b'},
     {'a.dae': '<init_from>the_image.png<', 'the_image.png': 'a', 'the_image_2.png': 'b',
      'b.dae': '<init_from>the_image_2.png<'})])
def test_meshes_bring_the_files_that_they_name(
    given: dict[str, str], expected: dict[str, str], tmp_path: Path,
) -> None:
    for name, text in given.items():
        write(tmp_path / 'in' / name, text)
    meshes = [name for name in given if name.endswith(('.obj', '.gltf', '.dae'))]
    out, _, messages = bundled(robot(tmp_path / 'in', *meshes))
    assert messages == []
    assert files(out / 'meshes') == set(expected)
    for name, text in expected.items():
        found = (out / 'meshes' / name).read_text(errors='replace')
        assert text in found
        assert 'COLLADA' not in found or '<surface><init_from>i</init_from>' in found  # an id


def test_the_lengths_in_a_binary_gltf_stay_right(tmp_path: Path) -> None:
    source = tmp_path / 'in'
    text = json.dumps({'images': [{'uri': 'far/away/image.png'}]}).encode()
    text += b' ' * (-len(text) % 4)
    tail = struct.pack('<I4s', 4, b'BIN\0') + b'data'
    write(source / 'a.glb', struct.pack('<4sII', b'glTF', 2, 20 + len(text) + len(tail))
          + struct.pack('<I4s', len(text), b'JSON') + text + tail)
    write(source / 'far/away/image.png')
    out, uris, _ = bundled(robot(source, 'a.glb'))
    data = (out / uris[0]).read_bytes()
    length, = struct.unpack_from('<I', data, 12)
    assert struct.unpack_from('<I', data, 8) == (len(data),) and length % 4 == 0
    assert json.loads(data[20:20 + length]) == {'images': [{'uri': 'image.png'}]}
    assert data.endswith(tail)


def test_what_is_not_a_mesh_or_an_image_is_not_copied(tmp_path: Path) -> None:
    source = tmp_path / 'in'
    secret = write(tmp_path / 'secret.key', 'private')
    write(source / 'a.dae', COLLADA.format(image=secret))
    write(source / 'b.obj', OBJ.format(library='../secret.key'))
    out, uris, messages = bundled(robot(source, str(secret), 'a.dae', 'b.obj'))
    assert uris[0] == str(secret) and len(messages) == 3
    assert all('secret.key' in message and 'not copied' in message for message in messages)
    assert files(out) == {'meshes/a.dae', 'meshes/b.obj'}
    file, report = write(source / 'a.dae', COLLADA.format(image='gone.png')), Report()
    collect(load_model(robot(source, 'a.dae')), '', report)
    found, = report
    assert (found.code, found.location.file) == ('texture-not-found', str(file))
    assert 'gone.png' in found.message and 'not found' in found.message


@pytest.mark.parametrize('uri', ['scripts', 'scripts/wood.material'])
def test_material_scripts_and_maps_come_along(tmp_path: Path, uri: str) -> None:
    source = tmp_path / 'in'
    write(source / 'scripts/wood.material')
    write(source / 'scripts/wood.png')
    write(source / 'scripts/id_rsa', 'private')
    write(source / 'maps/normal.png')
    file = write(source / 'm.sdf', f"""<sdf version="1.11"><model name="m"><link name="a">
<visual name="v"><geometry><box><size>1 1 1</size></box></geometry><material>
<script><uri> {uri} </uri><name>Wood</name></script>
<pbr><metal><normal_map>maps/normal.png</normal_map></metal></pbr></material></visual>
</link></model></sdf>""")
    model, copied = collect(load_model(file), '', Report())
    text = ''.join(extension.text for extension in model.bodies[0].visuals[0].material.extensions)
    assert '<normal_map>textures/normal.png</normal_map>' in text
    assert f'<uri>materials/{uri.removeprefix("scripts/")}</uri>' in text
    assert any(name.startswith(f'materials/{uri.removeprefix("scripts/")}') for name in copied)
    assert not any('id_rsa' in name for name in copied)


# ---- files of others

@pytest.mark.parametrize('suffix', ['.stl', '.obj', '.png', '.dae', '.glb', '.tga', '.mtl'])
def test_a_file_with_other_content_is_not_copied(tmp_path: Path, suffix: str) -> None:
    (tmp_path / 'in').mkdir()
    key = tmp_path / 'in' / f'key{suffix}'
    key.write_text('-----BEGIN OPENSSH PRIVATE KEY-----\nabc=\n')
    _, uris, messages = bundled(robot(tmp_path / 'in', str(key)))
    assert uris == [str(key)] and 'not copied: its' in messages[0]


def test_no_file_from_outside_the_directory_is_copied(tmp_path: Path) -> None:
    secret = write(tmp_path / 'secret' / 'a.stl')
    source = tmp_path / 'in'
    write(source / 'own.stl')
    (source / 'inside.stl').symlink_to('own.stl')
    (source / 'outside.stl').symlink_to(secret)
    (source / 'folder').symlink_to(secret.parent)
    named = ['outside.stl', 'folder/a.stl', '../secret/a.stl', secret.as_uri()]
    file = robot(source, 'inside.stl', *named)
    _, uris, messages = bundled(file)
    assert uris == ['meshes/inside.stl', *named]
    assert len(messages) == 4 and all('lies outside of the directory' in each for each in messages)
    _, uris, messages = bundled(file, trusted=[str(source), str(secret.parent)])
    assert set(uris[1:]) == {'meshes/outside.stl'} and messages == []
    write(source / 'package.xml', b'<package><name>in</name></package>')
    (secret.parent / 'below').mkdir()
    (source / 'link').symlink_to(secret.parent / 'below')
    above = 'package://in/link/../a.stl'  # '..' behind a link leads elsewhere than its text says
    _, uris, messages = bundled(robot(source, above))
    assert uris == [above] and 'lies outside of the directory' in messages[0]


def test_a_link_above_the_description_is_the_users_own(tmp_path: Path) -> None:
    """So are the other directories of its package."""
    write(tmp_path / 'in' / 'package.xml')
    write(tmp_path / 'in' / 'meshes' / 'a.stl')
    file = robot(tmp_path / 'in' / 'urdf', '../meshes/a.stl')
    (tmp_path / 'linked').symlink_to(tmp_path / 'in')
    _, uris, messages = bundled(tmp_path / 'linked' / 'urdf' / file.name)
    assert uris == ['meshes/a.stl'] and messages == []


def test_the_total_is_limited(tmp_path: Path) -> None:
    source = tmp_path / 'in'
    for name in 'ab':
        write(source / f'{name}.stl', b' ' * 100)
    file = robot(source, 'a.stl', 'b.stl', '/proc/self/pagemap.stl')
    _, uris, messages = bundled(file, most=150)
    assert uris[:2] == ['meshes/a.stl', 'b.stl'] and 'bundle_bytes' in messages[0]
