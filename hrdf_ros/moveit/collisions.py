# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Find the pairs of links that need no collision check, as MoveIt's setup assistant does.

In this order, each pair once:

- ``Adjacent``: a joint connects them, or joints and links without collision geometry
- ``Default``: they collide where every joint is at 0, or at the middle of limits without 0
- ``Always``: they collide in more than 95 % of some random configurations
- ``Never``: they collide in none of many

Random configurations miss rare collisions. So for each pair that is left the search goes on from
where its links came nearest, towards smaller distances.

A link whose geometry cannot be read is in no pair except adjacent ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Literal, NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.limits import COLLISION_PAIRS
from hrdf_ros.model import Model, NONE
from hrdf_ros.moveit.collision_shapes import CollisionShapes
from hrdf_ros.moveit.robot import RobotTooLargeError, UrdfRobot
from hrdf_ros.topology import Topology
import numpy as np
from numpy.typing import NDArray

DisabledReason = Literal['Adjacent', 'Default', 'Always', 'Never']
_Pair = tuple[int, int]

_ALWAYS_SAMPLES = 1000
_ALWAYS_FRACTION = 0.95
_STARTS = 3
"""The nearest configurations of a pair from which its search begins."""
_ROUNDS = 30
_TRIES = 8
"""The configurations of each round of a search."""
_FIRST_STEP = 0.3
"""The steps of the first round, as a part of the range of each coordinate."""
_SHRINKING = 0.85
_PAIRS_AT_ONCE = 2048
_AT_ONCE = 100
"""The searches whose configurations are computed together."""
_BLOCK = 250
"""The configurations that are computed together."""
_AT_LIMITS = 4
"""One configuration out of so many has joints at their limits, where rare collisions are."""


class DisabledPair(NamedTuple):
    """Two links by name, in alphabetical order, and why their collisions are not checked."""

    first: str
    second: str
    reason: DisabledReason


def disabled_pairs(
    robot: UrdfRobot, report: Report, *, samples: int = 10_000, seed: int = 1,
) -> list[DisabledPair]:
    """
    Return the pairs of links that need no collision check, in alphabetical order.

    The same ``samples`` and ``seed`` give the same pairs. A mesh that cannot be read is added to
    the report. Without the library coal this is a CollisionLibraryError, with more than
    COLLISION_PAIRS pairs of shapes a RobotTooLargeError.
    """
    model = robot.model
    shapes = CollisionShapes(robot, report)
    links = sorted({*shapes.links, *shapes.unread})
    adjacent = _adjacent(robot.topology, set(links))
    found: dict[_Pair, DisabledReason] = dict.fromkeys(adjacent, 'Adjacent')
    pairs = {
        (a, b) for a in links for b in links
        if a < b and (a, b) not in adjacent and not shapes.unread & {a, b}}
    count = sum(len(shapes.links[a]) * len(shapes.links[b]) for a, b in pairs)
    if count > COLLISION_PAIRS:
        raise RobotTooLargeError(
            f'its links have {count} pairs of collision shapes; {COLLISION_PAIRS} are the most')
    search = _Search(shapes, Configurations(model, seed), pairs)
    found.update(search.reasons(samples))
    return sorted(_named(model, pair, reason) for pair, reason in found.items())


def adjacent_pairs(robot: UrdfRobot) -> list[DisabledPair]:
    """Return the pairs of links that joints connect, in alphabetical order."""
    links = {index for index, body in enumerate(robot.model.bodies) if body.collisions}
    adjacent = _adjacent(robot.topology, links)
    return sorted(_named(robot.model, pair, 'Adjacent') for pair in adjacent)


def _named(model: Model, pair: _Pair, reason: DisabledReason) -> DisabledPair:
    first, second = sorted(model.bodies[link].name for link in pair)
    return DisabledPair(first, second, reason)


