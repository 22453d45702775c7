# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The dependent coordinates: mimic coordinates, and the passive ones of closed loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
import math
from typing import NamedTuple, Optional

from hrdf_ros.kinematics.forward import as_columns
from hrdf_ros.kinematics.loop_equations import Equations, independent_groups, MimicSolver, RANK
from hrdf_ros.kinematics.transforms import Array, Indices
from hrdf_ros.kinematics.tree_layout import Loop, Node
import numpy as np
from numpy.typing import NDArray

CLOSED = 1e-3
"""
The residual below which a loop counts as closed.

Files have rounded numbers: axes that should be parallel are so to three digits only.
"""
SOLVED = 1e-9
"""The residual below which a loop is solved as well as floating point allows."""
NEAR = 0.2
"""The residual above which a guess may lead to any of several solutions."""
STRIDE = 0.1
"""The change of the residual from one solution to the next on the way to a far solution."""
STRIDES = 200
"""The maximum number of strides on the way to a far solution."""
FEW_ITERATIONS = 10
"""The maximum number of iterations from a near guess; enough, as convergence is quadratic."""
FEW_STRIDES = 3
"""The maximum number of strides in one call of ``follow``."""


class LoopState(NamedTuple):
    """
    The state of loops that share coordinates, in K configurations.

    ``residual`` (K,) is the norm of the loops' errors, relative to the loops' size (m) and to a
    radian. ``closed`` (K,) says whether the residual is less than a thousandth. ``singular`` (K,)
    says whether the configuration is singular, so that the driven coordinates do not determine the
    passive ones. ``joints`` are the indices of the loop joints, ``driven`` those of the loops'
    coordinates that are not passive.
    """

    joints: tuple[int, ...]
    driven: tuple[int, ...]
    residual: Array
    closed: NDArray[np.bool_]
    singular: NDArray[np.bool_]


