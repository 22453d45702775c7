# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Writing URDF: geometries, meshes and materials."""

from __future__ import annotations

import math
from pathlib import Path
import struct
from typing import Any

from helpers.urdf_writing import attributes, codes, written
from hrdf_ros.model import (
    Body,
    Box,
    Capsule,
    Cone,
    Ellipsoid,
    Empty,
    Geometry,
    Heightmap,
    Material,
    Mesh,
    Model,
    MultiSphere,
    Plane,
    Polyline,
    Pyramid,
    Shape,
    Sphere,
)
from hrdf_ros.pose import translation
from hrdf_ros.resolve import Resolver
import numpy as np
import pytest

Z = (0.0, 0.0, 1.0)


def one_shape(geometry: Geometry, material: Material | None = None) -> Model:
    shape = Shape('v', geometry, translation(1.0, 0.0, 0.0), material)
    return Model('m', 'sdf', '1.12', '__root__', (Body('a', 'a', visuals=(shape,)),))


# ---- geometries

@pytest.mark.pins('geometry-replaced')
def test_capsule_is_a_cylinder_and_two_spheres() -> None:
    root, report = written(one_shape(Capsule(0.1, 0.4)))
    origins = [origin.attrib['xyz'] for origin in root.iter('origin')]
    assert origins == ['1.0 0.0 0.0', '1.0 0.0 0.2', '1.0 0.0 -0.2']
    assert [visual.attrib['name'] for visual in root.iter('visual')] == ['v_1', 'v_2', 'v_3']
    assert codes(report) == ['geometry-replaced']


@pytest.mark.parametrize(('geometry', 'tag', 'expected'), [
    (Sphere(0.5), 'sphere', {'radius': '0.5'}),
    (Box((1.0, 2.0, 3.0)), 'box', {'size': '1.0 2.0 3.0'}),
    (Ellipsoid((2.0, 2.0, 2.0)), 'sphere', {'radius': '2.0'}),
    (Ellipsoid((1.0, 2.0, 3.0)), 'box', {'size': '2.0 4.0 6.0'}),
    (Cone(1.0, 2.0), 'cylinder', {'radius': '1.0', 'length': '2.0'}),
    (Pyramid(1.0, 2.0, 3.0), 'box', {'size': '1.0 2.0 3.0'}),
    (Plane(Z, (2.0, 3.0)), 'box', {'size': '2.0 3.0 0.001'}),
    (MultiSphere(((0.1, Z),)), 'sphere', {'radius': '0.1'}),
    (Polyline((((0.0, 0.0), (2.0, 0.0), (2.0, 1.0)),), 0.5), 'box', {'size': '2.0 1.0 0.5'}),
])
def test_nearest_shape(geometry: Geometry, tag: str, expected: dict[str, str]) -> None:
    root, _ = written(one_shape(geometry))
    assert attributes(root, f'link/visual/geometry/{tag}') == expected


def test_a_plane_without_a_size_does_not_fill_the_view_but_is_hit_everywhere() -> None:
    model = one_shape(Plane(Z))
    [body] = model.bodies
    root, _ = written(model._replace(bodies=(body._replace(collisions=body.visuals),)))
    assert attributes(root, 'link/visual/geometry/box')['size'] == '4.0 4.0 0.001'
    assert attributes(root, 'link/collision/geometry/box')['size'] == '100.0 100.0 0.001'
    root, _ = written(one_shape(Plane((0.0, 0.0, -1.0), (1.0, 1.0), 2.0)))
    assert attributes(root, 'link/visual/origin')['xyz'] == '1.0 0.0 -1.9995'


@pytest.mark.pins('geometry-not-representable')
def test_terrain_is_left_out() -> None:
    root, report = written(one_shape(Heightmap('h.png', (1.0, 1.0, 1.0))))
    assert root.find('link/visual') is None
    assert codes(report) == ['geometry-not-representable']
    assert not written(one_shape(Empty()))[1].diagnostics


@pytest.mark.parametrize(('geometry', 'size'), [
    (Cone(1.0, 3.0), [2.0, 2.0, 3.0]), (Ellipsoid((1.0, 2.0, 3.0)), [2.0, 4.0, 6.0]),
    (Pyramid(1.0, 2.0, 3.0), [1.0, 2.0, 3.0])])
def test_meshes_are_generated(
    geometry: Geometry, size: list[float], tmp_path: Path,
) -> None:
    directory = tmp_path / 'meshes'
    root, _ = written(
        one_shape(geometry), mesh_directory=str(directory), relative_to=str(tmp_path))
    mesh = attributes(root, 'link/visual/geometry/mesh')
    data = (tmp_path / mesh['filename']).read_bytes()
    assert len(data) == 84 + 50 * struct.unpack_from('<I', data, 80)[0]
    assert volume(data) > 0.0, 'the faces must look outwards'
    scale = [float(number) for number in mesh['scale'].split()]
    assert [2.0 * half * factor for half, factor in zip(extents(data), scale)] == size


SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
HOLE = ((1.0, 1.0), (1.0, 3.0), (3.0, 3.0), (3.0, 1.0))
ISLAND = ((1.5, 1.5), (2.5, 1.5), (2.0, 2.5))


