# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations: vectors and mappings of coordinates, and the coordinates that mimic others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, Union

from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.model import Coordinate
from hrdf_ros.parsing.suggestions import unknown_name
import numpy as np
from numpy.typing import ArrayLike


class FullConfiguration(NamedTuple):
    """
    A configuration, (n,) or (K, n), of which no coordinate is computed.

    >>> from hrdf_ros import FullConfiguration, Kinematics
    >>> linkage = Kinematics.load('examples/sdf/four_bar.sdf')
    >>> linkage.loop_states(FullConfiguration([0.5, 0.0, 0.0, 0.0]))[0].closed
    array([False])
    """

    vector: Array


Configuration = Union[ArrayLike, Mapping[str, ArrayLike], FullConfiguration, None]
T = TypeVar('T')


class MimicSolver:
    """
    The mimic coordinates that are computed from their leaders, chains included.

    Those in ``given`` keep their own value. So does one coordinate of a cycle of mimics, which
    has no leader outside itself. ``leader``, ``multiplier`` and ``offset`` (n,) are each
    coordinate's, its own index, 1 and 0 for those that mimic none; ``indices`` lists the mimic
    coordinates, ``leaders`` which coordinate each of them depends on.
    """

    def __init__(
        self, coordinates: Sequence[Coordinate], given: Iterable[int] = (),
    ) -> None:
        kept = set(given)
        resolved: dict[int, tuple[int, float, float]] = {}
        for index in range(len(coordinates)):
            _resolve(coordinates, index, kept, resolved)
        rules = [resolved[index] for index in range(len(coordinates))]
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


def _resolve(
    coordinates: Sequence[Coordinate], index: int, kept: set[int],
    resolved: dict[int, tuple[int, float, float]],
) -> None:
    """Find the first leader, multiplier and offset of a coordinate and of all on the way."""
    chain: list[int] = []
    while index not in resolved:
        mimic = coordinates[index].mimic
        if mimic is None or index in kept or index in chain:
            resolved[index] = (index, 1.0, 0.0)
        else:
            chain.append(index)
            index = mimic.leader
    for index in reversed(chain):
        mimic = coordinates[index].mimic
        if mimic is not None and index not in resolved:
            leader, multiplier, offset = resolved[mimic.leader]
            resolved[index] = (
                leader, mimic.multiplier * multiplier, mimic.multiplier * offset + mimic.offset)


def with_values(initial: Array, given: Mapping[int, ArrayLike]) -> Array:
    """Return a configuration with given values that broadcast, (n,) or (K, n)."""
    values = [np.asarray(value, float) for value in given.values()]
    shapes = {value.shape for value in values}
    if any(len(shape) > 1 for shape in shapes) or len(shapes - {(), (1,)}) > 1:
        raise ValueError(
            f'positions are numbers or arrays (K,) of one length, not of shapes {sorted(shapes)}')
    shape = np.broadcast_shapes(*shapes)
    vector: Array = np.broadcast_to(initial, (*shape, len(initial))).copy()
    for index, each in zip(given, values):
        vector[..., index] = each
    return vector


def as_vector(q: ArrayLike, count: int) -> Array:
    """Return a copy (n,) or (K, n) of numbers; a ValueError if they are more or fewer."""
    if isinstance(q, (str, bytes)):
        raise TypeError(
            'q is a vector of numbers or a mapping from coordinates to numbers, not '
            f'{type(q).__name__}; to name a reference frame, write relative_to={q!r}')
    vector: Array = np.array(q, dtype=np.float64)
    if vector.ndim not in (1, 2) or vector.shape[-1] != count:
        raise ValueError(
            f'q has shape {vector.shape}, not ({count},) or (K, {count}): '
            'one number for each coordinate of the model')
    return vector


def limits(coordinates: Sequence[Coordinate]) -> tuple[Array, Array]:
    """Return the lower and upper limits (n,), rad and m; infinite ones are none."""
    both = np.array([(each.lower, each.upper) for each in coordinates]).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def precision(q: object) -> type[np.floating[Any]]:
    """Return the precision of results: single if all arrays of a configuration have it."""
    if isinstance(q, FullConfiguration):
        q = q.vector
    arrays = [*q.values()] if isinstance(q, Mapping) else [q]
    is_single = arrays and all(getattr(each, 'dtype', None) == np.float32 for each in arrays)
    return np.float32 if is_single else np.float64


class Named(dict[str, T]):
    """Records by name; an unknown name is an UnknownNameError with a similar one as a hint."""

    def __init__(self, kind: str, records: Mapping[str, T]) -> None:
        super().__init__(records)
        self._kind = kind

    def __missing__(self, name: str) -> T:
        raise unknown_name(self._kind, name, self)


def as_columns(q: Array) -> Array:
    """Return configurations (n,) or (K, n) as (n + 1, K), with a row of zeros at the end."""
    rows = np.atleast_2d(q)
    columns = np.zeros((rows.shape[1] + 1, len(rows)))
    columns[:-1] = rows.T
    return columns
