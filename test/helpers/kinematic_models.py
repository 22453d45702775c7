# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Models for the tests of kinematics, and forward kinematics in plain Python to compare with."""

from __future__ import annotations

from collections.abc import Sequence
import math
import random

from hrdf_ros.inertia import Inertia
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import matrices
from hrdf_ros.model import Body, Coordinate, Frame, Joint, Mimic, Model, Motion
from hrdf_ros.pose import compose, from_quaternion, IDENTITY, inverse, Pose, relative, Vector
from hrdf_ros.topology import displacement, span
import numpy as np

KINDS = ('fixed', 'revolute', 'prismatic', 'screw', 'ball', 'universal', 'planar', 'free')
Z = (0.0, 0.0, 1.0)


def axis(rng: random.Random) -> Vector:
    x, y, z = (rng.gauss(0.0, 1.0) for _ in range(3))
    norm = math.sqrt(x * x + y * y + z * z)
    return x / norm, y / norm, z / norm


def pose(rng: random.Random) -> Pose:
    return from_quaternion(
        [rng.uniform(-1.0, 1.0) for _ in range(3)], [rng.gauss(0.0, 1.0) for _ in range(4)])


def motions(rng: random.Random, kind: str, first: int) -> tuple[Motion, ...]:
    """Return the motions of a joint; their coordinates count from ``first``."""
    parts = {
        'fixed': (), 'revolute': ('revolute',), 'prismatic': ('prismatic',), 'screw': ('screw',),
        'ball': ('rotation_vector',), 'universal': ('revolute',) * 2,
        'planar': ('prismatic', 'prismatic', 'revolute'),
        'free': ('prismatic',) * 3 + ('rotation_vector',)}[kind]
    found = []
    for part in parts:
        count = 3 if part == 'rotation_vector' else 1
        found.append(Motion(
            part, axis(rng), tuple(range(first, first + count)), rng.uniform(-2.0, 2.0),
            rng.uniform(-1.0, 1.0)))
        first += count
    return tuple(found)


def random_model(seed: int, size: int, kinds: Sequence[str] = KINDS, roots: int = 2) -> Model:
    """Return a forest with every kind of joint, reversed edges, mimics and frames."""
    rng = random.Random(seed)
    joints: list[Joint] = []
    coordinates: list[Coordinate] = []
    for body in range(roots, size):
        other = rng.randrange(max(0, body - 4), body)
        parent, child = (other, body) if rng.random() < 0.7 else (body, other)
        kind = rng.choice(kinds)
        moving = motions(rng, kind, len(coordinates))
        joints.append(Joint(
            f'j{body}', f'j{body}', kind, parent, child, pose(rng), pose(rng), moving))
        for motion in moving:
            coordinates.extend(
                coordinate(rng, f'j{body}_{index}', index) for index in motion.coordinates)
    bodies = tuple(
        Body(f'b{body}', f'm::b{body}', Inertia(rng.random(), pose(rng)), pose=pose(rng))
        for body in range(size))
    frames = tuple(Frame(b.name, b.source_name, 'link', i) for i, b in enumerate(bodies))
    frames += tuple(
        Frame(f'f{body}', '', 'frame', body, pose(rng), f't{body}') for body in range(size))
    return Model(
        'random', 'urdf', '1.0', 'world', bodies, tuple(joints), tuple(coordinates), (), frames)


def closed_chain(seed: int, length: int, kind: str) -> Model:
    """Return a chain of revolute joints that another joint closes where they start."""
    model = random_model(seed, length, ('revolute',), roots=1)
    rng = random.Random(seed)
    chained = tuple(
        joint._replace(parent=body, child=body + 1) for body, joint in enumerate(model.joints))
    first = len(model.coordinates)
    moving = motions(rng, kind, first)
    count = sum(len(motion.coordinates) for motion in moving)
    coordinates = tuple(
        Coordinate(f'c{index}', 'angle', initial_position=rng.uniform(-1.0, 1.0))
        for index in range(first + count))
    closing = Joint('closing', 'closing', kind, 0, length - 1, IDENTITY, pose(rng), moving)
    model = model._replace(joints=(*chained, closing), coordinates=coordinates)
    q = [item.initial_position for item in coordinates]
    bodies = plain_fk(model, q)
    needed = compose(relative(bodies[0], bodies[-1]), inverse(plain_joint(closing, q)))
    closing = closing._replace(parent_from_joint=needed)
    return model._replace(joints=(*chained, closing))


