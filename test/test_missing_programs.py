# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What Python users read where an optional program or package is not installed."""

from __future__ import annotations

from pathlib import Path
import sys

from hrdf_ros import Kinematics, load_model, plot
from hrdf_ros.model import Model
import pytest

EXAMPLES = Path(__file__).parent.parent / 'examples'


@pytest.fixture
def model() -> Model:
    return load_model(EXAMPLES / 'urdf' / 'gripper_arm.urdf')


def test_plot_names_graphviz(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('PATH', '')
    with pytest.raises(FileNotFoundError, match='^plot requires .* apt install graphviz$'):
        plot(model)


def test_scene_names_trimesh(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, 'hrdf_ros.meshes.scene', raising=False)
    monkeypatch.setitem(sys.modules, 'trimesh', None)
    with pytest.raises(ModuleNotFoundError, match='pip install trimesh pycollada pillow$'):
        Kinematics(model).scene()


def test_a_scene_warns_once_for_all_links(tmp_path: Path) -> None:
    pytest.importorskip('trimesh')
    links = ''.join(
        f'<link name="{name}"><visual><geometry><mesh filename="no.stl"/></geometry></visual>'
        '</link>' for name in 'ab')
    file = tmp_path / 'r.urdf'
    file.write_text(f'<robot name="r">{links}<joint name="j" type="fixed"><parent link="a"/>'
                    '<child link="b"/></joint></robot>')
    with pytest.warns(UserWarning, match='^a, b: ') as found:
        Kinematics(load_model(file)).scene()
    assert len(found) == 1
