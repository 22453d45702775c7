# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure how late transforms are while clients and publishers misbehave.

    python benchmark/abuse.py [--seconds N] [--only NAME ...]
    python benchmark/abuse.py --minutes N [--seed N]   some at a time, at random, on one node
    python benchmark/abuse.py --abuse NAME     what it runs beside itself, until it is killed

All rows take four minutes; docs/reliability.md shows some of them. With --minutes the exit status
is 1 where a goal was missed: nothing lost, no gap above 50 ms, at most so much more memory, every
service answers after each turn, and over all turns of an abuse p99 at most 5 ms above that of the
calm seconds between the turns.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager, ExitStack, nullcontext, suppress
from itertools import count
import os
from pathlib import Path
import random
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, NamedTuple

from hrdf_ros_interfaces.srv import Convert, ListFrames, Validate
from inputs import joint_names, urdf_chain
from nodes import Answers, Driver, hrdf_node, Line, RunningNode
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger
from tables import quantile, table

_NAME = 'hrdf_ros'
_MOVED = 30
"""Joints that the joint states move; the robot has more where it is reloaded."""
_RATE = 100.0


# ---- abuses: each is run by a process of its own until that is killed

def _abuser(process: int) -> str:
    return f'abuser_{process}'


class Abuser:
    """A ROS node that sends what it should not."""

    def __init__(self) -> None:
        rclpy.init()
        self.node = rclpy.create_node(_abuser(os.getpid()))
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        threading.Thread(target=self._spin, daemon=True).start()

    def _spin(self) -> None:
        with suppress(ExternalShutdownException):
            self._executor.spin()

    def call(self, kind: Any, name: str, make: Callable[[], Any], at_once: int = 1) -> None:
        """Call a service again and again, with some requests at a time."""
        client = self.node.create_client(
            kind, f'/{_NAME}/{name}', qos_profile=QoSProfile(depth=100))
        client.wait_for_service(30.0)
        print('abusing', flush=True)
        while rclpy.ok():
            pending = [client.call_async(make()) for _ in range(at_once)]
            end = time.monotonic() + 20.0
            while rclpy.ok() and time.monotonic() < end and not all(
                    future.done() for future in pending):
                time.sleep(0.002)

    def publish(self, rate: float, make: Callable[[], bytes]) -> None:
        """Publish serialized joint states at a rate."""
        publisher = self.node.create_publisher(
            JointState, f'/{_NAME}/joint_states', QoSProfile(depth=100))
        while not publisher.get_subscription_count():
            time.sleep(0.05)
        print('abusing', flush=True)
        start = time.perf_counter()
        for index in count():
            if not rclpy.ok():
                return
            publisher.publish(make())
            time.sleep(max(0.0, start + index / rate - time.perf_counter()))


def validate_4_mb(abuser: Abuser) -> None:
    """Have 4 MB of URDF checked."""
    request = Validate.Request(text=urdf_chain(11_500))
    abuser.call(Validate, 'validate', lambda: request)


def convert_4_mb(abuser: Abuser) -> None:
    """Have 4 MB of URDF written as SDFormat."""
    request = Convert.Request(text=urdf_chain(11_500), target='sdf')
    abuser.call(Convert, 'convert', lambda: request)


def a_hundred_small(abuser: Abuser) -> None:
    """Have 100 small texts checked at once."""
    request = Validate.Request(text=urdf_chain(3))
    abuser.call(Validate, 'validate', lambda: request, 100)


def a_million_elements(abuser: Abuser) -> None:
    """Have a text of a million elements checked."""
    request = Validate.Request(text=f'<robot name="r">{"<a/>" * 999_990}</robot>')
    abuser.call(Validate, 'validate', lambda: request)


def forty_of_4_mb(abuser: Abuser) -> None:
    """Have 40 texts of 4 MB checked at once."""
    request = Validate.Request(text=urdf_chain(11_500))
    abuser.call(Validate, 'validate', lambda: request, 40)


def a_text_of_50_mb(abuser: Abuser) -> None:
    """Have one text node of 50 MB checked."""
    request = Validate.Request(text=f'<robot name="r">{"x" * 50_000_000}</robot>')
    abuser.call(Validate, 'validate', lambda: request)


