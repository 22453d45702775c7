# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A model in a configuration, with its sliders and the resulting poses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import degrees, inf, isfinite, pi, sin
import os
from random import Random
from typing import Literal, NamedTuple, Optional
from warnings import catch_warnings, simplefilter

from hrdf_ros.diagnostics import Locatable, Location
from hrdf_ros.kinematics import FullConfiguration, Kinematics
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.model import Joint, Model, NONE
from hrdf_ros.pose import Vector
import numpy as np

_WIDEST_ANGLE = 4.0 * pi
"""The widest range of an angle's slider: with a wider one, small motions are impossible."""
_TRIES = 30
"""The most random configurations that are tried until the loops close in one."""
_LEAST_STEPS, _MOST_STEPS = 4, 24
"""The fewest and the most pictures of a joint that moves through its range."""
_DRAG_STEP = 0.5
"""The longest step of a coordinate for one message of a drag, in radians or meters."""

Unit = Literal['degrees', 'radians']
UNITS: tuple[Unit, ...] = ('degrees', 'radians')
POSES = ('Zero', 'Initial', 'Random')


class Slider(NamedTuple):
    """
    The slider of a coordinate, from ``lower`` to ``upper`` in radians or meters.

    It ``is_limited`` if these are the coordinate's own limits. ``depends`` says what moves a
    coordinate that the user cannot move, and is '' for other coordinates.
    """

    coordinate: int
    name: str
    is_angle: bool
    lower: float
    upper: float
    is_limited: bool
    depends: str

    def shown(self, value: float, unit: Unit) -> float:
        """Return a value in the unit that the page shows: meters, or degrees or radians."""
        return degrees(value) if self.is_angle and unit == 'degrees' else value

    def text(self, value: float, unit: Unit) -> str:
        """Return a value as a text with its unit."""
        mark, digits = (' m', 4) if not self.is_angle else (
            ('\u00b0', 1) if unit == 'degrees' else (' rad', 3))
        number = f'{round(self.shown(value, unit), digits) + 0.0:.{digits}f}'
        return number.rstrip('0').rstrip('.') + mark


