# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Random robots as URDF and SDFormat, with poses and inertias computed here in numpy.

Nothing of the package has a part in what is expected: a robot is drawn, its poses are products of
4x4 matrices, and both texts say the same robot in their own terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
import math
from random import Random
from typing import NamedTuple, Optional

from hrdf_ros import Kinematics, load, Model, write_mjcf, write_sdf, write_urdf
from hrdf_ros.inertia import tensor_in_body
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BASE = 'base'
WRITERS = {'urdf': write_urdf, 'sdf': write_sdf, 'mjcf': write_mjcf}
TOLERANCE = 1e-9
"""Of poses in meters and radians, times the reach; of masses and moments, times their size."""
CONFIGURATIONS = 3
_KINDS = ('revolute', 'continuous', 'prismatic', 'fixed')


class Joint(NamedTuple):
    """
    A joint between two links, and the inertia of the link that it moves.

    ``origin`` is parent_from_joint, ``child_from_joint`` where the joint is in its child, which is
    in the origin in URDF. ``mimic`` is leader, multiplier and offset.
    """

    name: str
    kind: str
    parent: str
    child: str
    origin: Array
    child_from_joint: Array
    axis: Array
    mimic: Optional[tuple[str, float, float]]


class Robot(NamedTuple):
    """Joints in an order in which parents come first; mass, center, moments by link."""

    joints: tuple[Joint, ...]
    inertias: Mapping[str, tuple[float, Array, Array]]
    limit: float

    def poses(self, positions: Mapping[str, float]) -> dict[str, Array]:
        """Return base_from_link (4, 4) by link, at values of the joints that mimic none."""
        values = dict(positions)
        found: dict[str, Array] = {BASE: np.eye(4)}
        for joint in self.joints:
            if joint.mimic is not None:
                leader, multiplier, offset = joint.mimic
                values[joint.name] = multiplier * values[leader] + offset
            moved = _motion(joint, values.get(joint.name, 0.0))
            found[joint.child] = (
                found[joint.parent] @ joint.origin @ moved
                @ np.linalg.inv(joint.child_from_joint))
        return found


def random_robot(rng: Random, *, joints_in_children: bool) -> Robot:
    """Return a tree of up to eight links; in URDF the joint of a link is at its origin."""
    joints: list[Joint] = []
    for index in range(rng.randint(1, 7)):
        kind = rng.choice(_KINDS)
        leaders = [one for one in joints if one.kind == kind and one.mimic is None]
        mimic = None
        if kind != 'fixed' and leaders and rng.random() < 0.25:
            mimic = rng.choice(leaders).name, rng.uniform(-2.0, 2.0), rng.uniform(-0.5, 0.5)
        joints.append(Joint(
            f'j{index}', kind, rng.choice([BASE, *(one.child for one in joints)]), f'l{index}',
            _random_pose(rng), _random_pose(rng) if joints_in_children else np.eye(4),
            _unit(rng), mimic))
    links = [BASE, *(joint.child for joint in joints)]
    return Robot(tuple(joints), {link: _random_inertia(rng) for link in links},
                 rng.uniform(0.5, 3.0))


