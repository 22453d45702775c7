# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Surfaces of primitives: closed, facing outwards, of the right size."""

from math import pi

from hrdf_ros.meshes import surface, Triangles
from hrdf_ros.model import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Empty,
    Geometry,
    MultiSphere,
    Plane,
    Polyline,
    Pyramid,
    Sphere,
)
import numpy as np
import pytest

pytest.importorskip('trimesh', reason='meshes require trimesh')

SQUARE = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))


def volume(triangles: Triangles) -> float:
    """Return the volume inside, which is negative where faces look inwards."""
    a, b, c = np.moveaxis(triangles.vertices.astype(float)[triangles.faces], 1, 0)
    return float(np.einsum('ij,ij->', a, np.cross(b, c))) / 6.0


@pytest.mark.parametrize(('geometry', 'expected'), [
    (Box((1.0, 2.0, 3.0)), 6.0),
    (Sphere(0.5), 4.0 / 3.0 * pi * 0.5 ** 3),
    (Cylinder(0.5, 2.0), pi * 0.25 * 2.0),
    (Capsule(0.5, 2.0), pi * 0.25 * 2.0 + 4.0 / 3.0 * pi * 0.125),
    (Cone(0.5, 3.0), pi * 0.25),
    (Ellipsoid((1.0, 2.0, 3.0)), 8.0 * pi),
    (Pyramid(1.0, 2.0, 3.0), 2.0),
    (MultiSphere(((0.5, (0.0, 0.0, 0.0)), (0.5, (3.0, 0.0, 0.0)))), 8.0 / 3.0 * pi * 0.125),
    (Polyline((SQUARE,), 0.5), 2.0),
])
def test_the_surface_is_closed_and_faces_outwards(geometry: Geometry, expected: float) -> None:
    assert volume(surface(geometry)) == pytest.approx(expected, rel=0.03)


def test_a_cone_has_its_tip_above() -> None:
    vertices = surface(Cone(0.5, 3.0)).vertices
    assert np.hypot(*vertices[vertices[:, 2] > 1.4][:, :2].T).max() == pytest.approx(0.0)
    assert np.hypot(*vertices[vertices[:, 2] < -1.4][:, :2].T).max() == pytest.approx(0.5)


def test_a_plane_lies_across_its_normal() -> None:
    plane = surface(Plane((0.0, 3.0, 4.0), (2.0, 6.0), offset=5.0))
    assert plane.vertices @ (0.0, 0.6, 0.8) == pytest.approx([5.0] * 4)
    corners = plane.vertices[plane.faces[0]]
    assert np.cross(corners[1] - corners[0], corners[2] - corners[0]) == pytest.approx(
        np.array([0.0, 0.6, 0.8]) * 12.0, rel=1e-5)


def test_nothing_is_drawn_of_nothing() -> None:
    assert surface(Empty()).faces.shape == (0, 3)
