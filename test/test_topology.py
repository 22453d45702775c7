# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Graph facts: spanning trees, loops, roots, and what a name means."""

from __future__ import annotations

from math import isfinite

from hrdf_ros.load import load_model
from hrdf_ros.model import Body, Coordinate, Frame, Joint, Mimic, Model, Motion, NONE
from hrdf_ros.pose import compose, from_axis_angle, IDENTITY, inverse, Pose, translation
from hrdf_ros.topology import (
    displacement,
    find_frame,
    frame_hint,
    frame_parents,
    reverse,
    span,
    tf_root,
    zero_poses,
)
from hypothesis import given, strategies
import pytest

SIZES = strategies.integers(1, 12)


def model(count: int, edges: list[tuple[int, int]], **changes: object) -> Model:
    """Return a model of numbered bodies and joints between them."""
    made = Model(
        'm', 'sdf', '1.12', '__root__',
        bodies=tuple(Body(f'b{index}', f'b{index}') for index in range(count)),
        joints=tuple(
            Joint(f'j{index}', f'j{index}', 'fixed', *edge) for index, edge in enumerate(edges)),
        frames=tuple(Frame(f'b{index}', f'b{index}', 'link', index) for index in range(count)))
    return made._replace(**changes)  # type: ignore[arg-type]


