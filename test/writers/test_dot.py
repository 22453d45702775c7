# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The Graphviz writer."""

import math
import re
from typing import Any

from helpers.skel_texts import moved, skeleton, world
from hrdf_ros.inertia import Inertia
from hrdf_ros.load import load_model
from hrdf_ros.model import Body, Constraint, Coordinate, Joint, Mimic, Model, Motion
from hrdf_ros.writers.dot import write_dot
from hypothesis import given, strategies
import pytest

Z = (0.0, 0.0, 1.0)


def one_joint(name: str = 'a', coordinate: Coordinate = Coordinate('q', 'angle')) -> Model:
    return Model(
        'm', 'urdf', '1.0', 'base', (Body('base', 'base'), Body(name, name, Inertia(2.5))),
        (Joint('j', 'j', 'revolute', 0, 1, motions=(Motion('revolute', Z, (0,)),)),),
        (coordinate,))


def test_bodies_are_boxes_and_joints_arrows() -> None:
    text, report = write_dot(one_joint())
    assert text == (
        'digraph "m" {\n'
        '  node [shape=box];\n'
        '  body0 [label="base"];\n'
        '  body1 [label="a\\n2.5 kg"];\n'
        '  body0 -> body1 [label="j\\nrevolute\\nq"];\n'
        '}\n')
    assert len(report) == 0


def test_a_very_long_name_is_shortened() -> None:
    """Graphviz refuses boxes that are too wide."""
    text, _ = write_dot(one_joint('x' * 3000))
    assert max(map(len, text.splitlines())) < 1000


@pytest.mark.parametrize('changes, line', [
    ({'coordinates': (Coordinate('q', 'length', -1.0, math.inf),)}, 'q -1.0 .. inf m"];'),
    ({'coordinates': (Coordinate('q', 'angle', mimic=Mimic(1, -2.0, 0.5)), Coordinate(
        'p', 'angle'))}, 'q = -2.0 p + 0.5"];'),
    ({'joints': (*one_joint().joints, Joint('k', 'k', 'fixed', 1, 0))},
     '  body1 -> body0 [label="k\\nfixed", style=dashed, constraint=false];'),
    ({'constraints': (Constraint('g', 'weld', joints=(0,), bodies=(0,)),)},
     '  body0 -> body1 [label="g\\nweld", style=dotted, dir=none, constraint=false];')])
def test_limits_followers_loops_and_constraints(changes: dict[str, Any], line: str) -> None:
    assert line in write_dot(one_joint()._replace(**changes))[0]


@given(strategies.text(min_size=1))
def test_any_name_stays_inside_its_quotes(name: str) -> None:
    text, _ = write_dot(one_joint(name))
    line = next(line for line in text.split('\n') if line.startswith('  body1 ['))
    assert re.fullmatch(r'  body1 \[label="(?:[^"\\]|\\.)*"\];', line, re.DOTALL)


NESTED = """<sdf version="1.11"><model name="m"><pose>1 0 0 0 0 0</pose><link name="l"/>
<model name="n"><pose>0 2 0 0 0 1</pose><link name="k"><pose>0 0 3 0 0 0</pose></link></model>
<frame name="f" attached_to="n::k"><pose>0.5 0 0 0 0 0</pose></frame></model></sdf>"""


def arrows(graph: str) -> list[str]:
    """Return the arrows between the names in the file."""
    text, _ = write_dot(load_model(NESTED), graph=graph)
    names = dict(re.findall(r'  (\w+) \[label="([^"\\]*)', text))
    return [f'{names[a]} -> {names[b]}{label}' for a, b, label in re.findall(
        r'  (\w+) -> (\w+)(.*);', text)]


def test_frames_with_the_links_that_they_are_attached_to() -> None:
    assert arrows('frames') == ['m -> m::l', 'm::n -> m::n::k', 'm::f -> m::n::k']


def test_poses_are_relative_to_the_model_or_link() -> None:
    assert arrows('poses') == [
        r'__root__ -> m [label="1 0 0\n0 0 0"]', r'm -> m::n [label="0 2 0\n0 0 1"]',
        r'm -> m::l [label="0 0 0\n0 0 0"]', r'm::n -> m::n::k [label="0 0 3\n0 0 0"]',
        r'm::n::k -> m::f [label="0.5 0 0\n0 0 0"]']


def test_several_coordinates_of_a_joint_are_in_order() -> None:
    with pytest.raises(ValueError, match='tree, frames, poses'):
        write_dot(load_model(NESTED), graph='trees')
    text, _ = write_dot(load_model(world(skeleton(moved('free', '')))))
    assert r'free\nj_rot_x\nj_rot_y\nj_rot_z\nj_pos_x\nj_pos_y\nj_pos_z"' in text
