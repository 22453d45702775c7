# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The Model of a URDF -> the elements of the SDFormat file that libsdformat makes of it.

Links at the ends of fixed joints become one link, the ``<gazebo>`` elements are applied to their
subjects, links without mass are dropped, visuals and collisions are renamed. The elements are of
SDFormat 1.11 and keep their places in the URDF.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import math
from typing import Optional, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Report
from hrdf_ros.document import SourceRef
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import (
    Box,
    Capsule,
    Coordinate,
    Cylinder,
    Geometry,
    Joint,
    Material,
    Mesh,
    Model,
    Shape,
    Sphere,
    ZERO,
)
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.urdf import vector3
from hrdf_ros.pose import from_rpy, Pose, to_rpy
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import new_element, NO_ATTRIBUTES, numbers, set_child
from hrdf_ros.readers.sdf.file import checked_file, SdfFile
from hrdf_ros.readers.sdf.urdf_conversion.gazebo import (
    extend,
    extend_shape,
    Extension,
    LUMPED,
    move_extensions,
    parsed,
    read_extensions,
    ShapeExtensions,
    TooManyElements,
)
from hrdf_ros.readers.sdf.urdf_conversion.links import link_tree, lump, release, UrdfLink, WORLD
from hrdf_ros.readers.sdf.urdf_conversion.report import report_changes, report_dropped

_VERSION = (1, 11)
_NAMED = ('frame', 'joint', 'link', 'model')
_TYPES = ('continuous', 'fixed', 'prismatic', 'revolute')
"""The joint types that SDFormat has too."""
_BRIGHTNESS = 0.8
"""Gazebo's share of the color of a material that is seen; libsdformat divides by it."""
_MOMENTS = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')
_Content = Union[str, Sequence[TypedElement], Mapping[str, str]]
"""The text of an element, its children, or their texts by tag."""


def convert(model: Model, report: Report, *, strict_names: bool) -> Optional[SdfFile]:
    """
    Return a URDF as an SDFormat file, None with the reason in the report.

    Differences from the URDF are reported.
    """
    root = link_tree(model, report)
    if root is None or not isinstance(model.location, SourceRef):
        return None
    extensions = read_extensions(model)
    preserved, unlocked = (
        frozenset(found.link for found in extensions if found.is_on(setting))
        for setting in ('preserveFixedJoint', 'disableFixedJointLumping'))
    unlocked -= preserved
    lumped = lump(root, preserved | unlocked)
    by_subject = move_extensions(extensions, {link.name: link for link in lumped})
    modeled = _modeled(root, report)
    try:
        element = _Conversion(model, model.location, by_subject, unlocked).sdf(modeled, lumped)
    except TooManyElements:
        report.add(
            codes.TOO_MANY_ELEMENTS,
            f'there are more than {model.location.document.limits.elements} elements with the '
            'ones that <gazebo> adds to visuals and collisions', model.location)
        return None
    report_changes(model, lumped, modeled, extensions, unlocked, report)
    release(root)
    return checked_file(element, _VERSION, report, strict_names=strict_names)


def _modeled(root: UrdfLink, report: Report) -> list[UrdfLink]:
    """Return the links that become links: below one without mass there are none."""
    found = []
    pending = [root]
    while pending:
        link = pending.pop()
        if link.is_lumped or link is root and link.name == WORLD:
            pass
        elif link.inertia is None or link.inertia.mass <= 0.0:
            report_dropped(link, report)
            continue
        else:
            found.append(link)
        pending.extend(reversed(link.children))
    return found


