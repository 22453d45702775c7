# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Closed mechanisms for the tests, and their solutions in closed form."""

from __future__ import annotations

from collections.abc import Sequence
import math

from hrdf_ros.model import Body, Coordinate, Frame, Joint, Mimic, Model, Motion
from hrdf_ros.pose import compose, from_axis_angle, IDENTITY, Pose, translation
import numpy as np

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class Builder:
    """Collects bodies, joints and coordinates by name."""

    def __init__(self, *bodies: str) -> None:
        self.bodies = list(bodies)
        self.joints: list[Joint] = []
        self.coordinates: list[Coordinate] = []

    def joint(
        self, name: str, parent: str, child: str, *axes: tuple[float, float, float],
        parent_from_joint: Pose = IDENTITY, child_from_joint: Pose = IDENTITY,
        kind: str = 'revolute', starts: Sequence[float] = (), mimic: Mimic | None = None,
    ) -> None:
        """Add a joint with one motion for each axis, or with a rotation vector."""
        first = len(self.coordinates)
        names = [name] if len(axes) == 1 else [f'{name}_{index + 1}' for index in range(
            3 if kind == 'rotation_vector' else len(axes))]
        motions = tuple(Motion(kind, axis, (first + i,)) for i, axis in enumerate(axes))
        if kind == 'rotation_vector':
            motions = (Motion(kind, Z, (first, first + 1, first + 2)),)
        self.joints.append(Joint(
            name, name, kind, self.bodies.index(parent), self.bodies.index(child),
            parent_from_joint, child_from_joint, motions))
        self.coordinates += [
            Coordinate(each, 'length' if kind == 'prismatic' else 'angle', initial_position=start,
                       mimic=mimic)
            for each, start in zip(names, [*starts, *[0.0] * len(names)])]

    def model(self) -> Model:
        bodies = tuple(Body(name, name) for name in self.bodies)
        frames = tuple(Frame(name, name, 'link', i) for i, name in enumerate(self.bodies))
        return Model('m', 'sdf', '1.11', self.bodies[0], bodies, tuple(self.joints),
                     tuple(self.coordinates), (), frames)


GROUND, CRANK, COUPLER, ROCKER = 1.0, 0.3, 0.9, 0.7


def four_bar_angles(crank: float) -> tuple[float, float]:
    """Return the angles of coupler and rocker relative to the ground, the coupler above."""
    bx, by = CRANK * math.cos(crank), CRANK * math.sin(crank)
    dx, dy = GROUND - bx, -by
    distance = math.hypot(dx, dy)
    inner = (COUPLER**2 + distance**2 - ROCKER**2) / (2.0 * COUPLER * distance)
    coupler = math.atan2(dy, dx) + math.acos(inner)
    cx, cy = bx + COUPLER * math.cos(coupler), by + COUPLER * math.sin(coupler)
    return coupler, math.atan2(cy, cx - GROUND)


def four_bar(assembled_at: float = 1.0, scale: float = 1.0) -> Model:
    """Return a four-bar linkage (a crank-rocker) whose loop is closed at zero."""
    coupler, rocker = four_bar_angles(assembled_at)
    build = Builder('ground', 'crank', 'coupler', 'rocker')

    def turned(x: float, angle: float) -> Pose:
        return compose(translation(x * scale, 0.0, 0.0), from_axis_angle(Z, angle))

    build.joint('crank', 'ground', 'crank', Z, parent_from_joint=turned(0.0, assembled_at))
    build.joint(
        'coupler', 'crank', 'coupler', Z, parent_from_joint=turned(CRANK, coupler - assembled_at))
    build.joint('rocker', 'ground', 'rocker', Z, parent_from_joint=turned(GROUND, rocker))
    build.joint(
        'tip', 'coupler', 'rocker', Z, parent_from_joint=turned(COUPLER, rocker - coupler),
        child_from_joint=turned(ROCKER, 0.0))
    return build.model()


def slider_crank(crank: float = 0.2, rod: float = 0.5) -> Model:
    """Return a crank that pushes a slider along x; at zero it is stretched out."""
    build = Builder('ground', 'crank', 'rod', 'slider')
    build.joint('crank', 'ground', 'crank', Z)
    build.joint('rod', 'crank', 'rod', Z, parent_from_joint=translation(crank, 0.0, 0.0))
    build.joint(
        'slider', 'ground', 'slider', X, kind='prismatic',
        parent_from_joint=translation(crank + rod, 0.0, 0.0))
    build.joint('pin', 'rod', 'slider', Z, parent_from_joint=translation(rod, 0.0, 0.0))
    return build.model()


FINGER, SPREAD = 0.06, 0.02


