# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The tree of bodies, with ``<frame>``, ``<replicate>``, ``<attach>`` expanded as MuJoCo does.

The elements become nodes, from which a Draft of the Model is made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import Inertia
from hrdf_ros.limits import REPLICATED_ELEMENTS
from hrdf_ros.model import Coordinate, Motion, NONE
from hrdf_ros.names import Names
from hrdf_ros.pose import compose, IDENTITY, Pose, Vector
from hrdf_ros.readers.mjcf.elements import Bound, Item, MAIN, Scope, WORLD
from hrdf_ros.readers.mjcf.geoms import read_solid, Solid
from hrdf_ros.readers.mjcf.orientations import euler, read_pose
from hrdf_ros.readers.schema import TypedElement


@dataclass(eq=False)
class JointNode:
    """
    A joint of a body, which is a part of a joint of the Model.

    ``anchor`` is in the frame of the body, None where the joint only translates. Indices in
    ``motions`` count its own ``coordinates``. ``joint`` is the index in the Model of the joint
    that it is a part of, and ``first`` the index of its first coordinate.
    """

    item: Item
    kind: str
    name: str = ''
    anchor: Optional[Vector] = None
    motions: tuple[Motion, ...] = ()
    coordinates: tuple[Coordinate, ...] = ()
    joint: int = NONE
    first: int = NONE


