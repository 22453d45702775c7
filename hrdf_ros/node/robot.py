# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A published robot, which is immutable and has all that joint states and lookups need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
import math
from typing import Optional

from hrdf_ros import pose
from hrdf_ros.kinematics import DependentSolver, Kinematics
from hrdf_ros.kinematics.tf_transforms import TfTransforms
from hrdf_ros.model import Joint, Model
from hrdf_ros.node.answers import LoadAnswer
from hrdf_ros.node.settings import Settings
from hrdf_ros.topology import name_frames
import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]


class Robot:
    """
    A Model to publish, its kinematics, and tables by name.

    ``loaded`` is the LoadResult that it comes from, pickled and compressed. ``named`` has the
    frames by all their names, ``used`` the coordinates of each joint. ``helpers`` are the fixed
    joints, and the joints that the URDF has in addition to the coordinates (a screw's
    ``bridge/slide``): joint_state_publisher reports them, and they are ignored.
    """

    def __init__(self, answer: LoadAnswer, settings: Settings) -> None:
        assert answer.model is not None
        self.model = answer.model
        self.report = answer.report
        self.loaded = answer.loaded
        self.prefix = settings.frame_prefix
        self.history_duration = settings.history_duration
        self.joint = {joint.name: joint for joint in self.model.joints}
        self.kinematics = Kinematics(self.model, settings.actuated_joints or None)
        self.topology = self.kinematics.topology
        self.edges = [
            joint for body in self.topology.order if (joint := self.topology.joint[body]) >= 0]
        """The joints of the tree, from the root on."""
        self.named = name_frames(self.model)
        self.used = [frozenset(joint.coordinates) for joint in self.model.joints]
        self.coordinate = {
            coordinate.name: index for index, coordinate in enumerate(self.model.coordinates)}
        self.helpers = frozenset(
            joint.name for joint, used in zip(self.model.joints, self.used) if len(used) < 2
        ).difference(self.coordinate)
        self.continuous: Flags = np.array(
            [coordinate.kind == 'angle' and math.isinf(coordinate.upper - coordinate.lower)
             for coordinate in self.model.coordinates], dtype=bool)
        self.lower = np.array([coordinate.lower for coordinate in self.model.coordinates])
        self.upper = np.array([coordinate.upper for coordinate in self.model.coordinates])

    @property
    def root(self) -> str:
        """The name of TF's root frame without the prefix."""
        return self.model.bodies[self.topology.roots[0]].name

    def frame(self, name: str) -> Optional[int]:
        """Return the frame with a tag or name, with or without the prefix; None if unknown."""
        found = self.named.get(name)
        if found is None and self.prefix and name.startswith(self.prefix):
            found = self.named.get(name[len(self.prefix):])
        return found

    def solver(self, given: Iterable[int]) -> DependentSolver:
        """
        Return the solver of the coordinates that depend on the given ones.

        joint_state_publisher reports every joint of the URDF, even those of closed loops. As many
        of the reported joints of a loop as the loop needs to close are computed instead.
        """
        return self.kinematics.dependent_solver(given, yielding=True)

    def moving_edges(self, moved: set[int], reported: Flags) -> list[int]:
        """Return the joints that moved coordinates move, if all of their coordinates are known."""
        return [
            index for index in self.edges if self.used[index] & moved
            and all(reported[coordinate] for coordinate in self.used[index] - moved)]

    def unknown_edges(self, known: set[int]) -> tuple[list[int], frozenset[int]]:
        """Return the joints with several coordinates of which some are unknown, and the latter."""
        edges = [
            index for index in self.edges
            if len(self.used[index]) > 1 and not self.used[index] <= known]
        return edges, frozenset().union(*(self.used[index] for index in edges)) - known

    def frames_of(self, edges: Sequence[int]) -> list[tuple[str, str]]:
        """Return the parent and child frame of each joint, with the prefix."""
        bodies, joints = self.model.bodies, self.model.joints
        return [
            (self.prefix + bodies[joints[index].parent].name,
             self.prefix + bodies[joints[index].child].name) for index in edges]

    def motions(self, edges: Sequence[int]) -> TfTransforms:
        """Return the transforms of joints as functions of the coordinates."""
        return TfTransforms(self.model, self.topology, edges)


def coordinates_from_transform(
    model: Model, joint: Joint, joint_transform: pose.Pose,
) -> Optional[dict[str, float]]:
    """
    Return the coordinates, by name, at which a joint's motions make a transform.

    ``joint_transform`` is the product of the motions, seen in the joint frame. The result is None
    unless the joint has up to three prismatic motions and then one rotation, whose coordinates the
    transform determines.
    """
    *slides, turn = joint.motions or (None,)
    if turn is None or turn.kind not in ('rotation_vector', 'revolute') or any(
            motion.kind != 'prismatic' for motion in slides):
        return None
    vector = pose.rotation_vector(joint_transform)
    turned = vector if turn.kind == 'rotation_vector' else (pose.dot(turn.axis, vector),)
    values = [
        (index, (value - turn.offset) / turn.scale)
        for index, value in zip(turn.coordinates, turned)]
    for motion in slides:
        along = pose.dot(motion.axis, joint_transform.position)
        values.append((motion.coordinates[0], (along - motion.offset) / motion.scale))
    return {model.coordinates[index].name: value for index, value in values}
