# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The tables of a Model while they grow, the names in it, and which of its coordinates follow others.

In frames, links win, then ``<frame>``s, then joints, then models, then the parts of links and
joints; joints are a namespace of their own.
A coordinate follows another by ``<mimic>`` or through a gearbox, which couples the angles of two
bodies against a third: ``angle(child) = -ratio * angle(parent)`` (SDF 1.12,
``gearbox_reference_body``), the parent's about ``axis``, the child's about ``axis2``. Where each
of them is the angle of a joint on the reference body, the child's coordinate follows the parent's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.names import Names
from hrdf_ros.pose import compose, dot, IDENTITY, Pose, relative, rotate, Vector
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import is_portable, name_of, portable_text, raw_text
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE
from hrdf_ros.readers.sdf.references import find_leader, pose_in_owner, References
from hrdf_ros.readers.sdf.scopes import (
    AttachedBody,
    AxisMimic,
    ElementKind,
    Joint,
    Scope,
    ScopedElement,
    ScopedModel,
    with_inner,
)

_SUFFIXES: tuple[tuple[ElementKind, str], ...] = (
    ('link', '_link'), ('frame', '_frame'), ('joint', '_joint'), ('model', '_model'))
WORLD_FRAMES = ('light', 'actor')
"""Elements that are frames of a world although they are not in its scope."""

CoordinateKey = tuple[Union[Joint, Scope], Union[str, int]]
"""A coordinate: a joint and its axis, or an interface model's scope and the index in the Model."""

_PARALLEL = 1.0 - 1e-6

_Carrier = Optional[ScopedElement]
"""A link; None is the world."""


class ModelNames:
    """
    Names in the Model, claimed in the order of precedence; a top model's own name comes last.

    ``prefixes`` belong before the names in each scope, ``parts`` are the frames of sensors, lights
    and the like; ``interface_joints`` are in the order of an interface model's joints. ``world``
    is empty where the Model has no such body.
    """

    def __init__(self, top: Scope, items: Sequence[ScopedElement], report: Report) -> None:
        self.prefixes = {top: ''}
        self.frames: dict[ScopedElement, str] = {}
        self.parts: dict[TypedElement, str] = {}
        self.joints: dict[Joint, str] = {}
        self.interface_joints: dict[Scope, list[str]] = {}
        self._frame_names = Names(report)
        for scope in with_inner(top):
            for model in scope.models:
                self.prefixes[model.inner] = f'{self.prefixes[scope]}{model.name}/'
        self.world = self._frame_names.claim('world') if _needs_world(top, items) else ''
        self._name_frames(sorted(items, key=lambda item: item is top.owner))
        self._name_joints(items, Names(report))
        for element in top.others if top.kind == 'world' else ():
            if element.tag in WORLD_FRAMES:
                self._name_part(element, '')
        for item in items:
            for element in item.framed:
                self._name_part(element, f'{self.frames[item]}/')

    def _name_frames(self, items: Iterable[ScopedElement]) -> None:
        frames, prefixes, claim = self.frames, self.prefixes, self._frame_names.claim
        for kind, suffix in _SUFFIXES:
            for item in items:
                if item.kind == kind:
                    prefix = prefixes.get(item.scope, '')
                    frames[item] = claim(prefix + item.name, suffix, item.location)

    def _name_joints(self, items: Iterable[ScopedElement], names: Names) -> None:
        for item in items:
            if isinstance(item, ScopedModel) and item.inner.interface is not None:
                prefix = self.prefixes[item.inner]
                self.interface_joints[item.inner] = [
                    names.claim(prefix + joint.name, '', item.inner.element.location)
                    for joint in item.inner.interface.joints]
            elif isinstance(item, Joint) and item.parent_body is not None:
                self.joints[item] = names.claim(
                    self.prefixes[item.scope] + item.name, '', item.location)

    def _name_part(self, element: TypedElement, prefix: str) -> None:
        name = name_of(element) or element.tag
        self.parts[element] = self._frame_names.claim(
            prefix + name, f'_{element.tag}', element.location)


def _needs_world(top: Scope, items: Sequence[ScopedElement]) -> bool:
    """Return whether something is fixed to the world, so that it has to be a body."""
    return top.kind == 'world' or any(
        isinstance(item.body, Scope) and item.body.canonical is None
        or isinstance(item, Joint) and item.parent == 'world' for item in items)


class ModelSource(NamedTuple):
    """
    The resolved scopes that a Model is built from.

    ``world`` is the outermost scope, where poses begin, ``top`` the one that becomes the Model: a
    model, or the world itself; ``items`` is all of it in document order, a model itself first.
    """

    world: Scope
    top: Scope
    items: Sequence[ScopedElement]
    references: References
    names: ModelNames
    couplings: Mapping[CoordinateKey, Coupling]

    @classmethod
    def of(
        cls, world: Scope, top: Scope, items: Sequence[ScopedElement], references: References,
        report: Report,
    ) -> ModelSource:
        """Name and couple everything in a scope, and report changed names and ignored mimics."""
        couplings = couple_coordinates(items, report)
        return cls(world, top, items, references, ModelNames(top, items, report), couplings)