def coordinate(rng: random.Random, name: str, index: int) -> Coordinate:
    mimic = None
    if index > 0 and rng.random() < 0.2:
        mimic = Mimic(rng.randrange(index), rng.uniform(-2.0, 2.0), rng.uniform(-1.0, 1.0))
    return Coordinate(name, 'angle', initial_position=rng.uniform(-1.0, 1.0), mimic=mimic)


def plain_mimics(model: Model, q: Sequence[float]) -> list[float]:
    """Return the vector with its mimic coordinates computed; leaders come before mimics."""
    values = list(q)
    for index, item in enumerate(model.coordinates):
        if item.mimic is not None:
            values[index] = item.mimic.multiplier * values[item.mimic.leader] + item.mimic.offset
    return values


def plain_joint(joint: Joint, q: Sequence[float]) -> Pose:
    """Return parent_from_child of a joint, computed in plain Python."""
    result = joint.parent_from_joint
    for motion in joint.motions:
        result = compose(result, displacement(motion, [q[at] for at in motion.coordinates]))
    return compose(result, inverse(joint.child_from_joint))


def plain_fk(model: Model, q: Sequence[float]) -> list[Pose]:
    """Return root_from_body by the definition of the Model; mimics have been computed before."""
    tree = span(model)
    poses = [body.pose for body in model.bodies]
    for body in tree.order:
        if tree.parent[body] >= 0:
            step = plain_joint(model.joints[tree.joint[body]], q)
            poses[body] = compose(
                poses[tree.parent[body]], inverse(step) if tree.reversed[body] else step)
    return poses


def matrix(pose: Pose) -> np.ndarray:
    return matrices([pose])[0]


def plain_frames(model: Model, q: Sequence[float]) -> np.ndarray:
    """Return root_from_frame (F, 4, 4), with mimics computed."""
    bodies = plain_fk(model, plain_mimics(model, q))
    return np.array([matrix(compose(bodies[f.body], f.pose)) for f in model.frames])


def chain(length: int) -> Model:
    """Return a chain of revolute joints about slanted axes."""
    joints = tuple(
        Joint(f'j{i}', f'j{i}', 'revolute', i, i + 1,
              from_quaternion((0.1, 0.02, 0.3), (0.1 * (i % 7), 0.2, 0.3, 1.0)), IDENTITY,
              (Motion('revolute', Z if i % 2 else (0.6, 0.0, 0.8), (i,)),))
        for i in range(length))
    return Model(
        'chain', 'urdf', '1.0', 'b0',
        tuple(Body(f'b{i}', f'b{i}') for i in range(length + 1)), joints,
        tuple(Coordinate(f'j{i}', 'angle', -3.0, 3.0) for i in range(length)), (),
        tuple(Frame(f'b{i}', f'b{i}', 'link', i) for i in range(length + 1)))


def differences(
    tree: Kinematics, frame: str, q: np.ndarray, relative_to: str | None = None,
) -> np.ndarray:
    """Return the derivative (6, n) of a frame's pose, by central differences."""
    here = tree.pose(frame, q, relative_to=relative_to)
    moves = 1e-5 * np.eye(len(q))
    after, before = (
        tree.pose(frame, q + sign * moves, relative_to=relative_to) for sign in (1.0, -1.0))
    change = (after - before) / 2e-5
    turning = change[:, :3, :3] @ here[:3, :3].T
    return np.stack((
        *change[:, :3, 3].T, turning[:, 2, 1], turning[:, 0, 2], turning[:, 1, 0]))
