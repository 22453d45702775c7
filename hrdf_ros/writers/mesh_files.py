# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Files of meshes and images: whether their content is that of their suffix, and their parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
import json
import math
import re
import struct
from typing import NamedTuple
from urllib.parse import unquote

from hrdf_ros.data_files import parse_xml
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.file_reader import open_regular
from hrdf_ros.lowering.target import Triangle
from hrdf_ros.pose import cross, dot, Vector

_PATH_LENGTH = 4096
_GLB_START = 20
"""Bytes before the JSON of a .glb: the file's header of 12, the chunk's of 8."""
_STL_START, _STL_TRIANGLE = 84, 50
_SMALL = 1 << 18
_FLAT = 1e-12
_VERTEX = re.compile(rb'^[ \t]*v' + 3 * rb'[ \t]+([-+.\deE]+)', re.MULTILINE)

Exists = Callable[[str], bool]
"""Returns whether a name leads to a file."""
Rename = Callable[[str], str]
"""Returns another name, of letters, digits and ``._-`` only, or '' to keep it."""


# ---- content

_PATTERNS = {suffix: re.compile(pattern, re.MULTILINE) for suffixes, pattern in (
    ('.png', rb'\A\x89PNG\r\n\x1a\n'), ('.jpg .jpeg', rb'\A\xff\xd8\xff'), ('.gif', rb'\AGIF8'),
    ('.bmp', rb'\ABM'), ('.dds', rb'\ADDS '), ('.exr', rb'\Av/1\x01'), ('.hdr', rb'\A#\?'),
    ('.ktx .ktx2', rb'\A\xabKTX '), ('.tif .tiff', rb'\A(?:II[*+]\0|MM\0[*+])'),
    ('.webp', rb'\ARIFF[\s\S]{4}WEBP'),
    ('.tga', rb'\A[\s\S][\x00\x01][\x01-\x03\x09-\x0b][\s\S]{15}'),
    ('.stl .stlb', rb'(?i)\A\s*solid[\s\S]*?(?:facet|endsolid)'),
    ('.glb', rb'\AglTF'), ('.gltf', rb'"asset"[ \t\r\n]*:'), ('.ply', rb'\Aply\s'),
    ('.obj', rb'^[ \t]*v[ \t]+[-+.\d]'), ('.mtl', rb'^[ \t]*newmtl\b'), ('.off', rb'\A\w*OFF\b'),
    ('.dae', rb'<(?:\w+:)?COLLADA\b'), ('.3ds', rb'\AMM'), ('.fbx', rb'\A(?:Kaydara FBX|; ?FBX)'),
    ('.usdc', rb'\APXR-USDC'), ('.usda', rb'\A#usda'), ('.usd', rb'\A(?:PXR-USDC|#usda)'),
    ('.usdz', rb'\APK\x03\x04'), ('.wrl', rb'\A#VRML'), ('.iv', rb'\A#Inventor'),
    ('.mesh', rb'\A\0\x10\['), ('.msh', rb'\A(?:\$MeshFormat|[\s\S]{3}\0[\s\S]{3}\0)'),
    ('.nc', rb'\A(?:CDF|\x89HDF)'), ('.vrt', rb'\A\s*<VRTDataset'), ('.asc', rb'(?i)\Ancols\s'),
    ('.dem', rb'\A[ -~]{1024}'), ('.material .program .cg .vert .frag .glsl .hlsl', rb'\{'),
    ('.bin', rb'')) for suffix in suffixes.split()}
"""A part of the content that tells a format from other files."""


def has_content_of(suffix: str, data: bytes) -> bool:
    """Return whether the content of a file is that of its suffix, in lower case."""
    pattern = _PATTERNS.get(suffix)
    return pattern is not None and pattern.search(data) is not None or (
        suffix in ('.stl', '.stlb') and _is_binary_stl(data))


def _is_binary_stl(data: bytes) -> bool:
    """Return whether a file is as long as it says."""
    if len(data) < _STL_START:
        return False
    count, = struct.unpack_from('<I', data, _STL_START - 4)
    return len(data) >= _STL_START + int(count) * _STL_TRIANGLE


def why_mujoco_refuses(file: str, is_collision: bool) -> str:
    """Return why MuJoCo refuses a small STL or OBJ file, '' where it accepts it."""
    with open_regular(file) as stream:
        data = stream.read(_SMALL + 1)
    suffix = file.lower()[-4:]
    if len(data) > _SMALL or suffix not in ('.stl', '.obj'):
        return ''
    if suffix == '.stl':
        triangles = len(data[_STL_START:]) // _STL_TRIANGLE
        found = struct.iter_unpack(
            '<12x9f2x', data[_STL_START:_STL_START + triangles * _STL_TRIANGLE])
        corners = {each[at:at + 3] for each in found for at in (0, 3, 6)}
    else:
        corners = {tuple(map(float, found)) for found in _VERTEX.findall(data)}
    if not all(map(math.isfinite, (part for corner in corners for part in corner))):
        return 'a corner is not finite'
    if len(corners) < 4:
        return 'it has less than four corners'
    first = next(iter(corners))
    sides = [(x - first[0], y - first[1], z - first[2]) for x, y, z in corners]
    side = max(sides, key=lambda one: math.hypot(*one))
    normal = max((cross(side, one) for one in sides), key=lambda one: math.hypot(*one))
    thin = _FLAT * math.hypot(*side) * math.hypot(*normal)
    is_flat = all(abs(dot(normal, one)) <= thin for one in sides)
    return 'it collides and is flat' if is_flat and is_collision else ''


# ---- parts

