# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Make a robot a scene of trimesh, for notebooks and other libraries."""

from __future__ import annotations

from collections import defaultdict
from importlib import import_module
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
import warnings
import webbrowser

from hrdf_ros.listing import first_of
from hrdf_ros.meshes.files import LoadedMesh, MeshError
from hrdf_ros.meshes.primitives import surface
from hrdf_ros.meshes.reader import MeshReader, Request
from hrdf_ros.model import Mesh, Model, Shape
from hrdf_ros.pose import to_matrix
import numpy as np
from numpy.typing import NDArray
import trimesh

_LISTED = 5
"""The number of links that a warning names."""


def make_scene(
    model: Model, root_from_bodies: NDArray[np.float64], *, collision: bool,
) -> Any:
    """Return a trimesh.Scene; meshes that cannot be read are left out, and a warning says why."""
    shapes = [
        (index, body.name, shape) for index, body in enumerate(model.bodies)
        for shape in (body.collisions if collision else body.visuals)]
    loaded = MeshReader().read(
        Request(shape.geometry) for _, _, shape in shapes if isinstance(shape.geometry, Mesh))
    scene, failed = trimesh.Scene(), defaultdict[str, dict[str, None]](dict)
    for number, (index, name, shape) in enumerate(shapes):
        mesh = loaded.get(Request(shape.geometry)) if isinstance(shape.geometry, Mesh) else (
            LoadedMesh(surface(shape.geometry)))
        if isinstance(mesh, MeshError):
            failed[str(mesh)][name] = None
            continue
        if mesh is not None and mesh.lost:
            warnings.warn(f'{name}: materials are not shown: {mesh.lost}', stacklevel=3)
        if mesh is not None and len(mesh.triangles.faces):
            scene.add_geometry(
                _geometry(mesh, shape), node_name=f'{name}/{number}',
                transform=root_from_bodies[index] @ _matrix(shape))
    for reason, links in failed.items():
        warnings.warn(f'{first_of([*links], _LISTED)}: {reason}', stacklevel=3)
    return scene


def show_scene(scene: Any) -> Any:
    """Return the widget that a notebook shows; elsewhere open a page, which needs no network."""
    notebook: Any = import_module('trimesh.viewer.notebook')
    if notebook.in_notebook():
        return notebook.scene_to_notebook(scene)
    with NamedTemporaryFile('w', prefix='hrdf_', suffix='.html', delete=False) as page:
        page.write(notebook.scene_to_html(scene))
    webbrowser.open(Path(page.name).as_uri())
    return None


def _matrix(shape: Shape) -> NDArray[np.float64]:
    matrix = np.eye(4)
    matrix[:3, :3] = np.reshape(to_matrix(shape.pose), (3, 3))
    matrix[:3, 3] = shape.pose.position
    return matrix


def _geometry(mesh: LoadedMesh, shape: Shape) -> Any:
    """Return a mesh in the color of the shape, or with the materials of its file."""
    material = shape.material
    color = None if material is None else material.diffuse or material.ambient
    if mesh.glb is not None and color is None:
        return trimesh.load_scene(BytesIO(mesh.glb), file_type='glb').to_mesh()
    made: Any = trimesh.Trimesh(mesh.triangles.vertices, mesh.triangles.faces, process=False)
    if color is not None:
        made.visual.vertex_colors = np.rint(255.0 * np.clip(color, 0.0, 1.0)).astype(np.uint8)
    return made
