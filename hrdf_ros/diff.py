# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Differences in meaning between two Models, by name, whatever their formats.

Frames are compared by their poses at zero and, moved by the coordinates that both Models have,
in a few configurations: it does not matter how a Model spreads a motion over joints and links.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
import math
import random
import sys
from types import MappingProxyType
from typing import Any, NamedTuple, Optional
from warnings import catch_warnings, simplefilter

from hrdf_ros.fields import Column, limits_of, numbers_of, unheld
from hrdf_ros.inertia import Inertia, tensor_in_body
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array, invert
from hrdf_ros.model import Coordinate, Joint, Model
from hrdf_ros.pose import from_matrix, to_rpy
from hrdf_ros.topology import span

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
    return [
        *_bodies(a, b, tolerance), *_joints(a, b, tolerance), *_constraints(a, b),
        *_coordinates(a, b, tolerance), *_configurations(a, b, tolerance),
        *_frames(a, b, tolerance)]


class _Unsaid(NamedTuple):
    """Fields of coordinates, links and joints that one of two formats cannot express."""

    fields: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    joints: bool = False

    def said(self, joint: Joint) -> bool:
        """Return whether both formats have the name of a joint."""
        return not self.joints or len(joint.motions) == 1


def _unsaid(a: Model, b: Model) -> _Unsaid:
    """
    Return what is not compared between two formats.

    The link ``world`` of MJCF stands for no link of another format; its fixed joints have no
    names, and several joints of a body have none in common.
    """
    if a.format == b.format:
        return _Unsaid()
    columns = [_COLUMNS[one.format] for one in (a, b) if one.format in _COLUMNS]
    fields = frozenset(name for column in columns for name in unheld(Coordinate, [column]))
    if 'mjcf' not in (a.format, b.format):
        return _Unsaid(fields)
    both = {body.name for body in a.bodies} & {body.name for body in b.bodies}
    return _Unsaid(fields, frozenset({'world'} - both), True)


def _pairs(
    what: str, a: Sequence[Any], b: Sequence[Any], found: list[Difference],
) -> Iterator[tuple[Any, Any]]:
    """Yield the items that both have, and add a difference for each that one has alone."""
    theirs = {item.name: item for item in b}
    for item in a:
        other = theirs.pop(item.name, None)
        if other is None:
            found.append(Difference(what, item.name, 'present', '-'))
        else:
            yield item, other
    found.extend(Difference(what, name, '-', 'present') for name in theirs)


def _bodies(a: Model, b: Model, tolerance: float) -> list[Difference]:
    found: list[Difference] = []
    without = _unsaid(a, b).links
    mine, theirs = ([one for one in x.bodies if one.name not in without] for x in (a, b))
    for one, other in _pairs('body', mine, theirs, found):
        moments = _moments(one.inertia), _moments(other.inertia)
        found.extend(_numbers(one, other, tolerance))
        for what, here, there in zip(('mass', 'center of mass', 'inertia'), *moments):
            if not _close(here, there, tolerance):
                found.append(Difference(what, one.name, _text(here), _text(there)))
    return found


def _moments(inertia: Optional[Inertia]) -> tuple[Sequence[float], ...]:
    """Return mass, center of mass and the tensor about it, in the axes of the body."""
    if inertia is None or inertia.mass == 0.0 and inertia.is_zero:
        return (0.0,), (0.0,) * 3, (0.0,) * 6
    return (inertia.mass,), inertia.pose.position, tensor_in_body(inertia)


def _joints(a: Model, b: Model, tolerance: float) -> list[Difference]:
    """Compare the bodies that joints connect; the poses show how they move."""
    found: list[Difference] = []
    said = _unsaid(a, b).said
    for one, other in _pairs(
            'joint', list(filter(said, a.joints)), list(filter(said, b.joints)), found):
        found.extend(_numbers(one, other, tolerance))
        for what in ('parent', 'child'):
            here = a.bodies[getattr(one, what)].name
            there = b.bodies[getattr(other, what)].name
            if here != there:
                found.append(Difference(f'{what} of joint', one.name, here, there))
        if a.format == b.format and one.type != other.type:
            found.append(Difference('type of joint', one.name, one.type, other.type))
    return found


def _constraints(a: Model, b: Model) -> list[Difference]:
    """Compare the gearboxes; their effect is in the coordinates."""
    found: list[Difference] = []
    for one, other in _pairs('constraint', a.constraints, b.constraints, found):
        here, there = (
            ' - '.join(model.bodies[body].name for body in constraint.bodies)
            for constraint, model in ((one, a), (other, b)))
        if here != there:
            found.append(Difference('bodies of constraint', one.name, here, there))
    return found


