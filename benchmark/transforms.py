# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure the way from JointState to TF.

Our node, a bare rclpy node that only answers (the yardstick) and, where there is one, the C++
robot_state_publisher run side by side; one driver feeds them by short turns. How that was built
can be said in the environment variable BENCHMARK_NOTE, a sentence for the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import os
from pathlib import Path
import statistics
import sys
import tempfile
from typing import NamedTuple

from nodes import (
    Driver,
    find_robot_state_publisher,
    hrdf_node,
    Line,
    package_and_version,
    robot_state_publisher,
    RunningNode,
    write_robot,
    yardstick,
)
import rclpy
from tables import number, quantile, table

_OURS, _RSP = 'hrdf_ros', 'robot_state_publisher'
_RATES = (100.0, 500.0)
_TURNS, _TURN = 21, 0.4
_MOST_LOST = 0.001
_FIRST_RATE = 1000.0
_MOST_RATE = 16_000.0


class Cost(NamedTuple):
    """
    What an answer took: latency, and CPU time in the middle turn, in microseconds.

    ``turns`` has the CPU time and the p50 of each turn.
    """

    p50: float
    p99: float
    cpu: float
    turns: Sequence[tuple[float, float]]

    def ratio(self, other: Cost, which: int) -> float:
        """
        Return the middle ratio of CPU times (0) or p50 (1) of turns that followed each other.

        Other work on the machine changes from turn to turn, and takes from both alike.
        """
        return statistics.median(
            own[which] / beside[which] for own, beside in zip(self.turns, other.turns))


class Party(NamedTuple):
    """A node and the line to it."""

    node: RunningNode
    line: Line


class Figures(NamedTuple):
    """What was measured of a node."""

    costs: Mapping[float, Cost]
    sustained: float
    """The highest rate in Hz at which no more than 0.1 % were lost."""
    memory: int
    """Bytes: the proportional set size after the turns."""


def start(joints: int, folder: Path, driver: Driver) -> dict[str, Party]:
    """Start all nodes for a chain of so many joints."""
    robot = write_robot(joints, folder)
    nodes = [hrdf_node(robot, folder), yardstick(joints, folder)]
    other = robot_state_publisher(robot, folder)
    if other is not None:
        nodes.append(other)
    return {node.name: Party(node, driver.connect(node.name, joints)) for node in nodes}


def measure_costs(parties: Mapping[str, Party], rate: float, turns: int) -> dict[str, Cost]:
    """Drive the nodes by turns at one rate."""
    seconds = {name: list[float]() for name in parties}
    turned = {name: list[tuple[float, float]]() for name in parties}
    length = _TURN if turns > 1 else 0.2
    for turn in range(turns):
        order = list(parties) if turn % 2 else list(reversed(parties))
        for name in order:
            party = parties[name]
            party.line.drive(rate, 0.1)
            before = party.node.cpu
            answers = party.line.drive(rate, length)
            cpu = (party.node.cpu - before) / max(1, len(answers.seconds))
            turned[name].append((cpu, quantile(answers.seconds, 0.5)))
            seconds[name] += answers.seconds
    return {name: Cost(quantile(found, 0.5) * 1e6, quantile(found, 0.99) * 1e6,
                       statistics.median(cpu for cpu, _ in turned[name]) * 1e6, turned[name])
            for name, found in seconds.items()}


def sustained_rate(line: Line, length: float) -> float:
    """Return the highest rate, in steps of the root of 2, that is borne twice out of three."""
    best, rate = 0.0, _FIRST_RATE
    while rate <= _MOST_RATE:
        borne = 0
        for _ in range(3):
            answers = line.drive(rate, length)
            borne += answers.lost <= _MOST_LOST and answers.took < 1.1 * length
            if borne == 2:
                break
        if borne < 2:
            break
        best, rate = rate, rate * 2.0 ** 0.5
    return best


def measure(joints: int, driver: Driver, folder: Path, quick: bool) -> dict[str, Figures]:
    """Measure all nodes on a chain of so many joints."""
    parties = start(joints, folder, driver)
    try:
        costs = {rate: measure_costs(parties, rate, 1 if quick else _TURNS) for rate in _RATES}
        memory = {name: party.node.proportional_memory for name, party in parties.items()}
        rates = {name: 0.0 if quick else sustained_rate(party.line, 0.5)
                 for name, party in parties.items()}
    finally:
        for party in parties.values():
            party.node.end()
    return {name: Figures(
        {rate: found[name] for rate, found in costs.items()}, rates[name], memory[name])
        for name in parties}


def rows(joints: int, figures: Mapping[str, Figures]) -> list[tuple[object, ...]]:
    """Return the rows of a table, one for each node."""
    found: list[tuple[object, ...]] = []
    for name, of in figures.items():
        slow, fast = (of.costs[rate] for rate in _RATES)
        found.append((
            joints, name, *slow[:3], *fast[:3], of.memory / 1e6,
            number(of.sustained) if of.sustained else f'below {_FIRST_RATE:.0f}'))
    return found


def ratios(joints: int, figures: Mapping[str, Figures]) -> list[tuple[object, ...]]:
    """Return the rows of a table: our node at the higher rate, to each of the others."""
    ours = figures[_OURS].costs[_RATES[1]]
    return [
        (joints, name, ours.ratio(other, 0), ours.ratio(other, 1),
         figures[_OURS].memory / figures[name].memory)
        for name, of in figures.items() for other in [of.costs[_RATES[1]]] if name != _OURS]


def main(quick: bool) -> str:
    """Measure all of it and return the page."""
    driver = Driver()
    with tempfile.TemporaryDirectory() as name:
        figures = {joints: measure(joints, driver, Path(name), quick)
                   for joints in ((6,) if quick else (6, 30, 100, 300))}
    driver.end()
    absent = '' if find_robot_state_publisher() else (
        '\nThe C++ robot_state_publisher is not on the path: its rows are absent.\n')
    packages = ('rclpy', rclpy.get_rmw_implementation_identifier(), 'rclcpp', _RSP)
    versions = ', '.join(filter(None, map(package_and_version, packages)))
    return '\n'.join((
        '## From JointState to TF\n',
        table(('N', 'node', '100 Hz: p50 (us)', 'p99', 'CPU', '500 Hz: p50 (us)', 'p99', 'CPU',
               'memory (MB)', 'highest rate (Hz)'),
              [row for joints, of in figures.items() for row in rows(joints, of)]),
        'Our node at 500 Hz to the others, the middle of the ratios of all turns:\n',
        table(('N', 'to', 'CPU', 'p50', 'memory'),
              [row for joints, of in figures.items() for row in ratios(joints, of)]),
        'Latency from publish to arrival; CPU time of the whole process per answer, in us; '
        'memory is Pss; the highest rate of which at most 0.1 % is lost. '
        f'{versions}. {os.environ.get("BENCHMARK_NOTE", "")}'.rstrip(), absent))


if __name__ == '__main__':
    print(main('--quick' in sys.argv))
