# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The working records of the reader: scopes, the items named in them, and how a name finds its item.

A scope is a model or a world (pose frame semantics proposal, SDF 1.7; composition proposal, SDF
1.8); its items are the links, joints, frames and nested models in it, one namespace. References go
downwards only: ``arm::wrist`` is the item ``wrist`` of the nested model ``arm``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Optional, Union

from hrdf_ros.document import XmlElement
from hrdf_ros.pose import IDENTITY, Pose

Version = tuple[int, ...]
Path = tuple['Item', ...]

_ORIGINS = {'model': '__model__', 'world': 'world', 'root': ''}


class Item:
    """
    A link, joint, frame or nested model of a scope.

    ``pose`` is posed_against_from_item, where ``relative_to`` names the frame it is posed against
    and the empty string means the scope's own frame; ``attached_to`` is the frame it is fixed to
    (a joint's child, a frame's ``attached_to``). ``inner`` is a nested model's scope, ``detail``
    what else was read. ``local`` is scope_from_item and ``body`` the link (or immovable scope)
    that carries it, both None until they are resolved. ``index`` and ``frame_name`` are a link's
    body and the frame's name in the Model.
    """

    __slots__ = (
        'name', 'kind', 'node', 'scope', 'pose', 'relative_to', 'attached_to', 'inner', 'detail',
        'local', 'body', 'visiting', 'index', 'frame_name', 'location')

    def __init__(
        self, name: str, kind: Literal['link', 'joint', 'frame', 'model'], node: XmlElement,
        scope: Scope, pose: Pose, relative_to: str, attached_to: str = '',
    ) -> None:
        self.name = name
        self.kind = kind
        self.node = node
        self.location = node.location
        self.scope = scope
        self.pose = pose
        self.relative_to = relative_to
        self.attached_to = attached_to
        self.inner: Optional[Scope] = None
        self.detail: Any = None
        self.local: Optional[Pose] = None
        self.body: Optional[Sink] = self if kind == 'link' else None
        self.visiting = False
        self.index = -1
        self.frame_name = ''

    @property
    def scoped_name(self) -> str:
        """The name from the outermost scope down, as SDFormat writes it."""
        prefix = self.scope.scoped_name
        return f'{prefix}::{self.name}' if prefix else self.name


class Scope:
    """
    A model, a world, or the imaginary root around a model that stands alone.

    ``children`` are the items in document order, ``items`` the same by name, with aliases,
    ``others`` the elements that are no items. ``incomplete`` tells that an include in it failed,
    so that a name may be missing for that; ``frozen`` that an include made it and all below it
    static; ``merge`` that its items go into the scope around it. ``foreign`` is the Model of
    another format that it stands for. ``depth`` is 1 for a root model and for a world's models,
    ``prefix`` what its names begin with in the Model.
    """

    __slots__ = (
        'name', 'kind', 'node', 'version', 'owner', 'items', 'children', 'names', 'static',
        'frozen', 'placement_frame', 'canonical_link', 'canonical', 'incomplete', 'scoped_name',
        'body', 'visiting', 'root_pose', 'others', 'foreign', 'index', 'depth', 'merge', 'prefix')

    def __init__(
        self,
        name: str,
        kind: Literal['model', 'world', 'root'],
        node: XmlElement,
        version: Version,
        owner: Optional[Item] = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.node = node
        self.version = version
        self.owner = owner
        self.items: dict[str, Item] = {}
        self.children: list[Item] = []
        self.names: set[tuple[str, str]] = set()
        self.static = False
        self.frozen = False
        self.placement_frame = ''
        self.canonical_link = ''
        self.canonical: Optional[Item] = None
        self.incomplete = False
        self.depth = 0
        self.scoped_name = ''
        self.body: Optional[Sink] = None
        self.visiting = False
        self.root_pose: Pose = IDENTITY
        self.others: list[XmlElement] = []
        self.foreign: Any = None
        self.merge = False
        self.prefix = ''
        self.index = -1

    @property
    def origin(self) -> str:
        """The name of the scope's own frame."""
        return _ORIGINS[self.kind]

    def find(self, name: str) -> Optional[Path]:
        """
        Return the items that a reference leads through, the meant one last; None if there is none.

        The empty path is the scope's own frame. A child that literally has the whole name (old
        flattened files) comes first.
        """
        item = self.items.get(name)
        if item is not None:
            return (item,)
        path: list[Item] = []
        scope, rest = self, name
        while rest != scope.origin:
            item = scope.items.get(rest)
            if item is not None:
                return (*path, item)
            head, _, rest = rest.partition('::')
            item = scope.items.get(head)
            if item is None or item.inner is None or not rest:
                return None
            path.append(item)
            scope = item.inner
        return tuple(path)

    def name_below(self, item: Item) -> str:
        """Return the name by which an item of this scope or one below it is referred to."""
        names = [item.name]
        owner = item.scope.owner
        while item.scope is not self and owner is not None:
            names.append(owner.name)
            item, owner = owner, owner.scope.owner
        return '::'.join(reversed(names))

    def release(self) -> None:
        """Let go of the items, which refer to each other: so all is freed without a collection."""
        for item in self.children:
            item.body = item.inner = None
        self.items.clear()
        self.children.clear()
        self.owner = self.canonical = self.body = None


Sink = Union[Item, Scope]
"""What a frame is fixed to in the end: a link, or a static model's or the world's scope."""


def meant(scope: Scope, path: Path) -> Sink:
    """Return what a path of ``Scope.find`` leads to: an item, or the scope for the empty path."""
    return path[-1] if path else scope


def depth_first(scope: Scope) -> Iterator[Item]:
    """Yield every item in a scope and below it, in document order, a model before its items."""
    pending = [iter(scope.children)]
    while pending:
        for item in pending[-1]:
            yield item
            if item.inner is not None:
                pending.append(iter(item.inner.children))
                break
        else:
            pending.pop()


def name_scopes(top: Scope) -> list[Scope]:
    """Set the depth and the scoped name of every scope; return them, inner ones first."""
    below = []
    for item in depth_first(top):
        if item.inner is not None:
            item.inner.depth = item.scope.depth + 1
            item.inner.scoped_name = item.scoped_name
            item.inner.frozen |= item.scope.frozen
            below.append(item.inner)
    return sorted([top, *below], key=_by_depth, reverse=True)


def _by_depth(scope: Scope) -> int:
    return scope.depth