def gripper() -> Model:
    """
    Return a gripper with two parallel jaws, each on a parallelogram of two links.

    The inner link of the right jaw mimics the inner link of the left one.
    """
    build = Builder('palm', *(
        f'{side}_{part}' for side in ('left', 'right') for part in ('inner', 'outer', 'jaw')))
    for side, sign in (('left', 1.0), ('right', -1.0)):
        mimic = Mimic(0, -1.0) if side == 'right' else None
        build.joint(
            f'{side}_inner', 'palm', f'{side}_inner', Z, mimic=mimic,
            parent_from_joint=translation(0.0, sign * SPREAD, 0.0))
        build.joint(
            f'{side}_outer', 'palm', f'{side}_outer', Z,
            parent_from_joint=translation(0.0, 2.0 * sign * SPREAD, 0.0))
        build.joint(
            f'{side}_jaw', f'{side}_inner', f'{side}_jaw', Z,
            parent_from_joint=translation(FINGER, 0.0, 0.0))
        build.joint(
            f'{side}_pin', f'{side}_outer', f'{side}_jaw', Z,
            parent_from_joint=translation(FINGER, 0.0, 0.0),
            child_from_joint=translation(0.0, sign * SPREAD, 0.0))
    return build.model()


BASE, PLATFORM, UPPER, FORE, HALF_WIDTH = 0.2, 0.05, 0.25, 0.5, 0.04


def delta_platform(angles: Sequence[float]) -> np.ndarray:
    """Return where the platform of a delta robot is: below, on spheres around its three elbows."""
    centers = []
    for leg, angle in enumerate(angles):
        turn = 2.0 * math.pi * leg / 3.0
        out = BASE - PLATFORM + UPPER * math.cos(angle)
        centers.append((out * math.cos(turn), out * math.sin(turn), -UPPER * math.sin(angle)))
    a, b, c = np.array(centers)
    ex = (b - a) / np.linalg.norm(b - a)
    i = ex @ (c - a)
    ey = (c - a - i * ex) / np.linalg.norm(c - a - i * ex)
    d, j = np.linalg.norm(b - a), ey @ (c - a)
    x = d / 2.0
    y = (i * i + j * j - 2.0 * i * x) / (2.0 * j)
    normal = np.cross(ex, ey)
    down = normal if normal[2] < 0.0 else -normal
    return a + x * ex + y * ey + math.sqrt(FORE**2 - x * x - y * y) * down


def delta(rods: int = 1) -> Model:
    """
    Return a delta robot whose loops are closed at zero, with level cranks.

    With one rod a leg, the forearm has a universal joint at each end. With two, each rod has a
    ball joint at each end, and may spin about its own axis.
    """
    low = delta_platform((0.0, 0.0, 0.0))[2]
    slant = math.atan2(-low, PLATFORM - BASE - UPPER)
    names = [f'{leg}{rod}' for leg in 'abc' for rod in range(rods)]
    build = Builder(
        'base', *(f'upper_{leg}' for leg in 'abc'), *(f'fore_{name}' for name in names),
        'platform')
    for index, leg in enumerate('abc'):
        turn = from_axis_angle(Z, 2.0 * math.pi * index / 3.0)
        build.joint(
            f'crank_{leg}', 'base', f'upper_{leg}', Y,
            parent_from_joint=compose(turn, translation(BASE, 0.0, 0.0)))
        for rod in range(rods):
            side = HALF_WIDTH * (2 * rod - 1) * (rods - 1)
            fore, bend = f'fore_{leg}{rod}', from_axis_angle(Y, slant)
            hip = compose(translation(UPPER, side, 0.0), bend)
            foot = compose(compose(turn, translation(PLATFORM, side, 0.0)), bend)
            kind, first, last = 'revolute', (Y, Z), (Z, Y)
            if rods > 1:
                kind, first, last = 'rotation_vector', (Y, Y), (Y, Y)
            build.joint(
                f'elbow_{leg}{rod}', f'upper_{leg}', fore, *first, kind=kind,
                parent_from_joint=hip)
            build.joint(
                f'wrist_{leg}{rod}', fore, 'platform', *last, kind=kind,
                parent_from_joint=translation(FORE, 0.0, 0.0), child_from_joint=foot)
    return build.model()


def ladder(count: int) -> Model:
    """Return parallelograms side by side, whose loops depend on each other: they share bars."""
    bars = [f'bar{index}' for index in range(count + 1)]
    rails = [f'rail{index}' for index in range(count)]
    builder = Builder('base', *bars, *rails)
    for index, bar in enumerate(bars):
        foot = translation(float(index), 0.0, 0.0)
        builder.joint(f'foot{index}', 'base', bar, Z, parent_from_joint=foot)
    top, end = translation(0.0, 1.0, 0.0), translation(1.0, 0.0, 0.0)
    for index, rail in enumerate(rails):
        builder.joint(f'left{index}', bars[index], rail, Z, parent_from_joint=top)
        builder.joint(
            f'right{index}', rail, bars[index + 1], Z, parent_from_joint=end,
            child_from_joint=top)
    return builder.model()
