# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Scopes, the elements in them, and the meaning of names.

A scope is a model or a world (pose frame semantics proposal, SDF 1.7; composition proposal, SDF
1.8); the links, joints, frames and nested models in it share one namespace. References lead
downwards only: ``arm::wrist`` is ``wrist`` in the scope of the nested model ``arm``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Optional

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.formats import sdf_has, Version
from hrdf_ros.inertia import Inertia
from hrdf_ros.parsing.sdf import is_reserved
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import compose, IDENTITY, Pose, Vector, Z_AXIS
from hrdf_ros.readers.schema import TypedElement

Kind = Literal['link', 'joint', 'frame', 'model', 'world', 'root']

_ORIGINS = {'model': '__model__', 'world': 'world', 'root': ''}


class ScopedElement:
    """
    A link, joint, frame or model in a scope; itself a frame, the others are below.

    Read: ``pose`` is relative to the frame that ``relative_to`` names, the scope's own frame if
    that is empty; ``attached_to`` names the frame that it is fixed to (a joint's child, a frame's
    ``attached_to``). ``preserved`` are the elements in it that are kept as raw text, some of
    them also ``framed``: they become frames. ``frame`` is that of an included Model of another
    format.
    Resolved by ``frame_graph``: ``scope_pose`` is scope_from_element; ``body`` carries it: a link,
    or the scope of a static model or of the world. Both are None until then.
    """

    framed: Sequence[TypedElement] = ()
    preserved: Sequence[TypedElement] = ()
    frame: Optional[m.Frame] = None
    scope_pose: Optional[Pose] = None
    body: Optional[ScopedElement] = None
    visiting = False

    def __init__(
        self, name: str, kind: Kind, element: TypedElement, scope: Scope, pose: Pose,
        relative_to: str = '', attached_to: str = '',
    ) -> None:
        self.name = name
        self.kind: Kind = kind
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
        prefix = self.scope.path
        return f'{prefix}::{self.name}' if prefix else self.name

    @property
    def root_pose(self) -> Pose:
        """The pose root_from_element, that of the scope where it could not be resolved."""
        return compose(self.scope.root_from_scope, self.scope_pose or IDENTITY)


class Link(ScopedElement):
    """
    A link.

    The poses of shapes are as written until ``references`` resolves the ones in ``relative``, a
    list of their elements; ``inertia`` is None until then where the collisions give it (SDF 1.11).
    """

    inertia: Optional[Inertia] = None
    visuals: Sequence[m.Shape] = ()
    collisions: Sequence[m.Shape] = ()
    relative: Sequence[TypedElement] = ()


class Axis:
    """
    An axis of a joint, or of an included Model's, and its coordinate, which has no name yet.

    ``xyz`` is a unit vector in the frame ``expressed_in``, the joint's own if that is empty;
    ``direction`` is the same in the joint's frame, once ``references`` has resolved it. ``nan``
    is the tag of a limit that is not a number, or empty; ``mimic`` is the ``<mimic>`` in it.
    """

    def __init__(
        self, coordinate: m.Coordinate, element: Optional[TypedElement] = None,
        xyz: Vector = Z_AXIS, expressed_in: str = '', nan: str = '',
        mimic: Optional[TypedElement] = None,
    ) -> None:
        self.coordinate = coordinate
        self.element = element
        self.xyz = self.direction = xyz
        self.expressed_in = expressed_in
        self.nan = nan
        self.mimic = mimic


class Joint(ScopedElement):
    """
    A joint; it is attached to its child.

    Read: ``parent`` is the name of a frame; ``axes`` are by the tag of their element.
    Resolved by ``references``: ``parent_body`` carries the parent frame, as ``body``
    does the child; it is None where the joint does not connect two bodies. ``reference`` carries
    the reference body of a gearbox.
    """

    parent_body: Optional[ScopedElement] = None
    reference: Optional[ScopedElement] = None

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


