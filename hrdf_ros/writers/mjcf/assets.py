# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Write meshes, materials and textures of a lowered Model as assets of MJCF."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
import os
import re
import stat
from typing import Any, NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.file_reader import open_regular
from hrdf_ros.fuel import fetch_hint, is_remote
from hrdf_ros.listing import listed
from hrdf_ros.lowering.contacts import Pair
from hrdf_ros.model import Body, Material, Mesh, RawElement, Shape
from hrdf_ros.names import Names
from hrdf_ros.writers.mesh_files import (
    binary_stl,
    why_mujoco_refuses,
    why_mujoco_refuses_content,
)
from hrdf_ros.writers.xml import element, numbers, Origins
from lxml import etree

_READ_BY_MUJOCO = ('.obj', '.msh')
_TEXTURES = ('.png', '.ktx')
_STL_START = 84
"""The number of bytes of a binary STL file before its triangles: a header of 80, a count of 4."""
_STL_FACES = 200_000
"""The most triangles of an STL file that MuJoCo reads."""


class MjcfOptions(NamedTuple):
    """
    The options of writing MJCF.

    ``free_base`` lets the bodies of the world move. ``actuators`` is motor, position or velocity
    for every commanded joint, '' to follow ``<ros2_control>``, or none for no actuators.
    ``mesh_directory`` (an absolute path) is where generated and converted meshes belong. Files are
    named relative to ``relative_to``, those of a bundle by their URIs (``is_bundle``).
    ``disabled_pairs`` are names of links that do not collide. ``for_mujoco`` leaves what other
    readers of MJCF do not support out of the report.
    """

    free_base: bool = False
    actuators: str = ''
    mesh_directory: Optional[str] = None
    relative_to: Optional[str] = None
    is_bundle: bool = False
    disabled_pairs: tuple[Pair, ...] = ()
    for_mujoco: bool = False


