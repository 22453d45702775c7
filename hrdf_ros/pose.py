# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rigid transforms of single frames in plain Python floats.

A pose ``a_from_b`` maps coordinates in frame b to coordinates in frame a: it is the pose of b
seen from a. Lengths are meters, angles radians, quaternions unit and in the order x, y, z, w.
"""

from collections.abc import Sequence
import math
from typing import NamedTuple, Optional

Vector = tuple[float, float, float]
Matrix3 = tuple[float, float, float, float, float, float, float, float, float]

X_AXIS: Vector = (1.0, 0.0, 0.0)
Y_AXIS: Vector = (0.0, 1.0, 0.0)
Z_AXIS: Vector = (0.0, 0.0, 1.0)
AXES = (X_AXIS, Y_AXIS, Z_AXIS)
_DENORMAL = 1e-300
"""The length below which a number has too few digits left to divide by it."""
_HUGE = 2.0 ** 500
"""A power of 2, by which such short vectors are scaled without rounding."""
_ROUNDING = 1e-9
"""The distance (m), or half an angle (rad), between frames that counts as rounding."""
_RIGID = 1e-6
"""The largest deviation of a matrix from a rigid transform, since files have a few digits."""


class Pose(NamedTuple):
    """A rigid transform: translation (meters) and unit quaternion."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    qx: float = 0.0
    qy: float = 0.0
    qz: float = 0.0
    qw: float = 1.0

    @property
    def position(self) -> Vector:
        """The translation in meters."""
        return self[0], self[1], self[2]

    @property
    def orientation(self) -> tuple[float, float, float, float]:
        """The quaternion x, y, z, w with w >= 0."""
        _, _, _, x, y, z, w = self
        return (x, y, z, w) if w >= 0.0 else (-x, -y, -z, -w)


IDENTITY = Pose()


def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def opposite(vector: Vector) -> Vector:
    """Return the vector that points the other way."""
    x, y, z = vector
    return -x, -y, -z


def normalized(vector: Vector) -> Optional[Vector]:
    """Return the vector with length 1, None for one of length zero."""
    x, y, z = vector
    norm = math.hypot(x, y, z)
    if 0.0 < norm < _DENORMAL:  # too few digits to divide by
        return normalized((x * _HUGE, y * _HUGE, z * _HUGE))
    return (x / norm, y / norm, z / norm) if norm > 0.0 else None


def compose(a_from_b: Pose, b_from_c: Pose) -> Pose:
    """Return ``a_from_c``."""
    if b_from_c is IDENTITY:
        return a_from_b
    if a_from_b is IDENTITY:
        return b_from_c
    ax, ay, az, i, j, k, w = a_from_b
    bx, by, bz, bi, bj, bk, bw = b_from_c
    if i == 0.0 and j == 0.0 and k == 0.0:
        return Pose(ax + bx, ay + by, az + bz, bi, bj, bk, bw)
    tx = 2.0 * (j * bz - k * by)
    ty = 2.0 * (k * bx - i * bz)
    tz = 2.0 * (i * by - j * bx)
    return Pose(
        ax + bx + w * tx + j * tz - k * ty,
        ay + by + w * ty + k * tx - i * tz,
        az + bz + w * tz + i * ty - j * tx,
        w * bi + i * bw + j * bk - k * bj,
        w * bj + j * bw + k * bi - i * bk,
        w * bk + k * bw + i * bj - j * bi,
        w * bw - i * bi - j * bj - k * bk,
    )


def inverse(a_from_b: Pose) -> Pose:
    """Return ``b_from_a``."""
    if a_from_b is IDENTITY:
        return a_from_b
    x, y, z, i, j, k, w = a_from_b
    x, y, z = _turned(-i, -j, -k, w, -x, -y, -z)
    return Pose(x, y, z, -i, -j, -k, w)


