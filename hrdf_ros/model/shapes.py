# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The shapes of bodies: geometries and materials, with the XML of other programs in them."""

from itertools import chain
import math
from typing import Any, Literal, NamedTuple, Optional, TypeVar, Union

from hrdf_ros.diagnostics import Locatable
from hrdf_ros.pose import IDENTITY, Pose, Vector

_Kind = TypeVar('_Kind')

ZERO: Vector = (0.0, 0.0, 0.0)
Holder = Literal['urdf', 'gazebo', 'sdf', 'mjcf']
"""
A place that XML can be written to: URDF, its ``<gazebo>`` blocks, SDFormat or MJCF.

``fields`` says which of these have a place for a field.
"""


def brief(record: Any) -> str:
    """Return a repr of the fields that differ from their defaults, without records in them."""
    own, parts = record._asdict(), []
    defaults = {**record._field_defaults, 'location': own['location'], 'source_name': record.name}
    for name, value in own.items():
        if name not in defaults or value != defaults[name]:
            shown = repr(value) if not isinstance(value, tuple) else (
                '...' if hasattr(value, '_fields') else f'<{len(value)}>')
            parts.append(f'{name}={shown}')
    return f"{type(record).__name__}({', '.join(parts)})"


class RawElement(NamedTuple):
    """
    XML of other programs (``<ros2_control>``, plugins), unchanged from the file.

    ``owner`` is the source name of the scope that had the element, empty for the outermost scope.
    ``held_by`` are the holders that can contain the text unchanged, if it belongs to the same item
    there.
    """

    tag: str
    text: str
    location: Optional[Locatable] = None
    owner: str = ''
    held_by: tuple[Holder, ...] = ()


def _equal(geometry: Any, other: object) -> bool:
    return isinstance(other, geometry.__class__) and tuple(geometry) == tuple(other)


def _unequal(geometry: Any, other: object) -> bool:
    return not _equal(geometry, other)


def _of_its_kind(geometry: type[_Kind]) -> type[_Kind]:
    """Make a geometry differ from those of other kinds with the same numbers, unlike a tuple."""
    geometry.__eq__ = _equal  # type: ignore[method-assign]
    geometry.__ne__ = _unequal  # type: ignore[method-assign]
    return geometry


@_of_its_kind
class Box(NamedTuple):
    """A box, given by its full extents along x, y and z (m)."""

    size: Vector


class Sphere(NamedTuple):
    """A sphere."""

    radius: float


@_of_its_kind
class Cylinder(NamedTuple):
    """A cylinder along z, centered."""

    radius: float
    length: float


@_of_its_kind
class Capsule(NamedTuple):
    """A cylinder of this ``length`` along z, with half spheres on its ends."""

    radius: float
    length: float


@_of_its_kind
class Cone(NamedTuple):
    """A cone along z, with its base at -length/2 and its tip at +length/2."""

    radius: float
    length: float


@_of_its_kind
class Ellipsoid(NamedTuple):
    """An ellipsoid by its half axes."""

    radii: Vector


class Pyramid(NamedTuple):
    """A pyramid along z on a rectangle, centered like the cone."""

    width: float
    depth: float
    height: float


class MultiSphere(NamedTuple):
    """The convex hull of spheres, each a radius and a center."""

    spheres: tuple[tuple[float, Vector], ...]


class Plane(NamedTuple):
    """A plane through ``offset * normal``; ``size`` is the part that is drawn, if limited."""

    normal: Vector
    size: Optional[tuple[float, float]] = None
    offset: float = 0.0


class Mesh(NamedTuple):
    """
    A mesh file.

    ``uri`` is the text as written; ``file`` is the path that it leads to, None where no such file
    was found.
    """

    uri: str
    file: Optional[str] = None
    scale: Vector = (1.0, 1.0, 1.0)
    submesh: Optional[str] = None
    center_submesh: bool = False


class Polyline(NamedTuple):
    """An outline in the x-y plane, swept up by ``height``; several lines are holes and islands."""

    lines: tuple[tuple[tuple[float, float], ...], ...]
    height: float


class Heightmap(NamedTuple):
    """A terrain whose heights are the pixels of an image."""

    uri: str
    size: Vector
    position: Vector = ZERO
    file: Optional[str] = None


class Image(NamedTuple):
    """Boxes extruded from the pixels of an image."""

    uri: str
    scale: float
    threshold: int
    height: float
    granularity: int
    file: Optional[str] = None


class Empty(NamedTuple):
    """A shape without a geometry."""


Geometry = Union[
    Box, Sphere, Cylinder, Capsule, Cone, Ellipsoid, Pyramid, MultiSphere, Plane, Mesh, Polyline,
    Heightmap, Image, Empty]

Color = tuple[float, float, float, float]


class Asset(NamedTuple):
    """
    A file that the raw text of a material names by ``uri`` in an element ``tag``.

    ``file`` is the path of the file or directory that the URI leads to, None where none was found.
    """

    tag: str
    uri: str
    file: Optional[str] = None


class Material(NamedTuple):
    """
    The look of a shape: colors are red, green, blue and alpha in 0 .. 1, None where none is given.

    ``texture`` is the URI of an image as written, ``texture_file`` the path that it leads to.
    ``extensions`` are the rest of the material (SDFormat's ``<pbr>``, ``<script>``, ...),
    ``assets`` the files that it names.
    """

    name: str = ''
    diffuse: Optional[Color] = None
    ambient: Optional[Color] = None
    specular: Optional[Color] = None
    emissive: Optional[Color] = None
    texture: str = ''
    extensions: tuple[RawElement, ...] = ()
    texture_file: Optional[str] = None
    assets: tuple[Asset, ...] = ()


class Shape(NamedTuple):
    """
    A visual or a collision: ``pose`` is body_from_shape.

    Nothing draws a collision, so only the material of a visual has a meaning.
    """

    name: str
    geometry: Geometry
    pose: Pose = IDENTITY
    material: Optional[Material] = None
    location: Optional[Locatable] = None
    extensions: tuple[RawElement, ...] = ()

    def __repr__(self) -> str:
        return brief(self)


def size_of_urdf(geometry: Geometry) -> Optional[Vector]:
    """Return the size of the box around a primitive of URDF or a capsule, None for others."""
    if isinstance(geometry, Box):
        return geometry.size
    if not isinstance(geometry, (Sphere, Cylinder, Capsule)):
        return None
    wide = 2.0 * geometry.radius
    straight = 0.0 if isinstance(geometry, Sphere) else geometry.length
    return wide, wide, straight if isinstance(geometry, Cylinder) else straight + wide


def all_finite(*records: Optional[tuple[object, ...]]) -> bool:
    """Return whether all numbers in records of a shape are finite."""
    level = [record for record in records if record is not None]
    while level:
        fields = [*chain.from_iterable(level)]
        numbers = [field for field in fields if field.__class__ is float]
        if not (math.isfinite(sum(numbers)) or all(map(math.isfinite, numbers))):
            return False
        level = [field for field in fields if isinstance(field, tuple)]
    return True
