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

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Constraint, Coordinate, Joint, Mimic, Motion, RawElement
from hrdf_ros.pose import (
    compose,
    from_quaternion,
    inverse,
    Pose,
    relative,
    rotation_vector,
    transform,
    translation,
    X_AXIS,
)
from hrdf_ros.readers.mjcf.bodies import Item, WORLD
from hrdf_ros.readers.mjcf.kept import left_over, raw_element
from hrdf_ros.readers.mjcf.parts import Parts, Place, Scalar

_CLOSED = 1e-9
"""Meters or radians below which a loop is closed."""
_READ = ('name', 'body1', 'body2', 'anchor', 'relpose')
_AXES = ('x', 'y', 'z')


class EqualityReader:
    """Reads ``<equality>`` into the joints and coordinates of the Model."""

    def __init__(
        self, parts: Parts, joints: list[Joint], coordinates: list[Coordinate], report: Report,
    ) -> None:
        self._parts, self._report = parts, report
        self._joints, self._coordinates = joints, coordinates
        self.constraints: list[Constraint] = []
        self.kept: list[RawElement] = []

    def read(self, item: Item, name: str) -> None:
        """Read one constraint."""
        tag = item.element.element.tag
        if tag == 'joint':
            self._joint(item, name)
        elif tag in ('connect', 'weld'):
            self._loop(item, name, tag)
        else:
            self._keep(name, tag, item)

    def _keep(
        self, name: str, kind: str, item: Item, joints: tuple[int, ...] = (),
        bodies: tuple[int, ...] = (),
    ) -> None:
        values = tuple(
            (f'polycoef_{index}', value)
            for index, value in enumerate(item.element.value('polycoef', ())))
        self.constraints.append(Constraint(
            name, kind, joints, bodies, values, item.element.element.location, name))
        raw = raw_element(item.element, item.scope)
        self.kept.append(raw._replace(tag='equality', text=f'<equality>{raw.text}</equality>'))

    # ---- joint

    def _joint(self, item: Item, name: str) -> None:
        follower = self._scalar(item, 'joint1')
        leader = self._scalar(item, 'joint2') if item.element.value('joint2') else None
        if follower is None or item.element.value('joint2') and leader is None:
            return
        a, b, *rest = item.element.numbers('polycoef', (0.0, 1.0, 0.0, 0.0, 0.0))
        active = item.element.value('active', True)
        if leader is None or not active or any(rest) or abs(a) > _CLOSED or (
                self._coordinates[follower.coordinate].mimic is not None):
            joints = (follower.joint,) if leader is None else (follower.joint, leader.joint)
            self._keep(name, 'joint', item, joints)
            return
        coordinate = self._coordinates[follower.coordinate]
        self._coordinates[follower.coordinate] = coordinate._replace(mimic=Mimic(
            leader.coordinate, b, follower.ref + a - b * leader.ref))
        self.kept += [raw._replace(tag='mimic') for raw in left_over(
            item, coordinate.name, ('name', 'joint1', 'joint2', 'polycoef'))]

    def _scalar(self, item: Item, attribute: str) -> Optional[Scalar]:
        name = item.scope.rename(item.element.value(attribute, ''))
        if name not in self._parts.joints:
            self._parts.unknown('joint', name, item.element, attribute)
            return None
        found = self._parts.joints[name]
        if found is None:
            self._report.add(
                codes.BAD_VALUE, f"'{name}' is not a hinge or slide",
                item.element.locate(attribute))
        return found

    # ---- connect and weld

    def _loop(self, item: Item, name: str, kind: str) -> None:
        places = self._places(item)
        if places is None:
            return
        first, second = places
        if first.body == second.body:
            self._report.add(
                codes.BAD_VALUE, f'<{kind}> joins a body to itself', item.element.element.location)
            return
        closed = self._closed(item, kind, first, second)
        active = item.element.value('active', True)
        if not active or closed is None or {first.body, second.body} & self._parts.mocap:
            self._keep(name, kind, item, bodies=(first.body, second.body))
            return
        parent_from_joint, child_from_joint = closed
        start = len(self._coordinates)
        location = item.element.element.location
        motions: tuple[Motion, ...] = ()
        if kind == 'connect':
            motions = (Motion('rotation_vector', X_AXIS, (start, start + 1, start + 2)),)
            self._coordinates.extend(
                Coordinate(f'{name}_{axis}', 'angle', location=location) for axis in _AXES)
            self._start_at(parent_from_joint, child_from_joint, first.body, second.body)
        self._joints.append(Joint(
            name, item.name or name, kind, first.body, second.body, parent_from_joint,
            child_from_joint, motions, extensions=left_over(item, name, _READ),
            location=location))

    def _start_at(
        self, parent_from_joint: Pose, child_from_joint: Pose, parent: int, child: int,
    ) -> None:
        """Give the last three coordinates the rotation of the initial configuration."""
        poses = self._parts.world_poses
        turn = relative(
            parent_from_joint,
            compose(relative(poses[parent], poses[child]), child_from_joint))
        last = self._coordinates
        last[-3:] = [
            coordinate._replace(initial_position=value)
            for coordinate, value in zip(last[-3:], rotation_vector(turn))]

    def _places(self, item: Item) -> Optional[tuple[Place, Place]]:
        """Return the two bodies or sites that are joined, None with the reason reported."""
        element = item.element
        if element.value('site1') and 'body1' not in element:
            sites = [self._site(item, attribute) for attribute in ('site1', 'site2')]
            return (sites[0], sites[1]) if sites[0] and sites[1] else None
        first = self._body(item, 'body1')
        second = self._body(item, 'body2') if element.value('body2') else Place(
            self._parts.bodies[WORLD])
        return (first, second) if first and second else None

    def _site(self, item: Item, attribute: str) -> Optional[Place]:
        name = item.scope.rename(item.element.value(attribute, ''))
        if name not in self._parts.sites:
            self._parts.unknown('site', name, item.element, attribute)
        return self._parts.sites.get(name)

    def _body(self, item: Item, attribute: str) -> Optional[Place]:
        plain = item.element.value(attribute, '')
        name = plain if plain == WORLD else item.scope.rename(plain)
        if name not in self._parts.bodies:
            self._parts.unknown('body', name, item.element, attribute)
            return None
        return Place(self._parts.bodies[name])

    def _closed(
        self, item: Item, kind: str, first: Place, second: Place,
    ) -> Optional[tuple[Pose, Pose]]:
        """
        Return parent_from_joint and child_from_joint of a loop, None where it is open at first.

        Without ``relpose`` two bodies keep the pose that they have; their anchor is a common
        point in any case.
        """
        element, poses = item.element, self._parts.world_poses
        by_sites = 'body1' not in element
        first_from_second = relative(poses[first.body], poses[second.body])
        if by_sites:
            there = compose(first_from_second, second.pose)
            apart = relative(first.pose, there)
            return (first.pose, second.pose) if _is_small(apart, kind) else None
        if kind == 'connect':
            anchor = translation(*element.vector3('anchor'))
            point = transform(inverse(first_from_second), anchor.position)
            return anchor, translation(*point)
        x, y, z, w, i, j, k = element.value('relpose', (0.0,) * 7)
        if any((w, i, j, k)):
            wanted = from_quaternion((x, y, z), (i, j, k, w))
            if not _is_small(relative(wanted, first_from_second), kind):
                return None
        anchor = translation(*element.vector3('anchor'))
        return compose(first_from_second, anchor), anchor


def _is_small(apart: Pose, kind: str) -> bool:
    turned = math.hypot(*rotation_vector(apart)) if kind == 'weld' else 0.0
    return math.hypot(*apart.position) < _CLOSED and turned < _CLOSED
