# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Robots in namespaces on one page, each moved by its own messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hrdf_ros.diagnostics import Report
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array, matrices
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model
from hrdf_ros.view.group import (
    about_group,
    arrange,
    Arrangement,
    combine,
    link_poses,
    NamespacedRobot,
)
from hrdf_ros.view.live import LiveViewer, REACH
from hrdf_ros.view.scene import build_scene
from hrdf_ros.view.texts import overlay
import numpy as np
import viser


class LiveGroupViewer(LiveViewer):
    """
    Shows the robots of namespaces, each as ``LiveViewer`` does, and in its place on TF.

    The content of ``description`` and ``joints`` is ``(namespace, content)``.
    """

    def __init__(self, server: viser.ViserServer, namespaces: Sequence[str]) -> None:
        self._namespaces = tuple(namespaces)
        self._known: dict[str, NamespacedRobot] = {}
        self._failed: dict[str, Report] = {}
        self._arrangement = Arrangement(None, ())
        super().__init__(server)

    def _robots(self) -> list[NamespacedRobot]:
        return [self._known[name] for name in self._namespaces if name in self._known]

    def _on_description(self, content: Any) -> None:
        namespace, result = content
        if result.model is None:
            self._failed[namespace] = result.report
            self._show_errors()
        else:
            self._failed.pop(namespace, None)
            is_first = namespace not in self._known
            self._known[namespace] = NamespacedRobot(
                namespace.strip('/'), result.model, self._size(result.model))
            self._show_robots(is_elsewhere=is_first)

    def _size(self, model: Model) -> float:
        return build_scene(model, Kinematics(model).fk(), self._meshes).size

    def _show_robots(self, *, is_elsewhere: bool) -> None:
        """Draw all robots anew; the camera stays unless one of them is elsewhere."""
        self._arrangement = arrange(self._robots(), self._tree)
        self._show_result(LoadResult(combine(self._robots()), Report(), ()))
        if is_elsewhere:
            self._drawing.frame_camera(REACH)
        self._show_errors()

    def _show_errors(self) -> None:
        for namespace, report in self._failed.items():
            self._panel.set_texts({'over': overlay(
                f'The robot_description of {namespace} has errors.', report)})

    def _on_joints(self, content: Any) -> None:
        namespace, positions = content
        named: Mapping[str, float] = {
            f'{namespace.strip("/")}/{name}': value for name, value in positions.items()}
        super()._on_joints(named)

    def _refresh(self, *, everywhere: bool) -> None:
        before, self._arrangement = self._arrangement, arrange(self._robots(), self._tree)
        if self._arrangement.groups != before.groups:
            self._show_robots(is_elsewhere=True)
            return
        super()._refresh(everywhere=everywhere)
        waiting = [f'{name}/robot_description' for name in self._namespaces
                   if name not in self._known]
        self._panel.set_texts({
            'notes': about_group(self._robots(), self._arrangement, waiting)})

    def _frames(self) -> Array:
        """Return the frames of each robot from where its root is."""
        root_from_frames = super()._frames()
        counts = [len(robot.model.frames) for robot in self._robots()]
        roots = matrices([place.pose for place in self._arrangement.places])
        return np.repeat(roots, counts, axis=0) @ root_from_frames

    def _place(self, _: Array) -> None:
        """Draw the links where TF has them, whatever the joints say."""
        self._draw([
            pose for robot, place in zip(self._robots(), self._arrangement.places)
            for pose in link_poses(robot, place, self._tree)])

    def _show_center_of_mass(self) -> None:
        """Show that of each link only: robots have no common one."""