def relative(a_from_b: Pose, a_from_c: Pose) -> Pose:
    """Return ``b_from_c`` for two poses seen from the same frame."""
    if a_from_b is IDENTITY:
        return a_from_c
    if a_from_c is IDENTITY:
        return inverse(a_from_b)
    bx, by, bz, i, j, k, w = a_from_b
    cx, cy, cz, ci, cj, ck, cw = a_from_c
    x, y, z = _turned(-i, -j, -k, w, cx - bx, cy - by, cz - bz)
    return Pose(
        x, y, z,
        w * ci - i * cw - j * ck + k * cj,
        w * cj - j * cw - k * ci + i * ck,
        w * ck - k * cw - i * cj + j * ci,
        w * cw + i * ci + j * cj + k * ck,
    )


def coincide(a_from_b: Pose, a_from_c: Pose) -> bool:
    """Return whether frames b and c are the same up to rounding (1e-9 m, 2e-9 rad)."""
    apart = relative(a_from_b, a_from_c)
    return math.hypot(*apart.position, apart.qx, apart.qy, apart.qz) <= _ROUNDING


def rotate(a_from_b: Pose, vector: Vector) -> Vector:
    """Return a free vector given in b as seen in a: only the rotation acts."""
    _, _, _, i, j, k, w = a_from_b
    return _turned(i, j, k, w, *vector)


def _turned(
    i: float, j: float, k: float, w: float, x: float, y: float, z: float,
) -> Vector:
    """Return a vector x, y, z turned by a quaternion i, j, k, w."""
    tx = 2.0 * (j * z - k * y)
    ty = 2.0 * (k * x - i * z)
    tz = 2.0 * (i * y - j * x)
    return (
        x + w * tx + j * tz - k * ty,
        y + w * ty + k * tx - i * tz,
        z + w * tz + i * ty - j * tx,
    )


def transform(a_from_b: Pose, point: Vector) -> Vector:
    """Return a point given in b as seen in a."""
    x, y, z = rotate(a_from_b, point)
    return a_from_b[0] + x, a_from_b[1] + y, a_from_b[2] + z


def translation(x: float, y: float, z: float) -> Pose:
    """Return the pose that only translates, in meters."""
    return Pose(x, y, z, 0.0, 0.0, 0.0, 1.0)


def from_quaternion(position: Sequence[float], quaternion: Sequence[float]) -> Pose:
    """Return the pose with a quaternion x, y, z, w of any length but zero, which is normalized."""
    x, y, z = position
    i, j, k, w = quaternion
    norm = math.hypot(i, j, k, w)
    if 0.0 < norm < _DENORMAL:
        return from_quaternion(position, [part * _HUGE for part in quaternion])
    if norm == 0.0 or not math.isfinite(norm):
        raise ValueError('a quaternion must be finite and not zero')
    return Pose(x, y, z, i / norm, j / norm, k / norm, w / norm)


def from_axis_angle(axis: Vector, angle: float) -> Pose:
    """Return the rotation by ``angle`` radians about a unit axis."""
    sine = math.sin(angle / 2.0)
    return Pose(
        0.0, 0.0, 0.0, axis[0] * sine, axis[1] * sine, axis[2] * sine, math.cos(angle / 2.0))


def z_to(direction: Vector) -> Pose:
    """Return the shortest rotation of z to a unit vector; to -z it is half a turn about x."""
    axis = cross(Z_AXIS, direction)
    sine = math.hypot(*axis)
    if sine < 1e-10:
        return from_axis_angle(X_AXIS, 0.0 if direction[2] > 0.0 else math.pi)
    x, y, z = axis
    return from_axis_angle((x / sine, y / sine, z / sine), math.atan2(sine, direction[2]))


def from_rpy(position: Sequence[float], rpy: Sequence[float]) -> Pose:
    """Return the pose with ``R = Rz(yaw) Ry(pitch) Rx(roll)`` (URDF and SDFormat)."""
    x, y, z = position
    roll, pitch, yaw = rpy
    if roll == 0.0 and pitch == 0.0 and yaw == 0.0:
        return Pose(x, y, z, 0.0, 0.0, 0.0, 1.0)
    sr, cr = math.sin(roll / 2.0), math.cos(roll / 2.0)
    sp, cp = math.sin(pitch / 2.0), math.cos(pitch / 2.0)
    sy, cy = math.sin(yaw / 2.0), math.cos(yaw / 2.0)
    return Pose(
        x, y, z,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    )


