# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Joints taken apart into their moving factors, and a model's tree of such factors.

Every fixed transform is folded into the factor after it, so a node of the tree is one motion, and
bodies and frames are fixed to nodes. Plain Python: it runs once for a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hrdf_ros.model import Joint, Model, Motion, NONE
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose, transform, Vector, Z_AXIS
from hrdf_ros.topology import reverse, Topology

ROOT = 0


class Factor(NamedTuple):
    """
    A fixed transform ``before``, then one motion.

    With one coordinate q: a rotation by ``angle[0] * q + angle[1]`` (rad) about the axis and a
    translation by ``slide[0] * q + slide[1]`` (m) along it. With three: the rotation whose vector
    is ``angle[0] * q + angle[1]``, number by number.
    """

    before: Pose
    axis: Vector
    coordinates: tuple[int, ...]
    angle: tuple[float, float] = (0.0, 0.0)
    slide: tuple[float, float] = (0.0, 0.0)


class TreeNode(NamedTuple):
    """A factor and the node that it moves against; node ``ROOT`` is the fixed root frame."""

    parent: int
    factor: Factor


class FixedFrame(NamedTuple):
    """A frame fixed to a node: ``pose`` is node_from_frame."""

    node: int
    pose: Pose


class Loop(NamedTuple):
    """A loop joint, its nodes, and the frames that coincide when it is closed."""

    joint: int
    nodes: range
    moved: FixedFrame
    fixed: FixedFrame


class TreeLayout(NamedTuple):
    """
    A model as a tree of nodes, parents before children, and the frames fixed to them.

    The nodes of loop joints come after all others.
    """

    nodes: tuple[TreeNode, ...]
    bodies: tuple[FixedFrame, ...]
    frames: tuple[FixedFrame, ...]
    loops: tuple[Loop, ...]


def joint_factors(joint: Joint) -> tuple[list[Factor], Pose]:
    """
    Return a joint's factors and the fixed transform after them.

    Their product is parent_from_child.
    """
    found = []
    before = joint.parent_from_joint
    for motion in joint.motions:
        found.append(_factor(motion, before))
        before = IDENTITY
    return found, compose(before, inverse(joint.child_from_joint))


def _factor(motion: Motion, before: Pose) -> Factor:
    scaled = (motion.scale, motion.offset)
    if motion.kind == 'prismatic':
        return Factor(before, motion.axis, motion.coordinates, slide=scaled)
    if motion.kind == 'screw':
        return Factor(
            before=before, axis=motion.axis, coordinates=motion.coordinates, angle=(1.0, 0.0),
            slide=scaled)
    return Factor(before, motion.axis, motion.coordinates, scaled)


def tree_joint(model: Model, topology: Topology, body: int) -> Joint:
    """Return the joint above a body, directed away from the root."""
    joint = model.joints[topology.joint[body]]
    return reverse(joint) if topology.reversed[body] else joint


def lay_out(model: Model, topology: Topology) -> TreeLayout:
    """Return the tree of nodes; linear in the size of the model."""
    nodes = [TreeNode(NONE, Factor(IDENTITY, Z_AXIS, ()))]
    bodies = [FixedFrame(ROOT, body.pose) for body in model.bodies]
    for body in topology.order:
        if topology.parent[body] != NONE:
            above = bodies[topology.parent[body]]
            bodies[body] = _append_joint(nodes, above, tree_joint(model, topology, body))
    loops = []
    for index in topology.loops:
        joint = model.joints[index]
        first = len(nodes)
        moved = _append_joint(nodes, bodies[joint.parent], joint)
        loops.append(Loop(index, range(first, len(nodes)), moved, bodies[joint.child]))
    frames = tuple(
        FixedFrame(ROOT, frame.pose) if frame.body == NONE
        else _offset(bodies[frame.body], frame.pose)
        for frame in model.frames)
    return TreeLayout(tuple(nodes), tuple(bodies), frames, tuple(loops))


def mass_moments(model: Model, layout: TreeLayout) -> list[list[float]]:
    """Return x, y and z of the first moment (kg m) and the mass (kg) of each node."""
    moments = [[0.0] * 4 for _ in layout.nodes]
    for body, location in zip(model.bodies, layout.bodies):
        if body.inertia is not None:
            mass, own = body.inertia.mass, moments[location.node]
            center = (*transform(location.pose, body.inertia.pose.position), 1.0)
            own[:] = [before + mass * value for before, value in zip(own, center)]
    return moments


def _append_joint(nodes: list[TreeNode], above: FixedFrame, joint: Joint) -> FixedFrame:
    """Append a joint's nodes below a frame and return the frame of its other end."""
    found, after = joint_factors(joint)
    for factor in found:
        before = compose(above.pose, factor.before)
        nodes.append(TreeNode(above.node, factor._replace(before=before)))
        above = FixedFrame(len(nodes) - 1, IDENTITY)
    return _offset(above, after)


def _offset(location: FixedFrame, pose: Pose) -> FixedFrame:
    return FixedFrame(location.node, compose(location.pose, pose))


def path(nodes: Sequence[TreeNode], origin: int, target: int) -> tuple[list[int], list[int]]:
    """Return the nodes to the target and to the origin, from their last common one."""
    down, up = [], []
    while origin != target:
        if origin > target:
            up.append(origin)
            origin = nodes[origin].parent
        else:
            down.append(target)
            target = nodes[target].parent
    return down[::-1], up[::-1]
