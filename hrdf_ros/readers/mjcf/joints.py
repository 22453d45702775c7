# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Joints of a body: motions about anchors, and coordinates with the joints' own names and values.

Keyframes are configurations of these coordinates: ``qpos`` is split by joint, and its quaternions
become rotation vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
import math
from typing import Optional

from hrdf_ros import codes, pose
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import escape
from hrdf_ros.limits import KEYFRAME_POSITIONS
from hrdf_ros.model import Configuration, Coordinate, Motion, RawElement
from hrdf_ros.pose import Pose, rotate, Vector, X_AXIS
from hrdf_ros.readers.mjcf.bodies import BodyNode, BodyReader, Draft, JointNode
from hrdf_ros.readers.mjcf.elements import Bound, Item, Scope
from hrdf_ros.readers.mjcf.kept import left_over
from hrdf_ros.readers.mjcf.orientations import direction

_XYZ = ('x', 'y', 'z')
_FREEDOMS_OF_BODY = 6
"""The most degrees of freedom of one body: MuJoCo refuses more."""
_READ = (
    'name', 'type', 'pos', 'axis', 'limited', 'range', 'ref', 'springref', 'frictionloss',
    'armature', 'actuatorfrcrange', 'actuatorfrclimited')
_POSITIONS = {'free': 7, 'ball': 4}
"""How many numbers in ``qpos`` a joint of these types has; others have one."""
_VELOCITIES = {'free': 6, 'ball': 3}
"""How many numbers in ``qvel`` a joint of these types has; others have one."""
_FORCE = 'actuatorfrcrange'
_KEY_READ = ('name', 'qpos')


def read_joints(node: BodyNode) -> list[list[JointNode]]:
    """
    Read the joints of a body; return them in groups that one joint of the Model can hold.

    A joint whose anchor differs from that of the joints before it begins a new group.
    """
    for joint in node.joints:
        _read_joint(joint, node.pose)
    _check(node)
    groups: list[list[JointNode]] = []
    for joint in node.joints:
        anchor = anchor_of(groups[-1]) if groups else None
        if not groups or anchor and joint.anchor and anchor != joint.anchor:
            groups.append([])
        groups[-1].append(joint)
    return groups


def anchor_of(group: Sequence[JointNode]) -> Optional[Vector]:
    """Return the point that the joints of a group turn about, None where they only translate."""
    return next((joint.anchor for joint in group if joint.anchor), None)


def _read_joint(joint: JointNode, start: Pose) -> None:
    """Read motions and coordinates; ``start`` is the initial pose of the body in its parent."""
    item, kind, name = joint.item, joint.kind, joint.name
    stiffness = item.number('stiffness')
    coordinate = Coordinate(
        name, 'length' if kind == 'slide' else 'angle', damping=item.number('damping'),
        friction=item.number('frictionloss'), spring_stiffness=stiffness,
        armature=item.number('armature'), location=item.location)
    if kind == 'free':
        joint.motions, joint.coordinates = _free(coordinate, start)
        return
    anchor = pose.transform(item.frame, item.vector3('pos'))
    joint.anchor = None if kind == 'slide' else anchor
    if kind == 'ball':
        if item.value('range', (0.0, 0.0))[0] != 0.0 and item.value('limited') != 'false':
            item.add(codes.BAD_VALUE, 'the range of a ball joint begins with 0', 'range')
        joint.motions = Motion('rotation_vector', X_AXIS, (0, 1, 2)),
        joint.coordinates = tuple(coordinate._replace(name=f'{name}_{along}') for along in _XYZ)
        return
    axis = direction(rotate(item.frame, item.vector3('axis', pose.Z_AXIS)))
    if axis is None:
        item.add(codes.AXIS_ZERO, 'the axis is zero', 'axis', severity='error')
    unit = item.scope.compiler.radians if kind == 'hinge' else 1.0
    ref = item.number('ref') * unit
    lower, upper = limits(item, 'limited', 'range')
    force = limits(item, 'actuatorfrclimited', 'actuatorfrcrange')
    if force[0] != -force[1]:
        item.add(
            codes.DETAIL_NOT_PRESERVED,
            f"'{_FORCE}' of joint '{name}' is not symmetric; its effort is of the greater side",
            _FORCE)
    joint.coordinates = coordinate._replace(
        lower=lower * unit, upper=upper * unit, effort=max(map(abs, force)), initial_position=ref,
        spring_reference=item.number('springref') * unit if stiffness else 0.0),
    joint.motions = Motion(
        'revolute' if kind == 'hinge' else 'prismatic', axis or X_AXIS, (0,), offset=0.0 - ref),


