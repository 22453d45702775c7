# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf move`` and ``hrdf echo`` beside a running node."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
import re
import subprocess
import sys

from helpers.live_node import Client
import pytest

Command = Callable[..., 'subprocess.CompletedProcess[str]']


@pytest.fixture
def hrdf(domain: int, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return a function that runs the command in the domain of the test."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, '-m', 'hrdf_ros.cli', *words], capture_output=True, text=True,
            timeout=100.0, check=False)

    return run


def test_a_robot_is_moved_and_followed(run, client: Client, arm: Path, hrdf: Command) -> None:
    """What is typed in degrees is where the robot goes, on TF and by lookup_frame."""
    run(str(arm))
    done = hrdf('move', 'base=90deg', 'elbow=0.5')
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith('sent base=1.5708, elbow=0.5 on /joint_states to ')
    assert '/hrdf_ros' in done.stdout
    followed = hrdf('echo', 'tool', '--once', '--relative-to', 'base_link', '--degrees')
    assert followed.returncode == 0, followed.stderr
    asked = hrdf('echo', 'elbow/output', '--once')
    assert asked.stdout.startswith('in base_link\n'), asked.stderr
    framed = subprocess.run(
        [sys.executable, '-m', 'hrdf_ros.cli', 'frames', str(arm), 'tool', 'elbow/output',
         '--position', 'base=90deg', '--position', 'elbow=0.5', '--degrees'],
        capture_output=True, text=True, check=True).stdout
    tool, output = (
        [float(word) for word in re.findall(r'-?\d+\.\d{6}', line)]
        for line in framed.splitlines()[1:])
    assert _numbers(followed.stdout) == pytest.approx(tool, abs=1e-5)
    assert _numbers(asked.stdout)[:3] == pytest.approx(output[:3], abs=1e-5)


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.splitlines()[-1].split()[1:]]


def test_names_and_limits_are_checked(run, client: Client, arm: Path, hrdf: Command) -> None:
    """A misspelled joint, a wrong unit and a misspelled frame are refused by name."""
    run(str(arm))
    done = hrdf('move', 'elbo=0.5')
    assert (done.returncode, done.stdout) == (2, '')
    assert "did you mean 'elbow'?" in done.stderr
    done = hrdf('move', 'elbow=50mm')
    assert done.returncode == 2 and 'is an angle' in done.stderr
    done = hrdf('echo', 'tol', '--once')
    assert done.returncode == 1 and "did you mean 'tool'?" in done.stderr


def test_others_that_publish_are_named(run, client: Client, arm: Path, hrdf: Command) -> None:
    """The client of the tests publishes joint states, too: the robot goes between both."""
    run(str(arm))
    done = hrdf('move', 'elbow=0.5')
    assert '/client publishes /joint_states too' in done.stderr


def test_without_a_robot_the_command_says_so(domain: int, hrdf: Command) -> None:
    """Nobody listens, and there are no frames."""
    done = hrdf('move', 'elbow=0.5')
    assert (done.returncode, done.stdout) == (1, '')
    assert 'nobody listens to /joint_states' in done.stderr
    done = hrdf('echo', 'tool', '--once')
    assert done.returncode == 1 and 'there are no frames on TF' in done.stderr
