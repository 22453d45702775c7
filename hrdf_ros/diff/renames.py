# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Items that have another name in the second of two Models, and are otherwise the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Hashable, Iterable, Mapping
from typing import Any, NamedTuple

from hrdf_ros.diff.values import moments
from hrdf_ros.model import Model, NONE
from hrdf_ros.pose import Pose

_DIGITS = 9
"""The number of decimals to which the numbers of a renamed item have to agree."""
_Keys = Mapping[str, Hashable]
"""The properties by which an item is recognized if its name changes, by the item's name."""


class Rename(NamedTuple):
    """The kind of an item, and its name in either Model."""

    kind: str
    old: str
    new: str


def renames(a: Model, b: Model) -> list[Rename]:
    """
    Return the items whose names alone differ: bodies, then joints, coordinates and frames.

    A body is the same if its parent, the place of its joint and its inertia are the same; a joint
    if its bodies and its type are; a frame if its body, its place and its kind are. An item that
    could be several others is not renamed, nor are the items of Models with different conventions.
    """
    if a.conventions != b.conventions:
        return []
    bodies = _bodies(a, b)
    joints = _unique(_joint_keys(a, bodies), _joint_keys(b, {}))
    coordinates = _coordinates(a, b, joints)
    implied = {**joints, **bodies}
    names = {frame.name for frame in b.frames}
    frames = {
        frame.name: implied[frame.name] for frame in a.frames
        if frame.name not in names and implied.get(frame.name) in names}
    frames.update(_unique(
        _frame_keys(a, bodies, frames), _frame_keys(b, {}, set(frames.values()))))
    return [
        Rename(kind, old, new) for kind, found in (
            ('body', bodies), ('joint', joints), ('coordinate', coordinates), ('frame', frames))
        for old, new in found.items()]


def renamed(model: Model, new: Iterable[Rename]) -> Model:
    """Return a Model whose items have their new names."""
    names: dict[str, dict[str, str]] = defaultdict(dict)
    for kind, old, name in new:
        names[kind][old] = name
    tables: dict[str, tuple[Any, ...]] = {
        'body': model.bodies, 'joint': model.joints, 'coordinate': model.coordinates,
        'frame': model.frames}
    bodies, joints, coordinates, frames = (
        tuple(item._replace(name=names[kind].get(item.name, item.name)) for item in table)
        for kind, table in tables.items())
    return model._replace(bodies=bodies, joints=joints, coordinates=coordinates, frames=frames)


def _unique(mine: _Keys, theirs: _Keys) -> dict[str, str]:
    """Return the names of items that only one side has, and whose key is unique on each side."""
    found: dict[Hashable, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for side, keys, others in ((0, mine, theirs), (1, theirs, mine)):
        for name, key in keys.items():
            if name not in others:
                found[key][side].append(name)
    return {old[0]: new[0] for old, new in found.values() if len(old) == len(new) == 1}


def _bodies(a: Model, b: Model) -> dict[str, str]:
    """Return the new names of bodies, from the roots toward the tips."""
    own, others = _children(a, b), _children(b, a)
    names = {body.name for body in b.bodies}
    waiting = [('', ''), *((body.name, body.name) for body in a.bodies if body.name in names)]
    found: dict[str, str] = {}
    while waiting:
        parent, other = waiting.pop()
        new = _unique(own[parent], others[other])
        found.update(new)
        waiting += new.items()
    return found


def _children(model: Model, other: Model) -> dict[str, dict[str, Hashable]]:
    """Return what is known about bodies that the other Model lacks, by their parent and name."""
    known = {frame.name for frame in other.frames}
    carriers = {joint.child: joint for joint in reversed(model.joints)}
    found: dict[str, dict[str, Hashable]] = defaultdict(dict)
    for index, body in enumerate(model.bodies):
        if body.name not in known:
            joint = carriers.get(index)
            numbers = [number for value in moments(body.inertia).values() for number in value]
            place: tuple[Hashable, ...] = () if joint is None else (
                joint.type, *_pose_key(joint.parent_from_joint),
                *_pose_key(joint.child_from_joint))
            parent = NONE if joint is None else joint.parent
            found['' if parent == NONE else model.bodies[parent].name][body.name] = (
                place, _rounded(numbers))
    return found


def _coordinates(a: Model, b: Model, joints: Mapping[str, str]) -> dict[str, str]:
    """Return the new names of coordinates, for joints with the same number of coordinates."""
    own_names, other_names = (
        {item.name for item in model.coordinates} for model in (a, b))
    others = {joint.name: joint for joint in b.joints}
    found: dict[str, str] = {}
    for joint in a.joints:
        other = others.get(joints.get(joint.name, joint.name))
        mine, theirs = joint.coordinates, () if other is None else other.coordinates
        for index, same in zip(mine, theirs) if len(mine) == len(theirs) else ():
            old, new = a.coordinates[index].name, b.coordinates[same].name
            if old not in other_names and new not in own_names:
                found[old] = new
    return found


def _joint_keys(model: Model, new: Mapping[str, str]) -> dict[str, Hashable]:
    names = {index: new.get(body.name, body.name) for index, body in enumerate(model.bodies)}
    return {joint.name: (names.get(joint.parent), names[joint.child], joint.type)
            for joint in model.joints}


def _frame_keys(
    model: Model, new: Mapping[str, str], without: Container[str],
) -> dict[str, Hashable]:
    names = {index: new.get(body.name, body.name) for index, body in enumerate(model.bodies)}
    return {frame.name: (frame.kind, names.get(frame.body), _pose_key(frame.pose))
            for frame in model.frames if frame.name not in without}


def _pose_key(pose: Pose) -> tuple[float, ...]:
    return _rounded([*pose.position, *(pose.orientation if pose.orientation[3] >= 0.0 else [
        -value for value in pose.orientation])])


def _rounded(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(value, _DIGITS) + 0.0 for value in values)
