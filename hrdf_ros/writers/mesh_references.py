# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The files that mesh files name: materials, images, buffers; and other names for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import unescape
import json
import re
import struct
from typing import NamedTuple
from urllib.parse import unquote

_LIBRARY = re.compile(rb'^[ \t]*mtllib[ \t]+(\S[^\r\n]*)', re.MULTILINE)
_IMAGE_OF_MTL = re.compile(
    rb'^[ \t]*(?:map_\w+|bump|disp|decal|refl|norm)[ \t]+(\S[^\r\n]*)', re.MULTILINE)
_IMAGE_OF_COLLADA = re.compile(rb'<image\b')
_INIT_FROM = re.compile(rb'<(?:init_from|ref)\b[^<>]*>([^<>]*)(?=<)')
_WORD = re.compile(rb'\S+')
_URI_OF_GLTF = re.compile(rb'"uri"\s*:\s*("(?:[^"\\]|\\.)*")')
_LONGEST_PATH = 4096
_GLB_START = 20
"""Bytes before the JSON of a .glb: the file's header of 12, the chunk's of 8."""

Exists = Callable[[str], bool]
"""Tells whether a name leads to a file."""


class MeshReference(NamedTuple):
    """A file's name and the bytes that it takes in the file that names it."""

    name: str
    start: int
    end: int


def references(data: bytes, suffix: str, exists: Exists) -> list[MeshReference]:
    """Return the files that the content of a mesh file or material library names."""
    find = _FINDERS.get(suffix.lower())
    return [] if find is None else list(find(data, exists))


def replaced(
    data: bytes, suffix: str, found: list[MeshReference], rename: Callable[[str], str],
) -> bytes:
    """Return the content with other names, of letters, digits and ``._-`` only."""
    parts, end = [], 0
    for reference in found:
        parts += [data[end:reference.start], rename(reference.name).encode('ascii')]
        end = reference.end
    text = b''.join((*parts, data[end:]))
    return _with_lengths(data, text) if found and suffix.lower() == '.glb' else text


def _of_obj(data: bytes, exists: Exists) -> Iterator[MeshReference]:
    """Yield material libraries; a line has several, or one with spaces in its name."""
    for line in _LIBRARY.finditer(data):
        whole = _trimmed(line)
        if exists(whole.name):
            yield whole
            continue
        for word in _WORD.finditer(data, whole.start, whole.end):
            yield MeshReference(_text(word[0]), *word.span())


def _of_mtl(data: bytes, exists: Exists) -> Iterator[MeshReference]:
    """Yield images; options stand before the name, which may have spaces."""
    for line in _IMAGE_OF_MTL.finditer(data):
        end = _trimmed(line).end
        starts = [word.start() for word in _WORD.finditer(data, line.start(1), end)]
        names = (
            MeshReference(_text(data[start:end]), start, end) for start in starts
            if end - start <= _LONGEST_PATH)
        last = MeshReference(_text(data[starts[-1]:end]), starts[-1], end)
        yield next((name for name in names if exists(name.name)), last)


def _of_collada(data: bytes, _: Exists) -> Iterator[MeshReference]:
    image = _IMAGE_OF_COLLADA.search(data)
    while image is not None:
        end = data.find(b'</image>', image.end())
        if end < 0:
            return
        for line in _INIT_FROM.finditer(data, image.start(), end + 1):
            found = _trimmed(line)
            if found.name:
                yield found._replace(name=unescape(found.name))
        image = _IMAGE_OF_COLLADA.search(data, end)


def _of_gltf(data: bytes, _: Exists) -> Iterator[MeshReference]:
    for found in _URI_OF_GLTF.finditer(data):
        try:
            name = json.loads(found[1])
        except ValueError:
            continue
        if not name.startswith('data:'):
            yield MeshReference(name, found.start(1) + 1, found.end(1) - 1)


def _of_glb(data: bytes, exists: Exists) -> Iterator[MeshReference]:
    if data[:4] == b'glTF' and len(data) >= _GLB_START:
        end = _GLB_START + struct.unpack_from('<I', data, 12)[0]
        if end > len(data):
            return
        for found in _of_gltf(data[_GLB_START:end], exists):
            yield MeshReference(found.name, found.start + _GLB_START, found.end + _GLB_START)


def _with_lengths(old: bytes, new: bytes) -> bytes:
    """Return a .glb with the lengths of its longer or shorter JSON, padded to four bytes."""
    rest = len(old) - _GLB_START - struct.unpack_from('<I', old, 12)[0]
    text = new[_GLB_START:len(new) - rest]
    text += b' ' * (-len(text) % 4)
    tail = new[len(new) - rest:]
    return b''.join((
        old[:8], struct.pack('<II', _GLB_START + len(text) + rest, len(text)),
        old[16:_GLB_START], text, tail))


def _trimmed(line: re.Match[bytes]) -> MeshReference:
    """Return the first group of a match without blanks around it."""
    text = line[1].lstrip()
    start = line.end(1) - len(text)
    text = text.rstrip()
    return MeshReference(_text(text), start, start + len(text))


def _text(data: bytes) -> str:
    return data.decode('utf-8', 'surrogateescape')


def paths_of(name: str) -> tuple[str, ...]:
    """Return the paths that a name in a mesh file may mean, best first."""
    plain = name.removeprefix('file://').replace('\\', '/')
    return tuple(dict.fromkeys((name, plain, unquote(plain))))


_FINDERS: dict[str, Callable[[bytes, Exists], Iterator[MeshReference]]] = {
    '.obj': _of_obj, '.mtl': _of_mtl, '.dae': _of_collada, '.gltf': _of_gltf, '.glb': _of_glb,
}
WITH_PARTS = frozenset(_FINDERS)
"""The suffixes of files that may name others."""
