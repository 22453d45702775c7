# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A Model in pinocchio, for dynamics: gravity torques, mass matrix, derivatives.

Each motion of a joint is a joint in pinocchio, so universal, planar and free joints are chains of
joints there, and a rotation vector is a quaternion. A mimic coordinate is a joint of its own,
which ``velocity_map`` folds into its leader. A joint that closes a loop ends in a constraint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from importlib import import_module
from math import isfinite
from typing import Any

from hrdf_ros.inertia import Inertia, tensor_in_body
from hrdf_ros.kinematics.configuration_space import Configuration
from hrdf_ros.kinematics.forward import as_columns, right_jacobian
from hrdf_ros.kinematics.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array, matrices, turn
from hrdf_ros.kinematics.tree_layout import FixedFrame, lay_out, Node, TreeLayout
from hrdf_ros.model import Coordinate, Model
from hrdf_ros.names import Names
from hrdf_ros.pose import Pose
import numpy as np

_HELD = ('initial_position', 'mimic', 'location')
"""
The fields of coordinates that ``PinocchioRobot.q`` and ``velocity_map`` apply, and the location.
"""
_OF_JOINTS = ('lower', 'upper', 'velocity', 'effort', 'damping', 'friction', 'armature')
"""The fields that pinocchio's model holds for a joint with one coordinate."""


class PinocchioRobot:
    """
    A robot in pinocchio, and the map between its vectors and those of ``Kinematics``.

    ``model`` is a ``pinocchio.Model`` whose frames have our names. ``constraints`` are the
    ``RigidConstraintModel`` of closed loops, empty without loops. ``left_out`` lists what
    pinocchio has no place for, such as the stiffness of a spring.
    """

    def __init__(self, model: Model) -> None:
        self.kinematics = Kinematics(model)
        layout = lay_out(model, self.kinematics.topology)
        self._nodes = layout.nodes[1:]
        self.model = _make_model(model, layout)
        self.left_out = tuple(_left_out(model))
        self.constraints = [
            _library().RigidConstraintModel(
                _library().ContactType.CONTACT_6D, self.model,
                *_end(loop.moved), *_end(loop.fixed))
            for loop in layout.loops]

    def __repr__(self) -> str:
        """Return one line with the name of the model and pinocchio's sizes."""
        return (
            f'<PinocchioRobot {self.kinematics.model.name!r}: nq {self.model.nq}, '
            f'nv {self.model.nv}>')

    def __eq__(self, other: object) -> bool:
        """Return whether the Models are the same."""
        if not isinstance(other, PinocchioRobot):
            return NotImplemented
        return self.kinematics == other.kinematics

    def __hash__(self) -> int:
        return hash(self.kinematics)

    def __reduce__(self) -> tuple[type[PinocchioRobot], tuple[object, ...]]:
        """Pickle only the Model; all else is made from it."""
        return PinocchioRobot, (self.kinematics.model,)

    def q(self, q: Configuration = None) -> Array:
        """
        Return pinocchio's configuration (nq,) for one of ours (n,), rad and m.

        A batch raises ValueError.
        """
        vector = self._resolved(q)
        parts = [
            turn(self._angles(node, vector))[3:] if len(node.coordinates) == 3
            else self._angles(node, vector) for node in self._nodes]
        return np.concatenate([np.zeros(0), *parts])

    def velocity_map(self, q: Configuration = None) -> Array:
        """
        Return the matrix (nv, n) from velocities of our coordinates to those of pinocchio.

        The columns of dependent coordinates are zero: their contribution is in the columns of the
        coordinates that they depend on. The transpose of the matrix maps torques of pinocchio to
        ours.
        """
        vector = self._resolved(q)
        solver = self.kinematics.dependent_solver()
        twists, coordinates, row = [], [], 0
        for node in self._nodes:
            slope = np.array([[node.angle[0] or node.slide[0]]])
            if len(node.coordinates) == 3:
                slope = right_jacobian(self._angles(node, vector)) * node.angle[0]
            for part, coordinate in enumerate(node.coordinates):
                twist = np.zeros((1, self.model.nv))
                twist[0, row:row + len(slope)] = slope[:, part]
                twists.append(twist)
                coordinates.append(coordinate)
            row += len(slope)
        result = np.zeros((1, self.model.nv, len(vector)))
        if twists:
            solver.gather(
                np.array(twists), np.array(coordinates, dtype=np.intp), as_columns(vector), result)
        return np.asarray(result[0])

    def v(self, velocities: Array, q: Configuration = None) -> Array:
        """Return pinocchio's velocities (nv,) for those of our coordinates (n,), rad/s and m/s."""
        return np.asarray(self.velocity_map(q) @ velocities)

    def _resolved(self, q: Configuration) -> Array:
        vector = self.kinematics.resolve(q)
        if vector.ndim != 1:
            raise ValueError('pinocchio takes one configuration, not a batch')
        return vector

    @staticmethod
    def _angles(node: Node, vector: Array) -> Array:
        """Return the positions of a node's joint, which are three for a rotation vector."""
        scale, offset = node.angle if node.angle[0] else node.slide
        return np.asarray(vector[list(node.coordinates)] * scale + offset)