class _Name(NamedTuple):
    """The name of a part, and the bytes that it takes in the file."""

    name: str
    start: int
    end: int


def with_parts_renamed(data: bytes, suffix: str, rename: Rename, exists: Exists) -> bytes:
    """Return the content of a mesh file or material library with other names of its parts."""
    if suffix == '.dae':
        return _collada_renamed(data, rename)
    find = _FINDERS.get(suffix)
    if find is None:
        return data
    parts, end = [], 0
    for found in find(data, exists):
        name = rename(found.name)
        if name:
            parts += [data[end:found.start], name.encode('ascii')]
            end = found.end
    text = b''.join((*parts, data[end:]))
    return _with_lengths(data, text) if parts and suffix == '.glb' else text


def paths_of(name: str) -> tuple[str, ...]:
    """Return the paths that a name in a mesh file may mean, best first."""
    plain = name.removeprefix('file://').replace('\\', '/')
    return tuple(dict.fromkeys((name, plain, unquote(plain))))


def _collada_renamed(data: bytes, rename: Rename) -> bytes:
    """Return COLLADA with other names of images; a file that cannot be parsed stays as it is."""
    from lxml import etree
    root = parse_xml(SourceFile('', data), Report(), large=True)
    is_changed = False
    for image in () if root is None else root.iter('{*}image'):
        for part in image.iter('{*}init_from', '{*}ref'):
            name = (part.text or '').strip()
            new = rename(name) if name and len(name) <= _PATH_LENGTH else ''
            if new:
                part.text, is_changed = new, True
    if not is_changed:
        return data
    text: bytes = etree.tostring(root, xml_declaration=True, encoding='utf-8')
    return text


_LIBRARY = re.compile(rb'^[ \t]*mtllib[ \t]+(\S[^\r\n]*)', re.MULTILINE)
_IMAGE_OF_MTL = re.compile(
    rb'^[ \t]*(?:map_\w+|bump|disp|decal|refl|norm)[ \t]+(\S[^\r\n]*)', re.MULTILINE)
_WORD = re.compile(rb'\S+')
_URI_OF_GLTF = re.compile(rb'"uri"\s*:\s*("(?:[^"\\]|\\.)*")')


def _of_obj(data: bytes, exists: Exists) -> Iterator[_Name]:
    """Yield material libraries; a line has several, or one with spaces in its name."""
    for line in _LIBRARY.finditer(data):
        whole = _trimmed(line)
        if exists(whole.name):
            yield whole
            continue
        for word in _WORD.finditer(data, whole.start, whole.end):
            yield _Name(_text(word[0]), *word.span())


def _of_mtl(data: bytes, exists: Exists) -> Iterator[_Name]:
    """Yield images; options stand before the name, which may have spaces."""
    for line in _IMAGE_OF_MTL.finditer(data):
        end = _trimmed(line).end
        starts = [word.start() for word in _WORD.finditer(data, line.start(1), end)]
        names = (
            _Name(_text(data[start:end]), start, end) for start in starts
            if end - start <= _PATH_LENGTH)
        last = _Name(_text(data[starts[-1]:end]), starts[-1], end)
        yield next((name for name in names if exists(name.name)), last)


def _of_gltf(data: bytes, _: Exists) -> Iterator[_Name]:
    for found in _URI_OF_GLTF.finditer(data):
        try:
            name = json.loads(found[1])
        except ValueError:
            continue
        if not name.startswith('data:'):
            yield _Name(name, found.start(1) + 1, found.end(1) - 1)


def _of_glb(data: bytes, exists: Exists) -> Iterator[_Name]:
    if data[:4] == b'glTF' and len(data) >= _GLB_START:
        end = _GLB_START + struct.unpack_from('<I', data, 12)[0]
        if end > len(data):
            return
        for found in _of_gltf(data[_GLB_START:end], exists):
            yield _Name(found.name, found.start + _GLB_START, found.end + _GLB_START)


def _with_lengths(old: bytes, new: bytes) -> bytes:
    """Return a .glb with the lengths of its longer or shorter JSON, padded to four bytes."""
    rest = len(old) - _GLB_START - struct.unpack_from('<I', old, 12)[0]
    text = new[_GLB_START:len(new) - rest]
    text += b' ' * (-len(text) % 4)
    tail = new[len(new) - rest:]
    return b''.join((
        old[:8], struct.pack('<II', _GLB_START + len(text) + rest, len(text)),
        old[16:_GLB_START], text, tail))


def _trimmed(line: re.Match[bytes]) -> _Name:
    """Return the first group of a match without blanks around it."""
    text = line[1].lstrip()
    start = line.end(1) - len(text)
    text = text.rstrip()
    return _Name(_text(text), start, start + len(text))


def _text(data: bytes) -> str:
    return data.decode('utf-8', 'surrogateescape')


_FINDERS: dict[str, Callable[[bytes, Exists], Iterator[_Name]]] = {
    '.obj': _of_obj, '.mtl': _of_mtl, '.gltf': _of_gltf, '.glb': _of_glb}


# ---- writing

def binary_stl(triangles: Sequence[Triangle]) -> bytes:
    """Return a binary STL: header, count, then normal, corners and attributes of each."""
    parts = [b'\0' * 80, struct.pack('<I', len(triangles))]
    for corners in triangles:
        values = [*_normal(corners), *corners[0], *corners[1], *corners[2]]
        parts.append(struct.pack('<12fH', *values, 0))
    return b''.join(parts)


def _normal(corners: Triangle) -> Vector:
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = math.hypot(x, y, z) or 1.0
    return x / length, y / length, z / length
