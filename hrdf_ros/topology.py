# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Facts about the graph of a Model: components, spanning tree, loops, order, poses at zero.

The tree spans the undirected graph of bodies and joints, because several roots, bodies with two
parents and loops are all legal descriptions. Joints are taken in document order, so the loop
joint is the last one written that closes the loop.
"""

from collections.abc import Collection, Sequence
import math
import re
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import meant_hint
from hrdf_ros.listing import first_of
from hrdf_ros.model import Coordinate, Joint, Model, ModelScope, Motion, NONE
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.pose import (
    coincide,
    compose,
    from_axis_angle,
    IDENTITY,
    inverse,
    opposite,
    Pose,
    translation,
)

_TOOLS = frozenset((
    'gripper', 'tool', 'tcp', 'ee', 'eef', 'end', 'effector', 'hand', 'tip', 'fingertip', 'flange',
    'claw', 'jaw'))
"""The words by which people who do not know its name ask for an end effector."""
_FINGERS = frozenset(('finger', 'fingers'))
"""The words for a part of an end effector, which not every description has as a frame."""
_TELLING = 4
"""The fewest letters of a word that suggests a frame because the frame's name has it, too."""
_LISTED = 10
"""The most frames that a hint lists."""


class Topology(NamedTuple):
    """
    A spanning tree of the bodies, one tree for each component.

    ``parent[b]`` is the body above body b and ``joint[b]`` the joint between them, -1 for a
    root; ``reversed[b]`` says whether this joint names b as its parent. ``order`` lists all bodies
    depth first in document order; ``loops`` are the joints that are not in the tree.
    """

    roots: tuple[int, ...]
    order: tuple[int, ...]
    parent: tuple[int, ...]
    joint: tuple[int, ...]
    reversed: tuple[bool, ...]  # noqa: A003
    loops: tuple[int, ...]


def span(model: Model) -> Topology:
    """Return the spanning tree, in time that is practically linear in the size of the model."""
    count = len(model.bodies)
    neighbors: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    component = list(range(count))
    loops = []
    for index, joint in enumerate(model.joints):
        parent, child = _find(component, joint.parent), _find(component, joint.child)
        if parent == child:
            loops.append(index)
            continue
        component[max(parent, child)] = min(parent, child)
        neighbors[joint.parent].append((joint.child, index))
        neighbors[joint.child].append((joint.parent, index))
    roots = _roots(model, component)
    above, joints, order = [NONE] * count, [NONE] * count, []
    pending = list(reversed(roots))
    while pending:
        body = pending.pop()
        order.append(body)
        for other, index in reversed(neighbors[body]):
            if index != joints[body]:
                above[other], joints[other] = body, index
                pending.append(other)
    backwards = tuple(
        index != NONE and model.joints[index].parent == body for body, index in enumerate(joints))
    return Topology(
        roots=tuple(roots), order=tuple(order), parent=tuple(above), joint=tuple(joints),
        reversed=backwards, loops=tuple(loops))


def _find(component: list[int], body: int) -> int:
    """Return the representative of a body's component, halving the path on the way."""
    while component[body] != body:
        component[body] = component[component[body]]
        body = component[body]
    return body


def _roots(model: Model, component: list[int]) -> list[int]:
    """
    Return one root for each component, in document order.

    The root is the first body that is not the child of a joint. Where every body is a child, it is
    the canonical body if that is in the component, else the first body.
    """
    children = {joint.child for joint in model.joints}
    chosen: dict[int, int] = {}
    for body in range(len(model.bodies)):
        group = _find(component, body)
        best = chosen.setdefault(group, body)
        if best in children and (body not in children or body == model.canonical_body):
            chosen[group] = body
    return sorted(chosen.values())


def is_single_tree(model: Model, topology: Topology) -> bool:
    """Return whether one body carries all others, so that TF needs no other root."""
    return len(topology.roots) == 1 and (
        not model.is_world or model.bodies[topology.roots[0]].name == model.root)


def tf_root(model: Model, topology: Topology) -> str:
    """
    Return the name of TF's root frame.

    It is the root body of a single tree, else the world where that is a body of its own, else a
    massless synthetic frame: ``world`` for worlds and the model's name for models, with ``_root``
    appended while a frame has that name.
    """
    if is_single_tree(model, topology):
        return model.bodies[topology.roots[0]].name
    if model.is_world and any(model.bodies[root].name == 'world' for root in topology.roots):
        return 'world'
    taken = {frame.name for frame in model.frames} | {body.name for body in model.bodies}
    name = 'world' if model.is_world else model.name or 'root'
    while name in taken:
        name += '_root'
    return name


