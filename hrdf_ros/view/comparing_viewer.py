# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer of two descriptions over each other."""

from __future__ import annotations

from collections.abc import Callable
import os
from typing import Optional

from hrdf_ros.diff import diff_models
from hrdf_ros.file_watch import FileWatch
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model
from hrdf_ros.view.comparison import about_differences, color_differences, painted
from hrdf_ros.view.drawing import Drawing
from hrdf_ros.view.motion import PosedModel
from hrdf_ros.view.scene import build_scene, Scene
from hrdf_ros.view.texts import overlay
from hrdf_ros.view.viewer import Viewer
import viser

Load = Callable[[], LoadResult]


class ComparingViewer(Viewer):
    """
    Shows two robots at once: the sliders of the first move both, by the names of coordinates.

    What ``hrdf diff`` finds has a color; the second robot can be looked through.
    """

    def __init__(
        self, server: viser.ViserServer, load: Load, load_second: Load, names: tuple[str, str],
    ) -> None:
        self._load_second = load_second
        self._names = os.path.basename(names[0]), os.path.basename(names[1])
        self._second: Optional[PosedModel] = None
        self._second_frames: list[int] = []
        self._over = Drawing(server, lambda _: None, root='/second')
        super().__init__(server, load)

    def reload(self) -> None:
        """Load both again."""
        super().reload()
        second = self._load_second()
        self._watch = FileWatch(tuple(dict.fromkeys((*self._watch.files, *second.files))))
        if second.model is None:
            self._panel.set_texts({'over': overlay(
                f'{self._names[1]} has errors.', second.report)})
        elif self._motion is not None:
            self._compare(self._motion.model, second.model)

    def _compare(self, first: Model, second: Model) -> None:
        """Color what differs, and draw the second robot."""
        assert self._scene is not None and self._motion is not None
        differences = diff_models(first, second)
        colors = color_differences(first, second, differences)
        self._panel.set_texts({'notes': about_differences(differences, *self._names)})
        self._drawing.show(first, painted(self._scene, colors.first, is_ghost=False))
        self._second = PosedModel(second)
        scene: Scene = build_scene(second, self._second.frames(), self._meshes)
        self._second_frames = list(scene.body_frames)
        self._over.show(second, painted(scene, colors.second, is_ghost=True))
        self._refresh(everywhere=True)

    def _place(self, root_from_bodies: Array) -> None:
        """Draw both where the configuration of the first has them."""
        super()._place(root_from_bodies)
        if self._second is not None and self._motion is not None:
            self._second.adopt(self._motion)
            self._over.place(self._second.frames()[self._second_frames])
