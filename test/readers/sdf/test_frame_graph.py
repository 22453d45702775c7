# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Frame semantics: where frames stand, and what carries them."""

from __future__ import annotations

from helpers.loading import model_of
from helpers.sdf_texts import body_of, errors_of, in_model, in_world, position
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load import load, load_model
import pytest


@pytest.mark.parametrize('name', ['f', 'n::g', 'n', 'n::__model__', '__model__'])
def test_placement_frame_is_at_the_pose(name: str) -> None:
    model = load_model(in_model(
        '<pose>1 2 3 0 0 1</pose><link name="a"/>'
        '<frame name="f"><pose>3 0 1 0.5 0 0</pose></frame>'
        '<model name="n"><pose>1 1 0 0 0 0</pose><link name="z"/>'
        '<frame name="g"><pose>0 1 0 0 1 0</pose></frame></model>',
        attributes=f' placement_frame="{name}"'))
    frame = {'__model__': 'm', 'n::__model__': 'm::n'}.get(name, f'm::{name}')
    assert position(model, frame) == (1, 2, 3)


def test_a_static_model_is_carried_by_the_world_or_its_own_link() -> None:
    world = load(in_world(
        '<model name="s"><static>true</static><frame name="f"/></model>'
        '<model name="t"><static>true</static><link name="l"/><frame name="f"/></model>'))
    assert body_of(model_of(world), 's::f') == 'world'
    assert body_of(model_of(world), 't::f') == 't::l'
    assert [body.static for body in model_of(world).bodies] == [True, True]


@pytest.mark.parametrize(('inside', 'reference'), [
    ('<link name="a"><pose relative_to="x"/></link>', 'POSE_RELATIVE_TO_INVALID'),
    ('<link name="a"><pose relative_to="a"/></link>', 'POSE_RELATIVE_TO_CYCLE'),
    ('<link name="a"/><frame name="f" attached_to="x"/>', 'FRAME_ATTACHED_TO_INVALID'),
    ('<link name="a"/><frame name="f" attached_to="f"/>', 'FRAME_ATTACHED_TO_CYCLE'),
    ('<link name="a"/><frame name="f" attached_to="world"/>', 'FRAME_ATTACHED_TO_INVALID'),
    ('<frame name="f"/>', 'MODEL_WITHOUT_LINK'),
    ('<link name="a"/><link name="a"/>', 'DUPLICATE_NAME'),
    ('<link name="a"/><frame name="a"/>', 'DUPLICATE_NAME'),
    ('<link name="__x__"/>', 'RESERVED_NAME'),
    ('<link name="a::b"/>', 'RESERVED_NAME'),
    ('<link name="a"><pose relative_to="__root__"/></link>', 'ATTRIBUTE_INVALID')])
def test_one_fault_is_one_error(inside: str, reference: str) -> None:
    assert errors_of(in_model(inside)) == [reference]


@pytest.mark.parametrize('name', ['___', '__x', 'x__', 'a b', 'a/b', 'a:b', 'größe'])
def test_names_that_are_allowed(name: str) -> None:
    assert load(in_model(f'<link name="{name}"/>')).model is not None


@pytest.mark.parametrize('attribute', ['relative_to', 'attached_to'])
def test_chains_of_any_length(attribute: str) -> None:
    count = 50_000
    pose = {
        'relative_to': '<frame name="f{}"><pose relative_to="{}">0 0 1 0 0 0</pose></frame>',
        'attached_to': '<frame name="f{}" attached_to="{}"><pose>0 0 1 0 0 0</pose></frame>',
    }[attribute]
    frames = (
        pose.format(index, f'f{index + 1}' if index < count - 1 else 'a')
        for index in range(count))
    model = load_model(in_model('<link name="a"/>' + ''.join(frames)))
    assert position(model, 'm::f0') == (0, 0, count)
    assert body_of(model, 'm::f0') == 'm::a'


def test_models_of_any_depth() -> None:
    depth = 990
    inside = ''.join(f'<model name="n{i}"><pose>0 0 1 0 0 0</pose>' for i in range(depth))
    text = in_model(inside + '<link name="a"/>' + '</model>' * depth)
    model = load_model(text, limits=ResourceLimits(names_per_byte=200))
    assert model.bodies[0].pose.position == (0, 0, depth)
    assert len(model.scopes) == depth + 1


def test_a_model_is_not_its_own_canonical_link() -> None:
    loaded = load(in_model('<link name="a"/>', attributes=' canonical_link="__model__"'))
    assert [found.reference for found in loaded.report if found.severity == 'error'] == [
        'FRAME_ATTACHED_TO_CYCLE']
