# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read mesh files and textures, through trimesh: STL, OBJ, COLLADA, glTF and others.

These functions run in the process that ``reader`` starts and limits.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from io import BytesIO
import os
from pathlib import Path
import stat
from typing import Any, NamedTuple, Optional, Union
from urllib.parse import unquote

from hrdf_ros.listing import first_of
from hrdf_ros.meshes.collada_errors import lost_geometry
from hrdf_ros.meshes.gltf import unreadable
from hrdf_ros.meshes.images import decode_images, image_module, noted_images
from hrdf_ros.meshes.primitives import surface, Triangles, triangles
from hrdf_ros.meshes.wavefront import library_lines, plain_text
from hrdf_ros.model import Geometry, Mesh
from hrdf_ros.names import Names
import numpy as np
from numpy.typing import NDArray

_FILE_BYTES = 200_000_000
"""The most bytes of a mesh, an image, or a file that a mesh names."""
_PARTS = 1000
"""The most parts of a mesh that are drawn separately; a mesh with more has a single color."""
_IMAGE_AXES = np.array([(1, 2), (0, 2), (0, 1)])
"""The axes along which the image lies on faces perpendicular to x, y and z."""
_ARCHIVES = ('.3dxml', '.3mf', '.bz2', '.gz', '.xz', '.zae', '.zip')
"""The suffixes of files that trimesh unpacks: some kilobytes may expand to gigabytes."""
_NAME_LENGTH = 200
"""The characters of a name that a message shows."""
_LISTED = 5
"""The most files that one message names."""
_NOT_BESIDE_IT = ' is not found in its directory'
_ALL_LIBRARIES = 'all material libraries'
"""The name under which trimesh gets the material libraries of a Wavefront file, joined."""
_NO_CORNER = 'a triangle has a corner that is not in the file'


class LoadedMesh(NamedTuple):
    """
    The content of a mesh file, scaled, in the shape's frame.

    ``glb`` is the same as binary glTF if the file has looks of its own (materials, textures,
    vertex colors), else None; ``pixels`` counts the pixels of its images. ``lost`` says why
    materials or textures are not shown, if they are not.
    """

    triangles: Triangles
    glb: Optional[bytes] = None
    pixels: int = 0
    lost: str = ''


class MeshError(ValueError):
    """A mesh that cannot be drawn; the text says why, without the name of the file."""


def check_file(file: str) -> os.stat_result:
    """Return the status of a mesh or image; raise MeshError if it is unreadable or too large."""
    try:
        status = os.stat(file)
    except (OSError, ValueError) as error:
        raise MeshError(getattr(error, 'strerror', None) or str(error)) from None
    if not stat.S_ISREG(status.st_mode):
        raise MeshError('it is not a regular file')
    if status.st_size > _FILE_BYTES:
        raise MeshError(f'the file is larger than {_FILE_BYTES} bytes')
    if file.lower().endswith(_ARCHIVES):
        raise MeshError('archives are not read')
    return status


def read(geometry: Geometry, texture: Optional[str]) -> LoadedMesh:
    """Load a mesh file, or a primitive with an image on it; raise MeshError if that fails."""
    try:
        if isinstance(geometry, Mesh):
            return _read_mesh(geometry)
        assert texture is not None
        return _with_texture(surface(geometry), texture)
    except MeshError:
        raise
    except MemoryError:
        raise MeshError('reading it takes too much memory') from None
    except FileNotFoundError as error:
        raise MeshError(str(error)) from None
    except ImportError as error:
        if isinstance(error.__context__, UnicodeDecodeError):  # trimesh would guess the encoding
            raise MeshError('it is neither a binary file of this kind nor UTF-8') from None
        raise MeshError(
            f'this requires more packages ({error}); install them with: '
            'pip install trimesh pycollada pillow') from None
    except Exception as error:  # noqa: BLE001  # trimesh and PIL raise anything on broken files
        raise MeshError(f'{type(error).__name__}: {error}') from None