def to_pinocchio(model: Model) -> PinocchioRobot:
    """
    Return a Model in pinocchio; ValueError names a link or joint that pinocchio cannot hold.

    It requires the library pinocchio: ``pip install pin``.

    >>> from hrdf_ros import load_model, to_pinocchio
    >>> robot = to_pinocchio(load_model('examples/skel/humanoid.skel'))
    >>> robot.model.nq, robot.model.nv, robot.velocity_map().shape
    (37, 35, (35, 35))
    """
    return PinocchioRobot(model)


def _make_model(source: Model, layout: TreeLayout) -> Any:
    """Return the model of pinocchio, in which joint i is node i and the universe is the root."""
    made = _library().Model()
    made.name = source.name
    if source.gravity is not None:
        made.gravity.linear = np.array(source.gravity)
    names = Names()
    names.claim('universe')
    for node in layout.nodes[1:]:
        own = [source.coordinates[index] for index in node.coordinates]
        if not (node.angle[0] or node.slide[0]):
            raise ValueError(
                f"pinocchio cannot hold the joint of '{own[0].name}', which moves nothing")
        joint, placement = _joint(node)
        made.addJoint(node.parent, joint, _se3(placement), names.claim(own[0].name))
        if len(own) == 1:
            _limit(made, own[0], node)
    for body, location in zip(source.bodies, layout.bodies):
        if body.inertia is not None:
            made.appendBodyToJoint(
                location.node, _inertia(body.name, body.inertia), _se3([location.pose]))
    for frame, location in zip(source.frames, layout.frames):
        made.addFrame(_library().Frame(
            frame.name, location.node, _se3([location.pose]), _library().FrameType.OP_FRAME))
    return made


def _left_out(model: Model) -> Iterator[str]:
    """Yield the names of the fields whose facts pinocchio has no place for."""
    many = {index for joint in model.joints for motion in joint.motions
            if len(motion.coordinates) > 1 for index in motion.coordinates}
    for index, coordinate in enumerate(model.coordinates):
        for field, default in Coordinate._field_defaults.items():
            is_held = field in _HELD or (field in _OF_JOINTS and index not in many)
            if not is_held and getattr(coordinate, field) != default:
                yield f'{field} of {coordinate.name!r}'
    yield from (f'{each.kind} {each.name!r}' for each in model.constraints)


def _joint(node: Node) -> tuple[Any, Iterable[Pose]]:
    """Return the joint of pinocchio for a node, and the poses whose product is its placement."""
    axis = np.array(node.axis)
    (turns, turned), (slides, slid) = node.angle, node.slide
    if len(node.coordinates) == 3:
        return _library().JointModelSpherical(), (node.before,)
    if not turns:
        return _library().JointModelPrismaticUnaligned(axis), (node.before,)
    pitch = slides / turns
    along = Pose(*(axis * (slid - pitch * turned)).tolist())
    if not slides:
        return _library().JointModelRevoluteUnaligned(axis), (node.before, along)
    return _library().JointModelHelicalUnaligned(axis, pitch), (node.before, along)


def _limit(made: Any, coordinate: Coordinate, node: Node) -> None:
    """Set the limits, damping, friction and armature of the joint that was added last."""
    scale, offset = node.angle if node.angle[0] else node.slide
    ends = sorted((coordinate.lower * scale + offset, coordinate.upper * scale + offset))
    made.lowerPositionLimit[-1:], made.upperPositionLimit[-1:] = ends
    made.velocityLimit[-1:] = coordinate.velocity * abs(scale)
    made.effortLimit[-1:] = coordinate.effort / abs(scale)
    made.damping[-1:] = coordinate.damping / scale ** 2
    made.armature[-1:] = coordinate.armature / scale ** 2
    made.friction[-1:] = coordinate.friction / abs(scale)


def _inertia(name: str, inertia: Inertia) -> Any:
    xx, yy, zz, xy, xz, yz = tensor_in_body(inertia)
    if not all(map(isfinite, (inertia.mass, xx, yy, zz, xy, xz, yz))):
        raise ValueError(f"pinocchio cannot hold the inertia of the link '{name}'")
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return _library().Inertia(inertia.mass, np.array(inertia.pose.position), tensor)


def _end(location: FixedFrame) -> tuple[int, Any]:
    return location.node, _se3([location.pose])


def _se3(poses: Iterable[Pose]) -> Any:
    product = reduce(np.matmul, matrices(list(poses)))
    return _library().SE3(product[:3, :3], product[:3, 3])


def _library() -> Any:
    return import_module('pinocchio')  # imported late: it takes long, and is optional
