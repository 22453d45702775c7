# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The format of docs/readers.md, installed as a package, in every part behind the readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
import re
import sys

from hrdf_ros import Kinematics, load_model, write_mjcf, write_sdf, write_urdf
from hrdf_ros.cli.command import main
from hrdf_ros.diagnostics import Report
from hrdf_ros.diff import diff_models
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import GAZEBO_URDF, MJCF, sdf_target, Target, TF, URDF
from hrdf_ros.model import Model
from hrdf_ros.node.jobs import load_description
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.settings import Settings
from hrdf_ros.testing import assert_same_kinematics, check_reader
import pytest

pytest.importorskip('yaml', reason='the example of docs/readers.md needs PyYAML')

PAGE = Path(__file__).parents[2] / 'docs' / 'readers.md'
EXAMPLES = dict(re.findall(r'```(\w+)[^\n]*\n(.*?)```', PAGE.read_text('utf-8'), re.DOTALL))


@pytest.fixture
def rod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install the package of the page, as pip does; yield the path of its example."""
    site = tmp_path / 'site'
    (site / 'toy_format-1.dist-info').mkdir(parents=True)
    (site / 'toy_format-1.dist-info' / 'METADATA').write_text('Name: toy_format\nVersion: 1\n')
    (site / 'toy_format-1.dist-info' / 'entry_points.txt').write_text(
        '[hrdf_ros.readers]\ntoy = toy_format:read\n')
    (site / 'toy_format.py').write_text(EXAMPLES['python'])
    monkeypatch.syspath_prepend(str(site))
    sys.modules.pop('toy_format', None)  # another test has a package of this name
    file = tmp_path / 'rod.toy'
    file.write_text(EXAMPLES['yaml'])
    yield file
    sys.modules.pop('toy_format', None)


def test_its_reader_keeps_the_promises(rod: Path) -> None:
    from toy_format import read  # type: ignore[import-not-found]
    check_reader(read, [rod])


def test_commands_know_it(rod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['check', '--strict', str(rod)]) == 0
    assert main(['tree', str(rod)]) == 0
    assert 'tip' in capsys.readouterr().out
    for suffix in ('urdf', 'sdf', 'mjcf', 'dot'):
        written = str(rod.with_suffix(f'.{suffix}'))
        assert main(['convert', str(rod), '-o', written]) == 0
        if suffix != 'dot':
            assert main(['check', written]) == 0
    assert main(['diff', str(rod), str(rod)]) == 0
    assert main(['info', '--model-name', 'rod', str(rod)]) == 0
    assert main(['diff', str(rod), str(rod.with_suffix('.sdf'))]) == 1
    assert 'tip/body' in capsys.readouterr().out


@pytest.mark.parametrize(('target', 'links'), [
    (TF, ['base', 'tip']), (URDF, ['base', 'tip']), (GAZEBO_URDF, ['base', 'tip']),
    (sdf_target('1.12'), ['base', 'tip/body']), (MJCF, ['base', 'tip', 'world'])])
def test_each_target_has_its_links(rod: Path, target: Target, links: list[str]) -> None:
    assert [body.name for body in lower(load_model(rod), target).model.bodies] == links


@pytest.mark.parametrize('write', [write_urdf, write_sdf, write_mjcf])
def test_what_is_written_moves_as_it_does(
    rod: Path, write: Callable[[Model], tuple[str, Report]],
) -> None:
    model = load_model(rod)
    again = load_model(write(model)[0])
    assert_same_kinematics(model, again)
    assert not [found for found in diff_models(model, again) if 'of frame' in found.what]


def test_the_node_publishes_it(rod: Path) -> None:
    settings = Settings(model=str(rod))
    robot = Robot(load_description(settings), settings)
    assert robot.root == 'base'
    assert robot.kinematics.pose('tip', {'tip': 0.5})[2, 3] == 1.5


def test_the_viewer_shows_it(rod: Path) -> None:
    pytest.importorskip('trimesh', reason='meshes require trimesh')
    from hrdf_ros.meshes import MeshReader
    from hrdf_ros.view.scene import build_scene
    model = load_model(rod)
    scene = build_scene(model, Kinematics(model).fk(), MeshReader())
    assert (len(scene.body_frames), scene.notes) == (2, ())
