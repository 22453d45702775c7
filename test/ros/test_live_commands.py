# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf move`` and ``hrdf echo`` beside a running node."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
import os
import re
import subprocess
import sys
from typing import Any

import pytest

Command = Callable[..., 'subprocess.CompletedProcess[str]']


def hrdf(domain: int, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a ROS domain."""
    return subprocess.run(
        [sys.executable, '-m', 'hrdf_ros.cli', *words], capture_output=True, text=True,
        timeout=100.0, check=False, env={**os.environ, 'ROS_DOMAIN_ID': str(domain)})


@pytest.fixture
def command(shared: Any) -> Command:
    """Return a function that runs the command in the domain of the shared node."""
    return partial(hrdf, shared.client.context.get_domain_id())


def test_a_robot_is_moved_and_followed(shared: Any, command: Command) -> None:
    """What is typed in degrees is where the robot goes, on TF and by lookup_frame."""
    done = command('move', 'base=90deg', 'elbow=0.5')
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith('sent base=1.5708, elbow=0.5 on /joint_states to ')
    assert '/hrdf_ros' in done.stdout
    # the client of the tests is another publisher: the robot goes between both
    assert '/client publishes /joint_states too' in done.stderr
    followed = command('echo', 'tool', '--once', '--degrees')
    assert followed.stdout.startswith('in base_link\n'), followed.stderr
    asked = command('echo', 'elbow/output', '--once')
    assert asked.stdout.startswith('in base_link\n'), asked.stderr
    framed = command(
        'frames', str(shared.file), 'tool', 'elbow/output', '--position', 'base=90deg',
        '--position', 'elbow=0.5', '--degrees').stdout
    tool, output = (
        [float(word) for word in re.findall(r'-?\d+\.\d{6}', line)]
        for line in framed.splitlines()[1:])
    assert _numbers(followed.stdout) == pytest.approx(tool, abs=1e-5)
    assert _numbers(asked.stdout)[:3] == pytest.approx(output[:3], abs=1e-5)


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.splitlines()[-1].split()[1:]]


def test_names_and_limits_are_checked(command: Command) -> None:
    """A misspelled joint, a wrong unit and a misspelled frame are refused by name."""
    done = command('move', 'elbo=0.5')
    assert (done.returncode, done.stdout) == (2, '')
    assert "did you mean 'elbow'?" in done.stderr
    done = command('move', 'elbow=50mm')
    assert done.returncode == 2 and 'is an angle' in done.stderr
    done = command('echo', 'tol', '--once')
    assert done.returncode == 1 and "did you mean 'tool'?" in done.stderr


def test_without_a_robot_the_command_says_so(domain: int) -> None:
    """Nobody listens, and there are no frames."""
    done = hrdf(domain, 'move', 'elbow=0.5')
    assert (done.returncode, done.stdout) == (1, '')
    assert 'nobody listens to /joint_states' in done.stderr
    done = hrdf(domain, 'echo', 'tool', '--once')
    assert done.returncode == 1 and 'there are no frames on TF' in done.stderr
