# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Put the skeletons of a file into one Model, with joints in DART's order of creation.

Joints are taken in file order, but one whose parent does not exist yet waits until the joints
above it are created. A body without joint that carries others hangs on a free joint ``root``.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import replacement, Report
from hrdf_ros.document import SourceRef
from hrdf_ros.model import Body, Coordinate, Frame, Joint, ModelScope
from hrdf_ros.names import DART, Names
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import compose, IDENTITY, relative, translation
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.skel import joints
from hrdf_ros.readers.skel.body import BodyReader, follows_from_shapes

WORLD = 'world'


class JointEnds(NamedTuple):
    """
    The ends of a joint; a joint without an element is an implicit root.

    ``parent`` is None for the world.
    """

    name: str
    type: str  # noqa: A003
    parent: Optional[str]
    child: str
    element: Optional[TypedElement] = None
    location: Optional[SourceRef] = None


class Tables:
    """
    The tables of a Model, filled skeleton by skeleton; body 0 is the world.

    In a world of several skeletons the name of the skeleton precedes each name.
    """

    def __init__(self, bodies: BodyReader, is_world: bool) -> None:
        self.reader = bodies
        self.report = report = bodies.report
        self.is_world = is_world
        self.names, self.joint_names, self.coordinate_names = (
            Names(report), Names(report), Names(report))
        self.bodies: list[Body] = [Body(WORLD, WORLD, static=True)]
        self.frames: list[Frame] = [Frame(WORLD, WORLD, WORLD, 0)]
        self.joints: list[Joint] = []
        self.coordinates: list[Coordinate] = []
        self.scopes: list[ModelScope] = []
        self._markers: list[tuple[str, int, TypedElement]] = []

    def _scoped(self, skeleton: str, name: str) -> str:
        return f'{skeleton}/{name}' if self.is_world else name

    def add(self, element: TypedElement, skeleton: str) -> None:
        """Add a skeleton under this name."""
        pose = element.pose('transformation')
        elements: dict[str, list[TypedElement]] = {}
        for body in element.all('body'):
            elements.setdefault(body.string('name'), []).append(body)
        bodies = {
            name: self.reader.body(name, f'{skeleton}/{name}', same, pose)
            for name, same in elements.items()}
        found = _joints(element, bodies, self.report)
        order = list(_creation_order(found, bodies, self.report))
        self._report_orphans(bodies, elements, {*found, *(joint.child for joint in order)})
        indices: dict[Optional[str], int] = {None: 0}
        names = Names(self.report, DART), Names(self.report, DART)
        for joint in order:
            indices[joint.child] = len(self.bodies)
            self._add_body(skeleton, bodies[joint.child])
            self._markers += [
                (skeleton, indices[joint.child], marker)
                for marker in elements[joint.child][0].all('marker')]
            self._add_joint(skeleton, joint, indices[joint.parent], names)
        self.scopes.append(ModelScope(
            skeleton, skeleton, static=not self._is_mobile(element), pose=pose,
            location=element.location))

    def finish(self) -> None:
        """Give the world a name that no body has, then add the frames of the markers."""
        name = WORLD
        while name in self.names:
            name += '_root'
        self.bodies[0] = self.bodies[0]._replace(name=self.names.claim(name))
        self.frames[0] = self.frames[0]._replace(name=name)
        for skeleton, body, marker in self._markers:
            short = marker.string('name')
            name = self.names.claim(self._scoped(skeleton, short), '_marker', marker.location)
            self.frames.append(Frame(
                name, f'{skeleton}/{short}', 'marker', body,
                translation(*marker.vector3('offset')), '', marker.location))

    def _is_mobile(self, element: TypedElement) -> bool:
        immobile = element.child('immobile')
        if immobile is None:
            return element.boolean('mobile')
        self.report.add(
            codes.SKEL_SPEC_OVER_DART,
            "<immobile> is read as the format's text has it; DART reads only <mobile>",
            immobile.location, hint='write <mobile>0</mobile>')
        return not element.boolean('immobile')

    def _report_orphans(
        self, bodies: Mapping[str, Body], elements: Mapping[str, list[TypedElement]],
        held: Collection[str],
    ) -> None:
        """Report bodies that no joint holds; those with shapes make DART crash."""
        for name, body in bodies.items():
            if name in held:
                continue
            code, verb = (
                (codes.SKEL_ORPHAN_BODY, 'crashes') if body.visuals or body.collisions
                or follows_from_shapes(elements[name][0]) else
                (codes.SKEL_BODY_DROPPED, 'drops it'))
            self.report.add(
                code, f"the body '{name}' is the child of no joint; DART {verb}", body.location,
                hint='add a joint of type weld or free to the world', cause='<joint>')

    def _add_body(self, skeleton: str, body: Body) -> None:
        name = self.names.claim(self._scoped(skeleton, body.name), '', body.location)
        self.frames.append(Frame(
            name, body.source_name, 'link', len(self.bodies), IDENTITY, '', body.location))
        self.bodies.append(body if body.name == name else body._replace(name=name))

    def _add_joint(
        self, skeleton: str, joint: JointEnds, parent: int, names: tuple[Names, Names],
    ) -> None:
        """Add the joint above the body that was added last; names are unique in a skeleton."""
        element, location = joint.element, joint.location
        child, first = len(self.bodies) - 1, len(self.coordinates)
        short = names[0].claim(joint.name, location=location)
        suffixes, motions = joints.read_motions(joint.type, element, first, self.report)
        lengths = {
            at for motion in motions if motion.kind == 'prismatic' for at in motion.coordinates}
        found: list[joints.Fields] = [
            {'name': short + suffix, 'kind': 'length' if at in lengths else 'angle',
             'location': location} for at, suffix in enumerate(suffixes, first)]
        child_from_joint = IDENTITY
        if element is not None:
            joints.read_coordinates(joint.type, element, found, self.report)
            child_from_joint = element.pose('transformation')
        for fields in found:
            at = fields['location']
            name = self._scoped(skeleton, names[1].claim(fields.pop('name'), location=at))
            self.coordinates.append(Coordinate(
                self.coordinate_names.claim(name, '', at), **fields))
        parent_from_child = relative(self.bodies[parent].pose, self.bodies[child].pose)
        self.joints.append(Joint(
            self.joint_names.claim(self._scoped(skeleton, short), '', location),
            f'{skeleton}/{short}', joint.type, parent, child,
            compose(parent_from_child, child_from_joint), child_from_joint, tuple(motions),
            '' if element is None else element.string('actuator'), location=location))


