# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Frame semantics: where frames stand, and what carries them.

Beside them the examples of the specification texts, each line that is called valid or an error a
test: composition proposal (SDF 1.8) 1.3 and 1.4, pose frame semantics proposal (SDF 1.7). The
error names are libsdformat's.
"""

from __future__ import annotations

from helpers.loading import model_of
from helpers.sdf_texts import body_of, errors_of, in_model, in_world, position
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load import load, load_model
import pytest


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


# ---- the specification

POSE, ATTACHED = 'POSE_RELATIVE_TO_INVALID', 'FRAME_ATTACHED_TO_INVALID'
CHILD = 'JOINT_CHILD_LINK_INVALID'


# ---- composition proposal 1.3.1: references in a model

TOP = """<sdf version="1.8"><model name="top_model">
  <frame name="top_frame"/>
  <link name="top_link"><pose relative_to="{top_link}"/></link>
  <model name="mid_model">
    <pose relative_to="top_link"/>
    <link name="mid_link"><pose relative_to="{mid_link}"/></link>
    <model name="bottom_model">
      <pose relative_to="mid_link"/>
      <link name="bottom_link"><pose relative_to="{bottom_link}"/></link>
      <frame name="bottom_frame" attached_to="{bottom_frame}"/>
    </model>
    <model name="bottom_model_2">
      <model name="mid_model"><link name="mid_link"/></model>
      <link name="bottom_link"><pose relative_to="mid_model::mid_link"/></link>
    </model>
    <frame name="mid_frame" attached_to="{mid_frame}"/>
  </model>
</model></sdf>"""
VALID = {
    'top_link': 'top_frame', 'mid_link': '', 'bottom_link': '', 'bottom_frame': 'bottom_link',
    'mid_frame': 'bottom_model::bottom_link'}


def test_references_to_siblings_and_downwards_are_valid():
    assert load(TOP.format(**VALID)).report.ok


@pytest.mark.parametrize('where, reference, error', [
    ('top_link', 'some_unknown_frame', POSE),
    ('top_link', 'top_model::top_frame', POSE),
    ('mid_link', 'top_link', POSE),
    ('bottom_link', 'mid_link', POSE),
    ('bottom_link', 'mid_model::mid_link', POSE),
    ('bottom_link', 'top_frame', POSE),
    ('bottom_frame', 'bottom_model::bottom_link', ATTACHED),
    ('mid_frame', 'top_frame', ATTACHED),
    ('mid_frame', 'bottom_link', ATTACHED),
    ('mid_frame', 'mid_model::bottom_model::bottom_link', ATTACHED),
])
def test_references_upwards_and_into_the_wrong_scope_are_errors(where, reference, error):
    assert errors_of(TOP.format(**{**VALID, where: reference}))[0] == error


# ---- the same in a world

SIMPLE_WORLD = """<sdf version="1.10"><world name="simple_world">
  <frame name="world_frame"/>
  <frame name="world_scope_frame" attached_to="{world_scope_frame}"/>
  <model name="top_model">
    <pose relative_to="world_frame"/>
    <frame name="top_frame" attached_to="{top_frame}"/>
    <link name="top_link"><pose relative_to="{top_link}"/></link>
  </model>
  <joint name="top_model_weld" type="fixed">
    <parent>{parent}</parent><child>{child}</child>
  </joint>
</world></sdf>"""
VALID_WORLD = {
    'world_scope_frame': 'world_frame', 'top_frame': '', 'top_link': 'top_frame',
    'parent': 'world', 'child': 'top_model::top_link'}


@pytest.mark.parametrize('parent', ['world', 'world_frame'])
def test_references_in_a_world_that_are_valid(parent):
    assert load(SIMPLE_WORLD.format(**{**VALID_WORLD, 'parent': parent})).report.ok


@pytest.mark.parametrize('where, reference, error', [
    ('world_scope_frame', 'simple_world::world_frame', ATTACHED),
    ('top_frame', 'world_frame', ATTACHED),
    ('top_link', 'top_model::top_frame', POSE),
    ('child', 'top_link', CHILD),
])
def test_references_in_a_world_that_are_errors(where, reference, error):
    assert errors_of(SIMPLE_WORLD.format(**{**VALID_WORLD, where: reference}))[0] == error
