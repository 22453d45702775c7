# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A skeleton: its bodies and joints put together in the order in which DART creates them.

Joints are taken in file order, but one whose parent does not exist yet waits until the joints
above it are created. A body without joint that carries others hangs on a free joint ``root``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Hint, Report
from hrdf_ros.document import SourceRef, XmlElement
from hrdf_ros.model import Coordinate
from hrdf_ros.names import DART, Names
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import IDENTITY, Pose
from hrdf_ros.readers.skel.body import BodyPart, BodyReader
from hrdf_ros.readers.skel.coordinates import read_coordinates
from hrdf_ros.readers.skel.fields import Fields
from hrdf_ros.readers.skel.joint_types import free, JOINT_TYPES, JointDofs

WORLD = 'world'
_ACTUATORS = ('force', 'passive', 'servo', 'acceleration', 'velocity', 'locked')


class JointPart(NamedTuple):
    """
    A joint as its element tells it, or an implicit root (without a node).

    ``parent`` is None for the world; ``child_from_joint`` is its ``<transformation>``.
    """

    name: str
    type: str  # noqa: A003
    parent: Optional[str]
    child: str
    child_from_joint: Pose = IDENTITY
    actuator: str = ''
    node: Optional[XmlElement] = None
    location: Optional[SourceRef] = None


class Placed(NamedTuple):
    """
    A joint in the skeleton, with the body it carries.

    ``name`` and ``coordinate_names`` are unique in the skeleton, those in the parts may not be.
    """

    joint: JointPart
    name: str
    body: BodyPart
    freedom: JointDofs
    coordinates: list[Coordinate]
    coordinate_names: list[str]


class Skeleton(NamedTuple):
    """A skeleton: joints in DART's order of creation, each with its child body."""

    name: str
    pose: Pose
    mobile: bool
    joints: list[Placed]
    node: XmlElement


