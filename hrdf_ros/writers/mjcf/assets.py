# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Meshes, materials and textures of a lowered Model as assets of MJCF."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
import os
import re
import struct
from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.file_reader import open_regular
from hrdf_ros.fuel import fetch_hint, is_remote, ON_NETWORK
from hrdf_ros.model import Body, Material, Mesh, RawElement, Shape
from hrdf_ros.names import Names
from hrdf_ros.writers.mesh_files import binary_stl, why_mujoco_refuses
from hrdf_ros.writers.xml import element, numbers
from lxml import etree

_READ_BY_MUJOCO = ('.stl', '.obj', '.msh')
_TEXTURES = ('.png', '.ktx')
_STL_START = 84
_STL_FACES = 200_000
"""Triangles of an STL file that MuJoCo reads."""


class Assets:
    """
    Names the assets that shapes need and makes their elements.

    Meshes that MuJoCo does not read are converted into ``directory`` (an absolute path); without
    one they are reported. Files are named relative to ``relative_to``, else by absolute paths;
    copies in a bundle by their URIs.
    """

    def __init__(
        self, report: Report, directory: Optional[str], relative_to: Optional[str],
        kept: Iterable[RawElement], is_bundle: bool,
    ) -> None:
        self._is_bundle = is_bundle
        self._report = report
        self._directory, self._relative_to = directory, relative_to
        self._names = Names()
        self._material_names = Names()
        self._meshes: dict[Mesh, Optional[str]] = {}
        self._checked: set[tuple[str, bool]] = set()
        self._materials: dict[Material, str] = {}
        self._textures: dict[str, str] = {}
        self.elements = [
            made for one in kept if one.tag == 'asset' for made in etree.fromstring(one.text)]
        self._kept = {made.get('name') for made in self.elements if made.tag == 'material'}
        for made in self.elements:
            self._names.claim(made.get('name', ''))
            for name, file in made.attrib.items():
                if name.startswith('file') and not is_bundle:
                    made.set(name, self._path(file))
        self.converted: dict[str, bytes] = {}
        """Content of converted meshes by their file."""

    def mesh(self, mesh: Mesh, shape: Shape, body: Body) -> Optional[str]:
        """Return the name of a mesh asset, None where MuJoCo cannot have it."""
        if mesh not in self._meshes:
            self._meshes[mesh] = self._add_mesh(mesh, shape, body)
        name = self._meshes[mesh]
        if name is not None:
            self._note_refusal(mesh, name, shape, body)
        return name

    def _note_refusal(self, mesh: Mesh, name: str, shape: Shape, body: Body) -> None:
        """Warn of a mesh that MuJoCo reads and refuses, once for each asset."""
        key = name, shape in body.collisions
        if mesh.file is not None and key not in self._checked and _is_readable(mesh.file):
            self._checked.add(key)
            with suppress(OSError, ValueError):
                why = why_mujoco_refuses(mesh.file, key[1])
                if why:
                    self._report.add(
                        codes.GEOMETRY_NOT_REPRESENTABLE,
                        f"MuJoCo refuses mesh '{mesh.uri}': {why}",
                        shape.location or body.location)

    def _add_mesh(self, mesh: Mesh, shape: Shape, body: Body) -> Optional[str]:
        file, fault, hint = mesh.file, '', None
        if file is None:
            on_network = is_remote(mesh.uri)
            fault = f"mesh '{mesh.uri}' {ON_NETWORK if on_network else 'was not found'}"
            hint = fetch_hint(mesh.uri) if on_network else None
        elif not _is_readable(file):
            file, fault = self._convert(mesh, mesh.file or '')
        if file is None:
            self._report.add(
                codes.GEOMETRY_NOT_REPRESENTABLE, f'{fault}; omitted from {body.name!r}',
                shape.location or body.location, hint=hint)
            return None
        name = self._names.claim(_plain_name(mesh.file or file))
        is_own = file == mesh.file
        path = mesh.uri if self._is_bundle and is_own else self._path(file)
        scale = mesh.scale if is_own and mesh.scale != (1.0, 1.0, 1.0) else None
        self.elements.append(element('mesh', {
            'name': name, 'file': path, 'inertia': 'shell', **_numbers_if('scale', scale)}))
        return name

    def _convert(self, mesh: Mesh, source: str) -> tuple[Optional[str], str]:
        """Return the file of an STL or OBJ of a mesh; None and the reason where there is none."""
        if self._directory is None:
            name = os.path.basename(mesh.uri)
            return None, f"MuJoCo does not read '{name}'; with -o it is converted"
        from hrdf_ros.meshes import MeshError, MeshReader, Request
        request = Request(mesh)
        answer = MeshReader().read([request])[request]
        if isinstance(answer, MeshError):
            return None, f"mesh '{mesh.uri}' cannot be converted: {answer}"
        vertices, faces = answer.triangles.vertices, answer.triangles.faces
        suffix = '.stl' if len(faces) <= _STL_FACES else '.obj'
        name = f'{_plain_name(source)}_{len(self.converted) + 1}{suffix}'
        file = os.path.join(self._directory, name)
        self.converted[file] = binary_stl(vertices[faces].tolist()) if suffix == '.stl' else (
            _obj(vertices, faces))
        return file, ''

    def _path(self, file: str) -> str:
        if self._relative_to is None:
            return os.path.abspath(file)
        return os.path.relpath(file, self._relative_to)

    def material(self, material: Material) -> dict[str, str]:
        """Return the attributes that give a geom its look: ``material``, or ``rgba`` alone."""
        if material.name in self._kept:
            return {'material': material.name}
        texture = self._texture(material)
        if not material.name and texture is None:
            return _numbers_if('rgba', material.diffuse)
        if material not in self._materials:
            name = self._materials[material] = self._material_names.claim(
                material.name or 'material')
            self.elements.append(element('material', {
                'name': name, **_numbers_if('rgba', material.diffuse),
                **({'texture': texture} if texture else {}),
                **_numbers_if('specular', material.specular and material.specular[:1])}))
        return {'material': self._materials[material]}

    def _texture(self, material: Material) -> Optional[str]:
        file = material.texture_file
        if file is None or not file.lower().endswith(_TEXTURES):
            return None
        if file not in self._textures:
            name = self._textures[file] = self._names.claim(_plain_name(file))
            path = material.texture if self._is_bundle else self._path(file)
            self.elements.append(element('texture', {'name': name, 'type': '2d', 'file': path}))
        return self._textures[file]