def _coordinates(a: Model, b: Model, tolerance: float) -> list[Difference]:
    found: list[Difference] = []
    unsaid = _unsaid(a, b).fields
    for one, other in _pairs('coordinate', a.coordinates, b.coordinates, found):
        if one.kind != other.kind:
            found.append(Difference('kind of coordinate', one.name, one.kind, other.kind))
        found.extend(_numbers(one, other, tolerance, unsaid))
        found.extend(_mimic(one, other, a, b, tolerance))
    return found


def _configurations(a: Model, b: Model, tolerance: float) -> list[Difference]:
    """Compare the positions that named configurations give."""
    found: list[Difference] = []
    for one, other in _pairs('configuration', a.configurations, b.configurations, found):
        here, there = (
            {model.coordinates[index].name: value for index, value in each.positions}
            for model, each in ((a, one), (b, other)))
        for name in {**here, **there}:
            mine, theirs = ((each[name],) if name in each else () for each in (here, there))
            if not _close(mine, theirs, tolerance):
                found.append(Difference(
                    f"position of '{name}' in configuration", one.name, _text(mine) or '-',
                    _text(theirs) or '-'))
    return found


def _numbers(
    one: Any, other: Any, tolerance: float, unsaid: Collection[str] = (),
) -> Iterator[Difference]:
    """Yield the limits and other numbers of two records that differ and that both formats have."""
    for field in (*limits_of(type(one)), *numbers_of(type(one))):
        if field in unsaid:
            continue
        here, there = (getattr(item, field) for item in (one, other))
        if not _close((here,), (there,), tolerance):
            yield Difference(field.replace('_', ' '), one.name, _text((here,)), _text((there,)))


def _mimic(
    one: Coordinate, other: Coordinate, a: Model, b: Model, tolerance: float,
) -> Iterator[Difference]:
    here, there = (
        ('-', ()) if item.mimic is None else (
            model.coordinates[item.mimic.leader].name,
            (item.mimic.multiplier, item.mimic.offset))
        for item, model in ((one, a), (other, b)))
    if here[0] != there[0] or not _close(here[1], there[1], tolerance):
        yield Difference('mimic', one.name, _mimic_text(*here), _mimic_text(*there))


def _mimic_text(leader: str, numbers: Sequence[float]) -> str:
    return f'{numbers[0]!r} * {leader} + {numbers[1]!r}' if numbers else leader


def _frames(a: Model, b: Model, tolerance: float) -> list[Difference]:
    found: list[Difference] = []
    without = _unsaid(a, b).links
    mine, theirs = ([one for one in x.frames if one.name not in without] for x in (a, b))
    pairs = list(_pairs('frame', mine, theirs, found))
    differing: set[str] = set()
    names = {frame.name: frame.name for frame, _ in pairs}
    for name, count, here, there in _compared_poses(a, b, names):
        if name not in differing and abs(here - there).max() > tolerance:
            # frames that agree in the first configuration, zero, move in another way
            found.append(Difference(
                'motion of frame' if count else 'pose of frame', name, _pose_text(here),
                _pose_text(there)))
            differing.add(name)
    return found


def _compared_poses(
    a: Model, b: Model, names: Mapping[str, str],
) -> Iterator[tuple[str, int, Array, Array]]:
    """
    Yield the pose of each frame in both Models, in several configurations, the first all zero.

    ``names`` are the frames, with their names in the other. A pose is relative to the frame of
    the body above, so that each fault is found once.
    """
    shared = {item.name for item in a.coordinates} & {item.name for item in b.coordinates}
    values = _values(shared, a)
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


def _values(names: set[str], model: Model) -> list[dict[str, float]]:
    """Return configurations of the coordinates that both have, the first of them all zero."""
    rng = random.Random(0)
    free = [
        item.name for item in model.coordinates if item.name in names and item.mimic is None]
    return [
        {name: rng.uniform(-1.0, 1.0) if count else 0.0 for name in free}
        for count in range(_CONFIGURATIONS + 1)]


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


def _text(numbers: Sequence[float]) -> str:
    return ' '.join(repr(float(number)) for number in numbers)


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
    """Return how far two Models agree; ``renamed`` are links with another name in the second."""
    others = {body.name: body for body in b.bodies}
    links = {body.name: renamed.get(body.name, body.name) for body in a.bodies}
    shared = [body for body in a.bodies if links[body.name] in others]
    frames = {body.name: links[body.name] for body in shared}
    kinds = {frame.name: frame.kind for frame in b.frames if frame.name not in others}
    for frame in a.frames:
        implicit = 'joint' in (frame.kind, kinds.get(frame.name)) and a.format != b.format
        if frame.name in kinds and frame.name not in links and not implicit:
            frames[frame.name] = frame.name  # a joint's frame is where its format has it
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
