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


class Reached(NamedTuple):
    """How many of the targets a library reached, and the milliseconds for one of them."""

    share: float
    ms: float


def measure_ik(count: int) -> list[tuple[object, ...]]:
    """Measure inverse kinematics of HEBI arms, for targets that random configurations reach."""
    rows = []
    for name in ('arm_6dof', 'arm_7dof'):
        file = Path(__file__).parent.parent / 'examples' / 'hrdf' / f'{name}.hrdf'
        arm = Kinematics.load(file)
        rng = np.random.default_rng(1)
        targets = arm.pose('tool', [arm.random_configuration(rng) for _ in range(count)])
        cells: list[Reached | None] = []
        for solve in (partial(_batch, arm), partial(_each, arm), partial(_hebi, file),
                      partial(_pinocchio, arm)):
            try:
                cells.append(Reached(*_solved(arm, targets, partial(solve, targets))))
            except ModuleNotFoundError:
                cells.append(None)
        rows.append((name, *(
            None if cell is None else f'{cell.share:.0%}, {cell.ms:.3g}' for cell in cells)))
    return rows


def _solved(
    arm: Kinematics, targets: np.ndarray, solve: Callable[[], np.ndarray],
) -> tuple[float, float]:
    """Return the share of targets reached within 0.1 mm and 0.1 mrad, and milliseconds."""
    start = time.process_time()
    found = np.asarray(solve())
    spent = (time.process_time() - start) / len(targets) * 1e3
    poses = arm.pose('tool', found)
    far = np.linalg.norm(poses[:, :3, 3] - targets[:, :3, 3], axis=1)
    turned = np.trace(poses[:, :3, :3].swapaxes(1, 2) @ targets[:, :3, :3], axis1=1, axis2=2)
    angle = np.arccos(np.clip((turned - 1.0) / 2.0, -1.0, 1.0))
    inside = ((found >= arm.lower - 1e-9) & (found <= arm.upper + 1e-9)).all(1)
    return float(((far < 1e-4) & (angle < 1e-4) & inside).mean()), spent


def _batch(arm: Kinematics, targets: np.ndarray) -> np.ndarray:
    return arm.ik('tool', targets).q


def _each(arm: Kinematics, targets: np.ndarray) -> list[np.ndarray]:
    return [arm.ik('tool', target).q for target in targets]


def _hebi(file: Path, targets: np.ndarray) -> list[np.ndarray]:
    """Solve with hebi-py, from zero."""
    from hebi import robot_model
    model = robot_model.import_from_hrdf(str(file))
    return [
        model.solve_inverse_kinematics(
            np.full(model.dof_count, 0.01),
            robot_model.endeffector_position_objective(target[:3, 3]),
            robot_model.endeffector_so3_objective(target[:3, :3]))
        for target in targets]


def _pinocchio(arm: Kinematics, targets: np.ndarray) -> list[np.ndarray]:
    """Solve with the damped loop of pinocchio's documentation, from zero."""
    from hrdf_ros import to_pinocchio
    import pinocchio
    model = to_pinocchio(arm.model).model
    data, frame = model.createData(), model.getFrameId('tool')

    def solve(target: np.ndarray) -> np.ndarray:
        goal, q = pinocchio.SE3(target), np.full(model.nq, 0.01)
        for _ in range(1000):
            pinocchio.framesForwardKinematics(model, data, q)
            apart = data.oMf[frame].actInv(goal)
            error = pinocchio.log(apart).vector
            if np.linalg.norm(error) < 1e-6:
                break
            jacobian = -pinocchio.Jlog6(apart.inverse()) @ pinocchio.computeFrameJacobian(
                model, data, q, frame)
            q = q - 0.1 * jacobian.T @ np.linalg.solve(
                jacobian @ jacobian.T + 1e-12 * np.eye(6), error)
        return q

    return [solve(target) for target in targets]


def page(rows: list[Row], ik: list[tuple[object, ...]]) -> str:
    """Return the rows as tables with the ratios to ours."""
    cells = [(row.task, row.ours, *_beside(row, row.pinocchio), *_beside(row, row.yourdfpy))
             for row in rows]
    return '\n'.join((
        '## Kinematics\n',
        table(('task', 'hrdf_ros (us)', 'pinocchio (us)', 'ratio', 'yourdfpy (us)', 'ratio'),
              cells),
        f'CPU time for one configuration, median. {versions()}.\n',
        '### Inverse kinematics\n',
        table(('arm', 'hrdf_ros, batch', 'hrdf_ros', 'hebi-py', 'pinocchio loop'), ik),
        'Share of targets reached within 0.1 mm and 0.1 mrad, and CPU time for each in ms.\n'))


def _beside(row: Row, other: float | None) -> tuple[object, object]:
    return ('', '') if other is None else (other, row.ours / other)


def versions() -> str:
    """Return the versions of the libraries that are there."""
    found = []
    for package in ('numpy', 'pin', 'yourdfpy', 'hebi-py'):
        try:
            found.append(f'{package} {metadata.version(package)}')
        except metadata.PackageNotFoundError:
            found.append(f'{package} {ABSENT}')
    return ', '.join(found)


def main(quick: bool) -> str:
    """Measure all of it and return the page."""
    rows = [row for length in (LENGTHS[:1] if quick else LENGTHS) for row in measure_chain(length)]
    return page(rows if quick else rows + measure_loops(), measure_ik(5 if quick else 100))


if __name__ == '__main__':
    print(main('--quick' in sys.argv))