def frame_parents(model: Model, topology: Topology) -> list[str]:
    """
    Return for each frame the name of the frame it is fixed to or moves against.

    A body's own frame moves against the body above it in the tree; the others are fixed to their
    body. The parent of a root body is TF's root, whose own parent is the empty string.
    """
    names = [body.name for body in model.bodies]
    top = tf_root(model, topology)
    above = [
        names[parent] if parent != NONE else top if name != top else ''
        for name, parent in zip(names, topology.parent)]
    return [
        names[frame.body] if frame.name != names[frame.body] else above[frame.body]
        for frame in model.frames
    ]


def find_frame(model: Model, name: str) -> Optional[int]:
    """Return the index of the frame that a name means, None where it means none."""
    return name_frames(model).get(name)


def name_frames(model: Model) -> dict[str, int]:
    """
    Return the index of the frame that each name, source name and tag means, in this order.

    A source name is also known as the file writes it, without the name of the outermost model. Of
    several frames with the same source name the first is meant. A tag means the output of an end
    effector or joint, else the body of the element.
    """
    frames = [*enumerate(model.frames)][::-1]
    tagged: dict[str, list[int]] = {}
    for index, frame in enumerate(model.frames):
        tagged.setdefault(frame.tag, []).append(index)
    found = {}
    for tag, indices in tagged.items():
        kinds = [model.frames[index].kind for index in indices]
        meant = next(
            kind for kind in ('end_effector', 'link', 'output', *kinds) if kind in kinds)
        found[tag] = indices[kinds.index(meant)]
    if not model.is_world:
        found.update((frame.source_name.partition('::')[2], index) for index, frame in frames)
    found.update((frame.source_name, index) for index, frame in frames)
    found.update((frame.name, index) for index, frame in frames)
    found.pop('', None)
    return found


def frame_hint(model: Model, name: str, prefix: str = '') -> str:
    """
    Return which frame an unknown name means, or where to look: tools and tags come first.

    ``tol`` is close to ``tool``; ``gripper`` means the end effectors, whatever their names are;
    ``finger`` means the frames with this word in their names. ``prefix`` is put before each name.
    """
    sought = _sought_frames(model)
    asked = name.removeprefix(prefix)
    every = [*sought, *name_frames(model), model.root]
    near = '/' not in asked and closest(asked, sought) or closest(asked, every)
    if near is not None:
        return meant_hint(prefix + sought.get(near, near))
    words = {word.lower() for word in re.findall('[A-Za-z]+', asked)}
    tools = [frame.name for frame in model.frames if frame.kind == 'end_effector']
    known = [*dict.fromkeys((*sought.values(), *(frame.name for frame in model.frames)))]
    alike = [one for one in known if any(
        len(word) >= _TELLING and word in one.lower() for word in words)]
    if tools and (words & _TOOLS or not alike and words & _FINGERS):
        listed = first_of(tools, _LISTED, lambda tool: f"'{prefix}{tool}'")
        return f'the end effector{" is" if len(tools) == 1 else "s are"} {listed}'
    return f'there are {first_of(alike or known, _LISTED, lambda one: prefix + one)}'


def _sought_frames(model: Model) -> dict[str, str]:
    """Return the frames that people look for by their short names: end effectors, then tags."""
    meant = name_frames(model)
    tools = [frame for frame in model.frames if frame.kind == 'end_effector']
    tagged = [model.frames[meant[frame.tag]] for frame in model.frames if frame.tag]
    links = [frame for frame in model.frames if frame.kind == 'link']
    found: dict[str, str] = {}
    for frame in (*tools, *tagged, *links):
        found.setdefault(frame.name, frame.name)
        found.setdefault(frame.name.rpartition('/')[2], frame.name)
    return found


def reverse(joint: Joint) -> Joint:
    """Return the same connection walked from child to parent: its motions inverted, last first."""
    return joint._replace(
        parent=joint.child, child=joint.parent,
        parent_from_joint=joint.child_from_joint, child_from_joint=joint.parent_from_joint,
        motions=tuple(
            motion._replace(scale=-motion.scale, offset=-motion.offset)
            if motion.kind == 'rotation_vector' else motion._replace(axis=opposite(motion.axis))
            for motion in reversed(joint.motions)))


# ---- the zero configuration

