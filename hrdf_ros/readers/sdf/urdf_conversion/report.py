# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Differences of a converted URDF from the URDF."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Report
from hrdf_ros.model import Joint, Model
from hrdf_ros.readers.sdf.urdf_conversion.gazebo import Extension
from hrdf_ros.readers.sdf.urdf_conversion.links import UrdfLink

_LISTED = 6


def report_dropped(link: UrdfLink, report: Report) -> None:
    """Report a link that libsdformat drops, with all that is below it."""
    below = ' and all below it' if link.children else ''
    report.add(
        codes.SDF_URDF_LINK_DROPPED,
        f"the link '{link.name}' has no mass; libsdformat drops it{below}", link.body.location,
        hint='give it an <inertial>, or make the joint above or below it fixed')


def report_changes(
    model: Model, lumped: Sequence[UrdfLink], modeled: Sequence[UrdfLink],
    extensions: Sequence[Extension], unlocked: Collection[str], report: Report,
) -> None:
    """Report the other changes of a conversion, each kind of change once."""
    def add(change: str, location: Optional[Locatable], hint: Optional[str] = None) -> None:
        report.add(codes.SDF_URDF_CONVERTED, change, location, hint=hint)

    if lumped:
        add('fixed joints make one link of several: ' + _listed(
            f"'{link.name}' is part of '{link.top.name}'" for link in lumped),
            lumped[0].body.location,
            '<preserveFixedJoint>true</preserveFixedJoint> in a <gazebo reference="JOINT"> '
            'keeps one')
    for joint in (link.joint for link in modeled if link.joint is not None):
        for change, hint in _changes_of_joint(joint, model, unlocked):
            add(change, joint.location, hint)
    shapes = [shape for link in modeled for shape in (*link.visuals, *link.collisions)]
    if shapes:
        add(f'{len(shapes)} visuals and collisions have other names: that of the link, or their '
            'own, with _visual or _collision', shapes[0].location)
    applied = [element for found in extensions for element in found.elements()]
    if applied:
        tags = dict.fromkeys(f'<{element.tag}>' for element in applied)
        add(f'the content of the <gazebo> elements is applied: {_listed(tags)}',
            applied[0].location)
    kept = [
        model.extensions, *(body.extensions for body in model.bodies),
        *(joint.extensions for joint in model.joints)]
    lost = [raw for raws in kept for raw in raws if raw.tag != 'gazebo']
    if lost:
        tags = dict.fromkeys(f'<{raw.tag}>' for raw in lost)
        add(f'elements that SDFormat has no place for are dropped: {_listed(tags)}',
            lost[0].location)


def _changes_of_joint(
    joint: Joint, model: Model, unlocked: Collection[str],
) -> Iterator[tuple[str, Optional[str]]]:
    """Yield why a joint is dropped, or has another type or other limits, with a hint."""
    if joint.type in ('floating', 'planar'):
        yield f"SDFormat has no {joint.type} joint: '{joint.name}' is dropped", None
    elif joint.name in unlocked:
        yield (f"the fixed joint '{joint.name}' becomes a revolute joint with the limits 0",
               '<preserveFixedJoint> keeps it fixed')
    elif joint.motions:
        coordinate = model.coordinates[joint.motions[0].coordinates[0]]
        if coordinate.lower > coordinate.upper:
            yield f"the limits of '{joint.name}' are exchanged: the lower one is the greater", None


def _listed(names: Iterable[str]) -> str:
    """Return the first of some names, and the number of the others."""
    names = list(names)
    rest = len(names) - _LISTED
    return ', '.join(names[:_LISTED]) + (f' and {rest} more' if rest > 0 else '')
