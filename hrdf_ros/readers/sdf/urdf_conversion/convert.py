# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The Model of a URDF -> the elements of the SDFormat file that libsdformat makes of it.

Links at the ends of fixed joints become one link, the ``<gazebo>`` elements are applied to their
subjects, links without mass are dropped, visuals and collisions are renamed. The elements are of
SDFormat 1.11 and keep their places in the URDF.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
import math
from typing import Optional, Union

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import listed, Locatable, Report
from hrdf_ros.document import SourceRef
from hrdf_ros.fields import default_of, placed, unheld
from hrdf_ros.inertia import Inertia
from hrdf_ros.pose import compose, from_rpy, Pose, to_rpy
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import new_element, numbers, set_child
from hrdf_ros.readers.sdf.file import checked_file, SdfFile
from hrdf_ros.readers.sdf.urdf_conversion.gazebo import (
    Extension,
    ExtensionTable,
    LUMPED,
    parsed,
    read_extensions,
    TooManyElements,
    vector_or_zeros,
)
from hrdf_ros.readers.sdf.urdf_conversion.links import Link, lump, read_links, WORLD

_VERSION = (1, 11)
_NAMED = ('frame', 'joint', 'link', 'model')
_TYPES = ('continuous', 'fixed', 'prismatic', 'revolute')
"""The joint types that SDFormat has too."""
_BRIGHTNESS = 0.8
"""Gazebo's share of the color of a material that is seen; libsdformat divides by it."""
_Content = Union[str, Sequence[TypedElement], Mapping[str, str]]
"""The text of an element, its children, or their texts by tag."""


def convert(model: m.Model, report: Report, *, strict_names: bool) -> Optional[SdfFile]:
    """
    Return a URDF as an SDFormat file, None with the reason in the report.

    Differences from the URDF are reported.
    """
    links = read_links(model, report)
    if links is None or not isinstance(model.location, SourceRef):
        return None
    extensions = read_extensions(model)
    preserved, unlocked = (
        frozenset(found.link for found in extensions if found.is_on(setting))
        for setting in ('preserveFixedJoint', 'disableFixedJointLumping'))
    unlocked -= preserved
    lump(links, preserved | unlocked)
    modeled = _modeled(links, report)
    table = ExtensionTable(extensions, links)
    try:
        element = _Conversion(model, table, unlocked).sdf(model.location, modeled, links)
    except TooManyElements:
        report.add(
            codes.TOO_MANY_ELEMENTS,
            f'there are more than {model.location.document.limits.elements} elements with the '
            'ones that <gazebo> adds to visuals and collisions', model.location)
        return None
    _report_changes(model, links, modeled, extensions, unlocked, report)
    return checked_file(element, _VERSION, report, strict_names=strict_names)


def _modeled(links: Sequence[Link], report: Report) -> list[Link]:
    """Return the links that become links: below one without mass there are none."""
    found: list[Link] = []
    dropped: set[Link] = set()
    for link in links:
        if link.parent in dropped:
            dropped.add(link)
        elif link.is_lumped or link.parent is None and link.name == WORLD:
            pass
        elif link.inertia is None or link.inertia.mass <= 0.0:
            dropped.add(link)
            below = ' and all below it' if link.is_parent else ''
            report.add(
                codes.SDF_URDF_LINK_DROPPED,
                f"the link '{link.name}' has no mass; libsdformat drops it{below}",
                link.body.location,
                hint='give it an <inertial>, or make the joint above or below it fixed')
        else:
            found.append(link)
    return found


