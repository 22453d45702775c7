# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A loaded robot: everything that the node needs of a description, made once and never changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import math
import os
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.tf_transforms import TfTransforms
from hrdf_ros.load import load
from hrdf_ros.model import Model
from hrdf_ros.node.expand import expand
from hrdf_ros.node.settings import Settings
from hrdf_ros.pose import compose, inverse, Pose
from hrdf_ros.resolve import is_text, Resolver
from hrdf_ros.topology import frame_parents, name_frames
from hrdf_ros.writers.urdf import write_urdf
import numpy as np


class StaticTransform(NamedTuple):
    """A transform that never changes; the frame names carry the prefix."""

    parent: str
    child: str
    parent_from_child: Pose


class Robot:
    """
    A description ready to be published.

    ``model`` has one body for each link of ``urdf``; ``described`` is the Model as it was read,
    ``report`` what was found in it, ``written`` what the URDF cannot say. ``named`` are the frames
    by all their names, ``used`` the coordinates of each joint.
    """

    def __init__(
        self,
        described: Model,
        report: Report,
        settings: Settings,
        extra: Optional[SourceFile] = None,
    ) -> None:
        self.described = described
        self.report = report
        self.files = described.files
        self.prefix = settings.frame_prefix
        self.history_duration = settings.history_duration
        self.urdf, self.written = write_urdf(described, extra=extra)
        self.model = expand(described)
        self.joint = {joint.name: joint for joint in self.model.joints}
        self.fixed = frozenset(joint.name for joint in self.model.joints if not joint.motions)
        self.tree = Kinematics(self.model, settings.actuated_joints or None)
        self.topology = self.tree.topology
        self.named = name_frames(self.model)
        self.used = [
            frozenset(coordinate for motion in joint.motions for coordinate in motion.coordinates)
            for joint in self.model.joints]
        self.coordinate = {
            coordinate.name: index for index, coordinate in enumerate(self.model.coordinates)}
        self.turning = np.array(
            [coordinate.kind == 'angle' and math.isinf(coordinate.upper - coordinate.lower)
             for coordinate in self.model.coordinates], dtype=bool)
        self.lower = np.array([coordinate.lower for coordinate in self.model.coordinates])
        self.upper = np.array([coordinate.upper for coordinate in self.model.coordinates])
        self.static = self._static_transforms(settings.publish_frames == 'all')
        self.parents = frame_parents(self.model, self.topology)

    @property
    def root(self) -> str:
        """The name of TF's root frame, without the prefix."""
        return self.model.bodies[self.topology.roots[0]].name

    def frame(self, name: str) -> Optional[int]:
        """Return the frame that a tag or name means, with the prefix or without; None for none."""
        found = self.named.get(name)
        if found is None and self.prefix and name.startswith(self.prefix):
            found = self.named.get(name[len(self.prefix):])
        return found

    def _static_transforms(self, all_frames: bool) -> list[StaticTransform]:
        """Return the fixed joints' transforms, and with ``all_frames`` those of all frames."""
        prefix, bodies = self.prefix, self.model.bodies
        fixed = []
        for body in self.topology.order:
            joint = self.topology.joint[body]
            if joint >= 0 and not self.model.joints[joint].motions:
                of = self.model.joints[joint]
                pose = compose(of.parent_from_joint, inverse(of.child_from_joint))
                parent = bodies[self.topology.parent[body]].name
                fixed.append(StaticTransform(prefix + parent, prefix + bodies[body].name, pose))
        if all_frames:
            fixed += [
                StaticTransform(prefix + bodies[frame.body].name, prefix + frame.name, frame.pose)
                for frame in self.model.frames if frame.name != bodies[frame.body].name]
        return fixed

    def moving_edges(self, moved: set[int], reported: np.ndarray) -> list[int]:
        """Return the joints that some moved coordinate moves, none of theirs unreported."""
        edges = []
        for body in self.topology.order:
            index = self.topology.joint[body]
            if index < 0:
                continue
            used = self.used[index]
            if used & moved and all(reported[coordinate] for coordinate in used - moved):
                edges.append(index)
        return edges

    def frames_of(self, edges: Sequence[int]) -> list[tuple[str, str]]:
        """Return the parent and child frame of joints, with the prefix."""
        bodies, joints = self.model.bodies, self.model.joints
        return [
            (self.prefix + bodies[joints[index].parent].name,
             self.prefix + bodies[joints[index].child].name) for index in edges]

    def motions(self, edges: Sequence[int]) -> Callable[[np.ndarray], np.ndarray]:
        """Return the function from a state to the joints' parent_from_child rows (m, 7)."""
        return TfTransforms(self.model, self.topology, edges).transforms


def load_robot(settings: Settings) -> tuple[Optional[Robot], Report, tuple[str, ...]]:
    """Return the robot that the settings describe, or None; the findings; the files read."""
    text = settings.robot_description
    if text and not is_text(text):
        report = Report()
        report.add(codes.REQUEST_REFUSED, 'the robot_description does not begin with <')
        return None, report, ()
    loaded = load(
        text or os.path.expanduser(settings.model), path=settings.path,
        packages=settings.package_directories, model_name=settings.model_name or None,
        naming=settings.naming, joint_names=settings.joint_names,
        roots=read_roots(settings) if text else None, limits=settings.bounds)
    resolver = Resolver(limits=settings.bounds)
    extra = resolver.read(settings.urdf_extra, loaded.report) if settings.urdf_extra else None
    files = (*loaded.files, settings.urdf_extra) if settings.urdf_extra else loaded.files
    if loaded.model is None or not loaded.report.ok:
        return None, loaded.report, files
    return Robot(loaded.model, loaded.report, settings, extra), loaded.report, files


def read_roots(settings: Settings) -> list[str]:
    """Return the directories below which clients may have files read."""
    roots = list(settings.allowed_roots)
    if settings.model:
        roots.append(os.path.dirname(os.path.abspath(os.path.expanduser(settings.model))))
    roots += list(settings.package_directories.values())
    for prefix in os.environ.get('AMENT_PREFIX_PATH', '').split(':'):
        if prefix:
            roots.append(os.path.join(prefix, 'share'))
    return roots
