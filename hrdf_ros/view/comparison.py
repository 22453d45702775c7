# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Two robots in one picture, in which colors show what differs, moved, appeared or vanished."""

from __future__ import annotations

from hrdf_ros.diff import diff_models
from hrdf_ros.view.motion import PosedModel
from hrdf_ros.view.scene import (
    CHANGED,
    difference_colors,
    ONLY_FIRST,
    ONLY_SECOND,
    painted,
    Rgb,
    Scene,
)
import numpy as np

_SAME_POSE = 1e-9
"""
The largest difference between two poses that are equal, in meters and in entries of a rotation
matrix.
"""


def compared_scenes(
    motion: PosedModel, scene: Scene, other: PosedModel, second: Scene,
) -> tuple[Scene, Scene]:
    """Return the scenes of two robots with colors; the second has only what differs."""
    first_model, second_model = motion.model, other.model
    differences = diff_models(first_model, second_model)
    renamed = {one.a: one.b for one in differences if one.is_rename}
    places = {
        body.name: pose for body, pose in zip(
            second_model.bodies, other.frames()[second.body_frames])}
    moved = {}
    for index, (body, pose) in enumerate(
            zip(first_model.bodies, motion.frames()[scene.body_frames])):
        name = renamed.get(body.name, body.name)
        if name in places and np.abs(pose - places[name]).max() > _SAME_POSE:
            moved[name] = index
    colors = {
        **dict.fromkeys(moved.values(), CHANGED),
        **difference_colors(first_model, differences, ONLY_FIRST)}
    other_colors = {
        **{index: CHANGED for index, body in enumerate(second_model.bodies)
           if body.name in moved},
        **difference_colors(second_model, differences, ONLY_SECOND)}
    ghost = painted(second, other_colors, is_ghost=True)
    return painted(scene, colors, is_ghost=False), ghost._replace(
        solids=tuple(solid for solid in ghost.solids if solid.body in other_colors))


def legend(first: str, second: str) -> list[tuple[Rgb, str]]:
    """Return the colors of a comparison, each with its meaning."""
    return [
        (ONLY_FIRST, f'only in {first}'), (ONLY_SECOND, f'only in {second}'),
        (CHANGED, f'moved or changed; transparent: in {second}')]
