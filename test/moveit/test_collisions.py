# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The pairs of links whose collisions are not checked, beside an exhaustive search."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path
from typing import Any
from unittest import mock

from hrdf_ros import Kinematics, load_model
from hrdf_ros.diagnostics import Report
from hrdf_ros.limits import COLLISION_PAIRS
from hrdf_ros.moveit import (
    as_urdf,
    CollisionLibraryError,
    disabled_pairs,
    RobotTooLargeError,
    UrdfRobot,
)
import numpy as np
import pytest

coal: Any = pytest.importorskip('coal')

def joint(name: str, parent: str, child: str, origin: str, *moving: str) -> str:
    """Return a joint; ``moving`` are type, axis, lower and upper limit, none of a fixed one."""
    kind, axis, lower, upper = moving or ('fixed', '1 0 0', '0', '0')
    limit = f'<limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/>'
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="{origin}"/><axis xyz="{axis}"/>{limit if moving else ""}</joint>')


SPHERES = '<robot name="spheres">{links}<link name="mark"/>' + ''.join((
    joint('j1', 'l0', 'l1', '1 0 0', 'revolute', '0 0 1', '-3', '3'),
    joint('j2', 'l1', 'l2', '1 0 0', 'revolute', '0 0 1', '-2', '2'),
    joint('j3', 'l2', 'l3', '0.5 0 0', 'prismatic', '1 0 0', '0.5', '1.5'),
    joint('to_mark', 'l3', 'mark', '0 0 0'),
    joint('j4', 'mark', 'l4', '0.3 0 0', 'revolute', '0 1 0', '-1', '1'),
    joint('j5', 'l4', 'l5', '0 0 5'))) + '</robot>'
RADII = {'l0': 0.3, 'l1': 0.2, 'l2': 0.65, 'l3': 0.2, 'l4': 0.35, 'l5': 0.1}


def link(name: str, geometry: str) -> str:
    return f'<link name="{name}"><collision><geometry>{geometry}</geometry></collision></link>'


def links(radii: dict[str, float]) -> str:
    return ''.join(
        link(name, f'<sphere radius="{radius}"/>') for name, radius in radii.items())


def robot_of(text: str, radii: dict[str, float]) -> UrdfRobot:
    return as_urdf(load_model(text.format(links=links(radii))))


def spheres() -> UrdfRobot:
    return robot_of(SPHERES, RADII)


def grid(robot: UrdfRobot, steps: dict[str, int]) -> np.ndarray:
    """Return all combinations of evenly spaced positions, limits included."""
    axes = []
    for coordinate in robot.model.coordinates:
        lower, upper = max(coordinate.lower, -np.pi), min(coordinate.upper, np.pi)
        axes.append(np.linspace(lower, upper, steps.get(coordinate.name, 1)))
    return np.array(list(product(*axes)))


def reasons(robot: UrdfRobot, **options: int) -> dict[tuple[str, str], str]:
    report = Report()
    pairs = disabled_pairs(robot, report, **options)
    assert not list(report)
    return {(pair.first, pair.second): pair.reason for pair in pairs}


def test_spheres_are_as_an_exhaustive_search_finds_them() -> None:
    """Distances of centers on a dense grid, without the library."""
    robot = spheres()
    rows = grid(robot, {'j1': 61, 'j2': 61, 'j3': 31, 'j4': 9})
    poses = Kinematics(robot.model).poses(rows)
    fractions = {
        (a, b): float((np.linalg.norm(
            poses[a][:, :3, 3] - poses[b][:, :3, 3], axis=1) <= RADII[a] + RADII[b]).mean())
        for a, b in combinations(RADII, 2)}
    found = reasons(robot)
    adjacent = {('l0', 'l1'), ('l1', 'l2'), ('l2', 'l3'), ('l3', 'l4'), ('l4', 'l5')}
    assert {pair for pair, reason in found.items() if reason == 'Adjacent'} == adjacent
    others = set(fractions) - adjacent
    assert {pair for pair, reason in found.items() if reason == 'Never'} == {
        pair for pair in others if fractions[pair] == 0.0}
    sometimes = others - found.keys()
    assert sometimes == {pair for pair in others if 0.0 < fractions[pair] <= 0.95} - {
        pair for pair, reason in found.items() if reason == 'Default'}
    assert sometimes == {('l0', 'l2'), ('l0', 'l3'), ('l0', 'l4')}


