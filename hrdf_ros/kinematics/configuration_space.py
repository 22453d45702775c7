# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The configurations of a model: limits, initial and random ones, dependent coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import pi
from typing import Any, NamedTuple, Optional, TypeVar, Union
import warnings

from hrdf_ros.kinematics.loop_closure import DependentSolver, LoopState
from hrdf_ros.kinematics.loop_equations import MimicSolver, moving_coordinates
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.kinematics.tree_layout import lay_out
from hrdf_ros.model import Coordinate, Model, named
from hrdf_ros.names import unknown_name
from hrdf_ros.topology import span
import numpy as np
from numpy.typing import ArrayLike

SOLVERS_KEPT = 64
"""The maximum number of cached solvers, one per set of given coordinates; then all are dropped."""
LIMIT_SLACK = 1e-9
"""
The excess over a limit that counts as rounding: a fraction of the position, and absolute (rad or
m) for positions below 1.
"""
_ATTEMPTS = 20
"""The maximum number of random configurations that are tried until the loops close in one."""


class FullConfiguration(NamedTuple):
    """
    A configuration (n,) or (K, n) that is used as it is: no coordinate is computed.

    >>> from hrdf_ros import FullConfiguration, Kinematics
    >>> linkage = Kinematics.load('examples/sdf/four_bar.sdf')
    >>> linkage.loop_states(FullConfiguration([0.5, 0.0, 0.0, 0.0]))[0].closed
    array([False])
    """

    vector: Array


Configuration = Union[ArrayLike, Mapping[str, ArrayLike], FullConfiguration, None]
T = TypeVar('T')


