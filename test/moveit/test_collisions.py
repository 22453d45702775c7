# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The pairs of links whose collisions are not checked, beside an exhaustive search."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path
from typing import Any
from unittest import mock

from helpers.robots import REPOSITORY
from hrdf_ros import Kinematics, load_model
from hrdf_ros.diagnostics import Report
from hrdf_ros.limits import COLLISION_PAIRS
from hrdf_ros.moveit import (
    as_urdf,
    CollisionLibraryError,
    CollisionSearch,
    disabled_pairs,
    LinkPairs,
    planning_groups,
    RobotTooLargeError,
    StartError,
    UrdfRobot,
    write_srdf,
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
    assert sometimes == {pair for pair in others if 0.0 < fractions[pair] < 1.0}
    assert sometimes == {('l0', 'l2'), ('l0', 'l3'), ('l0', 'l4')}


def test_the_same_seed_gives_the_same_pairs() -> None:
    first, again = (reasons(spheres(), samples=40, seed=7) for _ in range(2))
    assert first == again


SLIDER = '<robot name="slider">{links}' + joint('one', 'a', 'b', '0 0 0') + joint(
    'two', 'b', 'c', '{start}', 'prismatic', '0 0 -1', '0', '2') + '</robot>'
SLIDER_RADII = {'a': 1.0, 'b': 0.01, 'c': 0.1}


def slider(start: str) -> UrdfRobot:
    """Return a robot whose sphere c slides by 2 m through the sphere a, from a height above it."""
    return robot_of(SLIDER.replace('{start}', f'0 0 {start}'), SLIDER_RADII)


def test_only_what_always_touches_is_disabled_as_colliding() -> None:
    """The Setup Assistant also disables what touches at its default or in 95 % of all samples."""
    assert reasons(slider('1.0'))['a', 'c'] == 'Default'  # it stays inside
    assert ('a', 'c') not in reasons(slider('1.12'))  # apart in the first hundredth of its way
    assert ('a', 'c') not in reasons(slider('0.5'))  # touches at first, apart at the end
    assert ('l0', 'l2') not in reasons(spheres())


def test_links_that_are_apart_by_less_than_a_millimeter_touch_by_design() -> None:
    bearing = ('<robot name="bearing">{links}' + joint('one', 'a', 'b', '0 0 5') + joint(
        'two', 'b', 'c', '0 0 {height}', 'prismatic', '0 0 1', '0', '0.0005') + '</robot>')
    found = [
        reasons(robot_of(bearing.replace('{height}', height), SLIDER_RADII)).get(('a', 'c'))
        for height in ('-3.9002', '-3.8998', '-3.8')]
    assert found == ['Default', 'Never', 'Never']


def test_pairs_that_stay_checked_have_both_distances() -> None:
    robot = slider('0.5')
    disabled, checked = CollisionSearch(robot, Report()).pairs()
    assert ('a', 'c') not in {(pair.first, pair.second) for pair in disabled}
    pair, = checked
    assert (pair.first, pair.second, pair.is_default) == ('a', 'c', True)
    assert pair.least == pytest.approx(0.5 - 1.1, abs=1e-6) and 1e-3 < pair.most
    text = write_srdf(robot, planning_groups(robot), LinkPairs(disabled, checked))
    assert f'<!-- checked: a c: -600.0 to {1e3 * pair.most:.1f} mm -->' in text


# ---- home

@pytest.mark.parametrize(('limits', 'given', 'name', 'position'), [
    (('-1', '1'), None, "MoveIt's default", 0.0),
    (('-1', '1'), 0.25, 'the given positions', 0.25),
    (('-1', '1'), 0.55, "MoveIt's default", 0.0),  # what is given touches
    (('-1', '4'), None, 'the middle of all limits', 1.5),
])
def test_home_is_the_first_pose_without_a_collision(
    limits: tuple[str, str], given: float | None, name: str, position: float,
) -> None:
    """A ball on a slider, with an obstacle at 0.6 m; in the last case another one at 0."""
    radii = {'base': 0.01, 'ball': 0.1, 'ahead': 0.1}
    if limits[1] == '4':
        radii['here'] = 0.1
    text = '<robot name="r">{links}' + ''.join((
        joint('slide', 'base', 'ball', '0 0 1', 'prismatic', '1 0 0', *limits),
        joint('a', 'base', 'ahead', '0.6 0 1'),
        joint('b', 'base', 'here', '0 0 1') if 'here' in radii else '')) + '</robot>'
    robot = as_urdf(
        load_model(text.format(links=links(radii))),
        None if given is None else {'slide': given})
    pose, refused = CollisionSearch(robot, Report(), samples=50).start_pose()
    assert (pose.name, pose.positions) == (name, {'slide': position})
    first = robot.starts[0].name
    assert refused == ({} if name == first else {
        first: [('ahead', 'ball')] if given else [('ball', 'here')]})


def test_given_positions_stay_where_others_are_to_blame() -> None:
    """The fingers of the gripper touch at 0, which is not what the user has given."""
    model = load_model((REPOSITORY / 'examples/urdf/gripper_arm.urdf').read_text().replace(
        'soft_lower_limit="0.001"', ''))
    given = {**dict.fromkeys((one.name for one in model.coordinates), 0.0), 'elbow': 0.5}
    pose, refused = CollisionSearch(
        as_urdf(model, given, ['elbow']), Report(), samples=50).start_pose()
    assert pose.name == 'the given positions with the middle of all limits'
    assert pose.positions['elbow'] == 0.5 and pose.positions['finger'] > 0.0
    assert set(refused) == {
        'the given positions', "the given positions with MoveIt's default"}


def test_a_joint_that_closes_a_loop_connects_its_links() -> None:
    found = reasons(as_urdf(load_model(REPOSITORY / 'examples/sdf/four_bar.sdf')), samples=50)
    assert found['coupler', 'rocker'] == 'Adjacent'


def test_home_is_a_sample_where_no_other_pose_is_free() -> None:
    text = '<robot name="r">{links}' + ''.join((
        joint('slide', 'base', 'ball', '0 0 1', 'prismatic', '1 0 0', '-1', '3'),
        joint('a', 'base', 'ahead', '1 0 1'),
        joint('b', 'base', 'here', '0 0 1'))) + '</robot>'
    robot = as_urdf(load_model(text.format(
        links=links({'base': 0.01, 'ball': 0.1, 'ahead': 0.1, 'here': 0.1}))))
    pose, refused = CollisionSearch(robot, Report(), samples=50).start_pose()
    assert list(refused) == ["MoveIt's default", 'the middle of all limits']
    assert pose.name.startswith('sample ') and pose.name.endswith(' of 1000')
    position = pose.positions['slide']
    assert abs(position) > 0.2 and abs(position - 1.0) > 0.2


def test_a_robot_that_always_collides_somewhere_has_no_home() -> None:
    """Its ball always touches one of two overlapping obstacles, but neither of them always."""
    text = '<robot name="r">{links}' + ''.join((
        joint('slide', 'base', 'ball', '0 0 9', 'prismatic', '1 0 0', '-1', '1'),
        joint('a', 'base', 'left', '-1 0 9'),
        joint('b', 'base', 'right', '1 0 9'))) + '</robot>'
    robot = as_urdf(load_model(text.format(
        links=links({'base': 0.01, 'ball': 0.3, 'left': 0.8, 'right': 0.8}))))
    with pytest.raises(StartError, match="'ball' and '(left|right)'"):
        CollisionSearch(robot, Report(), samples=50).start_pose()


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


def test_a_mesh_of_one_triangle_collides(tmp_path: Path) -> None:
    (tmp_path / 'one.obj').write_text('v 0 -1 0\nv 0 1 0\nv 9 0 0\nf 1 2 3\n')
    file = tmp_path / 'robot.urdf'
    text = ('<robot name="mesh">' + link('a', '<mesh filename="one.obj"/>')
            + links({'m': 0.01, 'c': 0.1}) + joint('one', 'a', 'm', '0 0 {z}')
            + joint('two', 'm', 'c', '5 0 0', 'revolute', '0 0 1', '-1', '1') + '</robot>')
    found = []
    for z in (0, 9):
        file.write_text(text.format(z=z))
        found.append(reasons(as_urdf(load_model(file)), samples=50).get(('a', 'c')))
    assert found[0] != 'Never' and found[1] == 'Never'


def test_links_of_a_robot_that_does_not_move_never_collide() -> None:
    text = ('<robot name="still">' + links({'a': 0.1, 'b': 0.1, 'c': 0.1})
            + joint('one', 'a', 'b', '1 0 0') + joint('two', 'b', 'c', '1 0 0') + '</robot>')
    assert reasons(as_urdf(load_model(text)), samples=50)['a', 'c'] == 'Never'


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
