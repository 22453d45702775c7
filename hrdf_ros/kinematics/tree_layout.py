# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A model's tree laid out as nodes of one motion each, into which joints are taken apart.

Every fixed transform is folded into the node after it; bodies and frames are fixed to nodes. This
is plain Python without numpy, since it runs once for a model.
"""

from collections.abc import Sequence
from typing import NamedTuple

from hrdf_ros.model import Joint, Model, NONE
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose, Vector, Z_AXIS
from hrdf_ros.topology import reverse, Topology

ROOT = 0
"""The index of the fixed root frame among the nodes."""
_NO_MOTION = (0.0, 0.0)


class Node(NamedTuple):
    """
    A fixed transform ``before``, then one motion relative to the node ``parent``.

    With one coordinate q, the motion is a rotation by ``angle[0] * q + angle[1]`` (rad) about the
    axis and a translation by ``slide[0] * q + slide[1]`` (m) along it. With three coordinates it
    is the rotation whose vector is ``angle[0] * q + angle[1]``, component by component. Node
    ``ROOT`` is the fixed root frame.
    """

    parent: int
    before: Pose
    axis: Vector = Z_AXIS
    coordinates: tuple[int, ...] = ()
    angle: tuple[float, float] = _NO_MOTION
    slide: tuple[float, float] = _NO_MOTION


class FixedFrame(NamedTuple):
    """A frame fixed to a node; ``pose`` is node_from_frame."""

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
    A model as a tree of nodes, in which parents come before children, and frames fixed to them.

    The nodes of loop joints come after all others.
    """

    nodes: tuple[Node, ...]
    bodies: tuple[FixedFrame, ...]
    frames: tuple[FixedFrame, ...]
    loops: tuple[Loop, ...]


def joint_nodes(joint: Joint) -> tuple[list[Node], Pose]:
    """
    Return the nodes of a joint, without parents, and the fixed transform after them.

    Their product is parent_from_child.
    """
    found = []
    before = joint.parent_from_joint
    for motion in joint.motions:
        scaled = (motion.scale, motion.offset)
        angle, slide = {'prismatic': (_NO_MOTION, scaled), 'screw': ((1.0, 0.0), scaled)}.get(
            motion.kind, (scaled, _NO_MOTION))
        found.append(Node(NONE, before, motion.axis, motion.coordinates, angle, slide))
        before = IDENTITY
    return found, compose(before, inverse(joint.child_from_joint))


def tree_joint(model: Model, topology: Topology, body: int) -> Joint:
    """Return the joint above a body, directed away from the root."""
    joint = model.joints[topology.joint[body]]
    return reverse(joint) if topology.reversed[body] else joint


def lay_out(model: Model, topology: Topology) -> TreeLayout:
    """Return the tree of nodes, in time linear in the size of the model."""
    nodes = [Node(NONE, IDENTITY)]
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


def _append_joint(nodes: list[Node], above: FixedFrame, joint: Joint) -> FixedFrame:
    """Append a joint's nodes below a frame and return the frame of its other end."""
    found, after = joint_nodes(joint)
    for node in found:
        nodes.append(node._replace(
            parent=above.node, before=compose(above.pose, node.before)))
        above = FixedFrame(len(nodes) - 1, IDENTITY)
    return _offset(above, after)


def _offset(location: FixedFrame, pose: Pose) -> FixedFrame:
    return FixedFrame(location.node, compose(location.pose, pose))


def path(nodes: Sequence[Node], origin: int, target: int) -> tuple[list[int], list[int]]:
    """Return the nodes to the target and those to the origin, from their last common node."""
    down, up = [], []
    while origin != target:
        if origin > target:
            up.append(origin)
            origin = nodes[origin].parent
        else:
            down.append(target)
            target = nodes[target].parent
    return down[::-1], up[::-1]
