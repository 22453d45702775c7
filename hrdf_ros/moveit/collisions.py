# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The pairs of links that need no collision check, and a start pose without a collision.

Each pair has the first reason that applies:
- ``Adjacent``: a joint connects them, or a chain of joints between which no link has collision
  geometry
- ``Default``: they touch at MoveIt's default and are never apart
- ``Always``: they touch in other random configurations and are never apart
- ``Never``: they collide in none of many configurations

Links are apart if there is more than a millimeter between them. Random configurations miss rare
collisions. So for each pair that is left, the search continues from where its links came nearest,
toward smaller distances.

A link whose geometry cannot be read is in no pair except adjacent ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property
from multiprocessing import get_context
import os
import signal
from typing import Literal, NamedTuple

from hrdf_ros.diagnostics import Report
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.limits import COLLISION_PAIRS
from hrdf_ros.model import Model, NONE
from hrdf_ros.moveit.collision_shapes import CollisionShapes
from hrdf_ros.moveit.configurations import Configurations
from hrdf_ros.moveit.robot import (
    adjacent,
    LinkPair,
    MOVEIT_DEFAULT,
    RobotTooLargeError,
    StartPose,
    UrdfRobot,
)
import numpy as np

DisabledReason = Literal['Adjacent', 'Default', 'Always', 'Never']

_APART = 1e-3
"""
The distance in meters beyond which links are apart; links that never are touch by design.
"""
_ALWAYS_SAMPLES = 1000
"""The most random configurations in which pairs are found that are never apart."""
_START_SAMPLES = 1000
"""The most random poses that are tried for a start without a collision."""
_STARTS = 3
"""The number of nearest configurations of a pair from which its search begins."""
_ROUNDS = 30
"""The number of rounds of a search; in the last one, steps are a hundredth of the first."""
_TRIES = 7
"""The number of configurations that each round of a search tries."""
_FIRST_STEP = 0.3
"""The size of the first round's steps, as a fraction of the range of each coordinate."""
_SHRINKING = 0.85
"""The factor by which steps shrink from each round to the next."""
_AT_ONCE = 25
"""The number of searches whose configurations are computed together in one process."""


class StartError(Exception):
    """A robot collides in every pose that it may start in; the text names pairs."""


class DisabledPair(NamedTuple):
    """Two links by name, in alphabetical order, and why their collisions are not checked."""

    first: str
    second: str
    reason: DisabledReason


class CheckedPair(NamedTuple):
    """
    Two links by name, in alphabetical order, that collide in some configurations.

    ``least`` and ``most`` are the distances (m) in two configurations; below 0 the shapes overlap.
    ``is_default`` says whether they collide at MoveIt's default.
    """

    first: str
    second: str
    least: float
    most: float
    is_default: bool


def disabled_pairs(
    robot: UrdfRobot, report: Report, *, samples: int = 10_000, seed: int = 1,
) -> list[DisabledPair]:
    """Return the pairs that a CollisionSearch finds to need no check, in alphabetical order."""
    return CollisionSearch(robot, report, samples=samples, seed=seed).pairs().disabled


def adjacent_pairs(robot: UrdfRobot) -> list[DisabledPair]:
    """Return the pairs of links that joints connect, in alphabetical order."""
    links = {index for index, body in enumerate(robot.model.bodies) if body.collisions}
    return sorted(_by_name(robot.model, pair, 'Adjacent') for pair in adjacent(robot, links))


def _by_name(model: Model, pair: LinkPair, reason: DisabledReason) -> DisabledPair:
    first, second = sorted(model.bodies[link].name for link in pair)
    return DisabledPair(first, second, reason)


class LinkPairs(NamedTuple):
    """Pairs of links, each in alphabetical order: without a collision check, and with it."""

    disabled: list[DisabledPair]
    checked: list[CheckedPair]


class _Nearest(NamedTuple):
    """The least distance of a pair: the gap (m) of its spheres, the block, the configuration."""

    gap: float
    block: int
    row: Array


class _Found(NamedTuple):
    """The configurations, found in blocks, where pairs collide, and where others are nearest."""

    touching: dict[LinkPair, tuple[int, Array]]
    nearest: list[dict[LinkPair, _Nearest]]