class _Conversion:
    """
    Makes the elements of SDFormat, each where its record is in the URDF.

    ``unlocked`` are the fixed joints that become revolute ones without room to move.
    """

    def __init__(
        self, model: m.Model, extensions: ExtensionTable, unlocked: Collection[str],
    ) -> None:
        self._model = model
        self._extensions = extensions
        self._unlocked = unlocked

    def sdf(self, root: SourceRef, modeled: Sequence[Link], links: Sequence[Link]) -> TypedElement:
        """Return the ``<sdf>`` element."""
        tops = set(modeled)
        model = _element(root, 'model', [], name=self._model.name)
        for link in modeled:
            if link.joint is not None and link.parent is not None and link.joint.type in _TYPES:
                model.children.append(self._joint(link, link.joint, link.parent))
            model.children.append(self._link(link))
        self._extensions.extend(model, '')
        _place(model, root)
        taken = {child.get('name') for child in model.children if child.tag in _NAMED}
        lumped = [link for link in links if link.is_lumped and link.top in tops]
        for frame in [each for link in lumped for each in _frames(link)]:
            if frame.get('name') not in taken:
                taken.add(frame.get('name'))
                model.children.append(frame)
        return _element(root, 'sdf', [model], version='.'.join(map(str, _VERSION)))

    def _link(self, link: Link) -> TypedElement:
        """Return the ``<link>`` of a link; it is where the joint above it is."""
        location = link.body.location
        element = _element(location, 'link', [], name=link.name)
        if link.joint is not None:
            element.children.append(_element(location, 'pose', relative_to=link.joint.name))
        if link.inertia is not None:
            element.children.append(_inertial(link.inertia))
        for tag, shapes in (('collision', link.collisions), ('visual', link.visuals)):
            for index, shape in enumerate(shapes):
                made = _shape(tag, shape, link.name, index)
                self._extensions.extend_shape(made, link.name)
                if shape.material is not None:
                    _add_color(made, shape.material)
                element.children.append(made)
        self._extensions.extend(element, link.name)
        return element

    def _joint(self, link: Link, joint: m.Joint, parent: Link) -> TypedElement:
        """Return the ``<joint>`` above a link."""
        location, top, kind = joint.location, parent.top.name, joint.type
        if kind == 'continuous' or joint.name in self._unlocked:
            kind = 'revolute'
        pose = compose(parent.top_from_link, joint.parent_from_joint)
        element = _element(location, 'joint', [
            _pose(location, pose, relative_to='__model__' if top == WORLD else top),
            _element(location, 'parent', top),
            _element(location, 'child', link.name)], name=joint.name, type=kind)
        if joint.motions:
            element.children.append(self._axis(
                joint, self._model.coordinates[joint.motions[0].coordinates[0]]))
        elif kind == 'revolute':
            element.children.append(_element(location, 'axis', [
                _element(location, 'xyz', '0 0 1'),
                _element(location, 'limit', {'lower': '0', 'upper': '0'})]))
        self._extensions.extend(element, joint.name)
        return element

    def _axis(self, joint: m.Joint, coordinate: m.Coordinate) -> TypedElement:
        location, mimic = coordinate.location, coordinate.mimic
        limits = placed(coordinate, 'sdf', 'limit')
        limits['lower'], limits['upper'] = sorted((coordinate.lower, coordinate.upper))
        axis = _element(location, 'axis', [
            _element(location, 'xyz', numbers(*joint.motions[0].axis)),
            _element(location, 'limit', _finite(limits)),
            _element(location, 'dynamics', _finite(placed(coordinate, 'sdf', 'dynamics')))])
        if mimic is not None:
            axis.children.append(_element(
                location, 'mimic', _finite({
                    'multiplier': mimic.multiplier, 'offset': mimic.offset}),
                joint=self._model.coordinates[mimic.leader].name))
        return axis


# ---- elements

def _element(
    location: Optional[Locatable], tag: str, content: _Content = '', **attributes: str,
) -> TypedElement:
    assert isinstance(location, SourceRef)  # the reader of URDF gives every record its place
    if isinstance(content, Mapping):
        content = [new_element(location, *item) for item in content.items()]
    return new_element(location, tag, content, attributes)


def _pose(location: Optional[Locatable], pose: Pose, **attributes: str) -> TypedElement:
    """Return a ``<pose>``, as a quaternion: that is exact."""
    return _element(
        location, 'pose', numbers(*pose.position, *pose.orientation),
        rotation_format='quat_xyzw', **attributes)


def _finite(values: Mapping[str, float]) -> dict[str, str]:
    """Return the finite ones of some values as texts, by tag."""
    return {tag: numbers(value) for tag, value in values.items() if math.isfinite(value)}


def _inertial(inertia: Inertia) -> TypedElement:
    location = inertia.location
    return _element(location, 'inertial', [
        _pose(location, inertia.pose),
        _element(location, 'mass', numbers(inertia.mass)),
        _element(location, 'inertia', _finite(placed(inertia, 'sdf', 'inertia')))])


def _shape(tag: str, shape: m.Shape, link: str, index: int) -> TypedElement:
    """Return a ``<visual>`` or ``<collision>`` of a link, named as libsdformat names it."""
    count = f'_{index}' if index else ''
    name = f'{shape.name or link}_{tag}{count}'
    kind, values = _geometry(shape.geometry)
    return _element(
        shape.location, tag, [
            _pose(shape.location, shape.pose),
            _element(shape.location, 'geometry', [_element(shape.location, kind, values)])],
        name=name if name.startswith(link) else f'{link}{LUMPED}{name}')


