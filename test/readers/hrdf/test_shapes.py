# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What built-in components look like without HEBI's meshes: interfaces are exact."""

from __future__ import annotations

from itertools import product
import math

from hrdf_ros import load_model
from hrdf_ros.inertia import equal_box
from hrdf_ros.model import Body, Box, Cylinder, Shape
from hrdf_ros.pose import IDENTITY, inverse, Pose, transform, Vector
from hrdf_ros.readers.hrdf import catalog
import pytest

ROUND = 64


def body(element: str) -> Body:
    return load_model(f'<robot version="1.6.0">{element}</robot>').bodies[1]


def corners(shape: Shape) -> list[Vector]:
    """Return points on the outline of a box or cylinder, in the body."""
    if isinstance(shape.geometry, Box):
        x, y, z = (extent / 2 for extent in shape.geometry.size)
        points: list[Vector] = list(product((-x, x), (-y, y), (-z, z)))
    else:
        assert isinstance(shape.geometry, Cylinder)
        radius, end = shape.geometry.radius, shape.geometry.length / 2
        points = [
            (radius * math.cos(i * math.tau / ROUND), radius * math.sin(i * math.tau / ROUND), z)
            for i in range(ROUND) for z in (-end, end)]
    return [transform(shape.pose, point) for point in points]


def bounds(shapes: tuple[Shape, ...], frame: Pose = IDENTITY) -> list[tuple[float, float]]:
    """Return from where to where shapes reach along x, y, z of a frame of the body."""
    points = [transform(inverse(frame), point) for shape in shapes for point in corners(shape)]
    return [(min(values), max(values)) for values in zip(*points)]


@pytest.mark.parametrize('name', catalog.BRACKETS)
def test_the_flanges_of_a_bracket_lie_in_its_interfaces(name: str) -> None:
    part = body(f'<bracket type="{name}"/>')
    lower, upper = part.visuals[:2]
    assert bounds((lower,))[2][0] == pytest.approx(0.0, abs=1e-15)
    across = bounds((upper,), catalog.BRACKETS[name].output)
    assert across[2][1] == pytest.approx(0.0, abs=1e-12)
    assert sum(across[0]) == pytest.approx(0.0, abs=1e-12)
    assert bounds(part.visuals)[2][0] == pytest.approx(0.0, abs=1e-15)


def test_a_rigid_body_is_the_box_of_equal_inertia() -> None:
    element = body(
        '<rigid-body mass="6.2" com_trans="0.02 0 0.04" ixx="0.06" iyy="0.11" izz="0.15">'
        '<output trans="0.1 0 0"/><output trans="1 0 0"/></rigid-body>')
    box, strut = element.visuals
    assert element.inertia is not None
    assert (box.pose, box.geometry.size) == equal_box(element.inertia)
    assert strut.geometry.length == 1.0, 'an output within the box needs no strut'
    assert element.collisions == ()
