# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Watched files."""

from pathlib import Path

from hrdf_ros.file_watch import FileWatch


def test_paths_that_no_file_can_have(tmp_path: Path) -> None:
    file = tmp_path / 'a.urdf'
    file.write_text('a')
    watch = FileWatch((f'{tmp_path}/a\0b', str(file), 'x' * 100_000))
    assert not watch.changed()
    file.write_text('longer')
    assert [watch.changed() for _ in range(2)] == [False, True]
