# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is refused before the process that publishes sees it."""

from __future__ import annotations

from hrdf_ros.node.jobs import first_error
from hrdf_ros.node.perform import load_description
from hrdf_ros.node.settings import Settings
import pytest

ARM = """<robot name="r"><link name="a"/><link name="b"/><joint name="elbow" type="continuous">
<parent link="a"/><child link="b"/></joint></robot>"""


@pytest.mark.parametrize(('name', 'hint'), [
    ('elbo', "; did you mean 'elbow'?"), ('/dev/zero', ''), ('\x1b[2J\n', ''), ('x' * 5000, '')])
def test_actuated_joints_that_the_robot_does_not_have(name: str, hint: str) -> None:
    """Fuzzing found that they ended the node at its start, by an exception."""
    answer = load_description(
        Settings(robot_description=ARM, actuated_joints=('elbow', name)))
    assert answer.description is None
    reason = first_error(answer.report)
    assert 'actuated_joints: the robot has no joint' in reason
    assert hint in reason
    assert reason.isprintable()
    assert len(reason) < 300
    assert load_description(
        Settings(robot_description=ARM, actuated_joints=('elbow',))).description is not None
