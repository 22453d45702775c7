# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Meshes of solids of unit size, which a scale makes any of their kind."""

from __future__ import annotations

import math

from hrdf_ros.lowering.target import Triangle

_ROUND = 32
"""Segments of a circle."""


def unit_sphere() -> list[Triangle]:
    """Return a sphere of radius 1; scaled, it is any ellipsoid."""
    rings = _ROUND // 2
    profile = [
        (math.sin(math.pi * row / rings), -math.cos(math.pi * row / rings))
        for row in range(rings + 1)]
    return _turned(profile)


def unit_cone() -> list[Triangle]:
    """Return a cone of radius 1 and length 1, centered, its tip up."""
    return _turned([(0.0, -0.5), (1.0, -0.5), (0.0, 0.5)])


def unit_pyramid() -> list[Triangle]:
    """Return a pyramid of height 1 on a square of side 1, centered, its tip up."""
    base = [(0.5, 0.5, -0.5), (-0.5, 0.5, -0.5), (-0.5, -0.5, -0.5), (0.5, -0.5, -0.5)]
    sides = [(base[i], base[(i + 1) % 4], (0.0, 0.0, 0.5)) for i in range(4)]
    return [*sides, (base[0], base[2], base[1]), (base[0], base[3], base[2])]


def _turned(profile: list[tuple[float, float]]) -> list[Triangle]:
    """Return what a profile of (radius, height), from bottom to top, sweeps about z."""
    angles = [2.0 * math.pi * column / _ROUND for column in range(_ROUND)]
    circle = [(math.cos(angle), math.sin(angle)) for angle in angles]
    triangles = []
    for (r, low), (s, high) in zip(profile, profile[1:]):
        for column in range(_ROUND):
            (c, d), (e, f) = circle[column], circle[(column + 1) % _ROUND]
            a, b = (r * c, r * d, low), (r * e, r * f, low)
            g, h = (s * e, s * f, high), (s * c, s * d, high)
            triangles += [(a, b, g)] if r > _POINT else []
            triangles += [(a, g, h)] if s > _POINT else []
    return triangles


_POINT = 1e-12
"""The radius below which a circle is a point."""
