# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The kinematic tree of a model as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import inf, pi
import os
from typing import Any, NamedTuple, Optional, Union

from hrdf_ros.kinematics.coordinates import (
    as_columns,
    Configuration,
    Coordinates,
    FullConfiguration,
    limits,
    MimicSolver,
    Named,
    precision,
    unknown_name,
)
from hrdf_ros.kinematics.dependent_solver import DependentSolver
from hrdf_ros.kinematics.forward import Forward, JacobianColumns
from hrdf_ros.kinematics.inverse import IkResult, IkSolver
from hrdf_ros.kinematics.joint_factors import FixedFrame, lay_out, mass_moments, path, ROOT
from hrdf_ros.kinematics.loop_closure import LoopState
from hrdf_ros.kinematics.loops import moving_coordinates
from hrdf_ros.kinematics.transforms import Array, chain, invert, matrices
from hrdf_ros.model import Body, Frame, Joint, Mesh, Model
from hrdf_ros.pose import IDENTITY
from hrdf_ros.topology import find_frame, name_frames, span
import numpy as np
from numpy.typing import ArrayLike

# Node transforms of the configurations that are computed together: about a cache.
BLOCK = 8192
SOLVERS_KEPT = 64


ATTEMPTS = 20


class PlacedMesh(NamedTuple):
    """A mesh of a link; ``pose`` is root_from_mesh, (4, 4) or (K, 4, 4)."""

    link: str
    mesh: Mesh
    pose: Array


