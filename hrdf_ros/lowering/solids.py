# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Meshes of shapes that a target lacks: solids of unit size, which a scale makes any, and polylines.

A polyline is its outlines swept up, with holes and islands by the even-odd rule. A line sweeps
over the outlines from below. The edges that it crosses are sorted from left to right, and the
inside is between the first and the second, the third and the fourth, and so on: each such pair is
a trapezoid until one of the two ends or gets another neighbor. For outlines that do not cross,
that takes n log n; the trapezoids of others are limited.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
import math
from typing import NamedTuple

from hrdf_ros.lowering.target import Triangle
from hrdf_ros.model import Polyline

_ROUND = 32
"""Segments of a circle."""
_POINT = 1e-12
"""The radius below which a circle is a point."""
_TRAPEZOIDS = 4
"""For each point, and some more; outlines that do not cross have fewer."""
_WRONG = 100
"""How often edges may be out of order: those that cross."""

Point = tuple[float, float]


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
    """Return the surface of revolution about z of a profile of (radius, height), upwards."""
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
    """An edge that is not level, from its lower end to its upper one."""

    low: Point
    high: Point

    def at(self, y: float) -> float:
        """Return x where the edge passes a height."""
        (ax, ay), (bx, by) = self
        if y <= ay or y >= by:
            return ax if y <= ay else bx
        return ax + (y - ay) / (by - ay) * (bx - ax)


class _Pair(NamedTuple):
    """The inside between two edges, from a height on."""

    left: int
    right: int
    start: float


class TooManyCrossings(ValueError):
    """Outlines that cross each other more often than they have points."""


def extruded(polyline: Polyline) -> list[Triangle]:
    """
    Return the closed mesh between z = 0 and the height, faces outwards.

    Outlines that cross too often raise TooManyCrossings.
    """
    lines = [_edges(line) for line in polyline.lines]
    edges = [_Edge(*sorted((a, b), key=lambda point: point[1]))
             for line in lines for a, b in line if a[1] != b[1]]
    sweep = _Sweep(edges)
    level = [(a, b) for line in lines for a, b in line if a[1] == b[1]]
    walls = sweep.run(level)
    top = polyline.height
    triangles: list[Triangle] = []
    for (ax, ay), (bx, by) in walls:
        low, high = (ax, ay, 0.0), (bx, by, top)
        triangles += [(low, (bx, by, 0.0), high), (low, high, (ax, ay, top))]
    for a, b, c in sweep.caps:
        triangles += [
            ((*a, top), (*b, top), (*c, top)), ((*a, 0.0), (*c, 0.0), (*b, 0.0))]
    return triangles


def _edges(line: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Return the edges of a closed outline, without those of no length."""
    return [(a, b) for a, b in zip(line, (*line[1:], *line[:1])) if a != b]


class _Sweep:
    """The sorted edges at the height of the sweep, and the trapezoids below it."""

    def __init__(self, edges: Sequence[_Edge]) -> None:
        self.caps: list[tuple[Point, Point, Point]] = []
        self._edges = edges
        self._active: list[int] = []
        self._pairs: dict[int, _Pair] = {}
        self._is_left: dict[int, bool] = {}
        self._left = _TRAPEZOIDS * (len(edges) + 2)
        self._wrong = 0
        self._y = 0.0

    def run(self, level: Sequence[tuple[Point, Point]]) -> list[tuple[Point, Point]]:
        """Sweep over all edges; return all, level ones too, with the inside on their left."""
        starts = _by_height((edge.low[1], index) for index, edge in enumerate(self._edges))
        ends = _by_height((edge.high[1], index) for index, edge in enumerate(self._edges))
        levels = _by_height((a[1], index) for index, (a, _) in enumerate(level))
        walls: list[tuple[Point, Point]] = []
        for y in sorted({*starts, *ends, *levels}):
            self._y = y
            self._step(ends[y], starts[y])
            walls += [self._directed(*level[index]) for index in levels[y]]
        return walls + [
            (edge.high, edge.low) if self._is_left.get(index, True) else (edge.low, edge.high)
            for index, edge in enumerate(self._edges)]

    def _step(self, ends: Sequence[int], starts: Sequence[int]) -> None:
        """Replace the edges that end at this height by those that start, and pair them anew."""
        corners = defaultdict[float, list[int]](list)
        for edge in ends:
            self._close(edge)
            corners[self._edges[edge].high[0]] += []
        for edge in starts:
            corners[self._edges[edge].low[0]].append(edge)
        gone, count = set(ends), len(self._active) - len(ends) + len(starts)
        begin, is_odd = 0, False
        for x in sorted(corners):
            first = bisect_left(self._active, (x, -math.inf), key=self._key)
            last = bisect_left(self._active, (x, math.inf), key=self._key)
            here = [edge for edge in self._active[first:last] if edge not in gone] + corners[x]
            self._active[first:last] = sorted(here, key=self._key)
            begin = begin if is_odd else first
            is_odd ^= (last - first - len(here)) % 2 == 1
            if not is_odd:
                self._pair(begin, first + len(here))
        if is_odd or len(self._active) != count:  # an edge was not where it ends
            self._wrong += 1
            if self._wrong > _WRONG:
                raise TooManyCrossings('the outlines cross too often')
            self._active = sorted(set(self._active) - gone, key=self._key)
            self._pair(0, len(self._active))

    def _pair(self, begin: int, end: int) -> None:
        """Pair the edges from one place to another, and their neighbors."""
        for at in range(begin - begin % 2, min(end + 1, len(self._active) - 1), 2):
            left, right = self._active[at:at + 2]
            pair = self._pairs.get(left)
            if pair is None or (pair.left, pair.right) != (left, right):
                self._close(left)
                self._close(right)
                self._pairs[left] = self._pairs[right] = _Pair(left, right, self._y)
                self._is_left.setdefault(left, True)
                self._is_left.setdefault(right, False)

    def _close(self, edge: int) -> None:
        """End the trapezoid beside an edge, if there is one."""
        pair = self._pairs.pop(edge, None)
        if pair is None:
            return
        del self._pairs[pair.right if edge == pair.left else pair.left]
        left, right = self._edges[pair.left], self._edges[pair.right]
        if self._y > pair.start:
            self._left -= 1
            if self._left < 0:
                raise TooManyCrossings('the outlines cross too often')
            a, b = (left.at(pair.start), pair.start), (right.at(pair.start), pair.start)
            c, d = (right.at(self._y), self._y), (left.at(self._y), self._y)
            self.caps += [(a, b, c)] if a != b else []
            self.caps += [(a, c, d)] if c != d else []

    def _key(self, edge: int) -> tuple[float, float]:
        """Return the place of an edge at this height: x, and its direction where several meet."""
        found = self._edges[edge]
        (ax, ay), (bx, by) = found
        return found.at(self._y), (bx - ax) / (by - ay)

    def _directed(self, a: Point, b: Point) -> tuple[Point, Point]:
        """Return a level edge in the direction that has the inside on its left."""
        middle = ((a[0] + b[0]) / 2.0, 0.0)
        is_inside_above = bisect_left(self._active, middle, key=self._key) % 2 == 1
        return (a, b) if is_inside_above == (a[0] < b[0]) else (b, a)


def _by_height(items: Iterable[tuple[float, int]]) -> dict[float, list[int]]:
    """Return the indices at each height."""
    found = defaultdict[float, list[int]](list)
    for y, index in items:
        found[y].append(index)
    return found
