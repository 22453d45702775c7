# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Written URDFs mean what the Model means: an independent library computes the same poses."""

from __future__ import annotations

import random

from helpers.kinematic_models import matrix, plain_fk, plain_mimics, random_model
from helpers.urdf_library import library_fk
from hrdf_ros import write_urdf
from hrdf_ros.model import Model, NONE
from hrdf_ros.pose import IDENTITY
from hrdf_ros.topology import is_single_tree, span, tf_root
import numpy as np
import pytest

SINGLE = ('fixed', 'revolute', 'prismatic', 'screw', 'universal', 'planar')


def assert_same_poses(model: Model, seed: int) -> None:
    text, _ = write_urdf(model)
    topology = span(model)
    rng = random.Random(seed)
    q = plain_mimics(model, [rng.uniform(-3.0, 3.0) for _ in model.coordinates])
    if is_single_tree(model, topology):
        bodies = list(model.bodies)
        bodies[topology.roots[0]] = bodies[topology.roots[0]]._replace(pose=IDENTITY)
        expected = plain_fk(model._replace(bodies=tuple(bodies)), q)
    else:
        expected = plain_fk(model, q)
    found = library_fk(text, model, q, tf_root(model, topology))
    for body, here, there in zip(model.bodies, found, map(matrix, expected)):
        np.testing.assert_allclose(here, there, atol=1e-9, rtol=0.0, err_msg=body.name)


@pytest.mark.parametrize('seed', range(12))
def test_every_kind_of_joint_moves_the_same(seed: int) -> None:
    """Reversed edges, ratios, offsets, mimics, universal, planar and screw joints, two roots."""
    model = random_model(seed, 12, SINGLE, 1 + seed % 2)
    assert_same_poses(model, seed)


@pytest.mark.parametrize('seed', range(6))
def test_joints_at_their_child_frame_need_no_links(seed: int) -> None:
    """Without a transform after the joint and with scale 1 the URDF has the Model's own links."""
    model = random_model(seed, 8, ('fixed', 'revolute', 'prismatic'), 1)
    model = model._replace(joints=tuple(
        joint._replace(child_from_joint=IDENTITY, motions=tuple(
            motion._replace(scale=-1.0 if index % 2 else 1.0) for motion in joint.motions),
            parent=min(joint.parent, joint.child), child=max(joint.parent, joint.child))
        for index, joint in enumerate(model.joints)))
    kinds = [
        (joint.motions[0].coordinates[0], 'length' if joint.type == 'prismatic' else 'angle')
        for joint in model.joints if joint.motions]
    coordinates = list(model.coordinates)
    for index, kind in kinds:
        coordinates[index] = coordinates[index]._replace(kind=kind)
    model = model._replace(coordinates=tuple(coordinates))
    text, report = write_urdf(model)
    assert 'link-added' not in {found.code for found in report}
    assert text.count('<link') == len(model.bodies)
    assert NONE not in [span(model).parent[body] for body in range(1, len(model.bodies))]
    assert_same_poses(model, seed)
