# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Spatial inertia beside numpy: turned, shifted, combined, and whether a body can have it."""

from __future__ import annotations

from collections.abc import Callable
import math

from hrdf_ros.inertia import (
    box,
    capsule,
    combine,
    cylinder,
    ellipsoid,
    equal_box,
    from_tensor,
    Inertia,
    is_physical,
    is_plausible,
    rotate_tensor,
    scale,
    shift_tensor,
    Solid,
    sphere,
    Tensor,
)
from hrdf_ros.pose import from_axis_angle, from_rpy, IDENTITY, Pose, to_matrix, translation
from hypothesis import given, strategies
import numpy as np
import pytest

TENSOR: Tensor = (3.0, 4.0, 5.0, 0.1, -0.2, 0.3)
MOMENTS = strategies.floats(-10.0, 10.0)


def matrix(tensor: Tensor) -> np.ndarray:
    xx, yy, zz, xy, xz, yz = tensor
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def rotation(pose: Pose) -> np.ndarray:
    return np.array(to_matrix(pose)).reshape(3, 3)


@given(strategies.tuples(*[MOMENTS] * 6), strategies.tuples(*[MOMENTS] * 3))
def test_a_tensor_turns_as_a_matrix(tensor: Tensor, rpy: tuple[float, float, float]) -> None:
    pose = from_rpy((1.0, 2.0, 3.0), rpy)
    expected = rotation(pose) @ matrix(tensor) @ rotation(pose).T
    assert matrix(rotate_tensor(pose, tensor)) == pytest.approx(expected, abs=1e-12)


def test_the_parallel_axis_theorem() -> None:
    offset = np.array([0.5, -0.25, 2.0])
    steiner = 3.0 * (offset @ offset * np.eye(3) - np.outer(offset, offset))
    shifted = shift_tensor(TENSOR, 3.0, (0.5, -0.25, 2.0))
    assert matrix(shifted) == pytest.approx(matrix(TENSOR) + steiner, abs=1e-12)


def test_scaling_keeps_the_distribution() -> None:
    scaled = scale(from_tensor(2.0, IDENTITY, TENSOR), 1.0)
    assert scaled == from_tensor(
        1.0, IDENTITY, tuple(moment / 2.0 for moment in TENSOR))  # type: ignore[arg-type]


@pytest.mark.parametrize(('tensor', 'expected'), [
    ((1.0, 1.0, 1.0, 0.0, 0.0, 0.0), True),
    ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), True),
    ((1.0, 1.0, 2.0, 0.0, 0.0, 0.0), True),
    ((1.0, 1.0, 2.1, 0.0, 0.0, 0.0), False),
    ((-1.0, 1.0, 1.0, 0.0, 0.0, 0.0), False),
    ((1.0, 1.0, 1.0, 0.9, 0.0, 0.0), False),
    ((1.0, 1.0, 1.0, 0.3, 0.0, 0.0), True)])
def test_what_a_body_can_have(tensor: Tensor, expected: bool) -> None:
    inertia = from_tensor(1.0, IDENTITY, tensor)
    assert is_physical(inertia) == expected
    assert is_plausible(inertia, 1e-3) == expected
    assert not is_physical(inertia._replace(mass=-1.0))


def test_a_rounded_tensor_is_plausible_but_not_physical() -> None:
    rounded = from_tensor(1.0, IDENTITY, (1.0, 1.0, 2.001, 0.0, 0.0, 0.0))
    assert is_plausible(rounded, 1e-3) and not is_physical(rounded)


