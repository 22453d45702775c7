# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Surfaces as triangles, through trimesh, of primitives and of mesh files that may be hostile."""

from hrdf_ros.meshes.files import LoadedMesh, MeshError
from hrdf_ros.meshes.primitives import surface, Triangles
from hrdf_ros.meshes.reader import MeshReader, Request

__all__ = ['LoadedMesh', 'MeshError', 'MeshReader', 'Request', 'surface', 'Triangles']
