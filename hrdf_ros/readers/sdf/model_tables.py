# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The tables of a Model while they grow, and what they are built from."""

from collections.abc import Sequence
from typing import NamedTuple

from hrdf_ros import model as m
from hrdf_ros.pose import IDENTITY, Pose, relative
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.couplings import CoordinateKey, Couplings
from hrdf_ros.readers.sdf.element import is_portable, portable_text, raw_text
from hrdf_ros.readers.sdf.naming import ModelNames
from hrdf_ros.readers.sdf.resolution import Resolution
from hrdf_ros.readers.sdf.scopes import AttachedBody, Scope, ScopedElement, ScopedModel


class ModelSource(NamedTuple):
    """
    What a Model is built from.

    ``world`` is the outermost scope, where poses begin, ``top`` the one that becomes the Model: a
    model, or the world itself; ``items`` is all that is in it, in document order.
    """

    world: Scope
    top: Scope
    items: Sequence[ScopedElement]
    resolution: Resolution
    names: ModelNames
    couplings: Couplings


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

    def root_from_body(self, body: AttachedBody) -> Pose:
        """Return where the body is that carries a frame."""
        if isinstance(body, ScopedElement):
            return body.root_pose
        return body.canonical.root_pose if body.canonical is not None else IDENTITY

    def body_from(self, item: ScopedElement) -> Pose:
        """Return where an element is in the body that carries it, exact if written so."""
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
            element, self.source.resolution.pose(element))
        return m.RawElement(
            tag=element.tag, text=text, location=element.location, owner=owner, format='sdf')