def _numbers_if(name: str, values: Optional[Sequence[float]]) -> dict[str, str]:
    return {} if values is None else {name: numbers(values)}


def _plain_name(file: str) -> str:
    stem = os.path.splitext(os.path.basename(file))[0]
    return re.sub(r'[^\w.-]', '_', stem) or 'mesh'


def _is_readable(file: str) -> bool:
    """Return whether MuJoCo reads a mesh file: STL only in binary, and not too large."""
    lower = file.lower()
    if not lower.endswith(_READ_BY_MUJOCO):
        return False
    if not lower.endswith('.stl'):
        return True
    try:
        with open_regular(file) as stream:
            head = stream.read(_STL_START)
        size = os.path.getsize(file)
    except OSError:
        return True
    if len(head) < _STL_START:
        return False
    faces: int = struct.unpack_from('<I', head, _STL_START - 4)[0]
    return size == _STL_START + 50 * faces and 0 < faces <= _STL_FACES


def _obj(vertices: Any, faces: Any) -> bytes:
    """Return an OBJ of arrays (n, 3) of vertices in meters and of indices."""
    lines = [f'v {x:.9g} {y:.9g} {z:.9g}' for x, y, z in vertices.tolist()]
    lines += [f'f {a} {b} {c}' for a, b, c in (faces + 1).tolist()]
    return '\n'.join([*lines, '']).encode()
