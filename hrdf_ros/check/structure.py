# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on names and connections: unique names, loops, moving bodies without mass."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model, NONE
from hrdf_ros.topology import Topology

_NAME = attrgetter('name')


def check_names(model: Model, _: Topology, report: Report) -> None:
    """Find duplicate names: bodies, frames, joints and coordinates are a namespace each."""
    _check_distinct('body', model.bodies, report)
    _check_distinct('frame', model.frames, report)
    _check_distinct('joint', model.joints, report)
    _check_distinct('coordinate', model.coordinates, report)


def _check_distinct(what: str, items: Sequence[Any], report: Report) -> None:
    if len(set(map(_NAME, items))) == len(items):
        return
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
