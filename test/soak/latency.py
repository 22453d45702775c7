# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
How late transforms are while clients and publishers misbehave, one at a time and several.

docs/reliability.md shows some of the rows. Goals of several at a time: nothing is lost, no gap is
longer than 50 ms, memory grows by no more than so much, every service answers after each turn, and
over all turns of an abuse p99 is at most 5 ms above that of the calm seconds between the turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, ExitStack, nullcontext
from pathlib import Path
import random
import tempfile
import threading
import time
from typing import NamedTuple

from hrdf_ros_interfaces.srv import ListFrames, Validate
from inputs import urdf_chain
from nodes import Answers, Driver, hrdf_node, Line, RunningNode
from soak.abuses import abused, ABUSES, NODE
from tables import quantile, table

_MOVED = 30
"""Joints that the joint states move; the robot has more where it is reloaded."""
_RATE = 100.0
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
_REQUEST_TIMEOUT = 30.0
"""Seconds that a request may take: the default of the node's parameter."""
_NEW_PROCESS = 10.0
"""Seconds that a service may take beside that, for a new worker."""


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


class Driven(NamedTuple):
    """A node, and who feeds and hears it."""

    node: RunningNode
    driver: Driver
    line: Line
    request_timeout: float


@contextmanager
def driven(
    links: int = _MOVED, *, request_timeout: float = _REQUEST_TIMEOUT,
) -> Iterator[Driven]:
    """Run a node on a chain of links, and drive it; a request may take so many seconds."""
    driver = Driver()
    with tempfile.TemporaryDirectory() as directory:
        robot = Path(directory, 'robot.urdf')
        robot.write_text(urdf_chain(links))
        node = hrdf_node(robot, Path(directory), request_timeout=request_timeout)
        try:
            try:
                line = driver.connect(NODE, _MOVED)
            except TimeoutError as error:
                raise TimeoutError(f'{error}; its log:\n{node.log}') from error
            line.drive(_RATE, 1.0)
            yield Driven(node, driver, line, request_timeout)
        finally:
            node.end()
            driver.end()


def measure(name: str, seconds: float) -> Row:
    """Drive a node for some seconds, abused if the name is that of an abuse."""
    with driven(5000 if name in _BIG else _MOVED) as (node, driver, line, _):
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
    chance, turns, calm = random.Random(seed), list[Turn](), list[float]()
    with driven() as found:
        memory, finish = found.node.memory, time.monotonic() + 60.0 * minutes
        while time.monotonic() < finish:
            calm += _milliseconds(found.line.drive(_RATE, _CALM))
            names = tuple(chance.sample(_MIXABLE, chance.choice((1, 1, 2, 3))))
            turn = abused_turn(found, names, chance.uniform(2.0, 8.0))
            turns.append(turn._replace(grown=turn.grown - memory))
            print(f'turn {len(turns)}: {" + ".join(names)}: '
                  f'{"; ".join(faults_of(turns[-1])) or "good"}', flush=True)
        end = found.node.end()
    return Mixed(turns, calm, end)


def abused_turn(found: Driven, names: tuple[str, ...], seconds: float) -> Turn:
    """Drive a node for some seconds while it is abused, then ask its services."""
    with ExitStack() as running:
        for name in names:
            running.enter_context(abused(name, found.driver))
        answers = found.line.drive(_RATE, seconds, _LATE)
    patience = found.request_timeout + _NEW_PROCESS
    unanswered = tuple(
        service for service, kind in (('validate', Validate), ('list_frames', ListFrames))
        if not found.driver.is_answered(kind, f'/{NODE}/{service}', patience))
    return Turn(names=names, answers=answers, grown=found.node.memory, unanswered=unanswered)


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