def _geometry(shape: m.Geometry) -> tuple[str, dict[str, str]]:
    """Return the tag of a geometry, and the texts of its elements by tag."""
    if isinstance(shape, m.Box):
        return 'box', {'size': numbers(*shape.size)}
    if isinstance(shape, m.Mesh):
        uri = shape.uri.replace('package://', 'model://', 1)
        return 'mesh', {'uri': uri, 'scale': numbers(*shape.scale)}
    assert isinstance(shape, (m.Capsule, m.Cylinder, m.Sphere))  # URDF has no other shape
    values = {field: numbers(value) for field, value in zip(shape._fields, shape)}
    return type(shape).__name__.lower(), values


def _add_color(visual: TypedElement, material: m.Material) -> None:
    """Give a visual the color of its material, unless an extension has given it one."""
    look = visual.child('material')
    if look is None:
        visual.children.append(look := new_element(visual, 'material'))
    if look.child('diffuse') is None and look.child('ambient') is None:
        *color, alpha = material.diffuse or (0.0, 0.0, 0.0, 1.0)
        text = numbers(*(min(max(one / _BRIGHTNESS, 0.0), 1.0) for one in color), alpha)
        look.children += [new_element(look, tag, text) for tag in ('diffuse', 'ambient')]


def _frames(link: Link) -> list[TypedElement]:
    """Return the frames that a lumped link and the fixed joint above it leave behind."""
    assert link.joint is not None  # so it could be lumped
    return [
        _element(
            part.location, 'frame', [_pose(part.location, link.top_from_link)], name=part.name,
            attached_to=link.top.name)
        for part in (link.joint, link.body)]


def _place(model: TypedElement, root: SourceRef) -> None:
    """Apply the pose of the robot's ``<origin>``, which only libsdformat reads."""
    start = root.document.child_start(root.start, 'origin')
    for origin in [] if start is None else parsed([SourceRef(root.document, start)]):
        pose = from_rpy(*(
            vector_or_zeros(origin.attributes.get(name, '')) for name in ('xyz', 'rpy')))
        set_child(model, new_element(origin, 'pose', numbers(*pose.position, *to_rpy(pose))))


# ---- changes

def _report_changes(
    model: m.Model, links: Sequence[Link], modeled: Sequence[Link],
    extensions: Sequence[Extension], unlocked: Collection[str], report: Report,
) -> None:
    """Report the other changes of a conversion, each kind of change once."""
    def add(change: str, location: Optional[Locatable], hint: Optional[str] = None) -> None:
        report.add(codes.SDF_URDF_CONVERTED, change, location, hint=hint)

    lumped = [link for link in links if link.is_lumped]
    if lumped:
        add(f'fixed joints make links parts of others: {listed([each.name for each in lumped])}',
            lumped[0].body.location, '<preserveFixedJoint>true</preserveFixedJoint> in a '
            '<gazebo reference="JOINT"> keeps one')
    for joint in (link.joint for link in modeled if link.joint is not None):
        limits = [model.coordinates[motion.coordinates[0]] for motion in joint.motions]
        if joint.type in ('floating', 'planar'):
            add(f"SDFormat has no {joint.type} joint: '{joint.name}' is dropped", joint.location)
        elif joint.name in unlocked:
            add(f"the fixed joint '{joint.name}' becomes a revolute joint with the limits 0",
                joint.location, '<preserveFixedJoint> keeps it fixed')
        elif limits and limits[0].lower > limits[0].upper:
            add(f"the limits of '{joint.name}' are exchanged: the lower one is the greater",
                joint.location)
        for noun in _lost(limits):
            add(f"SDFormat has no place for {noun}: '{joint.name}'", joint.location)
    shapes = [shape for link in modeled for shape in (*link.visuals, *link.collisions)]
    if shapes:
        add(f'{len(shapes)} visuals and collisions have other names: that of the link, or their '
            'own, with _visual or _collision', shapes[0].location)
    if extensions:
        add(f'the content of <gazebo> elements is applied: {len(extensions)}',
            extensions[0].location)
    kept = [
        model.extensions, *(body.extensions for body in model.bodies),
        *(joint.extensions for joint in model.joints)]
    lost = [raw for raws in kept for raw in raws if raw.tag != 'gazebo']
    if lost:
        tags = dict.fromkeys(f'<{raw.tag}>' for raw in lost)
        add(f"elements that SDFormat has no place for are dropped: {', '.join(tags)}",
            lost[0].location)


def _lost(coordinates: Sequence[m.Coordinate]) -> list[str]:
    """Return the nouns of the values that SDFormat has no place for."""
    return [
        field.noun for coordinate in coordinates
        for name, field in unheld(type(coordinate), ['sdf']).items()
        if getattr(coordinate, name) != default_of(type(coordinate), name)]
