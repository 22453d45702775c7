# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Texts from outside on their way to logs and diagnostics."""

from hrdf_ros.node.jobs import load_description
from hrdf_ros.node.log_text import as_line, listed, one_line
from hrdf_ros.node.settings import Settings


def test_long_texts_are_cut() -> None:
    assert len(one_line('x' * 5_000_000)) < 1100
    assert one_line('\udcff').encode()
    assert len(listed(['x' * 5_000_000] * 100)) < 1000
    assert listed(['a', 'b', 'c', 'd', 'e', 'f', 'g']) == 'a, b, c, d, e and 2 more'


def test_diagnostics_are_printable() -> None:
    text = '<robot name="r"><link name="a&#10;[FATAL] b&#9;"/><link name="a&#10;[FATAL] b&#9;"/>'
    answer = load_description(Settings(robot_description=f'{text}</robot>'))
    assert answer.report.diagnostics
    assert all(as_line(found).isprintable() for found in answer.report)
