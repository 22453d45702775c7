# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Differences in meaning between two Models, by name, whatever their formats.

Frames are compared by their poses at zero and, moved by the coordinates that both Models have,
in a few configurations: it does not matter how a Model spreads a motion over joints and links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
import math
import random
import sys
from types import MappingProxyType
from typing import Any, NamedTuple, Optional, Union
from warnings import catch_warnings, simplefilter

from hrdf_ros.fields import Column, limits_of, numbers_of, unheld
from hrdf_ros.inertia import Inertia, tensor_in_body
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array, invert
from hrdf_ros.model import Coordinate, Model
from hrdf_ros.pose import from_matrix, to_rpy
from hrdf_ros.topology import span

Value = Union[str, Sequence[float]]
_CONFIGURATIONS = 5
_COLUMNS: Mapping[str, Column] = {'urdf': 'urdf', 'sdf': 'sdf', 'mjcf': 'mjcf'}
"""Formats that do not hold all fields."""


class Difference(NamedTuple):
    """
    One difference: the property ``what`` of an item, and its value in either Model.

    A text is ``-`` where the Model has no such item, and ``present`` in the other then.
    """

    what: str
    name: str
    a: str
    b: str

    @property
    def is_of_one(self) -> bool:
        """Return whether only one Model has the item at all."""
        return {self.a, self.b} == {'present', '-'}


def diff_models(a: Model, b: Model, *, tolerance: float = 1e-9) -> list[Difference]:
    """
    Return the differences: bodies, inertias, joints, constraints, coordinates, limits, poses.

    ``tolerance`` is absolute for poses (meters, entries of the rotation matrix), and relative to
    the number for others above 1.
    """
    comparison = _Comparison(a, b, tolerance)
    comparison.bodies()
    comparison.joints()
    comparison.constraints()
    comparison.coordinates()
    comparison.configurations()
    comparison.frames()
    return comparison.found


