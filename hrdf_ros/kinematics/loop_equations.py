# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The equations of closed loops, and of the coordinates that mimic others.

A loop joint hangs below its parent like any other joint. Its loop is closed where the frame at its
other end coincides with the frame on its child. The residual between the two, a translation and a
rotation vector, gives six equations in the coordinates on both paths from the last common body.
The equations are solved by Gauss-Newton steps whose damping falls with the square of the residual,
so that convergence is quadratic even where equations are redundant, as for a planar mechanism in
space.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
import math

from hrdf_ros.kinematics.forward import Tree
from hrdf_ros.kinematics.transforms import Array, Indices, matrices
from hrdf_ros.kinematics.tree_layout import Loop, Node, path, ROOT
from hrdf_ros.model import Coordinate, NONE
from hrdf_ros.topology import mimic_rules
import numpy as np

TINY = 1e-300
"""A length that prevents a division by zero and vanishes in the rounding of any other sum."""
BLOCK = 1 << 16
"""The number of distances that are computed together, to bound the memory that they take."""
AFTER, BEFORE = (2, 0, 1), (1, 2, 0)
"""
The rows and columns of the elements of a rotation matrix whose differences are twice the sine of
the angle, along the axis.
"""
EXACT = 1e-14
"""The residual that is exact within rounding: no further step is taken."""
LAST_STEP = 1e-8
"""The step below which the next step would be below the resolution of a float."""
ITERATIONS = 50
"""The maximum number of steps of the solver, unless a caller gives a smaller one."""
UNKNOWNS = 300
"""
The maximum number of coordinates of connected loops: the time of a step grows with its cube.
"""
RANK = 1e-6
"""The smallest singular value, relative to the largest, that does not count as zero."""


class MimicSolver:
    """
    The mimic coordinates, which are computed from their leaders through chains of mimics.

    Those in ``given`` keep their own value. So does one coordinate of a cycle of mimics, which has
    no leader outside of itself. ``leader``, ``multiplier`` and ``offset`` (n,) are given for each
    coordinate; for one that is no mimic they are its own index, 1 and 0. ``indices`` lists the
    mimic coordinates, and ``leaders`` the coordinate that each of them depends on.
    """

    def __init__(
        self, coordinates: Sequence[Coordinate], given: Iterable[int] = (),
    ) -> None:
        rules = mimic_rules(coordinates, set(given))
        self.leader = np.array([rule[0] for rule in rules], dtype=np.intp)
        self.multiplier = np.array([rule[1] for rule in rules])
        self.offset = np.array([rule[2] for rule in rules])
        self._to = np.flatnonzero(self.leader != np.arange(len(rules)))
        self._from = self.leader[self._to]
        self._multipliers = self.multiplier[self._to]
        self._offsets = self.offset[self._to]
        self.indices = tuple(self._to.tolist())
        self.leaders = tuple(self._from.tolist())

    def apply(self, q: Array) -> Array:
        """Write the mimic coordinates into ``q``, (n,) or (..., n), and return it."""
        if self.indices:
            q[..., self._to] = q[..., self._from] * self._multipliers + self._offsets
        return q


