# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Bodies: placement, inertia with its defaults, shapes, markers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.document import XmlElement
from hrdf_ros.inertia import Inertia, Tensor
from hrdf_ros.model import Empty, Mesh, Shape
from hrdf_ros.pose import compose, IDENTITY, Pose, translation
from hrdf_ros.readers.skel.fields import Fields
from hrdf_ros.readers.skel.geometry import ShapeReader
from hrdf_ros.readers.skel.inertia import shares, tensor_of_shares

_MOMENTS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_UNIT_TENSOR: Tensor = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)


class Marker(NamedTuple):
    """A named point of a body: ``pose`` is body_from_marker."""

    name: str
    pose: Pose
    node: XmlElement


class BodyPart(NamedTuple):
    """A body as its element tells it: ``pose`` is world_from_body with all coordinates zero."""

    name: str
    pose: Pose
    inertia: Inertia
    visuals: tuple[Shape, ...]
    collisions: tuple[Shape, ...]
    markers: tuple[Marker, ...]
    node: XmlElement

    @property
    def crashes_alone(self) -> bool:
        """Tell whether DART crashes on it when no joint holds it."""
        return bool(self.visuals or self.collisions) or _follows_from_shapes(self.node)


class BodyReader:
    """Reads ``<body>``."""

    def __init__(self, fields: Fields, shapes: ShapeReader) -> None:
        self.fields = fields
        self.report = fields.report
        self.shapes = shapes

    def bodies(self, skeleton: XmlElement, world_from_skeleton: Pose) -> dict[str, BodyPart]:
        """Return the bodies of a skeleton by name, in document order."""
        nodes: dict[str, list[XmlElement]] = {}
        for node in skeleton.all('body'):
            nodes.setdefault(self._name(node), []).append(node)
        return {
            name: self._body(name, same, world_from_skeleton) for name, same in nodes.items()}

    def _name(self, node: XmlElement) -> str:
        name = node.get('name')
        if not name:
            self.report.add(
                codes.MISSING_ATTRIBUTE,
                '<body> needs a name; no joint can hold it',
                node.location,
                severity='warning',
            )
        return name or ''

    def _body(self, name: str, nodes: Sequence[XmlElement], world_from_skeleton: Pose) -> BodyPart:
        """Read a body; of later ones with its name only the shapes count, as for DART."""
        first = nodes[0]
        self._report_duplicates(name, nodes[1:])
        if not self.fields.boolean(first, 'gravity', True):
            self.report.add(
                codes.DETAIL_NOT_PRESERVED,
                f"that gravity does not act on '{name}' is not kept",
                first.location,
            )
        inertia = self._inertia(first)
        visuals: list[Shape] = []
        collisions: list[Shape] = []
        for node in nodes:
            visuals += map(self.shapes.visual, node.all('visualization_shape'))
            collisions += map(self.shapes.collision, node.all('collision_shape'))
            if _follows_from_shapes(node) and (visuals or collisions):
                inertia = self._inertia_of_shapes(node, inertia, visuals + collisions)
        return BodyPart(
            name, compose(world_from_skeleton, self.fields.pose(first)), inertia, tuple(visuals),
            tuple(collisions), tuple(map(self._marker, first.all('marker'))), first)

    def _report_duplicates(self, name: str, nodes: Sequence[XmlElement]) -> None:
        for node in nodes:
            self.report.add(
                codes.DUPLICATE_NAME,
                f"a body '{name}' stands above; its shapes are added to that one, the rest of "
                'this one is not read', node.attribute_location('name'), severity='warning')

    def _marker(self, node: XmlElement) -> Marker:
        name = node.get('name')
        if not name:
            self.report.add(
                codes.MISSING_ATTRIBUTE, '<marker> needs a name', node.location, severity='warning'
            )
        return Marker(
            name or 'marker', translation(*self.fields.vector(node, 'offset')), node)

    def _inertia(self, body: XmlElement) -> Inertia:
        """Read ``<inertia>``; what is missing is mass 1 and the unit tensor, as for DART."""
        node = body.child('inertia')
        if node is None:
            return Inertia(1.0, IDENTITY, *_UNIT_TENSOR)
        mass = self.fields.required(
            node, 'mass', hint="the format's text says 1 where it is missing; DART refuses")
        center = translation(*self.fields.vector(node, 'offset'))
        moments = node.child('moment_of_inertia')
        if moments is None:
            return Inertia(mass, center, *_UNIT_TENSOR, node.location)
        ixx, iyy, izz, ixy, ixz, iyz = (
            self.fields.required(moments, tag) for tag in _MOMENTS)
        return Inertia(mass, center, ixx, iyy, izz, ixy, ixz, iyz, node.location)

    def _inertia_of_shapes(
        self, body: XmlElement, inertia: Inertia, shapes: Sequence[Shape],
    ) -> Inertia:
        """Return an inertia with the tensor that follows from shapes, if it does."""
        lost = next(filter(_is_lost, shapes), None)
        if lost is not None:
            self.report.add(
                codes.INERTIA_WITHOUT_SHAPE,
                'the inertia would follow from a shape that is not there; DART crashes',
                lost.location, hint='give a <moment_of_inertia>')
            return inertia
        location = (body.child('inertia') or body).location
        parts = shares(shapes, self.shapes.meshes)
        if len(parts) < len(shapes):
            self.report.add(
                codes.MESH_INERTIA_UNKNOWN,
                'the extents of a mesh are not known, so it is left out of the inertia; '
                'DART counts the box around it', location,
                hint='give a <moment_of_inertia>')
        if not parts:
            return inertia
        if len(shapes) > 1 or shapes[0].pose != inertia.pose:
            self.report.add(
                codes.SKEL_INERTIA_BY_SHAPES,
                'the tensor follows from all shapes, as in DART 6.20; '
                'DART 6.12 and older take the first shape only, unplaced',
                location,
            )
        tensor = tensor_of_shares(inertia.mass, inertia.pose.position, parts)
        return Inertia(inertia.mass, inertia.pose, *tensor, location)


def _follows_from_shapes(body: XmlElement) -> bool:
    inertia = body.child('inertia')
    return inertia is not None and inertia.child('moment_of_inertia') is None


def _is_lost(shape: Shape) -> bool:
    geometry = shape.geometry
    return isinstance(geometry, Empty) or (isinstance(geometry, Mesh) and geometry.file is None)
