# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Scopes, the elements in them, and the meaning of names.

A scope is a model or a world (pose frame semantics proposal, SDF 1.7; composition proposal, SDF
1.8); the links, joints, frames and nested models in it share one namespace. References lead
downwards only: ``arm::wrist`` is ``wrist`` in the scope of the nested model ``arm``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import Inertia
from hrdf_ros.parsing.sdf import is_reserved
from hrdf_ros.pose import compose, IDENTITY, Pose, Vector, Z_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.schema.types import Version

ElementKind = Literal['link', 'joint', 'frame', 'model']

_ORIGINS = {'model': '__model__', 'world': 'world', 'root': ''}


class ScopedElement:
    """
    A link, joint, frame or nested model in a scope; itself a frame, the others are below.

    Read: ``pose`` is relative to the frame that ``relative_to`` names, the scope's own frame if
    that is empty; ``attached_to`` names the frame that it is fixed to (a joint's child, a frame's
    ``attached_to``). ``preserved`` are the elements in it that are kept as raw text, some of
    them also ``framed``: they become frames. ``frame`` is that of an included Model of another
    format.
    Resolved by ``frame_graph``: ``scope_pose`` is scope_from_element, ``body`` carries it; both
    are None until then.
    """

    framed: Sequence[TypedElement] = ()
    preserved: Sequence[TypedElement] = ()
    frame: Optional[m.Frame] = None
    scope_pose: Optional[Pose] = None
    body: Optional[AttachedBody] = None
    visiting = False

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
        if kind == 'link':
            self.body = self

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
        """The body that carries it, the scope where that could not be resolved."""
        return self.scope if self.body is None else self.body


class Link(ScopedElement):
    """
    A link.

    The poses of shapes are as written until ``references`` resolves the ones in ``relative``, a
    list of their elements; ``inertia`` is None until then where the collisions give it (SDF 1.11).
    """

    inertia: Optional[Inertia] = None

    def __init__(
        self, name: str, element: TypedElement, scope: Scope, pose: Pose, relative_to: str,
    ) -> None:
        super().__init__(name, 'link', element, scope, pose, relative_to)
        self.visuals: list[m.Shape] = []
        self.collisions: list[m.Shape] = []
        self.relative: list[TypedElement] = []


class AxisMimic(NamedTuple):
    """``q = multiplier * q_leader + offset``, with the leader as the file names it (SDF 1.11)."""

    joint: str
    axis: str
    multiplier: float
    offset: float
    element: TypedElement


class Axis:
    """
    An axis of a joint.

    ``xyz`` is a unit vector in the frame ``expressed_in``, the joint's own if that is empty;
    ``direction`` is the same in the joint's frame, once ``references`` has resolved it.
    ``coordinate`` has the fields of its coordinate except the name; ``nan`` is the tag of a limit
    that is not a number, or empty.
    """

    __slots__ = ('element', 'xyz', 'expressed_in', 'coordinate', 'nan', 'mimic', 'direction')

    def __init__(
        self, element: TypedElement, xyz: Vector, expressed_in: str, coordinate: Mapping[str, Any],
        nan: str, mimic: Optional[AxisMimic],
    ) -> None:
        self.element = element
        self.xyz = self.direction = xyz
        self.expressed_in = expressed_in
        self.coordinate = coordinate
        self.nan = nan
        self.mimic = mimic


class Joint(ScopedElement):
    """
    A joint; it is attached to its child.

    Read: ``parent`` is the name of a frame; ``axes`` are by the tag of their element; ``pitch`` is
    how far a screw moves along its axis in one turn, in meters; a gearbox has ``ratio`` and the
    name of its ``reference_body``.
    Resolved by ``references``: ``parent_body`` carries the parent frame, as ``body``
    does the child; it is None where the joint does not connect two bodies. ``reference`` carries
    the reference body.
    """

    pitch = ratio = 1.0
    reference_body = ''
    parent_body: Optional[AttachedBody] = None
    reference: Optional[AttachedBody] = None

    def __init__(
        self, name: str, element: TypedElement, scope: Scope, pose: Pose, relative_to: str,
        type: str, parent: str, child: str,  # noqa: A002
    ) -> None:
        super().__init__(name, 'joint', element, scope, pose, relative_to, child)
        self.type = type
        self.parent = parent
        self.axes: dict[str, Axis] = {}

    def direction(self, tag: str) -> Vector:
        """Return an axis as a unit vector in the joint's frame, z where it has none."""
        axis = self.axes.get(tag)
        return Z_AXIS if axis is None else axis.direction


class ScopedModel(ScopedElement):
    """A nested model with its scope; one that ``is_merged`` goes into the scope around it."""

    is_merged = False

    def __init__(
        self, name: str, element: TypedElement, scope: Scope, pose: Pose, relative_to: str,
        version: Version,
    ) -> None:
        super().__init__(name, 'model', element, scope, pose, relative_to)
        self.inner = Scope(name, 'model', element, version, self)