def _free(
    each: Coordinate, start: Pose,
) -> tuple[tuple[Motion, ...], tuple[Coordinate, ...]]:
    """Return the motions and coordinates of a free joint: world position, then rotation vector."""
    slides = [Motion('prismatic', axis, (index,)) for index, axis in enumerate(pose.AXES)]
    positions = [
        each._replace(name=f'{each.name}_pos_{along}', kind='length', initial_position=value)
        for along, value in zip(_XYZ, start.position)]
    angles = [
        each._replace(name=f'{each.name}_rot_{along}', initial_position=value)
        for along, value in zip(_XYZ, pose.rotation_vector(start))]
    return (*slides, Motion('rotation_vector', X_AXIS, (3, 4, 5))), (*positions, *angles)


def kept_of(joint: JointNode) -> tuple[RawElement, ...]:
    """
    Return the attributes that a Coordinate has no place for; angles are in radians.

    A range that ``limited="false"`` makes no limit keeps its numbers, in whatever unit: MuJoCo
    does not convert it, and an actuator with ``inheritrange`` takes these numbers.
    The effort of a Coordinate may be that of its actuators, so the joint's own range is kept.
    """
    item, kind = joint.item, joint.kind
    unit = item.scope.compiler.radians if kind in ('hinge', 'ball') else 1.0
    read = [*_READ, *(
        name for name in ('stiffness', 'damping') if not any(item.numbers(name)[1:]))]
    more = []
    own: tuple[RawElement, ...] = ()
    for switch, name, scale in (
            ('limited', 'range', unit), ('actuatorfrclimited', _FORCE, 1.0)):
        lower, upper = item.value(name, (0.0, 0.0))
        text = f'{lower * scale!r} {upper * scale!r}'
        if item.value(switch) == 'false' and (lower or upper):
            more += [(switch, 'false'), (name, f'{lower!r} {upper!r}')]
        elif kind == 'ball' and name == 'range' and (
                item.value(switch) == 'true' or limits(item, switch, name)[1] < math.inf):
            more += [(switch, 'true'), (name, text)]
        elif name == _FORCE and lower < upper:
            if lower == -upper and kind in ('hinge', 'slide'):
                own = RawElement(
                    _FORCE, f'<joint name="{escape(joint.name)}" {_FORCE}="{text}"/>',
                    item.location, held_by=('mjcf',)),
            else:
                more.append((name, text))
    reference = item.number('springref') * unit
    if reference and not item.number('stiffness'):
        more.append(('springref', repr(reference)))
    return *left_over(item, joint.name, read, more), *own


def limits(item: Item, switch: str, values: str) -> tuple[float, float]:
    """
    Return the lower and upper limit, infinite where the range is no limit.

    The attribute ``switch`` says whether the range is a limit; if it is ``auto``, any range that
    is not empty is a limit. Without ``autolimits`` MuJoCo refuses a range without a switch.
    """
    lower, upper = item.value(values, (0.0, 0.0))
    word = item.value(switch, 'auto')
    if word == 'auto' and (lower or upper) and not item.scope.compiler.autolimits:
        item.add(
            codes.MJCF_NOT_ALLOWED, f"'{values}' without '{switch}' requires autolimits", values,
            hint=f'add {switch}="true"')
    elif word == 'auto' and lower > upper:
        item.add(
            codes.LIMITS_REVERSED,
            f'the lower limit {lower!r} is above the upper {upper!r}, so it is no limit', values,
            hint='exchange them')
    elif word == 'true' and lower >= upper:
        item.add(
            codes.LIMITS_REVERSED, f'the lower limit {lower!r} is not below the upper {upper!r}',
            values, severity='error')
    elif word == 'true' or word == 'auto' and lower < upper:
        return lower, upper
    return -math.inf, math.inf


def _check(node: BodyNode) -> None:
    """Report combinations of joints that MuJoCo refuses."""
    joints = node.joints
    if sum(len(joint.coordinates) for joint in joints) > _FREEDOMS_OF_BODY:
        joints[-1].item.add(
            codes.MJCF_NOT_ALLOWED, f"body '{node.name}' has more than six degrees of freedom")
    kinds = [joint.kind for joint in joints]
    for index, (joint, kind) in enumerate(zip(joints, kinds)):
        if 'ball' in kinds[:index] and kind in ('ball', 'hinge'):
            joint.item.add(codes.MJCF_NOT_ALLOWED, f'a {kind} is not allowed after a ball joint')
        if kind == 'free' and len(kinds) > 1:
            joint.item.add(
                codes.MJCF_NOT_ALLOWED, 'a free joint must be the only joint of its body')
    if 'free' in kinds and node.parent and node.parent.source is not None:
        joints[0].item.add(
            codes.MJCF_NOT_ALLOWED, 'a free joint is for bodies of the world only')


