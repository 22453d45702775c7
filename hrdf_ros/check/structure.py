# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on structure: names, connections, loops, and how joints move."""

from __future__ import annotations

from math import hypot, inf
from operator import attrgetter

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report, value_location
from hrdf_ros.model import Model, NONE
from hrdf_ros.topology import Topology

_UNIT_TOLERANCE = 1e-6
_WITHOUT_LIMITS = ('hrdf',)
"""Formats that have no way to say a limit."""
_NAME = attrgetter('name')


def check_names(model: Model, _: Topology, report: Report) -> None:
    """Find duplicate names: bodies, frames, joints and coordinates are a namespace each."""
    for what, items in (
            ('body', model.bodies), ('frame', model.frames), ('joint', model.joints),
            ('coordinate', model.coordinates)):
        if len(set(map(_NAME, items))) == len(items):
            continue
        seen: set[str] = set()
        for item in items:
            if item.name in seen:
                report.add(
                    codes.DUPLICATE_NAME, f"duplicate {what} name '{item.name}'", item.location,
                    hint='rename one of them')
            seen.add(item.name)


def check_unreachable(model: Model, topology: Topology, report: Report) -> None:
    """Find bodies that no joint connects to the first; worlds and static models are made so."""
    if model.is_world or model.static:
        return
    for root in topology.roots:
        body = model.bodies[root]
        if root != topology.roots[0] and not body.static:
            report.add(
                codes.BODY_DISCONNECTED,
                f"no joints connect body '{body.name}' to "
                f"'{model.bodies[topology.roots[0]].name}'", body.location,
                hint='add the joint that holds it', cause='<joint>')


def check_loops(model: Model, topology: Topology, report: Report) -> None:
    """Report the joints that close a loop."""
    for index in topology.loops:
        joint = model.joints[index]
        report.add(
            codes.KINEMATIC_LOOP,
            f"joint '{joint.name}' closes a loop between '{model.bodies[joint.parent].name}' "
            f"and '{model.bodies[joint.child].name}'", joint.location)


def check_massless_groups(model: Model, topology: Topology, report: Report) -> None:
    """
    Find rigid groups that move although neither they nor what they carry has mass.

    A description without any mass is a drawing and not checked.
    """
    loaded = [
        body.inertia is not None and body.inertia.mass != 0.0 for body in model.bodies]
    if not any(loaded):
        return
    for mount in _mounts(model):
        loaded[mount] = True
    for body in reversed(topology.order):
        if loaded[body] and topology.parent[body] != NONE:
            loaded[topology.parent[body]] = True
    for body in topology.order:
        joint = topology.joint[body]
        if joint != NONE and model.joints[joint].motions and not loaded[body]:
            report.add(
                codes.MASS_MISSING,
                f"joint '{model.joints[joint].name}' moves '{model.bodies[body].name}', which "
                'has no mass, nor has anything that it carries', model.bodies[body].location)


def _mounts(model: Model) -> set[int]:
    """Return the bodies that carry a load which the description does not have (HRDF)."""
    return {
        frame.body for frame in model.frames
        if frame.body != NONE and (
            frame.kind == 'end_effector'
            or frame.kind == 'output' and model.bodies[frame.body].inertia is None)}


# ---- motion

def check_axes(model: Model, _: Topology, report: Report) -> None:
    """Find axes that are zero or not of unit length."""
    for joint in model.joints:
        for motion in joint.motions:
            length = hypot(*motion.axis)
            if motion.kind == 'rotation_vector' or abs(length - 1.0) <= _UNIT_TOLERANCE:
                continue
            is_only = len(joint.motions) == 1
            at = value_location(joint.location, 'axis') if is_only else joint.location
            if length == 0.0:
                report.add(
                    codes.AXIS_ZERO, f"the axis of joint '{joint.name}' is zero: it cannot move",
                    at)
            else:
                report.add(
                    codes.AXIS_NOT_UNIT,
                    f"the axis of joint '{joint.name}' has the length {length!r}, not 1", at)


def check_scales(model: Model, _: Topology, report: Report) -> None:
    """Find coordinates that move nothing because they are multiplied by zero."""
    for joint in model.joints:
        for motion in joint.motions:
            if motion.scale == 0.0 and motion.kind != 'screw':
                report.add(
                    codes.SCALE_ZERO, f"the ratio of joint '{joint.name}' is zero: it cannot move",
                    joint.location)


def check_limits(model: Model, _: Topology, report: Report) -> None:
    """Find limits that are reversed, and single prismatic joints that have none at all."""
    for coordinate in model.coordinates:
        if coordinate.lower > coordinate.upper:
            report.add(
                codes.LIMITS_REVERSED,
                f"coordinate '{coordinate.name}' has the lower limit {coordinate.lower!r} above "
                f'its upper limit {coordinate.upper!r}',
                value_location(coordinate.location, 'lower', 'upper'),
            )
    if model.format in _WITHOUT_LIMITS:
        return
    for joint in model.joints:
        if len(joint.motions) == 1 and joint.motions[0].kind == 'prismatic':
            coordinate = model.coordinates[joint.motions[0].coordinates[0]]
            if coordinate.lower == -inf and coordinate.upper == inf and not coordinate.mimic:
                report.add(
                    codes.LIMITS_MISSING, f"joint '{joint.name}' is prismatic and has no limits",
                    joint.location or coordinate.location)


def check_mimics(model: Model, _: Topology, report: Report) -> None:
    """Find coordinates that follow themselves, directly or through others; once a cycle."""
    known: set[int] = set()
    for start, coordinate in enumerate(model.coordinates):
        trail: dict[int, None] = {}
        index = start
        while index not in known and index not in trail:
            trail[index] = None
            mimic = model.coordinates[index].mimic
            if mimic is None:
                break
            index = mimic.leader
        else:
            if index in trail:
                report.add(
                    codes.MIMIC_CYCLE,
                    f"coordinate '{coordinate.name}' mimics itself through its leaders",
                    value_location(coordinate.location, 'mimic'))
        known.update(trail)
