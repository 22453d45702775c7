# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The coordinates that depend on others: followers, and the passive ones of closed loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Optional

from hrdf_ros.kinematics.coordinates import as_columns, MimicSolver
from hrdf_ros.kinematics.joint_factors import Loop, Node
from hrdf_ros.kinematics.loop_closure import Closing, LoopState
from hrdf_ros.kinematics.loops import independent_groups
from hrdf_ros.kinematics.transforms import Array, Indices
import numpy as np


class DependentSolver:
    """
    Computes the coordinates that follow from those that are given.

    ``indices`` lists them: followers and passive coordinates, whether or not what they depend on
    is among the given.
    """

    def __init__(
        self, followers: MimicSolver, nodes: Sequence[Node], loops: Sequence[Loop],
        held: Iterable[int], start: Array,
    ) -> None:
        self.followers = followers
        self.start: Array = followers.apply(start.copy())
        self.closings = [
            Closing(group, followers, held, self.start)
            for group in independent_groups(nodes, loops, followers.leader)]
        columns = np.append(self.start, 0.0)[:, None]
        for closing in self.closings:
            closing.start(columns)
        self.start = followers.apply(columns[:-1, 0])
        passive = (closing.passive.tolist() for closing in self.closings)
        self.indices = tuple(sorted(set(followers.indices).union(*passive)))

    def __call__(
        self, q: Array, last: Optional[Array] = None, *, guessed: bool = True,
    ) -> Array:
        """
        Write what follows into ``q``, (n,) or (K, n), and return it.

        What is in the place of a passive coordinate is a guess, unless ``last`` (n,) is given:
        a complete configuration that the mechanism was in shortly before. If it is not
        ``guessed``, it is the start.
        """
        self.followers.apply(q)
        if self.closings:
            columns = as_columns(q)
            for closing in self.closings:
                if last is not None:
                    closing.predict(columns, as_columns(last))
                closing.close(columns, guessed=guessed)
            q[...] = self.followers.apply(columns[:-1].T).reshape(q.shape)
        return q

    def moved_by(self, given: Iterable[int]) -> set[int]:
        """Return the given coordinates and all that are computed from some of them."""
        moved = set(given)
        for closing in self.closings:
            if moved.intersection(closing.moving.tolist()):
                moved.update(closing.passive.tolist())
        pairs = zip(self.followers.indices, self.followers.leaders)
        return moved.union(follower for follower, leader in pairs if leader in moved)

    def states(self, q: Array) -> list[LoopState]:
        """Return what became of the loops in completed configurations, (n,) or (K, n)."""
        columns = as_columns(q)
        return [closing.state(columns) for closing in self.closings]

    def gather(self, twists: Array, coordinates: Indices, q: Array, out: Array) -> None:
        """
        Add twists (c, K, 6) to the columns of ``out`` (K, 6, n) that move them in the end.

        ``coordinates`` (c,) are the twists' own, q is (n + 1, K).
        """
        if self.followers.indices:
            twists = twists * self.followers.multiplier[coordinates, None, None]
        np.add.at(out.transpose(2, 0, 1), self.followers.leader[coordinates], twists)
        for closing in self.closings:
            passive, kept, slope = closing.sensitivity(q)
            out[..., kept] += out[..., passive] @ slope
            out[..., passive] = 0.0
