# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The Graphviz writer."""

import math
import re

from helpers.skel_texts import moved, skeleton, world
from hrdf_ros.inertia import Inertia
from hrdf_ros.load import load_model
from hrdf_ros.model import Body, Constraint, Coordinate, Joint, Mimic, Model, Motion
from hrdf_ros.writers.dot import write_dot
from hypothesis import given, strategies

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


def test_limits_are_shown_with_their_unit() -> None:
    text, _ = write_dot(one_joint(coordinate=Coordinate('q', 'length', -1.0, math.inf)))
    assert 'q -1.0 .. inf m"' in text


def test_followers_name_their_leader() -> None:
    model = one_joint(coordinate=Coordinate('q', 'angle', mimic=Mimic(1, -2.0, 0.5)))
    text, _ = write_dot(model._replace(coordinates=(*model.coordinates, Coordinate('p', 'angle'))))
    assert 'q = -2.0 p + 0.5"' in text


def test_loop_joints_are_dashed() -> None:
    model = one_joint()
    text, _ = write_dot(model._replace(joints=(*model.joints, Joint('k', 'k', 'fixed', 1, 0))))
    assert '  body1 -> body0 [label="k\\nfixed", style=dashed, constraint=false];\n' in text


def test_constraints_are_dotted() -> None:
    text, _ = write_dot(one_joint()._replace(constraints=(
        Constraint('g', 'gearbox', joints=(0,), bodies=(0,)),)))
    assert (
        '  body0 -> body1 [label="g\\ngearbox", style=dotted, dir=none, constraint=false];\n'
        in text)


def test_several_coordinates_of_a_joint_are_in_order() -> None:
    text, _ = write_dot(load_model(world(skeleton(moved('free', '')))))
    assert r'free\nj_rot_x\nj_rot_y\nj_rot_z\nj_pos_x\nj_pos_y\nj_pos_z"' in text


def test_quotes_and_backslashes_are_escaped() -> None:
    text, _ = write_dot(one_joint('say "hi"\\N'))
    assert '  body1 [label="say \\"hi\\"\\\\N\\n2.5 kg"];\n' in text


@given(strategies.text(min_size=1))
def test_any_name_stays_inside_its_quotes(name: str) -> None:
    text, _ = write_dot(one_joint(name))
    line = next(line for line in text.split('\n') if line.startswith('  body1 ['))
    assert re.fullmatch(r'  body1 \[label="(?:[^"\\]|\\.)*"\];', line, re.DOTALL)


def test_the_same_model_gives_the_same_text() -> None:
    text = world(skeleton(moved('ball', '')))
    assert write_dot(load_model(text))[0] == write_dot(load_model(text))[0]
