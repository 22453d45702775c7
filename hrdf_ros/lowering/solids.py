# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Meshes of shapes that a target lacks: solids of unit size, to be scaled, and polylines.

A polyline is its outlines swept up, with holes and islands by the even-odd rule. A line sweeps
over the outlines from below. The edges that it crosses are sorted from left to right, and the
inside is between the first and the second, the third and the fourth, and so on: each such pair is
a trapezoid until one of the two ends or gets another neighbor.
"""

from __future__ import annotations

from collections import defaultdict
import math
from operator import itemgetter
from typing import NamedTuple

from hrdf_ros.lowering.target import Triangle
from hrdf_ros.model import Polyline

_ROUND = 32
"""The number of segments that stand for a circle."""
_POINT = 1e-12
"""The radius below which a circle is a point."""
_CROSSED = 2_000_000
"""The maximum number of edges that the sweep crosses at all heights; it takes about a second."""

Point = tuple[float, float]
_Face = tuple[Point, Point, Point]


def unit_sphere() -> list[Triangle]:
    """Return a sphere of radius 1, which a scale makes any ellipsoid."""
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
    """Return the surface of revolution about z of a profile of (radius, height), from below."""
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


# ---- polylines

class _Edge(NamedTuple):
    """An edge that is not level, from its lower end to its upper end."""

    low: Point
    high: Point

    def at(self, y: float) -> float:
        """Return x at the height y of the edge."""
        (ax, ay), (bx, by) = self
        if y <= ay or y >= by:
            return ax if y <= ay else bx
        return ax + (y - ay) / (by - ay) * (bx - ax)


class TooManyCrossings(ValueError):
    """A line at some height crosses too many edges of the outlines."""


def extruded(polyline: Polyline) -> list[Triangle]:
    """
    Return the closed mesh between z = 0 and the height, with its faces outwards.

    Outlines with too many edges above each other raise TooManyCrossings.
    """
    walls, caps = _swept([
        (a, b) for line in polyline.lines for a, b in zip(line, (*line[1:], *line[:1]))
        if a != b])
    top = polyline.height
    triangles: list[Triangle] = []
    for (ax, ay), (bx, by) in walls:
        low, high = (ax, ay, 0.0), (bx, by, top)
        triangles += [(low, (bx, by, 0.0), high), (low, high, (ax, ay, top))]
    for a, b, c in caps:
        triangles += [
            ((*a, top), (*b, top), (*c, top)), ((*a, 0.0), (*c, 0.0), (*b, 0.0))]
    return triangles


def _swept(lines: list[tuple[Point, Point]]) -> tuple[list[tuple[Point, Point]], list[_Face]]:
    """Return the edges of outlines with the inside on their left, and triangles of the inside."""
    edges = [_Edge(*sorted(line, key=itemgetter(1))) for line in lines if line[0][1] != line[1][1]]
    starts, level = defaultdict[float, list[int]](list), defaultdict[float, list[_Edge]](list)
    for index, edge in enumerate(edges):
        starts[edge.low[1]].append(index)
    for a, b in lines:
        if a[1] == b[1]:
            level[a[1]].append(_Edge(a, b))
    heights = sorted({y for line in lines for _, y in line})
    walls: list[tuple[Point, Point]] = []
    caps: list[_Face] = []
    active: list[int] = []
    begun: dict[tuple[int, int], float] = {}
    is_left: dict[int, bool] = {}
    left = _CROSSED
    for y, above in zip(heights, (*heights[1:], math.inf)):
        active = [index for index in active if edges[index].high[1] > y] + starts[y]
        left -= len(active)
        if left < 0:
            raise TooManyCrossings('the outlines cross too often')
        middle = (y + above) / 2.0
        active.sort(key=lambda index: edges[index].at(middle))
        before, begun = begun, {
            pair: begun.get(pair, y) for pair in zip(active[::2], active[1::2])}
        for pair, start in before.items():
            if pair not in begun:
                caps += _trapezoid(edges[pair[0]], edges[pair[1]], start, y)
        for place, index in enumerate(active):
            is_left.setdefault(index, place % 2 == 0)
        for a, b in level[y]:
            x = (a[0] + b[0]) / 2.0
            is_inside_above = sum(edges[index].at(y) < x for index in active) % 2 == 1
            walls.append((a, b) if is_inside_above == (a[0] < b[0]) else (b, a))
    walls += [
        (edge.high, edge.low) if is_left[index] else edge for index, edge in enumerate(edges)]
    return walls, caps


def _trapezoid(left: _Edge, right: _Edge, low: float, high: float) -> list[_Face]:
    """Return the triangles of the trapezoid between two edges and two heights."""
    a, b = (left.at(low), low), (right.at(low), low)
    c, d = (right.at(high), high), (left.at(high), high)
    return ([(a, b, c)] if a != b else []) + ([(a, c, d)] if c != d else [])
