# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Scopes, what is named in them, and how a name finds what it means.

A scope is a model or a world (pose frame semantics proposal, SDF 1.7; composition proposal, SDF
1.8); the links, joints, frames and nested models in it have one namespace. References go downwards
only: ``arm::wrist`` is ``wrist`` in the scope of the nested model ``arm``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Optional, Union

from hrdf_ros import model as m
from hrdf_ros.pose import compose, IDENTITY, Pose
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.joint import SdfJoint
from hrdf_ros.readers.sdf.link import SdfLink
from hrdf_ros.readers.sdf.versions import Version

ElementKind = Literal['link', 'joint', 'frame', 'model']

_ORIGINS = {'model': '__model__', 'world': 'world', 'root': ''}


class ScopedElement:
    """
    A link, joint, frame or nested model in a scope; itself a frame, the others are below.

    Read: ``pose`` is that in the frame that ``relative_to`` names, the empty string being the
    scope's own frame; ``attached_to`` is the frame that it is fixed to (a joint's child, a
    frame's ``attached_to``). Resolved by ``frame_graph``: ``scope_pose`` is scope_from_element,
    ``body`` what carries it; both are None until then.
    """

    __slots__ = (
        'name', 'kind', 'element', 'location', 'scope', 'pose', 'relative_to', 'attached_to',
        'scope_pose', 'body', 'visiting')

    def __init__(
        self, name: str, kind: ElementKind, element: TypedElement, scope: Scope, pose: Pose,
        relative_to: str, attached_to: str = '',
    ) -> None:
        self.name = name
        self.kind: ElementKind = kind
        self.element = element
        self.location = element.location
        self.scope = scope
        self.pose = pose
        self.relative_to = relative_to
        self.attached_to = attached_to
        self.scope_pose: Optional[Pose] = None
        self.body: Optional[AttachedBody] = self if kind == 'link' else None
        self.visiting = False

    @property
    def scoped_name(self) -> str:
        """The name from the outermost scope down, as SDFormat writes it."""
        prefix = self.scope.scoped_name
        return f'{prefix}::{self.name}' if prefix else self.name

    @property
    def resolved_pose(self) -> Pose:
        """The pose scope_from_element, the identity where it could not be resolved."""
        return self.scope_pose or IDENTITY

    @property
    def root_pose(self) -> Pose:
        """The pose root_from_element."""
        return compose(self.scope.root_pose, self.resolved_pose)

    @property
    def attached_body(self) -> AttachedBody:
        """What carries it, the scope where that could not be resolved."""
        return self.scope if self.body is None else self.body


class ScopedLink(ScopedElement):
    """A link with what it says."""

    __slots__ = ('link',)

    link: SdfLink


class ScopedJoint(ScopedElement):
    """A joint with what it says; it is attached to its child."""

    __slots__ = ('joint',)

    joint: SdfJoint


class ScopedModel(ScopedElement):
    """A nested model with its scope; ``is_merged`` tells that this goes into the one around."""

    __slots__ = ('inner', 'is_merged')

    def __init__(
        self, name: str, element: TypedElement, scope: Scope, pose: Pose, relative_to: str,
        version: Version,
    ) -> None:
        super().__init__(name, 'model', element, scope, pose, relative_to)
        self.inner = Scope(name, 'model', element, version, self)
        self.is_merged = False


class InterfaceElement(ScopedElement):
    """A link or frame of an interface model, with its frame in that Model."""

    __slots__ = ('frame',)

    def __init__(
        self, kind: ElementKind, element: TypedElement, scope: Scope, pose: Pose, frame: m.Frame,
    ) -> None:
        super().__init__(frame.name, kind, element, scope, pose, '')
        self.scope_pose = pose
        self.frame = frame