def _adjacent(topology: Topology, links: set[int]) -> set[_Pair]:
    """Return the pairs that joints connect, through links without geometry as well."""
    neighbors: dict[int, list[int]] = {}
    for body, above in enumerate(topology.parent):
        if above != NONE:
            neighbors.setdefault(body, []).append(above)
            neighbors.setdefault(above, []).append(body)
    found = set()
    for start in links:
        seen, pending = {start}, [start]
        while pending:
            for other in neighbors.get(pending.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    if other not in links:
                        pending.append(other)
        found |= {(min(start, other), max(start, other)) for other in seen & links - {start}}
    return found


class _Search:
    """Searches for reasons not to check pairs of links; pairs without one stay in ``_open``."""

    def __init__(
        self, shapes: CollisionShapes, configurations: Configurations, pairs: set[_Pair],
    ) -> None:
        self._shapes = shapes
        self._configurations = configurations
        self._open = pairs
        self._nearest: list[dict[_Pair, tuple[float, Array]]] = [{} for _ in range(_STARTS)]

    def reasons(self, samples: int) -> dict[_Pair, DisabledReason]:
        """Return the reasons; pairs that collide in some configurations have none."""
        found: dict[_Pair, DisabledReason] = {}
        default = set(self._hits(self._configurations.default()))
        found.update(dict.fromkeys(default, 'Default'))
        self._open -= default
        first = self._configurations.uniform(min(_ALWAYS_SAMPLES, samples))
        counts = Counter(self._hits(first, every=True))
        found.update(
            (pair, 'Always') for pair, count in counts.items()
            if count > _ALWAYS_FRACTION * len(first))
        self._open -= counts.keys()
        for index, rows in enumerate(self._configurations.blocks(samples - len(first))):
            self._open -= set(self._hits(rows, nearest=self._nearest[index % _STARTS]))
        self._open -= set(self._descend())
        found.update(dict.fromkeys(self._open, 'Never'))
        return found

    def _hits(
        self, rows: Array, *, every: bool = False,
        nearest: Optional[dict[_Pair, tuple[float, Array]]] = None,
    ) -> Iterator[_Pair]:
        """
        Yield the open pairs that collide: once, or with ``every`` once for each configuration.

        ``nearest`` gets the gap and configuration where each pair is nearest.
        """
        if not self._open:
            return
        pairs = sorted(self._open)
        candidates = [(index, a, b) for index, pair in enumerate(pairs)
                      for a, b in self._shape_pairs(pair)]
        owners, *sides = np.array(candidates, int).T
        poses, centers = self._shapes.placed(rows)
        gaps = _gaps(centers, self._shapes.radii, *sides)
        if nearest is not None:
            starts = np.flatnonzero(np.diff(owners, prepend=-1))
            of_links = np.minimum.reduceat(gaps, starts, axis=1)
            for pair, row, gap in zip(pairs, of_links.argmin(0), of_links.min(0).tolist()):
                if gap < nearest.get(pair, (np.inf,))[0]:
                    nearest[pair] = gap, rows[row]
        done: set[tuple[int, int]] = set()
        for sample, candidate in np.argwhere(gaps <= 0.0).tolist():
            index, a, b = candidates[candidate]
            key = (sample if every else 0, index)
            if key not in done and self._shapes.collide(a, b, poses[sample]):
                done.add(key)
                yield pairs[index]

    def _shape_pairs(self, pair: _Pair) -> Iterator[_Pair]:
        first, second = (self._shapes.links[link] for link in pair)
        return product(first, second)

    # ---- towards smaller distances

    def _descend(self) -> Iterator[_Pair]:
        """Yield the open pairs that collide close to the configuration of their least distance."""
        starts = [
            (pair, row) for nearest in self._nearest
            for pair, (_, row) in nearest.items() if pair in self._open]
        for begin in range(0, len(starts), _AT_ONCE):
            part = starts[begin:begin + _AT_ONCE]
            distances = self._least_distances(
                [pair for pair, _ in part], np.array([row for _, row in part]))
            yield from (pair for (pair, _), least in zip(part, distances) if least <= 0.0)

    def _least_distances(self, pairs: list[_Pair], best: Array) -> list[float]:
        """Return the least distance (m) that each pair is brought to from its configuration."""
        least = [np.inf] * len(pairs)
        for step in range(_ROUNDS):
            going = [index for index, distance in enumerate(least) if distance > 0.0]
            if not going:
                break
            rows = self._configurations.around(
                best[going], _TRIES, _FIRST_STEP * _SHRINKING ** step)
            poses, _ = self._shapes.placed(rows.reshape(-1, rows.shape[2]))
            for index, tried, placed in zip(going, rows, poses.reshape(
                    len(going), _TRIES, *poses.shape[1:])):
                for row, shapes in zip(tried, placed):
                    distance = min(self._shapes.distance(a, b, shapes)
                                   for a, b in self._shape_pairs(pairs[index]))
                    if distance < least[index]:
                        least[index], best[index] = distance, row
        return least


def _gaps(
    centers: Array, radii: Array, first: NDArray[np.int_], second: NDArray[np.int_],
) -> Array:
    """Return the gaps (K, pairs) between the spheres of pairs of shapes."""
    result = np.empty((len(centers), len(first)))
    for start in range(0, len(first), _PAIRS_AT_ONCE):  # (.., 3) takes three times as long
        a, b = (side[start:start + _PAIRS_AT_ONCE] for side in (first, second))
        between = centers[:, a] - centers[:, b]
        result[:, start:start + len(a)] = np.linalg.norm(between, axis=2) - (radii[a] + radii[b])
    return result


class Configurations:
    """
    Random configurations (K, n), rad and m, of a Model, the same for the same seed.

    They are uniform within the limits; without them angles are from -pi to pi, and lengths 0.
    """

    def __init__(self, model: Model, seed: int) -> None:
        angle = np.array([coordinate.kind == 'angle' for coordinate in model.coordinates], bool)
        reach = np.where(angle, np.pi, 0.0)
        lower = np.array([coordinate.lower for coordinate in model.coordinates])
        upper = np.array([coordinate.upper for coordinate in model.coordinates])
        self._limited = np.isfinite(lower) & np.isfinite(upper)
        self._least = np.where(self._limited, np.minimum(lower, upper), -reach)
        self._most = np.where(self._limited, np.maximum(lower, upper), reach)
        self._balls = [
            list(motion.coordinates) for joint in model.joints for motion in joint.motions
            if motion.kind == 'rotation_vector']
        self._random = np.random.default_rng(seed)

    def default(self) -> Array:
        """Return (1, n): 0, or the middle of limits that exclude 0."""
        has_zero = (self._least <= 0.0) & (0.0 <= self._most)
        result: Array = np.where(has_zero, 0.0, 0.5 * (self._least + self._most))[None]
        return result

    def uniform(self, count: int) -> Array:
        """Return uniform configurations."""
        rows = self._random.uniform(self._least, self._most, (count, len(self._least)))
        for ball in self._balls:
            rows[:, ball] = _rotation_vectors(self._random.normal(size=(count, 4)))
        return rows

    def blocks(self, samples: int) -> Iterator[Array]:
        """Yield configurations of which some have joints at their limits."""
        for start in range(0, samples, _BLOCK):
            rows = self.uniform(min(_BLOCK, samples - start))
            sides = self._random.integers(0, 4, rows.shape)
            sides[np.arange(len(rows)) % _AT_LIMITS != 0] = 0
            rows = np.where(self._limited & (sides == 1), self._least, rows)
            yield np.where(self._limited & (sides == 2), self._most, rows)

    def around(self, rows: Array, count: int, size: float) -> Array:
        """
        Return (K, count, n) configurations near (K, n) others, each first one unchanged.

        ``size`` is their distance, as a part of the range of each coordinate.
        """
        shape = (len(rows), count, len(self._least))
        steps = self._random.normal(size=shape) * size * (self._most - self._least)
        steps *= self._random.integers(0, 2, shape)
        steps[:, 0] = 0.0
        result: Array = np.clip(rows[:, None] + steps, self._least, self._most)
        return result


def _rotation_vectors(quaternions: Array) -> Array:
    """Return rotation vectors (K, 3), rad, of quaternions (K, 4), w first, of any length."""
    w, axis = quaternions[:, :1], quaternions[:, 1:]
    length = np.linalg.norm(axis, axis=1, keepdims=True)
    result: Array = axis / length * 2.0 * np.arctan2(length, w)
    return result
