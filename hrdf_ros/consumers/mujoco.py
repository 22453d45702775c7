# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rules about MuJoCo, which reads MJCF.

A conversion of another format to MJCF reports what the conversion drops or invents.
"""

from __future__ import annotations

from collections.abc import Iterator

from hrdf_ros.consumers.rules import Item, missing_meshes, Robot, Rule, rule


@rule(
    'mujoco', effect='refuses', says='refuses a file that names a mesh that it does not find',
    cure='put the mesh where <compiler meshdir="..."> says',
    source='mujoco-core 4.0.1 gives this answer: '
    'test/conformance/expected/mjcf/test~diagnostics~mjcf~consumer-refuses.xml.json')
def meshes(robot: Robot) -> Iterator[Item]:
    """Yield the meshes that were not found; a conversion leaves such meshes out."""
    if 'mujoco' in robot.model.conventions.read_by:
        yield from missing_meshes(robot.model)


RULES: tuple[Rule, ...] = (meshes,)
"""The rules about MuJoCo."""