def forty_of_20_mb(abuser: Abuser) -> None:
    """Have 40 texts of 20 MB checked at once."""
    request = Validate.Request(text=f'<robot name="r">{"x" * 20_000_000}</robot>')
    abuser.call(Validate, 'validate', lambda: request, 40)


def a_parameter_of_50_mb(abuser: Abuser) -> None:
    """Set robot_description to one text node of 50 MB."""
    value = ParameterValue(
        type=ParameterType.PARAMETER_STRING,
        string_value=f'<robot name="r">{"x" * 50_000_000}</robot>')
    request = SetParameters.Request(
        parameters=[Parameter(name='robot_description', value=value)])
    abuser.call(SetParameters, 'set_parameters', lambda: request)


def reload(abuser: Abuser) -> None:
    """Reload a robot of 5,000 links."""
    abuser.call(Trigger, 'reload', Trigger.Request)


def new_names(abuser: Abuser) -> None:
    """Publish names that are new in every message, beside a known one, at 1 kHz."""
    number = count()
    known = joint_names(1)
    abuser.publish(1000.0, lambda: bytes(serialize_message(JointState(
        name=[*known, *(f'new_{next(number)}' for _ in range(5))], position=[0.0] * 6))))


def long_name_lists(abuser: Abuser) -> None:
    """Publish 1 MB of names that are new in every message at 20 Hz."""
    number = count()

    def make() -> bytes:
        turn = next(number)
        names = [f'name_{turn}_{index}_{"x" * 30}' for index in range(19_000)]
        return bytes(serialize_message(JointState(name=names, position=[0.0] * len(names))))

    messages = [make() for _ in range(60)]
    abuser.publish(20.0, lambda: messages[next(number) % len(messages)])


