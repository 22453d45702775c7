# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read bodies: where they are, their inertia with its defaults, and their shapes."""

from collections.abc import Callable, Sequence
from functools import partial
import os
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import replacement, Report
from hrdf_ros.inertia import from_tensor, Inertia, Tensor
from hrdf_ros.model import Body, shapes
from hrdf_ros.model.shapes import Shape
from hrdf_ros.pose import compose, dot, IDENTITY, normalized, Pose, translation, Vector, Z_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.skel.solids import mesh_extents, shares, tensor_of_shares
from hrdf_ros.resolve import Resolver

_MOMENTS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_UNIT_TENSOR: Tensor = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)


class BodyReader:
    """The reader of the bodies of a file, which measures each mesh once."""

    def __init__(self, report: Report, resolver: Resolver, file: str) -> None:
        self.report = report
        self.resolver = resolver
        self.file = file
        self._extents: dict[str, Optional[Vector]] = {}

    def _measured(self, file: str) -> Optional[Vector]:
        """Return the extents of a mesh file; it is read only once."""
        if file not in self._extents:
            source = self.resolver.read(file, Report())
            self._extents[file] = None if source is None else mesh_extents(source)
        return self._extents[file]

    def body(
        self, name: str, source_name: str, elements: Sequence[TypedElement],
        world_from_skeleton: Pose,
    ) -> Body:
        """
        Return a body; DART uses only the shapes of a later body with the same name.

        The tensor follows from the shapes up to the last of these bodies that states no tensor.
        """
        first = elements[0]
        for other in elements[1:]:
            self.report.add(
                codes.DUPLICATE_NAME,
                f"duplicate body '{name}': its shapes are added to the first one, the rest of it "
                'is ignored', other.attribute_location('name'), severity='warning')
        if not first.boolean('gravity'):
            self.report.add(
                codes.DETAIL_NOT_PRESERVED,
                f"that gravity does not act on '{name}' is not preserved", first.location)
        inertia = _read_inertia(first)
        visuals: list[Shape] = []
        collisions: list[Shape] = []
        last: Optional[TypedElement] = None
        for element in elements:
            soft = element.child('soft_shape')
            if soft is not None:
                self.report.add(
                    codes.SKEL_SOFT_BODY, 'of this soft body only the rigid part is read',
                    soft.location)
            visuals += map(self._visual, element.all('visualization_shape'))
            collisions += map(self._collision, element.all('collision_shape'))
            if follows_from_shapes(element) and (visuals or collisions):
                last, known = element, (len(visuals), len(collisions))
        if last is not None:
            inertia = self._inertia_of_shapes(
                last, inertia, visuals[:known[0]] + collisions[:known[1]])
        pose = compose(world_from_skeleton, first.pose('transformation'))
        return Body(
            name, source_name, inertia, tuple(visuals), tuple(collisions), pose=pose,
            location=first.location)

    def _inertia_of_shapes(
        self, body: TypedElement, inertia: Inertia, found: Sequence[Shape],
    ) -> Inertia:
        """Return an inertia with the tensor that follows from shapes, unless it has no mass."""
        lost = next(filter(_is_lost, found), None)
        if lost is not None:
            self.report.add(
                codes.INERTIA_WITHOUT_SHAPE,
                'the inertia would follow from a shape that is not there; DART crashes',
                lost.location, hint='give a <moment_of_inertia>', cause='<geometry>')
            return inertia
        if inertia.mass <= 0.0:
            return inertia
        location = (body.child('inertia') or body).location
        parts = shares(found, self._measured)
        if len(parts) < len(found):
            self.report.add(
                codes.MESH_INERTIA_UNKNOWN,
                'the extents of a mesh are not known, so it is not part of the inertia; '
                'DART counts the box around it', location,
                hint='give a <moment_of_inertia>')
        if not parts:
            return inertia
        if len(found) > 1 or found[0].pose != inertia.pose:
            self.report.add(
                codes.SKEL_INERTIA_BY_SHAPES,
                'the tensor follows from all shapes, as in DART 6.20; '
                'DART 6.12 and older take the first shape only, unplaced',
                location,
            )
        tensor = tensor_of_shares(inertia.mass, inertia.pose.position, parts)
        return from_tensor(inertia.mass, inertia.pose, tensor, location)

    # ---- shapes

    def _visual(self, element: TypedElement) -> Shape:
        return self._shape(element, self._material(element))

    def _collision(self, element: TypedElement) -> Shape:
        """Read a ``<collision_shape>``; DART reads ``<collidable>`` as a number, not as a word."""
        if element.number('collidable') == 0.0:
            self.report.add(
                codes.DETAIL_NOT_PRESERVED,
                '<collidable> is about simulation in DART and is not preserved',
                element.locate('collidable'))
        shape = self._shape(element)
        if isinstance(shape.geometry, shapes.Empty):
            self.report.add(
                codes.COLLISION_WITHOUT_SHAPE, 'a collision without geometry makes DART crash',
                element.location)
        elif isinstance(shape.geometry, shapes.Mesh):
            self._check_collision_mesh(shape.geometry, element)
        return shape

    def _check_collision_mesh(self, mesh: shapes.Mesh, element: TypedElement) -> None:
        """Report a mesh that is not found as an error, because DART crashes."""
        if mesh.uri and (mesh.file is None or os.path.isdir(mesh.file)):
            file_name = element.value_location('geometry/mesh/file_name')
            self.report.add(
                codes.MESH_NOT_FOUND,
                f"the mesh file '{mesh.uri}' of a collision is not found; DART crashes",
                file_name, severity='error',
                hint=partial(self.resolver.similar_to_uri, mesh.uri, self.file))

    def _shape(self, element: TypedElement, material: Optional[shapes.Material] = None) -> Shape:
        geometry = element.child('geometry')
        chosen = None if geometry is None else geometry.choice()
        return Shape(
            '', shapes.Empty() if chosen is None else _SHAPES[chosen.tag](self, chosen),
            element.pose('transformation'), material, element.location)

    def cylinder(self, element: TypedElement) -> shapes.Cylinder:
        """Read a ``<cylinder>``; the documentation sometimes calls its height ``<length>``."""
        length = element.child('length')
        height = 'height'
        if length is not None and element.has('height'):
            self.report.add(
                codes.NO_EFFECT, '<length> has no effect beside <height>', length.location)
        elif length is not None:
            height = 'length'
            self.report.add(
                codes.SKEL_SPEC_OVER_DART, '<length> is read as <height>; DART refuses the file',
                length.location, hint='write <height>',
                fix=replacement('length', 'height', length.location))
        return shapes.Cylinder(element.number('radius'), element.number(height))

    def plane(self, element: TypedElement) -> shapes.Plane:
        """Read a ``<plane>`` by its normal, and its offset or a point on it."""
        normal = normalized(element.vector3('normal'))
        if normal is None:
            self.report.add(
                codes.AXIS_ZERO, 'the normal of a plane is zero', element.locate('normal'),
                severity='error')
            return shapes.Plane(Z_AXIS)
        if element.has('offset') or not element.has('point'):
            return shapes.Plane(normal, offset=element.number('offset'))
        return shapes.Plane(normal, offset=dot(normal, element.vector3('point')))

    def mesh(self, element: TypedElement) -> shapes.Mesh:
        """Read a ``<mesh>``; DART leaves out a visual whose file is not found."""
        uri, scale = element.string('file_name'), element.vector3('scale')
        file = self.resolver.find(uri, self.file) if uri else None
        return shapes.Mesh(uri, file, scale)

    def _material(self, element: TypedElement) -> Optional[shapes.Material]:
        color = element.child('color')
        values = None if color is None else element.numbers('color')
        if color is None or not values:
            return None
        if not all(0.0 <= value <= 1.0 for value in values):
            self.report.add(
                codes.BAD_VALUE, 'the numbers of a color are from 0 to 1; they are cut off',
                color.text_location(), severity='warning')
        red, green, blue, alpha = (
            min(max(value, 0.0), 1.0) for value in (*values, 1.0)[:4])
        return shapes.Material(diffuse=(red, green, blue, alpha))