class SkeletonReader:
    """Reads ``<skeleton>``."""

    def __init__(self, fields: Fields, bodies: BodyReader) -> None:
        self.fields = fields
        self.report = fields.report
        self.bodies = bodies

    def skeleton(self, node: XmlElement, name: str) -> Skeleton:
        """Read a skeleton that is to have this name."""
        pose = self.fields.pose(node)
        bodies = self.bodies.bodies(node, pose)
        joints = self._joints(node, bodies)
        order = list(_creation_order(joints, bodies, self.report))
        self._report_orphans(bodies, {*joints, *(joint.child for joint in order)})
        names = Names(self.report, DART), Names(self.report, DART)
        placed = [self._placed(joint, bodies[joint.child], *names) for joint in order]
        return Skeleton(name, pose, self._mobile(node), placed, node)

    def _mobile(self, node: XmlElement) -> bool:
        immobile = node.child('immobile')
        if immobile is None:
            return self.fields.boolean(node, 'mobile', True)
        self.report.add(
            codes.SKEL_SPEC_OVER_DART,
            "<immobile> is read as the format's text means it; DART reads " 'only <mobile>',
            immobile.location,
            hint='write <mobile>0</mobile>',
        )
        return not self.fields.boolean(node, 'immobile', False)

    def _report_orphans(self, bodies: dict[str, BodyPart], held: set[str]) -> None:
        for name, body in bodies.items():
            if name in held:
                continue
            if body.crashes_alone:
                self.report.add(
                    codes.SKEL_ORPHAN_BODY, f"no joint holds the body '{name}'; DART crashes",
                    body.node.location, hint='add a joint of type weld or free to the world')
            else:
                self.report.add(
                    codes.SKEL_BODY_DROPPED, f"no joint holds the body '{name}'; DART drops it",
                    body.node.location, hint='add a joint of type weld or free to the world')

    # ---- joints

    def _joints(self, skeleton: XmlElement, bodies: dict[str, BodyPart]) -> dict[str, JointPart]:
        """Return the joints by their child's name, in file order."""
        joints: dict[str, JointPart] = {}
        for node in skeleton.all('joint'):
            joint = self._joint(node, bodies)
            if joint is None:
                continue
            if joint.child in joints:
                self._discard(
                    node, f"the body '{joint.child}' is held by another joint already")
            else:
                joints[joint.child] = joint
        return joints

    def _joint(self, node: XmlElement, bodies: dict[str, BodyPart]) -> Optional[JointPart]:
        """Read the ends of a joint, None for one that DART discards."""
        kind = self._type(node)
        parent, child = self._body_name(node, 'parent'), self._body_name(node, 'child')
        if kind is None or parent is None or child is None:
            return None
        if child not in bodies:
            self._discard(node, f"there is no body '{child}'", _near(child, bodies))
            return None
        if parent not in bodies and parent not in (WORLD, ''):
            self._discard(
                node, f"there is no body '{parent}'", _near(parent, [*bodies, WORLD]))
            return None
        return JointPart(
            node.get('name') or '', kind, parent if parent and parent in bodies else None, child,
            self.fields.pose(node), self._actuator(node), node, node.location)

    def _type(self, node: XmlElement) -> Optional[str]:
        word = node.get('type')
        if word in JOINT_TYPES:
            return word
        if word == 'fixed':
            self.report.add(
                codes.SKEL_SPEC_OVER_DART, "'fixed' is read as 'weld'; DART discards the joint",
                node.attribute_location('type'), hint='write weld')
            return 'weld'
        if word is None:
            self._discard(node, 'a joint needs a type')
            return None
        self._discard(
            node, f"there is no joint type '{word}'", did_you_mean(word, JOINT_TYPES))
        return None

    def _body_name(self, node: XmlElement, tag: str) -> Optional[str]:
        """Return the name in ``<parent>`` or ``<child>``; without a parent it is the world's."""
        named = node.child(tag)
        if named is None and tag == 'parent':
            self.report.add(
                codes.MISSING_ELEMENT,
                'the joint has no <parent>; DART takes the world',
                node.location, severity='warning')
            return ''
        if named is None:
            self._discard(node, 'a joint needs a <child>')
            return None
        if not named.text:
            self.report.add(codes.MISSING_ELEMENT, f'<{tag}> names no body', named.location)
            return None
        return named.text

    def _actuator(self, node: XmlElement) -> str:
        word = node.get('actuator')
        if word is None or word in _ACTUATORS:
            return word or ''
        if word == 'torque':
            self.report.add(
                codes.SKEL_SPEC_OVER_DART,
                "'torque' is read as 'force', as DART does with an error " 'message',
                node.attribute_location('actuator'),
                hint='write force',
            )
        else:
            self.report.add(
                codes.BAD_VALUE,
                f"there is no actuator '{word}'; DART takes force",
                node.attribute_location('actuator', 0),
                hint=did_you_mean(word, _ACTUATORS),
                severity='warning',
            )
        return 'force'

    def _discard(self, node: XmlElement, message: str, hint: Hint = None) -> None:
        self.report.add(
            codes.SKEL_JOINT_DISCARDED,
            f'{message}; DART discards the joint',
            node.location,
            hint=hint,
        )

    # ---- assembly

    def _placed(
        self, joint: JointPart, body: BodyPart, joint_names: Names, dof_names: Names,
    ) -> Placed:
        """Name a joint and its coordinates, and read what it lets move."""
        if not joint.name:
            self.report.add(
                codes.MISSING_ATTRIBUTE,
                "the joint has no name; DART calls it 'default'",
                joint.location,
                severity='warning',
            )
        name = joint_names.claim(joint.name or 'default', location=joint.location)
        if joint.node is None:
            freedom = free()
            coordinates = [Coordinate(name + suffix, kind) for suffix, kind in freedom.coordinates]
        else:
            freedom = JOINT_TYPES[joint.type](self.fields, joint.node)
            coordinates = read_coordinates(self.fields, joint.node, name, freedom)
        unique = [dof_names.claim(found.name, location=found.location) for found in coordinates]
        return Placed(joint, name, body, freedom, coordinates, unique)


def _near(name: str, known: Iterable[str]) -> Hint:
    return did_you_mean(name.strip(), known)


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
                    codes.SKEL_JOINT_CYCLE, f"the joints form a circle at the body '{at.child}'; "
                    'DART never returns', at.location)
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
        f"no joint holds the body '{body.name}'; DART hangs it on a free " "joint 'root'",
        body.node.location,
        hint='add the joint that is meant',
    )
    return JointPart('root', 'free', None, body.name)