class Assets:
    """
    Names the assets that shapes need and makes their elements.

    Meshes that MuJoCo does not read are converted if there is a directory for them, and
    otherwise reported.
    """

    def __init__(
        self, kept: Iterable[RawElement], options: MjcfOptions, origins: Origins,
        report: Report,
    ) -> None:
        self._options, self._origins, self._report = options, origins, report
        self._names, self._material_names = Names(), Names()
        self._named: dict[Union[Mesh, Material, str], Optional[str]] = {}
        self._checked: set[tuple[str, bool]] = set()
        self.elements = [
            made for one in kept if one.tag == 'asset' for made in etree.fromstring(one.text)]
        self._missing: list[tuple[Mesh, Shape, Body]] = []
        self.files: dict[str, str] = {}
        """The location of each file, by the path that is written."""
        self._kept = {made.get('name') for made in self.elements if made.tag == 'material'}
        for made in self.elements:
            self._names.claim(made.get('name', ''))
            for name, file in made.attrib.items():
                if file and name.startswith('file') and not options.is_bundle:
                    made.set(name, self._path(file))
        self.converted: dict[str, bytes] = {}
        """The content of converted meshes, by their file."""
        self._of_converted: dict[str, str] = {}
        """The files of converted meshes, by the names of the meshes."""

    def mesh(self, mesh: Mesh, shape: Shape, body: Body) -> Optional[str]:
        """Return the name of a mesh asset, or None if MuJoCo cannot have one."""
        if mesh.file is None:
            self._missing.append((mesh, shape, body))
            return None
        if mesh not in self._named:
            self._named[mesh] = self._add_mesh(mesh, shape, body)
        name, collides = self._named[mesh], shape in body.collisions
        if name and (name, collides) not in self._checked:
            self._checked.add((name, collides))
            with suppress(OSError, ValueError):
                why = self._why_refused(mesh, name, collides)
                if why:
                    self._report.add(
                        codes.GEOMETRY_NOT_REPRESENTABLE,
                        f"MuJoCo refuses mesh '{mesh.uri}': {why}",
                        shape.location or body.location)
        return name

    def has(self, mesh: Mesh) -> bool:
        """Return whether a mesh is an asset that is written."""
        return self._named.get(mesh) is not None

    def _why_refused(self, mesh: Mesh, name: str, collides: bool) -> str:
        """Return why MuJoCo refuses the file that is written for a mesh, or ''."""
        converted = self._of_converted.get(name)
        if converted is not None:
            return why_mujoco_refuses_content(
                self.converted[converted], os.path.splitext(converted)[1], collides)
        assert mesh.file is not None
        return why_mujoco_refuses(mesh.file, collides, mesh.scale)

    def _add_mesh(self, mesh: Mesh, shape: Shape, body: Body) -> Optional[str]:
        file = mesh.file
        fault = _why_no_file(file) if file else ''
        if fault:
            file, fault = None, f"mesh '{mesh.uri}' {fault}"
        elif file is not None and not _is_readable(file):
            file, fault = self._convert(mesh, file)
        if file is None:
            self._report.add(
                codes.GEOMETRY_NOT_REPRESENTABLE, f'{fault}; omitted from {body.name!r}',
                shape.location or body.location)
            return None
        name = self._names.claim(_plain_name(mesh.file or file))
        is_own = file == mesh.file
        if not is_own:
            self._of_converted[name] = file
        path = self._path(file, mesh.uri if is_own else '')
        scale = mesh.scale if is_own and mesh.scale != (1.0, 1.0, 1.0) else None
        made = element('mesh', {
            'name': name, 'file': path, 'inertia': 'shell', **_numbers_if('scale', scale)})
        self.elements.append(self._origins.mark(made, shape.location, body.location))
        return name

    def note_missing(self) -> None:
        """Report all meshes that were not found in one warning, with the consequences."""
        if not self._missing:
            return
        lost = {shape for _, shape, _ in self._missing}
        bare = dict.fromkeys(
            body.name for _, _, body in self._missing
            if body.collisions and lost.issuperset(body.collisions))
        uris = dict.fromkeys(mesh.uri for mesh, _, _ in self._missing)
        remote = next(filter(is_remote, uris), None)
        text = f'meshes that were not found are omitted: {listed(uris)}'
        if bare:
            text += ('; links that have no other collision touch nothing, and the robot falls '
                     f'through the floor: {listed(bare)}')
        _, shape, body = self._missing[-1]
        self._report.add(
            codes.GEOMETRY_NOT_REPRESENTABLE, text, shape.location or body.location,
            hint=fetch_hint(remote) if remote else
            'tell where they are: --path DIR, --package NAME=DIR', subjects=tuple(uris))

    def _convert(self, mesh: Mesh, source: str) -> tuple[Optional[str], str]:
        """Return the STL or OBJ file of a mesh, or None and the reason why there is none."""
        if self._options.mesh_directory is None:
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
        file = os.path.join(self._options.mesh_directory, name)
        self.converted[file] = binary_stl(vertices[faces].tolist()) if suffix == '.stl' else (
            _obj(vertices, faces))
        return file, ''

    def _path(self, file: str, uri: str = '') -> str:
        """Return the path that names a file; in a bundle that is its URI."""
        start = self._options.relative_to
        path = os.path.abspath(file) if start is None else os.path.relpath(file, start)
        named = uri if uri and self._options.is_bundle else path
        self.files[named] = os.path.abspath(file)
        return named

    def material(self, material: Material, shape: Shape) -> dict[str, str]:
        """Return the attributes that give a geom its look: ``material``, or ``rgba`` alone."""
        if material.name in self._kept:
            return {'material': material.name}
        texture = self._texture(material, shape)
        if not material.name and texture is None:
            return _numbers_if('rgba', material.diffuse)
        name = self._named.get(material)
        if name is None:
            name = self._named[material] = self._material_names.claim(
                material.name or 'material')
            self.elements.append(element('material', {
                'name': name, **_numbers_if('rgba', material.diffuse),
                **({'texture': texture} if texture else {}),
                **_numbers_if('specular', material.specular and material.specular[:1])}))
        return {'material': name}

    def _texture(self, material: Material, shape: Shape) -> Optional[str]:
        file = material.texture_file
        if file is None:
            if material.texture:
                self._report.add(
                    codes.DETAIL_NOT_REPRESENTABLE,
                    f"texture '{material.texture}' is not found; omitted", shape.location)
            return None
        if file not in self._named:
            self._named[file] = self._add_texture(file, material.texture, shape)
        return self._named[file]

    def _add_texture(self, file: str, uri: str, shape: Shape) -> Optional[str]:
        fault = _why_no_file(file)
        if not (fault or file.lower().endswith(_TEXTURES)):
            fault = 'is neither PNG nor KTX, which MuJoCo reads'
        if fault:
            self._report.add(
                codes.DETAIL_NOT_REPRESENTABLE, f"texture '{uri}' {fault}; omitted",
                shape.location)
            return None
        name = self._names.claim(_plain_name(file))
        self.elements.append(element('texture', {
            'name': name, 'type': '2d', 'file': self._path(file, uri)}))
        return name


def _numbers_if(name: str, values: Optional[Sequence[float]]) -> dict[str, str]:
    return {} if values is None else {name: numbers(values)}


def _plain_name(file: str) -> str:
    stem = os.path.splitext(os.path.basename(file))[0]
    return re.sub(r'[^\w.-]', '_', stem) or 'mesh'


def _why_no_file(file: str) -> str:
    """Return why a path is not a regular file, or '': MuJoCo would wait for a pipe."""
    with suppress(OSError, ValueError):
        mode = os.stat(file).st_mode
        if not stat.S_ISREG(mode):
            return 'is a directory' if stat.S_ISDIR(mode) else 'is not a regular file'
    return ''


def _is_readable(file: str) -> bool:
    """Return whether MuJoCo reads a mesh file; an STL must be binary and not too large."""
    suffix = os.path.splitext(file)[1].lower()
    if suffix != '.stl':
        return suffix in _READ_BY_MUJOCO
    with suppress(OSError):
        with open_regular(file) as stream:
            faces = int.from_bytes(stream.read(_STL_START)[-4:], 'little')
        return 0 < faces <= _STL_FACES and os.path.getsize(file) == _STL_START + 50 * faces
    return True


def _obj(vertices: Any, faces: Any) -> bytes:
    """Return an OBJ of arrays (n, 3) of vertices in meters and of indices."""
    lines = [f'v {x:.9g} {y:.9g} {z:.9g}' for x, y, z in vertices.tolist()]
    lines += [f'f {a} {b} {c}' for a, b, c in (faces + 1).tolist()]
    return '\n'.join([*lines, '']).encode()
