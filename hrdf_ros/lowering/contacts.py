# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Find which links of a lowered Model collide in MuJoCo, as the source file means it.

Links that fixed joints hold together are one group. Groups that a moving joint or a loop joint
connects do not collide. Nor do the links of one SDFormat model, unless ``<self_collide>`` says so.
MuJoCo itself exempts bodies that are fixed to each other. It also exempts a parent and its
child, but not where the parent is fixed to the world.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering.mjcf import WORLD
from hrdf_ros.lowering.mjcf_inertia import SMALL_MASS
from hrdf_ros.model import Model, NONE, RawElement
from hrdf_ros.topology import Topology

_ALL = 0x7fffffff
"""The mask of all 31 bits: ``contype`` and ``conaffinity`` are 32-bit integers with a sign."""
_MODELS = 30
"""The maximum number of models whose links ignore each other; each takes one bit of a mask."""
Pair = tuple[str, str]


class Mask(NamedTuple):
    """MuJoCo's bits of a geom: two collide where one's type is among the other's affinities."""

    contype: int
    conaffinity: int


class Contacts(NamedTuple):
    """
    The rules that keep links from colliding: excluded pairs of bodies, and bits of other geoms.

    ``groups`` has the names of the bodies of each group, and ``robots`` the name of each group's
    robot. Pairs of groups that touch in the start configuration are excluded as well
    (`without_touching`), except for bodies that are ``self_colliding``.
    """

    excluded: tuple[Pair, ...] = ()
    masks: tuple[tuple[str, Mask], ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    robots: tuple[str, ...] = ()
    self_colliding: frozenset[str] = frozenset()

    @property
    def can_touch(self) -> bool:
        """Return whether two groups of one robot may collide."""
        return len(set(self.robots)) < len(self.robots)


def find_contacts(
    model: Model, topology: Topology, disabled: Iterable[Pair], notes: GroupedDiagnostics,
) -> Contacts:
    """Return the contacts of a lowered Model, without those of the ``disabled`` pairs."""
    if model.conventions.states_contacts:
        return Contacts(excluded=_disabled(model, disabled, notes))
    finder = _Finder(model, topology)
    masks = dict(finder.masks(notes))
    excluded = dict.fromkeys(finder.excluded(masks))
    excluded.update(dict.fromkeys(_disabled(model, disabled, notes)))
    names = [body.name for body in model.bodies]
    groups = [group for group in finder.groups if group and group[0] != finder.world]
    return Contacts(
        tuple(excluded), tuple((names[body], mask) for body, mask in masks.items()),
        tuple(tuple(names[body] for body in group) for group in groups),
        tuple(finder.robots[group[0]] for group in groups),
        frozenset(names[body] for body in finder.self_colliding))


def without_touching(
    contacts: Contacts, model: Model, touching: Iterable[Pair], notes: GroupedDiagnostics,
) -> Contacts:
    """Return the contacts, and exclude pairs of one robot that touch at the start."""
    locations = {body.name: body.location for body in model.bodies}
    group_of = {name: index for index, names in enumerate(contacts.groups) for name in names}
    excluded = dict.fromkeys(contacts.excluded)
    for first, second in touching:
        a, b = group_of.get(first, NONE), group_of.get(second, NONE)
        if NONE in (a, b) or a == b or contacts.robots[a] != contacts.robots[b] or (
                {first, second} & contacts.self_colliding):
            continue
        excluded.update(dict.fromkeys(product(contacts.groups[a], contacts.groups[b])))
        notes.add(
            codes.CONTACT_EXCLUDED,
            'links that touch at the initial configuration do not collide in MuJoCo',
            f'{first} and {second}', locations[first])
    return contacts._replace(excluded=tuple(excluded))


def _disabled(
    model: Model, disabled: Iterable[Pair], notes: GroupedDiagnostics,
) -> tuple[Pair, ...]:
    """Return the pairs of an SRDF whose two links are in the Model."""
    known = {body.name for body in model.bodies}
    found = []
    for pair in disabled:
        missing = sorted(set(pair) - known)
        for name in missing:
            notes.add(
                codes.CONTACT_EXCLUDED, 'the SRDF disables collisions of links that are not there',
                name)
        if not missing:
            found.append(pair)
    return tuple(found)


def _is_self_collide(raw: RawElement) -> bool:
    """Return whether an element is a ``<self_collide>`` that is true."""
    word = raw.text.partition('>')[2].partition('<')[0].strip()
    return raw.tag == 'self_collide' and 'sdf' in raw.held_by and word in ('true', '1')


class _Finder:
    """Finds which groups of bodies in a lowered Model can collide, and what connects them."""

    def __init__(self, model: Model, topology: Topology) -> None:
        self._model = model
        self.world = next(
            index for index, body in enumerate(model.bodies) if body.name == WORLD)
        self._carrier = list(range(len(model.bodies)))
        self._above = [NONE] * len(model.bodies)
        for body in topology.order:
            parent = topology.parent[body]
            if parent != NONE:
                is_fixed = not model.joints[topology.joint[body]].motions
                self._above[body] = self._above[parent] if is_fixed else self._carrier[parent]
                self._carrier[body] = self._carrier[parent] if is_fixed else body
        self.robots = [self._robot(index) for index in range(len(model.bodies))]
        self._group = self._grouped()
        self._solid = [index for index, body in enumerate(model.bodies) if body.collisions]
        members = defaultdict[int, list[int]](list)
        for index in self._solid:
            members[self._group[index]].append(index)
        self._members = members
        self._heavy = {
            self._group[index] for index, body in enumerate(model.bodies)
            if body.inertia is not None and body.inertia.mass > SMALL_MASS}
        self.groups = list(members.values())
        self.self_colliding = {
            index for index in range(len(model.bodies)) if self._is_self_colliding(index)}

    def _robot(self, index: int) -> str:
        """Return the name of the outermost model around a body, '' where there is only one."""
        source = self._model.bodies[index].source_name
        return next((
            scope.source_name for scope in self._model.scopes if scope.parent == NONE
            and source.startswith((f'{scope.source_name}::', f'{scope.source_name}/'))), '')

    def _grouped(self) -> list[int]:
        """Return for each body the lowest index of the bodies that fixed joints connect to it."""
        group = list(range(len(self._model.bodies)))

        def least(body: int) -> int:
            while group[body] != body:
                body = group[body]
            return body

        for joint in self._model.joints:
            if not joint.motions and self.world not in (joint.parent, joint.child):
                a, b = sorted((least(joint.parent), least(joint.child)))
                group[b] = a
        return [least(body) for body in group]

    def _is_self_colliding(self, index: int) -> bool:
        """Return whether ``<self_collide>`` of a link or of a model around it is true."""
        source = self._model.bodies[index].source_name
        own = self._model.bodies[index].extensions
        around = (
            raw for raw in self._model.extensions
            if not raw.owner or source.startswith(f'{raw.owner}::'))
        return any(map(_is_self_collide, (*own, *around)))

    # ---- links of one model

    def masks(self, notes: GroupedDiagnostics) -> Iterator[tuple[int, Mask]]:
        """Yield the bits of bodies in models whose links do not collide with each other."""
        if self._model.conventions.collides_with_itself:
            return
        robots = defaultdict[str, list[int]](list)
        for index in self._solid:
            if index != self.world:
                robots[self.robots[index]].append(index)
        bit = 0
        for bodies in robots.values():
            if self.self_colliding.issuperset(bodies) or len(
                    {self._carrier[body] for body in bodies}) < 2:
                continue
            bit += 1
            if bit > _MODELS:
                notes.about(
                    codes.DETAIL_NOT_REPRESENTABLE,
                    f'MuJoCo has bits for {_MODELS} models whose links do not collide with each '
                    'other; those of these links do', self._model.bodies[bodies[0]])
                continue
            for body in bodies:
                is_own = body in self.self_colliding
                yield body, Mask(1 << bit, _ALL if is_own else _ALL ^ 1 << bit)

    # ---- links next to each other

    def excluded(self, masks: dict[int, Mask]) -> Iterator[Pair]:
        """Yield the pairs of bodies that would collide although a joint connects or holds them."""
        names = [body.name for body in self._model.bodies]
        pairs = [
            *(pair for group in self.groups for pair in combinations(group, 2)),
            *(pair for a, b in self._adjacent()
              for pair in product(self._members[a], self._members[b]))]
        for a, b in pairs:
            if self._would_collide(a, b, masks) and not self._is_of_surroundings(a, b):
                yield names[a], names[b]

    def _adjacent(self) -> Iterator[tuple[int, int]]:
        """
        Yield the groups that a moving or loop joint connects.

        Links without mass and shapes stand between the axes of one joint.
        """
        neighbors = defaultdict[int, set[int]](set)
        for joint in self._model.joints:
            a, b = self._group[joint.parent], self._group[joint.child]
            if a != b and self.world not in (joint.parent, joint.child):
                neighbors[a].add(b)
                neighbors[b].add(a)
        for start in sorted(self._members):
            seen, pending = {start}, [start]
            while pending:
                for other in sorted(neighbors[pending.pop()] - seen):
                    seen.add(other)
                    if other in self._members:
                        if start < other:
                            yield start, other
                    elif other not in self._heavy:
                        pending.append(other)

    def _would_collide(self, a: int, b: int, masks: dict[int, Mask]) -> bool:
        """Return whether MuJoCo lets two bodies collide that no excluded pair names."""
        first, second = self._carrier[a], self._carrier[b]
        world = self._carrier[self.world]
        is_parent = world not in (first, second) and (
            self._above[first] == second or self._above[second] == first)
        if first == second or is_parent:
            return False
        if a not in masks or b not in masks:
            return True
        return bool(masks[a].contype & masks[b].conaffinity
                    or masks[b].contype & masks[a].conaffinity)

    def _is_of_surroundings(self, a: int, b: int) -> bool:
        """Return whether one of two bodies is a static link of another model."""
        bodies = self._model.bodies
        return self.robots[a] != self.robots[b] and (bodies[a].static or bodies[b].static)
