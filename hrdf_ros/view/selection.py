# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The frames that a user chooses: the selected one, the one it is relative to, the traced one."""

from __future__ import annotations

from typing import Literal, Optional

from hrdf_ros.kinematics.transforms import Array, invert
from hrdf_ros.model import Model, NONE
from hrdf_ros.pose import from_matrix, Vector
from hrdf_ros.topology import find_frame
from hrdf_ros.view.motion import Unit
from hrdf_ros.view.page_text import about_frame, about_pose
from hrdf_ros.view.scene import NO_MODEL

Purpose = Literal['find', 'relative', 'path']


class Selection:
    """Frames by purpose; they are chosen by name, and stay where a new model has the name too."""

    def __init__(self) -> None:
        self._model = NO_MODEL
        self._names: dict[Purpose, str] = {}
        self._frames: dict[Purpose, Optional[int]] = {}

    def adopt(self, model: Model) -> None:
        """Find the chosen names in another model."""
        self._model = model
        for purpose, name in self._names.items():
            self.choose(purpose, name)

    def choose(self, purpose: Purpose, name: str) -> None:
        """Choose a frame by name, source name or tag; another text chooses none."""
        self._names[purpose] = name
        self._frames[purpose] = find_frame(self._model, name)

    @property
    def body(self) -> int:
        """The body of the selected frame, -1 for none."""
        frame = self._frames.get('find')
        return NONE if frame is None else self._model.frames[frame].body

    def traced(self, root_from_frames: Array) -> Optional[Vector]:
        """Return the position of the frame whose path is drawn."""
        frame = self._frames.get('path')
        if frame is None:
            return None
        x, y, z = root_from_frames[frame, :3, 3].tolist()
        return x, y, z

    def about(self, root_from_frames: Array, unit: Unit) -> str:
        """Return the description of the selected frame and its pose, empty where there is none."""
        frame, origin = self._frames.get('find'), self._frames.get('relative')
        if frame is None:
            return ''
        matrix = root_from_frames[frame]
        if origin is not None:
            matrix = invert(root_from_frames[origin]) @ matrix
        pose = from_matrix(matrix[:3, 3].tolist(), matrix[:3, :3].ravel().tolist())
        return about_frame(self._model, frame) + about_pose(pose, unit)
