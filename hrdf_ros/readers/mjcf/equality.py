# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Equality constraints: connect and weld close loops, a linear polynomial is a mimic.

One that cannot be that is a Constraint of the Model: it is not active, holds a body that is moved
by motion capture, is no line, or is open in the initial configuration, which is not solved.
"""

from __future__ import annotations

import math
from typing import Optional

from hrdf_ros import codes, pose
from hrdf_ros.model import Constraint, Coordinate, Joint, Mimic, Motion, RawElement
from hrdf_ros.pose import compose, Pose, relative, translation, X_AXIS
from hrdf_ros.readers.mjcf.elements import Item, Parts, Place, Scalar, WORLD
from hrdf_ros.readers.mjcf.kept import left_over, raw_element

_CLOSED = 1e-9
"""Meters or radians below which a loop is closed."""
_LOOP_READ = ('name', 'body1', 'body2', 'anchor', 'relpose')
_MIMIC_READ = ('joint2', 'polycoef')


class EqualityReader:
    """Reads ``<equality>`` into the joints and coordinates of the Model."""

    def __init__(
        self, parts: Parts, joints: list[Joint], coordinates: list[Coordinate],
    ) -> None:
        self._parts, self._joints, self._coordinates = parts, joints, coordinates
        self.constraints: list[Constraint] = []
        self.kept: list[RawElement] = []

    def read(self, item: Item, name: str) -> None:
        """Read one constraint."""
        if item.tag == 'joint':
            self._joint(item, name)
        elif item.tag in ('connect', 'weld'):
            self._loop(item, name)
        else:
            self._keep(name, item)

    def _keep(
        self, name: str, item: Item, joints: tuple[int, ...] = (), bodies: tuple[int, ...] = (),
    ) -> None:
        values = tuple(
            (f'polycoef_{index}', value)
            for index, value in enumerate(item.value('polycoef', ())))
        self.constraints.append(Constraint(
            name, item.tag, joints, bodies, values, item.location, name))
        raw = raw_element(item)
        self.kept.append(raw._replace(tag='equality', text=f'<equality>{raw.text}</equality>'))

    # ---- joint

    def _joint(self, item: Item, name: str) -> None:
        names = [name for name in ('joint1', 'joint2') if item.value(name)]
        found = [self._scalar(item, name) for name in names]
        scalars = [one for one in found if one is not None]
        if len(scalars) < len(found):
            return
        a, b, *rest = item.numbers('polycoef', (0.0, 1.0, 0.0, 0.0, 0.0))
        follower, leader = scalars[0], scalars[-1]
        coordinate = self._coordinates[follower.coordinate]
        if follower is leader or not item.value('active', True) or any(rest) or (
                abs(a) > _CLOSED or coordinate.mimic is not None):
            self._keep(name, item, tuple(one.joint for one in scalars))
            return
        self._coordinates[follower.coordinate] = coordinate._replace(mimic=Mimic(
            leader.coordinate, b, follower.ref + a - b * leader.ref))
        if left_over(item, '', ('joint1', *_MIMIC_READ)):
            self.kept += [raw._replace(tag='mimic') for raw in left_over(item, '', _MIMIC_READ)]

    def _scalar(self, item: Item, attribute: str) -> Optional[Scalar]:
        name = item.scope.rename(item.value(attribute, ''))
        if name not in self._parts.joints:
            self._parts.unknown('joint', name, item, attribute)
            return None
        found = self._parts.joints[name]
        if found is None:
            item.add(codes.BAD_VALUE, f"'{name}' is not a hinge or slide", attribute)
        elif attribute == 'joint2' and item.value('joint1') == item.value('joint2'):
            item.add(codes.BAD_VALUE, f"joint '{name}' follows itself", attribute)
        return found

    # ---- connect and weld

    def _loop(self, item: Item, name: str) -> None:
        places = self._places(item)
        if places is None:
            return
        first, second = places
        if first.body == second.body:
            item.add(codes.BAD_VALUE, f'<{item.tag}> joins a body to itself')
            return
        if item.tag == 'connect' and item.has('body1') and not item.has('anchor'):
            item.add(
                codes.MISSING_ATTRIBUTE, "<connect> is missing the required attribute 'anchor'")
            return
        closed = self._closed(item, first, second)
        if not item.value('active', True) or closed is None or (
                {first.body, second.body} & self._parts.mocap):
            self._keep(name, item, bodies=(first.body, second.body))
            return
        parent_from_joint, child_from_joint = closed
        motions: tuple[Motion, ...] = ()
        if item.tag == 'connect':
            start = len(self._coordinates)
            motions = (Motion('rotation_vector', X_AXIS, (start, start + 1, start + 2)),)
            poses = self._parts.world_poses
            turn = relative(parent_from_joint, compose(
                relative(poses[first.body], poses[second.body]), child_from_joint))
            self._coordinates.extend(
                Coordinate(f'{name}_{axis}', 'angle', initial_position=value,
                           location=item.location)
                for axis, value in zip('xyz', pose.rotation_vector(turn)))
        self._joints.append(Joint(
            name, item.name or name, item.tag, first.body, second.body, parent_from_joint,
            child_from_joint, motions, extensions=left_over(item, name, _LOOP_READ),
            location=item.location))

    def _places(self, item: Item) -> Optional[tuple[Place, Place]]:
        """Return the two bodies or sites that are joined, None with the reason reported."""
        if item.value('site1') and not item.has('body1'):
            first, second = (self._site(item, name) for name in ('site1', 'site2'))
        else:
            first, second = (self._body(item, name) for name in ('body1', 'body2'))
        return (first, second) if first and second else None

    def _site(self, item: Item, attribute: str) -> Optional[Place]:
        name = item.scope.rename(item.value(attribute, ''))
        if name not in self._parts.sites:
            self._parts.unknown('site', name, item, attribute)
        return self._parts.sites.get(name)

    def _body(self, item: Item, attribute: str) -> Optional[Place]:
        plain = item.value(attribute, '')
        is_world = plain == WORLD or not plain and attribute == 'body2'
        name = WORLD if is_world else item.scope.rename(plain)
        if name not in self._parts.bodies:
            self._parts.unknown('body', name, item, attribute)
            return None
        return Place(self._parts.bodies[name])

    def _closed(self, item: Item, first: Place, second: Place) -> Optional[tuple[Pose, Pose]]:
        """
        Return parent_from_joint and child_from_joint of a loop, None where it is open at first.

        Without ``relpose`` two bodies keep the pose that they have; their anchor is a common
        point in any case.
        """
        poses = self._parts.world_poses
        first_from_second = relative(poses[first.body], poses[second.body])
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
