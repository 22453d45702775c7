# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Equality constraints: connect and weld close loops, a linear polynomial is a mimic.

Any other equality is a Constraint of the Model, which is not solved: one that is inactive or holds
a mocap body, whose polynomial is not linear, or whose loop is open in the initial configuration.
"""

from __future__ import annotations

import math
from typing import Optional

from hrdf_ros import codes, pose
from hrdf_ros.model import Constraint, Coordinate, Joint, Mimic, Motion
from hrdf_ros.pose import compose, Pose, relative, translation, X_AXIS
from hrdf_ros.readers.mjcf.bodies import Draft, JointNode, Place
from hrdf_ros.readers.mjcf.elements import Item, WORLD
from hrdf_ros.readers.mjcf.kept import left_over, raw_element

_CLOSED = 1e-9
"""The gap, in meters or radians, below which a loop is closed."""
_LOOP_READ = ('name', 'body1', 'body2', 'anchor', 'relpose')
_MIMIC_READ = ('joint2', 'polycoef')


def read_equality(item: Item, draft: Draft) -> None:
    """Add the joint, mimic or constraint that an element means."""
    draft.claim('equality', item.name, item)
    if item.tag == 'tendon' and item.value('tendon1') == item.value('tendon2'):
        item.add(codes.MJCF_NOT_ALLOWED, f"tendon '{item.value('tendon1')}' follows itself")
    name = draft.joint_names.claim(item.name or draft.made_up(item.tag, draft.joint_names))
    if item.tag == 'joint':
        _read_mimic(item, name, draft)
    elif item.tag in ('connect', 'weld'):
        _read_loop(item, name, draft)
    elif draft.is_partial:
        item.add(
            codes.MJCF_PART_IGNORED,
            f'<{item.tag}> is not read: it may be about a flex, which is not either')
    else:
        _keep(item, name, draft)


def _keep(
    item: Item, name: str, draft: Draft, joints: tuple[int, ...] = (),
    bodies: tuple[int, ...] = (),
) -> None:
    values = tuple(
        (f'polycoef_{index}', value) for index, value in enumerate(item.value('polycoef', ())))
    draft.constraints.append(Constraint(
        name, item.tag, joints, bodies, values, item.location, name, ('mjcf',)))
    draft.kept.append(raw_element(item, 'equality'))


# ---- joint

def _read_mimic(item: Item, name: str, draft: Draft) -> None:
    names = [name for name in ('joint1', 'joint2') if item.value(name)]
    found = [_scalar(item, name, draft) for name in names]
    scalars = [one for one in found if one is not None]
    if len(scalars) < len(found):
        return
    a, b, *rest = item.numbers('polycoef', (0.0, 1.0, 0.0, 0.0, 0.0))
    follower, leader = scalars[0], scalars[-1]
    coordinate = draft.coordinates[follower.first]
    if follower is leader or not item.value('active', True) or any(rest) or (
            abs(a) > _CLOSED or coordinate.mimic is not None):
        _keep(item, name, draft, tuple(one.joint for one in scalars))
        return
    ref, leader_ref = (one.coordinates[0].initial_position for one in (follower, leader))
    draft.coordinates[follower.first] = coordinate._replace(
        mimic=Mimic(leader.first, b, ref + a - b * leader_ref))
    if left_over(item, '', ('joint1', *_MIMIC_READ)):
        draft.kept += [raw._replace(tag='mimic') for raw in left_over(item, '', _MIMIC_READ)]


def _scalar(item: Item, attribute: str, draft: Draft) -> Optional[JointNode]:
    """Return the hinge or slide that an attribute names, None with the reason reported."""
    name = item.scope.rename(item.value(attribute, ''))
    found = draft.parts.get(name)
    if found is None:
        draft.unknown('joint', name, item, attribute)
    elif found.kind in ('ball', 'free'):
        item.add(codes.BAD_VALUE, f"'{name}' is not a hinge or slide", attribute)
        return None
    elif attribute == 'joint2' and item.value('joint1') == item.value('joint2'):
        item.add(codes.BAD_VALUE, f"joint '{name}' follows itself", attribute)
    return found


# ---- connect and weld

def _read_loop(item: Item, name: str, draft: Draft) -> None:
    of_sites = item.value('site1') and not item.has('body1')
    first, second = (
        _place(item, attribute, draft)
        for attribute in (('site1', 'site2') if of_sites else ('body1', 'body2')))
    if first is None or second is None:
        return
    if first.body == second.body:
        item.add(codes.BAD_VALUE, f'<{item.tag}> joins a body to itself')
        return
    if item.tag == 'connect' and item.has('body1') and not item.has('anchor'):
        item.add(codes.MISSING_ATTRIBUTE, "<connect> is missing the required attribute 'anchor'")
        return
    first_from_second = relative(*(draft.bodies[place.body].pose for place in (first, second)))
    closed = _closed(item, first, second, first_from_second)
    if not item.value('active', True) or closed is None or (
            {first.body, second.body} & draft.mocap):
        _keep(item, name, draft, bodies=(first.body, second.body))
        return
    parent_from_joint, child_from_joint = closed
    motions: tuple[Motion, ...] = ()
    if item.tag == 'connect':
        start = len(draft.coordinates)
        motions = (Motion('rotation_vector', X_AXIS, (start, start + 1, start + 2)),)
        turn = relative(parent_from_joint, compose(first_from_second, child_from_joint))
        draft.coordinates += [
            Coordinate(f'{name}_{axis}', 'angle', initial_position=value, location=item.location)
            for axis, value in zip('xyz', pose.rotation_vector(turn))]
    draft.joints.append(Joint(
        name, item.name or name, item.tag, first.body, second.body, parent_from_joint,
        child_from_joint, motions, extensions=left_over(item, name, _LOOP_READ),
        location=item.location))


def _place(item: Item, attribute: str, draft: Draft) -> Optional[Place]:
    """Return the body or site that an attribute names, None with the reason reported."""
    kind, plain = attribute[:-1], item.value(attribute, '')
    is_world = kind == 'body' and (plain == WORLD or not plain and attribute == 'body2')
    name = WORLD if is_world else item.scope.rename(plain)
    found = draft.places.get((kind, name))
    if found is None:
        draft.unknown(kind, name, item, attribute)
    return found


def _closed(
    item: Item, first: Place, second: Place, first_from_second: Pose,
) -> Optional[tuple[Pose, Pose]]:
    """
    Return parent_from_joint and child_from_joint of a loop, None where it starts open.

    Without ``relpose`` two bodies keep the pose that they have; their anchor is a common
    point in any case.
    """
    if not item.has('body1'):
        apart = relative(first.pose, compose(first_from_second, second.pose))
        return (first.pose, second.pose) if _is_small(apart, item.tag) else None
    anchor = translation(*item.vector3('anchor'))
    if item.tag == 'connect':
        point = pose.transform(pose.inverse(first_from_second), anchor.position)
        return anchor, translation(*point)
    x, y, z, w, i, j, k = item.value('relpose', (0.0,) * 7)
    if any((w, i, j, k)):
        wanted = pose.from_quaternion((x, y, z), (i, j, k, w))
        if not _is_small(relative(wanted, first_from_second), item.tag):
            return None
    return compose(first_from_second, anchor), anchor


def _is_small(apart: Pose, kind: str) -> bool:
    turned = math.hypot(*pose.rotation_vector(apart)) if kind == 'weld' else 0.0
    return math.hypot(*apart.position) < _CLOSED and turned < _CLOSED
