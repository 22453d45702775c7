# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""URDFs written from real robots: an independent library agrees, and urdfdom accepts them."""

from __future__ import annotations

from pathlib import Path
import random
import shutil
import subprocess

from helpers.loading import model_of
from helpers.robots import name_of, read, robots
from helpers.urdf_library import library_fk
from hrdf_ros import Kinematics, write_urdf
from hrdf_ros.model import Model
from hrdf_ros.topology import is_single_tree, tf_root
import numpy as np
import pytest

FILES = pytest.mark.parametrize('file', robots('.hrdf', '.sdf', '.skel'), ids=name_of)
CHECK_URDF = shutil.which('check_urdf')


def configuration(model: Model, tree: Kinematics) -> list[float]:
    """Return random values; zero for rotation vectors, start values where loops must close."""
    if tree.topology.loops:
        return [float(value) for value in tree.resolve()]
    rng = random.Random(len(model.coordinates))
    turning = {
        index for joint in model.joints for motion in joint.motions
        if motion.kind == 'rotation_vector' for index in motion.coordinates}
    values = [0.0 if index in turning else rng.uniform(-2.0, 2.0)
              for index in range(len(model.coordinates))]
    return [float(value) for value in tree.resolve(values)]


@FILES
def test_an_independent_library_agrees(file: Path) -> None:
    model = model_of(read(file))
    tree = Kinematics(model)
    q = configuration(model, tree)
    text, _ = write_urdf(model, expand_ball=True)
    root = tf_root(model, tree.topology)
    expected = dict(zip((frame.name for frame in model.frames), tree.fk(q)))
    base = np.eye(4)
    if is_single_tree(model, tree.topology):
        base = np.linalg.inv(expected[root])
    for body, found in zip(model.bodies, library_fk(text, model, q, root)):
        np.testing.assert_allclose(
            found, base @ expected[body.name], atol=1e-9, rtol=0.0, err_msg=body.name)


@pytest.mark.skipif(CHECK_URDF is None, reason='check_urdf (liburdfdom-tools) is not installed')
@FILES
def test_urdfdom_accepts_it_without_a_word(file: Path, tmp_path: Path) -> None:
    written = tmp_path / 'robot.urdf'
    written.write_text(write_urdf(model_of(read(file)))[0], encoding='utf-8')
    found = subprocess.run([str(CHECK_URDF), str(written)], capture_output=True, text=True)
    assert found.returncode == 0
    assert 'Error' not in found.stdout + found.stderr
