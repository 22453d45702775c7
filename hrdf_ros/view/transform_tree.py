# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Transforms as they arrive from TF, without ROS."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Optional

from hrdf_ros.pose import compose, IDENTITY, inverse, Pose

_DEPTH = 2000
"""Ancestors of a frame that are looked at: whoever publishes TF may publish a long chain."""


class TransformTree:
    """The newest transform of each frame."""

    def __init__(self) -> None:
        self._parents: dict[str, tuple[str, Pose]] = {}

    def update(self, transforms: Iterable[tuple[str, str, Pose]]) -> None:
        """Take over newer transforms: parent, child, parent_from_child."""
        for parent, child, pose in transforms:
            self._parents[child.lstrip('/')] = parent.lstrip('/'), pose

    def prefix(
        self, links: Sequence[str], namespace: str = '', others: Collection[str] = (),
    ) -> str:
        """
        Return the prefix that most links have on TF, usually none.

        Prefixes of other namespaces come last; of equal ones the robot's own namespace wins.
        """
        known = {*self._parents, *(parent for parent, _ in self._parents.values())}
        found = {name[:-len(link)] for link in links[:3] for name in known if name.endswith(link)}

        def fit(prefix: str) -> tuple[bool, int, bool]:
            count = sum(prefix + link in known for link in links)
            return not _is_of(prefix, others), count, _is_of(prefix, (namespace,))

        return max(('', *sorted(found)), key=fit)

    def top(self, frame: str) -> Optional[str]:
        """Return the frame above all that TF connects with this one, None if TF has not got it."""
        *_, top = self._ancestors(frame)
        is_known = frame in self._parents or any(
            parent == frame for parent, _ in self._parents.values())
        return top if is_known else None

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
        while frame in self._parents and len(found) < _DEPTH:
            frame, parent_from_child = self._parents[frame]
            if frame in found:
                break
            pose = found[frame] = compose(parent_from_child, pose)
        return found


def _is_of(prefix: str, namespaces: Collection[str]) -> bool:
    """Return whether a prefix is one of the namespaces, or the last part of one."""
    name = prefix.rstrip('/_')
    return bool(name) and any(
        name in (namespace, namespace.rpartition('/')[2]) for namespace in namespaces)
