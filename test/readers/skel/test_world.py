# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SKEL worlds: skeletons, names, order of creation, what DART does with the odd ones."""

import os
from pathlib import Path
from typing import Any

from helpers.skel_texts import AXIS, codes, held, joint, model, skeleton, world
from hrdf_ros import Kinematics, write_sdf, write_urdf
from hrdf_ros.load import load, load_model
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import sdf_target
from hrdf_ros.model import Model
from hrdf_ros.pose import Pose
import numpy as np
import pytest


def body_names(found: Model) -> list[str]:
    return [body.name for body in found.bodies]


def test_single_skeleton_drops_its_name_and_hangs_on_the_world() -> None:
    found = model(held(''))
    assert (found.name, found.root, found.is_world) == ('s', 'world', False)
    assert body_names(found) == ['world', 'a']
    assert found.bodies[1].source_name == 's/a'
    assert (found.joints[0].parent, found.joints[0].child) == (0, 1)


def test_skeletons_of_a_world_keep_their_names() -> None:
    found = load_model(world(skeleton(held('')), skeleton(held(''))))
    assert (found.name, found.is_world) == ('w', True)
    assert body_names(found) == ['world', 's/a', 's(1)/a']
    assert [joint.name for joint in found.joints] == ['s/j', 's(1)/j']
    assert [scope.name for scope in found.scopes] == ['s', 's(1)']


def test_a_skeleton_that_is_not_there_is_an_error() -> None:  # pins: model-not-found
    found = load(world(skeleton(held(''), 'one')), model_name='on')
    assert found.model is None
    assert [(error.code, error.hint) for error in found.report] == [
        ('model-not-found', "did you mean 'one'?")]


def test_without_a_world_the_first_skeleton_is_read() -> None:
    text = f'<skel>{skeleton(held(""), "one")}{skeleton(held(""), "two")}</skel>'
    assert load_model(text).name == 'one'
    assert codes(text) == ['duplicate-element']
    assert load_model(text, model_name='two').name == 'two'


def test_skeletons_beside_a_world() -> None:
    beside = skeleton(held(''), 'beside')
    text = world().replace('</skel>', f'{beside}</skel>')
    assert load_model(text).name == 'beside'
    assert codes(text) == ['skel-spec-over-dart']
    text = world(skeleton(held(''), 'inside')).replace('</skel>', f'{beside}</skel>')
    assert load_model(text).name == 'inside'
    assert codes(text) == ['no-effect']


def test_empty_world_is_a_model_of_nothing() -> None:
    found = load_model(world())
    assert body_names(found) == ['world']
    assert found.gravity == (0.0, 0.0, -9.81)


def test_bodies_and_joints_are_in_order_of_creation() -> None:
    text = (
        '<body name="c"/><body name="b"/><body name="a"/>'
        + joint(name='jc', parent='b', child='c') + joint(name='ja', child='a')
        + joint(name='jb', parent='a', child='b'))
    found = model(text)
    assert body_names(found) == ['world', 'a', 'b', 'c']
    assert [joint.name for joint in found.joints] == ['ja', 'jb', 'jc']


def test_body_without_joint_hangs_on_a_free_root() -> None:
    text = (
        '<body name="a"><transformation>1 0 0 0 0 0</transformation></body><body name="b"/>'
        + joint(AXIS, type_='revolute', parent='a', child='b'))
    found = model(text)
    root = found.joints[0]
    assert (root.name, root.type, root.parent_from_joint) == ('root', 'free', Pose(1.0))
    assert [coordinate.name for coordinate in found.coordinates][5:] == ['root_pos_z', 'j']


def test_body_named_world_takes_the_name() -> None:
    text = '<body name="world"/><body name="b"/>' + joint(parent='world', child='b')
    found = model(text)
    assert body_names(found) == ['world_root', 'world', 'b']
    assert found.root == 'world_root'
    assert [joint.parent for joint in found.joints] == [0, 1]
    in_sdf = lower(found, sdf_target('1.11')).model
    assert body_names(in_sdf)[:2] == ['world', 'world_link']


