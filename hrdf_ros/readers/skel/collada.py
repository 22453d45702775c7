# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The points of a Collada mesh, placed by the nodes of its scene and in meters, as for DART."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
import math

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile, XmlElement
from hrdf_ros.pose import from_axis_angle, to_matrix

Affine = tuple[tuple[float, float, float, float], ...]
"""The upper three rows of a transform that may scale."""

Point = tuple[float, float, float]


def collada_points(source: SourceFile) -> Iterator[Point]:
    """Yield the points of all geometries in the scene; raise ValueError for strange numbers."""
    root = parse(source, Report())
    if root is None:
        return
    geometries = {f"#{node.get('id')}": node for node in root.walk() if node.tag == 'geometry'}

    @cache
    def positions(url: str) -> list[Point]:
        return list(_positions(geometries[url])) if url in geometries else []

    unit = next((node for node in root.walk() if node.tag == 'unit'), None)
    meter = float((unit.get('meter') if unit is not None else None) or 1.0)
    scenes = (node for node in root.walk() if node.tag == 'visual_scene')
    pending = [(scene, _scale((meter, meter, meter))) for scene in scenes]
    while pending:
        node, root_from_node = pending.pop()
        for child in node.children:
            if child.tag in _TRANSFORMS:
                root_from_node = _product(root_from_node, _TRANSFORMS[child.tag](_floats(child)))
        pending += [(child, root_from_node) for child in node.all('node')]
        for instance in node.all('instance_geometry'):
            for point in positions(instance.get('url') or ''):
                yield _moved(root_from_node, point)


def _positions(geometry: XmlElement) -> Iterator[Point]:
    """Yield the points that the vertices of a geometry name as their positions."""
    arrays = {
        f"#{node.get('id')}": node.child('float_array') for node in geometry.walk()
        if node.tag == 'source'}
    inputs = (
        found for node in geometry.walk() if node.tag == 'vertices' for found in node.all('input'))
    for entry in inputs:
        array = arrays.get(entry.get('source') or '')
        if array is not None and entry.get('semantic') == 'POSITION':
            numbers = iter(_floats(array))
            yield from zip(numbers, numbers, numbers)


def _floats(node: XmlElement) -> list[float]:
    return [float(word) for word in node.text.split()]


def _matrix(numbers: list[float]) -> Affine:
    a, b, c, d, e, f, g, h, i, j, k, m = numbers[:12]
    return (a, b, c, d), (e, f, g, h), (i, j, k, m)


def _translate(numbers: list[float]) -> Affine:
    x, y, z = numbers
    return (1.0, 0.0, 0.0, x), (0.0, 1.0, 0.0, y), (0.0, 0.0, 1.0, z)


def _scale(numbers: list[float] | Point) -> Affine:
    x, y, z = numbers
    return (x, 0.0, 0.0, 0.0), (0.0, y, 0.0, 0.0), (0.0, 0.0, z, 0.0)


def _rotate(numbers: list[float]) -> Affine:
    x, y, z, degrees = numbers
    norm = math.hypot(x, y, z) or 1.0
    m = to_matrix(from_axis_angle((x / norm, y / norm, z / norm), math.radians(degrees)))
    return (*m[0:3], 0.0), (*m[3:6], 0.0), (*m[6:9], 0.0)


_TRANSFORMS: dict[str, Callable[[list[float]], Affine]] = {
    'matrix': _matrix,
    'translate': _translate,
    'rotate': _rotate,
    'scale': _scale,
}


def _product(a: Affine, b: Affine) -> Affine:
    columns = list(zip(*b, (0.0, 0.0, 0.0, 1.0)))
    rows = []
    for row in a:
        entries = [sum(p * q for p, q in zip(row, column)) for column in columns]
        rows.append((entries[0], entries[1], entries[2], entries[3]))
    return tuple(rows)


def _moved(a: Affine, point: Point) -> Point:
    x, y, z = (row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3] for row in a)
    return x, y, z
