# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Processes, as /proc has them, and a description that keeps one busy."""

from pathlib import Path

LONG = '<robot name="r"><link name="a"/>' + ''.join(
    f'<link name="l{index}"/><joint name="j{index}" type="fixed"><parent link="a"/>'
    f'<child link="l{index}"/></joint>' for index in range(20_000)) + '</robot>'
"""A URDF of 20,000 links."""


def children(process: int) -> set[int]:
    """Return the processes that a process has started and that still exist."""
    tasks = Path(f'/proc/{process}/task').glob('*/children')
    return {int(child) for task in tasks for child in task.read_text().split()}


def is_running(process: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        state = Path(f'/proc/{process}/stat').read_text().rpartition(')')[2].split()[0]
    except FileNotFoundError:
        return False
    return state != 'Z'
