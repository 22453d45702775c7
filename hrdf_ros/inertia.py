# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Spatial inertia of rigid bodies: compute it for solids, rotate it, add it, and judge it.

Masses are kilograms, lengths meters, tensors kg m^2 about the center of mass.
"""

from collections.abc import Sequence
import math
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Locatable
from hrdf_ros.pose import compose, from_axis_angle, IDENTITY, Pose, to_matrix, Vector

Tensor = tuple[float, float, float, float, float, float]
"""A symmetric 3x3 tensor: xx, yy, zz, xy, xz, yz."""

MUJOCO_LEAST = 1e-15
"""The least mass (kg), moment of inertia (kg m^2) or area (m^2) in MuJoCo (``mjMINVAL``)."""
_NO_TENSOR: Tensor = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_ROUNDING = 10.0 * 2.220446049250313e-16
"""The relative rounding that gz-math allows: ten times the epsilon of a double."""
_DIAGONAL = 1e-6
"""The products of inertia that gz-math takes for zero, as a share of the largest moment."""
_MICROMETER = 1e-6
"""The size in meters of a body whose tensor counts as zero."""
_PAIRS = ((0, 1), (0, 2), (1, 2))
"""The axes of the three products of inertia."""
_SWEEPS = 30
"""The most sweeps of Jacobi's method, which converges in a few."""
_SQUARED_MOMENTS = 1e200
"""The squared moments (kg^2 m^4) beyond which the closed form overflows."""


class Inertia(NamedTuple):
    """
    Mass (kg), center of mass and inertia tensor (kg m^2).

    ``pose`` is body_from_inertial: its origin is the center of mass, and the tensor is about it
    in the inertial frame's axes.
    """

    mass: float
    pose: Pose = IDENTITY
    ixx: float = 0.0
    iyy: float = 0.0
    izz: float = 0.0
    ixy: float = 0.0
    ixz: float = 0.0
    iyz: float = 0.0
    location: Optional[Locatable] = None

    @property
    def tensor(self) -> Tensor:
        """The tensor in the inertial frame's axes."""
        return self[2:8]

    @property
    def is_zero(self) -> bool:
        """Whether the tensor is zero, like that of a point or of a body without mass."""
        return self[2:8] == _NO_TENSOR


def from_tensor(
    mass: float, pose: Pose, tensor: Tensor, location: Optional[Locatable] = None,
) -> Inertia:
    """Return the inertia with a tensor about the origin of ``pose``, in its axes."""
    return Inertia(mass, pose, *tensor, location)


def rotate_tensor(a_from_b: Pose, tensor: Tensor) -> Tensor:
    """Return ``R I R^T``, the tensor in the axes of a for one given in the axes of b."""
    if a_from_b[3:] == (0.0, 0.0, 0.0, 1.0):
        return tensor
    xx, yy, zz, xy, xz, yz = tensor
    r = to_matrix(a_from_b)
    rows = (r[0:3], r[3:6], r[6:9])
    (a, b, c), (d, e, f), (g, h, i) = (
        (x * xx + y * xy + z * xz, x * xy + y * yy + z * yz, x * xz + y * yz + z * zz)
        for x, y, z in rows)
    (j, k, m), (n, o, p), (q, s, t) = rows
    return (
        a * j + b * k + c * m, d * n + e * o + f * p, g * q + h * s + i * t,
        a * n + b * o + c * p, a * q + b * s + c * t, d * q + e * s + f * t)


def tensor_in_body(inertia: Inertia) -> Tensor:
    """Return the tensor about the center of mass in the axes of the body."""
    return rotate_tensor(inertia.pose, inertia.tensor)


def shift_tensor(tensor: Tensor, mass: float, offset: Vector) -> Tensor:
    """Return a tensor about the center of mass as one about a point ``offset`` (m) off."""
    xx, yy, zz, xy, xz, yz = tensor
    x, y, z = offset
    return (
        xx + mass * (y * y + z * z), yy + mass * (x * x + z * z), zz + mass * (x * x + y * y),
        xy - mass * x * y, xz - mass * x * z, yz - mass * y * z)


def combine(parts: Sequence[Inertia]) -> Inertia:
    """Return the inertia of rigidly joined bodies in their parent's axes; their mass is not 0."""
    mass = sum(part.mass for part in parts)
    x, y, z = (sum(part.mass * part.pose[axis] for part in parts) / mass for axis in range(3))
    tensors = (
        shift_tensor(
            tensor_in_body(part), part.mass, (part.pose.x - x, part.pose.y - y, part.pose.z - z))
        for part in parts)
    xx, yy, zz, xy, xz, yz = map(sum, zip(*tensors))
    return Inertia(mass=mass, pose=Pose(x, y, z), ixx=xx, iyy=yy, izz=zz, ixy=xy, ixz=xz, iyz=yz)