class ModelTables:
    """
    The tables of a Model while they grow.

    ``body_indices`` are the bodies of links and scopes, ``axes`` the coordinates of axes; the body
    of the world, where there is one, has index 0.
    """

    def __init__(self, source: ModelSource) -> None:
        self.source = source
        self.names = source.names
        self.bodies: list[m.Body] = []
        self.joints: list[m.Joint] = []
        self.coordinates: list[m.Coordinate] = []
        self.constraints: list[m.Constraint] = []
        self.frames: list[m.Frame] = []
        self.scopes: list[m.ModelScope] = []
        self.extensions: list[m.RawElement] = []
        self.body_indices: dict[AttachedBody, int] = {}
        self.axes: dict[CoordinateKey, int] = {}

    def add_scope_bodies(self) -> None:
        """Give scopes the body of their canonical link, else that of the world."""
        for scope in [self.source.world, *with_inner(self.source.top)]:
            canonical = scope.canonical
            self.body_indices[scope] = 0 if canonical is None else self.body_index(canonical)

    def body_index(self, body: AttachedBody) -> int:
        """Return the body that carries a frame, NONE where it could not be resolved."""
        return self.body_indices.get(body, m.NONE)

    def canonical_body(self, scope: Scope) -> int:
        """Return the body of a scope's canonical link, NONE where it has none."""
        return m.NONE if scope.canonical is None else self.body_index(scope.canonical)

    def root_from_body(self, body: AttachedBody) -> Pose:
        """Return the pose of the body that carries a frame."""
        if isinstance(body, ScopedElement):
            return body.root_pose
        return body.canonical.root_pose if body.canonical is not None else IDENTITY

    def body_from(self, item: ScopedElement) -> Pose:
        """Return the pose of an element in the body that carries it, exact if written so."""
        body = item.attached_body
        if body is item:
            return IDENTITY
        if isinstance(body, ScopedElement) and body.scope is item.scope:
            if item.relative_to == body.name:
                return item.pose
            return relative(body.resolved_pose, item.resolved_pose)
        return relative(self.root_from_body(body), item.root_pose)

    def raw(self, element: TypedElement, owner: str = '') -> m.RawElement:
        """Return an element as text that means the same in a file of the newest version."""
        text = raw_text(element) if is_portable(element) else portable_text(
            element, pose_in_owner(element, self.source.references))
        return m.RawElement(
            tag=element.tag, text=text, location=element.location, owner=owner, format='sdf')


# ---- coordinates that follow others

class Coupling(NamedTuple):
    """A coordinate follows another: ``q = multiplier * q_leader + offset``."""

    leader: CoordinateKey
    multiplier: float
    offset: float = 0.0


class Couplings:
    """The couplings of a model or world, by the coordinate that follows."""

    def __init__(self) -> None:
        self.by_follower: dict[CoordinateKey, Coupling] = {}
        self._ahead: dict[CoordinateKey, CoordinateKey] = {}

    def leader(self, follower: CoordinateKey) -> Optional[CoordinateKey]:
        """Return the coordinate that another follows already, None where it is free."""
        coupling = self.by_follower.get(follower)
        if coupling is not None:
            return coupling.leader
        scope, index = follower
        if isinstance(scope, Scope) and isinstance(index, int) and scope.interface is not None:
            mimic = scope.interface.coordinates[index].mimic
            return None if mimic is None else (scope, mimic.leader)
        return None

    def add(self, follower: CoordinateKey, coupling: Coupling) -> bool:
        """
        Make a coordinate follow another; return whether it can.

        It cannot if it follows one already, or if that would close a cycle.
        """
        if self.leader(follower) is not None or self._first(coupling.leader) == follower:
            return False
        self._ahead[follower] = coupling.leader
        self.by_follower[follower] = coupling
        return True

    def _first(self, coordinate: CoordinateKey) -> CoordinateKey:
        """Return the leader of all leaders, and shorten the way to it for the next time."""
        ahead = self._ahead
        while coordinate in ahead:
            ahead[coordinate] = ahead.get(ahead[coordinate], ahead[coordinate])
            coordinate = ahead[coordinate]
        return coordinate


def couple_coordinates(
    items: Sequence[ScopedElement], report: Report,
) -> dict[CoordinateKey, Coupling]:
    """Return the couplings by the coordinate that follows."""
    joints = [item for item in items if isinstance(item, Joint)]
    couplings = Couplings()
    for joint in joints:
        for tag, axis in joint.axes.items():
            if axis.mimic is not None:
                _couple_mimic(joint, tag, axis.mimic, couplings, report)
    gearboxes = [
        joint for joint in joints if joint.type == 'gearbox'
        and joint.parent_body is not None and joint.reference is not None]
    if gearboxes:
        hinges = dict(_find_hinges(items))
        for gearbox in gearboxes:
            _couple_gearbox(gearbox, hinges, couplings, report)
    return couplings.by_follower


