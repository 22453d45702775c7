# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SKEL worlds: skeletons, names, order of creation, what DART does with the odd ones."""

from helpers.skel_texts import AXIS, codes, held, joint, model, skeleton, world
from hrdf_ros.load import load, load_model
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import sdf_target
from hrdf_ros.model import Model
import pytest


def body_names(found: Model) -> list[str]:
    return [body.name for body in found.bodies]


def test_only_skeletons_of_a_world_keep_their_names() -> None:
    alone = model(held(''))
    assert (alone.name, alone.root, alone.is_world) == ('s', 'world', False)
    assert body_names(alone) == ['world', 'a']
    found = load_model(world(skeleton(held('')), skeleton(held(''))))
    assert (found.name, found.is_world) == ('w', True)
    assert body_names(found) == ['world', 's/a', 's(1)/a']
    assert [joint.name for joint in found.joints] == ['s/j', 's(1)/j']
    assert [scope.name for scope in found.scopes] == ['s', 's(1)']


@pytest.mark.pins('model-not-found')
def test_a_skeleton_can_be_chosen() -> None:
    text = world(skeleton(held(''), 'one'), skeleton(held(''), 'two'))
    assert body_names(load_model(text, model_name='two')) == ['world', 'a']
    found = load(text, model_name='on')
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
    assert (body_names(found), found.gravity) == (['world'], (0.0, 0.0, -9.81))
    text = '<skel><world><physics><gravity>0 -9.8 0</gravity></physics></world></skel>'
    assert load_model(text).gravity == (0.0, -9.8, 0.0)


def test_bodies_and_joints_are_in_order_of_creation() -> None:
    text = (
        '<body name="c"/><body name="b"/><body name="a"/>'
        + joint(name='jc', parent='b', child='c') + joint(name='ja', child='a')
        + joint(name='jb', parent='a', child='b'))
    found = model(text)
    assert body_names(found) == ['world', 'a', 'b', 'c']
    assert [joint.name for joint in found.joints] == ['ja', 'jb', 'jc']


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
