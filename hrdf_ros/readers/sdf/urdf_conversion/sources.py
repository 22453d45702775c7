# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read again what libsdformat converts of a URDF and the Model does not hold.

The reader of URDF keeps no ``<mimic>`` whose leader does not exist, takes x for an axis of length
0, and drops an ``<inertial>`` with a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Optional

from hrdf_ros.diagnostics import Locatable
from hrdf_ros.document import SourceRef
from hrdf_ros.model import Body, Coordinate, Joint
from hrdf_ros.parsing.numbers import plain_number
from hrdf_ros.pose import X_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.urdf_conversion.gazebo import parsed, vector_or_zeros

Place = Optional[Locatable]


def first_children(parents: Mapping[str, Place], tag: str) -> dict[str, TypedElement]:
    """Return the first child with a tag of the elements at some places that have one."""
    places: dict[str, SourceRef] = {}
    for name, parent in parents.items():
        assert isinstance(parent, SourceRef)  # the reader of URDF gives every record its place
        start = parent.document.child_start(parent.start, tag)
        if start is not None:
            places[name] = SourceRef(parent.document, start)
    names = sorted(places, key=lambda name: places[name].start)
    return dict(zip(names, parsed([places[name] for name in names])))


def lost_mimics(
    joints: Iterable[Joint], coordinates: Sequence[Coordinate],
) -> dict[str, TypedElement]:
    """Return the ``<mimic>`` of each moving joint whose leader does not exist, by the joint."""
    return first_children({
        joint.name: joint.location for joint in joints
        if coordinates[joint.motions[0].coordinates[0]].mimic is None}, 'mimic')


def without_axis(joints: Iterable[Joint]) -> set[str]:
    """Return the names of the moving joints whose axis has the length 0."""
    axes = first_children({
        joint.name: joint.location for joint in joints if joint.motions[0].axis == X_AXIS}, 'axis')
    return {name for name, axis in axes.items()
            if not any(vector_or_zeros(axis.attributes.get('xyz', '')))}


def with_mass_despite_fault(bodies: Iterable[Body]) -> set[str]:
    """Return the names of the links that have a mass, and a fault in their ``<inertial>``."""
    inertials = first_children({
        body.name: body.location for body in bodies if body.inertia is None}, 'inertial')
    return {name for name, inertial in inertials.items() if _mass(inertial) > 0.0}


def _mass(inertial: TypedElement) -> float:
    mass = inertial.child('mass')
    return 0.0 if mass is None else plain_number(mass.attributes.get('value', '')) or 0.0
