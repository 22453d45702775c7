# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The tables of a Model while they grow, and the names in it.

In frames, links win, then ``<frame>``s, then joints, then models, then the parts of links and
joints; joints are a namespace of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.names import Names
from hrdf_ros.pose import IDENTITY, Pose, relative
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.couplings import CoordinateKey, couple_coordinates, Coupling
from hrdf_ros.readers.sdf.element import is_portable, name_of, portable_text, raw_text
from hrdf_ros.readers.sdf.references import pose_in_owner, References
from hrdf_ros.readers.sdf.scopes import (
    AttachedBody,
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


class ModelNames:
    """
    Names in the Model, claimed in the order of precedence; a top model's own name is in no other.

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
        self._top = top
        self._items = items
        self._frame_names = Names(report)
        self._joint_names = Names(report)
        for scope in with_inner(top):
            for model in scope.models:
                self.prefixes[model.inner] = f'{self.prefixes[scope]}{model.name}/'
        self.world = self._frame_names.claim('world') if _needs_world(top, items) else ''
        self._name_frames()
        self._name_joints()
        self._name_parts()

    def _name_frames(self) -> None:
        frames, prefixes, claim = self.frames, self.prefixes, self._frame_names.claim
        for kind, suffix in _SUFFIXES:
            for item in self._items:
                if item.kind == kind:
                    frames[item] = claim(prefixes[item.scope] + item.name, suffix, item.location)
        owner = self._top.owner
        if owner is not None:
            self.frames[owner] = self._frame_names.claim(
                owner.name, '_model', owner.location)

    def _name_joints(self) -> None:
        self._name_interface_joints(self._top)
        for item in self._items:
            if isinstance(item, ScopedModel):
                self._name_interface_joints(item.inner)
            elif isinstance(item, Joint) and item.parent_body is not None:
                self.joints[item] = self._joint_names.claim(
                    self.prefixes[item.scope] + item.name, '', item.location)

    def _name_interface_joints(self, scope: Scope) -> None:
        if scope.interface is not None:
            prefix = self.prefixes[scope]
            self.interface_joints[scope] = [
                self._joint_names.claim(prefix + joint.name, '', scope.element.location)
                for joint in scope.interface.joints]

    def _name_parts(self) -> None:
        self._name_world_frames(self._top)
        for item in self._items:
            for element in item.framed:
                self._name_part(element, f'{self.frames[item]}/')
            if isinstance(item, ScopedModel):
                self._name_world_frames(item.inner)

    def _name_world_frames(self, scope: Scope) -> None:
        for element in scope.others if scope.kind == 'world' else ():
            if element.tag in WORLD_FRAMES:
                self._name_part(element, '')

    def _name_part(self, element: TypedElement, prefix: str) -> None:
        name = name_of(element) or element.tag
        self.parts[element] = self._frame_names.claim(
            prefix + name, f'_{element.tag}', element.location)


class ModelSource(NamedTuple):
    """
    The resolved scopes that a Model is built from.

    ``world`` is the outermost scope, where poses begin, ``top`` the one that becomes the Model: a
    model, or the world itself; ``items`` is all that is in it, in document order.
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
        couplings = couple_coordinates(top, items, report)
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


def _needs_world(top: Scope, items: Sequence[ScopedElement]) -> bool:
    """Return whether something is fixed to the world, so that it has to be a body."""
    if top.kind == 'world':
        return True
    for item in items if top.owner is None else [top.owner, *items]:
        body = item.body
        if isinstance(body, Scope) and body.canonical is None:
            return True
        if isinstance(item, Joint) and item.parent == 'world':
            return True
    return False
