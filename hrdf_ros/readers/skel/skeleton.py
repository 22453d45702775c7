# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A skeleton: its bodies and joints put together in the order in which DART creates them.

Joints are taken in file order, but one whose parent does not exist yet waits until the joints
above it are created. A body without joint that carries others hangs on a free joint ``root``.
"""

from collections.abc import Iterator
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.model import Coordinate, Motion
from hrdf_ros.names import DART, Names
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import IDENTITY, Pose
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.skel.body import BodyPart, BodyReader
from hrdf_ros.readers.skel.joints import free, JOINT_TYPES, read_coordinates

WORLD = 'world'


class JointPart(NamedTuple):
    """
    A joint as its element describes it, or an implicit root (without an element).

    ``parent`` is None for the world; ``child_from_joint`` is its ``<transformation>``. Once it is
    placed, its names and those of its coordinates are unique in the skeleton.
    """

    name: str
    type: str  # noqa: A003
    parent: Optional[str]
    child: str
    child_from_joint: Pose = IDENTITY
    actuator: str = ''
    element: Optional[TypedElement] = None
    location: Optional[SourceRef] = None
    motions: tuple[Motion, ...] = ()
    coordinates: tuple[Coordinate, ...] = ()


class Skeleton(NamedTuple):
    """A skeleton: joints in DART's order of creation, each with its child body."""

    name: str
    pose: Pose
    mobile: bool
    joints: list[JointPart]
    bodies: dict[str, BodyPart]
    location: SourceRef


class SkeletonReader:
    """Reads ``<skeleton>``."""

    def __init__(self, report: Report, bodies: BodyReader) -> None:
        self.report = report
        self.bodies = bodies

    def skeleton(self, element: TypedElement, name: str) -> Skeleton:
        """Read a skeleton that is to have this name."""
        pose = element.pose('transformation')
        bodies = self.bodies.bodies(element, pose)
        joints = self._joints(element, bodies)
        order = list(_creation_order(joints, bodies, self.report))
        self._report_orphans(bodies, {*joints, *(joint.child for joint in order)})
        names = Names(self.report, DART), Names(self.report, DART)
        placed = [self._placed(joint, *names) for joint in order]
        return Skeleton(name, pose, self._mobile(element), placed, bodies, element.location)

    def _mobile(self, element: TypedElement) -> bool:
        immobile = element.child('immobile')
        if immobile is None:
            return element.boolean('mobile')
        self.report.add(
            codes.SKEL_SPEC_OVER_DART,
            "<immobile> is read as the format's text has it; DART reads only <mobile>",
            immobile.location, hint='write <mobile>0</mobile>')
        return not element.boolean('immobile')

    def _report_orphans(self, bodies: dict[str, BodyPart], held: set[str]) -> None:
        for name, body in bodies.items():
            if name in held:
                continue
            code, verb = (
                (codes.SKEL_ORPHAN_BODY, 'crashes') if body.crashes_alone
                else (codes.SKEL_BODY_DROPPED, 'drops it'))
            self.report.add(
                code, f"the body '{name}' is the child of no joint; DART {verb}",
                body.element.location, hint='add a joint of type weld or free to the world',
                cause='<joint>')

    # ---- joints

    def _joints(
        self, skeleton: TypedElement, bodies: dict[str, BodyPart],
    ) -> dict[str, JointPart]:
        """Return the joints by their child's name, in file order."""
        joints: dict[str, JointPart] = {}
        for element in skeleton.all('joint'):
            joint = self._joint(element, bodies)
            if joint is None:
                continue
            if joint.child in joints:
                self._discard(
                    element, f"the body '{joint.child}' is already the child of another joint")
            else:
                joints[joint.child] = joint
        return joints

    def _joint(
        self, element: TypedElement, bodies: dict[str, BodyPart],
    ) -> Optional[JointPart]:
        """Read the ends of a joint, None for one that DART discards."""
        kind = self._type(element)
        parent, child = _body_name(element, 'parent'), _body_name(element, 'child')
        if kind is None or parent == '' or child == '':
            return None
        if child is None:
            self._discard(element, '<joint> is missing the required element <child>')
            return None
        for tag, body, others in (('child', child, ()), ('parent', parent, (WORLD,))):
            if body is not None and body not in bodies and body not in others:
                self.report.add(
                    codes.SKEL_JOINT_DISCARDED, f"unknown body '{body}'; DART discards the joint",
                    element.locate(tag), hint=did_you_mean(body.strip(), [*bodies, *others]),
                    cause=body)
                return None
        return JointPart(
            element.string('name'), kind, parent if parent in bodies else None, child,
            element.pose('transformation'), element.string('actuator'), element,
            element.location)

    def _type(self, element: TypedElement) -> Optional[str]:
        word = element.get('type')
        if word in JOINT_TYPES:
            return word
        if word == 'fixed':
            self.report.add(
                codes.SKEL_SPEC_OVER_DART, "'fixed' is read as 'weld'; DART discards the joint",
                element.attribute_location('type'), hint='write weld')
            return 'weld'
        if word is None:
            self._discard(element, "<joint> is missing the required attribute 'type'")
        else:
            self.report.add(
                codes.SKEL_JOINT_DISCARDED,
                f"unknown <joint> type '{word}'; DART discards the joint",
                element.attribute_location('type', 0), hint=did_you_mean(word, JOINT_TYPES))
        return None

    def _discard(self, element: TypedElement, message: str) -> None:
        self.report.add(
            codes.SKEL_JOINT_DISCARDED, f'{message}; DART discards the joint', element.location)

    # ---- assembly

    def _placed(self, joint: JointPart, joint_names: Names, dof_names: Names) -> JointPart:
        """Name a joint and its coordinates, and read its degrees of freedom."""
        name = joint_names.claim(joint.name, location=joint.location)
        freedom = free() if joint.element is None else JOINT_TYPES[joint.type](
            joint.element, self.report)
        coordinates = [
            Coordinate(name + suffix, kind, location=joint.location)
            for suffix, kind in freedom.coordinates]
        if joint.element is not None:
            coordinates = read_coordinates(
                joint.element, coordinates, freedom.axis_elements, self.report)
        return joint._replace(name=name, motions=freedom.motions, coordinates=tuple(
            renamed_as(dof_names.claim(found.name, location=found.location), found)
            for found in coordinates))