class _Comparison:
    """
    The differences of two Models that were found so far.

    Between formats, facts that one cannot express are not compared: the fields ``unheld`` of
    coordinates, and in MJCF the link ``world``, which stands for no link of another format, fixed
    joints, which have no names, and joints of several motions, which have none in common.
    """

    def __init__(self, a: Model, b: Model, tolerance: float) -> None:
        self.a, self.b, self.tolerance = a, b, tolerance
        self.found: list[Difference] = []
        self.is_one_format = a.format == b.format
        columns = [] if self.is_one_format else [
            _COLUMNS[one.format] for one in (a, b) if one.format in _COLUMNS]
        self.unheld = {name for column in columns for name in unheld(Coordinate, [column])}
        self.with_mjcf = not self.is_one_format and 'mjcf' in (a.format, b.format)
        both = {body.name for body in a.bodies} & {body.name for body in b.bodies}
        self.without = {'world'} - both if self.with_mjcf else set()

    def compare(self, what: str, name: str, here: Value, there: Value) -> None:
        """Add a difference, unless texts are equal, or numbers within the tolerance."""
        if isinstance(here, str) or isinstance(there, str):
            is_same = here == there
        else:
            is_same = _close(here, there, self.tolerance)
        if not is_same:
            self.found.append(Difference(what, name, _text(here), _text(there)))

    def pairs(self, what: str, a: Iterable[Any], b: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield the items that both have, and add a difference for each that one has alone."""
        theirs = {item.name: item for item in b}
        for item in a:
            other = theirs.pop(item.name, None)
            if other is None:
                self.compare(what, item.name, 'present', '-')
            else:
                yield item, other
        for name in theirs:
            self.compare(what, name, '-', 'present')

    def numbers(self, one: Any, other: Any) -> None:
        """Compare the limits and other numbers of two records that both formats have."""
        for field in (*limits_of(type(one)), *numbers_of(type(one))):
            if field not in self.unheld or not isinstance(one, Coordinate):
                self.compare(
                    field.replace('_', ' '), one.name, (getattr(one, field),),
                    (getattr(other, field),))

    def bodies(self) -> None:
        """Compare links and their inertias."""
        mine, theirs = (
            [one for one in model.bodies if one.name not in self.without]
            for model in (self.a, self.b))
        for one, other in self.pairs('body', mine, theirs):
            self.numbers(one, other)
            moments = _moments(one.inertia), _moments(other.inertia)
            for what, here, there in zip(('mass', 'center of mass', 'inertia'), *moments):
                self.compare(what, one.name, here, there)

    def joints(self) -> None:
        """Compare the bodies that joints connect; the poses show how they move."""
        mine, theirs = (
            [one for one in model.joints if not self.with_mjcf or len(one.motions) == 1]
            for model in (self.a, self.b))
        for one, other in self.pairs('joint', mine, theirs):
            self.numbers(one, other)
            for what in ('parent', 'child'):
                self.compare(
                    f'{what} of joint', one.name, self.a.bodies[getattr(one, what)].name,
                    self.b.bodies[getattr(other, what)].name)
            if self.is_one_format:
                self.compare('type of joint', one.name, one.type, other.type)

    def constraints(self) -> None:
        """Compare the gearboxes; their effect is in the coordinates."""
        for one, other in self.pairs('constraint', self.a.constraints, self.b.constraints):
            here, there = (
                ' - '.join(model.bodies[body].name for body in constraint.bodies)
                for constraint, model in ((one, self.a), (other, self.b)))
            self.compare('bodies of constraint', one.name, here, there)

    def coordinates(self) -> None:
        """Compare the coordinates: kinds, limits, leaders."""
        for one, other in self.pairs('coordinate', self.a.coordinates, self.b.coordinates):
            self.compare('kind of coordinate', one.name, one.kind, other.kind)
            self.numbers(one, other)
            (mine, here), (theirs, there) = _mimic(one, self.a), _mimic(other, self.b)
            if mine != theirs or not _close(here, there, self.tolerance):
                self.found.append(Difference(
                    'mimic', one.name, mine.format(*here), theirs.format(*there)))

    def configurations(self) -> None:
        """Compare the positions that named configurations give."""
        for one, other in self.pairs(
                'configuration', self.a.configurations, self.b.configurations):
            here, there = (
                {model.coordinates[index].name: (value,) for index, value in each.positions}
                for model, each in ((self.a, one), (self.b, other)))
            for name in {**here, **there}:
                self.compare(
                    f"position of '{name}' in configuration", one.name, here.get(name, ()),
                    there.get(name, ()))

    def frames(self) -> None:
        """Compare the poses of frames, each in the first configuration in which it differs."""
        mine, theirs = (
            [one for one in model.frames if one.name not in self.without]
            for model in (self.a, self.b))
        names = {frame.name: frame.name for frame, _ in self.pairs('frame', mine, theirs)}
        differing: set[str] = set()
        for name, count, here, there in _compared_poses(self.a, self.b, names):
            if name not in differing and abs(here - there).max() > self.tolerance:
                # frames that agree in the first configuration, zero, move in another way
                self.compare(
                    'motion of frame' if count else 'pose of frame', name, _pose_text(here),
                    _pose_text(there))
                differing.add(name)


def _moments(inertia: Optional[Inertia]) -> tuple[Sequence[float], ...]:
    """Return mass, center of mass and the tensor about it, in the axes of the body."""
    if inertia is None or inertia.mass == 0.0 and inertia.is_zero:
        return (0.0,), (0.0,) * 3, (0.0,) * 6
    return (inertia.mass,), inertia.pose.position, tensor_in_body(inertia)


def _mimic(coordinate: Coordinate, model: Model) -> tuple[str, tuple[float, ...]]:
    """Return the rule of a mimic coordinate as a template for its numbers, and these."""
    if coordinate.mimic is None:
        return '-', ()
    leader, *rule = coordinate.mimic
    name = model.coordinates[leader].name.replace('{', '{{').replace('}', '}}')
    return f'{{!r}} * {name} + {{!r}}', tuple(rule)


def _compared_poses(
    a: Model, b: Model, names: Mapping[str, str],
) -> Iterator[tuple[str, int, Array, Array]]:
    """
    Yield the pose of each frame in both Models, in several configurations, the first all zero.

    ``names`` are the frames, with their names in the other. A pose is relative to the frame of
    the body above, so that each fault is found once.
    """
    shared = {item.name for item in a.coordinates} & {item.name for item in b.coordinates}
    free = [item.name for item in a.coordinates if item.name in shared and item.mimic is None]
    rng = random.Random(0)
    values = [
        {name: rng.uniform(-1.0, 1.0) if count else 0.0 for name in free}
        for count in range(_CONFIGURATIONS + 1)]
    ours, theirs = _poses(a, values), _poses(b, values)
    bases = _bases(a, set(names))
    rooted = a.format == b.format or 'urdf' not in (a.format, b.format)
    for name, new in names.items():
        base = bases[name]
        if base is None and not rooted:
            continue  # a URDF begins at its root link and does not give the pose of that
        above = None if base is None else names[base]
        for count, (mine, other) in enumerate(zip(ours, theirs)):
            yield name, count, _seen_from(base, name, mine), _seen_from(above, new, other)


def _poses(model: Model, values: list[dict[str, float]]) -> list[dict[str, Array]]:
    """
    Return root_from_frame (4, 4) by name for each configuration.

    Other coordinates are zero; in MJCF, where those of a free base are absolute, initial.
    """
    tree = Kinematics(model)
    others = {
        item.name: item.initial_position if model.format == 'mjcf' else 0.0
        for item in model.coordinates if item.mimic is None}
    names = [frame.name for frame in model.frames]
    with catch_warnings():
        simplefilter('ignore', RuntimeWarning)  # numpy's, of the overflow that is an error below
        found = [tree.fk({**others, **given}) for given in values]
    if not all(math.isfinite(float(abs(poses).max(initial=0.0))) for poses in found):
        raise OverflowError(
            f"frames of '{model.name}' are infinitely far away: a factor of a coordinate is too "
            'large')
    return [dict(zip(names, poses)) for poses in found]


def _bases(model: Model, known: set[str]) -> dict[str, Optional[str]]:
    """
    Return for each frame the nearest frame towards the root that both Models have.

    Other roots are seen from the first, which alone has none.
    """
    topology = span(model)
    first = next((model.bodies[body].name for body in topology.roots), None)
    above = [first if first in known else None] * len(model.bodies)
    if topology.roots:
        above[topology.roots[0]] = None
    for body in topology.order:
        parent = topology.parent[body]
        if parent >= 0:
            name = model.bodies[parent].name
            above[body] = name if name in known else above[parent]
    return {
        frame.name: above[frame.body] if frame.name == model.bodies[frame.body].name
        or model.bodies[frame.body].name not in known else model.bodies[frame.body].name
        for frame in model.frames}


def _seen_from(base: Optional[str], name: str, poses: dict[str, Array]) -> Array:
    """Return base_from_frame; without a base, root_from_frame."""
    return poses[name] if base is None else invert(poses[base]) @ poses[name]


def _pose_text(pose: Array) -> str:
    """Return a pose (4, 4) as position (m), roll, pitch and yaw (rad)."""
    found = from_matrix(pose[:3, 3].tolist(), pose[:3, :3].ravel().tolist())
    return f'xyz {_text(found.position)} rpy {_text(to_rpy(found))}'


def _close(a: Sequence[float], b: Sequence[float], tolerance: float) -> bool:
    """Return whether numbers are the same within the tolerance; infinities and NaN by kind."""
    return len(a) == len(b) and all(
        x == y or math.isnan(x) and math.isnan(y)
        or abs(x - y) <= tolerance * min(max(1.0, abs(x), abs(y)), sys.float_info.max)
        for x, y in zip(a, b))


def _text(value: Value) -> str:
    return value if isinstance(value, str) else ' '.join(map(repr, map(float, value))) or '-'


# ---- how far a Model and one that was written and read again agree

class Largest(NamedTuple):
    """The largest difference of one kind, and the item that has it."""

    value: float = 0.0
    name: str = ''

    def or_greater(self, value: float, name: str) -> Largest:
        """Return this, or another difference where that is greater or not a number."""
        return self if value <= self.value else Largest(value, name)


class Agreement(NamedTuple):
    """
    The largest differences of two Models: poses (m, entries of the rotation), kg, kg m^2.

    Masses and inertias are relative to the number for those above 1. ``frames`` and ``links`` were
    compared, in ``configurations``; ``missing`` are the links of the first that the other lacks.
    """

    frames: int
    configurations: int
    links: int
    pose: Largest
    mass: Largest
    inertia: Largest
    missing: tuple[str, ...]

    def holds(self, tolerance: float) -> bool:
        """Return whether no link is missing and all differences are within a tolerance."""
        return not self.missing and all(
            found.value <= tolerance for found in (self.pose, self.mass, self.inertia))


def agreement(a: Model, b: Model, renamed: Mapping[str, str] = MappingProxyType({})) -> Agreement:
    """Return how far two Models agree; ``renamed`` are names of links and frames in the second."""
    others = {body.name: body for body in b.bodies}
    links = {body.name: renamed.get(body.name, body.name) for body in a.bodies}
    shared = [body for body in a.bodies if links[body.name] in others]
    frames = {body.name: links[body.name] for body in shared}
    kinds = {frame.name: frame.kind for frame in b.frames if frame.name not in others}
    for frame in a.frames:
        name = renamed.get(frame.name, frame.name)
        implicit = 'joint' in (frame.kind, kinds.get(name)) and a.format != b.format
        if name in kinds and frame.name not in links and not implicit:
            frames[frame.name] = name  # a joint's frame is where its format has it
    pose = mass = inertia = Largest()
    for name, _, here, there in _compared_poses(a, b, frames):
        pose = pose.or_greater(float(abs(here - there).max()), name)
    for body in shared:
        mine, other = (
            _moments(one.inertia) for one in (body, others[links[body.name]]))
        mass = mass.or_greater(_distance(mine[0], other[0]), body.name)
        inertia = inertia.or_greater(
            max(_distance(mine[1], other[1]), _distance(mine[2], other[2])), body.name)
    return Agreement(
        len(frames), _CONFIGURATIONS + 1, len(shared), pose, mass, inertia,
        tuple(name for name, new in links.items() if new not in others))


def _distance(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the largest difference, relative to numbers above 1."""
    return max(0.0 if x == y else abs(x - y) / max(1.0, abs(x), abs(y)) for x, y in zip(a, b))