class _Conversion:
    """
    Makes the elements of SDFormat.

    An element for a record is placed where that is in the URDF, any other at the root.
    ``extensions`` are by the link or joint that they are for; ``unlocked`` are the fixed joints
    that become revolute ones without room to move.
    """

    def __init__(
        self, model: Model, root: SourceRef, extensions: Mapping[str, Sequence[Extension]],
        unlocked: frozenset[str],
    ) -> None:
        self._model = model
        self._root = root
        self._extensions = extensions
        self._unlocked = unlocked

    def sdf(self, modeled: Sequence[UrdfLink], lumped: Sequence[UrdfLink]) -> TypedElement:
        """Return the ``<sdf>`` element."""
        tops = set(modeled)
        model = self._element('model', None, [], name=self._model.name)
        for link in modeled:
            if link.joint is not None and link.parent is not None and link.joint.type in _TYPES:
                model.children.append(self._joint(link, link.joint, link.parent))
            model.children.append(self._link(link))
        extend(model, self._extensions.get('', ()))
        self._place(model)
        taken = {child.get('name') for child in model.children if child.tag in _NAMED}
        for frame in [each for link in lumped if link.top in tops for each in self._frames(link)]:
            if frame.get('name') not in taken:
                taken.add(frame.get('name'))
                model.children.append(frame)
        return self._element('sdf', None, [model], version='.'.join(map(str, _VERSION)))

    def _place(self, element: TypedElement) -> None:
        """Apply the pose of the robot's ``<origin>``, which only libsdformat reads."""
        robot = self._root
        start = robot.document.child_start(robot.start, 'origin')
        for origin in [] if start is None else parsed([SourceRef(robot.document, start)]):
            pose = from_rpy(_vector(origin, 'xyz'), _vector(origin, 'rpy'))
            set_child(element, new_element(
                origin, 'pose', numbers(*pose.position, *to_rpy(pose))))

    # ---- elements

    def _element(
        self, tag: str, location: Optional[Locatable], content: _Content = '', **attributes: str,
    ) -> TypedElement:
        origin = location if isinstance(location, SourceRef) else self._root
        made = new_element(origin, tag, content if isinstance(content, str) else '')
        made.attributes = attributes or NO_ATTRIBUTES
        if isinstance(content, Mapping):
            made.children = [new_element(origin, *item) for item in content.items()]
        elif not isinstance(content, str):
            made.children = list(content)
        return made

    def _pose(self, location: Optional[Locatable], pose: Pose, **attributes: str) -> TypedElement:
        """Return a ``<pose>``, as a quaternion: that is exact."""
        return self._element(
            'pose', location, numbers(*pose.position, *pose.orientation),
            rotation_format='quat_xyzw', **attributes)

    def _frames(self, link: UrdfLink) -> list[TypedElement]:
        """Return the frames that a lumped link and the fixed joint above it leave behind."""
        assert link.joint is not None  # so it could be lumped
        return [
            self._element(
                'frame', location, [self._pose(location, link.top_from_link)], name=name,
                attached_to=link.top.name)
            for name, location in (
                (link.joint.name, link.joint.location), (link.name, link.body.location))]

    # ---- links

    def _link(self, link: UrdfLink) -> TypedElement:
        """Return the ``<link>`` of a link; it is where the joint above it is."""
        assert link.inertia is not None  # else it is not modeled
        location, extensions = link.body.location, self._extensions.get(link.name, ())
        of_shapes = ShapeExtensions(link.name, extensions)
        element = self._element('link', location, [self._inertial(link.inertia)], name=link.name)
        if link.joint is not None:
            element.children.insert(0, self._element(
                'pose', location, relative_to=link.joint.name))
        for tag, shapes in (('collision', link.collisions), ('visual', link.visuals)):
            for index, shape in enumerate(shapes):
                made = self._shape(tag, shape, link.name, index)
                extend_shape(made, of_shapes.of(made))
                if shape.material is not None:
                    _add_color(made, shape.material)
                element.children.append(made)
        extend(element, extensions)
        return element

    def _inertial(self, inertia: Inertia) -> TypedElement:
        location = inertia.location
        return self._element('inertial', location, [
            self._pose(location, inertia.pose),
            self._element('mass', location, numbers(inertia.mass)),
            self._element('inertia', location, {
                name: numbers(getattr(inertia, name)) for name in _MOMENTS})])

    def _shape(self, tag: str, shape: Shape, link: str, index: int) -> TypedElement:
        kind, values = _geometry(shape.geometry)
        geometry = self._element(kind, shape.location, values)
        count = f'_{index}' if index else ''
        name = f'{shape.name or link}_{tag}{count}'
        return self._element(
            tag, shape.location, [
                self._pose(shape.location, shape.pose),
                self._element('geometry', shape.location, [geometry])],
            name=name if name.startswith(link) else f'{link}{LUMPED}{name}')

    # ---- joints

    def _joint(self, link: UrdfLink, joint: Joint, parent: UrdfLink) -> TypedElement:
        """Return the ``<joint>`` above a link."""
        location, top = joint.location, parent.top.name
        kind = joint.type
        if kind == 'continuous' or joint.name in self._unlocked:
            kind = 'revolute'
        children = [
            self._pose(
                location, link.joint_pose, relative_to='__model__' if top == WORLD else top),
            self._element('parent', location, top),
            self._element('child', location, link.name)]
        if joint.motions:
            children.append(self._axis(
                joint, self._model.coordinates[joint.motions[0].coordinates[0]]))
        elif kind == 'revolute':
            children.append(self._element('axis', location, [
                self._element('xyz', location, '0 0 1'),
                self._element('limit', location, _finite(lower=0.0, upper=0.0))]))
        element = self._element('joint', location, children, name=joint.name, type=kind)
        extend(element, self._extensions.get(joint.name, ()))
        return element

    def _axis(self, joint: Joint, coordinate: Coordinate) -> TypedElement:
        location, mimic = coordinate.location, coordinate.mimic
        lower, upper = sorted((coordinate.lower, coordinate.upper))
        axis = self._element('axis', location, [
            self._element('xyz', location, numbers(*joint.motions[0].axis)),
            self._element('limit', location, _finite(
                lower=lower, upper=upper, effort=coordinate.effort,
                velocity=coordinate.velocity)),
            self._element('dynamics', location, _finite(
                damping=coordinate.damping, friction=coordinate.friction))])
        if mimic is not None:
            axis.children.append(self._element(
                'mimic', location, _finite(multiplier=mimic.multiplier, offset=mimic.offset),
                joint=self._model.coordinates[mimic.leader].name))
        return axis


