# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Graph facts: spanning trees, loops, roots, and what a name means."""

from __future__ import annotations

from hrdf_ros.model import Body, Coordinate, Frame, Joint, Mimic, Model, Motion, NONE
from hrdf_ros.pose import compose, from_axis_angle, IDENTITY, Pose, translation
from hrdf_ros.topology import (
    displacement,
    find_frame,
    frame_parents,
    span,
    tf_root,
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

def test_the_root_of_a_single_tree_is_the_root_of_tf() -> None:
    chain = model(2, [(0, 1)])
    assert tf_root(chain, span(chain)) == 'b0'
    assert frame_parents(chain, span(chain)) == ['', 'b0']


@pytest.mark.parametrize(('changes', 'name'), [
    ({}, 'm'), ({'name': 'b0'}, 'b0_root'), ({'name': ''}, 'root'), ({'is_world': True}, 'world')])
def test_several_trees_get_a_synthetic_root(changes: dict[str, object], name: str) -> None:
    loose = model(2, [], **changes)
    assert tf_root(loose, span(loose)) == name
    assert frame_parents(loose, span(loose)) == [name, name]


def test_a_name_comes_before_a_source_name_and_that_before_a_tag() -> None:
    frames = (
        Frame('x', 'm::hand::palm', 'link', 0, tag='z'), Frame('y', 'x', 'frame', 0, tag='x'),
        Frame('z/output', 'm::z', 'output', 0))
    of = model(1, [], frames=frames)
    names = ('x', 'm::hand::palm', 'hand::palm', 'z', 'palm')
    assert [find_frame(of, name) for name in names] == [0, 0, 0, 2, None]


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
