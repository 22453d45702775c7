# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The commands for running systems where there is no ROS, and their arguments."""

from __future__ import annotations

import sys

from helpers.terminal import Run
import pytest


@pytest.mark.parametrize('line', ['move elbow=0.5', 'echo tool', 'doctor'])
def test_without_ros_one_line_says_so(
    hrdf: Run, line: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line names the command and what is missing."""
    for name in [name for name in sys.modules if name.startswith('hrdf_ros.node')]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, 'rclpy', None)
    done = hrdf(line)
    assert (done.status, done.out) == (1, '')
    assert done.err.count('\n') == 1
    assert done.err.startswith(f'hrdf: error: hrdf {line.split()[0]} requires ROS 2')


@pytest.mark.parametrize('words', ['elbow', 'elbow=fast', '=0.5'])
def test_what_is_no_position_is_refused(hrdf: Run, words: str) -> None:
    """A joint without a value, a value that is no number, and a value without a joint."""
    done = hrdf(f'move {words}')
    assert done.status == 2 and words.rpartition('=')[2] in done.err


def test_a_joint_has_one_position(hrdf: Run) -> None:
    done = hrdf('move elbow=0.5 wrist=1 elbow=0.7')
    assert done.status == 2 and "joint 'elbow' has two positions" in done.err
