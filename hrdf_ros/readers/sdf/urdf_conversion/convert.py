# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The Model of a URDF -> the elements of the SDFormat file that libsdformat makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.model import Model, ZERO
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.urdf import vector3
from hrdf_ros.pose import from_rpy, to_rpy
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import new_element, numbers, set_child
from hrdf_ros.readers.sdf.file import checked_file, SdfFile
from hrdf_ros.readers.sdf.urdf_conversion.elements import Elements
from hrdf_ros.readers.sdf.urdf_conversion.gazebo import (
    CopyLimit,
    extend_collision,
    extend_joint,
    extend_link,
    extend_model,
    extend_visual,
    Extension,
    MOST_COPIES,
    parsed,
    read_extensions,
    ShapeExtensions,
    TooManyCopies,
)
from hrdf_ros.readers.sdf.urdf_conversion.links import link_tree, lump, release, UrdfLink, WORLD
from hrdf_ros.readers.sdf.urdf_conversion.lumped_content import move_extensions
from hrdf_ros.readers.sdf.urdf_conversion.report import report_changes, report_dropped

_VERSION = (1, 11)
_NAMED = ('frame', 'joint', 'link', 'model')
_TYPES = {'continuous': 'revolute', 'revolute': 'revolute', 'prismatic': 'prismatic',
          'fixed': 'fixed'}
"""The joint types of SDFormat; floating and planar joints have none."""


class _Conversion(NamedTuple):
    """What one conversion works with: extensions are by the link or joint that they are for."""

    model: Model
    make: Elements
    extensions: dict[str, list[Extension]]
    unlocked: frozenset[str]
    """The fixed joints that become revolute ones without room to move."""
    limit: CopyLimit


def convert(model: Model, report: Report, *, strict_names: bool) -> Optional[SdfFile]:
    """
    Return a URDF as an SDFormat file, None with the reason in the report.

    What of it is not as in the URDF is reported.
    """
    root = link_tree(model, report)
    if root is None or not isinstance(model.location, SourceRef):
        return None
    extensions = read_extensions(model)
    preserved = _joints(extensions, 'preserveFixedJoint')
    unlocked = _joints(extensions, 'disableFixedJointLumping') - preserved
    lumped = lump(root, preserved | unlocked)
    conversion = _Conversion(
        model=model, make=Elements(model.location), unlocked=unlocked, limit=CopyLimit(),
        extensions=move_extensions(extensions, {link.name: link for link in lumped}))
    modeled = _modeled(root, report)
    try:
        element = _sdf(conversion, modeled, lumped)
    except TooManyCopies:
        report.add(
            codes.TOO_MANY_ELEMENTS,
            f'its <gazebo> elements add more than {MOST_COPIES} elements to visuals and '
            'collisions', model.location)
        return None
    report_changes(model, lumped, modeled, extensions, unlocked, report)
    release(root)
    return checked_file(element, _VERSION, report, strict_names=strict_names)


def _joints(extensions: Iterable[Extension], setting: str) -> frozenset[str]:
    return frozenset(found.link for found in extensions if found.is_on(setting))


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


def _sdf(
    conversion: _Conversion, modeled: Sequence[UrdfLink], lumped: Sequence[UrdfLink],
) -> TypedElement:
    """Return the ``<sdf>`` element."""
    make, location, tops = conversion.make, conversion.model.location, set(modeled)
    model = make.element('model', location, name=conversion.model.name)
    for link in modeled:
        joint = _joint(link, conversion)
        model.children += [] if joint is None else [joint]
        model.children.append(_link(link, conversion))
    extend_model(model, conversion.extensions.get('', ()))
    _place(model, conversion.model)
    _add_frames(model, [link for link in lumped if link.top in tops], make)
    return make.element(
        'sdf', location, children=[model], version='.'.join(map(str, _VERSION)))


def _add_frames(model: TypedElement, lumped: Sequence[UrdfLink], make: Elements) -> None:
    """Add the frames that lumped links and joints leave, unless something has their name."""
    taken = {child.get('name') for child in model.children if child.tag in _NAMED}
    for frame in [frame for link in lumped for frame in make.frames(link)]:
        if frame.get('name') not in taken:
            taken.add(frame.get('name'))
            model.children.append(frame)


def _link(link: UrdfLink, conversion: _Conversion) -> TypedElement:
    make, extensions = conversion.make, conversion.extensions.get(link.name, ())
    assert link.inertia is not None  # else it is not modeled
    of_shapes = ShapeExtensions(link.name, extensions)
    element = make.link(link, link.inertia)
    for collision in make.shapes('collision', link):
        extend_collision(collision, of_shapes.of(collision), conversion.limit)
        element.children.append(collision)
    for visual, shape in zip(make.shapes('visual', link), link.visuals):
        extend_visual(visual, of_shapes.of(visual), conversion.limit)
        if shape.material is not None:
            make.color(visual, shape.material)
        element.children.append(visual)
    extend_link(element, extensions)
    return element


def _joint(link: UrdfLink, conversion: _Conversion) -> Optional[TypedElement]:
    """Return the joint above a link, None at the root and for types that SDFormat lacks."""
    joint, parent = link.joint, link.parent
    kind = '' if joint is None else _TYPES.get(joint.type, '')
    if joint is None or parent is None or not kind:
        return None
    if joint.name in conversion.unlocked:
        kind = 'revolute'
    coordinate = None
    leader = ''
    if joint.motions:
        coordinates = conversion.model.coordinates
        coordinate = coordinates[joint.motions[0].coordinates[0]]
        leader = '' if coordinate.mimic is None else coordinates[coordinate.mimic.leader].name
    element = conversion.make.joint(link, joint, parent, kind, coordinate, leader)
    extend_joint(element, conversion.extensions.get(joint.name, ()))
    return element


def _place(element: TypedElement, model: Model) -> None:
    """Give a ``<model>`` the pose of the robot's ``<origin>``, which only libsdformat reads."""
    robot = model.location
    assert isinstance(robot, SourceRef)  # else nothing is converted
    start = robot.document.child_start(robot.start, 'origin')
    for origin in [] if start is None else parsed([SourceRef(robot.document, start)]):
        pose = from_rpy(_vector(origin, 'xyz'), _vector(origin, 'rpy'))
        set_child(element, new_element(
            origin, 'pose', numbers(*pose.position, *to_rpy(pose))))


def _vector(origin: TypedElement, name: str) -> tuple[float, ...]:
    """Return an attribute of the robot's origin, zeros where it is faulty, as libsdformat does."""
    try:
        return vector3(origin.attributes.get(name, '0 0 0'))
    except ValueSyntaxError:
        return ZERO