class Scope(ScopedElement):
    """
    A model with all that is in it; a world or the imaginary root around a model outside of any.

    The last two are in no other scope than themselves. ``content`` is the element that is read,
    that of an include a model of another file. ``children`` are its elements in document order,
    ``models`` the nested models among them, ``items`` the same by name, with aliases,
    ``names`` their kinds and names as written; ``others`` are the elements without a pose in the
    scope. In an ``incomplete`` scope an include failed, so that a name may be missing for that.
    One that ``is_merged`` goes into the scope around it.
    ``static_by_include``: an include made it and all below it static. ``interface`` is the Model
    of another format in its place, with its coordinates as ``axes``; if it ``is_placeholder`` for
    a missing file, any name in it means its one link. ``depth`` is 1 for a root model and for a
    world's models; ``path`` is its scoped name, before the names in it.
    ``depth``, ``path``, ``canonical`` and ``root_from_scope`` are resolved by ``frame_graph``.
    """

    static = False
    static_by_include = False
    is_merged = False
    placement_frame = ''
    canonical_link = ''
    incomplete = False
    interface: Optional[m.Model] = None
    axes: Sequence[Axis] = ()
    is_placeholder = False
    depth = 0
    path = ''
    canonical: Optional[ScopedElement] = None
    root_from_scope: Pose = IDENTITY

    def __init__(
        self, name: str, kind: Kind, element: TypedElement, version: Version,
        scope: Optional[Scope] = None, pose: Pose = IDENTITY, relative_to: str = '',
    ) -> None:
        super().__init__(name, kind, element, scope or self, pose, relative_to)
        self.content = element
        self.version = version
        self.items: dict[str, ScopedElement] = {}
        self.children: list[ScopedElement] = []
        self.models: list[Scope] = []
        self.names: set[tuple[Kind, str]] = set()
        self.others: list[TypedElement] = []

    @property
    def origin(self) -> str:
        """The name of the scope's own frame."""
        return _ORIGINS[self.kind]

    def find(self, name: str) -> Optional[ScopedElement]:
        """
        Return the target of a reference, the scope itself for its own frame; None without one.

        A child that literally has the whole name (old flattened files) comes first.
        """
        scope, rest = self, name
        item = self.items.get(name)
        while item is None and rest != scope.origin:
            if scope.is_placeholder:
                return scope.children[0]
            head, _, rest = rest.partition('::')
            inner = scope.items.get(head)
            if not isinstance(inner, Scope) or not rest:
                return None
            scope = inner
            item = scope.items.get(rest)
        return scope if item is None else item

    def append(self, item: ScopedElement) -> None:
        """Append an element."""
        self.children.append(item)
        if isinstance(item, Scope):
            self.models.append(item)

    def add(self, item: ScopedElement, report: Report) -> None:
        """Add an element unless its name is missing or taken."""
        name = item.name
        if not name:
            self.incomplete = True
            return
        if is_reserved(name):
            report.add(
                codes.SDF_RESERVED_NAME, f"the {item.kind} name '{name}' is reserved",
                item.element.attribute_location('name', 0))
        key = item.kind, name
        if key in self.names:
            report.add(
                codes.DUPLICATE_NAME, f"duplicate <{item.kind}> '{name}'",
                item.element.attribute_location('name', 0), reference='DUPLICATE_NAME')
            return
        self.names.add(key)
        if name in self.items:
            name = item.name = self._free_name(item, report)
        if name:
            self.items[name] = item
            self.append(item)

    def _free_name(self, item: ScopedElement, report: Report) -> str:
        """
        Return another name for an element whose name one of another kind has taken, or ''.

        Until SDF 1.6 that was allowed: the later of the two is renamed, references are not. Since
        1.7 it is an error, and nested models were never renamed.
        """
        other = self.items[item.name].kind
        location = item.element.attribute_location('name', 0)
        message = f"a {other} beside this {item.kind} is also named '{item.name}'"
        if sdf_has(self.version, 'relative_to') or item.kind == 'model':
            report.add(codes.DUPLICATE_NAME, message, location, reference='DUPLICATE_NAME')
            return ''
        name, count = f'{item.name}_{item.kind}', 0
        while name in self.items:
            name, count = f'{item.name}_{item.kind}{count}', count + 1
        report.add(
            codes.NAME_CHANGED, f"{message}; it becomes '{name}'", location,
            hint='since SDF 1.7 siblings require different names')
        return name

    def report_unknown(
        self, name: str, code: codes.Code, message: str, location: SourceRef, report: Report, *,
        severity: Optional[codes.Severity] = None, reference: Optional[str] = None,
    ) -> None:
        """Report a name that is not in the scope, unless a failed include may be the reason."""
        if not self.incomplete:
            report.add(
                code, message, location, hint=did_you_mean(name, self.items), severity=severity,
                reference=reference, cause=name)

    def way(self, item: ScopedElement) -> list[ScopedElement]:
        """Return the models that lead to an element of this scope, and the element itself."""
        found = []
        while item is not self:
            found.append(item)
            item = item.scope
        return found[::-1]


def depth_first(scope: Scope) -> Iterator[ScopedElement]:
    """Yield a model, or the content of a world, and all below it; a model before its content."""
    pending = [iter([scope] if scope.kind == 'model' else scope.children)]
    while pending:
        for item in pending[-1]:
            yield item
            if isinstance(item, Scope):
                pending.append(iter(item.children))
                break
        else:
            pending.pop()


def with_inner(top: Scope) -> list[Scope]:
    """Return a scope and all below it, each before those in it."""
    scopes = [top]
    for scope in scopes:  # the list grows in the loop
        scopes += scope.models
    return scopes


def release(top: Scope) -> None:
    """Clear all records, which refer to each other: a collection would cost 4 % of a load."""
    for scope in reversed(with_inner(top)):
        for item in scope.children:
            vars(item).clear()
    vars(top).clear()
