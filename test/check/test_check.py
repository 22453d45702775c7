# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Each rule of the generic checks, on Models made by hand."""

from math import inf, nan

from hrdf_ros.check import check_model
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Body, Box, Coordinate, Frame, Joint, Mesh, Mimic, Model, Motion, Shape
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
PIECES = arm(bodies=(*THREE, body('d')), format='sdf')
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
    (with_coordinate(lower=1.0, upper=1.0), ''),
    (slider(), 'info limits-missing'),
    (slider()._replace(format='hrdf'), ''),
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
