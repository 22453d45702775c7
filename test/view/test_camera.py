# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Where a robot is looked at from."""

from hrdf_ros import Kinematics, load_model
from hrdf_ros.meshes import MeshReader
from hrdf_ros.view.scene import build_scene, camera, Extent, FIELD_OF_VIEW
import numpy as np
import pytest

pytest.importorskip('trimesh', reason='meshes require trimesh')


def scene(size: float) -> Extent:
    model = load_model(
        f'<robot name="r"><link name="a"><visual><origin xyz="{10 * size} 0 0"/><geometry>'
        f'<box size="{size} {size} {size}"/></geometry></visual></link></robot>')
    return build_scene(model, Kinematics(model).fk(), MeshReader()).extent


@pytest.mark.parametrize('size', [0.001, 1.0, 500.0])
@pytest.mark.parametrize(('azimuth', 'elevation'), [(-40.0, 24.0), (90.0, 0.0), (10.0, 89.9)])
@pytest.mark.parametrize('aspect', [0.5, 2.0])
def test_all_of_a_robot_is_seen_whatever_its_size(
        size: float, azimuth: float, elevation: float, aspect: float) -> None:
    found = scene(size)
    eye = camera(found, azimuth, elevation, aspect=aspect, reach=0.56)
    w, x, y, z = eye.wxyz
    rotation = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    half = 0.5 * size * np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
    right, down, ahead = ((half + found.center - eye.position) @ rotation).T
    reach = np.tan(0.5 * FIELD_OF_VIEW)
    assert (np.abs(down) < reach * ahead).all() and (np.abs(right) < reach * aspect * ahead).all()
    assert (eye.near < ahead).all() and (ahead < eye.far).all()
