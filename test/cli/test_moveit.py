# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf moveit``: the package, and its update."""

from __future__ import annotations

from pathlib import Path

from helpers.robots import REPOSITORY
from hrdf_ros.cli import main
import pytest

ARM = str(REPOSITORY / 'examples' / 'urdf' / 'gripper_arm.urdf')
Output = pytest.CaptureFixture[str]


def moveit(out: Path, *arguments: str, file: str = ARM) -> int:
    return main(['moveit', file, '-o', str(out), '--no-collisions', *arguments])


def test_an_update_keeps_what_the_user_changed(tmp_path: Path, capsys: Output) -> None:
    out = tmp_path / 'arm_moveit_config'
    assert moveit(out) == 0
    assert moveit(out) == 1
    assert f'{out} exists; --update' in capsys.readouterr().err
    limits, srdf = out / 'config/joint_limits.yaml', out / 'config/arm.srdf'
    limits.write_text('mine: true\n')
    srdf.write_text('<robot name="mine"/>\n')
    positions = (out / 'config/initial_positions.yaml').read_text()
    assert moveit(out, '--update', '--position', 'elbow=0.5') == 0
    assert 'arm.srdf.new: config/arm.srdf was changed and stays' in capsys.readouterr().out
    assert limits.read_text() == 'mine: true\n'  # what is generated has not changed
    assert not Path(f'{limits}.new').exists()
    assert srdf.read_text() == '<robot name="mine"/>\n'
    assert 'value="0.5"' in Path(f'{srdf}.new').read_text()
    assert (out / 'config/initial_positions.yaml').read_text() != positions
    assert moveit(out, '--update', '--position', 'elbow=0.7') == 0
    assert 'value="0.7"' in Path(f'{srdf}.new').read_text()
    assert moveit(out, '--update', '--position', 'elbow=0.7') == 0
    assert '0 files written' in capsys.readouterr().out


def test_a_directory_of_others_is_not_updated(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / 'arm_moveit_config').mkdir()
    assert moveit(tmp_path / 'arm_moveit_config', '--update') == 1
    assert 'is not a package that hrdf moveit wrote' in capsys.readouterr().err
    assert list(tmp_path.rglob('*')) == [tmp_path / 'arm_moveit_config']


def test_the_manifest_and_the_license_are_as_asked_for(tmp_path: Path) -> None:
    out = tmp_path / 'arm_moveit_config'
    assert moveit(out, '--maintainer', 'Ann Doe <ann@example.org>', '--license', 'MIT') == 0
    manifest = (out / 'package.xml').read_text()
    assert '<maintainer email="ann@example.org">Ann Doe</maintainer>' in manifest
    assert '<license>MIT</license>' in manifest


def test_a_source_in_the_package_is_not_replaced(tmp_path: Path, capsys: Output) -> None:
    out = tmp_path / 'arm_moveit_config'
    assert moveit(out) == 0
    assert moveit(out, '--update', file=str(out / 'config/arm.urdf')) == 2
    assert 'is a source of this conversion' in capsys.readouterr().err
