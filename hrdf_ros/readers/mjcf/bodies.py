# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The tree of bodies, with ``<frame>``, ``<replicate>`` and ``<attach>`` expanded as MuJoCo does.

What an element means depends on the file that it is in: a ``Scope`` is such a file, with its
settings and classes, and with what is put before and behind its names where it is attached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
import os
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.limits import REPLICATED_ELEMENTS
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose
from hrdf_ros.readers.mjcf.conflicts import Settings
from hrdf_ros.readers.mjcf.poses import euler, read_pose
from hrdf_ros.readers.mjcf.settings import Classes, Compiler, MAIN, report_unknown, Resolved
from hrdf_ros.readers.schema import TypedElement

WORLD = 'world'
_DIRECTORIES = {
    **dict.fromkeys(('mesh', 'hfield', 'skin', 'flex'), 'meshdir'), 'texture': 'texturedir'}
"""Of the files of assets by tag; those of others are in ``assetdir``."""


class Scope(NamedTuple):
    """
    A file whose elements are read, and how names in it are changed where it is attached.

    ``find`` returns the file that a URI means beside another file.
    """

    root: TypedElement
    compiler: Compiler
    classes: Classes
    models: Mapping[str, Scope]
    settings: Settings
    find: Callable[[str, str], Optional[str]]
    prefix: str = ''
    suffix: str = ''
    asset_prefix: str = ''

    def rename(self, name: str) -> str:
        """Return a name of the file as the whole model has it."""
        return f'{self.prefix}{name}{self.suffix}'

    @property
    def of_assets(self) -> Scope:
        """The scope without the names of copies: only assets of another file are copied."""
        return self._replace(prefix=self.asset_prefix, suffix='')

    def file_of(self, asset: TypedElement, attribute: str = 'file') -> Optional[str]:
        """Return the file that an asset names, in the directory of its kind; None without one."""
        name = asset.get(attribute)
        if not name:
            return None
        if self.compiler.strippath:
            name = os.path.basename(name.replace('\\', '/'))
        directory = getattr(self.compiler, _DIRECTORIES.get(asset.tag, 'assetdir'))
        below = name if '://' in name else os.path.join(directory, name)
        main, beside = self.root.document.file, asset.document.file
        return self.find(below, main) or self.find(below, beside) or self.find(name, beside)


class Item(NamedTuple):
    """An element of a body: ``pose`` is that of the frames around it in the body."""

    element: Resolved
    scope: Scope
    pose: Pose = IDENTITY

    @property
    def key(self) -> tuple[object, ...]:
        """The identity of the element and its copy: the same when the file is read twice."""
        return id(self.element.element), self.scope.prefix, self.scope.suffix

    @property
    def name(self) -> str:
        """The name in the whole model, empty where it has none."""
        name = self.element.element.get('name')
        return self.scope.rename(name) if name else ''


def joint_kind(item: Item) -> str:
    """Return hinge, slide, ball or free."""
    is_free = item.element.element.tag == 'freejoint'
    kind: str = 'free' if is_free else item.element.value('type', 'hinge')
    return kind


@dataclass(eq=False)
class BodyNode:
    """
    A body with its elements and the bodies in it; ``pose`` is parent_from_body.

    ``shift`` is body_from_written: the elements are written in another frame after ``align``.
    """

    name: str
    source: Optional[Item]
    pose: Pose
    shift: Pose = IDENTITY
    inertial: Optional[Item] = None
    items: list[Item] = field(default_factory=list)
    bodies: list[BodyNode] = field(default_factory=list)

    def all(self, *tags: str) -> Iterator[Item]:  # noqa: A003
        """Yield the elements with these tags in document order."""
        return (item for item in self.items if item.element.element.tag in tags)

    def align(self, body_from_frame: Pose) -> None:
        """Make a frame of the body its own; what is in it is ``shift`` away then."""
        self.pose = compose(self.pose, body_from_frame)
        self.shift = inverse(body_from_frame)

    def walk(self) -> Iterator[tuple[BodyNode, Optional[BodyNode]]]:
        """Yield each body with its parent, depth first in document order."""
        pending: list[tuple[BodyNode, Optional[BodyNode]]] = [(self, None)]
        while pending:
            node, parent = pending.pop()
            yield node, parent
            pending += [(child, node) for child in reversed(node.bodies)]


class _Place(NamedTuple):
    """Where elements are: the body, the frames around them in it, the default class."""

    body: BodyNode
    pose: Pose
    class_name: str
    scope: Scope


