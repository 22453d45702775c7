# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Each rule of the generic checks, on Models made by hand."""

from math import inf, nan

from hrdf_ros.check import check_model
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.inertia import Inertia
from hrdf_ros.load import load
from hrdf_ros.model import (
    Body,
    Box,
    Conventions,
    Coordinate,
    Frame,
    Joint,
    Mesh,
    Mimic,
    Model,
    Motion,
    Shape,
)
from hrdf_ros.pose import Pose
from hypothesis import example, given, strategies
import pytest

UNIT = Inertia(1.0, Pose(), 1.0, 1.0, 1.0)
HERE = Location('m.urdf', 3, 5)


def body(name: str, inertia: Inertia | None = UNIT, **more: object) -> Body:
    return Body(name, name, inertia, location=HERE, **more)  # type: ignore[arg-type]


def turning(name: str, parent: int, child: int, coordinate: int) -> Joint:
    motion = Motion('revolute', (0.0, 0.0, 1.0), (coordinate,))
    return Joint(name, name, 'revolute', parent, child, motions=(motion,), location=HERE)


def arm(**changes: object) -> Model:
    """Return a sound model of two bodies and a revolute joint, with some fields changed."""
    model = Model(
        'arm', 'urdf', '1.0', 'a', bodies=(body('a'), body('b')),
        joints=(turning('j', 0, 1, 0),), coordinates=(Coordinate('j', 'angle', -1.0, 1.0),),
        frames=(Frame('a', 'a', 'link', 0), Frame('b', 'b', 'link', 1)))
    return model._replace(**changes)  # type: ignore[arg-type]


def found_in(model: Model) -> list[tuple[str, str]]:
    report = Report()
    check_model(model, report)
    return [(found.severity, found.code) for found in report]


def with_motion(**changes: object) -> Model:
    joint = turning('j', 0, 1, 0)
    motion = joint.motions[0]._replace(**changes)  # type: ignore[arg-type]
    return arm(joints=(joint._replace(motions=(motion,)),))


def with_inertia(inertia: Inertia) -> Model:
    return arm(bodies=(body('a'), body('b', inertia)))


def with_coordinate(**changes: object) -> Model:
    return arm(coordinates=(
        Coordinate('j', 'angle')._replace(**changes),))  # type: ignore[arg-type]


@pytest.mark.parametrize('bad', [nan, inf, -inf])
def test_poses_must_be_finite(bad: float) -> None:
    pose = Pose(0.0, bad, 0.0)
    joint = turning('j', 0, 1, 0)
    expected = [('error', 'not-finite')]
    assert found_in(arm(pose=pose)) == expected
    assert found_in(arm(bodies=(body('a', pose=pose), body('b')))) == expected
    assert found_in(arm(joints=(joint._replace(parent_from_joint=pose),))) == expected
    assert found_in(arm(joints=(joint._replace(child_from_joint=pose),))) == expected
    assert found_in(arm(frames=(Frame('f', 'f', 'frame', 0, pose),))) == expected
    assert found_in(with_motion(offset=bad)) == expected
    assert found_in(with_coordinate(initial_position=bad)) == expected
    assert found_in(with_coordinate(mimic=Mimic(0, 1.0, bad)))[0] == expected[0]


@pytest.mark.parametrize('bad', [nan, inf, -inf])
def test_other_numbers_should_be_finite(bad: float) -> None:
    expected = ('warning', 'not-finite')
    assert expected in found_in(with_inertia(UNIT._replace(mass=bad)))
    assert expected in found_in(with_inertia(UNIT._replace(iyz=bad)))
    assert expected in found_in(with_coordinate(damping=bad))
    shape = Shape('s', Box((1.0, bad, 1.0)))
    assert expected in found_in(arm(bodies=(body('a', visuals=(shape,)), body('b'))))
    assert expected in found_in(arm(gravity=(0.0, 0.0, bad)))


@pytest.mark.parametrize('limits', [
    {'lower': nan}, {'upper': nan}, {'velocity': nan}, {'effort': nan}, {'lower': inf},
    {'upper': -inf}], ids=str)
def test_limits_may_be_infinite_outwards_only(limits: dict[str, float]) -> None:
    assert ('warning', 'not-finite') in found_in(with_coordinate(**limits))