@strategies.composite
def graphs(draw: strategies.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    count = draw(SIZES)
    bodies = strategies.integers(0, count - 1)
    return count, draw(strategies.lists(strategies.tuples(bodies, bodies), max_size=20))


def test_children_come_depth_first_in_document_order() -> None:
    assert span(model(5, [(0, 3), (0, 1), (3, 4), (1, 2)])).order == (0, 3, 4, 1, 2)


def test_a_ring_hangs_on_its_canonical_body() -> None:
    ring = [(0, 1), (1, 2), (2, 0)]
    assert span(model(3, ring)).roots == (0,)
    assert span(model(3, ring, canonical_body=1)).roots == (1,)


@given(graphs())
def test_every_graph_is_spanned(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    tree = span(model(count, edges))
    assert sorted(tree.order) == list(range(count))
    assert len(tree.loops) + count - len(tree.roots) == len(edges)
    location = {body: index for index, body in enumerate(tree.order)}
    for body in range(count):
        joint, parent = tree.joint[body], tree.parent[body]
        assert (joint == NONE) == (parent == NONE) == (body in tree.roots)
        if joint != NONE:
            assert location[parent] < location[body]
            expected = (body, parent) if tree.reversed[body] else (parent, body)
            assert edges[joint] == expected


# ---- names of roots and frames

@pytest.mark.parametrize(('changes', 'name'), [
    ({}, 'm'), ({'name': 'b0'}, 'b0_root'), ({'name': ''}, 'root'), ({'is_world': True}, 'world')])
def test_several_trees_get_a_synthetic_root(changes: dict[str, object], name: str) -> None:
    loose = model(2, [], **changes)
    assert tf_root(loose, span(loose)) == name
    assert frame_parents(loose, span(loose)) == [name, name]


# ---- joints walked the other way

def step(motion: Motion, q: float) -> Pose:
    d = motion.scale * q + motion.offset
    slide = translation(*(d * x for x in motion.axis))
    if motion.kind == 'revolute':
        return from_axis_angle(motion.axis, d)
    return slide if motion.kind == 'prismatic' else compose(
        from_axis_angle(motion.axis, q), slide)


# ---- the zero configuration

def mimicking(*ties: Mimic | None) -> Model:
    """Return slides along x from a base, one for each coordinate."""
    return model(
        len(ties) + 1, [(0, child) for child in range(1, len(ties) + 1)],
        coordinates=tuple(
            Coordinate(f'q{index}', 'length', mimic=tie) for index, tie in enumerate(ties)),
    )._replace(joints=tuple(
        Joint(
            f'j{index}', f'j{index}', 'prismatic', 0, index + 1,
            motions=(Motion('prismatic', (1.0, 0.0, 0.0), (index,)),))
        for index in range(len(ties))))


@pytest.mark.parametrize('motion', [
    Motion('revolute', (0.0, 0.6, 0.8), (0,), 2.0, 0.1),
    Motion('prismatic', (0.0, 0.6, 0.8), (0,), -0.5, 0.2),
    Motion('screw', (0.0, 0.6, 0.8), (0,), 0.25, 0.1)])
def test_displacement_follows_the_definition(motion: Motion) -> None:
    assert displacement(motion, [0.7]) == pytest.approx(step(motion, 0.7), abs=1e-15)


def test_displacement_by_a_rotation_vector() -> None:
    motion = Motion('rotation_vector', (0.0, 0.0, 1.0), (0, 1, 2))
    assert displacement(motion, [0.0, 0.0, 0.0]) == IDENTITY
    turned = from_axis_angle((0.0, 0.6, 0.8), 0.5)
    assert displacement(motion, [0.0, 0.3, 0.4]) == pytest.approx(turned, abs=1e-15)


def moved(joint: Joint, q: float) -> Pose:
    """Return parent_from_child by the definition of a joint."""
    pose = joint.parent_from_joint
    for motion in joint.motions:
        pose = compose(pose, step(motion, q))
    return compose(pose, inverse(joint.child_from_joint))


FRAMES = (
    Frame('wrist', 'm::wrist', 'link', 0), Frame('a', 'm::a', 'link', 0, tag='hand'),
    Frame('a/com', 'm::a/com', 'com', 0, tag='hand'),
    Frame('a/output', 'm::a/output', 'output', 0, tag='hand'),
    Frame('a/end_effector', 'm::a/end_effector', 'end_effector', 0, tag='hand'),
    Frame('b', 'b', 'link', 0, tag='elbow'), Frame('b/output', 'b', 'output', 0, tag='elbow'),
    Frame('j/output', 'j', 'output', 0, tag='turn'), Frame('elbow', 'elbow', 'link', 0),
    Frame('z', 'x', 'frame', 0, tag='y'), Frame('x', 'm::hand::palm', 'link', 0),
    Frame('y', 'm::y', 'link', 0))


def test_a_cycle_of_mimics_ends() -> None:
    chain = mimicking(Mimic(1, 1.0, 1.0), Mimic(0, 1.0, 1.0))
    poses = zero_poses(chain, span(chain))
    assert all(isfinite(pose.x) for pose in poses)


def test_a_deep_chain_needs_no_recursion() -> None:
    count = 50_000
    tree = span(model(count, [(index, index + 1) for index in range(count - 1)]))
    assert tree.order == tuple(range(count))


def test_a_follower_may_come_before_its_leader() -> None:
    chain = mimicking(Mimic(1, 3.0, 1.0), Mimic(2, 2.0, 0.5), None)
    assert [pose.x for pose in zero_poses(chain, span(chain))] == [0.0, 2.5, 0.5, 0.0]


@pytest.mark.parametrize('q', [-1.3, 0.0, 0.7])
def test_a_reversed_joint_is_the_inverse(q: float) -> None:
    joint = Joint(
        'j', 'j', 'any', 0, 1, compose(translation(1, 2, 3), from_axis_angle((1, 0, 0), 0.3)),
        compose(translation(0, -1, 0), from_axis_angle((0, 1, 0), -0.9)), (
            Motion('revolute', (0.0, 0.6, 0.8), (0,), 2.0, 0.1),
            Motion('prismatic', (1.0, 0.0, 0.0), (0,), -0.5, 0.2),
            Motion('screw', (0.0, 0.0, 1.0), (0,), 0.25)))
    back = reverse(joint)
    assert (back.parent, back.child) == (1, 0)
    both = compose(moved(joint, q), moved(back, q))
    assert both == pytest.approx(IDENTITY, abs=1e-12)
    assert reverse(back) == joint


def test_frames_hang_on_their_body() -> None:
    chain = model(2, [(0, 1)], frames=(
        Frame('b0', 'b0', 'link', 0), Frame('tip', 'tip', 'frame', 1), Frame(
            'b1', 'b1', 'link', 1)))
    assert frame_parents(chain, span(chain)) == ['', 'b1', 'b0']


def test_mimics_at_zero_are_at_their_offset() -> None:
    chain = mimicking(None, Mimic(0, 2.0, 0.5), Mimic(1, -2.0, 0.25))
    assert [pose.x for pose in zero_poses(chain, span(chain))] == [0.0, 0.0, 0.5, -0.75]
    assert [pose.x for pose in zero_poses(chain, span(chain), mimics=False)] == [0.0] * 4


def test_the_joint_that_closes_a_loop_is_the_last_one_written() -> None:
    tree = span(model(3, [(0, 1), (1, 2), (0, 2)]))
    assert tree.loops == (2,)
    assert tree.parent == (NONE, 0, 1)


@pytest.mark.parametrize(('name', 'found'), [
    ('wrist', 'wrist'), ('m::wrist', 'wrist'), ('a', 'a'), ('hand', 'a/end_effector'),
    ('turn', 'j/output'), ('elbow', 'elbow'), ('a/com', 'a/com'), ('hand::palm', 'x'),
    ('x', 'x'), ('y', 'y'), ('', None), ('nowhere', None), ('m', None), ('palm', None)])
def test_what_a_name_means(name: str, found: str | None) -> None:
    index = find_frame(model(1, [], frames=FRAMES), name)
    assert (None if index is None else FRAMES[index].name) == found


KIT = """<robot version="1.6.0"><actuator type="X8-9"/><link type="X5" extension="1" twist="0"/>
    <actuator type="X5-1"/><end-effector type="X5Parallel"/></robot>"""


@pytest.mark.parametrize(('name', 'naming', 'hint'), [
    ('gripper', 'default', "the end effector is 'x5_parallel_1'"),
    ('end_effector', 'default', "the end effector is 'x5_parallel_1'"),
    ('tool0', 'default', "the end effector is 'x5_parallel_1'"),
    ('x5_paralel_1', 'default', "did you mean 'x5_parallel_1'?"),
    ('x8_9_1/comm', 'default', "did you mean 'x8_9_1/com'?"),
    ('zzzq', 'default', 'there are x5_parallel_1, base_link, x8_9_1, x5_link_1, x5_1_1, '
     'x5_parallel_1/body, x8_9_1/com, x8_9_1/output, x5_link_1/com, x5_link_1/output and 4 more'),
    ('finger', 'default', "the end effector is 'x5_parallel_1'"),
    ('gripper', 'hebi', "the end effector is 'end_effector_1/end_effector'"),
    ('end_effector', 'hebi', "did you mean 'end_effector_1/end_effector'?"),
    ('left_finger', 'hebi', "did you mean 'end_effector_1/l_finger'?"),
    ('finger', 'hebi', 'there are end_effector_1/l_finger, end_effector_1/r_finger'),
])
def test_an_unknown_frame_suggests_tools_and_tags_first(
    name: str, naming: str, hint: str,
) -> None:
    assert frame_hint(load_model(KIT, naming=naming), name) == hint


def test_a_hint_has_the_prefix_of_tf() -> None:
    tagged = load_model(KIT.replace('"X5Parallel"', '"X5Parallel" tag="hand"'))
    assert frame_hint(tagged, 'left/hnd', 'left/') == "did you mean 'left/hand'?"
    assert frame_hint(tagged, 'tcp', 'left/') == "the end effector is 'left/hand'"