def _finite(**values: float) -> dict[str, str]:
    """Return the finite ones of some values as texts by tag."""
    return {tag: numbers(value) for tag, value in values.items() if math.isfinite(value)}


def _geometry(shape: Geometry) -> tuple[str, dict[str, str]]:
    """Return the tag of a geometry, and the texts of its elements by tag."""
    if isinstance(shape, Box):
        return 'box', {'size': numbers(*shape.size)}
    if isinstance(shape, Sphere):
        return 'sphere', {'radius': numbers(shape.radius)}
    if isinstance(shape, (Cylinder, Capsule)):
        return 'cylinder' if isinstance(shape, Cylinder) else 'capsule', {
            'radius': numbers(shape.radius), 'length': numbers(shape.length)}
    assert isinstance(shape, Mesh)  # there is no other shape in URDF
    return 'mesh', {
        'uri': shape.uri.replace('package://', 'model://', 1), 'scale': numbers(*shape.scale)}


def _add_color(visual: TypedElement, material: Material) -> None:
    """Give a visual the color of its material, unless an extension has given it one."""
    look = visual.child('material')
    if look is None:
        visual.children.append(look := new_element(visual, 'material'))
    if look.child('diffuse') is None and look.child('ambient') is None:
        *color, alpha = material.diffuse or (0.0, 0.0, 0.0, 1.0)
        text = numbers(*(min(max(one / _BRIGHTNESS, 0.0), 1.0) for one in color), alpha)
        look.children += [new_element(look, tag, text) for tag in ('diffuse', 'ambient')]


def _vector(origin: TypedElement, name: str) -> tuple[float, ...]:
    """Return an attribute of the robot's origin, zeros where it is faulty, as libsdformat does."""
    try:
        return vector3(origin.attributes.get(name, '0 0 0'))
    except ValueSyntaxError:
        return ZERO