def scale(inertia: Inertia, mass: float) -> Inertia:
    """Return the inertia of the same distribution of another mass (kg); the old mass is not 0."""
    ratio = mass / inertia.mass
    xx, yy, zz, xy, xz, yz = (ratio * moment for moment in inertia.tensor)
    return from_tensor(mass, inertia.pose, (xx, yy, zz, xy, xz, yz), inertia.location)


# ---- homogeneous solids

class Solid(NamedTuple):
    """
    A homogeneous solid in the axes of its symmetry, whose origin is its center of mass.

    ``volume`` is in m^3; ``xx``, ``yy`` and ``zz`` are the means of x^2, y^2 and z^2 in it (m^2).
    """

    volume: float
    xx: float
    yy: float
    zz: float

    @property
    def moments(self) -> Vector:
        """The moments of inertia about its axes for a mass of 1 kg (m^2)."""
        return self.yy + self.zz, self.xx + self.zz, self.xx + self.yy

    def with_mass(
        self, mass: float, pose: Pose = IDENTITY, location: Optional[Locatable] = None,
    ) -> Inertia:
        """Return the inertia of a solid of this mass (kg), which is at body_from_solid."""
        ixx, iyy, izz = self.moments
        return Inertia(
            mass, pose, ixx=mass * ixx, iyy=mass * iyy, izz=mass * izz, location=location)


def box(x: float, y: float, z: float) -> Solid:
    """Return a box by its extents (m)."""
    return Solid(x * y * z, x * x / 12.0, y * y / 12.0, z * z / 12.0)


def ellipsoid(x: float, y: float, z: float) -> Solid:
    """Return an ellipsoid by its half axes (m)."""
    return Solid(4.0 / 3.0 * math.pi * x * y * z, x * x / 5.0, y * y / 5.0, z * z / 5.0)


def sphere(radius: float) -> Solid:
    """Return a sphere by its radius (m)."""
    return ellipsoid(radius, radius, radius)


def cylinder(radius: float, length: float) -> Solid:
    """Return a cylinder along z by its radius and length (m)."""
    across = radius * radius / 4.0
    return Solid(math.pi * radius * radius * length, across, across, length * length / 12.0)


def capsule(radius: float, length: float) -> Solid:
    """
    Return a capsule along z by its radius and the length of its cylinder (m).

    The center of mass of each half sphere is 3/8 radius beyond the end of the cylinder.
    """
    square, whole = radius * radius, length + 4.0 / 3.0 * radius
    ball = 4.0 / 3.0 * radius / whole if whole else 0.0
    rod = 1.0 - ball
    across = rod * square / 4.0 + ball * square / 5.0
    along = rod * length * length / 12.0 + ball * (
        square / 5.0 + length * length / 4.0 + 3.0 / 8.0 * length * radius)
    return Solid(math.pi * square * whole, across, across, along)


# ---- the equivalent box

def equal_box(inertia: Inertia) -> Optional[tuple[Pose, Vector]]:
    """
    Return body_from_box and the extents (m) of the box with this mass and inertia.

    The result is None where no box of even density has them: where there is no mass or no extent,
    or where no body has such a tensor.
    """
    if not (0.0 < inertia.mass < math.inf and all(map(math.isfinite, inertia.tensor))):
        return None
    (a, b, c), turn = principal_axes(inertia.tensor)
    squares = [6.0 / inertia.mass * side for side in (b + c - a, c + a - b, a + b - c)]
    if not (all(0.0 <= square < math.inf for square in squares) and max(squares) > 0.0):
        return None
    x, y, z = map(math.sqrt, squares)
    return compose(inertia.pose, turn), (x, y, z)


def principal_axes(tensor: Tensor) -> tuple[Vector, Pose]:
    """Return the principal moments, and the rotation to their axes, by Jacobi's method."""
    xx, yy, zz, xy, xz, yz = tensor
    m = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    turn = IDENTITY
    for _ in range(_SWEEPS):
        i, j = max(_PAIRS, key=lambda pair: abs(m[pair[0]][pair[1]]))
        if m[i][j] == 0.0:
            break
        axis = (1.0 if (i, j) == (1, 2) else 0.0, 1.0 if (i, j) == (0, 2) else 0.0,
                1.0 if (i, j) == (0, 1) else 0.0)
        angle = 0.5 * math.atan2(2.0 * m[i][j], m[i][i] - m[j][j])
        turn = compose(turn, from_axis_angle(axis, angle if axis[1] == 0.0 else -angle))
        _rotate(m, i, j, angle)
    return (m[0][0], m[1][1], m[2][2]), turn


def _rotate(m: list[list[float]], i: int, j: int, angle: float) -> None:
    """Make the element i, j of a symmetric matrix zero by turning the axes i and j."""
    cosine, sine = math.cos(angle), math.sin(angle)
    for row in m:
        row[i], row[j] = cosine * row[i] + sine * row[j], cosine * row[j] - sine * row[i]
    m[i], m[j] = (
        [cosine * a + sine * b for a, b in zip(m[i], m[j])],
        [cosine * b - sine * a for a, b in zip(m[i], m[j])])
    m[i][j] = m[j][i] = 0.0