class LoopSolver:
    """
    Computes the passive coordinates of loops, given which coordinates are held.

    ``moving`` are the coordinates that move the loops: the ``passive`` ones are computed, the
    ``driven`` ones are not. Mimic coordinates are in none of the three. ``initial`` (n + 1, 1) is
    where the loops are closed first. Far configurations are reached from there in strides, so that
    of several solutions the solver finds the one that the mechanism can move to.

    Of the coordinates that could be passive, those of the loop joints are taken first, then those
    farther from the root; coordinates that are not needed to close the loops are held too.
    Coordinates that are held but ``yielding`` become passive if all others do not suffice. Loops
    with more than ``UNKNOWNS`` coordinates are not solved: all of them are held.

    Arrays of coordinates are (n + 1, K), with a last row of zeros.
    """

    def __init__(
        self, nodes: Sequence[Node], loops: Sequence[Loop], mimic_solver: MimicSolver,
        held: Iterable[int], initial: Array, *, yielding: bool = False,
    ) -> None:
        wanted = np.append(initial, 0.0)[:, None]
        self._equations = Equations(nodes, loops, mimic_solver, wanted)
        self.moving = self._equations.moving
        is_held = np.isin(self.moving, list(held))
        candidates = ~is_held & (not self._equations.are_too_many)
        order = self._in_order(candidates)
        if yielding and not self._equations.are_too_many:
            order += self._in_order(is_held)
        closed, generic = self._assemble(wanted) if order else (wanted, wanted)
        needed = _independent(self._equations.slopes(generic)[0], order) if order else []
        vectors = np.flatnonzero(candidates & self._equations.are_vectors)
        self._rank = len(needed)
        self._free = np.union1d(needed, vectors).astype(np.intp)
        self._kept = np.setdiff1d(np.arange(len(self.moving)), self._free)
        self.passive, self.driven = self.moving[self._free], self.moving[self._kept]
        self._origin = closed
        (left,) = self.close(wanted)
        self.initial = wanted if left < CLOSED else closed
        self._origin = generic if self._is_singular(self.initial)[0] else self.initial

    def follow(self, q: Array, reached: Array) -> bool:
        """
        Move closed loops toward the held coordinates of ``q`` by a few strides.

        ``reached`` (n + 1, 1) is a configuration in which the loops are closed; it is moved in
        place. The result is true if ``reached`` arrives at ``q``, or if the loops cannot be closed
        any farther: ``q`` (n + 1, 1) then has the passive coordinates. The result is false if
        another call has to continue.
        """
        if not len(self._free):
            return True
        wanted = q[self.driven]
        began_there = np.array_equal(reached[self.driven], wanted)
        for _ in range(FEW_STRIDES):
            stride = self._stride(reached, wanted)
            if stride is None:
                self._equations.move(q, self._free, reached[self.passive])
                self._equations.solve(q, self._free, most=FEW_ITERATIONS)
                return True
            reached[...], is_there = stride
            if is_there:
                break
        else:
            if not began_there:
                return False
        self._equations.move(q, self._free, reached[self.passive])
        return True

    def _stride(self, start: Array, wanted: Array) -> Optional[tuple[Array, bool]]:
        """
        Return the longest stride that closes: the whole way or a short one; None if none does.

        The result is where the stride ends, and whether that is the wanted place with the loops
        closed as well as possible.
        """
        held = start[self.driven]
        change, motion, moved = self._way(start, wanted, math.pi)
        short = max(STRIDE / moved, 1.0 / STRIDES) if moved > STRIDE else 1.0
        for part in (1.0,) if short == 1.0 else (1.0, short):
            arrives = part == 1.0
            end = start.copy()
            self._equations.move(
                end, self._kept, wanted if arrives else held + part * change)
            # Extrapolation passes straight through points where solutions cross.
            self._equations.move(end, self._free, start[self.passive] + part * motion)
            (before,), (after,), settled = self._equations.solve(
                end, self._free, NEAR, FEW_ITERATIONS)
            if before < NEAR and after < CLOSED:
                return end, arrives and bool(settled or after <= SOLVED)
        return None

    def close(self, q: Array, *, guessed: bool = True) -> Array:
        """
        Compute the passive coordinates in place; return the norm of the residual (K,).

        The values of the passive coordinates in ``q`` are the first guess. Without ``guessed``
        they are the initial values. Then a driven coordinate that is far from its initial value is
        approached in strides, because a search in one step may close the loop with a screw that
        is off by a turn.
        """
        if not len(self._free):
            return self._equations.residual_norm(q)
        far = np.zeros(q.shape[1], dtype=bool) if guessed else self._is_far(q)
        before, after, _ = self._equations.solve(q, self._free, NEAR)
        again = ~((before < NEAR) & (after < CLOSED)) | far
        stuck = ~again & (after > SOLVED)
        if stuck.any():
            again[stuck] = self._is_singular(q[:, stuck])
        if again.any():
            part = q[:, again]
            after[again] = self._reach(part)
            q[:, again] = part
        return after

    def state(self, q: Array) -> LoopState:
        """Return whether the loops are closed, and whether the configurations are singular."""
        left = self._equations.residual_norm(q)
        return LoopState(
            joints=self._equations.joints, driven=tuple(self.driven.tolist()),
            residual=left, closed=left < CLOSED, singular=self._is_singular(q))

    def sensitivity(self, q: Array) -> Array:
        """Return the derivative (K, p, d) of passive coordinates with respect to driven ones."""
        if not len(self._free):
            return np.zeros((q.shape[1], 0, len(self.driven)))
        slopes = np.nan_to_num(self._equations.slopes(q))
        change = -np.linalg.pinv(slopes[:, :, self._free], RANK) @ slopes[:, :, self._kept]
        units = self._equations.units
        return np.asarray(change * (units[self._free, None] / units[self._kept]))

    def _is_far(self, q: Array) -> NDArray[np.bool_]:
        """Return whether a held coordinate is over a unit away from its initial value (K,)."""
        change = np.abs(q[self.driven] - self._origin[self.driven])
        change /= self._equations.units[self._kept, None]
        far: NDArray[np.bool_] = change.max(0, initial=0.0) > 1.0
        return far

    def _is_singular(self, q: Array) -> NDArray[np.bool_]:
        if not self._rank:
            return np.zeros(q.shape[1], dtype=bool)
        slopes = np.nan_to_num(self._equations.slopes(q)[:, :, self._free])
        values = np.linalg.svd(slopes, compute_uv=False)
        singular: NDArray[np.bool_] = values[:, self._rank - 1] < RANK * values[:, 0]
        return singular

    def _assemble(self, wanted: Array) -> tuple[Array, Array]:
        """
        Return two configurations in which the loops close: near the wanted one, and beside it.

        The second configuration is generic: in the first, symmetry may hide how the loops move.
        """
        everything = np.arange(len(self.moving))
        closed = wanted.copy()
        _, (left,), _ = self._equations.solve(closed, everything)
        aside = STRIDE / 2.0 * np.sin(1.0 + everything) * self._equations.units
        generic = closed.copy()
        self._equations.move(generic, everything, closed[self.moving] + aside[:, None])
        _, (beside,), _ = self._equations.solve(generic, everything)
        return (closed if left < CLOSED else generic), (generic if beside < CLOSED else closed)

    def _in_order(self, candidates: NDArray[np.bool_]) -> list[int]:
        """Return the coordinates that may be passive, the best first."""
        return sorted(
            np.flatnonzero(candidates).tolist(), reverse=True,
            key=lambda index: (self._equations.depths[index], index))

    def _reach(self, q: Array) -> Array:
        """Close the loops in strides from the origin; return the norm of the residual (K,)."""
        wanted, origin = q[self.driven], self._origin[self.driven]
        q[self.moving] = self._origin[self.moving]
        change, _, moved = self._way(self._origin, wanted, STRIDE * STRIDES)
        strides = 1 + int(min(moved / STRIDE, STRIDES))
        last = before = q[self.passive]
        for stride in range(1, strides + 1):
            self._equations.move(q, self._kept, origin + change * (stride / strides))
            # Extrapolation passes straight through points where solutions cross.
            self._equations.move(q, self._free, 2.0 * last - before)
            if not np.any(self._equations.solve(q, self._free)[1] < CLOSED):
                break
            last, before = q[self.passive], last
        self._equations.move(q, self._kept, wanted)
        return self._equations.solve(q, self._free)[1]

    def _way(self, start: Array, wanted: Array, limit: float) -> tuple[Array, Array, float]:
        """
        Return the way (h, K) to other values of the held coordinates.

        Where whole turns change nothing, they are removed from ways that exceed the limit. The
        other results are the way (p, K) on which the passive coordinates begin to move, and the
        largest component of the two ways in units.
        """
        held = start[self.driven]
        change = wanted - held
        whole = self._equations.continuous[self._kept, None] & (np.abs(change) > limit)
        if whole.any():
            # Each angle is reduced by itself: beside a huge angle the other one would be lost.
            short = _within_turn(_within_turn(wanted) - _within_turn(held))
            change = np.where(whole, short, change)
        motion = self.sensitivity(start)[0] @ change
        units = self._equations.units[:, None]
        moved = np.abs(np.concatenate((change / units[self._kept], motion / units[self._free])))
        return change, motion, float(np.fmax.reduce(moved, axis=None, initial=0.0))


