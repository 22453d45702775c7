# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the elements of HRDF become in the Model, and how it is all called."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from helpers.loading import model_of
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load, load_model
from hrdf_ros.model import Box, Cylinder, Frame, Mesh, Model
from hrdf_ros.pose import compose, from_axis_angle, IDENTITY, transform, translation
from hrdf_ros.topology import find_frame, span, zero_poses
from hrdf_ros.writers.sdf import write_sdf
from hrdf_ros.writers.urdf import write_urdf
import pytest

ARM = (
    '<actuator type="X5-4"/><bracket type="X5LightLeft"/><actuator type="X5-4"/>'
    '<link type="X5" extension="0.3" twist="0"/><end-effector/>')


def robot(elements: str, attributes: str = 'version="1.6.0"') -> Model:
    return load_model(f'<robot {attributes}>{elements}</robot>')


def joints(model: Model) -> list[tuple[str, str, str, str]]:
    """Return type, name, parent and child of every joint."""
    names = [body.name for body in model.bodies]
    return [(j.type, j.name, names[j.parent], names[j.child]) for j in model.joints]


def frame(model: Model, name: str) -> Frame:
    return next(found for found in model.frames if found.name == name)


def test_actuator_is_a_body_and_a_joint() -> None:
    model = robot('<actuator type="X8-9" tag="a"/><link type="X5" extension="1" twist="0"/>')
    assert joints(model) == [
        ('fixed', 'a/fixed', 'base_link', 'a'), ('actuator', 'a', 'a', 'x5_link_1')]
    assert model.joints[1].parent_from_joint == translation(0.0, 0.0, .0451)
    assert model.joints[1].actuator == 'X8-9'
    assert frame(model, 'a/output').body == 2
    (coordinate,) = model.coordinates
    assert (coordinate.name, coordinate.kind, coordinate.effort) == ('a', 'angle', 23.0)
    assert coordinate.lower == -math.inf


def test_joints_in_a_row_have_massless_bodies_between_them() -> None:
    model = robot(
        '<joint axis="tx" tag="a"/><joint axis="-ry" gear_ratio="-4" tag="b"/>'
        '<rigid-body mass="1" tag="c"/>')
    assert joints(model)[1:] == [
        ('joint', 'a', 'base_link/output', 'a/output'), ('joint', 'b', 'a/output', 'c')]
    assert [(m.kind, m.axis, m.scale) for j in model.joints for m in j.motions] == [
        ('prismatic', (1.0, 0.0, 0.0), 1.0), ('revolute', (0.0, -1.0, 0.0), -.25)]


def test_leading_joint_moves_against_a_body_fixed_at_the_pose_of_the_robot() -> None:
    elements = '<joint axis="tx"/><rigid-body mass="1" tag="base_link/output"/>'
    pose = 'version="1.5.0" trans="0 0 1"'
    model = robot(elements.replace(' tag="base_link/output"', ' tag="a"'), pose)
    assert joints(model) == [
        ('fixed', 'base_link/output/fixed', 'base_link', 'base_link/output'),
        ('joint', 'joint_1', 'base_link/output', 'a')]
    assert [joint.parent_from_joint for joint in model.joints] == [
        translation(0.0, 0.0, 1.0), IDENTITY]
    assert frame(model, 'base_link/output').kind == 'link'
    assert model.bodies[1].inertia is None
    assert [body.name for body in robot(elements, pose).bodies] == [
        'base_link', 'base_link/output_2', 'base_link/output']
    hebi = load_model(f'<robot {pose}>{elements}</robot>', naming='hebi')
    assert hebi.joints[0].name == 'base_joint'


def test_every_frame_has_the_tag_and_it_means_one() -> None:
    model = robot(
        '<actuator type="X5-4" tag="wrist"/><end-effector output_trans="0 0 1" tag="t"/>')
    assert [found.name for found in model.frames if found.tag == 'wrist'] == [
        'wrist', 'wrist/com', 'wrist/output']
    meant = [model.frames[find_frame(model, tag) or 0].name for tag in ('wrist', 't')]
    assert meant == ['wrist', 't']
    assert frame(model, 't').pose == translation(0.0, 0.0, 1.0)


