# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Fuzz a live node: its services and parameters, serialized messages, the file of its model.

`python -m fuzz.live --minutes 20`, with ROS sourced and the project and its directory `test` on
the Python path. After each round every request must have been answered, and the node must publish
transforms and answer lookups as before, with no traceback in its log and little more memory.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
import os
from pathlib import Path
from random import Random
import sys
import tempfile
import time
from typing import Any

from fuzz import generate
from fuzz.oracles import require
from helpers.live_node import ARM, Client, RunningNode
from hrdf_ros.node.settings import READ_ONLY, Settings
from hrdf_ros_interfaces.srv import Convert, ListFrames, LookupFrame, Validate
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_srvs.srv import Trigger

STEPS = 25
"""Of each round, all of them under way at once."""
MEMORY = 40 << 20
"""Bytes that the node may have more than after its first rounds."""
_WARM_UP = 3
_DOMAIN = 102
_DOCUMENTS = generate.documents('hrdf', 'mjcf', 'sdf', 'skel', 'urdf')
_NAMES = (
    '', 'tool', 'base', 'elbow', 'tool/body', 'x5_link_1', 'nobody', '*', '[', '\x1b[2J\n', 'é',
    'x' * 5000, '/etc/passwd', '/dev/zero', '../..', 'package://x/y', 'urdf', 'sdf', 'dot', 'hrdf')
_SERVICES: dict[str, Any] = {
    'validate': Validate, 'convert': Convert, 'lookup': LookupFrame, 'list_frames': ListFrames,
    'set_parameter': SetParameters, 'reload': Trigger}
_FIXED = READ_ONLY | {'model'}


