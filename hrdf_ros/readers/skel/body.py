# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Bodies: placement, inertia with its defaults, shapes, markers."""

from collections.abc import Sequence
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import from_tensor, Inertia, Tensor
from hrdf_ros.model import Empty, Mesh, Shape
from hrdf_ros.pose import compose, IDENTITY, Pose, translation
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.skel.geometry import ShapeReader
from hrdf_ros.readers.skel.inertia import shares, tensor_of_shares

_UNIT_TENSOR: Tensor = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)


class Marker(NamedTuple):
    """A named point of a body: ``pose`` is body_from_marker."""

    name: str
    pose: Pose
    element: TypedElement


class BodyPart(NamedTuple):
    """A body as its element has it: ``pose`` is world_from_body with all coordinates zero."""

    name: str
    pose: Pose
    inertia: Inertia
    visuals: tuple[Shape, ...]
    collisions: tuple[Shape, ...]
    markers: tuple[Marker, ...]
    element: TypedElement

    @property
    def crashes_alone(self) -> bool:
        """Tell whether DART crashes on it when no joint holds it."""
        return bool(self.visuals or self.collisions) or _follows_from_shapes(self.element)


class BodyReader:
    """Reads ``<body>``."""

    def __init__(self, report: Report, shapes: ShapeReader) -> None:
        self.report = report
        self.shapes = shapes

    def bodies(self, skeleton: TypedElement, world_from_skeleton: Pose) -> dict[str, BodyPart]:
        """Return the bodies of a skeleton by name, in document order."""
        elements: dict[str, list[TypedElement]] = {}
        for element in skeleton.all('body'):
            elements.setdefault(element.string('name'), []).append(element)
        return {
            name: self._body(name, same, world_from_skeleton) for name, same in elements.items()}

    def _body(
        self, name: str, elements: Sequence[TypedElement], world_from_skeleton: Pose,
    ) -> BodyPart:
        """
        Read a body; of later ones with its name only the shapes count, as for DART.

        The tensor follows from the shapes up to the last body that has none.
        """
        first = elements[0]
        self._report_duplicates(name, elements[1:])
        if not first.boolean('gravity'):
            self.report.add(
                codes.DETAIL_NOT_PRESERVED,
                f"that gravity does not act on '{name}' is not preserved", first.location)
        inertia = _read_inertia(first)
        visuals: list[Shape] = []
        collisions: list[Shape] = []
        last: Optional[TypedElement] = None
        for element in elements:
            self._report_soft(element)
            visuals += map(self.shapes.visual, element.all('visualization_shape'))
            collisions += map(self.shapes.collision, element.all('collision_shape'))
            if _follows_from_shapes(element) and (visuals or collisions):
                last, shapes = element, (len(visuals), len(collisions))
        if last is not None:
            inertia = self._inertia_of_shapes(
                last, inertia, visuals[:shapes[0]] + collisions[:shapes[1]])
        pose = compose(world_from_skeleton, first.pose('transformation'))
        return BodyPart(
            name=name, pose=pose, inertia=inertia, visuals=tuple(visuals),
            collisions=tuple(collisions),
            markers=tuple(map(_read_marker, first.all('marker'))), element=first)

    def _report_duplicates(self, name: str, elements: Sequence[TypedElement]) -> None:
        for element in elements:
            self.report.add(
                codes.DUPLICATE_NAME,
                f"duplicate body '{name}': its shapes are added to the first one, the rest of it "
                'is ignored', element.attribute_location('name'), severity='warning')

    def _report_soft(self, element: TypedElement) -> None:
        soft = element.child('soft_shape')
        if soft is not None:
            self.report.add(
                codes.SKEL_SOFT_BODY, 'of this soft body only the rigid part is read',
                soft.location)

    def _inertia_of_shapes(
        self, body: TypedElement, inertia: Inertia, shapes: Sequence[Shape],
    ) -> Inertia:
        """Return an inertia with the tensor that follows from shapes; without mass none does."""
        lost = next(filter(_is_lost, shapes), None)
        if lost is not None:
            self.report.add(
                codes.INERTIA_WITHOUT_SHAPE,
                'the inertia would follow from a shape that is not there; DART crashes',
                lost.location, hint='give a <moment_of_inertia>', cause='<geometry>')
            return inertia
        if inertia.mass <= 0.0:
            return inertia
        location = (body.child('inertia') or body).location
        parts = shares(shapes, self.shapes.meshes)
        if len(parts) < len(shapes):
            self.report.add(
                codes.MESH_INERTIA_UNKNOWN,
                'the extents of a mesh are not known, so it is not part of the inertia; '
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
        return from_tensor(inertia.mass, inertia.pose, tensor, location)


def _read_marker(element: TypedElement) -> Marker:
    return Marker(element.string('name'), translation(*element.vector3('offset')), element)


def _read_inertia(body: TypedElement) -> Inertia:
    """Read ``<inertia>``; what is missing is mass 1 and the unit tensor, as for DART."""
    inertia = body.child('inertia')
    if inertia is None:
        return from_tensor(1.0, IDENTITY, _UNIT_TENSOR)
    mass, center = inertia.number('mass'), translation(*inertia.vector3('offset'))
    moments = inertia.child('moment_of_inertia')
    if moments is None:
        return from_tensor(mass, center, _UNIT_TENSOR, inertia.location)
    return Inertia(
        mass, center, ixx=moments.number('ixx'), iyy=moments.number('iyy'),
        izz=moments.number('izz'), ixy=moments.number('ixy'), ixz=moments.number('ixz'),
        iyz=moments.number('iyz'), location=inertia.location)


def _follows_from_shapes(body: TypedElement) -> bool:
    inertia = body.child('inertia')
    return inertia is not None and inertia.child('moment_of_inertia') is None


def _is_lost(shape: Shape) -> bool:
    geometry = shape.geometry
    return isinstance(geometry, Empty) or (isinstance(geometry, Mesh) and geometry.file is None)