# ---- joints and what they connect

def _joints(
    skeleton: TypedElement, bodies: Collection[str], report: Report,
) -> dict[str, JointEnds]:
    """Return the joints by their child's name, in file order."""
    found: dict[str, JointEnds] = {}
    for element in skeleton.all('joint'):
        joint = _joint(element, bodies, report)
        if joint is not None and joint.child in found:
            _discard(
                element, f"the body '{joint.child}' is already the child of another joint", report)
        elif joint is not None:
            found[joint.child] = joint
    return found


def _joint(
    element: TypedElement, bodies: Collection[str], report: Report,
) -> Optional[JointEnds]:
    """Return the ends of a joint, None for one that DART discards."""
    kind = _type(element, report)
    parts = {part.tag: part.text for part in reversed(element.children)}
    parent, child = parts.get('parent'), parts.get('child')
    if kind is None or parent == '' or child == '':
        return None
    if child is None:
        _discard(element, '<joint> is missing the required element <child>', report)
        return None
    for tag, body, others in (('child', child, ()), ('parent', parent, (WORLD,))):
        if body is not None and body not in bodies and body not in others:
            report.add(
                codes.SKEL_JOINT_DISCARDED, f"unknown body '{body}'; DART discards the joint",
                element.locate(tag), hint=did_you_mean(body.strip(), [*bodies, *others]),
                cause=body)
            return None
    return JointEnds(
        element.string('name'), kind, parent if parent in bodies else None, child, element,
        element.location)


def _type(element: TypedElement, report: Report) -> Optional[str]:
    """Return the type of a joint, None for one that DART discards."""
    word = element.get('type')
    if word in joints.JOINT_TYPES:
        return word
    if word == 'fixed':
        report.add(
            codes.SKEL_SPEC_OVER_DART, "'fixed' is read as 'weld'; DART discards the joint",
            element.attribute_location('type'), hint='write weld',
            fix=replacement('fixed', 'weld', element.attribute_location('type', 0)))
        return 'weld'
    if word is None:
        _discard(element, "<joint> is missing the required attribute 'type'", report)
    else:
        report.add(
            codes.SKEL_JOINT_DISCARDED, f"unknown <joint> type '{word}'; DART discards the joint",
            element.attribute_location('type', 0), hint=did_you_mean(word, joints.JOINT_TYPES))
    return None


def _discard(element: TypedElement, message: str, report: Report) -> None:
    report.add(
        codes.SKEL_JOINT_DISCARDED, f'{message}; DART discards the joint', element.location)


def _creation_order(
    found: Mapping[str, JointEnds], bodies: Mapping[str, Body], report: Report,
) -> Iterator[JointEnds]:
    """Yield the joints in DART's order, with implicit roots where they are needed."""
    created: set[str] = set()
    for joint in found.values():
        waiting: dict[str, JointEnds] = {}
        at: Optional[JointEnds] = joint
        while at is not None and at.child not in created:
            if at.child in waiting:
                report.add(
                    codes.SKEL_JOINT_CYCLE, f"the joints form a cycle at the body '{at.child}'; "
                    'DART hangs', at.location)
                return
            waiting[at.child] = at
            if at.parent is None or at.parent in created:
                break
            at = found.get(at.parent) or _implicit_root(bodies[at.parent], report)
        created.update(waiting)
        yield from reversed(waiting.values())


def _implicit_root(body: Body, report: Report) -> JointEnds:
    report.add(
        codes.SKEL_IMPLICIT_ROOT,
        f"the body '{body.name}' is the child of no joint; DART gives it a free joint 'root'",
        body.location, hint='add the missing joint')
    return JointEnds('root', 'free', None, body.name)