class ConfigurationSpace:
    """
    The configurations of a model; ``Kinematics`` says what a ``q`` may be.

    ``coordinates`` are the names of all coordinates, in the order of the vector.
    """

    def __init__(self, model: Model, actuated: Optional[Iterable[str]]) -> None:
        if actuated and isinstance(actuated, str):
            raise TypeError(f'actuated is a list of names, not one string; write [{actuated!r}]')
        self.model = model
        self.topology = span(model)
        self._layout = lay_out(model, self.topology)
        self.coordinates = tuple(each.name for each in model.coordinates)
        self._index = Named(
            'coordinate', {name: index for index, name in enumerate(self.coordinates)})
        self._start = np.array([each.initial_position for each in model.coordinates])
        self._actuated = None if actuated is None else frozenset(
            self._index[name] for name in actuated)
        mimics = (i for i, coordinate in enumerate(model.coordinates) if coordinate.mimic)
        self._choices = frozenset(mimics).union(*(
            moving_coordinates(self._layout.nodes, loop) for loop in self._layout.loops))
        self._solvers: dict[tuple[frozenset[int], bool], DependentSolver] = {}
        free = MimicSolver(model.coordinates, range(len(model.coordinates)))
        self._full_solver = DependentSolver(free, (), (), (), self._start)

    @property
    def dependent(self) -> tuple[str, ...]:
        """The names of the mimic and passive coordinates."""
        return tuple(self.coordinates[index] for index in self.dependent_solver().indices)

    @property
    def independent(self) -> tuple[str, ...]:
        """The names of the coordinates that are neither mimic nor passive."""
        dependent = set(self.dependent)
        return tuple(name for name in self.coordinates if name not in dependent)

    @property
    def lower(self) -> Array:
        """The lower limits (n,), rad and m; minus infinity means no limit."""
        return np.array([each.lower for each in self.model.coordinates])

    @property
    def upper(self) -> Array:
        """The upper limits (n,), rad and m; infinity means no limit."""
        return np.array([each.upper for each in self.model.coordinates])

    @property
    def neutral(self) -> Array:
        """
        The configuration (n,) nearest to zero within the limits.

        The dependent coordinates are computed.
        """
        return self.resolve(np.clip(np.zeros(len(self.coordinates)), self.lower, self.upper))

    def random_configuration(self, rng: Optional[np.random.Generator] = None) -> Array:
        """
        Return a random configuration (n,), rad and m, with the dependent coordinates computed.

        It is uniform within the limits; without limits, angles are from -pi to pi and lengths
        from -1 to 1. Up to 20 configurations are drawn until the loops of one close.

        >>> import numpy as np
        >>> from hrdf_ros import Kinematics
        >>> arm = Kinematics.load('examples/hrdf/arm_6dof.hrdf')
        >>> arm.random_configuration(np.random.default_rng(1)).shape
        (6,)
        """
        if rng is not None and not hasattr(rng, 'uniform'):
            raise TypeError(f'rng is a numpy.random.Generator, not {type(rng).__name__}; write '
                            f'numpy.random.default_rng({rng!r})')
        rng = np.random.default_rng() if rng is None else rng
        reach = np.array([
            pi if coordinate.kind == 'angle' else 1.0 for coordinate in self.model.coordinates])
        lower, upper = self.lower, self.upper
        least = np.where(np.isfinite(lower), lower, np.minimum(upper - 2.0 * reach, -reach))
        most = np.where(np.isfinite(upper), upper, np.maximum(lower + 2.0 * reach, reach))
        for _ in range(_ATTEMPTS):
            vector = self.resolve(rng.uniform(least, np.maximum(least, most)))
            if all(state.closed.all() for state in self.loop_states(vector)):
                break
        return vector

    def initial_configuration(self) -> Array:
        """
        Return the initial configuration (n,), rad and m, with the dependent coordinates computed.

        >>> from hrdf_ros import Kinematics
        >>> Kinematics.load('examples/skel/humanoid.skel').initial_configuration().shape
        (35,)
        """
        return self.dependent_solver().initial.copy()

    @property
    def initial_name(self) -> str:
        """
        The name of the initial configuration: ``zero``, ``initial`` or a name in the file.

        It is ``initial`` if the positions are not all zero and no named configuration has them.

        >>> from hrdf_ros import Kinematics
        >>> Kinematics.load('examples/hrdf/arm_6dof.cfg.yaml').initial_name
        'home'
        """
        coordinates = self.model.coordinates
        if not any(one.initial_position for one in coordinates if one.mimic is None):
            return 'zero'
        for configuration in self.model.configurations:
            if all(value == coordinates[index].initial_position
                   for index, value in configuration.positions):
                return configuration.name
        return 'initial'

    def dependent_solver(
        self, given: Iterable[int] = (), *, yielding: bool = False,
    ) -> DependentSolver:
        """
        Return the solver of the coordinates that depend on the given ones, by index.

        A loop in which all coordinates are given stays open where their values do not fit, unless
        the given coordinates are ``yielding``. Then as many as the loop needs are computed, those
        farthest from the root first.
        """
        chosen = self._choices.intersection(given), yielding and self._actuated is None
        solver = self._solvers.get(chosen)
        if solver is None:
            if len(self._solvers) >= SOLVERS_KEPT:
                self._solvers.clear()
            held = chosen[0] if self._actuated is None else self._actuated
            solver = self._solvers[chosen] = DependentSolver(
                MimicSolver(self.model.coordinates, chosen[0]), self._layout.nodes,
                self._layout.loops, held, self._start, yielding=chosen[1])
        return solver

    def configuration(self, name: str) -> Array:
        """
        Return a named configuration (n,), rad and m, with the dependent coordinates computed.

        A name that the file does not have raises UnknownNameError.

        >>> from hrdf_ros import Kinematics
        >>> Kinematics.load('examples/hrdf/arm_6dof.cfg.yaml').configuration('home').round(2)
        array([ 0.  ,  1.2 ,  1.6 , -1.17, -1.57,  0.  ])
        """
        found = named('configuration', self.model.configurations, name)
        return self.resolve({self.coordinates[index]: value for index, value in found.positions})

    def resolve(self, q: Configuration = None) -> Array:
        """
        Return the configuration (n,) or (K, n), rad and m, with dependent coordinates computed.

        >>> from hrdf_ros import Kinematics
        >>> Kinematics.load('examples/sdf/four_bar.sdf').resolve({'drive': 0.5}).shape
        (4,)
        """
        return self._resolve(q)[0]

    def loop_states(self, q: Configuration = None) -> list[LoopState]:
        """
        Return whether the loops close: one state for each group of loops that share joints.

        >>> from hrdf_ros import Kinematics
        >>> Kinematics.load('examples/sdf/four_bar.sdf').loop_states({'drive': 0.5})[0].closed
        array([ True])
        """
        vector, solver = self._resolve(q)
        if solver is self._full_solver:
            solver = self.dependent_solver()
        return solver.states(vector)

    def _warn_outside_limits(self, q: Configuration, vector: Array) -> None:
        """Warn about positions that are given by name and exceed their limits."""
        if not isinstance(q, Mapping):
            return
        for name in q:
            index = self._index[name]
            message = outside_limits(self.model.coordinates[index], vector[..., index])
            if message:
                warnings.warn(message, RuntimeWarning, stacklevel=3)

    def _resolve(self, q: Configuration) -> tuple[Array, DependentSolver]:
        """Return the resolved configuration and the solver that resolved it."""
        if isinstance(q, FullConfiguration):
            return as_vector(q.vector, len(self.coordinates)), self._full_solver
        if q is None or isinstance(q, Mapping):
            given = {self._index[name]: value for name, value in (q or {}).items()}
            for name, value in (q or {}).items():
                if isinstance(value, (str, bytes)):
                    raise TypeError(
                        f'the position of {name!r} is a number, not {type(value).__name__}')
            solver = self.dependent_solver(given)
            return solver(with_values(solver.initial, given), guessed=False), solver
        solver = self.dependent_solver()
        return solver(as_vector(q, len(self.coordinates))), solver


def outside_limits(coordinate: Coordinate, positions: ArrayLike) -> str:
    """Return a message about the position that exceeds its limits most, '' if none does."""
    for limit, position, sign in (
            (coordinate.lower, float(np.min(positions)), -1.0),
            (coordinate.upper, float(np.max(positions)), 1.0)):
        if sign * (position - limit) > LIMIT_SLACK * max(1.0, abs(position)):
            return (
                f"coordinate '{coordinate.name}' is at {position!r}, outside of its limit "
                f'{limit!r}')
    return ''


def with_values(initial: Array, given: Mapping[int, ArrayLike]) -> Array:
    """Return a configuration (n,) or (K, n) that has the given values, which broadcast."""
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
    """Return a copy (n,) or (K, n) of numbers; another ``n`` than ``count`` raises ValueError."""
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


def precision(q: object) -> type[np.floating[Any]]:
    """Return the precision of results: single if all arrays of q have it, else double."""
    if isinstance(q, FullConfiguration):
        q = q.vector
    arrays = [*q.values()] if isinstance(q, Mapping) else [q]
    is_single = arrays and all(getattr(each, 'dtype', None) == np.float32 for each in arrays)
    return np.float32 if is_single else np.float64


class Named(dict[str, T]):
    """
    Records by name.

    An unknown name raises UnknownNameError, whose hint is a similar name.
    """

    def __init__(self, kind: str, records: Mapping[str, T]) -> None:
        super().__init__(records)
        self._kind = kind

    def __missing__(self, name: str) -> T:
        raise unknown_name(self._kind, name, self)