def renamed_as(name: str, coordinate: Coordinate) -> Coordinate:
    """Return a coordinate by another name, or itself."""
    return coordinate if coordinate.name == name else coordinate._replace(name=name)


def _body_name(element: TypedElement, tag: str) -> Optional[str]:
    """Return the name in ``<parent>`` or ``<child>``, None where there is no such element."""
    named = element.child(tag)
    return None if named is None else named.text


def _creation_order(
    joints: dict[str, JointPart], bodies: dict[str, BodyPart], report: Report,
) -> Iterator[JointPart]:
    """Yield the joints in DART's order, with implicit roots where they are needed."""
    created: set[str] = set()
    for joint in joints.values():
        waiting: dict[str, JointPart] = {}
        at: Optional[JointPart] = joint
        while at is not None and at.child not in created:
            if at.child in waiting:
                report.add(
                    codes.SKEL_JOINT_CYCLE, f"the joints form a cycle at the body '{at.child}'; "
                    'DART hangs', at.location)
                return
            waiting[at.child] = at
            if at.parent is None or at.parent in created:
                break
            at = joints.get(at.parent) or _implicit_root(bodies[at.parent], report)
        created.update(waiting)
        yield from reversed(waiting.values())


def _implicit_root(body: BodyPart, report: Report) -> JointPart:
    report.add(
        codes.SKEL_IMPLICIT_ROOT,
        f"the body '{body.body.name}' is the child of no joint; DART gives it a free joint 'root'",
        body.element.location, hint='add the missing joint')
    return JointPart('root', 'free', None, body.body.name)
