# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The mesh of a polyline: its outlines swept up, holes and islands by the even-odd rule.

The caps are cut into slabs between the heights (y) of all points, where the even-odd rule is
counting edges from left to right. Outlines that cross are not looked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hrdf_ros.lowering.target import Triangle
from hrdf_ros.model import Polyline

MOST_POINTS = 2000
"""The work grows with the square of the points."""
_BESIDE = 1e-6
"""How far beside an edge, relative to its length, its inside is looked for."""

Point = tuple[float, float]
Edge = tuple[Point, Point]


def extruded(polyline: Polyline) -> list[Triangle]:
    """Return the closed mesh between z = 0 and the height, faces outwards."""
    edges = [edge for line in polyline.lines for edge in _edges(line)]
    top = polyline.height
    triangles = []
    for (ax, ay), (bx, by) in (_inside_left(edge, edges) for edge in edges):
        low, high = (ax, ay, 0.0), (bx, by, top)
        triangles += [
            (low, (bx, by, 0.0), high), (low, high, (ax, ay, top))]
    for a, b, c in _caps(edges):
        triangles += [
            ((*a, top), (*b, top), (*c, top)), ((*a, 0.0), (*c, 0.0), (*b, 0.0))]
    return triangles


def _edges(line: Sequence[Point]) -> list[Edge]:
    """Return the edges of a closed outline, without those of no length."""
    return [(a, b) for a, b in zip(line, (*line[1:], *line[:1])) if a != b]


def _inside_left(edge: Edge, edges: list[Edge]) -> Edge:
    """Return the edge in the direction that has the inside on its left."""
    (ax, ay), (bx, by) = edge
    x = (ax + bx) / 2.0 - _BESIDE * (by - ay)
    y = (ay + by) / 2.0 + _BESIDE * (bx - ax)
    return edge if _is_inside(x, y, edges) else (edge[1], edge[0])


def _is_inside(x: float, y: float, edges: list[Edge]) -> bool:
    """Return whether a ray from a point crosses an odd number of edges."""
    return sum(
        (a[1] > y) != (b[1] > y) and x < _x_at(y, (a, b)) for a, b in edges) % 2 == 1


def _x_at(y: float, edge: Edge) -> float:
    """Return where an edge that is not level passes a height."""
    (ax, ay), (bx, by) = edge
    if y in (ay, by):
        return ax if y == ay else bx
    return ax + (y - ay) / (by - ay) * (bx - ax)


def _caps(edges: list[Edge]) -> list[tuple[Point, Point, Point]]:
    """Return the inside as triangles, counterclockwise."""
    triangles = []
    heights = sorted({point[1] for edge in edges for point in edge})
    for low, high in pairwise(heights):
        spans = [(_x_at(low, (a, b)), _x_at(high, (a, b))) for a, b in edges
                 if min(a[1], b[1]) <= low and max(a[1], b[1]) >= high]
        spans.sort(key=sum)
        for (left, left_up), (right, right_up) in zip(spans[::2], spans[1::2]):
            a, b = (left, low), (right, low)
            c, d = (right_up, high), (left_up, high)
            triangles += [(a, b, c)] if a != b else []
            triangles += [(a, c, d)] if c != d else []
    return triangles
