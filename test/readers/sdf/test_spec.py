# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The examples of the specification texts, each line that is called valid or an error a test.

Composition proposal (SDF 1.8) 1.3 and 1.4, pose frame semantics proposal (SDF 1.7), model
kinematics tutorial. The error names are libsdformat's.
"""

import math

from helpers.sdf_texts import errors_of, in_model, in_world
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load, load_model
from hrdf_ros.load_result import LoadResult
import numpy as np
import pytest

POSE, ATTACHED = 'POSE_RELATIVE_TO_INVALID', 'FRAME_ATTACHED_TO_INVALID'
CHILD, PARENT = 'JOINT_CHILD_LINK_INVALID', 'JOINT_PARENT_LINK_INVALID'


def primary(text: str):
    """Return libsdformat's name of the first error, None without."""
    return next(iter(errors_of(text)), None)


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
    assert primary(TOP.format(**{**VALID, where: reference})) == error


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
    assert primary(SIMPLE_WORLD.format(**{**VALID_WORLD, where: reference})) == error


# ---- composition proposal 1.3.3: model frames

@pytest.mark.parametrize('reference', ['inner', 'inner::__model__'])
def test_a_model_frame_is_named_by_the_model(reference):
    assert load(in_model(
        '<model name="inner"><pose>1 0 0 0 0 0</pose><link name="l"/></model>'
        f'<link name="a"><pose relative_to="{reference}"/></link>', '1.8')).report.ok


# ---- composition proposal 1.4: include

@pytest.fixture
def mug(tmp_path):
    """Return what loads a model beside a file ``mug.sdf``."""
    (tmp_path / 'mug.sdf').write_text(
        '<sdf version="1.8"><model name="mug"><pose>9 9 9 0 0 0</pose><link name="cup"/>'
        '<frame name="bottom" attached_to="cup"><pose>0 0 -0.1 0 0 0</pose></frame>'
        '</model></sdf>')

    def load_beside(inside: str) -> LoadResult:
        file = tmp_path / 'top.sdf'
        file.write_text(in_model(inside, '1.8'))
        return load(file)

    return load_beside


INCLUDE = """<link name="base"/><frame name="spot"><pose>1 2 3 0 0 0</pose></frame>
    <include><uri>file://mug.sdf</uri>{}</include>"""


def first_error(loaded: LoadResult):
    return next((it.reference for it in loaded.report if it.severity == 'error'), None)


def test_the_name_in_the_include_is_the_scope(mug):
    inside = INCLUDE.format('<name>cup_1</name>') + '<frame name="f" attached_to="{}::cup"/>'
    assert mug(inside.format('cup_1')).report.ok
    assert first_error(mug(inside.format('mug'))) == ATTACHED


def test_the_pose_in_the_include_is_seen_from_outside(mug):
    assert mug(INCLUDE.format('<pose relative_to="spot"/>')).report.ok
    assert first_error(mug(INCLUDE.format('<pose relative_to="mug::spot"/>'))) == POSE


def test_a_weld_cannot_be_made_from_inside_the_gripper():
    assert primary(in_world(
        '<model name="arm"><link name="body"/></model><model name="gripper"><link name="body"/>'
        '<joint name="weld" type="fixed"><parent>arm::body</parent><child>body</child></joint>'
        '</model>', '1.8')) == PARENT


# ---- pose frame semantics proposal: parents and children of joints

JOINT = '<joint name="joint" type="fixed"><parent>{}</parent><child>{}</child></joint>'


@pytest.mark.parametrize('inside, parent, child', [
    ('<link name="link1"/><link name="link2"/>', 'link1', 'link2'),
    ('<link name="link"/>', 'world', 'link'),
    ('<model name="a"><link name="l"/></model><model name="b"><link name="l"/></model>',
     'a::l', 'b::l'),
    ('<model name="nested"><link name="l"/></model><link name="link"/>', 'nested::l', 'link'),
])
def test_joints_that_are_valid(inside, parent, child):
    assert load(in_model(inside + JOINT.format(parent, child), '1.5')).report.ok


def test_joints_that_are_errors():
    assert primary(in_model('<link name="link"/>' + JOINT.format('fake', 'link'), '1.4')) == PARENT
    assert primary(in_world(
        '<model name="model1"><link name="link1"/></model><model name="model2">'
        '<link name="link2"/>' + JOINT.format('link1', 'link2') + '</model>', '1.4')) == PARENT


def test_the_world_cannot_be_a_child_though_the_proposal_allows_it():
    """Libsdformat refuses what the text calls legacy behavior."""
    assert primary(in_model('<link name="l"/>' + JOINT.format('l', 'world'), '1.4')) == CHILD


# ---- model kinematics tutorial

ORTHOGONAL = """<link name="a"/><link name="b"><pose>0.1 0 0.1 0 0 0</pose></link>
    <joint name="ab" type="revolute"><pose>{} 0 0 0</pose><parent>a</parent><child>b</child>
    <axis><xyz>0 1 0</xyz></axis></joint>
    <joint name="fix" type="fixed"><parent>world</parent><child>a</child></joint>"""


def test_equal_poses_of_links_and_different_joints_move_differently():
    below, beside = (
        Kinematics(load_model(in_model(ORTHOGONAL.format(xyz), '1.5')))
        for xyz in ('0 0 -0.1', '-0.1 0 0'))
    assert below.pose('b') == pytest.approx(beside.pose('b'))
    sine, cosine = math.sin(0.78), math.cos(0.78)
    moved = [tree.pose('b', q={'ab': 0.78}) for tree in (below, beside)]
    assert moved[0][:3, 3] == pytest.approx([0.1 + 0.1 * sine, 0.0, 0.1 * cosine])
    assert moved[1][:3, 3] == pytest.approx([0.1 * cosine, 0.0, 0.1 - 0.1 * sine])
    assert np.abs(moved[0] - moved[1]).max() > 0.05