def zero_poses(model: Model, topology: Topology, *, mimics: bool = True) -> list[Pose]:
    """
    Return root_from_body of each body with every coordinate at zero.

    A coordinate that mimics has the value that its leader at zero gives it. Without ``mimics`` it
    is zero as well, which is the configuration in which SDFormat states the poses of links.
    """
    values = [0.0] * len(model.coordinates)
    if mimics:
        values = with_followers(model.coordinates, [
            0.0 if coordinate.mimic is None else None for coordinate in model.coordinates])
    return poses_at(model, topology, values)


def poses_at(model: Model, topology: Topology, values: Sequence[float]) -> list[Pose]:
    """Return root_from_body of each body for a value of every coordinate."""
    poses = [body.pose for body in model.bodies]
    for body in topology.order:
        if topology.joint[body] != NONE:
            joint = model.joints[topology.joint[body]]
            joint = reverse(joint) if topology.reversed[body] else joint
            step = joint.parent_from_joint
            for motion in joint.motions:
                given = [values[index] for index in motion.coordinates]
                step = compose(step, displacement(motion, given))
            step = compose(step, inverse(joint.child_from_joint))
            poses[body] = compose(poses[topology.parent[body]], step)
    return poses


def with_placed_scopes(model: Model) -> Model:
    """
    Return the Model with the poses of nested models that the frames of these have.

    A nested model moves with the link that its frame is on. Poses are with every coordinate at
    zero; one that differs only by rounding stays as it is.
    """
    frames = {frame.source_name: frame for frame in model.frames if frame.kind == 'model'}
    if not model.conventions.nested_names or not frames:
        return model
    bodies = zero_poses(model, span(model), mimics=False)

    def placed(scope: ModelScope) -> ModelScope:
        frame = frames.get(scope.source_name)
        if frame is None or frame.body == NONE:
            return scope
        pose = compose(bodies[frame.body], frame.pose)
        return scope if coincide(scope.pose, pose) else scope._replace(pose=pose)

    scopes = tuple(map(placed, model.scopes))
    is_first = not model.is_world and model.scopes and model.pose == model.scopes[0].pose
    return model._replace(scopes=scopes, pose=scopes[0].pose if is_first else model.pose)


def with_followers(
    coordinates: Sequence[Coordinate], given: Sequence[Optional[float]],
) -> list[float]:
    """Return the value of each coordinate; None is replaced by the value that its leader gives."""
    kept = {index for index, value in enumerate(given) if value is not None}
    return [multiplier * (given[leader] or 0.0) + offset
            for leader, multiplier, offset in mimic_rules(coordinates, kept)]


def mimic_rules(
    coordinates: Sequence[Coordinate], kept: Collection[int],
) -> list[tuple[int, float, float]]:
    """
    Return the first leader of each coordinate, and the multiplier and offset to its own value.

    Chains are followed. A coordinate that mimics none leads itself, with 1 and 0. So do those that
    are ``kept``, and one coordinate of each cycle of mimics, which has no leader outside itself.
    """
    rules: dict[int, tuple[int, float, float]] = {}
    for index in range(len(coordinates)):
        chain: list[int] = []
        while index not in rules:
            mimic = coordinates[index].mimic
            if mimic is None or index in kept or index in chain:
                rules[index] = (index, 1.0, 0.0)
            else:
                chain.append(index)
                index = mimic.leader
        for follower in reversed(chain):
            mimic = coordinates[follower].mimic
            if mimic is not None and follower not in rules:
                leader, multiplier, offset = rules[mimic.leader]
                rules[follower] = (leader, mimic.multiplier * multiplier,
                                   mimic.multiplier * offset + mimic.offset)
    return [rules[index] for index in range(len(coordinates))]


def displacement(motion: Motion, values: Sequence[float]) -> Pose:
    """Return the transform of a motion at the values (rad, m) of its coordinates."""
    along, *others = (motion.scale * value + motion.offset for value in values)
    if motion.kind == 'rotation_vector':
        x, y, z = along, *others
        angle = math.hypot(x, y, z)
        return from_axis_angle((x / angle, y / angle, z / angle), angle) if angle else IDENTITY
    if motion.kind == 'revolute':
        return from_axis_angle(motion.axis, along) if along else IDENTITY
    x, y, z = motion.axis
    slide = translation(along * x, along * y, along * z) if along else IDENTITY
    if motion.kind == 'screw' and values[0]:
        return compose(slide, from_axis_angle(motion.axis, values[0]))
    return slide