def from_matrix(position: Sequence[float], m: Sequence[float]) -> Pose:
    """Return the pose with a rotation matrix (row-major, 9 numbers, orthonormal)."""
    trace = m[0] + m[4] + m[8]
    if trace > 0.0:
        q = (m[7] - m[5], m[2] - m[6], m[3] - m[1], 1.0 + trace)
    elif m[0] >= m[4] and m[0] >= m[8]:
        q = (1.0 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6], m[7] - m[5])
    elif m[4] >= m[8]:
        q = (m[1] + m[3], 1.0 + m[4] - m[0] - m[8], m[5] + m[7], m[2] - m[6])
    else:
        q = (m[2] + m[6], m[5] + m[7], 1.0 + m[8] - m[0] - m[4], m[3] - m[1])
    return from_quaternion(position, q)


def from_homogeneous(matrix: Sequence[Sequence[float]]) -> Pose:
    """
    Return the pose of a homogeneous 4x4 matrix, such as a numpy array.

    A ValueError says why a matrix is not a rigid transform: it has another shape, a number that is
    not finite, a rotation R with ``|R'R - I|`` beyond 1e-6 or the determinant -1, or a last row
    other than 0 0 0 1.
    """
    try:
        rows = [[float(number) for number in row] for row in matrix]
    except OverflowError:
        raise ValueError('the matrix has a number beyond the largest, so it is no pose') from None
    if [len(row) for row in rows] != [4, 4, 4, 4]:
        raise ValueError('a pose is a 4x4 matrix')
    if not all(math.isfinite(number) for row in rows for number in row):
        raise ValueError('the matrix has a number that is not finite, so it is no pose')
    if any(abs(a - b) > _RIGID for a, b in zip(rows[3], (0.0, 0.0, 0.0, 1.0))):
        raise ValueError('the last row of a pose is 0 0 0 1; is the matrix transposed?')
    x, y, z = ((row[0], row[1], row[2]) for row in rows[:3])
    products = (dot(x, x) - 1.0, dot(y, y) - 1.0, dot(z, z) - 1.0, dot(x, y), dot(x, z), dot(y, z))
    if max(map(abs, products)) > _RIGID:
        raise ValueError('the rotation of the matrix is not orthonormal, so it is no pose')
    if dot(cross(x, y), z) < 0.0:
        raise ValueError('the matrix mirrors: its determinant is -1, so it is no pose')
    return from_matrix([row[3] for row in rows[:3]], [*x, *y, *z])


def to_matrix(pose: Pose) -> Matrix3:
    """Return the rotation matrix, row-major."""
    _, _, _, x, y, z, w = pose
    return (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w),
        2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w),
        2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y),
    )


def to_rpy(pose: Pose) -> Vector:
    """
    Return roll, pitch, yaw with ``R = Rz(yaw) Ry(pitch) Rx(roll)``, exact at pitch +-90 degrees.

    Half-angle sums keep full precision where asin would lose half of the digits.
    """
    _, _, _, x, y, z, w = pose
    if x == y == z == 0.0 and w > 0.0:
        return 0.0, 0.0, 0.0
    plus = math.hypot(w + y, x - z)
    minus = math.hypot(w - y, x + z)
    pitch = 2.0 * math.atan2(plus, minus) - math.pi / 2.0
    total = math.atan2(x + z, w - y) if minus > 1e-14 else 0.0
    difference = math.atan2(x - z, w + y) if plus > 1e-14 else 0.0
    if minus <= 1e-14:
        total = -difference
    elif plus <= 1e-14:
        difference = -total
    return _wrap(total + difference), pitch, _wrap(total - difference)


def _wrap(angle: float) -> float:
    """Return the same angle in -pi .. pi."""
    if angle > math.pi:
        return angle - 2.0 * math.pi
    if angle < -math.pi:
        return angle + 2.0 * math.pi
    return angle


def rotation_vector(pose: Pose) -> Vector:
    """Return the axis of a rotation times its angle in radians, the angle in 0 .. pi."""
    x, y, z, w = pose.orientation
    sine = math.hypot(x, y, z)
    scale = 2.0 * math.atan2(sine, w) / sine if sine > 0.0 else 0.0
    return scale * x, scale * y, scale * z
