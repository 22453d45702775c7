# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Files of meshes and images: whether their content fits their suffix, and the files they name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
import json
import re
import struct
from typing import Any
from urllib.parse import unquote

from hrdf_ros.data_files import parse_xml
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.file_reader import open_regular
from hrdf_ros.inertia import MUJOCO_LEAST
from hrdf_ros.lowering.target import Triangle
from hrdf_ros.pose import Vector

_PATH_LENGTH = 4096
"""The most characters of a name in a mesh file that may be a path: Linux has no longer paths."""
_GLB_START = 20
"""The number of bytes before the JSON of a .glb: 12 of the file's header, 8 of the chunk's."""
_STL_START, _STL_SIZE = 84, 50
"""The number of bytes of a binary STL file before its triangles, and in each triangle."""
_STL_TRIANGLE = [('normal', '<f4', 3), ('corners', '<f4', (3, 3)), ('attributes', '<u2')]
_SMALL = 1 << 18
"""The most bytes of a mesh file that is looked at for vertices in one plane."""
_FLAT = 1e-12
"""The relative thickness up to which the vertices of a mesh count as being in one plane."""
_VERTEX = re.compile(rb'^[ \t]*v' + 3 * rb'[ \t]+([-+.\deE]+)', re.MULTILINE)

_FARTHEST = 2.0**30
"""The greatest coordinate of an STL file that MuJoCo's decoder accepts, before it is scaled."""

Exists = Callable[[str], bool]
"""A function that returns whether a name leads to a file."""
Rename = Callable[[str], str]
"""A function that returns another name, of letters, digits and ``._-``, or '' to keep a name."""


# ---- content

def _patterns(formats: dict[str, bytes]) -> dict[str, re.Pattern[bytes]]:
    return {
        suffix: re.compile(pattern, re.MULTILINE) for suffixes, pattern in formats.items()
        for suffix in suffixes.split()}


_IMAGES = _patterns({
    '.png': rb'\A\x89PNG\r\n\x1a\n', '.jpg .jpeg': rb'\A\xff\xd8\xff', '.gif': rb'\AGIF8',
    '.bmp': rb'\ABM', '.dds': rb'\ADDS ', '.exr': rb'\Av/1\x01', '.hdr': rb'\A#\?',
    '.ktx .ktx2': rb'\A\xabKTX ', '.tif .tiff': rb'\A(?:II[*+]\0|MM\0[*+])',
    '.webp': rb'\ARIFF[\s\S]{4}WEBP',
    '.tga': rb'\A[\s\S][\x00\x01][\x01-\x03\x09-\x0b][\s\S]{15}'})
CONTENTS = {
    'mesh': _patterns({
        '.stl .stlb': rb'(?i)\A\s*solid[\s\S]*?(?:facet|endsolid)', '.glb': rb'\AglTF',
        '.gltf': rb'"asset"[ \t\r\n]*:', '.ply': rb'\Aply\s', '.obj': rb'^[ \t]*v[ \t]+[-+.\d]',
        '.off': rb'\A\w*OFF\b', '.dae': rb'<(?:\w+:)?COLLADA\b', '.3ds': rb'\AMM',
        '.fbx': rb'\A(?:Kaydara FBX|; ?FBX)', '.usdc': rb'\APXR-USDC', '.usda': rb'\A#usda',
        '.usd': rb'\A(?:PXR-USDC|#usda)', '.usdz': rb'\APK\x03\x04', '.wrl': rb'\A#VRML',
        '.iv': rb'\A#Inventor', '.mesh': rb'\A\0\x10\[',
        '.msh': rb'\A(?:\$MeshFormat|[\s\S]{3}\0[\s\S]{3}\0)'}),
    'texture': {**_IMAGES, **_patterns({
        '.nc': rb'\A(?:CDF|\x89HDF)', '.vrt': rb'\A\s*<VRTDataset', '.asc': rb'(?i)\Ancols\s',
        '.dem': rb'\A[ -~]{1024}'})},
    'script': {**_IMAGES, **_patterns({
        '.material .program .cg .vert .frag .glsl .hlsl': rb'\{'})},
    'part': {**_IMAGES, **_patterns({'.mtl': rb'^[ \t]*newmtl\b', '.bin': rb''})}}
"""The suffixes by the purpose of a file, each with a pattern that only such content matches."""


def has_content_of(kind: str, suffix: str, data: bytes) -> bool:
    """Return whether the content of a file fits its suffix."""
    return CONTENTS[kind][suffix].search(data) is not None or (
        suffix in ('.stl', '.stlb') and _is_binary_stl(data))


def _is_binary_stl(data: bytes) -> bool:
    """Return whether a file has the length of the binary STL that its header announces."""
    count = int.from_bytes(data[_STL_START - 4:_STL_START], 'little')
    return len(data) >= _STL_START + count * _STL_SIZE


def why_mujoco_refuses(file: str, is_collision: bool, scale: Vector = (1.0, 1.0, 1.0)) -> str:
    """Return why MuJoCo refuses a small STL or OBJ file, or '' if it accepts it."""
    with open_regular(file) as stream:
        data = stream.read(_SMALL + 1)
    suffix = file.lower()[-4:]
    if len(data) > _SMALL or suffix not in ('.stl', '.obj'):
        return ''
    return why_mujoco_refuses_content(data, suffix, is_collision, scale)