@pytest.mark.parametrize(('lines', 'area'), [
    ((SQUARE,), 16.0), ((SQUARE[::-1],), 16.0), ((SQUARE, HOLE), 12.0),
    ((SQUARE, HOLE, ISLAND), 12.5), ((ISLAND + ISLAND[:1],), 0.5),
    ((((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (1.0, 0.5), (0.0, 2.0)),), 2.5),
])
def test_a_polyline_is_swept_up(lines: Any, area: float, tmp_path: Path) -> None:
    written(one_shape(Polyline(lines, 0.5)), mesh_directory=str(tmp_path))
    data = next(tmp_path.glob('polyline_*.stl')).read_bytes()
    assert volume(data) / 6.0 == pytest.approx(0.5 * area)


def circle(points: int, radius: float = 1.0) -> tuple[tuple[float, float], ...]:
    return tuple(
        (radius * math.cos(math.tau * n / points), radius * math.sin(math.tau * n / points))
        for n in range(points))


@pytest.mark.parametrize('lines', [
    (circle(60_000),),
    (tuple((math.cos(7.0 * n * n), math.sin(11.0 * n * n * n)) for n in range(3000)),)],
    ids=['many points', 'crossings'])
def test_a_polyline_that_is_too_complex_is_a_box(lines: Any, tmp_path: Path) -> None:
    root, _ = written(one_shape(Polyline(lines, 1.0)), mesh_directory=str(tmp_path))
    assert root.find('link/visual/geometry/box') is not None
    assert not [*tmp_path.iterdir()]


def test_equal_polylines_share_a_mesh_and_all_have_a_total(tmp_path: Path) -> None:
    model = one_shape(Polyline((circle(20_000),), 1.0))
    body = model.bodies[0]
    shapes = [
        body.visuals[0]._replace(geometry=Polyline((circle(20_000, radius),), 1.0))
        for radius in (1.0, 1.0, 2.0, 3.0, 1.0)]
    root, _ = written(
        model._replace(bodies=(body._replace(visuals=tuple(shapes)),)),
        mesh_directory=str(tmp_path))
    kinds = [geometry[0].tag for geometry in root.findall('link/visual/geometry')]
    assert kinds == ['mesh', 'mesh', 'mesh', 'mesh', 'box']  # the largest come first
    assert len([*tmp_path.iterdir()]) == 2


def corners(data: bytes) -> Any:
    """Return the corners of the facets of a binary STL file, (F, 3, 3)."""
    facet = np.dtype([('normal', '<3f4'), ('corners', '<(3,3)f4'), ('attribute', '<u2')])
    return np.frombuffer(data, facet, offset=84)['corners'].astype(float)


def volume(data: bytes) -> float:
    """Return six times the volume that outward faces enclose."""
    return float(np.linalg.det(corners(data)).sum())


def extents(data: bytes) -> list[float]:
    """Return how far the mesh goes from its middle along each axis."""
    return list(corners(data).max((0, 1)))


# ---- meshes and materials

def test_mesh_uris(tmp_path: Path) -> None:
    file = tmp_path / 'a b.stl'
    mesh = Mesh('a b.stl', str(file), (1.0, 1.0, 2.0), submesh='part')
    root, report = written(one_shape(mesh))
    assert attributes(root, 'link/visual/geometry/mesh') == {
        'filename': f'file://{tmp_path}/a%20b.stl', 'scale': '1.0 1.0 2.0'}
    assert codes(report) == ['geometry-replaced']
    resolver = Resolver(packages={'arm_description': str(tmp_path)})
    root, _ = written(one_shape(mesh), resolver=resolver)
    assert 'package://arm_description/a b.stl' in attributes(
        root, 'link/visual/geometry/mesh').values()
    root, _ = written(one_shape(mesh), relative_to=str(tmp_path / 'urdf'))
    assert '../a b.stl' in attributes(root, 'link/visual/geometry/mesh').values()
    for uri in ('https://example.com/a.stl', 'package://missing/a.stl'):
        root, _ = written(one_shape(Mesh(uri)))
        assert attributes(root, 'link/visual/geometry/mesh') == {'filename': uri}


def test_materials_have_one_definition_and_unique_names() -> None:
    red, green = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0)
    materials = (
        Material('', red), Material('paint', green), Material('paint', red), Material('', red),
        Material('only ambient', None, green))
    shapes = tuple(Shape('', Sphere(1.0), material=material) for material in materials)
    root, report = written(Model('m', 'sdf', '', '', (Body('a', 'a', visuals=shapes),)))
    assert {
        found.attrib['name']: attributes(found, 'color')['rgba']
        for found in root.findall('material')} == {
        'paint': '0.0 1.0 0.0 1.0', 'paint_2': '1.0 0.0 0.0 1.0',
        'material_1': '1.0 0.0 0.0 1.0', 'gray': '0.69 0.71 0.73 1.0'}
    assert [found.attrib['name'] for found in root.findall('link/visual/material')] == [
        'material_1', 'paint', 'paint_2', 'material_1', 'gray']
    assert {'name-changed', 'detail-not-representable'} <= set(codes(report))