def test_the_same_seed_gives_the_same_pairs() -> None:
    first, again = (reasons(spheres(), samples=40, seed=7) for _ in range(2))
    assert first == again


def test_what_collides_at_the_default_configuration() -> None:
    """Joints are at 0, or at the middle of limits without 0."""
    assert reasons(robot_of(SPHERES, {**RADII, 'l0': 1.5}))['l0', 'l2'] == 'Default'
    assert ('l0', 'l2') not in reasons(spheres())
    bent = SPHERES.replace('lower="-3" upper="3"', 'lower="2" upper="3"')
    assert reasons(robot_of(bent, RADII))['l0', 'l2'] == 'Default'


def test_what_nearly_always_collides() -> None:
    """A slider leaves a sphere in the first hundredth of its way, where the default is."""
    text = '<robot name="slider">{links}' + joint('one', 'a', 'b', '0 0 0') + joint(
        'two', 'b', 'c', '0 0 1.12', 'prismatic', '0 0 -1', '0', '{upper}') + '</robot>'
    always, sometimes = (
        reasons(robot_of(text.replace('{upper}', upper), {'a': 1.0, 'b': 0.01, 'c': 0.1}))
        for upper in ('2', '9'))
    assert always['a', 'c'] == 'Always'
    assert ('a', 'c') not in sometimes


def test_a_mesh_collides_as_what_it_shows(tmp_path: Path) -> None:
    """A cube of triangles reaches a sphere that slides beside it only if it is stretched."""
    corners = list(product((0.0, 1.0), repeat=3))
    faces = [(a + 1, b + 1, c + 1) for a, b, c in combinations(range(8), 3)]
    (tmp_path / 'cube.obj').write_text(
        ''.join(f'v {x} {y} {z}\n' for x, y, z in corners)
        + ''.join(f'f {a} {b} {c}\n' for a, b, c in faces))
    text = ('<robot name="mesh">' + link('a', '<mesh filename="cube.obj" scale="{scale} 1 1"/>')
            + links({'m': 0.01, 'c': 0.1}) + joint('one', 'a', 'm', '-9 0 0') + joint(
                'two', 'm', 'c', '12 0.5 0', 'prismatic', '0 0 1', '0.5', '8') + '</robot>')
    found = []
    for scale in (1, 4):
        file = tmp_path / 'mesh.urdf'
        file.write_text(text.format(scale=scale))
        found.append(reasons(as_urdf(load_model(file)), samples=400).get(('a', 'c')))
    assert found == ['Never', None]


def test_a_link_whose_mesh_is_damaged_stays_checked(tmp_path: Path) -> None:
    (tmp_path / 'damaged.stl').write_text('solid nothing\nendsolid nothing\n')
    file = tmp_path / 'robot.urdf'
    file.write_text(SPHERES.format(links=links(RADII).replace(
        '<sphere radius="0.1"/>', '<mesh filename="damaged.stl"/>')))
    report = Report()
    pairs = disabled_pairs(as_urdf(load_model(file)), report, samples=50)
    assert [found.code for found in report] == ['mesh-unreadable']
    assert [pair.reason for pair in pairs if 'l5' in pair] == ['Adjacent']


def test_without_the_library() -> None:
    with mock.patch.dict('sys.modules', {'coal': None}), pytest.raises(CollisionLibraryError):
        disabled_pairs(spheres(), Report())


def test_more_pairs_than_memory_is_good_for_are_refused() -> None:
    shapes = '<collision><geometry><sphere radius="1"/></geometry></collision>' * 230
    links = ''.join(f'<link name="l{index}">{shapes}</link>' for index in range(3))
    robot = as_urdf(load_model(
        f'<robot name="r">{links}<joint name="a" type="continuous"><parent link="l0"/>'
        '<child link="l1"/></joint><joint name="b" type="continuous"><parent link="l1"/>'
        '<child link="l2"/></joint></robot>'))
    with pytest.raises(RobotTooLargeError, match=f'52900 pairs .* {COLLISION_PAIRS} are the most'):
        disabled_pairs(robot, Report())
