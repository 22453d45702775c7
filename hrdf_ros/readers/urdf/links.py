# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``<link>``: its inertia, visuals and collisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from hrdf_ros.inertia import Inertia
from hrdf_ros.model import (
    Body,
    Box,
    Capsule,
    Cylinder,
    Geometry,
    Mesh,
    Shape,
    Sphere,
)
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.urdf.elements import raw_elements, read_origin
from hrdf_ros.readers.urdf.materials import FindFile, Materials


def read_link(link: TypedElement, materials: Materials, find_file: FindFile) -> Body:
    """Return the body of a link."""
    name = link.string('name')
    return Body(
        name=name, source_name=name, inertia=_read_inertial(link),
        visuals=tuple(_read_shape(found, materials, find_file) for found in link.all('visual')),
        collisions=tuple(
            _read_shape(found, materials, find_file) for found in link.all('collision')),
        extensions=raw_elements(link), location=link.location)


def _read_inertial(link: TypedElement) -> Optional[Inertia]:
    inertial = link.child('inertial')
    mass = tensor = None
    if inertial is not None:
        mass, tensor = inertial.child('mass'), inertial.child('inertia')
    if inertial is None or mass is None or tensor is None:
        return None
    return Inertia(
        mass.number('value'), read_origin(inertial), ixx=tensor.number('ixx'),
        iyy=tensor.number('iyy'), izz=tensor.number('izz'), ixy=tensor.number('ixy'),
        ixz=tensor.number('ixz'), iyz=tensor.number('iyz'), location=inertial.location)


def _read_shape(
    element: TypedElement, materials: Materials, find_file: FindFile,
) -> Shape:
    """Return a visual or collision."""
    geometry = element.child('geometry')
    shape = None if geometry is None else geometry.choice()
    assert shape is not None  # the schema requires it, and faulty parts are gone
    return Shape(
        name=element.string('name'), geometry=_SHAPES[shape.tag](shape, find_file),
        pose=read_origin(element), material=materials.of(element), location=element.location)


def _read_box(element: TypedElement, _: FindFile) -> Geometry:
    return Box(element.vector3('size'))


def _read_sphere(element: TypedElement, _: FindFile) -> Geometry:
    return Sphere(element.number('radius'))


def _read_cylinder(element: TypedElement, _: FindFile) -> Geometry:
    return Cylinder(element.number('radius'), element.number('length'))


def _read_capsule(element: TypedElement, _: FindFile) -> Geometry:
    return Capsule(element.number('radius'), element.number('length'))


def _read_mesh(element: TypedElement, find_file: FindFile) -> Geometry:
    uri = element.string('filename')
    return Mesh(uri, find_file(uri), element.vector3('scale'))


_SHAPES: dict[str, Callable[[TypedElement, FindFile], Geometry]] = {
    'box': _read_box, 'sphere': _read_sphere, 'cylinder': _read_cylinder,
    'capsule': _read_capsule, 'mesh': _read_mesh,
}
