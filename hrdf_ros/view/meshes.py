# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Mesh files, through trimesh: STL, OBJ, COLLADA, glTF and what else it reads."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
import os
import stat
from typing import Any, NamedTuple, Optional

from hrdf_ros.model import Mesh
from hrdf_ros.view.triangles import Triangles
import numpy as np
from numpy.typing import NDArray

_MOST_BYTES = 200_000_000
_MOST_PIXELS = 1 << 26
"""Twice as many are refused; some kilobytes of a file may come to gigabytes."""
_ACROSS = np.array([(1, 2), (0, 2), (0, 1)])
"""The axes of the image on what faces x, y and z."""
_PACKED = ('.3dxml', '.3mf', '.bz2', '.gz', '.xz', '.zae', '.zip')
"""What trimesh unpacks: some kilobytes may come to gigabytes."""


class LoadedMesh(NamedTuple):
    """
    What a mesh file holds, scaled, in the shape's frame.

    ``glb`` is the same as binary glTF where the file has looks of its own (materials, textures,
    vertex colors), else None.
    """

    triangles: Triangles
    glb: Optional[bytes] = None


class MeshError(ValueError):
    """A mesh that cannot be drawn; the text says why, without the name of the file."""


class MeshCache:
    """Meshes read so far, by file, its age, and how it is used."""

    def __init__(self) -> None:
        self._loaded: dict[tuple[Mesh, int, int], LoadedMesh] = {}

    def load(self, mesh: Mesh) -> LoadedMesh:
        """Return what a mesh's file holds; a MeshError where that cannot be."""
        if mesh.file is None:
            raise MeshError('the file was not found')
        status = _checked(mesh.file)
        if mesh.file.lower().endswith(_PACKED):
            raise MeshError('archives are not read')
        key = (mesh, status.st_mtime_ns, status.st_size)
        if key not in self._loaded:
            self._loaded[key] = _load(mesh, mesh.file)
        return self._loaded[key]


def _checked(file: str) -> os.stat_result:
    """Return the status of a file; a MeshError where it is no regular one, or too large."""
    try:
        status = os.stat(file)
    except OSError as error:
        raise MeshError(error.strerror or str(error)) from None
    if not stat.S_ISREG(status.st_mode):
        raise MeshError('it is not a regular file')
    if status.st_size > _MOST_BYTES:
        raise MeshError(f'the file is larger than {_MOST_BYTES} bytes')
    return status


def _images() -> Any:
    """Return Pillow's images, which start no Ghostscript: PostScript is a program."""
    images: Any = import_module('PIL.Image')
    postscript: Any = import_module('PIL.EpsImagePlugin')
    images.MAX_IMAGE_PIXELS = _MOST_PIXELS
    postscript.gs_binary = False
    return images


def textured(surface: Triangles, file: str) -> bytes:
    """
    Return a surface with an image on it as binary glTF; a MeshError where that cannot be.

    Each triangle has the image laid on along the axis that it faces most.
    """
    try:
        trimesh: Any = import_module('trimesh')
        _checked(file)
        image = _images().open(file).convert('RGBA')
        whole = trimesh.Trimesh(surface.vertices, surface.faces, process=False)
        corners = np.asarray(whole.vertices)[whole.faces]
        low, extent = whole.vertices.min(0), np.ptp(whole.vertices, axis=0)
        places = (corners - low) / np.where(extent > 0.0, extent, 1.0)
        across = _ACROSS[np.abs(whole.face_normals).argmax(axis=1)]
        uv = np.take_along_axis(places, across[:, None, :].repeat(3, axis=1), axis=2)
        looks = trimesh.visual.material.PBRMaterial(
            baseColorTexture=image, metallicFactor=0.0, roughnessFactor=0.9)
        mesh = trimesh.Trimesh(
            corners.reshape(-1, 3), np.arange(corners.shape[0] * 3).reshape(-1, 3),
            vertex_normals=_normals(surface)[surface.faces].reshape(-1, 3), process=False,
            visual=trimesh.visual.TextureVisuals(uv=uv.reshape(-1, 2), material=looks))
        glb: bytes = trimesh.Scene(mesh).export(file_type='glb')
        return glb
    except MeshError:
        raise
    except Exception as error:  # noqa: BLE001  # PIL raises anything on files that are broken
        raise MeshError(f'{type(error).__name__}: {error}') from None


