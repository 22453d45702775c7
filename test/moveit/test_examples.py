# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The collision shapes of bundled examples: they touch as those of robots do."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from helpers.robots import REPOSITORY
from hrdf_ros import load_model
from hrdf_ros.diagnostics import Report
from hrdf_ros.moveit import as_urdf
import numpy as np
import pytest

pytest.importorskip('coal')
from hrdf_ros.moveit.collision_shapes import CollisionShapes

EXAMPLES = REPOSITORY / 'examples'
ARM = 'urdf/gripper_arm.urdf'
TOUCHING = 1e-3
"""Meters: files round."""
FREE = 6
"""Coordinates of a joint that connects nothing."""


def parts(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> set[frozenset[str]]:
    """Return the names that pairs connect with each other."""
    part = {name: frozenset([name]) for name in names}
    for a, b in pairs:
        part.update(dict.fromkeys(part[a] | part[b], part[a] | part[b]))
    return set(part.values())


def gaps(text: str) -> list[frozenset[str]]:
    """Return the links that joints connect without touching each other."""
    model = load_model(text)
    robot = as_urdf(model._replace(bodies=tuple(
        body._replace(collisions=body.visuals) for body in model.bodies)))
    shapes = CollisionShapes(robot, Report())
    row = [robot.home.get(each.name, 0.0) for each in robot.model.coordinates]
    poses = shapes.placed(np.array([row]))[0][0]
    links = {link: robot.model.bodies[link].name for link in shapes.links}
    touching = parts(links.values(), (
        (links[a], links[b]) for a, b in combinations(links, 2)
        if shapes.placed_distance((a, b), poses) < TOUCHING))
    names = [body.name for body in model.bodies]
    joined = parts({*names, *links.values()}, (
        (names[joint.parent], names[joint.child]) for joint in model.joints
        if joint.parent >= 0
        and sum(len(motion.coordinates) for motion in joint.motions) < FREE))
    return [part for part in joined if not any(
        part.intersection(links.values()) <= t for t in touching)]


@pytest.mark.parametrize('file', [
    'hrdf/arm_6dof.hrdf', 'hrdf/hexapod.hrdf', 'sdf/four_bar.sdf', 'skel/humanoid.skel', ARM])
def test_links_that_joints_connect_touch(file: str) -> None:
    assert gaps(str(EXAMPLES / file)) == []