def _within_turn(angles: Array) -> Array:
    """Return angles from -pi to pi; unlike a remainder this is exact even for huge angles."""
    return np.asarray(np.arctan2(np.sin(angles), np.cos(angles)))


def _independent(equations: Array, order: Iterable[int]) -> list[int]:
    """
    Return the first columns, in an order, that span all columns.

    The method is that of Gram and Schmidt, applied twice against rounding.
    """
    basis: Array = np.zeros((len(equations), 0))
    found = []
    for index in order:
        column = equations[:, index]
        rest = column - basis @ (basis.T @ column)
        rest -= basis @ (basis.T @ rest)
        length = float(np.linalg.norm(rest))
        if length > RANK * float(np.linalg.norm(column)):
            basis = np.column_stack((basis, rest / length))
            found.append(index)
    return found


class DependentSolver:
    """
    Computes the coordinates that depend on the given ones.

    ``indices`` lists the mimic and passive coordinates, whether or not their leaders are among the
    given ones. ``initial`` (n,) is the initial configuration with its dependent coordinates.
    """

    def __init__(
        self, mimic_solver: MimicSolver, nodes: Sequence[Node], loops: Sequence[Loop],
        held: Iterable[int], initial: Array, *, yielding: bool = False,
    ) -> None:
        self.mimic_solver = mimic_solver
        self.initial: Array = mimic_solver.apply(initial.copy())
        self.loop_solvers = [
            LoopSolver(nodes, group, mimic_solver, held, self.initial, yielding=yielding)
            for group in independent_groups(nodes, loops, mimic_solver.leader)]
        columns = np.append(self.initial, 0.0)[:, None]
        for solver in self.loop_solvers:
            columns[solver.moving] = solver.initial[solver.moving]
        self.initial = mimic_solver.apply(columns[:-1, 0])
        passive = (solver.passive.tolist() for solver in self.loop_solvers)
        self.indices = tuple(sorted(set(mimic_solver.indices).union(*passive)))

    def __call__(self, q: Array, *, guessed: bool = True) -> Array:
        """
        Write the dependent coordinates into ``q``, (n,) or (K, n), and return it.

        The value of a passive coordinate in ``q`` is the initial guess; without ``guessed`` the
        solver begins at the initial configuration.
        """
        self.mimic_solver.apply(q)
        if self.loop_solvers:
            columns = as_columns(q)
            for solver in self.loop_solvers:
                solver.close(columns, guessed=guessed)
            q[...] = self.mimic_solver.apply(columns[:-1].T).reshape(q.shape)
        return q

    def follow(self, q: Array, reached: Array, loops: Sequence[LoopSolver]) -> bool:
        """
        Write the dependent coordinates into ``q`` (n,), after a few strides of the given loops.

        ``reached`` (n,), a configuration in which the loops are closed, is moved toward ``q``. The
        result is false if another call has to continue. All other loops stay as they are in ``q``.
        """
        self.mimic_solver.apply(q)
        if not loops:
            return True
        columns, before = as_columns(q), as_columns(reached)
        arrived = [solver.follow(columns, before) for solver in loops]
        reached[...] = before[:-1, 0]
        q[...] = self.mimic_solver.apply(columns[:-1, 0])
        return all(arrived)

    def loops_moved_by(self, given: Iterable[int]) -> tuple[LoopSolver, ...]:
        """Return the solvers of the loops that contain some of the given coordinates."""
        return tuple(
            solver for solver in self.loop_solvers if np.isin(solver.moving, list(given)).any())

    def moved_by(self, given: Iterable[int]) -> set[int]:
        """Return the given coordinates and all coordinates that are computed from them."""
        moved = set(given)
        for solver in self.loop_solvers:
            if moved.intersection(solver.moving.tolist()):
                moved.update(solver.passive.tolist())
        pairs = zip(self.mimic_solver.indices, self.mimic_solver.leaders)
        return moved.union(mimic for mimic, leader in pairs if leader in moved)

    def states(self, q: Array) -> list[LoopState]:
        """Return the state of the loops in resolved configurations, (n,) or (K, n)."""
        columns = as_columns(q)
        return [solver.state(columns) for solver in self.loop_solvers]

    def gather(self, twists: Array, coordinates: Indices, q: Array, out: Array) -> None:
        """
        Add twists (c, K, 6) to the columns of ``out`` (K, 6, n) for the independent coordinates.

        ``coordinates`` (c,) has the coordinate of each twist; ``q`` is (n + 1, K).
        """
        if self.mimic_solver.indices:
            twists = twists * self.mimic_solver.multiplier[coordinates, None, None]
        np.add.at(out.transpose(2, 0, 1), self.mimic_solver.leader[coordinates], twists)
        for solver in self.loop_solvers:
            out[..., solver.driven] += out[..., solver.passive] @ solver.sensitivity(q)
            out[..., solver.passive] = 0.0
