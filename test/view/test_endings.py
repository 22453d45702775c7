# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""`hrdf view` ends at a file that it cannot show, and says why."""

from pathlib import Path

from hrdf_ros.cli import main
import pytest

pytest.importorskip('viser')
XACRO = """<robot name="x" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="radius" default="0.25"/>
  <link name="a"/>
</robot>
"""


def test_files_that_are_no_robot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, empty = tmp_path / 'view.rviz', tmp_path / 'empty.urdf'
    file.write_bytes(b'Panels:')
    empty.touch()
    for each, said in (
            (file, 'this is a configuration of RViz'), (tmp_path, 'is a directory'),
            (empty, 'a robot description is XML')):
        assert main(['view', str(each), '--no-open']) == 1
        assert said in capsys.readouterr().err


def test_an_argument_that_is_not_declared(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip('xacro')
    file = tmp_path / 'robot.urdf.xacro'
    file.write_text(XACRO)
    assert main(['view', str(file), 'radios:=2', '--no-open']) == 1
    assert "did you mean 'radius'?" in capsys.readouterr().err
