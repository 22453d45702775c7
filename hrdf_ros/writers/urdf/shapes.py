# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The geometry of a URDF.

URDF has box, cylinder, sphere and mesh (capsule since 1.2, written only where it came from URDF).
What it lacks is written as several of these where that is exact, as a generated mesh where a
directory for meshes is given, and else as the nearest of them; a note says which.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from zlib import crc32

from hrdf_ros.model import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Empty,
    Geometry,
    Heightmap,
    Image,
    Mesh,
    MultiSphere,
    Plane,
    Polyline,
    Pyramid,
    Sphere,
)
from hrdf_ros.pose import from_quaternion, IDENTITY, Pose, translation, Vector
from hrdf_ros.writers.urdf.meshes import (
    mesh_uri,
    MeshOptions,
    Triangle,
    unit_cone,
    unit_pyramid,
    unit_sphere,
    write_mesh,
)
from hrdf_ros.writers.urdf.polyline import extruded, MOST_POINTS
from hrdf_ros.writers.xml import Element, number, numbers

UNLIMITED_PLANE = 100.0
"""Metres: the side of the square that is drawn of a plane without a size."""
_THIN = 0.001


class Part(NamedTuple):
    """One URDF geometry that stands for a shape or a part of it; ``pose`` is shape_from_part."""

    element: Element
    pose: Pose = IDENTITY


class Written(NamedTuple):
    """What a geometry became; ``note`` says what is not as it was, empty where all is."""

    parts: tuple[Part, ...] = ()
    note: str = ''


class ShapeOptions(NamedTuple):
    """Options for the parts of a link; ``own`` tells that the Model came from URDF."""

    meshes: MeshOptions
    own: bool


def write_geometry(geometry: Geometry, options: ShapeOptions) -> Written:
    """Return the URDF geometries that stand for one of the Model."""
    writer: Callable[..., Written] = _WRITERS[type(geometry)]
    return writer(geometry, options)


def _box(box: Box, _: ShapeOptions) -> Written:
    return Written((_box_part(box.size),))


def _box_part(size: Vector, pose: Pose = IDENTITY) -> Part:
    return Part(Element('box', (('size', numbers(size)),)), pose)


def _sphere(sphere: Sphere, _: ShapeOptions) -> Written:
    return Written((_sphere_part(sphere.radius),))


def _sphere_part(radius: float, pose: Pose = IDENTITY) -> Part:
    return Part(Element('sphere', (('radius', number(radius)),)), pose)


def _round_part(tag: str, radius: float, length: float) -> Part:
    return Part(Element(tag, (('radius', number(radius)), ('length', number(length)))))


def _cylinder(cylinder: Cylinder, _: ShapeOptions) -> Written:
    return Written((_round_part('cylinder', *cylinder),))


def _capsule(capsule: Capsule, options: ShapeOptions) -> Written:
    if options.own:
        return Written((_round_part('capsule', *capsule),))
    end = capsule.length / 2.0
    return Written((
        _round_part('cylinder', *capsule),
        _sphere_part(capsule.radius, translation(0.0, 0.0, end)),
        _sphere_part(capsule.radius, translation(0.0, 0.0, -end)),
    ), 'a capsule is written as a cylinder and two spheres')


def _cone(cone: Cone, options: ShapeOptions) -> Written:
    if options.meshes.directory is not None:
        scale = (cone.radius, cone.radius, cone.length)
        return _generated('unit_cone.stl', unit_cone(), scale, options, 'a cone')
    return Written(
        (_round_part('cylinder', *cone),), 'a cone is written as the cylinder around it')


def _ellipsoid(ellipsoid: Ellipsoid, options: ShapeOptions) -> Written:
    x, y, z = ellipsoid.radii
    if x == y == z:
        return Written((_sphere_part(x),))
    if options.meshes.directory is not None:
        return _generated('unit_sphere.stl', unit_sphere(), (x, y, z), options, 'an ellipsoid')
    return Written(
        (_box_part((2.0 * x, 2.0 * y, 2.0 * z)),),
        'an ellipsoid is written as the box around it')


def _pyramid(pyramid: Pyramid, options: ShapeOptions) -> Written:
    size = (pyramid.width, pyramid.depth, pyramid.height)
    if options.meshes.directory is not None:
        return _generated('unit_pyramid.stl', unit_pyramid(), size, options, 'a pyramid')
    return Written((_box_part(size),), 'a pyramid is written as the box around it')


def _generated(
    name: str, triangles: list[Triangle], scale: Vector, options: ShapeOptions, what: str,
) -> Written:
    uri = write_mesh(name, triangles, options.meshes)
    return Written((_mesh_part(uri, scale),), f'{what} is written as a generated mesh')


def _multi_sphere(multi: MultiSphere, _: ShapeOptions) -> Written:
    parts = tuple(_sphere_part(radius, translation(*centre)) for radius, centre in multi.spheres)
    return Written(parts, 'the hull of several spheres is written as the spheres alone')


def _plane(plane: Plane, _: ShapeOptions) -> Written:
    x, y = plane.size or (UNLIMITED_PLANE, UNLIMITED_PLANE)
    depth = plane.offset - _THIN / 2.0
    nx, ny, nz = plane.normal
    position = (depth * nx, depth * ny, depth * nz)
    # the shortest turn from z to the normal; straight down it is a half turn about x
    turn = (-ny, nx, 0.0, 1.0 + nz) if nz > -1.0 else (1.0, 0.0, 0.0, 0.0)
    return Written(
        (_box_part((x, y, _THIN), from_quaternion(position, turn)),),
        'a plane is written as a thin box below it')


def _mesh(mesh: Mesh, options: ShapeOptions) -> Written:
    note = 'URDF shows a mesh whole, not one part of it' if mesh.submesh else ''
    return Written((_mesh_part(mesh_uri(mesh, options.meshes), mesh.scale),), note)


def _mesh_part(uri: str, scale: Vector) -> Part:
    attributes = [('filename', uri)]
    if scale != (1.0, 1.0, 1.0):
        attributes.append(('scale', numbers(scale)))
    return Part(Element('mesh', tuple(attributes)))


def _polyline(polyline: Polyline, options: ShapeOptions) -> Written:
    points = [point for line in polyline.lines for point in line]
    if not points:
        return Written()
    if options.meshes.directory is not None and len(points) <= MOST_POINTS:
        name = f'polyline_{crc32(repr(polyline).encode()):08x}.stl'
        return _generated(name, extruded(polyline), (1.0, 1.0, 1.0), options, 'a polyline')
    xs, ys = zip(*points)
    size = (max(xs) - min(xs), max(ys) - min(ys), polyline.height)
    middle = ((min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0, polyline.height / 2.0)
    return Written(
        (_box_part(size, translation(*middle)),), 'a polyline is written as the box around it')


def _left_out(geometry: Geometry, _: ShapeOptions) -> Written:
    return Written(note=f'URDF has no {type(geometry).__name__.lower()}; it is left out')


def _nothing(_: Empty, __: ShapeOptions) -> Written:
    return Written()


_WRITERS: dict[type[Geometry], Callable[..., Written]] = {
    Box: _box, Sphere: _sphere, Cylinder: _cylinder, Capsule: _capsule, Cone: _cone,
    Ellipsoid: _ellipsoid, Pyramid: _pyramid, MultiSphere: _multi_sphere, Plane: _plane,
    Mesh: _mesh, Polyline: _polyline, Heightmap: _left_out, Image: _left_out, Empty: _nothing,
}