def why_mujoco_refuses_content(
    data: bytes, suffix: str, is_collision: bool, scale: Vector = (1.0, 1.0, 1.0),
) -> str:
    """Return why MuJoCo refuses the content of an STL or OBJ file, or '' if it accepts it."""
    import numpy as np
    if suffix == '.stl':
        end = len(data) - (len(data) - _STL_START) % _STL_SIZE
        found = np.frombuffer(data[_STL_START:end], np.dtype(_STL_TRIANGLE))['corners']
    else:
        found = np.array([list(map(float, each)) for each in _VERTEX.findall(data)])
    corners = np.unique(found.reshape(-1, 3).astype(float), axis=0)
    if not np.isfinite(corners).all():
        return 'a corner is not finite'
    if suffix == '.stl' and (np.abs(corners) > _FARTHEST).any():
        return f'a corner is farther than {_FARTHEST:g} from the origin along an axis'
    if len(corners) < 4:
        return 'it has less than four corners'
    if _area_of_box(np.ptp(corners, axis=0) * np.abs(scale)) < MUJOCO_LEAST:
        return f'its surface is smaller than {MUJOCO_LEAST:g} m^2'
    sides = corners[1:] - corners[0]
    is_flat = np.linalg.matrix_rank(sides, _FLAT * np.abs(sides).max()) < 3
    return 'it collides and is flat' if is_flat and is_collision else ''


def _area_of_box(extent: Any) -> float:
    """Return the surface of a box, which no convex mesh inside of it exceeds."""
    x, y, z = map(float, extent)
    return 2.0 * (x * y + y * z + z * x)


# ---- parts

def with_parts_renamed(data: bytes, suffix: str, rename: Rename, exists: Exists) -> bytes:
    """Return the content of a mesh file or material library with its parts renamed."""
    if suffix == '.dae':
        return _collada_renamed(data, rename)
    if suffix == '.gltf':
        return _gltf_renamed(data, rename)
    if suffix == '.glb':
        return _glb_renamed(data, rename)
    if suffix not in _LINES:
        return data

    def renamed(found: re.Match[bytes]) -> bytes:
        names = found[2].rstrip()
        text = names.decode('utf-8', 'surrogateescape')
        written = (_library if suffix == '.obj' else _image)(text, rename, exists)
        return b''.join((
            found[1], written.encode('utf-8', 'surrogateescape'), found[2][len(names):]))

    return _LINES[suffix].sub(renamed, data)


def paths_of(name: str) -> tuple[str, ...]:
    """Return the paths that a name in a mesh file may mean, the best first."""
    plain = name.removeprefix('file://').replace('\\', '/')
    return tuple(dict.fromkeys((name, plain, unquote(plain))))


def _collada_renamed(data: bytes, rename: Rename) -> bytes:
    """Return COLLADA with its images renamed; a file that cannot be parsed stays as it is."""
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


def _gltf_renamed(data: bytes, rename: Rename) -> bytes:
    """Return glTF with its images and buffers renamed, except embedded ones."""
    try:
        content: dict[str, Any] = json.loads(data)
        parts = [part for key in ('images', 'buffers') for part in content.get(key, ())
                 if isinstance(part.get('uri'), str)]
    except (ValueError, AttributeError, TypeError, RecursionError):
        return data
    is_changed = False
    for part in parts:
        new = '' if part['uri'].startswith('data:') else rename(part['uri'])
        if new:
            part['uri'], is_changed = new, True
    return json.dumps(content).encode() if is_changed else data


def _glb_renamed(data: bytes, rename: Rename) -> bytes:
    """Return a .glb with the names in its JSON replaced; the JSON is padded to four bytes."""
    if data[:4] != b'glTF' or len(data) < _GLB_START:
        return data
    length, = struct.unpack_from('<I', data, 12)
    old, rest = data[_GLB_START:_GLB_START + length], data[_GLB_START + length:]
    new = _gltf_renamed(old, rename) if len(old) == length else old
    if new == old:
        return data
    new += b' ' * (-len(new) % 4)
    sizes = struct.pack('<II', _GLB_START + len(new) + len(rest), len(new))
    return b''.join((data[:8], sizes, data[16:_GLB_START], new, rest))


_LINES = {
    '.obj': re.compile(rb'^([ \t]*mtllib[ \t]+)(\S[^\r\n]*)', re.MULTILINE),
    '.mtl': re.compile(
        rb'^([ \t]*(?:map_\w+|bump|disp|decal|refl|norm)[ \t]+)(\S[^\r\n]*)', re.MULTILINE)}
"""The lines that name material libraries, or images after options."""
_WORD = re.compile(r'\S+', re.ASCII)


def _library(text: str, rename: Rename, exists: Exists) -> str:
    """Return the new names of material libraries: several words, or one name with spaces."""
    if exists(text):
        return rename(text) or text
    return _WORD.sub(lambda word: rename(word[0]) or word[0], text)


def _image(text: str, rename: Rename, exists: Exists) -> str:
    """Return the options and the new name of an image; the name may contain spaces."""
    starts = [word.start() for word in _WORD.finditer(text)]
    start = next((
        start for start in starts
        if len(text) - start <= _PATH_LENGTH and exists(text[start:])), starts[-1])
    return text[:start] + (rename(text[start:]) or text[start:])


# ---- writing

def binary_stl(triangles: Iterable[Triangle]) -> bytes:
    """Return a binary STL: header, count, then normal and corners of each triangle."""
    import numpy as np
    corners = np.array([*triangles], float).reshape(-1, 3, 3)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    records = np.zeros(len(corners), _STL_TRIANGLE)
    records['normal'], records['corners'] = normals / np.where(lengths, lengths, 1.0), corners
    return bytes(_STL_START - 4) + struct.pack('<I', len(corners)) + records.tobytes()
