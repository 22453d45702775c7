# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Differences in meaning between two Models, by name, whatever their formats.

Frames are compared by their poses at zero and, moved by the coordinates that both Models have,
in a few configurations: it does not matter how a Model spreads a motion over joints and links.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
import math
import random
import sys
from types import MappingProxyType
from typing import Any, NamedTuple, Optional, Union
from warnings import catch_warnings, simplefilter

from hrdf_ros.fields import limits_of, numbers_of
from hrdf_ros.inertia import Inertia, tensor_in_body
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array, invert
from hrdf_ros.model import Model
from hrdf_ros.pose import from_matrix, to_rpy
from hrdf_ros.topology import Topology

Value = tuple[Union[str, float], ...]
_CONFIGURATIONS = 5


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
    the number for others above 1. A frame differs in its first configuration with another pose.
    """
    found: list[Difference] = []
    mine, theirs = _facts(a, b), _facts(b, a)
    for kind, items in mine.items():
        others = theirs[kind]
        for name, facts in items.items():
            if name not in others:
                found.append(Difference(kind, name, 'present', '-'))
                continue
            for what in {**facts, **others[name]}:
                here, there = facts.get(what, ()), others[name].get(what, ())
                if not _close(here, there, tolerance):
                    found.append(Difference(what, name, _text(here), _text(there)))
        found += [Difference(kind, name, '-', 'present') for name in others if name not in items]
    names = {name: name for name in mine['frame'] if name in theirs['frame']}
    differing: set[str] = set()
    for name, count, pose, other in _compared_poses(a, b, names):
        if name not in differing and abs(pose - other).max() > tolerance:
            # frames that agree in the first configuration, zero, move in another way
            differing.add(name)
            found.append(Difference(
                'motion of frame' if count else 'pose of frame', name, _pose_text(pose),
                _pose_text(other)))
    return found


def _facts(model: Model, other: Model) -> dict[str, dict[str, dict[str, Value]]]:
    """
    Return the values to compare with another Model, by kind and name of their item.

    What only one of the descriptions can state is not compared: fields of coordinates, the world
    as a body, and the names of joints with several motions or none where the other names motions.
    The types of joints are compared where they are of the same words.
    """
    own, others = model.conventions, other.conventions
    links, coordinates = ([one.name for one in table] for table in (
        model.bodies, model.coordinates))
    without: set[str] = set()
    if own.world_is_body != others.world_is_body:
        without = {'world'} - {body.name for body in other.bodies}.intersection(links)
    named = own.names_motions == others.names_motions
    typed = own.joint_types == others.joint_types
    number = _numbers_of(model, (
        frozenset() if own.unstated == others.unstated else own.unstated | others.unstated))
    return {
        'body': {
            one.name: {**number(one), **_moments(one.inertia)}
            for one in model.bodies if one.name not in without},
        'joint': {
            one.name: {
                **number(one), 'parent of joint': (links[one.parent],),
                'child of joint': (links[one.child],),
                **({'type of joint': (one.type,)} if typed else {})}
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


def _numbers_of(model: Model, without: Collection[str]) -> Callable[[Any], dict[str, Value]]:
    """Return the function that gives the numbers of a record, but for some fields."""
    names = {
        kind: [name for name in (*limits_of(kind), *numbers_of(kind))
               if name not in without]
        for kind in map(type, (*model.bodies[:1], *model.joints[:1], *model.coordinates[:1]))}
    return lambda record: {
        name.replace('_', ' '): (getattr(record, name),) for name in names[type(record)]}


def _moments(inertia: Optional[Inertia]) -> dict[str, tuple[float, ...]]:
    """Return mass, center of mass and the tensor about it, in the axes of the body."""
    if inertia is None or inertia.mass == 0.0 and inertia.is_zero:
        return {'mass': (0.0,), 'center of mass': (0.0,) * 3, 'inertia': (0.0,) * 6}
    return {'mass': (inertia.mass,), 'center of mass': inertia.pose.position,
            'inertia': tensor_in_body(inertia)}


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
    kinematics = Kinematics(a)
    ours, theirs = _poses(kinematics, values), _poses(Kinematics(b), values)
    bases = _bases(a, kinematics.topology, set(names))
    rooted = a.conventions.places_root == b.conventions.places_root
    for name, new in names.items():
        base = bases[name]
        if base is not None:
            above = names[base]
            for count, (mine, other) in enumerate(zip(ours, theirs)):
                yield (
                    name, count, invert(mine[base]) @ mine[name],
                    invert(other[above]) @ other[new])
        elif rooted:
            for count, (mine, other) in enumerate(zip(ours, theirs)):
                yield name, count, mine[name], other[new]


def _poses(tree: Kinematics, values: list[dict[str, float]]) -> list[dict[str, Array]]:
    """
    Return root_from_frame (4, 4) by name for each configuration.

    Other coordinates are zero, or initial where those of a free base are absolute, or where their
    limits leave them no other position: their joints may be fixed in the other Model.
    """
    model = tree.model
    others = {
        item.name: item.lower if item.lower == item.upper
        else item.initial_position if model.conventions.absolute_base else 0.0
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


def _bases(
    model: Model, topology: Topology, known: set[str],
) -> dict[str, Optional[str]]:
    """
    Return for each frame the nearest frame towards the root that both Models have.

    Other roots are seen from the first, which alone has none.
    """
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


def _pose_text(pose: Array) -> str:
    """Return a pose (4, 4) as position (m), roll, pitch and yaw (rad)."""
    found = from_matrix(pose[:3, 3].tolist(), pose[:3, :3].ravel().tolist())
    return f'xyz {_text(found.position)} rpy {_text(to_rpy(found))}'


def _close(a: Value, b: Value, tolerance: float) -> bool:
    """Return whether values are the same within the tolerance; infinities and NaN by kind."""
    return len(a) == len(b) and all(
        x == y or not isinstance(x, str) and not isinstance(y, str) and (
            math.isnan(x) and math.isnan(y)
            or abs(x - y) <= tolerance * min(max(1.0, abs(x), abs(y)), sys.float_info.max))
        for x, y in zip(a, b))


def _text(value: Value) -> str:
    return ' '.join(part if isinstance(part, str) else repr(float(part)) for part in value) or '-'


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


def renamed_in(model: Model, lowered: Model) -> dict[str, str]:
    """Return the names in the target of links and of the frames that it writes."""
    names = {frame._replace(name='', source_name=''): frame.name for frame in lowered.frames}
    return {
        **{frame.name: names.get(frame._replace(name='', source_name=''), frame.name)
           for frame in model.frames},
        **{body.name: other.name for body, other in zip(model.bodies, lowered.bodies)}}


def agreement(a: Model, b: Model, renamed: Mapping[str, str] = MappingProxyType({})) -> Agreement:
    """Return how far two Models agree; ``renamed`` are names of links and frames in the second."""
    others = {body.name: body for body in b.bodies}
    links = {body.name: renamed.get(body.name, body.name) for body in a.bodies}
    shared = [body for body in a.bodies if links[body.name] in others]
    frames = {body.name: links[body.name] for body in shared}
    theirs = {frame.name: frame for frame in b.frames if frame.name not in others}
    for frame in a.frames:
        name = renamed.get(frame.name, frame.name)
        if name not in theirs or frame.name in links:
            continue
        same = theirs[name]
        carrier = links[a.bodies[frame.body].name]
        if 'joint' not in (frame.kind, same.kind) or frame.kind == same.kind and (
                carrier == b.bodies[same.body].name):
            frames[frame.name] = name  # of a joint only where it carries the same link
    pose = mass = inertia = Largest()
    for name, _, here, there in _compared_poses(a, b, frames):
        pose = pose.or_greater(float(abs(here - there).max()), name)
    for body in shared:
        mine, other = (_moments(one.inertia) for one in (body, others[links[body.name]]))
        by_mass, *rest = (
            max(0.0 if x == y else abs(x - y) / max(1.0, abs(x), abs(y))
                for x, y in zip(mine[what], other[what])) for what in mine)
        mass = mass.or_greater(by_mass, body.name)
        inertia = inertia.or_greater(max(rest), body.name)
    return Agreement(
        len(frames), _CONFIGURATIONS + 1, len(shared), pose, mass, inertia,
        tuple(name for name, new in links.items() if new not in others))