def test_joint_means_its_output() -> None:
    model = robot(
        '<joint axis="tx" tag="a"/><joint axis="ty" tag="b"/><rigid-body mass="1" tag="c"/>',
        'version="1.6.0" trans="0 0 1"')
    kinematics = Kinematics(model)
    q = {'a': 1.0, 'b': 2.0}
    for name, other in (('a', 'a/output'), ('b', 'b/output'), ('b', 'c')):
        assert (kinematics.pose(name, q=q) == kinematics.pose(other, q=q)).all()
    assert frame(model, 'a').kind == frame(model, 'b').kind == 'joint'


# ---- names

def test_built_names() -> None:
    model = robot(
        '<rigid-body mass="1"/><joint axis="rx"/><joint axis="rx"/><actuator type="R25-20"/>'
        '<link type="R25-R8" extension="1" twist="0"/><actuator type="T8-16"/>'
        '<bracket type="R8HeavyLeftInside"/><actuator type="T8-16"/>'
        '<end-effector type="R8Parallel"/>')
    names = [*(body.name for body in model.bodies), *(c.name for c in model.coordinates)]
    assert names == [
        'base_link', 'rigid_body_1', 'joint_1/output', 'r25_20_1', 'r25_r8_link_1', 't8_16_1',
        'r8_heavy_left_inside_1', 't8_16_2', 'r8_parallel_1/body',
        'joint_1', 'joint_2', 'r25_20_1', 't8_16_1', 't8_16_2']
    tagged = robot('<joint axis="rx"/><joint axis="rx" tag="joint_1"/><joint axis="rx" tag=""/>')
    assert [c.name for c in tagged.coordinates] == ['joint_1_2', 'joint_1', 'joint_3']
    assert robot('<actuator type="X5-4"/>', '').bodies[-1].name == 'end_effector_1/body'
    assert len(robot('', 'version="1.2.0"').frames) == 1
    tagged = robot('<rigid-body mass="1" tag="base_link"/>')
    assert [body.name for body in tagged.bodies] == ['base_link', 'base_link_2']


@pytest.mark.pins('joint-names-mismatch')
@pytest.mark.parametrize('names', [['a', 'b', 'c'], ['a', 'a'], ['x5_4_2']])
def test_joint_names_that_do_not_fit(names: list[str]) -> None:
    loaded = load(f'<robot version="1.6.0">{ARM}</robot>', joint_names=names)
    assert [found.code for found in loaded.report] == ['joint-names-mismatch']


def test_hebi_names() -> None:
    loaded = load(
        f'<robot version="1.6.0">{ARM}</robot>', naming='hebi', joint_names=['J1_base'])
    assert joints(model_of(loaded)) == [
        ('fixed', 'base_joint', 'base_link', 'J1_base/body'),
        ('actuator', 'J1_base', 'J1_base/body', 'bracket_1'),
        ('fixed', 'bracket_1_J2', 'bracket_1', 'J2/body'),
        ('actuator', 'J2', 'J2/body', 'link_1'),
        ('fixed', 'link_1/joint', 'link_1', 'end_effector_1'),
        ('fixed', 'end_effector_1/output_joint', 'end_effector_1', 'end_effector_1/output'),
    ]
    assert [c.name for c in model_of(loaded).coordinates] == ['J1_base', 'J2']