def _with_texture(primitive: Triangles, file: str) -> LoadedMesh:
    """Project an image onto each triangle along the axis that the triangle faces most."""
    if not len(primitive.faces):
        return LoadedMesh(primitive)
    trimesh: Any = import_module('trimesh')
    check_file(file)
    image = image_module().open(file).convert('RGBA')
    whole = trimesh.Trimesh(primitive.vertices, primitive.faces, process=False)
    corners = np.asarray(whole.vertices)[whole.faces]
    low, extent = whole.vertices.min(0), np.ptp(whole.vertices, axis=0)
    places = (corners - low) / np.where(extent > 0.0, extent, 1.0)
    across = _IMAGE_AXES[np.abs(whole.face_normals).argmax(axis=1)]
    uv = np.take_along_axis(places, across[:, None, :].repeat(3, axis=1), axis=2)
    looks = trimesh.visual.material.PBRMaterial(
        baseColorTexture=image, metallicFactor=0.0, roughnessFactor=0.9)
    mesh = trimesh.Trimesh(
        corners.reshape(-1, 3), np.arange(corners.shape[0] * 3).reshape(-1, 3),
        vertex_normals=whole.vertex_normals[whole.faces].reshape(-1, 3), process=False,
        visual=trimesh.visual.TextureVisuals(uv=uv.reshape(-1, 2), material=looks))
    return LoadedMesh(
        primitive, trimesh.Scene(mesh).export(file_type='glb'), image.width * image.height)


def _read_mesh(mesh: Mesh) -> LoadedMesh:
    trimesh: Any = import_module('trimesh')
    assert mesh.file is not None
    check_file(mesh.file)
    directory = _OwnDirectory(mesh.file)
    source, options = _source(mesh.file, directory)
    with noted_images() as lost, lost_geometry(mesh.file) as lost_parts:
        scene = trimesh.load_scene(source, process=False, resolver=directory, **options)
    if lost_parts:
        raise MeshError(f'a part of it cannot be read: {lost_parts[0]}')
    if not scene.geometry:
        raise MeshError('it has no triangles')
    _require_corners(scene)
    pixels = decode_images(_visuals(scene), lost)
    scale = _unit(scene) * np.asarray(mesh.scale)
    scene = _selected(scene, mesh)
    for geometry in scene.geometry.values():
        if hasattr(geometry, 'visual') and geometry.visual.kind == 'face':
            _color_vertices(geometry)
    transform = np.diag([*scale, 1.0])
    if mesh.center_submesh:
        transform[:3, 3] = -scale * scene.bounds.mean(axis=0)
    _place(scene, transform)
    whole = scene.to_mesh()
    found = triangles(whole.vertices, whole.faces)
    if not len(found.faces) or not np.isfinite(found.vertices).all():
        raise MeshError('it has no triangles, or infinite ones')
    if pixels is None or not _has_looks(scene):
        glb, pixels = None, 0
    else:
        glb = scene.export(file_type='glb')
    if directory.missing:
        names = first_of([f"'{name}'" for name in directory.missing], _LISTED)
        lost.append(f'{names}{_NOT_BESIDE_IT}')
    return LoadedMesh(found, glb, pixels, ', '.join(dict.fromkeys(lost)))


def _source(
    file: str, directory: _OwnDirectory,
) -> tuple[Union[str, BytesIO], dict[str, str]]:
    """Return what trimesh reads of a mesh file, and the name of its format."""
    if file.lower().endswith(('.glb', '.gltf')) and (reason := unreadable(file)):
        raise MeshError(reason)
    if not file.lower().endswith('.obj'):
        return file, {}
    text = plain_text(Path(file).read_bytes())
    if text is None:
        raise MeshError(_NO_CORNER)
    directory.libraries = library_lines(text)
    first_line = f'mtllib {_ALL_LIBRARIES}'.encode() if directory.libraries else b''
    return BytesIO(first_line + text), {'file_type': 'obj'}