class Kinematics:
    """
    Kinematics of a model.

    Transforms are 4x4 matrices ``a_from_b`` in meters. A configuration ``q`` is

    - None: the initial values,
    - a vector (n,) or a batch (K, n) in the order of ``coordinates``,
    - a mapping from names to values, the other coordinates having their initial values, or
    - ``FullConfiguration`` of a vector or batch.

    ``dependent`` coordinates are computed: mimic coordinates from their leaders, and the passive
    coordinates of closed loops so that the loops close. Their values in a vector are overwritten,
    and are the solver's first guess where they are passive; the coordinates that a mapping names
    keep the values that it gives them, and others of the loop are passive. A
    ``FullConfiguration`` is used as it is.

    ``actuated`` names the coordinates that are never passive; without it they are chosen: of the
    coordinates in a loop the ones nearest to the root.

    Frames are given by tag, name or source name. An unknown one is an UnknownNameError (a
    KeyError), as is an unknown coordinate; a ``q`` of another shape is a ValueError.
    """

    def __init__(self, model: Model, actuated: Optional[Iterable[str]] = None) -> None:
        if not isinstance(model, Model):
            raise TypeError(
                f'Kinematics requires a Model, not {type(model).__name__}; Kinematics.load(path) '
                'reads a file, and a LoadResult has its Model in .model')
        if actuated and isinstance(actuated, str):
            raise TypeError(f'actuated is a list of names, not one string; write [{actuated!r}]')
        self.model = model
        self.topology = span(model)
        self._names = Coordinates(model.coordinates)
        self._actuated = None if actuated is None else frozenset(map(self._names.index, actuated))
        self._layout = lay_out(model, self.topology)
        self._forward = Forward(self._layout.nodes)
        self._columns = JacobianColumns(self._layout.nodes)
        self._node_from_frames = matrices(
            [frame.pose for frame in self._layout.frames])[:, None]
        self._moments = np.array(mass_moments(model, self._layout))
        self._found: dict[str, FixedFrame] = {}
        mimics = (i for i, coordinate in enumerate(model.coordinates) if coordinate.mimic)
        self._choices = frozenset(mimics).union(*(
            moving_coordinates(self._layout.nodes, loop) for loop in self._layout.loops))
        self._solvers: dict[tuple[frozenset[int], bool], DependentSolver] = {}
        free = MimicSolver(model.coordinates, range(len(model.coordinates)))
        self._full_solver = DependentSolver(free, (), (), (), self._names.initial)

    @classmethod
    def load(
        cls, source: Union[str, os.PathLike[str]], actuated: Optional[Iterable[str]] = None,
        **options: Any,
    ) -> Kinematics:
        """Read a description with the options of ``hrdf_ros.load``; LoadError with errors."""
        from hrdf_ros.load import load_model  # brings all that reading requires
        return cls(load_model(source, **options), actuated)

    def __repr__(self) -> str:
        """Return one line: the name of the model, and counts."""
        return (
            f'<Kinematics {self.model.name!r}: {len(self.coordinates)} coordinates, '
            f'{len(self.model.frames)} frames>')

    def __eq__(self, other: object) -> bool:
        """Return whether model and actuated coordinates are the same."""
        if not isinstance(other, Kinematics):
            return NotImplemented
        return (self.model, self._actuated) == (other.model, other._actuated)

    def __hash__(self) -> int:
        return hash((self.model.name, self.coordinates))

    def __reduce__(self) -> tuple[type[Kinematics], tuple[object, ...]]:
        """Pickle the model; everything else is computed from it."""
        actuated = self._actuated
        return Kinematics, (
            self.model, None if actuated is None
            else tuple(self.coordinates[index] for index in sorted(actuated)))

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of all coordinates, in the order of the vector."""
        return self._names.names

    @property
    def dependent(self) -> tuple[str, ...]:
        """The names of mimic and passive coordinates."""
        return tuple(self.coordinates[index] for index in self.dependent_solver().indices)

    @property
    def independent(self) -> tuple[str, ...]:
        """The names of the other coordinates."""
        dependent = set(self.dependent)
        return tuple(name for name in self.coordinates if name not in dependent)

    @cached_property
    def links(self) -> Mapping[str, Body]:
        """The bodies by name."""
        return Named('link', {body.name: body for body in self.model.bodies})

    @cached_property
    def joints(self) -> Mapping[str, Joint]:
        """The joints by name."""
        return Named('joint', {joint.name: joint for joint in self.model.joints})

    @cached_property
    def frames(self) -> Mapping[str, Frame]:
        """The frames by name, in the order of ``fk``."""
        return Named('frame', {frame.name: frame for frame in self.model.frames})

    @property
    def lower(self) -> Array:
        """The lower limits (n,), rad and m; minus infinity is none."""
        return limits(self.model.coordinates)[0]

    @property
    def upper(self) -> Array:
        """The upper limits (n,), rad and m; infinity is none."""
        return limits(self.model.coordinates)[1]

    @property
    def neutral(self) -> Array:
        """The configuration (n,) nearest to zero within the limits, dependent ones computed."""
        return self.resolve(np.clip(np.zeros(len(self.coordinates)), self.lower, self.upper))

    def random_configuration(self, rng: Optional[np.random.Generator] = None) -> Array:
        """
        Return a configuration (n,), rad and m, uniform within the limits, dependent ones computed.

        Where there are no limits angles are from -pi to pi and lengths from -1 to 1. Closed loops
        close in it if one of some attempts does.
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
        for _ in range(ATTEMPTS):
            vector = self.resolve(rng.uniform(least, np.maximum(least, most)))
            if all(state.closed.all() for state in self.loop_states(vector)):
                break
        return vector

    def initial_configuration(self) -> Array:
        """Return the initial configuration (n,), rad and m, the dependent coordinates computed."""
        return self.dependent_solver().initial.copy()

    def dependent_solver(
        self, given: Iterable[int] = (), *, yielding: bool = False,
    ) -> DependentSolver:
        """
        Return the solver of the coordinates that depend on the given ones, by index.

        A loop whose joints are given to the last stays open where their values do not fit,
        unless the given coordinates are ``yielding``: as many as the loop needs are computed
        then, those farthest from the root first.
        """
        chosen = self._choices.intersection(given), yielding
        solver = self._solvers.get(chosen)
        if solver is None:
            if len(self._solvers) >= SOLVERS_KEPT:
                self._solvers.clear()
            solver = self._solvers[chosen] = self._make_solver(*chosen)
        return solver

    def resolve(self, q: Configuration = None) -> Array:
        """Return a configuration (n,) or (K, n), rad and m, with the dependent ones computed."""
        return self._resolve(q)[0]

    def loop_states(self, q: Configuration = None) -> list[LoopState]:
        """Return whether the loops close, one state for each group of loops that share joints."""
        vector, solver = self._resolve(q)
        if solver is self._full_solver:
            solver = self.dependent_solver()
        return solver.states(vector)

    def fk(self, q: Configuration = None, *, frames: Optional[Sequence[str]] = None) -> Array:
        """
        Return root_from_frame of all frames of the model, or of some, (F, 4, 4) or (K, F, 4, 4).

        The result is of single precision where ``q`` is an array of it.
        """
        locations = self._layout.frames if frames is None else [
            self._frame(name) for name in _names(frames)]
        fixed_to = np.array([location.node for location in locations], dtype=np.intp)
        node_from_frames = matrices([location.pose for location in locations])[:, None] if (
            frames is not None) else self._node_from_frames
        vector = self.resolve(q)
        columns = as_columns(vector)
        result = np.empty((columns.shape[1], len(locations), 4, 4), precision(q))
        block = max(1, BLOCK // len(self._layout.nodes))
        for start in range(0, len(result), block):
            nodes = self._forward(columns[:, start:start + block])
            np.matmul(
                nodes.take(fixed_to, 0), node_from_frames, casting='same_kind',
                out=result[start:start + block].swapaxes(0, 1))
        return result if vector.ndim == 2 else result[0]

    def poses(self, q: Configuration = None) -> dict[str, Array]:
        """Return root_from_frame by the name of the frame, (4, 4) or (K, 4, 4)."""
        return dict(zip(self.frames, np.moveaxis(self.fk(q), -3, 0)))

    def meshes(self, q: Configuration = None, *, collisions: bool = False) -> list[PlacedMesh]:
        """Return the meshes of the visuals, or of the collisions, where they are."""
        poses = self.poses(q)
        return [
            PlacedMesh(body.name, shape.geometry, poses[body.name] @ matrices([shape.pose])[0])
            for body in self.model.bodies
            for shape in (body.collisions if collisions else body.visuals)
            if isinstance(shape.geometry, Mesh)]

    def scene(self, q: Configuration = None, *, collision: bool = False) -> Any:
        """Return a ``trimesh.Scene`` of the visuals or collisions in one configuration."""
        from hrdf_ros.meshes.scene import make_scene  # requires trimesh
        bodies = self.fk(q, frames=[body.name for body in self.model.bodies])
        if bodies.ndim != 3:
            raise ValueError('a scene shows one configuration, not a batch')
        return make_scene(self.model, bodies, collision=collision)

    def pose(
        self, frame: str, q: Configuration = None, *, relative_to: Optional[str] = None,
    ) -> Array:
        """
        Return relative_from_frame, (4, 4) or (K, 4, 4), from the joints between the two alone.

        Without ``relative_to`` it is relative to the root of poses, as in ``fk``.
        """
        target, origin = self._frame(frame), self._origin(relative_to)
        vector = self.resolve(q)
        down, up = path(self._layout.nodes, origin.node, target.node)
        steps = self._forward.joint_transforms(as_columns(vector), up + down)
        ends = matrices((origin.pose, target.pose))
        result = invert(chain(steps[:len(up)]) @ ends[0]) if up else invert(ends[:1])
        if down:
            result = result @ chain(steps[len(up):])
        result = np.broadcast_to(result @ ends[1], (steps.shape[1], 4, 4))
        return result if vector.ndim == 2 else result[0]

    def jacobian(
        self, frame: str, q: Configuration = None, *, relative_to: Optional[str] = None,
    ) -> Array:
        """
        Return the derivative of a frame's pose by the coordinates, (6, n) or (K, 6, n).

        Rows are the velocity of the frame's origin (m), then the angular velocity (rad), both in
        the axes of ``relative_to`` and as seen from it, or of the root of poses. The contribution
        of dependent coordinates is in the columns of their leaders and of the coordinates that
        drive their loop, and their own columns are zero; with a ``FullConfiguration`` each
        coordinate is independent.
        """
        target, origin = self._frame(frame), self._origin(relative_to)
        vector, solver = self._resolve(q)
        columns = as_columns(vector)
        down, up = map(self._columns.of, path(self._layout.nodes, origin.node, target.node))
        moving = np.concatenate((down, up))
        sign = np.repeat((1.0, -1.0), (len(down), len(up)))[:, None, None]
        ends = matrices((origin.pose, target.pose))
        result = np.zeros((columns.shape[1], 6, len(self.coordinates)))
        block = max(1, BLOCK // len(self._layout.nodes))
        for start in range(0, len(result), block):
            part = columns[:, start:start + block]
            nodes = self._forward(part)
            point = (nodes[target.node] @ ends[1])[:, :3, 3]
            twists = self._columns.twists(moving, point, nodes, part) * sign
            turned = (nodes[origin.node] @ ends[0])[:, :3, :3]
            twists = (twists.reshape(*twists.shape[:2], 2, 3) @ turned).reshape(twists.shape)
            solver.gather(
                twists, self._columns.coordinates[moving], part, result[start:start + block])
        return result if vector.ndim == 2 else result[0]

    def ik(
        self, frame: str, pose: ArrayLike, q: Configuration = None, *,
        position_only: bool = False,
    ) -> IkResult:
        """
        Return a configuration in which a frame has a pose, within the limits.

        ``pose`` is root_from_frame (4, 4) or (K, 4, 4); of ``position_only`` the rotation is
        ignored. The search begins at ``q``, then at random configurations, the same in each call.
        Mimic coordinates follow their leaders and loops stay closed.
        """
        targets = np.asarray(pose, float)
        if targets.ndim not in (2, 3) or targets.shape[-2:] != (4, 4):
            raise ValueError(f'the pose has shape {targets.shape}, not (4, 4) or (K, 4, 4)')
        many = targets.reshape(-1, 4, 4)
        starts = np.broadcast_to(self.resolve(q), (len(many), len(self.coordinates)))
        found = IkSolver(self, frame, position_only).solve(
            many, np.array(starts), np.random.default_rng(1))
        return found if targets.ndim == 3 else IkResult(*(each[0] for each in found))

    @property
    def mass(self) -> float:
        """The mass of all bodies (kg)."""
        return float(self._moments[:, 3].sum())

    def center_of_mass(self, q: Configuration = None) -> Array:
        """
        Return the center of mass of all bodies in the root of poses (m), (3,) or (K, 3).

        A model without mass, or whose mass is infinite, has none: a ValueError.
        """
        if not 0.0 < self.mass < inf:
            raise ValueError(f'the mass of the model is {self.mass!r}: it has no center of mass')
        vector = self.resolve(q)
        moments = np.einsum(
            'mkij,mj->ki', self._forward(as_columns(vector))[..., :3, :], self._moments)
        result: Array = moments / self.mass
        return result if vector.ndim == 2 else result[0]

    def _resolve(self, q: Configuration) -> tuple[Array, DependentSolver]:
        """Return the resolved configuration and the solver that resolved it."""
        if isinstance(q, FullConfiguration):
            return self._names.vector(q.vector), self._full_solver
        if q is None or isinstance(q, Mapping):
            given = {self._names.index(name): value for name, value in (q or {}).items()}
            solver = self.dependent_solver(given)
            vector = self._names.with_values(solver.initial, given)
            return solver(vector, guessed=False), solver
        solver = self.dependent_solver()
        return solver(self._names.vector(q)), solver

    def _make_solver(self, given: frozenset[int], yielding: bool) -> DependentSolver:
        mimic_solver = MimicSolver(self._names.table, given)
        held = given if self._actuated is None else self._actuated
        return DependentSolver(
            mimic_solver, self._layout.nodes, self._layout.loops, held, self._names.initial,
            yielding=yielding and self._actuated is None)

    def _origin(self, name: Optional[str]) -> FixedFrame:
        return FixedFrame(ROOT, IDENTITY) if name is None else self._frame(name)

    def _frame(self, name: str) -> FixedFrame:
        """Return a frame and the node that it is fixed to; UnknownNameError if there is none."""
        location = self._found.get(name)
        if location is None:
            index = find_frame(self.model, name)
            if index is not None:
                location = self._layout.frames[index]
            elif name == self.model.root:
                location = FixedFrame(ROOT, IDENTITY)
            else:
                raise unknown_name('frame', name, filter(None, name_frames(self.model)))
            self._found[name] = location
        return location


def _names(frames: Sequence[str]) -> Sequence[str]:
    if isinstance(frames, str):
        raise TypeError(f'frames is a list of names, not one string; write [{frames!r}]')
    return frames
