# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A robot that others move: its description, its joints and its transforms arrive as messages.

Nothing here knows ROS; ``hrdf_ros.node.viewer`` brings the messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional

from hrdf_ros.kinematics.transforms import Array, matrices
from hrdf_ros.load_result import LoadResult
from hrdf_ros.pose import IDENTITY, Pose
from hrdf_ros.topology import span
from hrdf_ros.view.texts import about_missing_transforms, overlay
from hrdf_ros.view.transform_tree import Transform, TransformTree
from hrdf_ros.view.viewer import Viewer
import viser

REACH = 0.95
"""What the camera sees of the space around the robot: it moves without being asked."""
_AS_PUBLISHED = 'as published'


class LiveViewer(Viewer):
    """
    Shows a robot where TF has it; its sliders show what is published and cannot be moved.

    Links that TF does not connect with the robot's root are not drawn.
    """

    def __init__(self, server: viser.ViserServer) -> None:
        self._tree = TransformTree()
        self._missing = 0
        super().__init__(server, None)
        self._handlers.update({
            'description': self._on_description, 'joints': self._on_joints,
            'transforms': self._on_transforms, 'pose': lambda _: None})
        self._panel.set_texts({'over': overlay('Waiting for a robot_description.', ())})
        self._panel.hide_poses()

    def receive(self, name: str, content: object) -> None:
        """
        Take a message, from any thread.

        ``('description', LoadResult)``, ``('joints', {name: position})`` or
        ``('transforms', [Transform, ...])``.
        """
        self._messages.put((name, content))

    def _on_description(self, result: LoadResult) -> None:
        if result.model is None:
            self._panel.set_texts({'over': overlay(
                'The robot_description has errors.', result.report)})
        else:
            is_first = self._motion is None
            self._show_result(result)
            if is_first:
                self._drawing.frame_camera(REACH)

    def _on_joints(self, positions: Mapping[str, float]) -> None:
        if self._motion is not None:
            names = self._motion.kinematics.coordinates
            self._motion.move({
                index: positions[name] for index, name in enumerate(names) if name in positions})

    def _on_transforms(self, transforms: Iterable[Transform]) -> None:
        self._tree.update(transforms)

    def _sliders(self) -> Any:
        return tuple(
            slider._replace(depends=_AS_PUBLISHED) for slider in super()._sliders())

    def _refresh(self, *, everywhere: bool) -> None:
        super()._refresh(everywhere=True)

    def _place(self, root_from_bodies: Array) -> None:
        """Draw the links where TF has them, whatever the joints say."""
        assert self._motion is not None
        links = [body.name for body in self._motion.model.bodies]
        prefix = self._tree.prefix(links)
        root = prefix + links[span(self._motion.model).order[0]]
        self._draw([self._tree.relative(root, prefix + link) for link in links])

    def _draw(self, poses: Sequence[Optional[Pose]]) -> None:
        """Draw each link that has a pose."""
        self._missing = sum(pose is None for pose in poses)
        self._drawing.place(matrices([pose or IDENTITY for pose in poses]))
        self._drawing.show_bodies([pose is not None for pose in poses])

    def _configuration(self) -> str:
        return about_missing_transforms(self._missing)
