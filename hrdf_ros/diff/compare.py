# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The comparison of two Models, item by item."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import chain
from typing import Any, NamedTuple

from hrdf_ros.diff.poses import compared_poses
from hrdf_ros.diff.renames import Rename, renamed, renames
from hrdf_ros.diff.shapes import compared, differing, paired, pose_value, ShapeReader
from hrdf_ros.diff.values import close, moments, texts, Value
from hrdf_ros.fields import limits_of, numbers_of
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.model import Model
from hrdf_ros.pose import from_matrix

GROUPS = ('kinematics', 'inertia', 'shapes', 'names')
"""The parts of a description that ``--only`` can select."""
_INERTIA = ('mass', 'center of mass', 'inertia')
_NAME = 'name of '
_SHAPES = ('visual', 'collision')


class Difference(NamedTuple):
    """
    One difference: the property ``what`` of an item, and its value in each Model.

    A text is ``-`` where the Model has no such item; the other text is then ``present``. An item
    that has another name in the second Model is called by that name in all other differences.
    """

    what: str
    name: str
    a: str
    b: str

    @property
    def is_of_one(self) -> bool:
        """Whether only one Model has the item at all."""
        return {self.a, self.b} == {'present', '-'}

    @property
    def is_rename(self) -> bool:
        """Whether the item only has another name in the second Model."""
        return self.what.startswith(_NAME)

    @property
    def groups(self) -> tuple[str, ...]:
        """The members of GROUPS that the difference belongs to."""
        if self.what in _INERTIA:
            return 'inertia',
        if self.is_rename:
            return 'names',
        if set(_SHAPES).intersection(self.what.split(' ')):
            return 'shapes',
        return ('kinematics', 'names') if self.is_of_one else ('kinematics',)

    def __str__(self) -> str:
        """Return the difference as one line of text."""
        what = self.what if self.is_rename else f'{self.what} {self.name}'
        return f'{what}: {self.a} -> {self.b}'


def diff_models(
    a: Model, b: Model, *, tolerance: float = 1e-9, only: Collection[str] = GROUPS,
) -> list[Difference]:
    """
    Return the differences: names, bodies, inertias, shapes, joints, coordinates, limits, poses.

    ``tolerance`` is absolute for poses (meters, entries of the rotation matrix), and relative for
    other numbers above 1. A frame is reported in the first configuration in which its pose
    differs. Only the members of GROUPS in ``only`` are compared.
    """
    new = renames(a, b)
    a = renamed(a, new)
    found = chain(
        _renames(new), _items(a, b, tolerance),
        _shapes(a, b, tolerance) if 'shapes' in only else (),
        _poses(a, b, tolerance) if 'kinematics' in only else ())
    return [one for one in found if set(only).intersection(one.groups)]


def _renames(new: Collection[Rename]) -> Iterator[Difference]:
    """Yield the renames, except those that follow from another one."""
    known: set[tuple[str, str]] = set()
    for kind, old, name in new:
        if (old, name) not in known:
            known.add((old, name))
            yield Difference(f'{_NAME}{kind}', old, old, name)


def _items(a: Model, b: Model, tolerance: float) -> Iterator[Difference]:
    mine, theirs = _facts(a, b), _facts(b, a)
    for kind, items in mine.items():
        others = theirs[kind]
        for name, facts in items.items():
            if name not in others:
                yield Difference(kind, name, 'present', '-')
                continue
            for what in {**facts, **others[name]}:
                here, there = facts.get(what, ()), others[name].get(what, ())
                if not close(here, there, tolerance):
                    yield Difference(what, name, *texts(here, there, tolerance))
        for name in others:
            if name not in items:
                yield Difference(kind, name, '-', 'present')