class Equations:
    """
    Loops that share coordinates, as equations in the coordinates ``moving`` (m,) that move them.

    Mimic coordinates are substituted. ``units`` (m,) are the steps of coordinates that change the
    residual by about 1 at the configuration ``initial``: they make meters, radians and gear ratios
    comparable. Arrays of coordinates are (n + 1, K), with a last row of zeros.

    Residuals are relative: translations to the greatest distance of the loops' nodes from the
    place where the loops close, with all coordinates at zero, and rotations to a radian.

    ``are_too_many`` says that there are more coordinates than can be solved for. ``continuous``
    (m,) says of which moving coordinates a whole turn changes nothing (of none if a screw counts
    turns), and ``are_vectors`` (m,) which are parts of rotation vectors. ``depths`` has the number
    of nodes above each moving coordinate; those of loop joints count as deepest.
    """

    def __init__(
        self, nodes: Sequence[Node], loops: Sequence[Loop], mimic_solver: MimicSolver,
        initial: Array,
    ) -> None:
        self.joints = tuple(loop.joint for loop in loops)
        self._mimic_solver = mimic_solver
        places = [loop.moved for loop in loops] + [loop.fixed for loop in loops]
        used = sorted({ROOT}.union(*(path(nodes, ROOT, location.node)[0] for location in places)))
        number = {node: index for index, node in enumerate(used)}
        own = [nodes[node]._replace(parent=number.get(nodes[node].parent, NONE)) for node in used]
        self._tree = Tree(own)
        self._ends = np.array([number[location.node] for location in places])
        self._node_from_ends = matrices([location.pose for location in places])[:, None]
        self._picked, self._end = self._columns_of_ends(own)
        self._sign = np.where(self._end < len(loops), -1.0, 1.0)[:, None, None]
        coordinates = self._tree.coordinates[self._picked]
        indices = sorted(set(coordinates.tolist()))
        self._target = np.searchsorted(indices, coordinates), self._end % len(loops)
        leaders, multipliers = mimic_solver.leader[indices], mimic_solver.multiplier[indices]
        self.moving: Indices = np.array(sorted(set(leaders.tolist())), dtype=np.intp)
        angles = _angles(node for node in own if {*node.coordinates} <= {*indices})
        turns = np.isin(indices, list(angles)) & (np.abs(multipliers) == 1.0)
        self.continuous = ~np.isin(self.moving, leaders[~turns])
        self.are_vectors = np.isin(self.moving, [
            index for node in own for index in node.coordinates if len(node.coordinates) == 3])
        loop_joints = set().union(*(loop.nodes for loop in loops))
        depths = {
            index: len(used) if node in loop_joints else len(path(nodes, ROOT, node)[0])
            for node in used for index in nodes[node].coordinates}
        self.depths = [depths.get(index, 0) for index in self.moving.tolist()]
        self._size = 1.0
        self._size = self._find_size(np.zeros_like(initial))
        self.are_too_many = len(self.moving) > UNKNOWNS
        self.units: Array = np.ones(len(self.moving))
        self._weights = np.zeros((len(indices), 0 if self.are_too_many else len(self.moving)))
        if not self.are_too_many:
            columns = np.searchsorted(self.moving, leaders)
            self._weights[np.arange(len(indices)), columns] = multipliers
            size = np.linalg.norm(self.slopes(initial)[0], axis=0)
            self.units = 1.0 / np.where(size > 0.0, size, 1.0)
            self._weights *= self.units

    def _columns_of_ends(self, nodes: Sequence[Node]) -> tuple[Indices, Indices]:
        """Return the Jacobian's columns that move ends of loops, and which end each moves."""
        count = len(self.joints)
        picked, ends = [], []
        for loop in range(count):
            both = path(nodes, self._ends[loop], self._ends[loop + count])
            for end, way in zip((loop + count, loop), both):
                picked.append(self._tree.columns(way))
                ends.append(np.full(len(picked[-1]), end))
        return np.concatenate(picked), np.concatenate(ends)

    def _find_size(self, zero: Array) -> float:
        _, nodes, ends = self._residual(zero)
        nodes, ends = (np.unique(each[:, 0, :3, 3], axis=0) for each in (nodes, ends))
        block = max(1, BLOCK // len(nodes))
        farthest = max(
            float(np.sum((nodes[:, None] - ends[None, at:at + block]) ** 2, -1).max())
            for at in range(0, len(ends), block))
        return math.sqrt(farthest) or 1.0

    def move(self, q: Array, moving: Indices, values: Array) -> None:
        """Set some of the moving coordinates, and the mimic coordinates that follow them."""
        q[self.moving[moving]] = values
        self._mimic_solver.apply(q[:-1].T)

    def _residual(self, q: Array) -> tuple[Array, Array, Array]:
        """
        Return the residual of L loops for coordinates (n + 1, K), and the poses of nodes and ends.

        The residual (L, K, 6) leads from the moved to the fixed end: a translation in units of the
        loops' size, and a rotation vector, both in the axes of the root.
        """
        nodes = self._tree(q)
        ends = nodes.take(self._ends, 0) @ self._node_from_ends
        moved, fixed = ends[:len(self.joints)], ends[len(self.joints):]
        error = np.empty((*moved.shape[:2], 6))
        error[..., :3] = (fixed[..., :3, 3] - moved[..., :3, 3]) / self._size
        error[..., 3:] = rotation_vectors(
            fixed[..., :3, :3] @ moved[..., :3, :3].swapaxes(-1, -2))
        return error, nodes, ends

    def residual_norm(self, q: Array) -> Array:
        """Return the norm of the residual (K,)."""
        return np.sqrt(_squares(self._residual(q)[0]))

    def slopes(self, q: Array) -> Array:
        """
        Return the derivative (K, 6 L, m) of the residual with respect to the moving coordinates.

        The coordinates are in ``units``. The derivative is exact only where the loops are closed.
        """
        return self._slopes(q, *self._residual(q)[1:], np.arange(len(self.moving)))

    def _slopes(self, q: Array, nodes: Array, ends: Array, moving: Indices) -> Array:
        points = ends[self._end, :, :3, 3]
        twists = self._tree.twists(self._picked, points, nodes, q) * self._sign
        twists[..., :3] /= self._size
        result = np.zeros((len(self._weights), len(self.joints), q.shape[1], 6))
        np.add.at(result, self._target, twists)
        jacobian = result.transpose(2, 1, 3, 0).reshape(
            q.shape[1], 6 * len(self.joints), len(self._weights))
        return np.asarray(jacobian @ self._weights[:, moving])

    def solve(
        self, q: Array, free: Indices, limit: float = math.inf, most: int = ITERATIONS,
    ) -> tuple[Array, Array, bool]:
        """
        Close the loops by some of the moving coordinates, in at most ``most`` iterations.

        The result is the norm of the residual (K,) before and after, and whether more iterations
        would not change it. Nothing is done if the residual exceeds the limit in every
        configuration.
        """
        step: Array = np.full(1, math.inf)
        residual = self._residual(q)
        square = first = _squares(residual[0])
        settled = False
        for _ in range(most if np.any(first < limit * limit) and len(free) else 0):
            settled = not (np.any(square > EXACT * EXACT) and np.any(np.abs(step) > LAST_STEP))
            if settled:
                break
            step = self._step(q, residual, square, free)
            self.move(q, free, q[self.moving[free]] - step * self.units[free, None])
            residual = self._residual(q)
            square = _squares(residual[0])
        return np.sqrt(first), np.sqrt(square), settled

    def _step(
        self, q: Array, residual: tuple[Array, Array, Array], square: Array, free: Indices,
    ) -> Array:
        """Return the step (f, K) to subtract from the free coordinates, in units."""
        error, nodes, ends = residual
        slopes = self._slopes(q, nodes, ends, free)
        transposed = slopes.swapaxes(-1, -2)
        normal = transposed @ slopes
        diagonal = np.arange(len(free))
        normal[:, diagonal, diagonal] += square[:, None] + RANK * RANK
        rows = error.transpose(1, 0, 2).reshape(*slopes.shape[:2], 1)
        step = np.linalg.solve(normal, transposed @ rows)
        return np.asarray(step[..., 0].T, dtype=np.float64)


def _squares(error: Array) -> Array:
    """Return the sum of the squares (K,) of a residual (L, K, 6)."""
    return np.asarray(np.sum(error * error, (0, 2)))


def _angles(nodes: Iterable[Node]) -> frozenset[int]:
    """Return the coordinates that are used only as angles in radians; none if there is a screw."""
    angles, other = set[int](), set[int]()
    for node in nodes:
        if node.angle[0] and node.slide[0]:
            return frozenset()
        is_angle = abs(node.angle[0]) == 1.0 and len(node.coordinates) == 1
        (angles if is_angle else other).update(node.coordinates)
    return frozenset(angles - other)


def rotation_vectors(rotations: Array) -> Array:
    """Return the rotation vectors (..., 3) of matrices (..., 3, 3)."""
    sine = (rotations[..., AFTER, BEFORE] - rotations[..., BEFORE, AFTER]) / 2.0
    length = np.sqrt(np.sum(sine * sine, -1, keepdims=True))
    cosine = (np.einsum('...ii', rotations)[..., None] - 1.0) / 2.0
    # The sine of half a turn is zero; some axis is needed, lest the angle be lost.
    sine[..., :1] += np.where(length == 0.0, TINY, 0.0)
    vectors: Array = sine / np.maximum(length, TINY) * np.arctan2(length, cosine)
    return vectors


def moving_coordinates(nodes: Sequence[Node], loop: Loop) -> set[int]:
    """Return the coordinates that move a loop: those on both paths around it."""
    return {
        coordinate for way in path(nodes, loop.moved.node, loop.fixed.node)
        for node in way for coordinate in nodes[node].coordinates}


def independent_groups(
    nodes: Sequence[Node], loops: Sequence[Loop], leader: Indices,
) -> list[list[Loop]]:
    """Return the loops in groups that share no leading coordinate, so each is solved alone."""
    groups: list[tuple[set[int], list[Loop]]] = []
    for loop in loops:
        moving = {int(leader[index]) for index in moving_coordinates(nodes, loop)}
        together = [loop]
        for others, members in [group for group in groups if group[0] & moving]:
            moving |= others
            together = members + together
        groups = [group for group in groups if not group[0] & moving] + [(moving, together)]
    return [members for _, members in groups]