class LiveFuzzer:
    """A node, a client, and what a seed decides to send."""

    def __init__(self, domain: int, directory: Path, seed: int) -> None:
        self.done: Counter[str] = Counter()
        self._rng = Random(f'live {seed}')
        self._file = directory / 'robot.hrdf'
        self._file.write_text(ARM)
        self._client = Client(domain)
        self._node = RunningNode(
            domain, [str(self._file), '--ros-args', '-p', 'publish_frequency:=0.0', '-p',
                     'request_timeout:=10.0'], directory / 'node.log')
        self._other = self._client.node.create_publisher(
            MultiDOFJointState, '/multi_dof_joint_states', 50)
        self._client.wait_for_node()
        self._rounds = 0
        self._memory = 0
        rng = self._rng
        self._steps: dict[str, Callable[[], Any]] = {
            'joint_states': lambda: [
                self._client.joint_states.publish(generate.joint_state(rng))
                for _ in range(rng.randrange(1, 40))],
            'multi_dof': lambda: self._other.publish(
                b'\0\1\0\0' + rng.randbytes(rng.randrange(300))),
            'validate': lambda: Validate.Request(text=self._text(), **self._sometimes(
                0.3, path=self._name, format=self._name)),
            'convert': lambda: Convert.Request(
                target=rng.choice(('', 'urdf', 'sdf', 'dot', 'x')),
                **self._sometimes(0.7, text=self._text), **self._sometimes(0.2, path=self._name)),
            'lookup': self._lookup,
            'list_frames': lambda: ListFrames.Request(
                pattern=self._name(), kinds=[self._name()]),
            'set_parameter': self._set_parameter,
            'change_file': lambda: self._file.write_bytes(_DOCUMENTS(rng)),
            'reload': lambda: Trigger.Request()}

    def round(self) -> None:  # noqa: A003
        """Do some steps at once, then require that the node is as good as before."""
        pending = []
        for _ in range(STEPS):
            name = self._rng.choice([*self._steps])
            self.done[name] += 1
            request = self._steps[name]()
            if name in _SERVICES:
                pending.append((name, self._client.ask(_SERVICES[name], request=request)))
            self._client.move({'base': 0.1, 'elbow': 0.2})
        for name, future in pending:
            require(self._client.answer(future) is not None, f'{name}: no answer')
        self._restore()
        self._rounds += 1
        self._check()

    def end(self) -> None:
        """End the node, which must end well."""
        try:
            status = self._node.end()
            require(status == 0, f'the node ended with {status}')
        finally:
            self._client.end()

    # ---- the oracle

    def _restore(self) -> None:
        """Set everything back, which is accepted whatever was there before."""
        self._file.write_text(ARM)
        values = Settings(
            model=str(self._file), publish_frequency=0.0, request_timeout=30.0)._asdict()
        parameters = [
            Parameter(name, Parameter.Type.STRING_ARRAY, list(value))
            if isinstance(value, tuple) else Parameter(name, value=value)
            for name, value in values.items() if name not in _FIXED - {'model'}]
        request = SetParametersAtomically.Request(
            parameters=[parameter.to_parameter_msg() for parameter in parameters])
        found = self._client.call(SetParametersAtomically, request=request).result
        require(found.successful, f'the defaults are refused: {found.reason}')
        answer = self._client.call(Trigger)
        require(answer.success, f'a good file is refused: {answer.message}')

    def _check(self) -> None:
        client, node = self._client, self._node
        heard = client.move_until_heard({'base': 0.3, 'elbow': -0.2})
        require({'x5_link_1', 'tool/body'} <= set(heard), 'transforms are missing')
        require(client.lookup('tool').success, 'a lookup fails')
        require(node.process.poll() is None, 'the node has ended')
        log = node.log
        require('Traceback' not in log, 'a traceback in the log')
        require('failed unexpectedly' not in log, 'a callback failed')
        require('\x1b[2J' not in log, 'control characters in the log')
        for messages in client.received.values():
            messages.clear()
        pages = Path(f'/proc/{node.process.pid}/statm').read_text().split()[1]
        resident = int(pages) * os.sysconf('SC_PAGE_SIZE')
        if self._rounds <= _WARM_UP:
            self._memory = max(self._memory, resident)
        require(
            resident <= self._memory + MEMORY,
            f'{resident >> 20} MB, after the first rounds it was {self._memory >> 20}')

    # ---- the steps

    def _text(self) -> str:
        return _DOCUMENTS(self._rng).decode('utf-8', 'replace')

    def _name(self) -> str:
        return self._rng.choice(_NAMES)

    def _sometimes(self, share: float, **made: Callable[[], str]) -> dict[str, str]:
        """Return the values of some fields of a request, in a share of the cases."""
        return {name: make() for name, make in made.items() if self._rng.random() < share}

    def _lookup(self) -> Any:
        rng = self._rng
        request = LookupFrame.Request(frame=self._name(), relative_to=self._name())
        request.stamp.sec = rng.choice((0, 1, -1, 2**31 - 1))
        if rng.random() < 0.5:
            request.joint_state = JointState(
                name=[self._name() for _ in range(rng.randrange(4))],
                position=[rng.choice((0.0, 1e308, float('nan'), 0.5))
                          for _ in range(rng.randrange(4))])
        return request

    def _set_parameter(self) -> Any:
        rng = self._rng
        name = rng.choice([name for name in Settings._fields if name not in _FIXED])
        values: list[Any] = [
            self._text(), self._name(), rng.random() < 0.5, rng.choice((-1, 0, 1, 2**40)),
            rng.choice((0.0, 5.0, -1.0, 1e308, float('nan'))), [self._name(), self._text()[:50]],
            [1, 2], [0.5]]
        value = self._text() if name == 'robot_description' else rng.choice(values)
        message: ParameterMessage = Parameter(name, value=value).to_parameter_msg()
        if rng.random() < 0.1:
            message.value = ParameterValue()
        return SetParameters.Request(parameters=[message])


def fuzz(domain: int, directory: Path, seed: int, seconds: float, least: int = 1) -> Counter[str]:
    """Fuzz for some seconds, at least so many rounds; return how often each step was done."""
    fuzzer = LiveFuzzer(domain, directory, seed)
    end, rounds = time.monotonic() + seconds, 0
    try:
        while time.monotonic() < end or rounds < least:
            fuzzer.round()
            rounds += 1
    finally:
        fuzzer.end()
    fuzzer.done['rounds'] = rounds
    return fuzzer.done


def main() -> int:
    """Fuzz for as long as the command line says; the node's log stays where something is found."""
    parser = argparse.ArgumentParser(prog='fuzz.live')
    parser.add_argument('--minutes', type=float, default=10.0)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    directory = Path(tempfile.mkdtemp(prefix='hrdf_ros_live_fuzz_'))
    print(f'the log of the node: {directory / "node.log"}', flush=True)
    done = fuzz(_DOMAIN, directory, options.seed, 60.0 * options.minutes)
    print(', '.join(f'{name} {count:,}' for name, count in sorted(done.items())))
    return 0


if __name__ == '__main__':
    sys.exit(main())