class PosedModel:
    """A model in a configuration, ``vector`` (n,), that can be changed."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.kinematics = Kinematics(model)
        self.vector = self.kinematics.initial_configuration()
        self._dependent = frozenset(self.kinematics.dependent_solver().indices)
        self._random = Random(1)
        spread = float(np.linalg.norm(np.ptp(self.frames()[:, :3, 3], axis=0))) if (
            model.frames) else 0.0
        self._reach = spread if 0.0 < spread < inf else 1.0

    def sliders(self) -> tuple[Slider, ...]:
        """Return a slider for each coordinate; the robot's size bounds sliders of lengths."""
        return tuple(map(self._slider, range(len(self.model.coordinates))))

    def move(self, values: Mapping[int, float]) -> None:
        """Move coordinates by index; the coordinates that depend on them follow."""
        vector = self.vector.copy()
        for index, value in values.items():
            if isfinite(value):
                vector[index] = value
        self._accept(vector)

    def move_to(self, name: str) -> None:
        """Move all coordinates to one of ``POSES`` or to a configuration that the file names."""
        if name == 'Zero':  # as near as closed loops allow
            self._accept(self.kinematics.resolve([0.0] * len(self.vector)))
        elif name == 'Random':
            self._move_at_random()
        else:
            self.vector = self.kinematics.initial_configuration() if name == 'Initial' else (
                self.kinematics.configuration(name))

    def _move_at_random(self) -> None:
        """Move all coordinates to random values within their limits at which the loops close."""
        before = self.vector
        for _ in range(_TRIES):
            self.move({
                slider.coordinate: self._random.uniform(slider.lower, slider.upper)
                for slider in self.sliders() if not slider.depends})
            if not self.open_loops():
                return
        self.vector = before

    def center_of_mass(self) -> Optional[Array]:
        """Return the center of mass in the root, or None for a model without mass."""
        has_mass = 0.0 < self.kinematics.mass < inf
        return self.kinematics.center_of_mass(self.vector) if has_mass else None

    def sweep(self, count: int) -> list[Array]:
        """
        Return up to ``count`` configurations: each joint in turn moves to both ends and back.

        Of many joints, some move together. Configurations in which a loop is open are left out.
        """
        begin = self.vector
        free = [slider for slider in self.sliders() if not slider.depends]
        groups = min(len(free), count // _LEAST_STEPS)
        steps = min(count // max(groups, 1), _MOST_STEPS)
        found = [begin]
        for group in range(groups):
            for step in range(steps):
                phase = sin(2.0 * pi * step / steps)
                ends = {each.coordinate: each.upper if phase > 0.0 else each.lower
                        for each in free[group::groups]}
                self.vector = begin
                self.move({index: float(begin[index]) + abs(phase) * (end - float(begin[index]))
                           for index, end in ends.items()})
                if not self.open_loops():
                    found.append(self.vector)
        self.vector = begin
        return found

    def drag(self, body: int, start: Vector, end: Vector) -> None:
        """Move the joint that carries a body so that a point of it approaches another point."""
        frame = self.model.bodies[body].name
        twists = self.kinematics.jacobian(frame, self.vector)
        arm = np.asarray(start) - self.kinematics.pose(frame, self.vector)[:3, 3]
        slopes = twists[:3] + np.cross(twists[3:].T, arm).T
        moving = self._carriers(body, slopes)
        step = np.linalg.lstsq(slopes[:, moving], np.subtract(end, start), rcond=1e-6)[0]
        if moving and (turn := twists[3:, moving[0]]).any():  # far points turn less
            before = np.cross(slopes[:, moving[0]], turn) / (turn @ turn)
            after = before + np.subtract(end, start)
            step *= min(1.0, float(np.linalg.norm(before) / (np.linalg.norm(after) + 1e-9)))
        limited = step * min(1.0, _DRAG_STEP / max(float(np.abs(step).max(initial=0.0)), 1e-9))
        values = np.clip(
            self.vector[moving] + limited,
            self.kinematics.lower[moving], self.kinematics.upper[moving])
        self.move(dict(zip(moving, values.tolist())))

    def _carriers(self, body: int, slopes: Array) -> list[int]:
        """Return the coordinates of the first joint above a body that moves a point of it."""
        moves = set(np.flatnonzero(np.abs(slopes).max(0, initial=0.0) > 1e-9).tolist())
        topology = self.kinematics.topology
        while topology.joint[body] != NONE:
            joint = self.model.joints[topology.joint[body]]
            if moves.intersection(joint.coordinates):
                return [index for index in joint.coordinates if index in moves]
            body = topology.parent[body]
        return sorted(moves)

    def adopt(self, other: PosedModel) -> None:
        """Take over the values of another configuration for coordinates of the same name."""
        self.move_by_name(dict(zip(other.kinematics.coordinates, other.vector.tolist())))

    def move_by_name(self, values: Mapping[str, float]) -> None:
        """Move the coordinates that have these names."""
        self.move({index: values[name] for index, name in enumerate(self.kinematics.coordinates)
                   if name in values})

    def frames(self) -> Array:
        """Return root_from_frame (F, 4, 4) of all frames of the model."""
        return self.kinematics.fk(FullConfiguration(self.vector))

    def open_loops(self) -> tuple[str, ...]:
        """Return the names of the joints whose loops do not close in this configuration."""
        return tuple(
            self.model.joints[joint].name
            for state in self.kinematics.loop_states(FullConfiguration(self.vector))
            if not state.closed.all() for joint in state.joints)

    def independent(self) -> dict[str, float]:
        """Return the values, by name, of the coordinates that depend on no others."""
        return {
            name: value for index, (name, value) in enumerate(
                zip(self.kinematics.coordinates, self.vector.tolist()))
            if index not in self._dependent}

    def positions(self) -> str:
        """Return the option ``--positions`` for this configuration, or '' if nothing can move."""
        values = self.independent().values()
        numbers = ','.join(f'{round(value, 6) + 0.0:.7g}' for value in values)
        return f'--positions {numbers}' if values else ''

    def _accept(self, vector: Array) -> None:
        with catch_warnings():
            simplefilter('ignore', RuntimeWarning)  # a vector that overflows is not accepted
            found = self.kinematics.resolve(vector)
            poses = self.kinematics.fk(FullConfiguration(found))
        if isfinite(float(abs(poses).max(initial=0.0))):
            self.vector = found

    def _slider(self, index: int) -> Slider:
        coordinate, depends = self.model.coordinates[index], ''
        is_angle = coordinate.kind == 'angle'
        most, reach = (_WIDEST_ANGLE, pi) if is_angle else (20.0 * self._reach, self._reach)
        lower, upper = coordinate.lower, coordinate.upper
        is_limited = -most <= lower <= upper <= most
        if not -most <= lower <= most:
            lower = min(-reach, upper - 2.0 * reach) if upper <= most else -reach
        if not -most <= upper <= most:
            upper = max(reach, lower + 2.0 * reach)
        if index in self._dependent:
            mimic = coordinate.mimic
            depends = 'closes a loop' if mimic is None else (
                f'follows {self.model.coordinates[mimic.leader].name}')
        value = float(self.vector[index])
        return Slider(
            index, coordinate.name, is_angle, min(lower, value), max(upper, value), is_limited,
            depends)


# ---- the link at a place of a text

def marked_at(model: Model, places: Sequence[Location]) -> tuple[int, Optional[Joint]]:
    """
    Return the link that is read at the first of some places, or the joint and its child.

    The result is the index of the body, and the joint if it is one. It is (NONE, None) if neither
    a link nor a joint is read at any of the places.
    """
    links = {_place(one.location): index for index, one in enumerate(model.bodies)}
    joints = {_place(one.location): one for one in model.joints}
    for place in map(_place, places):
        if place in links:
            return links[place], None
        if place in joints:
            return joints[place].child, joints[place]
    return NONE, None


def _place(where: Optional[Locatable]) -> Optional[tuple[str, Optional[int], Optional[int]]]:
    """Return a place in the form in which places of a Model and of an editor are compared."""
    if where is None:
        return None
    at = where.resolve()
    return os.path.realpath(at.file), at.line, at.column
