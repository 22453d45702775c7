# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The kinematic tree of a model as flat arrays."""

from __future__ import annotations

from typing import Optional

from hrdf_ros.model import Model
from hrdf_ros.pose import IDENTITY
from hrdf_ros.topology import find_frame, span
from hrdf_ros.tree.coordinates import Configuration, Coordinates, UnknownNameError
from hrdf_ros.tree.factors import lay_out, Place, ROOT
from hrdf_ros.tree.forward import Forward
from hrdf_ros.tree.rigid import Array, chain, invert, matrices
import numpy as np

# Configurations are computed in blocks of about this many node transforms: what a cache holds.
BLOCK = 8192


class Tree:
    """
    Kinematics of a model.

    Transforms are 4x4 matrices ``a_from_b`` in metres. A configuration ``q`` is None (start
    values), a vector (n,) or a batch (K, n) in the order of ``coordinates``, or a mapping from
    names to values where what is not named has its start value. Followers (mimic coordinates) are
    computed from their leaders; only a mapping that names a follower overrules it.

    Frames are given by tag, name or source name. An unknown one is an UnknownNameError (a
    KeyError), as is an unknown coordinate; a ``q`` of another shape is a ValueError.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.topology = span(model)
        self._coordinates = Coordinates(model.coordinates)
        self._layout = lay_out(model, self.topology)
        self._forward = Forward(self._layout.nodes)
        self._frame_nodes = np.array([place.node for place in self._layout.frames], dtype=np.intp)
        self._node_from_frames = matrices([place.pose for place in self._layout.frames])[:, None]
        self._found: dict[str, Place] = {}

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of all coordinates, in the order of the vector."""
        return self._coordinates.names

    def configuration(self, q: Configuration = None) -> Array:
        """Return the values of all coordinates, (n,) or (K, n), the computed ones included."""
        return self._coordinates.vector(q)

    def fk(self, q: Configuration = None) -> Array:
        """Return root_from_frame of all frames of the model, (F, 4, 4), or (K, F, 4, 4)."""
        vector = self._coordinates.vector(q)
        columns = _columns(vector)
        result = np.empty((columns.shape[1], len(self._frame_nodes), 4, 4))
        block = max(1, BLOCK // len(self._layout.nodes))
        for start in range(0, len(result), block):
            nodes = self._forward(columns[:, start:start + block])
            np.matmul(
                nodes.take(self._frame_nodes, 0), self._node_from_frames,
                out=result[start:start + block].swapaxes(0, 1))
        return result if vector.ndim == 2 else result[0]

    def pose(
        self, frame: str, relative_to: Optional[str] = None, q: Configuration = None,
    ) -> Array:
        """
        Return relative_from_frame, (4, 4) or (K, 4, 4), from the joints between the two alone.

        Without ``relative_to`` it is relative to the root of poses, as in ``fk``.
        """
        vector = self._coordinates.vector(q)
        target = self._place(frame)
        origin = Place(ROOT, IDENTITY) if relative_to is None else self._place(relative_to)
        down, up = self._path(origin.node, target.node)
        steps = self._forward.steps(_columns(vector), up + down)
        ends = matrices((origin.pose, target.pose))
        result = invert(chain(steps[:len(up)]) @ ends[0]) if up else invert(ends[:1])
        if down:
            result = result @ chain(steps[len(up):])
        result = np.broadcast_to(result @ ends[1], (steps.shape[1], 4, 4))
        return result if vector.ndim == 2 else result[0]

    def _place(self, name: str) -> Place:
        """Return where a frame is fixed."""
        place = self._found.get(name)
        if place is None:
            index = find_frame(self.model, name)
            if index is not None:
                place = self._layout.frames[index]
            elif name == self.model.root:
                place = Place(ROOT, IDENTITY)
            else:
                raise UnknownNameError(f'the model has no frame named {name!r}')
            self._found[name] = place
        return place

    def _path(self, origin: int, target: int) -> tuple[list[int], list[int]]:
        """Return the nodes down to the target and down to the origin from where they part."""
        nodes = self._layout.nodes
        down, up = [], []
        while origin != target:
            if origin > target:
                up.append(origin)
                origin = nodes[origin].parent
            else:
                down.append(target)
                target = nodes[target].parent
        return down[::-1], up[::-1]


def _columns(vector: Array) -> Array:
    """Return the coordinates (n,) or (K, n) as (n + 1, K), with a row of zeros at the end."""
    rows = np.atleast_2d(vector)
    columns = np.zeros((rows.shape[1] + 1, len(rows)))
    columns[:-1] = rows.T
    return columns
