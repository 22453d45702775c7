# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Closing loops: which coordinates are passive, and their values.

Damped Gauss-Newton, the damping falling with the square of what is left open, so that convergence
is quadratic even where equations are redundant (a planar mechanism in space).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hrdf_ros.tree.coordinates import as_columns, Followers
from hrdf_ros.tree.loops import Gap, Loops
from hrdf_ros.tree.rigid import Array
import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]

# Gaps are relative: translations to the size of the loops, rotations to a radian.
CLOSED = 1e-9
EXACT = 1e-14
# A guess with a greater gap is not near enough to tell which of several solutions is meant.
NEAR = 0.2
# How far a coordinate may move the loops between two solutions on the way to a far one.
STRIDE = 0.1
MOST_STRIDES = 200
MOST_ITERATIONS = 50
# The least singular value, relative to the greatest, that counts as one.
RANK = 1e-6


class LoopState(NamedTuple):
    """
    What became of loops that share coordinates, in K configurations.

    ``gap`` (K,) is what is left open, relative to the loops' size and to a radian; ``closed``
    and ``singular`` (K,) tell whether that is nothing, and whether the passive coordinates are
    not determined by the others here (a dead centre). ``joints`` are the loop joints.
    """

    joints: tuple[int, ...]
    gap: Array
    closed: NDArray[np.bool_]
    singular: NDArray[np.bool_]


class Closing:
    """
    The passive coordinates of loops, given which coordinates are held.

    ``start`` (n,) is where the loops are closed first. Far configurations are reached from there
    in strides, so that of several solutions the one that the mechanism can move to is found.
    Among coordinates that could be passive, those of the loop joints come first, then those
    farther from the root; what is not needed to close the loops is held too.

    All arrays of coordinates are (n + 1, K), the last row zero, and are changed in place.
    """

    def __init__(
        self, loops: Loops, followers: Followers, held: Iterable[int], start: Array,
    ) -> None:
        self.loops = loops
        self._followers = followers
        leaders = followers.leader[list(loops.coordinates)]
        self._moving = np.array(sorted(set(leaders.tolist())), dtype=np.intp)
        self._fold = np.where(
            leaders[:, None] == self._moving,
            followers.multiplier[list(loops.coordinates)][:, None], 0.0)
        candidates = np.flatnonzero(~np.isin(self._moving, list(held)))
        origin = np.append(start, 0.0)[:, None]
        self._newton(origin, candidates)
        needed = self._needed(origin, candidates)
        vectors = np.isin(self._moving, loops.vectors)
        self._rank = len(needed)
        self._free = np.array(
            [index for index in candidates if index in needed or vectors[index]], dtype=np.intp)
        self._kept = np.setdiff1d(np.arange(len(self._moving)), self._free)
        self._origin = origin
        self._origin = self._start(np.append(start, 0.0)[:, None])

    @property
    def passive(self) -> Indices:
        """The coordinates that are computed, followers of them not included."""
        return self._moving[self._free]

    def start(self, q: Array) -> None:
        """Put the coordinates of the loops where the loops are closed first."""
        q[self._moving] = self._origin[self._moving]

    def close(self, q: Array) -> None:
        """Compute the passive coordinates; what is in their place is a guess."""
        near = np.sqrt(self.loops.gap(q).square()) < NEAR
        for rows, solve in ((near, self._newton_free), (~near, self._reach)):
            if rows.all():
                solve(q)
            elif rows.any():
                part = q[:, rows]
                solve(part)
                q[:, rows] = part

    def state(self, q: Array) -> LoopState:
        """Return whether the loops are closed, and whether they determine what is passive."""
        gap = self.loops.gap(q)
        left = np.sqrt(gap.square())
        equations = np.nan_to_num(self._jacobian(gap, q)[:, :, self._free])
        singular = np.zeros(len(left), dtype=bool)
        if self._rank:
            values = np.linalg.svd(equations, compute_uv=False)
            singular = values[:, self._rank - 1] < RANK * values[:, 0]
        return LoopState(self.loops.joints, left, left < CLOSED, singular)

    def sensitivity(self, q: Array) -> tuple[Indices, Indices, Array]:
        """Return passive coordinates, held ones, and the former's derivative (K, p, h)."""
        equations = np.nan_to_num(self._jacobian(self.loops.gap(q), q))
        slope = -np.linalg.pinv(equations[:, :, self._free], RANK) @ equations[:, :, self._kept]
        return self._moving[self._free], self._moving[self._kept], slope

    def _start(self, wanted: Array) -> Array:
        """Return a closed configuration as near as may be to the one that is wanted."""
        for solve in (self._newton_free, self._reach):
            q = wanted.copy()
            solve(q)
            if self._is_closed(q).all():
                return q
        return self._origin

    def _is_closed(self, q: Array) -> NDArray[np.bool_]:
        closed: NDArray[np.bool_] = np.sqrt(self.loops.gap(q).square()) < CLOSED
        return closed

    def _jacobian(self, gap: Gap, q: Array) -> Array:
        """Return the derivative (K, 6 L, c) of the gap by the moving coordinates."""
        derivative: Array = self.loops.jacobian(gap, q) @ self._fold
        return derivative

    def _needed(self, q: Array, candidates: Indices) -> set[int]:
        """Return candidates that the loops need, at a point that is unlikely to be singular."""
        size = np.linalg.norm(self._jacobian(self.loops.gap(q), q)[0], axis=0)[candidates]
        other = q.copy()
        other[self._moving[candidates], 0] += (
            STRIDE / 2.0 * np.sin(1.0 + np.arange(len(candidates))) / np.maximum(size, 1.0))
        self._newton(other, candidates)
        if not self._is_closed(other).all():
            other = q
        equations = self._jacobian(self.loops.gap(other), other)[0]
        depth = [self.loops.depths.get(index, 0) for index in self._moving.tolist()]
        return _independent(equations, sorted(
            candidates.tolist(), key=lambda index: (depth[index], index), reverse=True))

    def _newton_free(self, q: Array) -> None:
        self._newton(q, self._free)

    def _newton(self, q: Array, free: Indices) -> None:
        """Close the loops by some of the moving coordinates."""
        rows = self._moving[free]
        diagonal = np.arange(len(free))
        for _ in range(MOST_ITERATIONS):
            gap = self.loops.gap(q)
            square = gap.square()
            if not len(free) or not (square > EXACT * EXACT).any():
                return
            equations = self._jacobian(gap, q)[:, :, free]
            transposed = equations.swapaxes(-1, -2)
            normal = transposed @ equations
            damping = square + RANK * RANK * np.trace(normal, axis1=1, axis2=2)
            normal[:, diagonal, diagonal] += damping[:, None]
            left = gap.left.transpose(1, 0, 2).reshape(len(normal), -1, 1)
            step = np.linalg.solve(normal, transposed @ left)[..., 0].T
            q[rows] -= step
            self._followers.apply(q[:-1].T)
            if not (np.abs(step) > EXACT).any():
                return

    def _reach(self, q: Array) -> None:
        """Close the loops on the way from the origin, in strides."""
        kept = self._moving[self._kept]
        wanted = q[kept]
        q[self._moving] = self._origin[self._moving]
        change = wanted - self._origin[kept]
        strides = self._strides(change)
        for stride in range(1, strides + 1):
            q[kept] = self._origin[kept] + change * (stride / strides)
            self._followers.apply(q[:-1].T)
            self._newton(q, self._free)
            if not self._is_closed(q).any():
                break
        q[kept] = wanted
        self._followers.apply(q[:-1].T)
        self._newton(q, self._free)

    def _strides(self, change: Array) -> int:
        """Return how many strides a change (h, K) of the held coordinates takes."""
        slope = self.sensitivity(self._origin)[2][0]
        equations = self._jacobian(self.loops.gap(self._origin), self._origin)[0]
        size = np.linalg.norm(equations, axis=0)
        moved = np.concatenate((
            np.abs(change) * size[self._kept, None],
            np.abs(slope @ change) * size[self._free, None]))
        return 1 + int(min(np.nan_to_num(moved).max(initial=0.0) / STRIDE, MOST_STRIDES))


