# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements of SDFormat for the links and joints of a URDF."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import Optional

from hrdf_ros.diagnostics import Locatable
from hrdf_ros.document import SourceRef
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import (
    Box,
    Capsule,
    Color,
    Coordinate,
    Cylinder,
    Geometry,
    Joint,
    Material,
    Mesh,
    Shape,
    Sphere,
)
from hrdf_ros.pose import Pose
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import new_element, NO_ATTRIBUTES, numbers
from hrdf_ros.readers.sdf.urdf_conversion.gazebo import LUMPED
from hrdf_ros.readers.sdf.urdf_conversion.links import UrdfLink, WORLD

_BLACK: Color = (0.0, 0.0, 0.0, 1.0)
_BRIGHTNESS = 0.8
"""Gazebo's share of the color of a material that is seen; libsdformat divides by it."""
_MOMENTS = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')


class Elements:
    """
    Makes elements.

    One that comes from a record is placed where that is in the URDF, any other at ``root``.
    """

    def __init__(self, root: SourceRef) -> None:
        self._root = root

    def element(
        self, tag: str, location: Optional[Locatable], text: str = '', *,
        children: Sequence[TypedElement] = (), **attributes: str,
    ) -> TypedElement:
        """Return an element."""
        origin = location if isinstance(location, SourceRef) else self._root
        made = new_element(origin, tag, text)
        made.attributes, made.children = attributes or NO_ATTRIBUTES, list(children)
        return made

    def pose(self, location: Optional[Locatable], pose: Pose, **attributes: str) -> TypedElement:
        """Return a ``<pose>``, as a quaternion: that is exact."""
        text = numbers(*pose.position, *pose.orientation)
        made = self.element('pose', location, text, rotation_format='quat_xyzw')
        made.attributes = {**made.attributes, **attributes}
        return made

    def link(self, link: UrdfLink, inertia: Inertia) -> TypedElement:
        """Return the ``<link>`` of a link; it is where the joint above it is."""
        location = link.body.location
        children = [self._inertial(inertia)]
        if link.joint is not None:
            children.insert(0, self.element('pose', location, relative_to=link.joint.name))
        return self.element('link', location, children=children, name=link.name)

    def _inertial(self, inertia: Inertia) -> TypedElement:
        location = inertia.location
        moments = [
            self.element(name, location, numbers(getattr(inertia, name))) for name in _MOMENTS]
        return self.element('inertial', location, children=(
            self.pose(location, inertia.pose),
            self.element('mass', location, numbers(inertia.mass)),
            self.element('inertia', location, children=moments)))

    def shapes(self, tag: str, link: UrdfLink) -> list[TypedElement]:
        """Return the visuals or collisions of a link."""
        shapes = link.visuals if tag == 'visual' else link.collisions
        return [self._shape(tag, shape, link, index) for index, shape in enumerate(shapes)]

    def _shape(self, tag: str, shape: Shape, link: UrdfLink, index: int) -> TypedElement:
        geometry = self.element(
            'geometry', shape.location, children=[self._geometry(shape.geometry, shape.location)])
        return self.element(
            tag, shape.location, children=(self.pose(shape.location, shape.pose), geometry),
            name=_shape_name(tag, shape, link, index))

    def _geometry(self, shape: Geometry, location: Optional[Locatable]) -> TypedElement:
        def child(tag: str, text: str) -> TypedElement:
            return self.element(tag, location, text)

        if isinstance(shape, Box):
            return self.element('box', location, children=[child('size', numbers(*shape.size))])
        if isinstance(shape, Sphere):
            radius = child('radius', numbers(shape.radius))
            return self.element('sphere', location, children=[radius])
        if isinstance(shape, (Cylinder, Capsule)):
            tag = 'cylinder' if isinstance(shape, Cylinder) else 'capsule'
            return self.element(tag, location, children=[
                child('radius', numbers(shape.radius)), child('length', numbers(shape.length))])
        assert isinstance(shape, Mesh)  # there is no other shape in URDF
        uri = shape.uri.replace('package://', 'model://', 1)
        return self.element('mesh', location, children=[
            child('uri', uri), child('scale', numbers(*shape.scale))])

    def color(self, visual: TypedElement, material: Material) -> None:
        """Give a visual the color of its material, unless an extension has given it one."""
        look = visual.child('material')
        if look is None:
            visual.children.append(look := new_element(visual, 'material'))
        if look.child('diffuse') is None and look.child('ambient') is None:
            *color, alpha = material.diffuse or _BLACK
            text = numbers(*(min(max(one / _BRIGHTNESS, 0.0), 1.0) for one in color), alpha)
            look.children += [new_element(look, tag, text) for tag in ('diffuse', 'ambient')]

    def joint(
        self, link: UrdfLink, joint: Joint, parent: UrdfLink, kind: str,
        coordinate: Optional[Coordinate], leader: str,
    ) -> TypedElement:
        """
        Return the ``<joint>`` above a link.

        ``kind`` is its type in SDFormat, ``coordinate`` that of the URDF unless it is fixed there,
        ``leader`` the joint that it mimics.
        """
        location = joint.location
        top = parent.top
        reference = '__model__' if top.name == WORLD else top.name
        children = [
            self.pose(location, link.joint_pose, relative_to=reference),
            self.element('parent', location, top.name),
            self.element('child', location, link.name)]
        if coordinate is not None:
            children.append(self._axis(joint, coordinate, leader))
        elif kind == 'revolute':
            children.append(self._locked_axis(location))
        return self.element('joint', location, children=children, name=joint.name, type=kind)

    def _axis(self, joint: Joint, coordinate: Coordinate, leader: str) -> TypedElement:
        location = coordinate.location
        lower, upper = sorted((coordinate.lower, coordinate.upper))
        limits = {'lower': lower, 'upper': upper, 'effort': coordinate.effort,
                  'velocity': coordinate.velocity}
        dynamics = {'damping': coordinate.damping, 'friction': coordinate.friction}
        children = [
            self.element('xyz', location, numbers(*joint.motions[0].axis)),
            self._group('limit', location, limits), self._group('dynamics', location, dynamics)]
        if coordinate.mimic is not None:
            mimic = self._group('mimic', location, {
                'multiplier': coordinate.mimic.multiplier, 'offset': coordinate.mimic.offset})
            mimic.attributes = {'joint': leader}
            children.append(mimic)
        return self.element('axis', location, children=children)

    def _locked_axis(self, location: Optional[Locatable]) -> TypedElement:
        return self.element('axis', location, children=[
            self.element('xyz', location, '0 0 1'),
            self._group('limit', location, {'lower': 0.0, 'upper': 0.0})])

    def _group(
        self, tag: str, location: Optional[Locatable], values: dict[str, float],
    ) -> TypedElement:
        return self.element(tag, location, children=[
            self.element(name, location, numbers(value)) for name, value in values.items()
            if math.isfinite(value)])

    def frames(self, link: UrdfLink) -> tuple[TypedElement, TypedElement]:
        """Return the frames that a lumped link and the fixed joint above it leave behind."""
        joint = link.joint
        assert joint is not None  # so it could be lumped
        return (
            self._frame(joint.name, joint.location, link),
            self._frame(link.name, link.body.location, link))

    def _frame(self, name: str, location: Optional[Locatable], link: UrdfLink) -> TypedElement:
        return self.element(
            'frame', location, children=[self.pose(location, link.top_from_link)], name=name,
            attached_to=link.top.name)


def _shape_name(tag: str, shape: Shape, link: UrdfLink, index: int) -> str:
    """Return the name that libsdformat gives a visual or collision."""
    count = f'_{index}' if index else ''
    name = f'{shape.name or link.name}_{tag}{count}'
    return name if name.startswith(link.name) else f'{link.name}{LUMPED}{name}'
