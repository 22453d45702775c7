# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Visuals and collisions of a body in two Models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
import os
import re
from typing import NamedTuple, Optional, Union

from hrdf_ros.diff.values import close, Value
from hrdf_ros.file_reader import open_regular
from hrdf_ros.inertia import equal_box, Inertia
from hrdf_ros.model import Body, Box, Color, Geometry, Heightmap, Image, Material, Mesh, Shape
from hrdf_ros.pose import Pose, to_rpy
from hrdf_ros.revisions import LFS_POINTER

_CHUNK = 1 << 20
"""The number of bytes of a mesh file that are read and digested at once, to bound the memory."""
_LONG = 12
"""The maximum number of numbers that are shown of one value."""
_OID = re.compile(rb'oid sha256:([0-9a-f]{64})')
_FILE = 'file'
"""The start of the names of facts about files."""
_COLORS = ('diffuse', 'ambient', 'specular', 'emissive')
_SHOWN = 12
"""The number of characters of a digest that are compared and shown."""
Facts = dict[str, Value]


class Pair(NamedTuple):
    """A shape that one or both Models have: its number in the body, and the facts about it."""

    number: int
    mine: Optional[Facts]
    theirs: Optional[Facts]


def compared(
    body: Body, other: Body, mine: Sequence[Shape], theirs: Sequence[Shape],
) -> tuple[list[Shape], list[Shape]]:
    """
    Return the shapes of two bodies that have to be compared.

    Shapes that only show an inertia are left out: the inertia itself is compared.
    """
    own, others = (
        [shape for shape in shapes if not _stands_for(one.inertia, shape)]
        for one, shapes in ((body, mine), (other, theirs)))
    stand_alike = len(mine) - len(own) == len(theirs) - len(others)
    return (own, others) if stand_alike else (list(mine), list(theirs))


def _stands_for(inertia: Optional[Inertia], shape: Shape) -> bool:
    """Return whether a shape is the box that readers draw for a body without other shapes."""
    box = None if inertia is None or not isinstance(shape.geometry, Box) else equal_box(inertia)
    return box is not None and box == (shape.pose, getattr(shape.geometry, 'size', None))


def paired(mine: Sequence[Facts], theirs: Sequence[Facts], tolerance: float) -> Iterator[Pair]:
    """
    Yield the shapes that differ, with those that they may correspond to.

    Equal shapes correspond to each other in any order. All other shapes correspond in file order.
    """
    left = list(enumerate(theirs))
    others: list[tuple[int, Facts]] = []
    for number, facts in enumerate(mine):
        same = next((item for item in left if _equal(facts, item[1], tolerance)), None)
        if same is None:
            others.append((number, facts))
        else:
            left.remove(same)
    for (number, facts), (_, other) in zip(others, left):
        yield Pair(number, facts, other)
    for number, facts in others[len(left):]:
        yield Pair(number, facts, None)
    for number, facts in left[len(others):]:
        yield Pair(number, None, facts)


def _equal(mine: Facts, theirs: Facts, tolerance: float) -> bool:
    return next(differing(mine, theirs, tolerance), None) is None


def differing(mine: Facts, theirs: Facts, tolerance: float) -> Iterator[tuple[str, Value, Value]]:
    """Yield how two shapes differ; files with the same content are the same."""
    for what in {**mine, **theirs}:
        here, there = mine.get(what, ()), theirs.get(what, ())
        first = 1 if what.startswith(_FILE) else 0
        if not close(here[first:], there[first:], tolerance):
            yield what, here, there


class ShapeReader:
    """A reader of the facts about shapes, which reads each file once."""

    def __init__(self, *, has_materials: bool) -> None:
        self._has_materials = has_materials
        self._digests: dict[str, str] = {}

    def facts(self, shape: Shape) -> Facts:
        """Return the pose, the geometry and, where it is compared, the material of a shape."""
        found = {
            'geometry': (type(shape.geometry).__name__.lower(),), 'pose': pose_value(shape.pose),
            **self._geometry(shape.geometry)}
        if self._has_materials and shape.material is not None:
            found.update(self._material(shape.material))
        return found

    def _geometry(self, geometry: Geometry) -> Facts:
        found: Facts = {}
        for name, value in geometry._asdict().items():
            if name == 'uri':
                continue
            if name == 'file' and isinstance(geometry, (Mesh, Heightmap, Image)):
                found[_FILE] = self._file(getattr(geometry, 'uri', ''), geometry.file)
            elif isinstance(value, (str, bool)):
                found[name.replace('_', ' ')] = (str(value),)
            elif value is not None:
                found[name.replace('_', ' ')] = _numbers(value)
        return found

    def _material(self, material: Material) -> Facts:
        colors: dict[str, Optional[Color]] = {
            f'{name} color': getattr(material, name) for name in _COLORS}
        found: Facts = {name: color for name, color in colors.items() if color is not None}
        if material.texture:
            found[f'{_FILE} of the texture'] = self._file(material.texture, material.texture_file)
        for raw in material.extensions:
            found[f'<{raw.tag}>'] = (' '.join(raw.text.split()),)
        for asset in material.assets:
            found[f'{_FILE} of <{asset.tag}>'] = self._file(asset.uri, asset.file)
        return found

    def _file(self, uri: str, file: Optional[str]) -> Value:
        """Return the name of a file and the digest of its content, if it is not missing."""
        if file is None:
            return 'missing', os.path.basename(uri)
        if file not in self._digests:
            self._digests[file] = digest(file)
        return os.path.basename(file), self._digests[file][:_SHOWN]


def digest(file: str) -> str:
    """
    Return the SHA-256 of a file, or of a file in Git LFS the digest that its pointer states.

    If the file cannot be read, the error is returned instead.
    """
    try:
        with open_regular(file) as stream:
            head = stream.read(_CHUNK)
            stated = _OID.search(head) if head.startswith(LFS_POINTER) else None
            if stated is not None:
                return stated[1].decode()
            hashed = sha256(head)
            while chunk := stream.read(_CHUNK):
                hashed.update(chunk)
            return hashed.hexdigest()
    except OSError as error:
        return str(error.strerror)


def pose_value(pose: Pose) -> Value:
    """Return a pose as position (m), roll, pitch and yaw (rad)."""
    return 'xyz', *pose.position, 'rpy', *to_rpy(pose)


def _numbers(value: object) -> Value:
    """Return the numbers in nested tuples, or the count and a digest of many numbers."""
    found = list(_flat(value))
    return tuple(found) if len(found) <= _LONG else (
        f'{len(found)} numbers', sha256(repr(found).encode()).hexdigest()[:8])


def _flat(value: object) -> Iterator[Union[str, float]]:
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    elif isinstance(value, (int, float)):
        yield float(value)
    else:
        yield str(value)
