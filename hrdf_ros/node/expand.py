# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The Model whose bodies are the links of the URDF that is published.

TF has to carry every link that RViz knows of, the massless ones between the axes of a universal
joint too. The plan of the URDF writer says which those are; frames, coordinates and loops stay.
"""

from __future__ import annotations

from typing import Literal

from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Body, Frame, Joint, Model, Motion, NONE
from hrdf_ros.topology import reverse, span
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics
from hrdf_ros.writers.urdf.plan import Edge, plan_urdf


def expand(model: Model) -> Model:
    """Return the same mechanism with one body for each URDF link and one joint for each joint."""
    topology = span(model)
    plan = plan_urdf(model, GroupedDiagnostics(), Report())
    index = {link.name: location for location, link in enumerate(plan.links)}
    body_of = {
        link.body: location for location, link in enumerate(plan.links) if link.body != NONE
    }
    turned = {topology.joint[body] for body, back in enumerate(topology.reversed) if back}
    joints = [_joint(model, edge, index, edge.joint in turned) for edge in plan.joints]
    loops = [
        joint._replace(parent=body_of[joint.parent], child=body_of[joint.child])
        for joint in (model.joints[loop] for loop in topology.loops)]
    return model._replace(
        bodies=tuple(
            model.bodies[link.body] if link.body != NONE else Body(link.name, link.name)
            for link in plan.links),
        joints=tuple(joints + loops),
        frames=tuple(frame._replace(body=body_of[frame.body]) for frame in model.frames) + tuple(
            Frame(link.name, link.name, 'link', location)
            for location, link in enumerate(plan.links) if link.body == NONE),
        canonical_body=body_of.get(model.canonical_body, NONE), is_world=False, root=plan.root)


def _joint(model: Model, edge: Edge, index: dict[str, int], turned: bool) -> Joint:
    return Joint(
        edge.name, edge.name, edge.kind, index[edge.parent], index[edge.child],
        parent_from_joint=edge.origin, motions=_motions(model, edge, turned))


def _motions(model: Model, edge: Edge, turned: bool) -> tuple[Motion, ...]:
    """Return what moves an edge: its drive, or all motions of a joint that URDF has whole."""
    if edge.kind in ('planar', 'floating'):
        joint = model.joints[edge.joint]
        return (reverse(joint) if turned else joint).motions
    if edge.drive is None:
        return ()
    kind: Literal['revolute', 'prismatic'] = (
        'revolute' if edge.kind == 'revolute' else 'prismatic')
    coordinate, scale, offset, _ = edge.drive
    return (Motion(kind, edge.axis, (coordinate,), scale, offset),)