def urdf_text(robot: Robot) -> str:
    """Return the robot as URDF."""
    text = ['<robot name="r">']
    for link, (mass, center, tensor) in robot.inertias.items():
        moments = ' '.join(
            f'i{"xyz"[row]}{"xyz"[column]}="{float(tensor[row, column])!r}"'
            for row, column in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
        text.append(
            f'<link name="{link}"><inertial><origin xyz="{_words(center)}"/>'
            f'<mass value="{mass!r}"/><inertia {moments}/></inertial></link>')
    for joint in robot.joints:
        angles = _words(_rpy(joint.origin))
        mimic = '' if joint.mimic is None else (
            '<mimic joint="{}" multiplier="{!r}" offset="{!r}"/>'.format(*joint.mimic))
        text.append(
            f'<joint name="{joint.name}" type="{joint.kind}"><parent link="{joint.parent}"/>'
            f'<child link="{joint.child}"/><origin xyz="{_words(joint.origin[:3, 3])}" '
            f'rpy="{angles}"/><axis xyz="{_words(joint.axis)}"/><limit lower="{-robot.limit!r}" '
            f'upper="{robot.limit!r}" effort="1" velocity="1"/>{mimic}</joint>')
    return '\n'.join([*text, '</robot>'])


def sdf_text(robot: Robot, rng: Random) -> str:
    """Return the robot as SDFormat, whose poses are relative to any of the frames."""
    without_mimics = robot._replace(joints=tuple(
        joint._replace(mimic=None) for joint in robot.joints))
    zero = without_mimics.poses({})
    text = ['<sdf version="1.11"><model name="r">']
    for link, (mass, center, tensor) in robot.inertias.items():
        of = rng.choice([BASE, *(joint.child for joint in robot.joints)])
        is_relative = link != BASE and of != link and rng.random() < 0.5 and _is_before(
            robot, of, link)
        pose = np.linalg.inv(zero[of]) @ zero[link] if is_relative else zero[link]
        axes = _random_pose(rng)[:3, :3]
        turned = axes.T @ tensor @ axes
        inertial = np.eye(4)
        inertial[:3, :3], inertial[:3, 3] = axes, center
        moments = ''.join(
            f'<i{"xyz"[row]}{"xyz"[column]}>{float(turned[row, column])!r}'
            f'</i{"xyz"[row]}{"xyz"[column]}>'
            for row, column in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
        relative = f' relative_to="{of}"' if is_relative else ''
        text.append(
            f'<link name="{link}"><pose{relative}>{_six(pose)}</pose><inertial>'
            f'<mass>{mass!r}</mass><pose>{_six(inertial)}</pose><inertia>{moments}</inertia>'
            '</inertial></link>')
    for joint in robot.joints:
        text.append(_sdf_joint(robot, joint, zero, rng))
    return '\n'.join([*text, '</model></sdf>'])


def _sdf_joint(robot: Robot, joint: Joint, zero: Mapping[str, Array], rng: Random) -> str:
    kind = {'continuous': 'revolute'}.get(joint.kind, joint.kind)
    inner = f'<pose>{_six(joint.child_from_joint)}</pose>'
    if kind != 'fixed':
        axis, expressed = joint.axis, ''
        if rng.random() < 0.4:
            frame = rng.choice([*zero])
            in_base = zero[joint.child] @ joint.child_from_joint
            axis = (np.linalg.inv(zero[frame]) @ in_base)[:3, :3] @ axis
            expressed = f' expressed_in="{frame}"'
        limit = '' if joint.kind == 'continuous' else (
            f'<limit><lower>{-robot.limit!r}</lower><upper>{robot.limit!r}</upper></limit>')
        mimic = '' if joint.mimic is None else (
            '<mimic joint="{}"><multiplier>{!r}</multiplier><offset>{!r}</offset>'
            '<reference>0</reference></mimic>'.format(*joint.mimic))
        inner += f'<axis><xyz{expressed}>{_words(axis)}</xyz>{limit}{mimic}</axis>'
    return (f'<joint name="{joint.name}" type="{kind}"><parent>{joint.parent}</parent>'
            f'<child>{joint.child}</child>{inner}</joint>')


def differences(text: str, robot: Robot, path: Sequence[str], rng: Random) -> list[str]:
    """Return how what is read of a text, and of each conversion after another, differs."""
    configurations = [
        {joint.name: rng.uniform(-robot.limit, robot.limit) for joint in robot.joints
         if joint.kind != 'fixed' and joint.mimic is None} for _ in range(CONFIGURATIONS)]
    way = 'source'
    found: list[str] = []
    for target in (None, *path):
        if target is not None:
            text, _ = WRITERS[target](_loaded(text, way))
            way += f' -> {target}'
        model = _loaded(text, way)
        found += [f'{way}: {each}' for each in _different(model, robot, configurations)]
    return found


def every_path() -> list[tuple[str, ...]]:
    """Return each way of three conversions of which none repeats the one before."""
    return [path for path in product(WRITERS, repeat=3) if path[0] != path[1] != path[2]]


def _loaded(text: str, way: str) -> Model:
    loaded = load(text)
    assert loaded.model is not None, f'{way}: {loaded.report}\n{text}'
    return loaded.model._replace(source=None)


def _different(
    model: Model, robot: Robot, configurations: Sequence[Mapping[str, float]],
) -> list[str]:
    found = []
    tree = Kinematics(model)
    for positions in configurations:
        expected = robot.poses(positions)
        reach = 1.0 + max(float(abs(pose[:3, 3]).max()) for pose in expected.values())
        for link, pose in expected.items():
            error = float(abs(tree.pose(link, positions, relative_to=BASE) - pose).max())
            if not error <= TOLERANCE * reach:
                found.append(f'the pose of {link} is {error} away')
    inertias = {body.name: body.inertia for body in model.bodies}
    for link, (mass, center, tensor) in robot.inertias.items():
        inertia = inertias[link]
        assert inertia is not None, f'{link} has no inertia'
        xx, yy, zz, xy, xz, yz = tensor_in_body(inertia)
        same = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if abs(inertia.mass - mass) > TOLERANCE * mass:
            found.append(f'the mass of {link} is {inertia.mass}, not {mass}')
        if float(abs(np.array(inertia.pose.position) - center).max()) > TOLERANCE:
            found.append(f'the center of {link} is {inertia.pose.position}, not {center}')
        if float(abs(same - tensor).max()) > TOLERANCE * float(abs(tensor).max()):
            found.append(f'the inertia of {link} is {same}, not {tensor}')
    return found


# ---- numbers

def _motion(joint: Joint, value: float) -> Array:
    pose = np.eye(4)
    if joint.kind == 'prismatic':
        pose[:3, 3] = joint.axis * value
    elif joint.kind != 'fixed':
        x, y, z = joint.axis
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        pose[:3, :3] += math.sin(value) * cross + (1.0 - math.cos(value)) * cross @ cross
    return pose


def _unit(rng: Random) -> Array:
    if rng.random() < 0.3:
        return np.array(rng.choice([(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)]))
    vector = np.array([rng.gauss(0.0, 1.0) for _ in range(3)])
    return np.asarray(vector / np.linalg.norm(vector))


def _random_pose(rng: Random) -> Array:
    """Return a pose, now and then one with right angles, where conversions have corner cases."""
    pose = np.eye(4)
    angle = rng.choice((0.0, math.pi / 2.0, math.pi)) if rng.random() < 0.3 else rng.uniform(-3, 3)
    turn = Joint('', 'revolute', '', '', pose, pose, _unit(rng), None)
    pose = _motion(turn, angle)
    pose[:3, 3] = [rng.uniform(-1.0, 1.0) for _ in range(3)]
    return pose


def _random_inertia(rng: Random) -> tuple[float, Array, Array]:
    """Return a mass, a center, and the tensor about it of a box of this mass that is turned."""
    mass = 10.0 ** rng.uniform(-2.0, 2.0)
    x, y, z = (rng.uniform(0.05, 1.0) ** 2 for _ in range(3))
    axes = _random_pose(rng)[:3, :3]
    tensor = axes @ np.diag([y + z, x + z, x + y]) @ axes.T * mass / 12.0
    return mass, np.array([rng.uniform(-0.5, 0.5) for _ in range(3)]), (tensor + tensor.T) / 2.0


def _rpy(pose: Array) -> Array:
    """Return roll, pitch and yaw; with a pitch of 90 degrees the roll is zero."""
    level = math.hypot(pose[0, 0], pose[1, 0])
    pitch = math.atan2(-pose[2, 0], level)
    if level < 1e-9:
        return np.array([0.0, pitch, math.atan2(-pose[0, 1], pose[1, 1])])
    return np.array([
        math.atan2(pose[2, 1], pose[2, 2]), pitch, math.atan2(pose[1, 0], pose[0, 0])])


def _six(pose: Array) -> str:
    return f'{_words(pose[:3, 3])} {_words(_rpy(pose))}'


def _words(values: Array) -> str:
    return ' '.join(repr(float(value)) for value in values)


def _is_before(robot: Robot, first: str, second: str) -> bool:
    """Return whether a link comes before another, so that no poses are in a circle."""
    links = [BASE, *(joint.child for joint in robot.joints)]
    return links.index(first) < links.index(second)
