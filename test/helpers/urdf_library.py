# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Forward kinematics of URDF text by yourdfpy, which knows nothing of this project."""

from __future__ import annotations

from collections.abc import Sequence
import io

from hrdf_ros.model import Model
import numpy as np
import pytest

yourdfpy = pytest.importorskip('yourdfpy')


def library_fk(text: str, model: Model, q: Sequence[float], root: str) -> list[np.ndarray]:
    """Return root_from_body (4, 4) of every body; other coordinates are zero."""
    robot = yourdfpy.URDF.load(
        io.BytesIO(text.encode()), load_meshes=False, build_scene_graph=True)
    values = {item.name: value for item, value in zip(model.coordinates, q)}
    robot.update_cfg({name: values.get(name, 0.0) for name in robot.actuated_joint_names})
    return [robot.get_transform(body.name, root) for body in model.bodies]
