# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Transforms as they arrive from TF."""

from math import pi

from hrdf_ros.pose import from_axis_angle, IDENTITY, Pose, translation
from hrdf_ros.view.transform_tree import TransformTree
import pytest

Z = (0.0, 0.0, 1.0)


def tree(*transforms: tuple[str, str, Pose]) -> TransformTree:
    found = TransformTree()
    found.update(transforms)
    return found


def test_frames_are_chained_from_the_root() -> None:
    found = tree(
        ('map', 'base', translation(5.0, 5.0, 0.0)),
        ('base', 'arm', from_axis_angle(Z, pi / 2)),
        ('/arm', '/hand', translation(1.0, 0.0, 0.0)))
    pose = found.relative('base', 'hand')
    assert pose is not None and pose.position == pytest.approx((0.0, 1.0, 0.0))
    back = found.relative('hand', 'base')
    assert back is not None and back.position == pytest.approx((-1.0, 0.0, 0.0))
    assert found.relative('base', 'base') == IDENTITY


def test_the_newest_transform_counts() -> None:
    found = tree(('a', 'b', translation(1.0, 0.0, 0.0)))
    found.update([('a', 'b', translation(2.0, 0.0, 0.0))])
    pose = found.relative('a', 'b')
    assert pose is not None and pose.x == 2.0


def test_what_tf_does_not_connect_has_no_pose() -> None:
    found = tree(('a', 'b', IDENTITY), ('x', 'y', IDENTITY))
    assert found.relative('a', 'y') is None
    assert found.relative('a', 'unknown') is None


def test_a_cycle_ends() -> None:
    found = tree(('a', 'b', IDENTITY), ('b', 'a', IDENTITY))
    assert found.relative('b', 'a') is not None
    assert found.relative('other', 'a') is None


def test_the_prefix_of_a_robot_is_found() -> None:
    found = tree(
        ('map', 'left/base', IDENTITY), ('left/base', 'left/arm', IDENTITY),
        ('map', 'camera', IDENTITY))
    assert found.prefix(['base', 'arm']) == 'left/'
    assert tree(('base', 'arm', IDENTITY)).prefix(['base', 'arm']) == ''
    assert TransformTree().prefix(['base']) == ''