class CollisionSearch:
    """
    Searches for collisions between the links of a robot.

    The same ``samples`` and ``seed`` give the same results. A mesh that cannot be read is
    reported. Without the library coal this raises CollisionLibraryError, and for more than
    COLLISION_PAIRS pairs of shapes RobotTooLargeError.
    """

    def __init__(
        self, robot: UrdfRobot, report: Report, *, samples: int = 10_000, seed: int = 1,
    ) -> None:
        self._robot, self._samples, self._seed = robot, samples, seed
        self._shapes = CollisionShapes(robot, report)
        self._configurations = Configurations(robot.model, seed)
        links = sorted({*self._shapes.links, *self._shapes.unread})
        self._adjacent = adjacent(robot, set(links))
        self._pairs = [
            (a, b) for a in links for b in links
            if a < b and (a, b) not in self._adjacent and not self._shapes.unread & {a, b}]
        count = sum(len(self._shapes.links[a]) * len(self._shapes.links[b])
                    for a, b in self._pairs)
        if count > COLLISION_PAIRS:
            raise RobotTooLargeError(
                f'its links have {count} pairs of collision shapes; {COLLISION_PAIRS} are the '
                'most')
        self._apart: dict[LinkPair, Array] = {}

    def start_pose(self) -> tuple[StartPose, Mapping[str, list[tuple[str, str]]]]:
        """
        Return the first pose without a collision, and the colliding pairs of the refused poses.

        The poses are the robot's ``starts``, then random ones; only the pairs of the former are
        returned. Pairs that always touch do not count. If every pose collides, StartError is
        raised.
        """
        refused: dict[str, list[tuple[str, str]]] = {}
        best, fewest = self._robot.starts[0], list[LinkPair]()
        configurations = Configurations(self._robot.source, self._seed)
        for number in range(1 - len(self._robot.starts), _START_SAMPLES + 1):
            if number <= 0:
                pose = self._robot.starts[number - 1 + len(self._robot.starts)]
            else:
                pose = self._random_pose(number, configurations, best, fewest)
            hits = self._shapes.hits(self._checked(), self._row(pose)[None])
            touching = [pair for pair, _ in hits]
            if not touching:
                return pose, refused
            if number <= 0:
                refused[pose.name] = [self._names(pair) for pair in touching]
            if not fewest or len(touching) < len(fewest):
                best, fewest = pose, touching
        raise StartError(
            f'each pose that the robot may start in has collisions; the fewest has {best.name}: '
            + ', '.join(f"'{first}' and '{second}'" for first, second in sorted(
                map(self._names, fewest))))

    def pairs(self) -> LinkPairs:
        """Return the pairs that need no collision check, and those that sometimes collide."""
        reasons: dict[LinkPair, DisabledReason] = {
            **dict.fromkeys(self._adjacent, 'Adjacent'), **self._always}
        touching = self._touching()
        reasons.update(dict.fromkeys(set(self._checked()) - touching.keys(), 'Never'))
        default = self._default_row()
        at_default = {pair for pair, _ in self._shapes.hits(sorted(touching), default[None])}
        checked = []
        for pair, row in touching.items():
            least, most = (self._shapes.distance(pair, place) for place in (
                default if pair in at_default else row, self._apart.get(pair, default)))
            checked.append(CheckedPair(*self._names(pair), least, most, pair in at_default))
        return LinkPairs(sorted(
            DisabledPair(*self._names(pair), reason) for pair, reason in reasons.items()
        ), sorted(checked))

    # ---- configurations

    def _row(self, pose: StartPose) -> Array:
        """Return the configuration (n,) of a pose."""
        return np.array([
            pose.positions.get(one.name, 0.0) for one in self._robot.model.coordinates])

    def _default_row(self) -> Array:
        return next(
            self._row(pose) for pose in self._robot.starts if pose.name == MOVEIT_DEFAULT)

    def _random_pose(
        self, number: int, configurations: Configurations, best: StartPose,
        touching: list[LinkPair],
    ) -> StartPose:
        """
        Return a random pose in which the loops are closed.

        Every second pose is like the best one so far, except for the joints between links that
        touch there: a robot with many links has few configurations without a collision.
        """
        row = configurations.uniform(1)[0].tolist()
        positions = {
            one.name: position for one, position in zip(self._robot.source.coordinates, row)
            if one.name in self._robot.independent}
        if number % 2:
            between = {name for pair in touching for name in self._coordinates_between(pair)}
            positions.update({
                name: best.positions[name] for name in positions
                if name in best.positions and name not in between})
        return StartPose(
            f'sample {number} of {_START_SAMPLES}', self._robot.joint_positions(positions))

    def _coordinates_between(self, pair: LinkPair) -> set[str]:
        """
        Return the coordinates that move two links relative to each other.

        A mimic coordinate is represented by its leader.
        """
        paths = []
        for link in pair:
            path = set()
            while (above := self._robot.topology.parent[link]) != NONE:
                path.add(self._robot.topology.joint[link])
                link = above
            paths.append(path)
        joints = [self._robot.model.joints[joint] for joint in paths[0] ^ paths[1]]
        return {
            self._robot.leader(coordinate).name
            for coordinate in map(self._robot.coordinate, joints) if coordinate is not None}

    # ---- pairs

    def _names(self, pair: LinkPair) -> tuple[str, str]:
        first, second = sorted(self._robot.model.bodies[link].name for link in pair)
        return first, second

    def _checked(self) -> list[LinkPair]:
        """Return the pairs that do not always touch."""
        return [pair for pair in self._pairs if pair not in self._always]

    @cached_property
    def _always(self) -> dict[LinkPair, DisabledReason]:
        """The pairs that touch and are never apart; this puts all others into ``_apart``."""
        rows = np.concatenate((self._default_row()[None], self._configurations.uniform(
            min(_ALWAYS_SAMPLES, self._samples))))
        touching: dict[LinkPair, DisabledReason] = {}
        for index, row in enumerate(rows):
            pairs = [pair for pair in self._pairs if pair not in self._apart]
            if not pairs:
                break
            poses, centers = self._shapes.placed(row[None])
            _, of_links = self._shapes.gaps(pairs, centers)
            for pair, gap in zip(pairs, of_links[0].tolist()):
                if gap > _APART or (
                        distance := self._shapes.placed_distance(pair, poses[0])) > _APART:
                    self._apart[pair] = row
                elif distance <= 0.0:
                    touching.setdefault(pair, 'Always' if index else 'Default')
        return {
            pair: reason for pair, reason in touching.items() if pair not in self._apart}

    # ---- the search

    def _touching(self) -> dict[LinkPair, Array]:
        """Return the pairs that collide but do not always touch, and where they collide."""
        blocks = list(enumerate(self._configurations.blocks(self._samples)))
        count = len(os.sched_getaffinity(0))
        with ProcessPoolExecutor(count, get_context('fork'), _begin, (self,)) as pool:
            found = list(pool.map(_sample, [blocks[first::count] for first in range(count)]))
            touching: dict[LinkPair, tuple[int, Array]] = {}
            for part in found:
                for pair, hit in part.touching.items():
                    touching[pair] = min(touching.get(pair, hit), hit, key=lambda one: one[0])
            starts = []
            for slot in range(_STARTS):
                nearest: dict[LinkPair, _Nearest] = {}
                for part in found:
                    for pair, near in part.nearest[slot].items():
                        nearest[pair] = min(
                            nearest.get(pair, near), near, key=lambda one: one[:2])
                starts += [(pair, nearest[pair].row) for pair in sorted(
                    nearest.keys() - touching.keys())]
            parts = [(begin, starts[begin:begin + _AT_ONCE])
                     for begin in range(0, len(starts), _AT_ONCE)]
            result = {pair: row for pair, (_, row) in touching.items()}
            for descended in pool.map(_descend, parts):
                result.update(descended)
        return result

    def sample(self, blocks: Iterable[tuple[int, Array]]) -> _Found:
        """Return which pairs collide in blocks of configurations, and where others are nearest."""
        found = _Found({}, [{} for _ in range(_STARTS)])
        for block, rows in blocks:
            pairs = [pair for pair in self._checked() if pair not in found.touching]
            if not pairs:
                break
            poses, centers = self._shapes.placed(rows)
            gaps, of_links = self._shapes.gaps(pairs, centers)
            nearest = found.nearest[block % _STARTS]
            for pair, row, gap in zip(pairs, of_links.argmin(0), of_links.min(0).tolist()):
                if pair not in nearest or gap < nearest[pair].gap:
                    nearest[pair] = _Nearest(gap, block, rows[row])
            for pair, sample in self._shapes.placed_hits(pairs, poses, gaps):
                found.touching[pair] = block, rows[sample]
        return found

    def descend(self, part: int, starts: list[tuple[LinkPair, Array]]) -> dict[LinkPair, Array]:
        """Return the pairs that collide near where they came nearest, and where they collide."""
        pairs = [pair for pair, _ in starts]
        best = np.array([row for _, row in starts])
        least = [self._shapes.distance(pair, row) for pair, row in starts]
        configurations = Configurations(self._robot.model, self._seed, part)
        for step in range(_ROUNDS):
            going = [index for index, distance in enumerate(least) if distance > 0.0]
            if not going:
                break
            rows = configurations.around(best[going], _TRIES, _FIRST_STEP * _SHRINKING ** step)
            poses, _ = self._shapes.placed(rows.reshape(len(going) * _TRIES, rows.shape[2]))
            for index, tried, placed in zip(going, rows, poses.reshape(
                    len(going), _TRIES, *poses.shape[1:])):
                for row, shapes in zip(tried, placed):
                    distance = self._shapes.placed_distance(pairs[index], shapes, least[index])
                    if distance < least[index]:
                        least[index], best[index] = distance, row
        return {pair: row for pair, row, distance in zip(pairs, best, least) if distance <= 0.0}


# ---- in processes of their own

_search: CollisionSearch
"""The search of this process."""


def _begin(search: CollisionSearch) -> None:
    """Prepare a process of the search; the process ends at Ctrl-C."""
    global _search
    _search = search
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _sample(blocks: list[tuple[int, Array]]) -> _Found:
    return _search.sample(blocks)


def _descend(part: tuple[int, list[tuple[LinkPair, Array]]]) -> dict[LinkPair, Array]:
    return _search.descend(*part)