@pytest.mark.parametrize(('tensor', 'word'), [
    ((-1.0, 1.0, 1.0, 0.0, 0.0, 0.0), 'negative'),
    ((1.0, 1.0, 1.0, 2.0, 0.0, 0.0), 'negative'),
    ((0.0, 0.0, 0.0, 1.0, 0.0, 0.0), 'negative'),
    ((1.0, 1.0, 2.1, 0.0, 0.0, 0.0), 'sum'),
    ((1.0, 1.0, 1.0, 0.6, 0.0, 0.0), 'sum'),
])
def test_inertia_that_no_body_has(tensor: tuple[float, ...], word: str) -> None:
    report = Report()
    check_model(with_inertia(Inertia(1.0, Pose(), *tensor)), report)
    assert [found.code for found in report] == ['inertia-invalid']
    assert word in report.diagnostics[0].message
    assert report.diagnostics[0].resolve() == HERE


MASSES = strategies.tuples(
    strategies.floats(0.01, 10.0), *[strategies.floats(-5.0, 5.0)] * 3)


@given(strategies.lists(MASSES, min_size=1, max_size=6))
@example([(1.0, 0.0, 0.0, 2.4e-57)])
def test_the_inertia_of_point_masses_is_possible(points: list[tuple[float, ...]]) -> None:
    tensor = [0.0] * 6
    for m, x, y, z in points:
        terms = (y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z)
        tensor = [value + m * term for value, term in zip(tensor, terms)]
    assert found_in(with_inertia(Inertia(1.0, Pose(), *tensor))) == []


def following(*leaders: int | None) -> Model:
    """Return a model whose coordinates follow those given."""
    coordinates = tuple(
        Coordinate(f'c{index}', 'angle', mimic=None if leader is None else Mimic(leader))
        for index, leader in enumerate(leaders))
    return arm(coordinates=coordinates)


def slider(**changes: object) -> Model:
    return with_motion(kind='prismatic')._replace(
        coordinates=(Coordinate('j', 'length')._replace(**changes),))  # type: ignore[arg-type]


def with_mesh(mesh: Mesh) -> Model:
    shape = Shape('s', mesh)
    return arm(bodies=(body('a', visuals=(shape,), collisions=(shape,)), body('b')))


THREE = (body('a'), body('b'), body('c'))
PIECES = arm(bodies=(*THREE, body('d')))
RING = arm(
    bodies=THREE, joints=(turning('j', 0, 1, 0), turning('k', 1, 2, 1), turning('l', 2, 0, 2)),
    coordinates=tuple(Coordinate(name, 'angle') for name in 'jkl'))
BALL = turning('j', 0, 1, 0)._replace(
    motions=(Motion('rotation_vector', (0.0, 0.0, 0.0), (0, 1, 2)),))
TIP = arm(bodies=(body('a'), body('b', Inertia(0.0))))
ROUNDING = Inertia(1.3, Pose(), 0.0, -1e-19, 0.0, 0.0, 2.4e-35, 0.0)


@pytest.mark.parametrize('model, expected', [
    (arm(), ''),
    (arm(pose=Pose(1.7e308, 1.7e308, 1.7e308)), ''),
    (arm(bodies=(body('a'), body('a'))), 'error duplicate-name'),
    (arm(frames=(Frame('f', 'f', 'frame', 0), Frame('f', 'f', 'frame', 1))),
     'error duplicate-name'),
    (arm(joints=(turning('j', 0, 1, 0), turning('j', 1, 2, 0)), bodies=THREE),
     'error duplicate-name'),
    (arm(coordinates=(Coordinate('j', 'angle'), Coordinate('j', 'angle'))),
     'error duplicate-name'),
    (with_inertia(ROUNDING), ''),
    (with_inertia(ROUNDING._replace(iyy=-1e-9)), 'warning inertia-invalid'),
    (with_motion(axis=(0.0, 0.0, 0.0)), 'warning axis-zero'),
    (with_motion(axis=(0.0, 1.0, 1.0)), 'warning axis-not-unit'),
    (with_motion(axis=(0.0, 0.70710678, 0.70710678)), ''),
    (arm(joints=(BALL,), coordinates=RING.coordinates), ''),
    (with_motion(scale=0.0), 'warning scale-zero'),
    (with_motion(scale=0.0, kind='screw'), ''),
    (with_coordinate(), ''),
    (with_coordinate(lower=1.0, upper=0.5), 'warning limits-reversed'),
    (with_coordinate(lower=1.0, upper=1.0), 'warning limits-equal'),
    (with_coordinate(effort=0.0), 'warning limit-zero'),
    (with_coordinate(velocity=0.0), 'warning limit-zero'),
    (with_coordinate(lower=1.0, upper=1.0, effort=0.0), 'warning limits-equal'),
    (arm(coordinates=(
        Coordinate('j', 'angle', effort=0.0, mimic=Mimic(1)), Coordinate('k', 'angle'))), ''),
    (slider(), 'info limits-missing'),
    (slider()._replace(conventions=Conventions(free_without_limits=True)), ''),
    (slider(lower=0.0), ''),
    (following(None, 0, 1, 1), ''),
    (following(0), 'warning mimic-cycle'),
    (following(1, 0), 'warning mimic-cycle'),
    (following(1, 2, 1), 'warning mimic-cycle'),
    (following(None, 2, 3, 1, 1), 'warning mimic-cycle'),
    (PIECES, 'warning body-disconnected, warning body-disconnected'),
    (PIECES._replace(is_world=True), ''),
    (PIECES._replace(static=True), ''),
    (RING, 'info kinematic-loop'),
    (arm(bodies=(body('a'), body('b', None), body('c')),
         joints=(turning('j', 0, 1, 0), Joint('k', 'k', 'fixed', 1, 2))), ''),
    (arm(bodies=(body('a', None), body('b', None))), ''),
    (TIP, 'warning mass-missing'),
    (TIP._replace(frames=(Frame('b/end_effector', 'b', 'end_effector', 1),)), ''),
    (with_mesh(Mesh('package://robot/arm.stl')), 'warning mesh-not-found'),
    (with_mesh(Mesh('arm.stl', '/share/arm.stl')), ''),
    (with_mesh(Mesh('https://example.org/arm.stl')), 'info file-on-network'),
])
def test_each_rule(model: Model, expected: str) -> None:
    assert ', '.join(map(' '.join, found_in(model))) == expected


