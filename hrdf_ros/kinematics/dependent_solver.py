# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The dependent coordinates: mimic coordinates, and the passive ones of closed loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hrdf_ros.kinematics.coordinates import as_columns, MimicSolver
from hrdf_ros.kinematics.joint_factors import Loop, TreeNode
from hrdf_ros.kinematics.loop_closure import LoopSolver, LoopState
from hrdf_ros.kinematics.loops import independent_groups
from hrdf_ros.kinematics.transforms import Array, Indices
import numpy as np


class DependentSolver:
    """
    Computes the coordinates that depend on the given ones.

    ``indices`` lists them: mimic and passive coordinates, whether or not their leaders are among
    the given ones. ``initial`` (n,) is the initial configuration, dependent coordinates computed.
    """

    def __init__(
        self, mimic_solver: MimicSolver, nodes: Sequence[TreeNode], loops: Sequence[Loop],
        held: Iterable[int], initial: Array, *, yielding: bool = False,
    ) -> None:
        self.mimic_solver = mimic_solver
        self.initial: Array = mimic_solver.apply(initial.copy())
        self.loop_solvers = [
            LoopSolver(group, mimic_solver, held, self.initial, yielding=yielding)
            for group in independent_groups(nodes, loops, mimic_solver.leader)]
        columns = np.append(self.initial, 0.0)[:, None]
        for solver in self.loop_solvers:
            solver.write_initial(columns)
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
        Write the dependent coordinates into ``q`` (n,), after a few steps of these loops.

        ``reached`` (n,), in which the loops are closed, is moved toward ``q``. False if it must
        be called again. Other loops stay as they are in ``q``.
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
        """Return the given coordinates and all that are computed from some of them."""
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
        Add twists (c, K, 6) to the columns of ``out`` (K, 6, n) of the independent coordinates.

        ``coordinates`` (c,) are the twists' own, q is (n + 1, K).
        """
        if self.mimic_solver.indices:
            twists = twists * self.mimic_solver.multiplier[coordinates, None, None]
        np.add.at(out.transpose(2, 0, 1), self.mimic_solver.leader[coordinates], twists)
        for solver in self.loop_solvers:
            passive, kept, slope = solver.sensitivity(q)
            out[..., kept] += out[..., passive] @ slope
            out[..., passive] = 0.0
