# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Lookups of frames, without ROS."""

from __future__ import annotations

from helpers.tf_stream import Bench, SLIDES
from hrdf_ros.node.lookup import NoAnswer, Reason
import pytest

SECOND = 1_000_000_000
UNIVERSAL = """<skel version="1.0"><world name="w"><skeleton name="s">
<body name="a"><inertia><mass>1</mass></inertia></body>
<body name="b"><transformation>0 0 1 0 0 0</transformation><inertia><mass>1</mass></inertia></body>
<joint type="weld" name="w"><parent>world</parent><child>a</child></joint>
<joint type="universal" name="u"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis>
<axis2><xyz>0 1 0</xyz></axis2></joint></skeleton></world></skel>"""


def test_only_the_joints_between_need_to_be_reported() -> None:
    bench = Bench(SLIDES)
    assert bench.lookup('rail').pose.x == 0.0
    bench.move({'s': 0.5})
    assert bench.lookup('last').pose.x == pytest.approx(0.0)
    assert bench.lookup('last', relative_to='copy').pose.x == pytest.approx(-1.0)


def test_joints_that_were_never_reported_are_named() -> None:
    bench = Bench(SLIDES)
    for fields, names in (({}, 'm'), ({'stamp': SECOND}, 'm'), ({'relative_to': 'last'}, 'm, n')):
        with pytest.raises(NoAnswer) as error:
            bench.lookup('copy', **fields)
        assert str(error.value) == f'no joint state has been received for {names}'
        assert error.value.reason is Reason.UNKNOWN
    bench.move({'n': 0.25})
    assert bench.lookup('last').pose.x == 0.25
    with pytest.raises(NoAnswer, match='for m$'):
        bench.lookup('copy')


def test_positions_of_the_request_take_the_place_of_reported_ones() -> None:
    bench = Bench(SLIDES)
    assert bench.lookup('copy', positions={'s': 0.25}).pose.x == 0.5
    assert bench.lookup('copy', positions={'m': 0.25}).pose.x == 0.25
    assert bench.lookup('last', relative_to='copy', positions={'s': 1.0}).pose.x == -3.0
    with pytest.raises(NoAnswer, match='for s$'):
        bench.lookup('cart', positions={'n': 0.25})


def test_a_joint_of_the_request_may_be_misspelled() -> None:
    bench = Bench("""<robot name="r"><link name="base"/><link name="arm"/>
<joint name="elbow" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>""")
    for name, hint in (('elbo', "; did you mean 'elbow'?"), ('wheel', '')):
        with pytest.raises(NoAnswer) as error:
            bench.lookup('arm', positions={name: 0.25})
        assert str(error.value) == f'the robot does not have the joints: {name}{hint}'


def test_initial_positions_that_are_published_are_used() -> None:
    bench = Bench(SLIDES)
    bench.state.assumed = frozenset([0])
    answer = bench.lookup('cart')
    assert answer.pose.x == 0.0
    assert answer.note == (
        'no joint state has been received for s; the initial positions are used, at zero')
    bench.move({'s': 0.5})
    assert bench.lookup('cart').note == ''


def test_positions_outside_of_their_limits_are_named() -> None:
    bench = Bench(SLIDES.replace('<limit lower="-9" upper="9"', '<limit lower="-1" upper="1"'))
    assert bench.lookup('cart', positions={'s': 0.5}).note == ''
    assert bench.lookup('cart', positions={'s': -2.0}).note == (
        "coordinate 's' is at -2.0, outside of its limit -1.0")
    bench.move({'s': 3.0})
    assert "coordinate 's' is at 3.0, outside of its limit 1.0" in bench.lookup('cart').note


def test_a_frame_of_others_may_be_a_misspelled_one() -> None:
    with pytest.raises(NoAnswer) as error:
        Bench(SLIDES).lookup('cort')
    assert str(error.value) == (
        "'cort' is not a frame of the robot; did you mean 'cart'? nobody knows")


def test_lookup_in_the_past_completes_mimics() -> None:
    bench = Bench(SLIDES)
    for step in range(5):
        bench.move({'s': 0.1 * step}, (1 + step) * SECOND)
    assert bench.lookup('copy', stamp=2_500_000_000).pose.x == pytest.approx(0.3)
    with pytest.raises(NoAnswer, match='1.000 s after'):
        bench.lookup('copy', stamp=6 * SECOND)


def test_positions_of_the_request_have_to_be_finite() -> None:
    with pytest.raises(NoAnswer, match='finite'):
        Bench(SLIDES).lookup('cart', positions={'s': 1e200})
