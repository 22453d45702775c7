# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What built-in components look like without HEBI's meshes: interfaces are exact."""

from __future__ import annotations

from itertools import product

from hrdf_ros import load_model
from hrdf_ros.inertia import equal_box
from hrdf_ros.model import Body, Shape
from hrdf_ros.pose import IDENTITY, inverse, Pose, transform
from hrdf_ros.readers.hrdf import catalog
import pytest


def body(element: str) -> Body:
    return load_model(f'<robot version="1.6.0">{element}</robot>').bodies[1]


def bounds(shape: Shape, frame: Pose = IDENTITY) -> list[tuple[float, float]]:
    """Return from where to where a box reaches along x, y, z of a frame of the body."""
    corners = product(*((-extent / 2, extent / 2) for extent in shape.geometry.size))
    points = [transform(inverse(frame), transform(shape.pose, corner)) for corner in corners]
    return [(min(values), max(values)) for values in zip(*points)]


@pytest.mark.parametrize('name', catalog.BRACKETS)
def test_the_flanges_of_a_bracket_lie_in_its_interfaces(name: str) -> None:
    lower, upper = body(f'<bracket type="{name}"/>').visuals[:2]
    assert bounds(lower)[2][0] == pytest.approx(0.0, abs=1e-15)
    across = bounds(upper, catalog.BRACKETS[name].output)
    assert (across[2][1], sum(across[0])) == pytest.approx((0.0, 0.0), abs=1e-12)


def test_a_rigid_body_is_the_box_of_equal_inertia() -> None:
    element = body(
        '<rigid-body mass="6.2" com_trans="0.02 0 0.04" ixx="0.06" iyy="0.11" izz="0.15">'
        '<output trans="0.1 0 0"/><output trans="1 0 0"/></rigid-body>')
    box, strut = element.visuals
    assert element.inertia is not None
    assert (box.pose, box.geometry.size) == equal_box(element.inertia)
    assert strut.geometry.length == 1.0, 'an output within the box needs no strut'
    assert element.collisions == ()
