# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<geometry>`` of a URDF: box, cylinder, sphere, mesh, and capsule since 1.2."""

from __future__ import annotations

from hrdf_ros.model import Box, Capsule, Cylinder, Geometry, Mesh, Sphere
from hrdf_ros.writers.urdf.meshes import UrdfOptions, written_uri
from hrdf_ros.writers.xml import number, numbers, WrittenElement


def geometry_element(geometry: Geometry, options: UrdfOptions) -> WrittenElement:
    """Return the geometry of a shape of a lowered Model."""
    if isinstance(geometry, Box):
        shape = WrittenElement('box', (('size', numbers(geometry.size)),))
    elif isinstance(geometry, Sphere):
        shape = WrittenElement('sphere', (('radius', number(geometry.radius)),))
    elif isinstance(geometry, (Cylinder, Capsule)):
        shape = WrittenElement(type(geometry).__name__.lower(), (
            ('radius', number(geometry.radius)), ('length', number(geometry.length))))
    else:
        assert isinstance(geometry, Mesh)
        shape = _mesh(geometry, options)
    return WrittenElement('geometry', (), (shape,))


def _mesh(mesh: Mesh, options: UrdfOptions) -> WrittenElement:
    attributes = [('filename', written_uri(mesh.uri, mesh.file, options))]
    if mesh.scale != (1.0, 1.0, 1.0):
        attributes.append(('scale', numbers(mesh.scale)))
    return WrittenElement('mesh', tuple(attributes))
