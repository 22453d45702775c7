# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The kinematic tree of a model as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import inf
import os
from types import MappingProxyType
from typing import Any, Optional, TYPE_CHECKING, Union

from hrdf_ros.kinematics.configuration_space import (
    Configuration,
    ConfigurationSpace,
    Named,
    precision,
)
from hrdf_ros.kinematics.forward import as_columns, frame_arrays, Tree
from hrdf_ros.kinematics.inverse import IkResult, IkSolver
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.kinematics.tree_layout import FixedFrame, ROOT
from hrdf_ros.model import Body, Frame, Joint, Model
from hrdf_ros.model.consistency import require_computable
from hrdf_ros.names import UnknownNameError
from hrdf_ros.pose import from_homogeneous, IDENTITY, transform
from hrdf_ros.topology import find_frame, frame_hint
import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from hrdf_ros.readers.api import LoadOptions
    from typing_extensions import Unpack


class Kinematics(ConfigurationSpace):
    """
    Kinematics of a model.

    Transforms are 4x4 matrices ``a_from_b`` in meters. A configuration ``q`` is

    - None: the initial values,
    - a vector (n,) or a batch (K, n) in the order of ``coordinates``,
    - a mapping from names to values, in which other coordinates have their initial values, or
    - a ``FullConfiguration`` of a vector or batch.

    The ``dependent`` coordinates are computed: mimic coordinates from their leaders, and the
    passive coordinates of closed loops so that the loops close. Their values in a vector are
    overwritten; those of passive coordinates are the solver's first guess. Coordinates that a
    mapping names keep their values, and other coordinates of their loops are passive. A
    ``FullConfiguration`` is used as it is.

    ``actuated`` names the coordinates that are never passive. Without it, the coordinates of a
    loop that are nearest to the root are chosen.

    Frames are given by tag, name or source name. An unknown frame or coordinate raises
    UnknownNameError (a KeyError); a ``q`` of another shape raises ValueError. Results have single
    precision if all arrays of ``q`` have it.

    >>> from hrdf_ros import Kinematics
    >>> arm = Kinematics.load('examples/hrdf/arm_6dof.hrdf')
    >>> arm.coordinates
    ('base', 'shoulder', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3')
    >>> arm.pose('tool', {'elbow': 0.5})[:3, 3].round(3)
    array([ 0.556, -0.218, -0.156])
    """

    def __init__(self, model: Model, actuated: Optional[Iterable[str]] = None) -> None:
        if not isinstance(model, Model):
            raise TypeError(
                f'Kinematics requires a Model, not {type(model).__name__}; Kinematics.load(path) '
                'reads a file, and a LoadResult has its Model in .model')
        require_computable(model)
        super().__init__(model, actuated)
        self._tree = Tree(self._layout.nodes)
        self._all_frames = frame_arrays(self._layout.frames)
        self._moments = self._mass_moments()
        self._found: dict[str, FixedFrame] = {}

    @classmethod
    def load(
        cls, source: Union[str, os.PathLike[str]], actuated: Optional[Iterable[str]] = None,
        **options: Unpack[LoadOptions],
    ) -> Kinematics:
        """
        Read a description with the options of ``hrdf_ros.load``.

        A description with errors raises LoadError.
        """
        from hrdf_ros.load import load_model  # imported late: it imports the readers
        return cls(load_model(source, **options), actuated)

    def __repr__(self) -> str:
        """Return one line with the name of the model and counts."""
        return (
            f'<Kinematics {self.model.name!r}: {len(self.coordinates)} coordinates, '
            f'{len(self.model.frames)} frames>')

    def __eq__(self, other: object) -> bool:
        """Return whether the models and the actuated coordinates are equal."""
        if not isinstance(other, Kinematics):
            return NotImplemented
        return (self.model, self._actuated) == (other.model, other._actuated)

    def __hash__(self) -> int:
        return hash((self.model.name, self.coordinates))

    def __reduce__(self) -> tuple[type[Kinematics], tuple[object, ...]]:
        """Pickle only the model and the actuated coordinates; all else is computed from them."""
        actuated = self._actuated
        return Kinematics, (
            self.model, None if actuated is None
            else tuple(self.coordinates[index] for index in sorted(actuated)))

    @cached_property
    def links(self) -> Mapping[str, Body]:
        """The bodies of the model by name."""
        return MappingProxyType(
            Named('link', {body.name: body for body in self.model.bodies}))

    @cached_property
    def joints(self) -> Mapping[str, Joint]:
        """The joints of the model by name."""
        return MappingProxyType(
            Named('joint', {joint.name: joint for joint in self.model.joints}))

    @cached_property
    def frames(self) -> Mapping[str, Frame]:
        """The frames by name, in the order of ``fk``."""
        return MappingProxyType(
            Named('frame', {frame.name: frame for frame in self.model.frames}))

    def fk(self, q: Configuration = None, *, frames: Optional[Sequence[str]] = None) -> Array:
        """
        Return root_from_frame (F, 4, 4) or (K, F, 4, 4) of all frames, or of the named ones.

        >>> import numpy as np
        >>> from hrdf_ros import Kinematics
        >>> arm = Kinematics.load('examples/hrdf/arm_6dof.hrdf')
        >>> arm.fk({'elbow': np.linspace(0.0, 1.0, 5)}, frames=['tool', 'wrist_1']).shape
        (5, 2, 4, 4)
        """
        wanted = self._all_frames if frames is None else frame_arrays(
            [self._frame(name) for name in _names(frames)])
        vector = self.resolve(q)
        self._warn_outside_limits(q, vector)
        columns = as_columns(vector)
        result = np.empty((columns.shape[1], len(wanted[0]), 4, 4), precision(q))
        self._tree.poses(columns, wanted, result)
        return result if vector.ndim == 2 else result[0]

    def poses(self, q: Configuration = None) -> dict[str, Array]:
        """
        Return root_from_frame (4, 4) or (K, 4, 4) of each frame by its name.

        >>> from hrdf_ros import Kinematics
        >>> Kinematics.load('examples/hrdf/arm_6dof.hrdf').poses()['wrist_1'].shape
        (4, 4)
        """
        return Named('frame', dict(zip(self.frames, np.moveaxis(self.fk(q), -3, 0))))

    def scene(self, q: Configuration = None, *, collision: bool = False) -> Any:
        """
        Return a ``trimesh.Scene`` of the visuals or collisions in one configuration.

        It requires trimesh. A batch of configurations raises ValueError. Meshes that cannot be
        read are left out, with a warning.

        >>> from hrdf_ros import Kinematics
        >>> Kinematics.load('examples/urdf/gripper_arm.urdf').scene({'elbow': 0.5}).extents.shape
        (3,)
        """
        try:
            from hrdf_ros.meshes.scene import make_scene  # imported late: it requires trimesh
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f'scene requires more packages ({error}); install them with: '
                'pip install trimesh pycollada pillow', name=error.name) from None
        bodies = self.fk(q, frames=[body.name for body in self.model.bodies])
        if bodies.ndim != 3:
            raise ValueError('a scene shows one configuration, not a batch')
        return make_scene(self.model, bodies, collision=collision)

    def show(self, q: Configuration = None, *, collision: bool = False) -> Any:
        """Show ``scene`` in a notebook, or else in the browser from a file, which is kept."""
        from hrdf_ros.meshes.scene import show_scene  # imported late: it requires trimesh
        return show_scene(self.scene(q, collision=collision))

    def pose(
        self, frame: str, q: Configuration = None, *, relative_to: Optional[str] = None,
    ) -> Array:
        """
        Return relative_from_frame (4, 4) or (K, 4, 4), from only the joints between the frames.

        Without ``relative_to`` the pose is relative to the root of poses, as in ``fk``.

        >>> from hrdf_ros import Kinematics
        >>> arm = Kinematics.load('examples/hrdf/arm_6dof.hrdf')
        >>> arm.pose('tool', {'wrist_3': 0.5}, relative_to='wrist_3').shape
        (4, 4)
        """
        vector = self.resolve(q)
        self._warn_outside_limits(q, vector)
        result = self._tree.relative_pose(
            as_columns(vector), self._origin(relative_to), self._frame(frame))
        result = result.astype(precision(q), copy=False)
        return result if vector.ndim == 2 else result[0]

    def jacobian(
        self, frame: str, q: Configuration = None, *, relative_to: Optional[str] = None,
    ) -> Array:
        """
        Return the Jacobian (6, n) or (K, 6, n) of a frame's pose with respect to the coordinates.

        The first three rows are the velocity of the frame's origin (m), the last three its angular
        velocity (rad). Both are relative to the frame ``relative_to`` and in its axes; without it
        they are relative to the root of poses. The columns of dependent coordinates are zero:
        their contribution is in the columns of their leaders, and of the coordinates that drive
        their loop. With a ``FullConfiguration`` all coordinates are independent.

        >>> from hrdf_ros import Kinematics
        >>> Kinematics.load('examples/hrdf/arm_6dof.hrdf').jacobian('tool').shape
        (6, 6)
        """
        target, origin = self._frame(frame), self._origin(relative_to)
        vector, solver = self._resolve(q)
        self._warn_outside_limits(q, vector)
        columns = as_columns(vector)
        result = np.zeros((columns.shape[1], 6, len(self.coordinates)))
        self._tree.jacobian(columns, origin, target, solver.gather, result)
        result = result.astype(precision(q), copy=False)
        return result if vector.ndim == 2 else result[0]

    def ik(
        self, frame: str, pose: ArrayLike, q: Configuration = None, *,
        position_only: bool = False,
    ) -> IkResult:
        """
        Return a configuration in which a frame has a pose, within the limits.

        ``pose`` is root_from_frame (4, 4) or (K, 4, 4). A matrix that is not a rigid transform
        raises ValueError, which says why. With ``position_only`` the rotation is ignored. The
        search begins at ``q``, then at random configurations, which are the same in each call.
        Mimic coordinates follow their leaders, and loops stay closed.

        >>> from hrdf_ros import Kinematics
        >>> arm = Kinematics.load('examples/hrdf/arm_6dof.hrdf')
        >>> found = arm.ik('tool', arm.pose('tool', {'shoulder': 0.7, 'elbow': 1.2}))
        >>> bool(found.reached), bool(found.position_error < 1e-6)
        (True, True)
        """
        targets = np.asarray(pose, float)
        if targets.ndim not in (2, 3) or targets.shape[-2:] != (4, 4):
            raise ValueError(f'the pose has shape {targets.shape}, not (4, 4) or (K, 4, 4)')
        many = targets.reshape(-1, 4, 4)
        for target in many:
            from_homogeneous(target.tolist())
        starts = np.broadcast_to(self.resolve(q), (len(many), len(self.coordinates)))
        size = float(np.abs(self.fk()[:, :3, 3]).max(initial=0.0)) or 1.0
        solver = IkSolver(
            self, partial(self.pose, frame), partial(self.jacobian, frame), size, position_only)
        found = solver.solve(many, np.array(starts), np.random.default_rng(1))
        return found if targets.ndim == 3 else IkResult(*(each[0] for each in found))

    @property
    def mass(self) -> float:
        """The mass of all bodies (kg)."""
        return float(self._moments[:, 3].sum())

    def center_of_mass(self, q: Configuration = None) -> Array:
        """
        Return the center of mass (3,) or (K, 3) of all bodies (m), in the root of poses.

        A model without mass or with infinite mass has no center of mass and raises ValueError.

        >>> from hrdf_ros import Kinematics
        >>> Kinematics.load('examples/hrdf/arm_6dof.hrdf').center_of_mass().shape
        (3,)
        """
        if not 0.0 < self.mass < inf:
            raise ValueError(f'the mass of the model is {self.mass!r}: it has no center of mass')
        vector = self.resolve(q)
        moments = np.einsum(
            'mkij,mj->ki', self._tree(as_columns(vector))[..., :3, :], self._moments)
        result: Array = moments / self.mass
        return result if vector.ndim == 2 else result[0]

    def _mass_moments(self) -> Array:
        """Return the first moment (x, y and z in kg m) and the mass (kg) of each node."""
        moments = np.zeros((len(self._layout.nodes), 4))
        for body, location in zip(self.model.bodies, self._layout.bodies):
            if body.inertia is not None:
                center = transform(location.pose, body.inertia.pose.position)
                moments[location.node] += [body.inertia.mass * each for each in (*center, 1.0)]
        return moments

    def _origin(self, name: Optional[str]) -> FixedFrame:
        return FixedFrame(ROOT, IDENTITY) if name is None else self._frame(name)

    def _frame(self, name: str) -> FixedFrame:
        """Return a frame with the node that it is fixed to; an unknown name raises an error."""
        if not isinstance(name, str):
            raise TypeError(f'a frame is given by its name, not {type(name).__name__}')
        location = self._found.get(name)
        if location is None:
            index = find_frame(self.model, name)
            if index is not None:
                location = self._layout.frames[index]
            elif name == self.model.root:
                location = FixedFrame(ROOT, IDENTITY)
            else:
                raise UnknownNameError(
                    f'the model has no frame named {name!r}; {frame_hint(self.model, name)}')
            self._found[name] = location
        return location


def _names(frames: Sequence[str]) -> Sequence[str]:
    if isinstance(frames, str):
        raise TypeError(f'frames is a list of names, not one string; write [{frames!r}]')
    return frames
