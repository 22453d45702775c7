# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf move`` and ``hrdf echo`` beside a running node."""

from __future__ import annotations

from functools import partial
import re
from typing import Any, TextIO

from helpers.running_systems import BEST_EFFORT, LATCHED, System, URDF
from helpers.terminal import Done, Run
from hrdf_ros.cli import main
import pytest
from sensor_msgs.msg import JointState
from std_msgs.msg import String


@pytest.fixture
def hrdf(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command in a ROS domain."""
    def run(domain: int, *words: str) -> Done:
        monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
        status = main(list(words))
        return Done(status, *capsys.readouterr())
    return run


@pytest.fixture
def command(shared: Any, hrdf: Run) -> Run:
    """Return a function that runs the command in the domain of the shared node."""
    return partial(hrdf, shared.client.context.get_domain_id())


def test_a_robot_is_moved_and_followed(shared: Any, command: Run) -> None:
    """What is typed in degrees is where the robot goes, on TF and by lookup_frame."""
    done = command('move', 'base=-150deg', 'elbow=0.5')
    assert done.status == 0, done.err
    assert done.out.startswith('sent base=-2.61799, elbow=0.5 on /joint_states to ')
    assert '/hrdf_ros' in done.out
    # the client of the tests is another publisher: the robot goes between both
    assert '/client publishes /joint_states too' in done.err
    followed = command('echo', 'tool', '--once', '--degrees')
    assert followed.out.startswith('in base_link\n'), followed.err
    asked = command('echo', 'elbow/output', '--once')
    assert asked.out.startswith('in base_link\n'), asked.err
    framed = command(
        'frames', str(shared.file), 'tool', 'elbow/output', '--position', 'base=-150deg',
        '--position', 'elbow=0.5', '--degrees').out
    tool, output = (
        [float(word) for word in re.findall(r'-?\d+\.\d{6}', line)]
        for line in framed.splitlines()[1:])
    assert _numbers(followed.out) == pytest.approx(tool, abs=1e-5)
    assert _numbers(asked.out)[:3] == pytest.approx(output[:3], abs=1e-5)


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.splitlines()[-1].split()[1:]]


def test_names_and_limits_are_checked(command: Run) -> None:
    """A misspelled joint, a wrong unit and a misspelled frame are refused by name."""
    done = command('move', 'elbo=0.5')
    assert (done.status, done.out) == (2, '')
    assert "did you mean 'elbow'?" in done.err
    done = command('move', 'elbow=50mm')
    assert done.status == 2 and 'is an angle' in done.err
    done = command('echo', 'tol', '--once')
    assert done.status == 1 and "did you mean 'tool'?" in done.err


def test_a_robot_that_is_still_loaded_is_waited_for(
    system: System, domain: int, hrdf: Run, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its node offers a description first, and listens to joint states when it has loaded it."""
    node = system.node('rsp')
    description = system.publisher(node, String, 'robot_description', LATCHED)
    said = []

    def load(line: str, stream: TextIO) -> None:
        said.append(line)
        description.publish(String(data=URDF))
        system.listen(node, JointState, 'joint_states', BEST_EFFORT)

    with monkeypatch.context() as patch:
        patch.setattr('hrdf_ros.cli.running.say', load)
        done = hrdf(domain, 'move', 'elbo=0.5')
    assert said == ['waiting for /rsp, which may still load the robot ...']
    assert done.status == 2 and "did you mean 'elbow'?" in done.err
    done = hrdf(domain, 'move', 'elbow=0.5')
    assert (done.status, done.err) == (0, '')
    assert done.out == 'sent elbow=0.5 on /joint_states to /rsp\n'


def test_without_a_description_nothing_is_checked(
    system: System, domain: int, hrdf: Run,
) -> None:
    system.listen(system.node('driver'), JointState, 'joint_states', BEST_EFFORT)
    done = hrdf(domain, 'move', 'elbo=0.5')
    assert (done.status, done.out) == (0, 'sent elbo=0.5 on /joint_states to /driver\n')
    assert 'there is no readable robot_description, so names and limits are not' in done.err


def test_without_a_robot_the_command_says_so(domain: int, hrdf: Run) -> None:
    """Nobody listens, and there are no frames."""
    done = hrdf(domain, 'move', 'elbow=0.5')
    assert (done.status, done.out) == (1, '')
    assert 'nobody listens to /joint_states' in done.err
    done = hrdf(domain, 'echo', 'tool', '--once')
    assert done.status == 1 and 'there are no frames on TF' in done.err