def test_duplicate_names_are_numbered_as_by_dart() -> None:
    text = (
        '<body name="a"/><body name="b"/>' + joint(AXIS + '<dof name="q"/>', type_='revolute')
        + joint(AXIS + '<dof name="q"/>', type_='revolute', parent='a', child='b'))
    found = model(text)
    assert [joint.name for joint in found.joints] == ['j', 'j(1)']
    assert [coordinate.name for coordinate in found.coordinates] == ['q', 'q(1)']


def test_joint_names_can_be_chosen() -> None:
    text = world(skeleton('<body name="a"/>' + joint(type_='ball')))
    found = load_model(text, joint_names=('roll', 'pitch'))
    assert [coordinate.name for coordinate in found.coordinates] == ['roll', 'pitch', 'j_z']


@pytest.mark.parametrize(('inner', 'static', 'found'), [
    ('', False, []),
    ('<mobile>false</mobile>', True, []),
    ('<immobile>1</immobile>', True, ['skel-spec-over-dart']),
    ('<immobile>0</immobile>', False, ['skel-spec-over-dart']),
])
def test_immobile_skeletons_are_static(inner: str, static: bool, found: list[str]) -> None:
    text = inner + held('')
    assert model(text).scopes[0].static is static
    assert codes(world(skeleton(text))) == found


@pytest.mark.parametrize('parent', ['a', 'b'])
def test_joints_in_a_circle_are_an_error(parent: str) -> None:
    text = (
        '<body name="a"/><body name="b"/>' + joint(name='j', parent=parent, child='a')
        + joint(name='k', parent='a', child='b'))
    assert codes(world(skeleton(text))) == ['skel-joint-cycle']


def test_joint_to_nowhere_is_discarded_and_its_body_dropped() -> None:
    text = held('') + '<body name="bee"/>' + joint(name='k', parent='A', child='bee')
    assert body_names(model(text)) == ['world', 'a']
    assert codes(world(skeleton(text))) == ['skel-joint-discarded', 'skel-body-dropped']


def test_place_of_a_body_is_its_element() -> None:
    text = world(skeleton('\n  <body name="a"/>' + joint()))
    location = load_model(text).bodies[1].location
    assert location is not None
    assert (location.resolve().line, location.resolve().column) == (2, 3)


def test_a_skeleton_can_be_chosen() -> None:
    text = world(skeleton(held(''), 'one'), skeleton(held(''), 'two'))
    found = load_model(text, model_name='two')
    assert (found.name, body_names(found)) == ('two', ['world', 'a'])


def test_gravity_is_read() -> None:
    text = '<skel><world><physics><gravity>0 -9.8 0</gravity></physics></world></skel>'
    assert load_model(text).gravity == (0.0, -9.8, 0.0)


def test_skeleton_transformation_moves_every_body() -> None:
    text = '<transformation>0 0 1 0 0 0</transformation>' + held(
        '<transformation>1 0 0 0 0 0</transformation>')
    found = model(text)
    assert found.bodies[1].pose == Pose(1.0, 0.0, 1.0)
    assert found.scopes[0].pose == Pose(0.0, 0.0, 1.0)


DART = Path(os.environ.get('HRDF_DART_DOC', '/usr/share/doc/dart')) / 'data' / 'skel'


@pytest.mark.skipif(not DART.is_dir(), reason='the Debian package dart-doc is not installed')
@pytest.mark.parametrize('file', sorted(DART.rglob('*.skel')), ids=lambda file: file.stem)
@pytest.mark.parametrize('write', [write_urdf, write_sdf])
def test_file_of_dart_is_the_same_robot_in_another_format(write: Any, file: Path) -> None:
    before = Kinematics(load_model(file))
    text, report = write(before.model)
    assert report.ok
    after = Kinematics(load_model(text))
    values = np.random.default_rng(1).uniform(-1.0, 1.0, len(before.coordinates))
    q = {name: value for name, value in zip(before.coordinates, values)
         if name in after.coordinates}
    masses = {body.name: body.inertia.mass for body in after.model.bodies if body.inertia}
    for body in before.model.bodies:
        if body.inertia is not None:
            assert np.allclose(after.pose(body.name, q), before.pose(body.name, q), atol=1e-9)
            assert masses[body.name] == body.inertia.mass
