# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The examples of the specification texts, each line that is called valid or an error a test.

Composition proposal (SDF 1.8) 1.3 and 1.4, pose frame semantics proposal (SDF 1.7), model
kinematics tutorial. The error names are libsdformat's.
"""

import math

from helpers.sdf_texts import errors_of, in_model
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load, load_model
import numpy as np
import pytest

POSE, ATTACHED = 'POSE_RELATIVE_TO_INVALID', 'FRAME_ATTACHED_TO_INVALID'
CHILD = 'JOINT_CHILD_LINK_INVALID'


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
