# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Find what trimesh would leave out of a glTF file, or read as another shape, without a word.

Compressed and sparse positions would be zeros, normalized ones thousands of times too large.
Skins and morph targets would not move vertices, and Python takes negative indices from the end.
"""

from __future__ import annotations

from importlib.util import find_spec
import json
import struct
from typing import Any

_HEADER = struct.Struct('<4sIIII')
"""The first bytes of binary glTF: magic, version, length, and length and kind of the JSON."""
_TRIANGLE_FAN = 6
"""The mode of a primitive whose triangles share their first corner."""
_DRACO = 'KHR_draco_mesh_compression'
"""The extension by which a primitive is compressed, which trimesh reads through DracoPy."""
_COMPRESSED_VIEWS = ('EXT_meshopt_compression', 'KHR_meshopt_compression')
"""The extensions by which the content of a buffer view is compressed."""
_FREE_NUMBERS = (
    'extensions', 'extras', 'matrix', 'max', 'min', 'rotation', 'scale', 'translation', 'weights')
"""The properties of nodes, meshes and accessors whose numbers may be negative."""


def unreadable(file: str) -> str:
    """Return why the geometry of a glTF file would be another one, or an empty text."""
    with open(file, 'rb') as stream:
        head = stream.read(_HEADER.size)
        if file.lower().endswith('.glb'):
            if len(head) < _HEADER.size or head[:4] != b'glTF':
                return 'it is no binary glTF'
            text = stream.read(_HEADER.unpack(head)[3])
        else:
            text = head + stream.read()
    try:
        header = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        return f'its JSON cannot be read: {error}'
    if not isinstance(header, dict):
        return 'its JSON is no object'
    geometry = ('accessors', 'buffers', 'bufferViews', 'meshes', 'nodes', 'scenes')
    if _has_negative({'scene': header.get('scene'), **{key: header.get(key) for key in geometry}}):
        return 'it has a negative index, offset or count'
    return _deformation(header) or next((
        reason for mesh in header.get('meshes', ()) for primitive in mesh['primitives']
        if (reason := _reason(header, primitive))), '')


def _has_negative(value: Any) -> bool:
    """Return whether a number that must not be negative is, in any depth."""
    if isinstance(value, dict):
        return any(_has_negative(each) for key, each in value.items() if key not in _FREE_NUMBERS)
    if isinstance(value, list):
        return any(map(_has_negative, value))
    return isinstance(value, (int, float)) and value < 0


def _deformation(header: Any) -> str:
    """Return what moves vertices away from their positions in the file, or an empty text."""
    nodes, meshes = header.get('nodes', ()), header.get('meshes', ())
    if any('skin' in node and 'mesh' in node for node in nodes):
        return 'it has a skin, which is not read'
    if any(any(each.get('weights', ())) for each in (*nodes, *meshes)):
        return 'it has weights of morph targets, which are not read'
    return ''


def _reason(header: Any, primitive: Any) -> str:
    """Return why the triangles of one primitive would be wrong, or an empty text."""
    if primitive.get('mode') == _TRIANGLE_FAN:
        return 'it has triangle fans, which are not read'
    extensions = primitive.get('extensions', {})
    if _DRACO in extensions:
        if find_spec('DracoPy') is None:
            return f'it is compressed by {_DRACO}; pip install DracoPy, or export it without'
        return ''
    positions = primitive['attributes']['POSITION']
    for index in (positions, primitive.get('indices')):
        if index is None:
            continue
        accessor = header['accessors'][index]
        if 'sparse' in accessor:
            return 'it has sparse accessors, which are not read'
        if index == positions and accessor.get('normalized'):
            return 'its positions are normalized integers, which are not read'
        if 'bufferView' in accessor:
            view = header['bufferViews'][accessor['bufferView']]
            for name in _COMPRESSED_VIEWS:
                if name in view.get('extensions', {}):
                    return f'it is compressed by {name}, which is not read'
    return ''