def _require_corners(scene: Any) -> None:
    """
    Raise MeshError where a triangle has a corner that is not in its part of the file.

    numpy would take a negative index from the end, and joined parts would share their vertices.
    """
    for part in scene.geometry.values():
        faces = np.asarray(getattr(part, 'faces', ()))
        if faces.size and not 0 <= faces.min() <= faces.max() < len(part.vertices):
            raise MeshError(_NO_CORNER)


class _OwnDirectory:
    """
    A resolver that reads the files that a mesh file names, from its own directory only.

    ``libraries`` has the lines of a Wavefront file that name material libraries, and ``missing``
    the names for which there is no file.
    """

    def __init__(self, file: str) -> None:
        self._directory = os.path.realpath(os.path.dirname(file) or os.curdir)
        self.libraries: list[str] = []
        self.missing: dict[str, None] = {}

    def get(self, name: str) -> bytes:
        """Return the content of a file by its relative name, or by its relative URI."""
        if name == _ALL_LIBRARIES and self.libraries:
            return self._all_libraries()
        content = self._content(name)
        if content is None:
            self.missing[name[:_NAME_LENGTH]] = None
            raise FileNotFoundError(f"'{name[:_NAME_LENGTH]}'{_NOT_BESIDE_IT}")
        return content

    def _all_libraries(self) -> bytes:
        """Return the joined content; a line names one file, maybe with blanks, or several."""
        contents: list[bytes] = []
        for line in dict.fromkeys(self.libraries):
            words = line.split()
            is_list = self._content(line) is None and any(
                self._content(word) is not None for word in words)
            for name in words if is_list else (line,):
                with suppress(FileNotFoundError):  # it is among the missing ones
                    contents.append(self.get(name))
        return b'\n'.join(contents)

    def _content(self, name: str) -> Optional[bytes]:
        for plain in dict.fromkeys((name.strip(), unquote(name.strip()))):
            with suppress(ValueError):  # a name with NUL
                file = os.path.realpath(os.path.join(self._directory, plain))
                is_below = os.path.commonpath((file, self._directory)) == self._directory
                if is_below and os.path.isfile(file):  # reading a pipe would block
                    with open(file, 'rb') as stream:
                        return stream.read(_FILE_BYTES)
        return None

    def __getitem__(self, name: str) -> bytes:
        return self.get(name)


def _selected(scene: Any, mesh: Mesh) -> Any:
    """Return the scene, or only the submesh that the model names, by its node or geometry."""
    if mesh.submesh is None:
        return scene
    selected = type(scene)()
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        if mesh.submesh in (node, geometry):
            selected.add_geometry(scene.geometry[geometry], transform=transform)
    if not selected.geometry:
        raise MeshError(f"it has no submesh '{mesh.submesh}'")
    return selected


def _unit(scene: Any) -> float:
    """Return a COLLADA file's unit in meters, which trimesh notes but does not apply."""
    for geometry in scene.geometry.values():
        number, separator, _ = str(geometry.metadata.get('units', '')).partition(' * meters')
        if separator:
            return float(number)
    return 1.0


def _place(scene: Any, transform: NDArray[np.float64]) -> None:
    """
    Transform a scene by one more node above all others.

    ``Scene.apply_transform`` would change each node, and hash all nodes after each change.
    """
    top = Names(taken=map(str, scene.graph.nodes)).free('placed')
    scene.graph.update(frame_from=top, frame_to=scene.graph.base_frame, matrix=transform)
    scene.graph.base_frame = top


def _visuals(scene: Any) -> list[Any]:
    return [geometry.visual for geometry in scene.geometry.values()
            if hasattr(geometry, 'visual')]


def _has_looks(scene: Any) -> bool:
    visuals = _visuals(scene)
    return any(visual.defined for visual in visuals) and len(visuals) <= _PARTS


def _color_vertices(mesh: Any) -> None:
    """Give each face vertices of its own in its color: glTF has no face colors."""
    colors = np.repeat(mesh.visual.face_colors, 3, axis=0)
    mesh.unmerge_vertices()
    mesh.visual = type(mesh.visual)(mesh=mesh, vertex_colors=colors)