def test_hebi_builds_the_linkage_of_a_gripper() -> None:
    text = (
        '<robot version="1.6.0"><actuator type="X8-9"/><bracket type="X5LightLeft"/>'
        '<actuator type="X5-4"/><end-effector type="X5Parallel"{}/></robot>')
    model = load_model(text.format(''), naming='hebi')
    arm, fingers = model.coordinates[:2], model.coordinates[2:]
    assert [(one.name, one.damping, one.friction) for one in arm] == [
        ('J1', .5, .5), ('J2', .1, .1)]
    leader = next(one for one in fingers if one.mimic is None)
    assert (leader.name, leader.lower, leader.upper) == (
        'end_effector_1/input_l_finger', 0.0, .37 * math.pi)
    assert {one.name.partition('/')[2]: one.mimic.multiplier for one in fingers if one.mimic} == {
        'center_hub_pinion': 1e-5, 'input_r_finger': 1.0, 'l_outer_linkage_l_gripper': -1.0,
        'r_outer_linkage_r_gripper': -1.0, 'center_hub_l_inner_linkage': 1.0,
        'center_hub_r_inner_linkage': 1.0}
    parts = [body for body in model.bodies if body.name.startswith('end_effector_1')]
    assert sum(body.inertia.mass for body in parts if body.inertia) == pytest.approx(.206)
    assert all(body.visuals for body in parts if body.inertia)
    assert len(load_model(text.format('')).coordinates) == 2
    found = load(text.format(' mass="1"'), naming='hebi').report
    assert [one.code for one in found] == ['hebi-naming', 'detail-not-preserved']


# ---- inertia and shapes

def test_offsets_and_overrides() -> None:
    model = robot(
        '<actuator type="X5-4" mass_offset="0.1" com_trans_offset="0.01 0 0" com_rot="Rz(pi/2)" '
        'ixx="1"/><link type="X5" extension="1" twist="0" mass="2" com_trans="1 2 3" iyz="4"/>')
    actuator, link = model.bodies[1].inertia, model.bodies[2].inertia
    assert actuator is not None and link is not None
    assert actuator.mass == pytest.approx(.435)
    assert actuator.pose.position == pytest.approx((-.0042, -.0031, .0165))
    assert actuator.pose[3:] == from_axis_angle((0.0, 0.0, 1.0), math.pi / 2)[3:]
    assert actuator[2:8] == (1.0, .000255, .00035, 3.41e-5, 1.18e-5, 2.29e-6)
    assert (link.mass, link.pose.position, link.iyz) == (2.0, (1.0, 2.0, 3.0), 4.0)


def test_inertia_of_a_link_is_a_rod_along_its_tube() -> None:
    right = robot('<link type="X5" extension="0.3" twist="1"/>').bodies[1].inertia
    inline = robot('<link type="X5" extension="0.3" twist="1" input="Inline"/>').bodies[1].inertia
    assert right is not None and inline is not None
    assert right.mass == pytest.approx(.4 * .3 + .199)
    assert inline.mass == pytest.approx(.4 * .3 + .214)
    assert right.ixx == pytest.approx(right.mass * .02 ** 2 / 2)
    assert inline.izz == pytest.approx(inline.mass * .02 ** 2 / 2)
    assert inline.ixx == inline.iyy == pytest.approx(inline.mass * (.3 ** 2 + 6 * .02 ** 2) / 12)


def test_own_tensor_is_not_approximated() -> None:
    text = '<robot version="1.6.0"><actuator type="T25-8"{}/></robot>'
    own = ' ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"'
    assert [found.code for found in load(text.format('')).report] == ['hrdf-inertia-approximated']
    assert not load(text.format(own)).report.diagnostics


def test_built_in_components_are_drawn_without_meshes() -> None:
    model = robot(ARM)
    shapes = [[type(shape.geometry) for shape in body.collisions] for body in model.bodies]
    assert shapes == [[], [Box], [Box], [Box], [Cylinder], []]
    assert [len(body.visuals) for body in model.bodies] == [0, 3, 2, 3, 3, 0]
    assert all(shape.material for body in model.bodies for shape in body.visuals)
    (tube,) = model.bodies[4].collisions
    assert tube.geometry == model.bodies[4].visuals[0].geometry == Cylinder(.016, .3)
    assert tube.pose.position == pytest.approx((.15, 0.0, .02))


