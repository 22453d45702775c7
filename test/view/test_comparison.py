# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The colors in which two descriptions differ."""

from hrdf_ros import Kinematics, load_model
from hrdf_ros.diff import diff_models
from hrdf_ros.meshes import MeshReader
from hrdf_ros.model import Model
from hrdf_ros.view.comparison import (
    about_differences,
    CHANGED,
    color_differences,
    ONLY_FIRST,
    ONLY_SECOND,
    painted,
)
from hrdf_ros.view.scene import build_scene
import pytest

BOX = '<visual><geometry><box size="1 1 1"/></geometry></visual>'


def chain(*names: str, x: float = 1.0) -> Model:
    links = ''.join(f'<link name="{name}">{BOX}</link>' for name in names)
    joints = ''.join(
        f'<joint name="to_{child}" type="continuous"><parent link="{parent}"/>'
        f'<child link="{child}"/><origin xyz="{x} 0 0"/><axis xyz="0 0 1"/></joint>'
        for parent, child in zip(names, names[1:]))
    return load_model(f'<robot name="r">{links}{joints}</robot>')


def test_what_is_of_one_robot_and_what_changed_have_colors() -> None:
    first, second = chain('a', 'b', 'gone'), chain('a', 'b', 'new', x=2.0)
    colors = color_differences(first, second, diff_models(first, second))
    assert colors.first == {1: CHANGED, 2: ONLY_FIRST}
    assert colors.second == {1: CHANGED, 2: ONLY_SECOND}


def test_only_what_differs_is_painted() -> None:
    pytest.importorskip('trimesh', reason='meshes require trimesh')
    model = chain('a', 'b')
    scene = build_scene(model, Kinematics(model).fk(), MeshReader())
    solid = painted(scene, {1: CHANGED}, is_ghost=False)
    assert [each.color == CHANGED for each in solid.solids] == [False, True]
    assert {each.opacity for each in painted(scene, {}, is_ghost=True).solids} == {0.4}


def test_names_stay_text() -> None:
    first, second = chain('&lt;img src=x&gt;'), chain('b')
    page = about_differences(diff_models(first, second), '<b>.urdf', 'b.urdf')
    assert '<img' not in page and '<b>' not in page and '&lt;img src=x&gt;' in page
