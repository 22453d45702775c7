# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure kinematics beside pinocchio and yourdfpy, where they are installed, in one run.

    python benchmark/kinematics.py [--quick]

Each number is the median of repetitions, in microseconds of CPU time for one configuration. The
robots are chains of revolute joints; all libraries get the same URDF and the same configurations,
and have to agree on the pose of the last link before they are timed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import metadata
import os
from pathlib import Path
import statistics
import sys
import tempfile
import time
from typing import NamedTuple

# One thread each: the question is what a configuration costs, not how many cores there are.
os.environ.setdefault('OMP_NUM_THREADS', '1')
os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent.parent / 'test')]

from helpers.kinematic_models import chain  # noqa: E402
from helpers.loop_models import delta, four_bar, gripper  # noqa: E402
from hrdf_ros.kinematics import Kinematics  # noqa: E402
from hrdf_ros.kinematics.tf_transforms import TfTransforms  # noqa: E402
from hrdf_ros.topology import span  # noqa: E402
from hrdf_ros.writers.urdf import write_urdf  # noqa: E402
import numpy as np  # noqa: E402
from tables import ABSENT, table  # noqa: E402

BATCH = 10_000
LENGTHS = (6, 30, 100, 200)


class Row(NamedTuple):
    """What was measured, and the microseconds of each library that can do it."""

    task: str
    ours: float
    pinocchio: float | None = None
    yourdfpy: float | None = None


def median_us(call: Callable[[], object], of: int = 1) -> float:
    """Return the median time of a call, divided by how many configurations it computes."""
    call()
    start = time.process_time()
    call()
    once = time.process_time() - start
    number = max(1, int(0.02 / max(once, 1e-7)))
    rounds = []
    for _ in range(9 if once < 0.1 else 3):
        start = time.process_time()
        for _ in range(number):
            call()
        rounds.append((time.process_time() - start) / number / of * 1e6)
    return statistics.median(rounds)


class Pinocchio:
    """The same robot in pinocchio: C++, called from Python."""

    def __init__(self, urdf: str, last: str) -> None:
        import pinocchio
        self._library = pinocchio
        self._model = pinocchio.buildModelFromXML(urdf)
        self._data = self._model.createData()
        self._last = self._model.getFrameId(last)

    def fk(self, q: np.ndarray) -> None:
        self._library.framesForwardKinematics(self._model, self._data, q)

    def last(self, q: np.ndarray) -> np.ndarray:
        self.fk(q)
        return self._data.oMf[self._last].homogeneous

    def batch(self, q: np.ndarray) -> None:
        for row in q:
            self.fk(row)

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        return self._library.computeFrameJacobian(
            self._model, self._data, q, self._last,
            self._library.ReferenceFrame.LOCAL_WORLD_ALIGNED)


class Yourdfpy:
    """The same robot in yourdfpy: Python."""

    def __init__(self, urdf: str, last: str) -> None:
        import yourdfpy
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / 'robot.urdf'
            file.write_text(urdf, encoding='utf-8')
            self._robot = yourdfpy.URDF.load(str(file), load_meshes=False)
        self._last = last

    def fk(self, q: np.ndarray) -> list[np.ndarray]:
        self._robot.update_cfg(q)
        return [self._robot.get_transform(link) for link in self._robot.link_map]

    def last(self, q: np.ndarray) -> np.ndarray:
        self._robot.update_cfg(q)
        return self._robot.get_transform(self._last)


def beside(library: type, urdf: str, last: str, q: np.ndarray, expected: np.ndarray) -> object:
    """Return the robot in another library, or None where it is not installed."""
    try:
        robot = library(urdf, last)
    except ModuleNotFoundError:
        return None
    difference = np.abs(robot.last(q) - expected).max()
    if difference > 1e-9:
        raise SystemExit(f'{library.__name__} puts {last} {difference} elsewhere')
    return robot