def _normals(surface: Triangles) -> NDArray[np.float64]:
    """Return the normal at each vertex: of its triangles, the larger ones more."""
    corners = surface.vertices[surface.faces].astype(float)
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros((len(surface.vertices), 3))
    for corner in range(3):
        np.add.at(normals, surface.faces[:, corner], faces)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    unit: NDArray[np.float64] = normals / np.where(lengths > 0.0, lengths, 1.0)
    return unit


def _load(mesh: Mesh, file: str) -> LoadedMesh:
    try:
        import trimesh
    except ImportError:
        raise MeshError('meshes require trimesh: pip install trimesh') from None
    with suppress(ImportError):
        _images()  # trimesh opens images itself
    try:
        beside: Any = _Beside(file)
        scene = trimesh.load_scene(file, process=False, resolver=beside)
        scale = _unit(scene) * np.asarray(mesh.scale)
        scene = _selected(scene, mesh)
        for geometry in scene.geometry.values():
            if hasattr(geometry, 'visual') and geometry.visual.kind == 'face':
                _color_vertices(geometry)
        transform = np.diag([*scale, 1.0])
        if mesh.center_submesh:
            transform[:3, 3] = -scale * scene.bounds.mean(axis=0)
        scene.apply_transform(transform)
        whole = scene.to_mesh()
        triangles = Triangles(
            np.asarray(whole.vertices, np.float32), np.asarray(whole.faces, np.uint32))
        if not len(triangles.faces) or not np.isfinite(triangles.vertices).all():
            raise MeshError('it has no triangles, or infinite ones')
        return LoadedMesh(triangles, _with_looks(scene))
    except MeshError:
        raise
    except Exception as error:  # noqa: BLE001  # trimesh raises anything on files that are broken
        raise MeshError(f'{type(error).__name__}: {error}') from None


class _Beside:
    """Reads what a mesh file refers to, from its own directory only."""

    def __init__(self, file: str) -> None:
        self._directory = os.path.realpath(os.path.dirname(file) or os.curdir)

    def get(self, name: str) -> bytes:
        """Return the content of a file by its relative name."""
        file = os.path.realpath(os.path.join(self._directory, name.strip()))
        if os.path.commonpath((file, self._directory)) != self._directory:
            raise FileNotFoundError(name)
        if not os.path.isfile(file):
            raise FileNotFoundError(name)  # a pipe would be waited for
        with open(file, 'rb') as stream:
            return stream.read(_MOST_BYTES)

    def __getitem__(self, name: str) -> bytes:
        return self.get(name)


def _selected(scene: Any, mesh: Mesh) -> Any:
    """Return the scene, or of it the submesh that is asked for, by its node or geometry."""
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


def _with_looks(scene: Any) -> Optional[bytes]:
    """Return a scene as binary glTF where it brings colors or textures, else None."""
    visuals = [geometry.visual for geometry in scene.geometry.values()
               if hasattr(geometry, 'visual')]
    if not any(visual.defined for visual in visuals):
        return None
    glb: bytes = scene.export(file_type='glb')
    return glb


def _color_vertices(mesh: Any) -> None:
    """Give each face vertices of its own in its color: glTF has no colors of faces."""
    colors = np.repeat(mesh.visual.face_colors, 3, axis=0)
    mesh.unmerge_vertices()
    mesh.visual = type(mesh.visual)(mesh=mesh, vertex_colors=colors)
