# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rigid transforms in plain floats."""

from math import cos, hypot, inf, nan, pi, sin

from hrdf_ros import pose
from hrdf_ros.pose import IDENTITY, Pose
from hypothesis import example, given, strategies
import pytest

LENGTHS = strategies.floats(-100.0, 100.0)
ANGLES = strategies.floats(-10.0, 10.0)
VECTORS = strategies.tuples(LENGTHS, LENGTHS, LENGTHS)
RPYS = strategies.tuples(ANGLES, ANGLES, ANGLES)
UPRIGHT = strategies.tuples(
    ANGLES, strategies.sampled_from([pi / 2, -pi / 2]).flatmap(
        lambda pitch: strategies.floats(-1e-6, 1e-6).map(lambda shift: pitch + shift)), ANGLES)
POSES = strategies.builds(pose.from_rpy, VECTORS, RPYS)


def close(a: Pose, b: Pose, tolerance: float = 1e-12) -> bool:
    """Return whether two poses are equal; a quaternion and its negative are the same rotation."""
    reach = 1.0 + hypot(*a.position)
    moved = max(abs(x - y) for x, y in zip(a.position, b.position)) / reach
    turned = min(
        max(abs(x - sign * y) for x, y in zip(a[3:], b[3:])) for sign in (1.0, -1.0))
    return moved < tolerance and turned < tolerance


def matrix_of(rpy: tuple[float, float, float]) -> list[list[float]]:
    """Return ``Rz(yaw) Ry(pitch) Rx(roll)``, multiplied out from the three matrices."""
    (sr, sp, sy), (cr, cp, cy) = map(sin, rpy), map(cos, rpy)
    x = [[1.0, 0.0, 0.0], [0.0, cr, -sr], [0.0, sr, cr]]
    y = [[cp, 0.0, sp], [0.0, 1.0, 0.0], [-sp, 0.0, cp]]
    z = [[cy, -sy, 0.0], [sy, cy, 0.0], [0.0, 0.0, 1.0]]
    return times(z, times(y, x))


def times(a: list[list[float]], b: list[list[float]]) -> list[list[float]]:
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


@given(RPYS)
def test_rpy_is_yaw_after_pitch_after_roll(rpy: tuple[float, float, float]) -> None:
    expected = [value for row in matrix_of(rpy) for value in row]
    assert pose.to_matrix(pose.from_rpy((0, 0, 0), rpy)) == pytest.approx(expected, abs=1e-14)


@given(RPYS)
@example((0.0, pi / 2, 0.0))
@example((0.3, -pi / 2, 0.4))
@example((pi, 0.0, pi))
def test_rpy_and_back(rpy: tuple[float, float, float]) -> None:
    turned = pose.from_rpy((0, 0, 0), rpy)
    roll, pitch, yaw = pose.to_rpy(turned)
    assert abs(roll) <= pi and abs(pitch) <= pi / 2 + 1e-15 and abs(yaw) <= pi
    assert close(pose.from_rpy((0, 0, 0), (roll, pitch, yaw)), turned, 1e-14)


@given(UPRIGHT)
def test_rpy_keeps_its_digits_beside_ninety_degrees(rpy: tuple[float, float, float]) -> None:
    turned = pose.from_rpy((0, 0, 0), rpy)
    assert close(pose.from_rpy((0, 0, 0), pose.to_rpy(turned)), turned, 1e-14)


@given(POSES)
def test_matrix_and_back(a: Pose) -> None:
    assert close(pose.from_matrix(a.position, pose.to_matrix(a)), a, 1e-9)


@given(POSES, POSES)
def test_composition_is_the_product_of_matrices(a: Pose, b: Pose) -> None:
    rows = [[list(pose.to_matrix(p)[i:i + 3]) for i in (0, 3, 6)] for p in (a, b)]
    product = pose.to_matrix(pose.compose(a, b))
    expected = [value for row in times(rows[0], rows[1]) for value in row]
    assert product == pytest.approx(expected, abs=1e-12)


@given(POSES)
def test_a_pose_and_its_inverse_cancel(a: Pose) -> None:
    assert close(pose.compose(a, pose.inverse(a)), IDENTITY, 1e-11)
    assert close(pose.compose(pose.inverse(a), a), IDENTITY, 1e-11)


@given(POSES, POSES)
def test_relative_leads_from_one_to_the_other(a: Pose, b: Pose) -> None:
    assert close(pose.compose(a, pose.relative(a, b)), b, 1e-10)


@given(POSES, POSES, VECTORS)
def test_points_go_with_poses(a: Pose, b: Pose, point: pose.Vector) -> None:
    expected = pose.transform(a, pose.transform(b, point))
    assert pose.transform(pose.compose(a, b), point) == pytest.approx(expected, abs=1e-9)
    placed = pose.compose(a, pose.translation(*point))
    assert placed.position == pytest.approx(pose.transform(a, point), abs=1e-9)


@pytest.mark.parametrize('quaternion', [
    (0.0, 0.0, 0.0, 0.0), (nan, 0.0, 0.0, 1.0), (inf, 0.0, 0.0, 1.0), (1e308,) * 4])
def test_matrices_that_are_not_rotations_are_refused(quaternion: tuple[float, ...]) -> None:
    with pytest.raises(ValueError):
        pose.from_quaternion((0, 0, 0), quaternion)


def test_vectors() -> None:
    x, y, z = pose.AXES
    assert [pose.cross(x, y), pose.cross(y, z), pose.cross(z, x)] == [z, x, y]
    assert pose.dot((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)) == 32.0
    assert pose.opposite((1.0, -2.0, 3.0)) == (-1.0, 2.0, -3.0)
    assert pose.normalized((0.0, 3.0, 4.0)) == (0.0, 0.6, 0.8)
    assert pose.normalized((0.0, 0.0, 0.0)) is None


def test_denormal_axes_and_quaternions_keep_their_direction() -> None:
    assert pose.normalized((5e-324, 5e-324, 0.0)) == pytest.approx((0.5 ** 0.5, 0.5 ** 0.5, 0.0))
    assert pose.from_quaternion((0.0, 0.0, 0.0), (0.0, 0.0, 5e-324, 5e-324)).qz == pytest.approx(
        0.5 ** 0.5)


def test_axis_and_angle_are_right_handed() -> None:
    quarter = pose.from_axis_angle((0.0, 0.0, 1.0), pi / 2)
    assert pose.rotate(quarter, (1.0, 0.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0))


@pytest.mark.parametrize('axis', [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
@pytest.mark.parametrize('angle', [pi, -pi, pi - 1e-9, 2.5, 1e-9])
def test_half_turns_survive_matrices(axis: pose.Vector, angle: float) -> None:
    turned = pose.from_axis_angle(axis, angle)
    assert close(pose.from_matrix((0, 0, 0), pose.to_matrix(turned)), turned, 1e-12)


@given(POSES)
def test_the_identity_changes_nothing(a: Pose) -> None:
    assert pose.compose(a, IDENTITY) == a == pose.compose(IDENTITY, a)
    assert close(pose.compose(a, Pose()), a)
    assert close(pose.compose(Pose(), a), a)
    assert pose.inverse(IDENTITY) == IDENTITY


@given(RPYS)
def test_the_quaternion_shown_has_w_not_negative(rpy: tuple[float, float, float]) -> None:
    turned = pose.from_rpy((0, 0, 0), rpy)
    assert turned.orientation[3] >= 0.0
    assert close(Pose(0.0, 0.0, 0.0, *turned.orientation), turned)
