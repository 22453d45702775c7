# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Viewers whose sliders drive a robot: the configuration goes out as joint states.

What is published are the coordinates that can be moved: whoever receives them computes those that
follow, and the helper joints of a URDF follow, too. Nothing here knows ROS;
``hrdf_ros.node.sliders`` publishes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Optional

from hrdf_ros.load_result import LoadResult
from hrdf_ros.view.live import LiveViewer
from hrdf_ros.view.viewer import Viewer
import viser

Publish = Callable[[Mapping[str, float]], None]
"""Takes positions by coordinate name; a later call replaces them."""


class DrivingViewer(Viewer):
    """Shows what ``load`` returns, and publishes where the sliders are."""

    def __init__(
        self, server: viser.ViserServer, load: Optional[Callable[[], LoadResult]],
        publish: Publish,
    ) -> None:
        self._publish = publish
        super().__init__(server, load)

    def _refresh(self, *, everywhere: bool) -> None:
        super()._refresh(everywhere=everywhere)
        assert self._motion is not None
        self._publish(self._motion.independent())


class DrivingLiveViewer(LiveViewer):
    """Shows a robot where TF has it, and publishes where the sliders are."""

    def __init__(self, server: viser.ViserServer, publish: Publish) -> None:
        self._publish = publish
        super().__init__(server)
        self._handlers['pose'] = self._on_pose
        self._panel.show_poses()

    def _on_joints(self, positions: Mapping[str, float]) -> None:
        """Leave the sliders alone: they say where the joints shall be, not where they are."""

    def _sliders(self) -> Any:
        return Viewer._sliders(self)

    def _refresh(self, *, everywhere: bool) -> None:
        Viewer._refresh(self, everywhere=everywhere)
        assert self._motion is not None
        self._publish(self._motion.independent())
