# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Lowered Models: what each target can express, with every body where it was."""

from __future__ import annotations

import random

from helpers.kinematic_models import KINDS, random_model
from helpers.loop_models import four_bar
from hrdf_ros import codes
from hrdf_ros.formats import SDF_VERSIONS
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load_model
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import GAZEBO_URDF, sdf_target, Target, TF, URDF
from hrdf_ros.model import (
    Body,
    Cone,
    Conventions,
    Coordinate,
    Cylinder,
    Ellipsoid,
    Frame,
    Geometry,
    Joint,
    Material,
    Mesh,
    Mimic,
    Model,
    Motion,
    MultiSphere,
    Polyline,
    Shape,
    Sphere,
)
from hrdf_ros.pose import IDENTITY, translation, Z_AXIS
from hrdf_ros.topology import is_single_tree, span
import numpy as np
import pytest

TREES = (TF, URDF, GAZEBO_URDF)
NEWEST_SDF = sdf_target(SDF_VERSIONS[-1])
SINGLE = ('fixed', 'revolute', 'prismatic', 'screw', 'universal')


def slide(scale: float = 1.0, offset: float = 0.0, **changes: object) -> Model:
    """Return a body that slides up from a base by ``scale * q + offset``."""
    motion = Motion('prismatic', Z_AXIS, (0,), scale, offset)
    model = Model(
        'm', 'sdf', '1.12', '__root__', bodies=(Body('base', 'base'), Body('top', 'top')),
        joints=(Joint('j', 'j', 'prismatic', 0, 1, motions=(motion,)),),
        coordinates=(Coordinate('j', 'length'),),
        frames=(Frame('base', 'base', 'link', 0), Frame('top', 'top', 'link', 1)))
    return model._replace(**changes)  # type: ignore[arg-type]


def values(model: Model, seed: int) -> dict[str, float]:
    rng = random.Random(seed)
    return {
        each.name: rng.uniform(-1.0, 1.0) for each in model.coordinates if each.mimic is None}


def poses(model: Model, names: list[str], q: dict[str, float]) -> np.ndarray:
    kinematics = Kinematics(model)
    known = {each.name for each in model.coordinates}
    q = {name: value for name, value in q.items() if name in known}
    return np.array([kinematics.pose(name, q=q) for name in names])


@pytest.mark.parametrize('target', TREES, ids=lambda target: target.name)
@pytest.mark.parametrize('seed', range(8))
def test_bodies_of_a_tree_move_as_before(seed: int, target: Target) -> None:
    # a URDF cannot mimic the coordinates of planar, ball and free joints
    model = random_model(seed, 8, KINDS if target == TF else SINGLE, roots=1)
    names = [body.name for body in model.bodies]
    lowered = lower(model, target).model
    q = values(model, seed)
    assert poses(lowered, names, q) == pytest.approx(poses(model, names, q), abs=1e-9)


@pytest.mark.parametrize('target', TREES, ids=lambda target: target.name)
@pytest.mark.parametrize('seed', range(4))
def test_lowering_twice_changes_nothing_more(seed: int, target: Target) -> None:
    once = lower(random_model(seed, 8), target).model
    assert lower(once, target).model == once


@pytest.mark.parametrize('seed', range(8))
def test_a_tree_has_one_root_and_joints_of_one_axis(seed: int) -> None:
    lowered = lower(random_model(seed, 8, roots=3), TF).model
    assert is_single_tree(lowered, span(lowered))
    for joint in lowered.joints:
        assert len(joint.motions) <= 1 or joint.type in ('planar', 'floating')
        assert joint.child_from_joint == IDENTITY


@pytest.mark.parametrize('seed', range(8))
def test_each_joint_of_a_urdf_is_its_own_coordinate(seed: int) -> None:
    lowered = lower(random_model(seed, 8), URDF._replace(floating=False)).model
    for joint in lowered.joints:
        if joint.motions and joint.type != 'planar':
            (motion,) = joint.motions
            assert joint.name == lowered.coordinates[motion.coordinates[0]].name
            assert (motion.scale, motion.offset) == (1.0, 0.0)


# ---- joints

def test_a_screw_that_follows_is_a_screw() -> None:
    screw = Motion('screw', Z_AXIS, (0,), 0.25)
    model = slide(
        bodies=tuple(Body(name, name) for name in ('base', 'a', 'b')),
        joints=tuple(
            Joint(f'j{child}', f'j{child}', 'screw', 0, child, motions=(screw,))
            for child in (1, 2)),
        coordinates=(Coordinate('q', 'angle'),))
    lowered = lower(model, NEWEST_SDF).model
    second = lowered.joints[1]
    assert (second.type, second.motions[0].scale) == ('screw', 0.25)
    assert lowered.coordinates[second.motions[0].coordinates[0]].mimic == Mimic(0)


def test_loops_are_solved_on_tf_and_cut_in_a_urdf() -> None:
    model = four_bar()
    assert len(span(lower(model, TF).model).loops) == 1
    cut = lower(model, URDF)
    assert span(cut.model).loops == ()
    assert codes.LOOP_NOT_REPRESENTABLE.name in [each.code for each in cut.report]


ARM = load_model(
    '<robot version="1.6.0"><actuator type="X5-4" tag="elbow"/>'
    '<end-effector tag="tool" output_trans="0 0 0.1"/></robot>')


