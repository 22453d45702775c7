# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""URDF files of our own against urdfdom's answers: verdict, tree, joints, links, shapes."""

from __future__ import annotations

import math
from pathlib import Path

from helpers.recorded import Answer, recorded
from hrdf_ros.load import load
from hrdf_ros.model import Body, Box, Coordinate, Cylinder, Geometry, Joint, Mesh, Model, Sphere
from hrdf_ros.pose import Pose, relative
import pytest

UNLIMITED = ('continuous', 'floating', 'planar', 'fixed')


@pytest.mark.parametrize(('file', 'expected'), recorded('urdf'))
def test_file_agrees_with_urdfdom(file: Path, expected: Answer) -> None:
    loaded = load(file)
    assert loaded.report.ok == (expected['status'] == 'ok')
    if loaded.model is not None:
        compare(loaded.model, expected)


def compare(model: Model, expected: Answer) -> None:
    """Compare a Model with urdfdom's answer: numbers at 1e-9, the rest exactly."""
    bodies = {body.name: body for body in model.bodies}
    joints = {joint.source_name: joint for joint in model.joints}
    assert (model.name, model.root) == (expected['name'], expected['root'])
    assert set(bodies) == set(expected['links'])
    assert set(joints) == set(expected['joints'])
    for name, link in expected['links'].items():
        compare_body(bodies[name], link)
    for name, joint in expected['joints'].items():
        compare_joint(model, joints[name], joint)


def assert_pose(pose: Pose, expected: list[float]) -> None:
    """Check a pose; the sign of its quaternion means nothing."""
    difference = relative(pose, Pose(*expected))
    assert math.hypot(*difference.position, *difference.orientation[:3]) < 1e-9


def compare_body(body: Body, expected: Answer) -> None:
    """Compare inertia and shapes."""
    inertia = body.inertia
    assert (inertia is None) == ('mass' not in expected)
    if inertia is not None:
        assert inertia.mass == expected['mass']
        assert_pose(inertia.pose, expected['pose'])
        assert [inertia.ixx, inertia.iyy, inertia.izz, inertia.ixy, inertia.ixz, inertia.iyz] == (
            expected['inertia'])
    for shapes, answered in (
            (body.visuals, expected['visuals']), (body.collisions, expected['collisions'])):
        assert len(shapes) == len(answered)
        for shape, (pose, geometry) in zip(shapes, answered):
            assert_pose(shape.pose, pose)
            assert described(shape.geometry) == geometry


def described(geometry: Geometry) -> list[object] | None:
    """Return a geometry as the reference program prints it."""
    if isinstance(geometry, Box):
        return ['box', *geometry.size]
    if isinstance(geometry, Sphere):
        return ['sphere', geometry.radius]
    if isinstance(geometry, Cylinder):
        return ['cylinder', geometry.radius, geometry.length]
    return ['mesh', *geometry.scale] if isinstance(geometry, Mesh) else None


def compare_joint(model: Model, joint: Joint, expected: Answer) -> None:
    """Compare the ends, the origin and the motion of a joint."""
    assert joint.type == expected['type']
    assert model.bodies[joint.parent].name == expected['parent']
    assert model.bodies[joint.child].name == expected['child']
    assert_pose(joint.parent_from_joint, expected['origin'])
    if joint.type in ('revolute', 'continuous', 'prismatic'):
        length = math.hypot(*expected['axis'])
        if length:
            assert joint.motions[0].axis == pytest.approx(
                [value / length for value in expected['axis']], abs=1e-9)
        compare_coordinate(model, model.coordinates[joint.motions[0].coordinates[0]], expected)


def compare_coordinate(model: Model, coordinate: Coordinate, expected: Answer) -> None:
    """Compare limits, dynamics and mimic."""
    if 'limits' in expected:
        lower, upper, effort, velocity = expected['limits']
        assert (coordinate.effort, coordinate.velocity) == (effort, velocity)
        if expected['type'] not in UNLIMITED:
            assert (coordinate.lower, coordinate.upper) == (lower, upper)
    if 'dynamics' in expected:
        assert [coordinate.damping, coordinate.friction] == expected['dynamics']
    if 'mimic' in expected and coordinate.mimic is not None:
        mimic = coordinate.mimic
        leader = model.coordinates[mimic.leader].name
        assert [leader, mimic.multiplier, mimic.offset] == expected['mimic']
