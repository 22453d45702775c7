# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Files that are no robot descriptions: every command says what they are and ends."""

from __future__ import annotations

from pathlib import Path

from hrdf_ros import load
from hrdf_ros.cli import main
import pytest

OTHERS = [
    ('picture.png', b'\x89PNG\r\n\x1a\n', 'a PNG image'),
    ('photo', b'\xff\xd8\xff\xe0', 'a JPEG image'),
    ('view.rviz', b'Panels:\n', 'a configuration of RViz'),
    ('view.yaml', b'Panels:\nVisualization Manager:\n', 'a configuration of RViz'),
    ('package.xml', b'<package format="3"/>', 'the manifest of a ROS package'),
    ('arm.launch', b'<launch/>', 'a launch file'),
    ('part.xml', b'<mujocoinclude/>', 'a part of an MJCF file')]


@pytest.mark.parametrize(('name', 'data', 'what'), OTHERS, ids=[name for name, *_ in OTHERS])
def test_a_file_that_is_no_robot(
    name: str, data: bytes, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / name
    file.write_bytes(data)
    [found] = load(file).report
    assert (found.code, found.message) == (
        'unknown-format', f'this is {what}, not a robot description')
    for command in ('tree', 'info', 'check'):
        assert main([command, str(file)]) == 1
        assert f'this is {what}, not' in capsys.readouterr().err


def test_what_is_not_known_lists_the_formats(tmp_path: Path) -> None:
    file = tmp_path / 'notes.txt'
    file.write_text('text')
    assert [one.message for one in load(file).report] == [
        'unknown format; known are hrdf, sdf, mjcf, skel, urdf']