# ---- plausibility

def is_finite(inertia: Inertia) -> bool:
    """Return whether mass, tensor and center of mass are finite numbers."""
    numbers = inertia.mass, *inertia.tensor, *inertia.pose
    return math.isfinite(sum(numbers)) or all(map(math.isfinite, numbers))


def is_physical(inertia: Inertia) -> bool:
    """
    Return whether libsdformat accepts an inertia; it accepts the zero tensor.

    Mass and tensor must not be negative, and no principal moment may be greater than the sum of
    the other two. The rounding is that of gz-math's ``MassMatrix3::IsValid``, so that this
    function and libsdformat accept exactly the same files.
    """
    mass, _, ixx, iyy, izz, ixy, ixz, iyz, _ = inertia
    slack = _ROUNDING * 0.5 * abs(ixx + iyy + izz)
    minor = ixx * iyy - ixy * ixy
    determinant = (
        ixx * (iyy * izz - iyz * iyz) - ixy * (ixy * izz - iyz * ixz)
        + ixz * (ixy * iyz - iyy * ixz))
    if not (mass >= 0.0 and ixx + slack >= 0.0 and minor + slack >= 0.0
            and determinant + slack >= 0.0):
        return False
    a, b, c = _principal_moments((ixx, iyy, izz), (ixy, ixz, iyz))
    slack = _ROUNDING * 0.5 * abs(a + b + c)
    return (
        min(a, b, c) + slack >= 0.0 and a + b + slack >= c and b + c + slack >= a
        and c + a + slack >= b)


def is_plausible(inertia: Inertia, tolerance: float) -> bool:
    """
    Return whether a distribution of mass can have a tensor, within a share of its trace.

    Its second moments, ``trace/2 - I``, must be positive semidefinite; the zero tensor is legal.
    The test is coarser than ``is_physical``, for tensors that were rounded to a few digits. A
    tensor below that of its mass at one micrometer counts as zero.
    """
    return _is_positive(inertia, -1.0, 0.5, tolerance) or inertia.is_zero or (
        max(map(abs, inertia.tensor)) < _MICROMETER * _MICROMETER * inertia.mass)


def moves_in_mujoco(inertia: Optional[Inertia]) -> bool:
    """Return whether MuJoCo lets a body of this mass and these moments of inertia move."""
    return inertia is not None and inertia.mass >= MUJOCO_LEAST and (
        min(principal_axes(inertia.tensor)[0]) >= MUJOCO_LEAST)


def is_positive(inertia: Inertia, tolerance: float) -> bool:
    """Return whether no principal moment is negative, within a share of the trace."""
    return _is_positive(inertia, 1.0, 0.0, tolerance)


def _is_positive(inertia: Inertia, sign: float, share: float, tolerance: float) -> bool:
    """Return whether ``sign * I / trace + share`` is nearly positive semidefinite."""
    _, _, ixx, iyy, izz, ixy, ixz, iyz, _ = inertia
    trace = ixx + iyy + izz
    if not trace > 0.0:
        return False
    a = sign * ixx / trace + share + tolerance
    b = sign * iyy / trace + share + tolerance
    c = sign * izz / trace + share + tolerance
    d, e, f = sign * ixy / trace, sign * ixz / trace, sign * iyz / trace
    minor = a * b - d * d
    return (
        a > 0.0 and minor > 0.0
        and c * minor - a * f * f - b * e * e + 2.0 * d * e * f > 0.0)


def _principal_moments(moments: Vector, products: Vector) -> Vector:
    """Return the eigenvalues of a symmetric matrix in closed form (arXiv 1306.6291)."""
    ixx, iyy, izz = moments
    ixy, ixz, iyz = products
    tolerance = _DIAGONAL * max(moments)
    if abs(ixy) <= tolerance and abs(ixz) <= tolerance and abs(iyz) <= tolerance:
        return moments
    b = ixx + iyy + izz
    c = ixx * iyy - ixy * ixy + ixx * izz - ixz * ixz + iyy * izz - iyz * iyz
    d = (
        ixx * (iyz * iyz) + iyy * (ixz * ixz) + izz * (ixy * ixy)
        - ixx * iyy * izz - 2.0 * ixy * ixz * iyz)
    p = b * b - 3.0 * c
    if p < tolerance * tolerance:
        return b / 3.0, b / 3.0, b / 3.0
    if not max(b * b, p) < _SQUARED_MOMENTS:
        return math.nan, math.nan, math.nan
    q = 2.0 * b ** 3 - 9.0 * b * c - 27.0 * d
    power = p ** 1.5
    if power == 0.0:  # moments below 1e-108
        return math.nan, math.nan, math.nan
    delta = math.acos(max(-1.0, min(1.0, 0.5 * q / power)))
    root = 2.0 * math.sqrt(p)
    first, second, third = (
        (b + root * math.cos((delta + turn) / 3.0)) / 3.0 for turn in (0.0, math.tau, -math.tau))
    return first, second, third