def test_meshes_of_hebi_description_are_used_where_it_is_installed(tmp_path: Path) -> None:
    meshes = tmp_path / 'meshes'
    meshes.mkdir()
    for name in ('X5', 'PM-2132-01L', 'A-2038-02', 'A-2039-02'):
        (meshes / f'{name}.stl').touch()
    model = load_model(f'<robot version="1.6.0">{ARM}</robot>',
                 packages={'hebi_description': str(tmp_path)})
    actuator, bracket, link = model.bodies[1], model.bodies[2], model.bodies[4]
    assert actuator.visuals[0].geometry == Mesh(
        'package://hebi_description/meshes/X5.stl', str(meshes / 'X5.stl'), (.001, .001, .001))
    assert bracket.visuals[0].geometry.uri.endswith('PM-2132-01L.stl')
    assert [type(shape.geometry) for shape in link.visuals] == [Cylinder, Mesh, Mesh]
    assert link.visuals[0].geometry == Cylinder(.016, pytest.approx(.3 - .0254))
    assert link.visuals[2].pose == frame(model, 'x5_link_1/output').pose


def test_gripper_has_the_meshes_of_its_linkage_at_rest(tmp_path: Path) -> None:
    (tmp_path / 'meshes').mkdir()
    for name in ('2357-02', '2291-01', '2221-01', '2358-02', '2360-02', '2359-02'):
        (tmp_path / 'meshes' / f'PM-{name}.stl').touch()

    def drawn(naming: str) -> list[tuple[str, list[float]]]:
        """Return the meshes and their poses while every coordinate is zero."""
        model = load_model(
            '<robot version="1.6.0"><end-effector type="R8Parallel"/></robot>', naming=naming,
            packages={'hebi_description': str(tmp_path)})
        return sorted(
            (shape.geometry.uri, [round(number, 9) for number in compose(pose, shape.pose)])
            for body, pose in zip(model.bodies, zero_poses(model, span(model)))
            for shape in body.visuals
            if isinstance(shape.geometry, Mesh))
    assert len(drawn('default')) == 10
    assert drawn('default') == drawn('hebi')


def test_mesh_is_found_beside_the_file_that_names_it(tmp_path: Path) -> None:
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'parts' / 'body.stl').touch()
    (tmp_path / 'parts' / 'part.hrdf').write_text(
        '<robot version="1.3.0"><rigid-body mass="1" mesh_path="body.stl"/></robot>')
    (tmp_path / 'a.hrdf').write_text(
        '<robot version="1.3.0"><include path="parts/part.hrdf"/></robot>')
    (shape,) = load_model(tmp_path / 'a.hrdf').bodies[1].visuals
    assert shape.geometry == Mesh('body.stl', str(tmp_path / 'parts' / 'body.stl'))


@pytest.mark.parametrize('end', ['0 0 0.2', '0 0 -0.2', '0.1 -0.2 0.2', '0.2 0 0', '-1 -1 -1'])
def test_rigid_body_without_mesh_is_a_strut_to_its_output(end: str) -> None:
    model = robot(f'<rigid-body mass="1" output_trans="{end}"/>')
    (strut,) = model.bodies[1].visuals
    assert isinstance(strut.geometry, Cylinder)
    x, y, z = map(float, end.split())
    assert strut.geometry.length == pytest.approx(math.hypot(x, y, z))
    tip = transform(strut.pose, (0.0, 0.0, strut.geometry.length / 2))
    tail = transform(strut.pose, (0.0, 0.0, -strut.geometry.length / 2))
    assert {tuple(round(v, 12) + 0.0 for v in point) for point in (tip, tail)} == {
        (0.0, 0.0, 0.0), (x, y, z)}


@pytest.mark.parametrize('write', [write_urdf, write_sdf])
def test_a_description_that_cannot_be_written_is_said(write: Any) -> None:
    _, report = write(load_model('<robot version="1.2.0" description="left arm"/>'))
    assert 'a description' in ' '.join(found.message for found in report)