class BodyReader:
    """Reads ``<worldbody>``."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._count = 0
        self.attached: list[Scope] = []
        self.replicas: list[Scope] = []

    def read(self, scope: Scope) -> BodyNode:
        """Return the world with everything in it, without anything where that is too much."""
        world = BodyNode(WORLD, None, IDENTITY)
        try:
            for section in scope.root.all('worldbody'):
                self._children(section, _Place(world, IDENTITY, MAIN, scope))
        except RecursionError:
            self._report.add(
                codes.XML_TOO_DEEP, 'bodies and frames are nested too deep, attached ones too',
                scope.root.location)
            return BodyNode(WORLD, None, IDENTITY)
        return world if self._count <= REPLICATED_ELEMENTS else BodyNode(WORLD, None, IDENTITY)

    def _children(self, section: TypedElement, place: _Place) -> None:
        for element in section.children:
            if self._is_full(element):
                return
            if element.tag == 'body':
                self._body(element, place)
            elif element.tag == 'frame':
                self._frame(element, place)
            elif element.tag == 'replicate':
                self._replicate(element, place)
            elif element.tag == 'attach':
                self._attach(element, place)
            else:
                self._item(element, place)

    def _is_full(self, element: TypedElement, number: int = 1) -> bool:
        """Count elements or repetitions; return whether there are too many, reported once."""
        was_full = self._count > REPLICATED_ELEMENTS
        self._count += number
        if self._count > REPLICATED_ELEMENTS and not was_full:
            self._report.add(
                codes.TOO_MANY_ELEMENTS,
                f'<replicate> and <attach> make more than {REPLICATED_ELEMENTS} elements',
                element.location)
        return self._count > REPLICATED_ELEMENTS

    def _item(self, element: TypedElement, place: _Place) -> None:
        tag, body, scope = element.tag, place.body, place.scope
        if body.source is None and tag in ('joint', 'freejoint', 'inertial'):
            self._report.add(
                codes.MJCF_NOT_ALLOWED, f'<{tag}> is not allowed in the world',
                element.location)
            return
        item = Item(scope.classes.resolve(element, place.class_name), scope, place.pose)
        if tag == 'inertial':
            body.inertial = item
        else:
            body.items.append(item)

    def _body(self, element: TypedElement, place: _Place) -> None:
        scope = place.scope
        source = Item(Resolved(element, ()), scope, place.pose)
        pose = compose(place.pose, read_pose(source.element, scope.compiler, self._report))
        name = element.get('name')
        node = BodyNode(scope.rename(name) if name else '', source, pose)
        place.body.bodies.append(node)
        self._children(element, _Place(node, IDENTITY, self._class(element, place), scope))

    def _frame(self, element: TypedElement, place: _Place) -> None:
        pose = read_pose(Resolved(element, ()), place.scope.compiler, self._report)
        self._children(element, place._replace(
            pose=compose(place.pose, pose), class_name=self._class(element, place)))

    def _class(self, element: TypedElement, place: _Place) -> str:
        return element.get('childclass') or element.get('class') or place.class_name

    def _replicate(self, element: TypedElement, place: _Place) -> None:
        """Read the content ``count`` times, each copy ``offset`` and ``euler`` further."""
        for name in element.attributes:
            if name not in element.rule.attributes:
                self._report.add(
                    codes.UNKNOWN_ATTRIBUTE, f"unknown attribute '{name}' in <replicate>; ignored",
                    element.attribute_location(name))
        count = element.values.get('count') or 0
        offset = element.values.get('offset') or (0.0, 0.0, 0.0)
        angles = element.values.get('euler') or (0.0, 0.0, 0.0)
        compiler, scope = place.scope.compiler, place.scope
        x, y, z = offset
        step = Pose(x, y, z, *euler(angles, compiler)[3:])
        pose, digits = IDENTITY, len(str(count))
        separator = element.get('sep') or ''
        if self._is_full(element, count):
            return
        for index in range(count):
            turn = euler((
                index * angles[0], index * angles[1], index * angles[2]), compiler)
            here = Pose(*pose[:3], *turn[3:])
            inner = scope._replace(suffix=f'{separator}{index:0{digits}d}{scope.suffix}')
            self.replicas.append(inner)
            self._children(element, place._replace(
                pose=compose(place.pose, here), class_name=self._class(element, place),
                scope=inner))
            pose = compose(pose, step)

    def _attach(self, element: TypedElement, place: _Place) -> None:
        """Read a body, a frame or the world of another model, or of this one, at this place."""
        prefix = element.get('prefix') or ''
        model = element.get('model')
        around = place.scope
        scope = around if model is None else around.models.get(model)
        kind = 'body' if 'body' in element.attributes else 'frame'
        name = element.get(kind)
        if scope is None:
            report_unknown(
                self._report, 'model', model or '', around.models, element, 'model')
            return
        inner = scope._replace(
            prefix=around.prefix + prefix, suffix=around.suffix,
            asset_prefix=around.asset_prefix + (prefix if model is not None else ''))
        if name is None:
            self._whole(element, inner, place, model)
        else:
            found = next((
                other for section in scope.root.all('worldbody') for other in section.walk()
                if other.tag == kind and other.get('name') == name), None)
            if found is None:
                report_unknown(self._report, kind, name, (
                    other.get('name') or '' for section in scope.root.all('worldbody')
                    for other in section.walk() if other.tag == kind), element, kind)
            elif found is element or element in found.walk():
                self._report.add(
                    codes.INCLUDE_CYCLE, f"'{name}' is attached to itself",
                    element.locate(kind))
            else:
                self.attached.append(inner)
                read = self._body if kind == 'body' else self._frame
                read(found, place._replace(scope=inner, class_name=MAIN))

    def _whole(
        self, element: TypedElement, scope: Scope, place: _Place, model: Optional[str],
    ) -> None:
        if model is None:
            self._report.add(
                codes.MISSING_ATTRIBUTE, "<attach> without 'model' requires 'body' or 'frame'",
                element.location)
            return
        self.attached.append(scope)
        for section in scope.root.all('worldbody'):
            self._children(section, place._replace(scope=scope, class_name=MAIN))