def measure_chain(length: int) -> list[Row]:
    """Measure one chain."""
    model, last = chain(length), f'b{length}'
    urdf, _ = write_urdf(model)
    tree = Kinematics(model)
    q = np.random.default_rng(length).uniform(-2.0, 2.0, length)
    pinocchio = beside(Pinocchio, urdf, last, q, tree.pose(last, q=q))
    yourdfpy = beside(Yourdfpy, urdf, last, q, tree.pose(last, q=q))
    motions = TfTransforms(model, span(model), range(length))
    name = f'{length} joints'
    rows = [
        Row(f'all frames, {name}', median_us(lambda: tree.fk(q)),
            pinocchio and median_us(lambda: pinocchio.fk(q)),
            yourdfpy and median_us(lambda: yourdfpy.fk(q))),
        Row(f'Jacobian of the last, {name}', median_us(lambda: tree.jacobian(last, q)),
            pinocchio and median_us(lambda: pinocchio.jacobian(q))),
        Row(f'pose of the last, {name}', median_us(lambda: tree.pose(last, q, relative_to='b0'))),
        Row(f'transforms for TF, {name}', median_us(lambda: motions.transforms(q))),
    ]
    if length == 30:
        many = np.random.default_rng(1).uniform(-2.0, 2.0, (BATCH, length))
        rows += [
            Row(f'all frames, {name}, batch of {BATCH}', median_us(lambda: tree.fk(many), BATCH),
                pinocchio and median_us(lambda: pinocchio.batch(many), BATCH)),
            Row(f'Jacobian of the last, {name}, batch of {BATCH}',
                median_us(lambda: tree.jacobian(last, many), BATCH)),
        ]
    return rows


def measure_loops() -> list[Row]:
    """Measure updates of closed loops, one for each small step of the driven joints."""
    rows = []
    for name, model, driven in (
        ('four-bar linkage', four_bar(), ['crank']),
        ('parallel-jaw gripper', gripper(), ['left_inner']),
        ('delta robot', delta(), ['crank_a', 'crank_b', 'crank_c']),
        ('delta robot of six rods', delta(2), ['crank_a', 'crank_b', 'crank_c']),
    ):
        sweep = partial(drive, Kinematics(model), driven)
        rows.append(Row(f'update of a {name}', median_us(sweep, 300)))
    return rows


def drive(tree: Kinematics, driven: list[str]) -> None:
    """Move the driven coordinates by 300 small steps, the others following."""
    indices = [tree.coordinates.index(name) for name in driven]
    complete, q = tree.dependent_solver(indices), tree.initial_configuration()
    for step in range(300):
        reached = q.copy()
        q[indices] = 0.3 * np.sin(0.02 * step)
        complete.follow(q, reached, complete.loop_solvers)


def page(rows: list[Row]) -> str:
    """Return the rows as a table with the ratios to ours."""
    cells = [(row.task, row.ours, *_beside(row, row.pinocchio), *_beside(row, row.yourdfpy))
             for row in rows]
    return '\n'.join((
        '## Kinematics\n',
        table(('task', 'hrdf_ros (us)', 'pinocchio (us)', 'ratio', 'yourdfpy (us)', 'ratio'),
              cells),
        f'CPU time for one configuration, median. {versions()}.\n'))


def _beside(row: Row, other: float | None) -> tuple[object, object]:
    return ('', '') if other is None else (other, row.ours / other)


def versions() -> str:
    """Return the versions of the libraries that are there."""
    found = []
    for package in ('numpy', 'pin', 'yourdfpy'):
        try:
            found.append(f'{package} {metadata.version(package)}')
        except metadata.PackageNotFoundError:
            found.append(f'{package} {ABSENT}')
    return ', '.join(found)


def main(quick: bool) -> str:
    """Measure all of it and return the page."""
    rows = [row for length in (LENGTHS[:1] if quick else LENGTHS) for row in measure_chain(length)]
    return page(rows if quick else rows + measure_loops())


if __name__ == '__main__':
    print(main('--quick' in sys.argv))