class Scope:
    """
    A model, a world, or the imaginary root around a model outside of any world.

    ``children`` are the elements in it in document order, ``items`` the same by name, with
    aliases, ``names`` their kinds and names as written; ``others`` are the elements without a
    pose in the scope. ``incomplete`` tells that an include in it failed, so that a name may be
    missing for that; ``static_by_include`` that an include made it and all below it static.
    ``interface`` is the Model of another format in its place. ``depth`` is 1 for a root
    model and for a world's models. ``canonical``, ``body`` and ``root_pose`` (root_from_scope)
    are resolved by ``frame_graph``.
    """

    __slots__ = (
        'name', 'kind', 'element', 'version', 'owner', 'items', 'children', 'names', 'others',
        'static', 'static_by_include', 'placement_frame', 'canonical_link', 'incomplete',
        'interface', 'depth', 'scoped_name', 'canonical', 'body', 'visiting', 'root_pose')

    def __init__(
        self, name: str, kind: Literal['model', 'world', 'root'], element: TypedElement,
        version: Version, owner: Optional[ScopedModel] = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.element = element
        self.version = version
        self.owner = owner
        self.items: dict[str, ScopedElement] = {}
        self.children: list[ScopedElement] = []
        self.names: set[tuple[ElementKind, str]] = set()
        self.others: list[TypedElement] = []
        self.static = False
        self.static_by_include = False
        self.placement_frame = ''
        self.canonical_link = ''
        self.incomplete = False
        self.interface: Optional[m.Model] = None
        self.depth = 0
        self.scoped_name = ''
        self.canonical: Optional[ScopedElement] = None
        self.body: Optional[AttachedBody] = None
        self.visiting = False
        self.root_pose: Pose = IDENTITY

    @property
    def origin(self) -> str:
        """The name of the scope's own frame."""
        return _ORIGINS[self.kind]

    @property
    def models(self) -> list[ScopedModel]:
        """The nested models, in document order."""
        return [child for child in self.children if isinstance(child, ScopedModel)]

    def find(self, name: str) -> Optional[ScopePath]:
        """
        Return what a reference leads through, what it means last; None if there is none.

        The empty path is the scope's own frame. A child that literally has the whole name (old
        flattened files) comes first.
        """
        item = self.items.get(name)
        if item is not None:
            return (item,)
        path: list[ScopedElement] = []
        scope, rest = self, name
        while rest != scope.origin:
            item = scope.items.get(rest)
            if item is not None:
                return (*path, item)
            head, _, rest = rest.partition('::')
            item = scope.items.get(head)
            if not isinstance(item, ScopedModel) or not rest:
                return None
            path.append(item)
            scope = item.inner
        return tuple(path)

    def name_below(self, item: ScopedElement) -> str:
        """Return the name by which an element of this scope or below it is referred to."""
        names = [item.name]
        owner = item.scope.owner
        while item.scope is not self and owner is not None:
            names.append(owner.name)
            item, owner = owner, owner.scope.owner
        return '::'.join(reversed(names))

    def release(self) -> None:
        """Let go of the elements, which refer to each other, so that no collection is needed."""
        for item in self.children:
            item.body = None
        self.items.clear()
        self.children.clear()
        self.owner = self.canonical = self.body = None


ScopePath = tuple[ScopedElement, ...]
"""Nested models, and in the last of them what a reference means."""

AttachedBody = Union[ScopedElement, Scope]
"""What carries a frame: a link, or a static model's or the world's scope."""


def target(scope: Scope, path: ScopePath) -> AttachedBody:
    """Return what a path of ``Scope.find`` leads to, the scope itself where it is empty."""
    return path[-1] if path else scope


def depth_first(scope: Scope) -> Iterator[ScopedElement]:
    """Yield what is in a scope and below it, in document order, a model before what is in it."""
    pending = [iter(scope.children)]
    while pending:
        for item in pending[-1]:
            yield item
            if isinstance(item, ScopedModel):
                pending.append(iter(item.inner.children))
                break
        else:
            pending.pop()


def length_of_names(top: Scope) -> int:
    """Return about how many characters the names and source names of all frames will have."""
    total = 0
    lengths = {top: 0}
    for item in depth_first(top):
        length = lengths[item.scope] + len(item.name) + 1
        count = 2
        if isinstance(item, ScopedModel):
            lengths[item.inner] = length
        elif isinstance(item, ScopedLink):
            count += 2 * len(item.link.framed)
        elif isinstance(item, ScopedJoint):
            count += 2 * len(item.joint.preserved)
        total += count * length
    return total


def link_scopes(top: Scope) -> list[Scope]:
    """Set what each scope inherits from those around it; return all, inner ones first."""
    scopes = [top]
    for scope in scopes:  # which grows on the way
        for model in scope.models:
            inner = model.inner
            inner.depth = scope.depth + 1
            inner.scoped_name = model.scoped_name
            inner.static_by_include |= scope.static_by_include
            scopes.append(inner)
    return sorted(scopes, key=_by_depth, reverse=True)


def _by_depth(scope: Scope) -> int:
    return scope.depth
