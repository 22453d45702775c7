# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rigid transforms in arrays: as 4x4 matrices, and as rows of a translation and a quaternion.

Rows are (..., 7): x, y, z (m), qx, qy, qz, qw. Rotation vectors are in radians.
"""

from __future__ import annotations

from collections.abc import Sequence

from hrdf_ros.pose import from_matrix, Pose, to_matrix
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]


def matrices(poses: Sequence[Pose]) -> Array:
    """Return poses as matrices (m, 4, 4)."""
    result = np.zeros((len(poses), 4, 4))
    if poses:
        result[:, :3, :3] = np.reshape([to_matrix(pose) for pose in poses], (-1, 3, 3))
        result[:, :3, 3] = [pose.position for pose in poses]
    result[:, 3, 3] = 1.0
    return result


def pose_of(matrix: Array) -> Pose:
    return from_matrix(matrix[:3, 3].tolist(), matrix[:3, :3].ravel().tolist())


def invert(transform: Array) -> Array:
    """Return the inverses of rigid transforms (..., 4, 4)."""
    rotation = transform[..., :3, :3].swapaxes(-1, -2)
    result = np.zeros_like(transform)
    result[..., :3, :3] = rotation
    result[..., :3, 3:] = -(rotation @ transform[..., :3, 3:])
    result[..., 3, 3] = 1.0
    return result


def chain(transforms: Array) -> Array:
    """Return the product (K, 4, 4) of transforms (m, K, 4, 4), by log2(m) batched products."""
    while len(transforms) > 1:
        pairs = transforms[:-1:2] @ transforms[1::2]
        if len(transforms) % 2:
            pairs = np.concatenate((pairs, transforms[-1:]))
        transforms = pairs
    product: Array = transforms[0]
    return product


def skew(vectors: Array) -> Array:
    """Return the matrices (..., 3, 3) of the cross products with vectors (..., 3)."""
    result = np.zeros((*vectors.shape, 3))
    for axis in range(3):
        after, before = (axis + 1) % 3, (axis + 2) % 3
        result[..., before, after] = vectors[..., axis]
        result[..., after, before] = -vectors[..., axis]
    return result


def exponential(vectors: Array) -> Array:
    """Return the rotations (..., 3, 3) of rotation vectors (..., 3)."""
    cross = skew(vectors)
    angle = np.sqrt(np.sum(vectors * vectors, -1))[..., None, None]
    half = np.sinc(angle / (2.0 * np.pi))
    rotation: Array = (
        np.eye(3) + np.sinc(angle / np.pi) * cross + half * half / 2.0 * (cross @ cross))
    return rotation


def cross(a: Array, b: Array) -> Array:
    """
    Return the cross products of vectors (..., 3).

    They are computed term by term, which is fast in large batches.
    """
    result = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        result[..., x] = a[..., y] * b[..., z] - a[..., z] * b[..., y]
    return result


def multiply(a: Array, b: Array) -> Array:
    """Return the products of quaternions (..., 4) in the order x, y, z, w."""
    result = np.empty(np.broadcast_shapes(a.shape, b.shape))
    vector_a, vector_b, w_a, w_b = a[..., :3], b[..., :3], a[..., 3:], b[..., 3:]
    result[..., :3] = w_a * vector_b + w_b * vector_a + cross(vector_a, vector_b)
    result[..., 3] = a[..., 3] * b[..., 3] - np.sum(vector_a * vector_b, -1)
    return result


def rotate(quaternions: Array, vectors: Array) -> Array:
    """Return vectors (..., 3) turned by unit quaternions (..., 4)."""
    twice = 2.0 * cross(quaternions[..., :3], vectors)
    turned: Array = vectors + quaternions[..., 3:] * twice + cross(quaternions[..., :3], twice)
    return turned


def compose(a_from_b: Array, b_from_c: Array) -> Array:
    """Return ``a_from_c`` as rows (..., 7)."""
    translation = a_from_b[..., :3] + rotate(a_from_b[..., 3:], b_from_c[..., :3])
    return np.concatenate((translation, multiply(a_from_b[..., 3:], b_from_c[..., 3:])), -1)


def turn(vectors: Array) -> Array:
    """Return the rotations of rotation vectors (..., 3) as rows (..., 7)."""
    half = np.sqrt(np.sum(vectors * vectors, -1)) / 2.0
    result = np.zeros((*vectors.shape[:-1], 7))
    result[..., 3:6] = 0.5 * np.sinc(half / np.pi)[..., None] * vectors
    result[..., 6] = np.cos(half)
    return result