@dataclass(eq=False)
class BodyNode:
    """
    A body with its elements and the bodies in it; ``pose`` is parent_from_body.

    ``shift`` is body_from_written, because ``align`` turns the body and not its elements.
    ``index`` is the index of the body in the Model, and ``moves`` says whether joints move the
    body in the world.
    """

    name: str
    source: Optional[Item]
    pose: Pose
    parent: Optional[BodyNode] = None
    shift: Pose = IDENTITY
    inertial: Optional[Item] = None
    inertia: Optional[Inertia] = None
    joints: list[JointNode] = field(default_factory=list)
    solids: list[Solid] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    bodies: list[BodyNode] = field(default_factory=list)
    index: int = 0
    moves: bool = False

    def walk(self) -> Iterator[BodyNode]:
        """Yield the body and those in it, depth first in document order."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending += reversed(node.bodies)


# ---- the Model

class Place(NamedTuple):
    """A body, or a site on one: ``pose`` is body_from_place."""

    body: int
    pose: Pose = IDENTITY


class Draft:
    """
    The records of a Model, filled by the readers of its parts.

    ``names`` are the names of each kind of part in the whole model. ``places`` are bodies and
    sites by kind and name, ``parts`` the joints by name, ``shapes`` the types of geoms by name.
    ``copies`` are the copies of a part that ``<replicate>`` made; the key is the part's file (id
    of the root), kind and name there. ``targeting`` are the cameras and lights that look at a
    body.
    ``is_partial`` says that bodies are missing because they are not rigid,
    ``has_composite`` that joints, geoms and sites may be missing too.
    """

    def __init__(self, report: Report) -> None:
        self.bodies: list[m.Body] = []
        self.joints: list[m.Joint] = []
        self.coordinates: list[Coordinate] = []
        self.frames: list[m.Frame] = []
        self.constraints: list[m.Constraint] = []
        self.configurations: list[m.Configuration] = []
        self.kept: list[m.RawElement] = []
        self.kept_assets: set[tuple[str, str]] = set()
        self.frame_names, self.joint_names, self.coordinate_names = (
            Names(report), Names(report), Names(report))
        self.names: dict[str, set[str]] = defaultdict(set)
        self.places: dict[tuple[str, str], Place] = {}
        self.parts: dict[str, JointNode] = {}
        self.shapes: dict[str, str] = {}
        self.copies: dict[tuple[int, str, str], list[Scope]] = defaultdict(list)
        self.mocap: set[int] = set()
        self.targeting: list[Item] = []
        self.is_partial = self.has_composite = False
        self._counts: dict[str, int] = defaultdict(int)

    def claim(self, kind: str, name: str, item: Item) -> None:
        """Take the name of an element, '' where it has none; a duplicate is an error."""
        if name and name in self.names[kind]:
            item.add(codes.DUPLICATE_NAME, f"duplicate {kind} '{name}'", 'name')
        self.names[kind].add(name)
        if name and item.scope.outer is not None:
            plain = item.element.get('name') or ''
            self.copies[id(item.scope.root), kind, plain].append(item.scope)

    def made_up(self, kind: str, taken: Union[Names, set[str]]) -> str:
        """Return a name for an element without one, the same whenever the file is read."""
        while True:
            self._counts[kind] += 1
            name = f'{kind}_{self._counts[kind]}'
            if name not in taken:
                return name

    def unknown(self, kind: str, name: str, item: Item, attribute: str) -> None:
        """Report a reference to a missing part, unless a part that is not rigid may be meant."""
        flex, _, number = name.rpartition('_')
        is_soft = kind == 'body' and number.isdigit() and flex in self.names['flex']
        item.unknown(
            kind, name, self.names[kind], attribute,
            'warning' if is_soft or self.has_composite else None)


# ---- reading

class _Surroundings(NamedTuple):
    """The context of an element: the body, the pose of the frames in it, the default class."""

    body: BodyNode
    pose: Pose
    class_name: str
    scope: Scope


class BodyReader:
    """Reads ``<worldbody>``; ``attached`` are the models that it attaches."""

    def __init__(self) -> None:
        self._bound = Bound(
            REPLICATED_ELEMENTS,
            f'<replicate> and <attach> make more than {REPLICATED_ELEMENTS} elements')
        self._readers = {
            'body': self._body, 'frame': self._frame, 'replicate': self._replicate,
            'attach': self._attach}
        self.attached: list[Scope] = []
        self._places: dict[int, _Places] = {}
        self._open: set[int] = set()

    def read(self, scope: Scope) -> BodyNode:
        """Return the world with everything in it, or an empty world if that exceeds the limits."""
        world = BodyNode(WORLD, None, IDENTITY)
        try:
            self._world(_Surroundings(world, IDENTITY, MAIN, scope))
        except RecursionError:
            scope.report.add(
                codes.XML_TOO_DEEP, 'bodies and frames are nested too deep, attached ones too',
                scope.root.location)
            return BodyNode(WORLD, None, IDENTITY)
        exceeded = self._bound.is_exceeded or scope.characters.is_exceeded
        return BodyNode(WORLD, None, IDENTITY) if exceeded else world

    def _world(self, place: _Surroundings) -> None:
        for section in place.scope.root.all('worldbody'):
            self._children(section, place)

    def _children(self, section: TypedElement, place: _Surroundings) -> None:
        self._open.add(id(section))
        for element in section.children:
            if self._exceeds(1, place.scope.name_length, Item(element, place.scope)):
                break
            self._readers.get(element.tag, self._item)(element, place)
        self._open.discard(id(section))

    def _exceeds(self, elements: int, characters: int, item: Item) -> bool:
        """Count elements and the characters of their names; return whether there are too many."""
        return self._bound.exceeds(elements, item) or item.scope.characters.exceeds(
            elements * characters, item)

    def _item(self, element: TypedElement, place: _Surroundings) -> None:
        item, node = place.scope.item(element, place.class_name, place.pose), place.body
        if node.source is None and item.tag in ('joint', 'freejoint', 'inertial'):
            item.add(codes.MJCF_NOT_ALLOWED, f'<{item.tag}> is not allowed in the world')
        elif node.source is not None and item.tag == 'joint' and (
                place.scope.suffix != node.source.scope.suffix):
            item.add(codes.MJCF_NOT_ALLOWED, '<joint> is not allowed in <replicate>')
        elif item.tag == 'inertial':
            node.inertial = item
        elif item.tag == 'joint':
            node.joints.append(JointNode(item, item.value('type', 'hinge')))
        elif item.tag == 'freejoint':
            node.joints.append(JointNode(item, 'free'))
        elif item.tag == 'geom':
            solid = read_solid(item)
            node.solids += [solid] if solid else []
        else:
            node.items.append(item)

    def _body(self, element: TypedElement, place: _Surroundings) -> None:
        source = Item(element, place.scope, frame=place.pose)
        node = BodyNode(
            source.name, source, compose(place.pose, read_pose(source)), place.body)
        place.body.bodies.append(node)
        self._children(element, _Surroundings(
            node, IDENTITY, _class_in(element, place), place.scope))

    def _frame(self, element: TypedElement, place: _Surroundings) -> None:
        self._children(element, place._replace(
            pose=compose(place.pose, read_pose(Item(element, place.scope))),
            class_name=_class_in(element, place)))

    def _replicate(self, element: TypedElement, place: _Surroundings) -> None:
        """Read the content ``count`` times, each copy moved by ``offset`` and ``euler``."""
        item, scope = Item(element, place.scope), place.scope
        for name in element.attributes:
            if name not in element.rule.attributes:
                scope.report.add(
                    codes.UNKNOWN_ATTRIBUTE, f"unknown attribute '{name}' in <replicate>; ignored",
                    element.attribute_location(name))
        count = item.value('count', 0)
        if count < 0:
            item.add(
                codes.BAD_VALUE, f'a count of {count} makes no copies', 'count',
                severity='warning')
            return
        a, b, c = angles = item.vector3('euler')
        step = Pose(*item.vector3('offset'), *(euler(angles, scope.compiler) or IDENTITY)[3:])
        pose, digits = IDENTITY, len(str(count))
        separator = element.get('sep') or ''
        if self._exceeds(count, len(separator) + digits + scope.name_length, item):
            return
        for index in range(count):
            turn = euler((index * a, index * b, index * c), scope.compiler) or IDENTITY
            inner = scope._replace(
                suffix=f'{separator}{index:0{digits}d}{scope.suffix}', outer=scope)
            self._children(element, place._replace(
                pose=compose(place.pose, Pose(*pose[:3], *turn[3:])),
                class_name=_class_in(element, place), scope=inner))
            pose = compose(pose, step)

    def _attach(self, element: TypedElement, place: _Surroundings) -> None:
        """Read a body, frame or world of another model, or of this one, at this place."""
        item, around = Item(element, place.scope), place.scope
        prefix, model = item.value('prefix', ''), element.get('model')
        scope = around if model is None else around.models.get(model)
        kind = 'body' if item.has('body') else 'frame'
        name = element.get(kind)
        if scope is None:
            item.unknown('model', model or '', around.models, 'model')
        elif name is None and model is None:
            item.add(
                codes.MISSING_ATTRIBUTE, "<attach> without 'model' requires 'body' or 'frame'")
        else:
            inner = scope._replace(
                prefix=around.prefix + prefix, suffix=around.suffix, report=around.report,
                outer=None,
                asset_prefix=around.asset_prefix + (prefix if model is not None else ''))
            there = place._replace(scope=inner, class_name=MAIN)
            found = None if name is None else self._found(item, inner, kind, name)
            if name is not None and found is None or self._exceeds(1, inner.name_length, item):
                return
            self.attached.append(inner)
            if found is None:
                self._world(there)
            else:
                self._readers[kind](found, there)

    def _found(self, item: Item, scope: Scope, kind: str, name: str) -> Optional[TypedElement]:
        """Return the body or frame to attach, None with the reason reported."""
        places = self._places.get(id(scope.root))
        if places is None:
            places = self._places[id(scope.root)] = _Places(scope.root)
        found = places.named.get((kind, name))
        if found is None:
            known = (other for of, other in places.named if of == kind)
            item.unknown(kind, name, known, kind)
        elif id(found) in self._open:
            item.add(codes.INCLUDE_CYCLE, f"'{name}' is attached to itself", kind)
            return None
        elif scope.root is item.scope.root and places.order[id(found)] > places.order.get(
                id(item.element), -1):
            item.add(
                codes.MJCF_NOT_ALLOWED, f"{kind} '{name}' comes after the <attach>", kind,
                hint=f'move the {kind} before it')
            return None
        return found


class _Places:
    """
    The bodies and frames of a file by kind and name, and the order of all elements.

    Bodies and frames in ``<replicate>`` are left out, because their copies have other names.
    """

    def __init__(self, root: TypedElement) -> None:
        self.named: dict[tuple[str, str], TypedElement] = {}
        self.order: dict[int, int] = {}
        pending = [(section, False) for section in reversed(root.all('worldbody'))]
        while pending:
            element, is_copied = pending.pop()
            is_copied = is_copied or element.tag == 'replicate'
            name = element.get('name')
            self.order[id(element)] = len(self.order)
            if element.tag in ('body', 'frame') and name and not is_copied:
                self.named.setdefault((element.tag, name), element)
            pending += [(child, is_copied) for child in reversed(element.children)]


def _class_in(element: TypedElement, place: _Surroundings) -> str:
    return element.get('childclass') or element.get('class') or place.class_name
