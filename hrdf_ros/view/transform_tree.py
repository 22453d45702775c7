# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Transforms as they arrive from TF, without ROS."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Optional

from hrdf_ros.pose import compose, IDENTITY, inverse, Pose

_DEEPEST = 2000


class Transform(NamedTuple):
    """What TF says of a frame: ``pose`` is parent_from_child."""

    parent: str
    child: str
    pose: Pose


class TransformTree:
    """The newest transform of each frame."""

    def __init__(self) -> None:
        self._parents: dict[str, tuple[str, Pose]] = {}

    def update(self, transforms: Iterable[Transform]) -> None:
        """Take over newer transforms."""
        for parent, child, pose in transforms:
            self._parents[child.lstrip('/')] = parent.lstrip('/'), pose

    def prefix(self, links: Sequence[str]) -> str:
        """Return the prefix of the names of most links on TF, mostly nothing."""
        known = {*self._parents, *(parent for parent, _ in self._parents.values())}
        found = {name[:-len(link)] for link in links[:3] for name in known if name.endswith(link)}
        return max(
            ('', *sorted(found)), key=lambda prefix: sum(prefix + link in known for link in links))

    def relative(self, root: str, frame: str) -> Optional[Pose]:
        """Return root_from_frame, None where TF does not connect the two."""
        up = self._ancestors(frame)
        for ancestor, root_from_ancestor in self._ancestors(root).items():
            if ancestor in up:
                return compose(inverse(root_from_ancestor), up[ancestor])
        return None

    def _ancestors(self, frame: str) -> dict[str, Pose]:
        """Return ancestor_from_frame of all ancestors, the frame itself first."""
        found = {frame: IDENTITY}
        pose = IDENTITY
        while frame in self._parents and len(found) < _DEEPEST:
            frame, parent_from_child = self._parents[frame]
            if frame in found:
                break
            pose = found[frame] = compose(parent_from_child, pose)
        return found
