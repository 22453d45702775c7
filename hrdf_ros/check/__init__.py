# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The rules over the Model, which are the same for every format.

This file has the rules on structure and motion. A rule finds faults of a description that its
reader accepted. If the reference implementation of the format accepts them, too, the rule only
warns.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, inf
from operator import attrgetter
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.check.finite import check_finite
from hrdf_ros.check.plausibility import check_immovable, check_inertia, check_plausibility
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Report, value_location
from hrdf_ros.document import SourceRef
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.model import Heightmap, Image, Mesh, Model, NONE, Shape
from hrdf_ros.resolve import Resolver
from hrdf_ros.topology import span, Topology

ModelRule = Callable[[Model, Topology, Report], None]

_UNIT_TOLERANCE = 1e-6
"""The largest deviation of an axis from unit length that counts as rounding."""
_NAME = attrgetter('name')


def check_names(model: Model, _: Topology, report: Report) -> None:
    """Report names that two bodies, two frames, two joints or two coordinates share."""
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
    """Report bodies that no joints connect to the first, except in worlds and static models."""
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
    Report rigid groups that move although neither they nor what they carry has mass.

    A description without any mass is a drawing, and is not checked.
    """
    loaded = [
        body.inertia is not None and body.inertia.mass != 0.0 for body in model.bodies]
    if not any(loaded):
        return
    for frame in model.frames:
        if frame.kind == 'end_effector' or frame.kind == 'output' and (
                model.bodies[frame.body].inertia is None):
            loaded[frame.body] = True  # the description lacks what it carries
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


def check_massless_collisions(model: Model, topology: Topology, report: Report) -> None:
    """
    Report rigid groups that move and collide without a mass of their own, but carry a mass.

    Groups that carry none are reported by ``check_massless_groups``.
    """
    group = [*range(len(model.bodies))]
    massive, moving, carrying = set[int](), set[int](), set[int]()
    for body in topology.order:
        joint = topology.joint[body]
        if joint != NONE and not model.joints[joint].motions:
            group[body] = group[topology.parent[body]]
        elif joint != NONE:
            moving.add(body)
        inertia = model.bodies[body].inertia
        if inertia is not None and inertia.mass != 0.0:
            massive.add(group[body])
    for body in reversed(topology.order):
        joint = topology.joint[body]
        if joint != NONE and (group[body] in massive or group[body] in carrying):
            carrying.add(group[topology.parent[body]])
    found = (moving & carrying) - massive
    for index, link in enumerate(model.bodies) if found else ():
        if group[index] in found and link.collisions and not link.static:
            found.discard(group[index])
            report.add(
                codes.MASS_MISSING, f"'{link.name}' moves and collides, and has no mass",
                link.location, hint='give it an <inertial>, or leave out its collision')


# ---- motion

def check_motions(model: Model, _: Topology, report: Report) -> None:
    """Report axes that are zero or not of unit length, and coordinates multiplied by zero."""
    for joint in model.joints:
        for motion in joint.motions:
            length = hypot(*motion.axis)
            at = joint.location
            if motion.scale == 0.0 and motion.kind != 'screw':
                report.add(
                    codes.SCALE_ZERO, f"the ratio of joint '{joint.name}' is zero: it cannot move",
                    at)
            if motion.kind == 'rotation_vector' or abs(length - 1.0) <= _UNIT_TOLERANCE:
                continue
            at = value_location(at, 'axis') if len(joint.motions) == 1 else at
            if length == 0.0:
                report.add(
                    codes.AXIS_ZERO, f"the axis of joint '{joint.name}' is zero: it cannot move",
                    at)
            else:
                report.add(
                    codes.AXIS_NOT_UNIT,
                    f"the axis of joint '{joint.name}' has the length {length!r}, not 1", at)


def check_limits(model: Model, _: Topology, report: Report) -> None:
    """Report reversed limits, and joints with one prismatic motion that have no limit at all."""
    for coordinate in model.coordinates:
        if coordinate.lower > coordinate.upper:
            report.add(
                codes.LIMITS_REVERSED,
                f"coordinate '{coordinate.name}' has the lower limit {coordinate.lower!r} above "
                f'its upper limit {coordinate.upper!r}',
                value_location(coordinate.location, 'lower', 'upper'),
            )
    if model.conventions.free_without_limits:
        return
    free = tuple(f'{scope}::' for scope in model.conventions.free_scopes)
    for joint in model.joints:
        if len(joint.motions) == 1 and joint.motions[0].kind == 'prismatic' and not (
                joint.source_name.startswith(free)):
            coordinate = model.coordinates[joint.motions[0].coordinates[0]]
            if coordinate.lower == -inf and coordinate.upper == inf and not coordinate.mimic:
                report.add(
                    codes.LIMITS_MISSING, f"joint '{joint.name}' is prismatic and has no limits",
                    joint.location or coordinate.location)


def check_mimics(model: Model, _: Topology, report: Report) -> None:
    """Report coordinates that mimic themselves through their leaders, once for each cycle."""
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


# ---- all rules

RULES: tuple[ModelRule, ...] = (
    check_names, check_finite, check_inertia, check_plausibility, check_motions, check_limits,
    check_immovable, check_mimics, check_unreachable, check_loops, check_massless_groups,
    check_massless_collisions)
"""The rules over a Model, except those on files."""


def check_model(
    model: Model, report: Report, limits: ResourceLimits = ResourceLimits(),
    resolver: Optional[Resolver] = None,
) -> None:
    """
    Apply all rules and report what they find.

    A Model beyond the resource limits is not checked. ``resolver`` is the Resolver that has
    searched for the files of the Model.
    """
    fault = _fault(model, limits)
    if fault is not None:
        report.add(*fault, model.location)
        return
    topology = span(model)
    for rule in RULES:
        rule(model, topology, report)
    shapes = [
        shape for body in model.bodies for shape in (*body.visuals, *body.collisions)
        if _names_files(shape)]
    if shapes:
        from hrdf_ros.check.files import check_files  # the import takes 2 ms
        check_files(shapes, report, resolver)


def _names_files(shape: Shape) -> bool:
    material = shape.material
    return isinstance(shape.geometry, (Mesh, Heightmap, Image)) or material is not None and bool(
        material.texture or material.assets)


def _fault(model: Model, limits: ResourceLimits) -> Optional[tuple[Code, str]]:
    """Return the code and message of the first resource limit that a Model exceeds."""
    if len(model.frames) > limits.frames:
        return codes.TOO_MANY_FRAMES, (
            f'the model has {len(model.frames)} frames; the limit is {limits.frames}')
    lengths = [len(frame.name) for frame in model.frames]
    bodies = [len(body.name) for body in model.bodies]
    if max(lengths, default=0) > limits.name_length:
        return codes.NAMES_TOO_LONG, (
            f'a frame has a name of {max(lengths)} characters; the limit is {limits.name_length}')
    total = sum(lengths) + sum(
        len(frame.source_name) + bodies[frame.body] for frame in model.frames)
    most = limits.all_names
    if isinstance(model.location, SourceRef):
        most = limits.most_names(model.location.document.size.bytes)
    if total > most:
        return codes.NAMES_TOO_LONG, (
            f'the names of all frames and of their bodies have {total} characters; the limit is '
            f'{most}')
    return None
