# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations: vectors and mappings of coordinates, and the coordinates that follow others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Union

from hrdf_ros.model import Coordinate
from hrdf_ros.tree.rigid import Array
import numpy as np
from numpy.typing import ArrayLike

Configuration = Union[ArrayLike, Mapping[str, float], None]


class UnknownNameError(KeyError):
    """A frame or coordinate that the model does not have."""

    def __str__(self) -> str:
        """Return the message itself, where KeyError would quote it."""
        return str(self.args[0])


class Followers:
    """
    The mimic coordinates that are computed from their leaders, chains included.

    Those in ``given`` keep their own value. So does one coordinate of a cycle of mimics, which
    has no leader outside itself.
    """

    def __init__(
        self, coordinates: Sequence[Coordinate], given: Iterable[int] = (),
    ) -> None:
        kept = set(given)
        resolved: dict[int, tuple[int, float, float]] = {}
        for index in range(len(coordinates)):
            _resolve(coordinates, index, kept, resolved)
        found = {index: rule for index, rule in resolved.items() if rule[0] != index}
        self.indices = tuple(sorted(found))
        self.leaders = tuple(found[index][0] for index in self.indices)
        self.multipliers = np.array([found[index][1] for index in self.indices])
        self.offsets = np.array([found[index][2] for index in self.indices])
        self._to = np.array(self.indices, dtype=np.intp)
        self._from = np.array(self.leaders, dtype=np.intp)

    def apply(self, q: Array) -> Array:
        """Write the followers' values into ``q``, (n,) or (..., n), and return it."""
        if self.indices:
            q[..., self._to] = q[..., self._from] * self.multipliers + self.offsets
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
    for follower in reversed(chain):
        mimic = coordinates[follower].mimic
        if mimic is not None and follower not in resolved:
            leader, multiplier, offset = resolved[mimic.leader]
            resolved[follower] = (
                leader, mimic.multiplier * multiplier, mimic.multiplier * offset + mimic.offset)


class Coordinates:
    """The coordinate vector of a model: names, start values, followers."""

    def __init__(self, coordinates: Sequence[Coordinate]) -> None:
        self.names = tuple(coordinate.name for coordinate in coordinates)
        self.followers = Followers(coordinates)
        self._table = coordinates
        self._index = {name: index for index, name in enumerate(self.names)}
        self._start = np.array([coordinate.start for coordinate in coordinates])

    def index(self, name: str) -> int:
        """Return the place of a coordinate in the vector; UnknownNameError if there is none."""
        if name not in self._index:
            raise UnknownNameError(f'the model has no coordinate named {name!r}')
        return self._index[name]

    def given(self, q: Configuration) -> frozenset[int]:
        """Return the coordinates that a mapping names; a vector names none."""
        if isinstance(q, Mapping):
            return frozenset(self.index(name) for name in q)
        return frozenset()

    def vector(self, q: Configuration) -> Array:
        """
        Return a new vector (n,) or (K, n), the followers computed.

        None and what a mapping does not name are start values. A follower that a mapping names
        keeps that value; in a vector a follower's entry is overwritten.
        """
        if q is None or isinstance(q, Mapping):
            return self._from_mapping(q or {})
        vector: Array = np.array(q, dtype=np.float64)
        count = len(self.names)
        if vector.ndim not in (1, 2) or vector.shape[-1] != count:
            raise ValueError(
                f'q has shape {vector.shape}, but needs ({count},) or (K, {count}): '
                'one number for each coordinate of the model')
        return self.followers.apply(vector)

    def _from_mapping(self, q: Mapping[str, float]) -> Array:
        vector: Array = self._start.copy()
        for name, value in q.items():
            vector[self.index(name)] = value
        given = self.given(q).intersection(self.followers.indices)
        followers = Followers(self._table, given) if given else self.followers
        return followers.apply(vector)