def test_the_box_of_equal_inertia_is_found_however_it_is_turned() -> None:
    size = (0.4, 0.1, 0.7)
    x, y, z = (3.0 / 12.0 * extent * extent for extent in size)
    for axis, angle in (((1.0, 0.0, 0.0), 0.0), ((0.0, 1.0, 0.0), 0.7), ((0.6, 0.0, 0.8), 2.0)):
        turned = from_axis_angle(axis, angle)
        tensor = rotate_tensor(turned, (y + z, x + z, x + y, 0.0, 0.0, 0.0))
        found = equal_box(from_tensor(3.0, translation(1.0, 2.0, 3.0), tensor))
        assert found is not None
        pose, extents = found
        assert pose.position == (1.0, 2.0, 3.0)
        assert sorted(extents) == pytest.approx(sorted(size))
        x2, y2, z2 = (3.0 / 12.0 * extent * extent for extent in extents)
        assert rotate_tensor(pose, (y2 + z2, x2 + z2, x2 + y2, 0.0, 0.0, 0.0)) == (
            pytest.approx(tensor, abs=1e-12))


@pytest.mark.parametrize('inertia', [
    Inertia(0.0, ixx=1.0, iyy=1.0, izz=1.0), Inertia(1.0), Inertia(1.0, ixx=5.0, iyy=1.0, izz=1.0),
    Inertia(1.0, ixx=math.inf, iyy=1.0, izz=1.0), Inertia(math.nan, ixx=1.0, iyy=1.0, izz=1.0)])
def test_an_impossible_inertia_has_no_box(inertia: Inertia) -> None:
    assert equal_box(inertia) is None


@pytest.mark.parametrize('size', [1e-160, 1e-108, 1e-320, 5e-324])
def test_moments_near_zero_are_no_error(size: float) -> None:
    tilted = Inertia(size, ixx=size, iyy=size, izz=size, ixy=0.3 * size, ixz=0.1 * size)
    assert isinstance(is_physical(tilted), bool)
    assert not is_physical(tilted._replace(ixx=-1.0))


def test_two_halves_of_a_rod_are_the_rod() -> None:
    half = Inertia(1.0, translation(0.5, 0.0, 0.0), 0.0, 1.0 / 12.0, 1.0 / 12.0)
    other = half._replace(pose=from_rpy((-0.5, 0.0, 0.0), (0.0, 0.0, np.pi)))
    rod = combine([half, other])
    assert (rod.mass, rod.pose) == (2.0, IDENTITY)
    assert rod.tensor == pytest.approx((0.0, 8.0 / 12.0, 8.0 / 12.0, 0.0, 0.0, 0.0), abs=1e-15)


GRID = np.stack(np.meshgrid(*[(np.arange(120) + 0.5) / 60.0 - 1.0] * 3), axis=-1).reshape(-1, 3)
"""The middles of the cells of a cube from -1 to 1."""


@pytest.mark.parametrize(('solid', 'is_inside'), [
    (box(1.2, 0.8, 1.9), lambda x, y, z: (abs(x) < 0.6) & (abs(y) < 0.4) & (abs(z) < 0.95)),
    (sphere(0.9), lambda x, y, z: x * x + y * y + z * z < 0.81),
    (ellipsoid(0.9, 0.5, 0.7), lambda x, y, z: (x / 0.9)**2 + (y / 0.5)**2 + (z / 0.7)**2 < 1.0),
    (cylinder(0.6, 1.8), lambda x, y, z: (x * x + y * y < 0.36) & (abs(z) < 0.9)),
    (capsule(0.4, 1.0), lambda x, y, z: x * x + y * y + np.maximum(
        abs(z) - 0.5, 0.0)**2 < 0.16),
], ids=['box', 'sphere', 'ellipsoid', 'cylinder', 'capsule'])
def test_a_solid_is_the_sum_of_its_cells(
    solid: Solid, is_inside: Callable[..., np.ndarray],
) -> None:
    cells = GRID[is_inside(*GRID.T)]
    xx, yy, zz = (cells ** 2).mean(0)
    assert solid.volume == pytest.approx(8.0 * len(cells) / len(GRID), rel=0.01)
    assert solid.moments == pytest.approx((yy + zz, xx + zz, xx + yy), rel=0.01)


def test_a_solid_with_a_mass() -> None:
    pose = translation(1.0, 2.0, 3.0)
    assert box(1.0, 2.0, 3.0).with_mass(12.0, pose) == Inertia(12.0, pose, 13.0, 10.0, 5.0)
    assert capsule(0.0, 0.0).volume == 0.0
