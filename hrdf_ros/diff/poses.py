# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The poses of frames in two Models, in several configurations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import math
import random
from typing import Optional
from warnings import catch_warnings, simplefilter

from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array, invert
from hrdf_ros.model import Model
from hrdf_ros.topology import Topology

CONFIGURATIONS = 5
"""The number of configurations, besides zero, in which poses are compared."""


def compared_poses(
    a: Model, b: Model, names: Mapping[str, str],
) -> Iterator[tuple[str, int, Array, Array]]:
    """
    Yield the poses of each frame in both Models, in several configurations, the first at zero.

    ``names`` has the frames with their names in the second Model. A pose is relative to the frame
    of the body above, so that each fault is found once.
    """
    shared = {item.name for item in a.coordinates} & {item.name for item in b.coordinates}
    free = [item.name for item in a.coordinates if item.name in shared and item.mimic is None]
    rng = random.Random(0)
    values = [
        {name: rng.uniform(-1.0, 1.0) if count else 0.0 for name in free}
        for count in range(CONFIGURATIONS + 1)]
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

    Coordinates that are not given are zero, with two exceptions. A coordinate whose limits leave
    only one position has this position, since its joint may be fixed in the other Model. If the
    pose of a free base is absolute, coordinates have their initial positions.
    """
    model = tree.model
    others = {
        item.name: item.lower if item.lower == item.upper
        else item.initial_position if model.conventions.absolute_base else 0.0
        for item in model.coordinates if item.mimic is None}
    names = [frame.name for frame in model.frames]
    with catch_warnings():
        simplefilter('ignore', RuntimeWarning)  # an overflow raises an error below
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
    Return for each frame the nearest frame toward the root that both Models have.

    Other roots are relative to the first root, which is the only one without such a frame.
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