def _independent(equations: Array, order: Iterable[int]) -> set[int]:
    """Return the first columns, in an order, that span all (Gram and Schmidt, twice over)."""
    basis = np.zeros((len(equations), 0))
    found = set()
    for index in order:
        column = equations[:, index]
        rest = column - basis @ (basis.T @ column)
        rest -= basis @ (basis.T @ rest)
        length = float(np.linalg.norm(rest))
        if length > RANK * float(np.linalg.norm(column)):
            basis = np.column_stack((basis, rest / length))
            found.add(index)
    return found


class Completion:
    """
    Computes the coordinates that follow from those that are given.

    ``indices`` lists them: followers and passive coordinates, whether or not what they depend on
    is among the given.
    """

    def __init__(
        self, followers: Followers, loops: Iterable[Loops], held: Iterable[int], start: Array,
    ) -> None:
        self.followers = followers
        self.start: Array = followers.apply(start.copy())
        self.closings = [Closing(each, followers, held, self.start) for each in loops]
        columns = np.append(self.start, 0.0)[:, None]
        for closing in self.closings:
            closing.start(columns)
        self.start = followers.apply(columns[:-1, 0])
        passive = {int(index) for closing in self.closings for index in closing.passive}
        self.indices = tuple(sorted(passive | set(followers.indices)))

    def __call__(self, q: Array) -> Array:
        """
        Write what follows into ``q``, (n,) or (K, n), and return it.

        What is in the place of a passive coordinate is a guess: the last solution, if any.
        """
        self.followers.apply(q)
        if self.closings:
            columns = as_columns(q)
            for closing in self.closings:
                closing.close(columns)
            q[...] = self.followers.apply(columns[:-1].T).reshape(q.shape)
        return q

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
