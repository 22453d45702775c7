# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""How far a Model agrees with one that was written and read again."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from hrdf_ros.diff.poses import compared_poses, CONFIGURATIONS
from hrdf_ros.diff.values import moments
from hrdf_ros.model import Model


class Largest(NamedTuple):
    """The largest difference of one kind, and the item that has it."""

    value: float = 0.0
    name: str = ''

    def or_greater(self, value: float, name: str) -> Largest:
        """Return this difference, or the one given if that is greater or not a number."""
        return self if value <= self.value else Largest(value, name)


class Agreement(NamedTuple):
    """
    The largest differences between the poses, masses and inertias of two Models.

    ``pose`` is in meters and entries of the rotation matrix, ``mass`` in kg and ``inertia`` in
    kg m^2; the last two are relative for numbers above 1. ``frames`` and ``links`` are the numbers
    of compared items, and ``configurations`` is the number of configurations in which poses were
    compared. ``missing`` are the links of the first Model that the second lacks.
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
    """Return the names in the target of the links and frames of a Model, by their own names."""
    names = {frame._replace(name='', source_name=''): frame.name for frame in lowered.frames}
    return {
        **{frame.name: names.get(frame._replace(name='', source_name=''), frame.name)
           for frame in model.frames},
        **{body.name: other.name for body, other in zip(model.bodies, lowered.bodies)}}


def agreement(a: Model, b: Model, renamed: Mapping[str, str] = MappingProxyType({})) -> Agreement:
    """Return how far two Models agree; ``renamed`` maps names in ``a`` to those in ``b``."""
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
            frames[frame.name] = name  # a joint must carry the same link
    pose = mass = inertia = Largest()
    for name, _, here, there in compared_poses(a, b, frames):
        pose = pose.or_greater(float(abs(here - there).max()), name)
    for body in shared:
        mine, other = (moments(one.inertia) for one in (body, others[links[body.name]]))
        by_mass, *rest = (
            max(0.0 if x == y else abs(x - y) / max(1.0, abs(x), abs(y))
                for x, y in zip(mine[what], other[what])) for what in mine)
        mass = mass.or_greater(by_mass, body.name)
        inertia = inertia.or_greater(max(rest), body.name)
    return Agreement(
        len(frames), CONFIGURATIONS + 1, len(shared), pose, mass, inertia,
        tuple(name for name, new in links.items() if new not in others))