# ---- keyframes

def read_keys(scopes: Sequence[Scope], world: BodyNode, draft: Draft) -> None:
    """
    Add the keys of a file, then the keys of attached models, for the first copy of each.

    ``world`` is the tree whose joints the ``qpos`` of the file lists.
    """
    joints = [joint for node in world.walk() for joint in node.joints]
    own = {joint.item.key: joint for joint in joints}
    trees: dict[int, Sequence[JointNode]] = {id(scopes[0].root): joints}
    bound = Bound(KEYFRAME_POSITIONS, f'keyframes have more than {KEYFRAME_POSITIONS} positions')
    seen: set[tuple[int, str]] = set()
    for index, scope in enumerate(scopes):
        items = [
            Item(element, scope.of_assets) for section in scope.root.all('keyframe')
            for element in section.children]
        if not items or (id(scope.root), scope.prefix) in seen:
            continue
        seen.add((id(scope.root), scope.prefix))
        if id(scope.root) not in trees:
            trees[id(scope.root)] = _joints_of_file(scope)
        tree = trees[id(scope.root)]
        if bound.exceeds(len(tree) * len(items), items[0]):
            return
        pairs = [(joint, own.get(joint.item.key_in(scope) if index else joint.item.key))
                 for joint in tree]
        for item in items:
            draft.claim('key', item.name, item)
        most = _most_numbers(tree, None if index else draft)
        for item in items:
            if not draft.is_partial:
                _check_counts(item, most)
            name = item.name or draft.made_up('key', draft.names['key'])
            draft.configurations.append(Configuration(
                name, tuple(_positions(item, pairs)), item.location))
            ignored = [name for name, _ in item.items() if name not in _KEY_READ]
            if not index:
                draft.kept += left_over(item, name, _KEY_READ)
            elif ignored:
                item.add(
                    codes.MJCF_PART_IGNORED,
                    f"'{ignored[0]}' in a key of an attached model is ignored", ignored[0])


def _joints_of_file(scope: Scope) -> Sequence[JointNode]:
    """Return the joints of an attached file, in the order they would have if it stood alone."""
    tree = BodyReader().read(scope._replace(
        report=Report(), prefix='', suffix='', asset_prefix='', outer=None))
    return [joint for node in tree.walk() for joint in node.joints]


def _most_numbers(joints: Sequence[JointNode], draft: Optional[Draft]) -> Mapping[str, int]:
    """
    Return how many numbers the values of a key of a file can have; MuJoCo accepts fewer.

    ``draft`` has the mocap bodies of the file; without a draft they are not known.
    """
    most = {
        'qpos': sum(_POSITIONS.get(joint.kind, 1) for joint in joints),
        'qvel': sum(_VELOCITIES.get(joint.kind, 1) for joint in joints)}
    if draft is not None:
        most.update(mpos=3 * len(draft.mocap), mquat=4 * len(draft.mocap))
    return most


def _check_counts(key: Item, most: Mapping[str, int]) -> None:
    for name, count in most.items():
        given = len(key.value(name, ()))
        if given > count:
            owners = 'mocap bodies' if name.startswith('m') else 'joints'
            key.add(codes.BAD_VALUE, f"'{name}' has more numbers than the {owners}: {given}", name)


def _positions(
    key: Item, joints: Sequence[tuple[JointNode, Optional[JointNode]]],
) -> Iterator[tuple[int, float]]:
    """
    Yield positions by coordinate; joints after the end of ``qpos`` have none.

    ``joints`` are the joints of the file in order, each with the joint of the Model.
    """
    given = iter(key.value('qpos', ()))
    for joint, own in joints:
        size = _POSITIONS.get(joint.kind, 1)
        values = tuple(islice(given, size))
        if own is None or len(values) < size:
            continue
        if not all(map(math.isfinite, values)):
            key.add(
                codes.NOT_FINITE, "'qpos' has a number that is not finite; ignored", 'qpos',
                severity='warning')
            continue
        if size > 1:
            *position, w, x, y, z = values
            turn = any((w, x, y, z)) and pose.rotation_vector(
                pose.from_quaternion((0.0, 0.0, 0.0), (x, y, z, w)))
            values = (*position, *(turn or (0.0, 0.0, 0.0)))
        yield from enumerate(values, own.first)