# ---- mimics

def _couple_mimic(
    follower: Joint, tag: str, mimic: AxisMimic, couplings: Couplings, report: Report,
) -> None:
    """Couple the axis of a joint; one that closes a cycle stays free."""
    leader = find_leader(follower, tag, mimic, report)
    if leader is None or not _moves(follower, tag):
        return
    coupling = Coupling((leader, mimic.axis), mimic.multiplier, mimic.offset)
    if not _moves(leader, mimic.axis):
        reason = 'which does not move'
    elif not couplings.add((follower, tag), coupling):
        reason = 'because they would follow each other'
    else:
        return
    report.add(
        codes.SDF_MIMIC_IGNORED,
        f"joint '{follower.name}' cannot follow '{leader.name}', {reason}",
        mimic.element.attribute_location('joint', 0))


def _moves(joint: Joint, tag: str) -> bool:
    """Return whether a joint has a coordinate for an axis."""
    is_built = joint.parent_body is not None
    return is_built and joint.type != 'gearbox' and tag in AXES_OF_TYPE[joint.type]


# ---- gearboxes

class _Hinge(NamedTuple):
    """A joint that turns about one axis in the root, by ``speed`` times its coordinate."""

    coordinate: CoordinateKey
    axis: Vector
    speed: float


_Hinges = dict[tuple[_Carrier, _Carrier], _Hinge]
"""Hinges by parent and child."""


def _couple_gearbox(
    gearbox: Joint, hinges: _Hinges, couplings: Couplings, report: Report,
) -> None:
    """Make the child's coordinate follow the parent's."""
    reference = _carrier(gearbox.reference)
    leader, follower = (
        _turn(_carrier(body), reference, _direction(gearbox, tag), hinges)
        for body, tag in ((gearbox.parent_body, 'axis'), (gearbox.body, 'axis2')))
    if leader is not None and follower is not None:
        (ahead, speed), (behind, own_speed) = leader, follower
        multiplier = -gearbox.ratio * speed / own_speed
        if couplings.leader(behind) == ahead or couplings.add(
                behind, Coupling(ahead, multiplier)):
            return
    report.add(
        codes.SDF_GEARBOX_WITHOUT_EFFECT,
        f"gearbox '{gearbox.name}' does not couple two joints that turn on its reference "
        'body about its axes; both sides stay free', gearbox.location)


def _carrier(body: Optional[AttachedBody]) -> _Carrier:
    """Return the link that is the body: of a static model its canonical one."""
    return body.canonical if isinstance(body, Scope) else body


def _direction(joint: Joint, tag: str) -> Vector:
    """Return an axis of a joint in the root."""
    return rotate(joint.root_pose, joint.direction(tag))


def _turn(
    body: _Carrier, reference: _Carrier, direction: Vector, hinges: _Hinges,
) -> Optional[tuple[CoordinateKey, float]]:
    """Return the coordinate and speed of a body's angle about a direction, None without one."""
    ahead, back = hinges.get((reference, body)), hinges.get((body, reference))
    hinge = ahead or back
    if hinge is None:
        return None
    along = dot(hinge.axis, direction)
    if abs(along) < _PARALLEL or hinge.speed == 0.0:
        return None
    is_along = (along > 0.0) == (hinge is ahead)
    return hinge.coordinate, hinge.speed if is_along else -hinge.speed


def _find_hinges(
    items: Iterable[ScopedElement],
) -> Iterator[tuple[tuple[_Carrier, _Carrier], _Hinge]]:
    for item in items:
        if isinstance(item, ScopedModel) and item.inner.interface is not None:
            yield from _interface_hinges(item.inner, item.inner.interface)
        elif (isinstance(item, Joint) and item.type in ('revolute', 'continuous')
                and item.parent_body is not None):
            yield (_carrier(item.parent_body), _carrier(item.body)), _Hinge(
                (item, 'axis'), _direction(item, 'axis'), 1.0)


def _interface_hinges(
    scope: Scope, model: m.Model,
) -> Iterator[tuple[tuple[_Carrier, _Carrier], _Hinge]]:
    links = [child for child in scope.children if child.kind == 'link']
    for joint in model.joints:
        if len(joint.motions) == 1 and joint.motions[0].kind == 'revolute':
            motion, child = joint.motions[0], links[joint.child]
            root_from_joint = compose(child.root_pose, joint.child_from_joint)
            yield (links[joint.parent], child), _Hinge(
                (scope, motion.coordinates[0]), rotate(root_from_joint, motion.axis),
                motion.scale)