@pytest.mark.parametrize('target', TREES, ids=lambda target: target.name)
def test_an_end_effector_is_a_link_at_its_output(target: Target) -> None:
    lowered = lower(ARM, target).model
    joint = next(joint for joint in lowered.joints if joint.name == 'tool/fixed')
    parent, child = lowered.bodies[joint.parent], lowered.bodies[joint.child]
    assert (parent.name, child.name, child.inertia) == ('tool/body', 'tool', None)
    assert joint.parent_from_joint == translation(0.0, 0.0, 0.1)
    for name in ('tool', 'tool/body', 'elbow'):
        q = {'elbow': 0.5}
        assert poses(lowered, [name], q) == pytest.approx(poses(ARM, [name], q), abs=1e-12)


# ---- numbers and shapes

HULL = MultiSphere(((1.0, (0.0, 0.0, 0.0)), (2.0, (0.0, 0.0, 1.0))))


@pytest.mark.parametrize('geometry, target, expected', [
    (HULL, URDF, [Sphere(2.0), Sphere(1.0)]), (HULL, NEWEST_SDF, [Sphere(1.0), Sphere(2.0)]),
    (Mesh(' '), URDF, []), (Mesh(' '), NEWEST_SDF, []),
    (Cone(2.0, 3.0), URDF, [Cylinder(2.0, 3.0)]), (Polyline(((),), 1.0), URDF, []),
    (Ellipsoid((1.0, 1.0, 1.0)), URDF, [Sphere(1.0)]),
    (Cone(2.0, 3.0), URDF._replace(mesh_directory='/d'), [
        Mesh('unit_cone.stl', '/d/unit_cone.stl', (2.0, 2.0, 3.0))])])
def test_a_shape_becomes_the_nearest_ones(
    geometry: Geometry, target: Target, expected: list[Geometry],
) -> None:
    base = Body('base', 'base', visuals=(Shape('v', geometry),))
    result = lower(slide(bodies=(base, slide().bodies[1])), target)
    assert [visual.geometry for visual in result.model.bodies[0].visuals] == expected
    noted = {each.code for each in result.report} & {
        codes.GEOMETRY_REPLACED.name, codes.GEOMETRY_NOT_REPRESENTABLE.name}
    assert bool(noted) == isinstance(geometry, (MultiSphere, Mesh, Cone))
    assert [len(mesh.triangles()) for mesh in result.meshes] == [64] * bool(target.mesh_directory)


# ---- SDFormat's scopes

def test_a_static_model_that_is_flattened_moves_with_a_warning() -> None:
    model = load_model(
        '<sdf version="1.12"><model name="m"><link name="l"/><model name="n"><static>1</static>'
        '<link name="l"/></model></model></sdf>')
    moving = [found for found in lower(model, NEWEST_SDF._replace(flat=True)).report
              if 'no static links' in found.message]
    assert [(found.severity, found.subjects) for found in moving] == [('warning', ('n/l',))]


def test_limits_of_a_ball_joint_are_reported_as_lost_in_sdf() -> None:
    model = load_model(
        '<skel version="1.0"><world name="w"><skeleton name="s"><body name="a"/><body name="b"/>'
        '<joint type="weld" name="base"><parent>world</parent><child>a</child></joint>'
        '<joint type="ball" name="hip"><parent>a</parent><child>b</child>'
        '<dof local_index="0" name="yaw"><position lower="-1" upper="1"/></dof></joint>'
        '</skeleton></world></skel>')
    report = lower(model, NEWEST_SDF).report
    assert [found.message for found in report if found.code == 'detail-not-representable'] == [
        "SDFormat has no place for limits and dynamics of a ball or free joint: 'yaw'"]


# ---- colors

def test_what_has_no_color_is_gray_in_a_urdf() -> None:
    red = Material('red', (1.0, 0.0, 0.0, 1.0))
    body = Body('a', 'a', visuals=(Shape('v', Sphere(1.0)), Shape('w', Sphere(1.0), material=red)),
                collisions=(Shape('c', Sphere(1.0), material=red),))
    for default, colors in ((None, ['gray', 'red']), (URDF.default_color, ['red', ''])):
        model = Model(
            'm', 'toy', '', 'a', bodies=(body,), conventions=Conventions(default_color=default))
        found = lower(model, URDF).model.bodies[0]
        assert [each.material.name if each.material else '' for each in found.visuals] == colors
        assert found.collisions[0].material is None


@pytest.mark.parametrize('seed', range(8))
def test_bodies_of_sdformat_move_as_before(seed: int) -> None:
    model = random_model(seed, 8, (*SINGLE, 'planar'), roots=1)
    lowered = lower(model, sdf_target('1.12')).model
    q = values(model, seed)
    renamed = dict(zip(
        (each.name for each in model.coordinates), (each.name for each in lowered.coordinates)))
    moved = {renamed[name]: value for name, value in q.items()}
    ours = [body.name for body in model.bodies]
    theirs = [body.name for body in lowered.bodies[:len(ours)]]
    assert poses(lowered, theirs, moved) == pytest.approx(poses(model, ours, q), abs=1e-9)


def test_a_loop_that_is_open_at_zero_is_reported_in_sdf() -> None:
    closed = four_bar()
    moved = closed._replace(joints=tuple(
        joint._replace(parent_from_joint=translation(0.3, 0.0, 0.0))
        if index in span(closed).loops else joint for index, joint in enumerate(closed.joints)))
    found = [
        'loop-not-representable' in [each.code for each in lower(model, NEWEST_SDF).report]
        for model in (closed, moved)]
    assert found == [False, True]
