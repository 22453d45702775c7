# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The tables of a Model while they grow, and the resolved scopes that fill them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.pose import IDENTITY, Pose, relative
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.couplings import CoordinateKey, couple_coordinates, Coupling
from hrdf_ros.readers.sdf.element import is_portable, portable_text, raw_text
from hrdf_ros.readers.sdf.naming import ModelNames, name_model
from hrdf_ros.readers.sdf.parts import pose_in_owner, References
from hrdf_ros.readers.sdf.scopes import (
    AttachedBody,
    depth_first,
    Scope,
    ScopedElement,
    ScopedModel,
)


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
        cls, world: Scope, top: Scope, references: References, report: Report,
    ) -> 'ModelSource':
        """Name and couple everything in a scope, and report changed names and ignored mimics."""
        items = list(depth_first(top))
        couplings = couple_coordinates(top, items, report)
        return cls(world, top, items, references, name_model(top, items, report), couplings)


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
        scopes = [self.source.world, self.source.top]
        scopes += [item.inner for item in self.source.items if isinstance(item, ScopedModel)]
        for scope in scopes:
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
