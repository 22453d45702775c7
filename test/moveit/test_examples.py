# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The bundled examples look like robots: links that joints connect touch each other."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from helpers.robots import REPOSITORY
from hrdf_ros import load_model
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model
from hrdf_ros.moveit import as_urdf
import numpy as np
import pytest

pytest.importorskip('coal')
from hrdf_ros.moveit.collision_shapes import CollisionShapes

EXAMPLES = sorted(
    file for file in (REPOSITORY / 'examples').rglob('*')
    if file.suffix in ('.hrdf', '.sdf', '.skel', '.urdf') and 'parts' not in file.parts)
TOUCHING = 1e-3
"""Meters: files round."""
FREE = 6
"""Coordinates of a joint that connects nothing."""


def groups(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return a name for the group of each, where pairs are of one group."""
    above = {name: name for name in names}

    def top(name: str) -> str:
        while above[name] != name:
            name = above[name]
        return name

    for a, b in pairs:
        above[top(a)] = top(b)
    return {name: top(name) for name in above}


def apart(model: Model) -> list[list[str]]:
    """Return the groups of links that touch each other, of robots that have several."""
    visuals = tuple(body._replace(collisions=body.visuals) for body in model.bodies)
    robot = as_urdf(model._replace(bodies=visuals))
    shapes = CollisionShapes(robot, Report())
    if len(shapes.links) < 2:
        return []
    row = [robot.home.get(each.name, 0.0) for each in robot.model.coordinates]
    poses = shapes.placed(np.array([row]))[0][0]
    links = {robot.model.bodies[link].name: own for link, own in shapes.links.items()}
    touching = groups(links, (
        (a, b) for a, b in combinations(links, 2)
        if min(shapes.distance(x, y, poses) for x in links[a] for y in links[b]) < TOUCHING))
    names = [body.name for body in model.bodies]
    joined = groups({*names, *links}, (
        (names[joint.parent], names[joint.child]) for joint in model.joints
        if joint.parent >= 0
        and sum(len(motion.coordinates) for motion in joint.motions) < FREE))
    found: dict[tuple[str, str], list[str]] = {}
    for link in links:
        found.setdefault((joined[link], touching[link]), []).append(link)
    robots = [robot for robot, _ in found]
    return [links for (robot, _), links in found.items() if robots.count(robot) > 1]


@pytest.mark.parametrize('file', EXAMPLES, ids=lambda file: str(file.name))
def test_the_links_of_an_example_touch(file: Path) -> None:
    assert apart(load_model(str(file))) == []


def test_a_link_that_floats_is_found() -> None:
    robot = (REPOSITORY / 'examples' / 'urdf' / 'gripper_arm.urdf').read_text()
    assert apart(load_model(robot.replace('0.08 0.11 0.04', '0.01 0.11 0.04')))