def random_bytes(abuser: Abuser) -> None:
    """Publish random bytes at 1 kHz."""
    chance = random.Random(1)
    good = bytes(serialize_message(JointState(name=joint_names(3), position=[0.0] * 3)))

    def make() -> bytes:
        data = bytearray(good)
        for _ in range(chance.randrange(1, 8)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        noise = b'\0\1\0\0' + chance.randbytes(chance.randrange(200))
        return bytes((data, noise, good[:chance.randrange(len(good))])[chance.randrange(3)])

    abuser.publish(1000.0, make)


ABUSES = {function.__name__: function for function in (
    validate_4_mb, convert_4_mb, forty_of_4_mb, a_hundred_small, a_million_elements,
    a_text_of_50_mb, forty_of_20_mb, a_parameter_of_50_mb, reload, new_names,
    long_name_lists, random_bytes)}


ROWS = ('calm', *ABUSES, 'calm_with_5000_links')
_BIG = ('reload', 'calm_with_5000_links')
_MIXABLE = sorted(set(ABUSES) - {
    'a_parameter_of_50_mb', 'a_text_of_50_mb', 'forty_of_4_mb', 'forty_of_20_mb'})
"""Without requests of more than 4 MB, or many at once: the page says what they cost."""
_LONGEST_GAP = 50.0
_LATER = 5.0
"""Milliseconds of p99 above that of the calm node."""
_GROWTH = 20_000_000 + 50 * 1_000_000
"""Bytes: the middleware keeps up to 50 buffers as large as the largest joint state, of 1 MB."""
_LATEST_END = 2.0
_LATE = 2.0
"""Seconds in which an answer is late, not lost."""
_CALM = 3.0
"""Seconds between two turns."""
_PATIENCE = 40.0
"""Seconds in which a service has to answer: the parameter request_timeout, and a new process."""
_SETTLING = 1.0
"""
Seconds until everyone has discovered a process that the driver knows. Whoever discovers one holds
back what it publishes until Fast DDS has seen the new one's shared memory read, up to 333 ms.
"""


@contextmanager
def abused(name: str, driver: Driver) -> Iterator[None]:
    """Have another process abuse the node, as soon as the driver has discovered it."""
    with subprocess.Popen(
            [sys.executable, __file__, '--abuse', name], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b'abusing\n', f'{name} did not begin'
            driver.discover(_abuser(process.pid))
            time.sleep(_SETTLING)
            yield
        finally:  # what is killed leaves locks in shared memory, for which others wait
            process.terminate()
            try:
                process.wait(_LATEST_END)
            except subprocess.TimeoutExpired:
                process.kill()


# ---- measuring

class Row(NamedTuple):
    """Latencies in ms from joint states to transforms, and what else is asked of the node."""

    name: str
    p50: float
    p99: float
    gap: float
    lost: int
    sent: int
    megabytes: float
    """The most that was resident."""
    end: float
    """Seconds from SIGTERM to the end of the process, in the middle of it."""


def measure(name: str, seconds: float) -> Row:
    """Drive a node for some seconds, abused unless the name is empty."""
    driver = Driver()
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        robot = folder / 'robot.urdf'
        robot.write_text(urdf_chain(5000 if name in _BIG else _MOVED))
        node = hrdf_node(robot, folder)
        try:
            row = _drive(driver, node, name, seconds)
        finally:
            node.end()
            driver.end()
    return row


def _drive(driver: Driver, node: RunningNode, name: str, seconds: float) -> Row:
    line = driver.connect(_NAME, _MOVED)
    line.drive(_RATE, 1.0)
    peak = _Peak(node)
    with abused(name, driver) if name in ABUSES else nullcontext():
        answers = line.drive(_RATE, seconds, _LATE)
        resident, end = peak.end(), node.end()
    late = _milliseconds(answers)
    return Row(
        name=name, p50=quantile(late, 0.5), p99=quantile(late, 0.99), gap=answers.gap * 1e3,
        lost=answers.sent - len(answers.seconds), sent=answers.sent, megabytes=resident / 1e6,
        end=end)


class _Peak:
    """Looks at the memory of a node every now and then, and remembers the most."""

    def __init__(self, node: RunningNode) -> None:
        self._node = node
        self._ended = threading.Event()
        self._most = 0
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        while not self._ended.wait(0.1):
            self._most = max(self._most, self._node.memory)

    def end(self) -> int:
        """Return the most bytes that were resident."""
        self._ended.set()
        self._thread.join()
        return self._most


# ---- some abuses at a time

class Turn(NamedTuple):
    """What came of a few seconds of abuse."""

    names: tuple[str, ...]
    answers: Answers
    grown: int
    """Bytes that the node holds more than at the beginning."""
    unanswered: tuple[str, ...]
    """Services that did not answer afterwards."""


class Mixed(NamedTuple):
    """What came of abusing one node for minutes."""

    turns: list[Turn]
    calm: list[float]
    """Milliseconds without any abuse, measured between the turns."""
    end: float

    @property
    def sent(self) -> int:
        """The number of joint states while the node was abused."""
        return sum(turn.answers.sent for turn in self.turns)

    @property
    def faults(self) -> list[str]:
        """The goals that were missed: by a turn, by all turns of an abuse, at the end."""
        found = [
            f'turn {number}, {" + ".join(turn.names)}: {fault}'
            for number, turn in enumerate(self.turns, 1) for fault in faults_of(turn)]
        found += late(self.turns, self.calm)
        if self.end > _LATEST_END:
            found.append(f'it did not end within {_LATEST_END} s')
        return found


def mix(minutes: float, seed: int) -> Mixed:
    """Abuse one node in turns, each by some of the abuses."""
    chance, driver = random.Random(seed), Driver()
    turns, calm = list[Turn](), list[float]()
    with tempfile.TemporaryDirectory() as directory:
        robot = Path(directory, 'robot.urdf')
        robot.write_text(urdf_chain(_MOVED))
        node = hrdf_node(robot, Path(directory))
        try:
            line = driver.connect(_NAME, _MOVED)
            line.drive(_RATE, 1.0)
            memory, finish = node.memory, time.monotonic() + 60.0 * minutes
            while time.monotonic() < finish:
                calm += _milliseconds(line.drive(_RATE, _CALM))
                names = tuple(chance.sample(_MIXABLE, chance.choice((1, 1, 2, 3))))
                turn = _turn(driver, line, node, names, chance.uniform(2.0, 8.0))
                turns.append(turn._replace(grown=turn.grown - memory))
                print(f'turn {len(turns)}: {" + ".join(names)}: '
                      f'{"; ".join(faults_of(turns[-1])) or "good"}', flush=True)
        finally:
            end = node.end()
            driver.end()
    return Mixed(turns, calm, end)


def _turn(
    driver: Driver, line: Line, node: RunningNode, names: tuple[str, ...], seconds: float,
) -> Turn:
    with ExitStack() as running:
        for name in names:
            running.enter_context(abused(name, driver))
        answers = line.drive(_RATE, seconds, _LATE)
    unanswered = tuple(
        service for service, kind in (('validate', Validate), ('list_frames', ListFrames))
        if not driver.is_answered(kind, f'/{_NAME}/{service}', _PATIENCE))
    return Turn(names=names, answers=answers, grown=node.memory, unanswered=unanswered)


def faults_of(turn: Turn) -> list[str]:
    """Return which goals a turn missed."""
    answers = turn.answers
    lost, gap = answers.sent - len(answers.seconds), answers.gap * 1e3
    return [fault for is_fault, fault in (
        (lost, f'{lost} of {answers.sent} lost'),
        (gap > _LONGEST_GAP, f'a gap of {gap:.0f} ms'),
        (turn.grown > _GROWTH, f'{turn.grown / 1e6:.0f} MB more memory'),
        (turn.unanswered, f'no answer from {" and ".join(turn.unanswered)}')) if is_fault]


def late(turns: list[Turn], calm: list[float]) -> list[str]:
    """Return the abuses in all of whose turns transforms were later than between the turns."""
    most = quantile(calm, 0.99) + _LATER
    p99 = {name: quantile(_taken(turns, name), 0.99) for name in _MIXABLE}
    return [f'{name}: p99 {each:.1f} ms, at most {most:.1f} allowed'
            for name, each in p99.items() if each > most]


def _taken(turns: list[Turn], name: str) -> list[float]:
    """Return the milliseconds in all turns of an abuse."""
    return [value for turn in turns if name in turn.names
            for value in _milliseconds(turn.answers)] or [0.0]


def mixed_table(mixed: Mixed) -> str:
    """Return what was measured, each abuse beside the calm node."""
    rows = [('calm', '', quantile(mixed.calm, 0.5), quantile(mixed.calm, 0.99), '')]
    for name in _MIXABLE:
        turns = [turn for turn in mixed.turns if name in turn.names]
        if not turns:
            continue
        taken = _taken(turns, name)
        gap = max(turn.answers.gap for turn in turns)
        rows.append((
            name.replace('_', ' '), str(len(turns)), quantile(taken, 0.5), quantile(taken, 0.99),
            f'{gap * 1e3:.0f}'))
    return table(('with others', 'turns', 'p50 (ms)', 'p99', 'longest gap'), rows)


def _milliseconds(answers: Answers) -> list[float]:
    return [second * 1e3 for second in answers.seconds] or [0.0]


def page(rows: list[Row]) -> str:
    """Return the table, each abuse beside the calm node."""
    shown = [
        (row.name.replace('_', ' '), row.p50, row.p99, row.gap, f'{row.lost} of {row.sent}',
         row.megabytes, row.end) for row in rows]
    return table(
        ('meanwhile', 'p50 (ms)', 'p99', 'longest gap', 'lost', 'memory (MB)',
         'end on SIGTERM (s)'), shown)


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description='Measure transforms under abuse.')
    parser.add_argument('--seconds', type=float, default=9.0, help='for each row')
    parser.add_argument('--only', choices=ROWS, nargs='*', default=ROWS, help='these rows')
    parser.add_argument('--abuse', choices=sorted(ABUSES), help=argparse.SUPPRESS)
    parser.add_argument('--minutes', type=float, help='some at a time, at random, on one node')
    parser.add_argument('--seed', type=int, default=1, help='of --minutes')
    options = parser.parse_args()
    if options.abuse:
        ABUSES[options.abuse](Abuser())
        return 0
    if options.minutes:
        found = mix(options.minutes, options.seed)
        print('\n'.join((
            mixed_table(found),
            f'{len(found.turns)} turns, {found.sent:,} joint states, {len(found.faults)} faults',
            *found.faults)))
        return int(bool(found.faults))
    rows = [measure(name, options.seconds) for name in options.only]
    print(page(rows))
    return 0


if __name__ == '__main__':
    sys.exit(main())
