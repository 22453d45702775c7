# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A model in a configuration: positions of all coordinates and poses of all frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Optional

from hrdf_ros.model import Model
from hrdf_ros.pose import compose, from_matrix, IDENTITY, inverse, Pose
from hrdf_ros.report import Report
from hrdf_ros.tree import Tree


class State(NamedTuple):
    """
    A solved configuration.

    ``positions`` are those of all coordinates, radians and metres; ``dependent`` are the
    coordinates that were computed: mimics, and the passive ones of closed loops. ``poses`` are
    root_from_frame for each frame of the model, where ``root`` names the frame they are given in.
    """

    root: str
    positions: tuple[float, ...]
    dependent: frozenset[int]
    poses: tuple[Pose, ...]
    report: Report


def solve(model: Model, given: Mapping[str, float], origin: Optional[int]) -> State:
    """Return the state with the coordinates given; poses are relative to the frame ``origin``."""
    tree = Tree(model)
    root_from_frames = tuple(
        from_matrix(matrix[:3, 3].tolist(), matrix[:3, :3].ravel().tolist())
        for matrix in tree.fk(given))
    origin_from_root = IDENTITY if origin is None else inverse(root_from_frames[origin])
    return State(
        model.root if origin is None else model.frames[origin].name,
        tuple(tree.configuration(given).tolist()),
        frozenset(
            index for index, coordinate in enumerate(model.coordinates)
            if coordinate.mimic is not None and coordinate.name not in given),
        tuple(compose(origin_from_root, pose) for pose in root_from_frames), Report())
