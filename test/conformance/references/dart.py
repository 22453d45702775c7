# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Print DART's answer to one SKEL file as JSON: python dart.py FILE (pip install dartpy==6.20.0).

Poses are the rows of matrices (4, 4), of bodies in the world, of shapes in their body. DART prints
on standard output while it reads; the answer is the last line.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
import sys
from typing import Any

import dartpy
import numpy as np

SAMPLES = 3


def number(value: float) -> float | str:
    """Return a number as JSON has it: what is not finite as text."""
    return float(value) if math.isfinite(value) else str(float(value))


def rows(transform: Any) -> list[list[float]]:
    """Return the rows of a transform."""
    return [[round(float(value), 12) for value in row] for row in transform.matrix()]


def describe_dof(joint: Any, index: int) -> dict[str, Any]:
    """Return what DART says about one degree of freedom."""
    ask = {
        'lower': joint.getPositionLowerLimit, 'upper': joint.getPositionUpperLimit,
        'velocity_lower': joint.getVelocityLowerLimit,
        'velocity_upper': joint.getVelocityUpperLimit,
        'force_lower': joint.getForceLowerLimit, 'force_upper': joint.getForceUpperLimit,
        'initial_position': joint.getInitialPosition,
        'initial_velocity': joint.getInitialVelocity,
        'damping': joint.getDampingCoefficient, 'friction': joint.getCoulombFriction,
        'spring_stiffness': joint.getSpringStiffness, 'rest_position': joint.getRestPosition,
    }
    return {'name': joint.getDofName(index), **{k: number(get(index)) for k, get in ask.items()}}


def describe_joint(joint: Any) -> dict[str, Any]:
    """Return what DART says about one joint."""
    parent = joint.getParentBodyNode()
    return {
        'name': joint.getName(), 'type': joint.getType(),
        'parent': None if parent is None else parent.getName(),
        'child': joint.getChildBodyNode().getName(),
        'actuator': str(joint.getActuatorType()).split('.')[-1],
        'dofs': [describe_dof(joint, index) for index in range(joint.getNumDofs())],
    }


def describe_body(body: Any) -> dict[str, Any]:
    """Return what DART says about one body."""
    shapes = [body.getShapeNode(index) for index in range(body.getNumShapeNodes())]
    return {
        'name': body.getName(), 'mass': number(body.getMass()),
        'com': [number(value) for value in body.getLocalCOM()],
        'inertia': [[number(value) for value in row] for row in body.getInertia().getMoment()],
        'shapes': [{'visual': shape.getVisualAspect() is not None,
                    'relative_transform': rows(shape.getRelativeTransform())} for shape in shapes],
    }


def configurations(skeleton: Any) -> list[np.ndarray]:
    """Return the initial configuration, zero and another one, the same for every file."""
    count = skeleton.getNumDofs()
    others = [np.array([sample * math.sin(3.0 * sample + index) for index in range(count)])
              for sample in range(SAMPLES - 1)]
    return [np.array(skeleton.getPositions()), *others]


def sample(skeleton: Any, q: np.ndarray) -> dict[str, Any]:
    """Return the pose of each body in a configuration."""
    if len(q):
        skeleton.setPositions(q)
    bodies = [skeleton.getBodyNode(index) for index in range(skeleton.getNumBodyNodes())]
    return {'positions': q.tolist(),
            'transforms': {body.getName(): rows(body.getWorldTransform()) for body in bodies},
            'com': [number(value) for value in skeleton.getCOM()] if bodies else None}


def describe_skeleton(skeleton: Any) -> dict[str, Any]:
    """Return what DART says about one skeleton."""
    return {
        'name': skeleton.getName(), 'num_dofs': skeleton.getNumDofs(),
        'bodies': [describe_body(skeleton.getBodyNode(index))
                   for index in range(skeleton.getNumBodyNodes())],
        'joints': [describe_joint(skeleton.getJoint(index))
                   for index in range(skeleton.getNumJoints())],
        'configurations': [sample(skeleton, q) for q in configurations(skeleton)],
    }


def read(path: Path) -> dict[str, Any]:
    """Read a file: a world, or one skeleton where it has no world."""
    uri = dartpy.common.Uri.createFromPath(str(path.resolve()))
    if b'<world' not in path.read_bytes():
        skeleton = dartpy.utils.SkelParser.readSkeleton(uri)
        found = None if skeleton is None else [skeleton]
        answer: dict[str, Any] = {}
    else:
        world = dartpy.utils.SkelParser.readWorld(uri)
        found = world and [world.getSkeleton(index) for index in range(world.getNumSkeletons())]
        answer = {} if world is None else {
            'world': {'gravity': [number(value) for value in world.getGravity()]}}
    if found is None:
        return {'status': 'refused'}
    return {'status': 'ok', **answer, 'skeletons': [describe_skeleton(each) for each in found]}


def main(path: Path) -> None:
    """Print the answer to a file."""
    answer = {'reference': f'DART {dartpy.__version__}'}
    try:
        answer |= read(path)
    except (RuntimeError, ValueError, IndexError) as error:
        answer |= {'status': 'refused', 'error': str(error)}
    print('\n' + json.dumps(answer), flush=True)


if __name__ == '__main__':
    main(Path(sys.argv[1]))