class Scope:
    """
    A model, a world, or the imaginary root around a model outside of any world.

    ``children`` are its elements in document order, ``models`` the nested models among them,
    ``items`` the same by name, with aliases,
    ``names`` their kinds and names as written; ``others`` are the elements without a pose in the
    scope. In an ``incomplete`` scope an include failed, so that a name may be missing for that.
    ``static_by_include``: an include made it and all below it static. ``interface`` is the Model
    of another format in its place; if it ``is_placeholder`` for a missing file, any name in it
    means its one link. ``depth`` is 1 for a root model and for a world's models.
    ``depth``, ``scoped_name``, ``canonical``, ``body`` and ``root_pose`` (root_from_scope) are
    resolved by ``frame_graph``.
    """

    static = False
    static_by_include = False
    placement_frame = ''
    canonical_link = ''
    incomplete = False
    interface: Optional[m.Model] = None
    is_placeholder = False
    depth = 0
    scoped_name = ''
    canonical: Optional[ScopedElement] = None
    body: Optional[AttachedBody] = None
    visiting = False
    root_pose: Pose = IDENTITY

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
        self.models: list[ScopedModel] = []
        self.names: set[tuple[ElementKind, str]] = set()
        self.others: list[TypedElement] = []

    @property
    def origin(self) -> str:
        """The name of the scope's own frame."""
        return _ORIGINS[self.kind]

    def find(self, name: str) -> Optional[ScopePath]:
        """
        Return the elements that a reference leads through, the last being its meaning, or None.

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
            if scope.is_placeholder:
                return (*path, scope.children[0])
            head, _, rest = rest.partition('::')
            item = scope.items.get(head)
            if not isinstance(item, ScopedModel) or not rest:
                return None
            path.append(item)
            scope = item.inner
        return tuple(path)

    def append(self, item: ScopedElement) -> None:
        """Add an element behind the others."""
        self.children.append(item)
        if isinstance(item, ScopedModel):
            self.models.append(item)

    def name_below(self, item: ScopedElement) -> str:
        """Return the name by which an element of this scope or below it is referred to."""
        names = [item.name]
        owner = item.scope.owner
        while item.scope is not self and owner is not None:
            names.append(owner.name)
            item, owner = owner, owner.scope.owner
        return '::'.join(reversed(names))

ScopePath = tuple[ScopedElement, ...]
"""Nested models, and the meaning of a reference in the last of them."""

AttachedBody = Union[ScopedElement, Scope]
"""The carrier of a frame: a link, or a static model's or the world's scope."""


def target(scope: Scope, path: ScopePath) -> AttachedBody:
    """Return the end of a path of ``Scope.find``, the scope itself where it is empty."""
    return path[-1] if path else scope


def depth_first(scope: Scope) -> Iterator[ScopedElement]:
    """Yield a model, or what is in a world, and all below it, a model before its content."""
    pending = [iter(scope.children if scope.owner is None else (scope.owner,))]
    while pending:
        for item in pending[-1]:
            yield item
            if isinstance(item, ScopedModel):
                pending.append(iter(item.inner.children))
                break
        else:
            pending.pop()


def with_inner(top: Scope) -> list[Scope]:
    """Return a scope and all below it, each before those in it."""
    scopes = [top]
    for scope in scopes:  # the list grows in the loop
        scopes += [model.inner for model in scope.models]
    return scopes


def release(top: Scope) -> None:
    """Clear all scopes, whose elements refer to each other, so that no collection is needed."""
    for scope in with_inner(top):
        for item in scope.children:
            item.body = None
        scope.items.clear()
        scope.children.clear()
        scope.models.clear()
        scope.owner = scope.canonical = scope.body = None


# ---- the names that elements take

def add(scope: Scope, item: ScopedElement, report: Report) -> None:
    """Add an element to a scope unless its name is missing or taken."""
    name = item.name
    if not name:
        scope.incomplete = True
        return
    if is_reserved(name):
        report.add(
            codes.SDF_RESERVED_NAME, f"the {item.kind} name '{name}' is reserved",
            item.element.attribute_location('name', 0))
    key = item.kind, name
    if key in scope.names:
        report.add(
            codes.DUPLICATE_NAME, f"duplicate <{item.kind}> '{name}'",
            item.element.attribute_location('name', 0), reference='DUPLICATE_NAME')
        return
    scope.names.add(key)
    if name in scope.items:
        free = _free_name(scope, item, report)
        if free is None:
            return
        name = item.name = free
    scope.items[name] = item
    scope.append(item)


def _free_name(scope: Scope, item: ScopedElement, report: Report) -> Optional[str]:
    """
    Return another name for an element whose name one of another kind has taken.

    Until SDF 1.6 that was allowed: the later of the two is renamed, references are not. Since
    1.7 it is an error, and nested models were never renamed.
    """
    other = scope.items[item.name].kind
    location = item.element.attribute_location('name', 0)
    message = f"a {other} beside this {item.kind} is also named '{item.name}'"
    if scope.version >= (1, 7) or item.kind == 'model':
        report.add(codes.DUPLICATE_NAME, message, location, reference='DUPLICATE_NAME')
        return None
    name, count = f'{item.name}_{item.kind}', 0
    while name in scope.items:
        name, count = f'{item.name}_{item.kind}{count}', count + 1
    report.add(
        codes.NAME_CHANGED, f"{message}; it becomes '{name}'", location,
        hint='since SDF 1.7 siblings require different names')
    return name