def _shapes(a: Model, b: Model, tolerance: float) -> Iterator[Difference]:
    """Yield the differences of visuals and collisions of bodies that both Models have."""
    reader = ShapeReader(has_materials=a.conventions == b.conventions)
    others = {body.name: body for body in b.bodies}
    for body in a.bodies:
        other = others.get(body.name)
        if other is None:
            continue
        for kind, own, their in (
                ('visual', *compared(body, other, body.visuals, other.visuals)),
                ('collision', *compared(body, other, body.collisions, other.collisions))):
            mine, theirs = ([reader.facts(shape) for shape in shapes] for shapes in (own, their))
            is_one = len(mine) < 2 and len(theirs) < 2
            for pair in paired(mine, theirs, tolerance):
                label = kind if is_one else f'{kind} {pair.number + 1}'
                if pair.mine is None or pair.theirs is None:
                    texts_of = ('-', 'present') if pair.mine is None else ('present', '-')
                    yield Difference(label, body.name, *texts_of)
                    continue
                for what, here, there in differing(pair.mine, pair.theirs, tolerance):
                    yield Difference(
                        f'{what} of {label}', body.name, *texts(here, there, tolerance))


def _poses(a: Model, b: Model, tolerance: float) -> Iterator[Difference]:
    frames = {frame.name for frame in b.frames}
    names = {frame.name: frame.name for frame in a.frames if frame.name in frames}
    differing_frames: set[str] = set()
    for name, count, pose, other in compared_poses(a, b, names):
        if name not in differing_frames and abs(pose - other).max() > tolerance:
            # a frame that agrees in the first configuration, zero, moves in another way
            differing_frames.add(name)
            yield Difference(
                'motion of frame' if count else 'pose of frame', name,
                *texts(_pose(pose), _pose(other), tolerance))


def _pose(matrix: Array) -> Value:
    return pose_value(from_matrix(matrix[:3, 3].tolist(), matrix[:3, :3].ravel().tolist()))


def _facts(model: Model, other: Model) -> dict[str, dict[str, dict[str, Value]]]:
    """
    Return the values to compare with another Model, by kind and name of their item.

    What only one of the descriptions can state is not compared: fields of coordinates, the world
    as a body, and the names of joints without or with several motions if the other Model names
    motions. Types of joints are compared if both Models use the same words; the joints of included
    models of other formats have words of their own, which are not compared.
    """
    own, others = model.conventions, other.conventions
    links, coordinates = ([one.name for one in table] for table in (
        model.bodies, model.coordinates))
    without: set[str] = set()
    if own.world_is_body != others.world_is_body:
        without = {'world'} - {body.name for body in other.bodies}.intersection(links)
    named = own.names_motions == others.names_motions
    typed = set[str]()
    if own.joint_types == others.joint_types:
        typed = _typed_in(model).intersection(_typed_in(other))
    number = _numbers_of(model, (
        frozenset() if own.unstated == others.unstated else own.unstated | others.unstated))
    return {
        'body': {
            one.name: {**number(one), **moments(one.inertia)}
            for one in model.bodies if one.name not in without},
        'joint': {
            one.name: {
                **number(one), 'parent of joint': (links[one.parent],),
                'child of joint': (links[one.child],),
                **({'type of joint': (one.type,)} if one.name in typed else {})}
            for one in model.joints if named or len(one.motions) == 1},
        'constraint': {
            one.name: {'bodies of constraint': (' - '.join(links[body] for body in one.bodies),)}
            for one in model.constraints},
        'coordinate': {
            one.name: {
                'kind of coordinate': (one.kind,), **number(one), 'mimic': ('-',)
                if one.mimic is None else (
                    one.mimic.multiplier, '*', coordinates[one.mimic.leader], '+',
                    one.mimic.offset)}
            for one in model.coordinates},
        'configuration': {
            one.name: {
                f"position of '{coordinates[index]}' in configuration": (value,)
                for index, value in one.positions} for one in model.configurations},
        'frame': {one.name: {} for one in model.frames if one.name not in without}}


def _typed_in(model: Model) -> set[str]:
    """Return the names of the joints whose type is a word of the description itself."""
    words = model.conventions.joint_types
    return {joint.name for joint in model.joints if not words or joint.type in words}


def _numbers_of(model: Model, without: Collection[str]) -> Callable[[Any], dict[str, Value]]:
    """Return a function that returns the numbers of a record, except for some fields."""
    names = {
        kind: [name for name in (*limits_of(kind), *numbers_of(kind))
               if name not in without]
        for kind in map(type, (*model.bodies[:1], *model.joints[:1], *model.coordinates[:1]))}
    return lambda record: {
        name.replace('_', ' '): (getattr(record, name),) for name in names[type(record)]}