# ---- poses that are finite each, but add up to infinity

FAR = '1e308 0 0'


def urdf(far: str, count: int = 3) -> str:
    """Return a robot of links at a distance from each other, the joint of each in a line of it."""
    links = ''.join(f'<link name="l{index}"/>' for index in range(count))
    joints = '\n'.join(
        f'<joint name="j{index}" type="fixed"><origin xyz="{far}"/><parent link="l{index}"/>'
        f'<child link="l{index + 1}"/></joint>' for index in range(count - 1))
    return f'<robot name="r">{links}\n{joints}</robot>'


def not_finite(text: str) -> list[tuple[object, str]]:
    report = load(text).report
    found = [each for each in report if each.code == 'not-finite' and each.severity == 'error']
    return [(at.line if (at := each.resolve()) else None, each.message) for each in found]


def test_the_first_body_of_a_branch_is_reported_at_its_joint() -> None:
    assert not_finite(urdf(FAR, 5)) == [
        (3, "the pose of body 'l2' in the root is not a finite number")]
    assert load(urdf('1e305 0 0')).ok


@pytest.mark.parametrize('text', [
    '<robot version="1.6.0">' +
    '<actuator type="X5-4"/><link type="X5" extension="1e308" twist="0"/>' * 4 + '</robot>',
    '<robot name="r"><link name="a"/>' + ''.join(
        f'<link name="l{index}"/><joint name="j{index}" type="continuous"><parent link="a"/>'
        f'<child link="l{index}"/>'
        + (f'<mimic joint="j{index - 1}" multiplier="1e300" offset="1"/>' if index else '')
        + '</joint>' for index in range(4)) + '</robot>',
    f'<sdf version="1.9"><model name="m"><link name="l"><pose>{FAR} 0 0 0</pose></link>'
    f'<frame name="f" attached_to="l"><pose>{FAR} 0 0 0</pose></frame></model></sdf>',
    f'<skel version="1.0"><world name="w"><skeleton name="s"><transformation>{FAR} 0 0 0'
    f'</transformation><body name="b"><transformation>{FAR} 0 0 0</transformation></body>'
    '<joint name="j" type="weld"><parent>world</parent><child>b</child></joint></skeleton>'
    '</world></skel>',
], ids=['hrdf', 'mimics', 'sdf', 'skel'])
def test_every_format(text: str) -> None:
    assert not_finite(text)
    assert not load(text).ok


def test_masses_that_add_up_to_infinity() -> None:
    link = ('<link name="{}"><inertial><origin xyz="{} 0 0"/><mass value="{}"/><inertia ixx="1" '
            'iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>')
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    message = 'the mass or inertia of all bodies together is not a finite number'
    for far, mass in ((0.0, 1e308), (1e160, 1.0)):
        text = link.format('a', 0.0, mass) + link.format('b', far, mass)
        loaded = load(f'<robot name="r">{text}{joint}</robot>')
        assert loaded.ok
        assert [(each.severity, each.message) for each in loaded.report
                if each.code == 'not-finite'] == [('warning', message)]
        single = load(f'<robot name="r">{link.format("a", 0.0, mass)}</robot>')
        assert 'not-finite' not in [each.code for each in single.report]