def _read_inertia(body: TypedElement) -> Inertia:
    """Read ``<inertia>``; its defaults are 1 kg and the unit tensor, as in DART."""
    inertia = body.child('inertia')
    if inertia is None:
        return from_tensor(1.0, IDENTITY, _UNIT_TENSOR)
    mass, center = inertia.number('mass'), translation(*inertia.vector3('offset'))
    moments = inertia.child('moment_of_inertia')
    if moments is None:
        return from_tensor(mass, center, _UNIT_TENSOR, inertia.location)
    xx, yy, zz, xy, xz, yz = map(moments.number, _MOMENTS)
    return Inertia(mass, center, xx, yy, zz, xy, xz, yz, inertia.location)


def follows_from_shapes(body: TypedElement) -> bool:
    """Return whether the inertia tensor of a body follows from its shapes."""
    inertia = body.child('inertia')
    return inertia is not None and inertia.child('moment_of_inertia') is None


def _is_lost(shape: Shape) -> bool:
    geometry = shape.geometry
    return isinstance(geometry, shapes.Empty) or (
        isinstance(geometry, shapes.Mesh) and geometry.file is None)


def _halves(size: Vector) -> Vector:
    x, y, z = size
    return x / 2.0, y / 2.0, z / 2.0


_SHAPES: dict[str, Callable[[BodyReader, TypedElement], shapes.Geometry]] = {
    'sphere': lambda _, shape: shapes.Sphere(shape.number('radius')),
    'box': lambda _, shape: shapes.Box(shape.vector3('size')),
    'ellipsoid': lambda _, shape: shapes.Ellipsoid(_halves(shape.vector3('size'))),
    'cylinder': BodyReader.cylinder,
    'capsule': lambda _, shape: shapes.Capsule(shape.number('radius'), shape.number('height')),
    'cone': lambda _, shape: shapes.Cone(shape.number('radius'), shape.number('height')),
    'pyramid': lambda _, shape: shapes.Pyramid(
        shape.number('base_width'), shape.number('base_depth'), shape.number('height')),
    'plane': BodyReader.plane,
    'multi_sphere': lambda _, shape: shapes.MultiSphere(tuple(
        (ball.number('radius'), ball.vector3('position')) for ball in shape.all('sphere'))),
    'mesh': BodyReader.mesh,
}
