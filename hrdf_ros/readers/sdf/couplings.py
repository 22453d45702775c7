# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Coordinates that follow others: mimics, and what gearboxes add to them."""

from collections.abc import Iterable
from typing import NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE, SdfMimic
from hrdf_ros.readers.sdf.joint_references import find_leader, ResolvedJoints
from hrdf_ros.readers.sdf.scopes import Scope, ScopedJoint

CoordinateKey = tuple[Union[ScopedJoint, Scope], Union[str, int]]
"""A coordinate: a joint and its axis, or an interface model's scope and the index in the Model."""


class Coupling(NamedTuple):
    """A coordinate follows another: ``q = multiplier * q_leader + offset``."""

    leader: CoordinateKey
    multiplier: float
    offset: float = 0.0


class Couplings:
    """The couplings of a model or world, by the coordinate that follows."""

    def __init__(self) -> None:
        self.by_follower: dict[CoordinateKey, Coupling] = {}
        self._ahead: dict[CoordinateKey, CoordinateKey] = {}

    def leader(self, follower: CoordinateKey) -> Optional[CoordinateKey]:
        """Return the coordinate that another follows already, None where it is free."""
        coupling = self.by_follower.get(follower)
        if coupling is not None:
            return coupling.leader
        scope, index = follower
        if isinstance(scope, Scope) and isinstance(index, int) and scope.interface is not None:
            mimic = scope.interface.coordinates[index].mimic
            return None if mimic is None else (scope, mimic.leader)
        return None

    def add(self, follower: CoordinateKey, coupling: Coupling) -> bool:
        """
        Let a coordinate follow another; return whether it can.

        It cannot if it follows one already, or if that would close a cycle.
        """
        if self.leader(follower) is not None or self._first(coupling.leader) == follower:
            return False
        self._ahead[follower] = coupling.leader
        self.by_follower[follower] = coupling
        return True

    def _first(self, coordinate: CoordinateKey) -> CoordinateKey:
        """Return the leader of all leaders, and shorten the way to it for the next time."""
        ahead = self._ahead
        while coordinate in ahead:
            ahead[coordinate] = ahead.get(ahead[coordinate], ahead[coordinate])
            coordinate = ahead[coordinate]
        return coordinate


def couple_mimics(
    items: Iterable[ScopedJoint], joints: ResolvedJoints, report: Report,
) -> Couplings:
    """Let coordinates follow others by ``<mimic>``; those in a cycle stay free."""
    couplings = Couplings()
    for item in items:
        for tag, axis in item.joint.axes.items():
            if axis.mimic is not None:
                _couple_mimic(item, tag, axis.mimic, couplings, joints, report)
    return couplings


def _couple_mimic(
    follower: ScopedJoint, tag: str, mimic: SdfMimic, couplings: Couplings,
    joints: ResolvedJoints, report: Report,
) -> None:
    leader = find_leader(follower, tag, mimic, report)
    if leader is None or not _moves(follower, tag, joints):
        return
    offset = mimic.offset - mimic.multiplier * mimic.reference
    coupling = Coupling((leader, mimic.axis), mimic.multiplier, offset)
    if not _moves(leader, mimic.axis, joints):
        reason = 'which does not move'
    elif not couplings.add((follower, tag), coupling):
        reason = 'because they would follow each other'
    else:
        return
    report.add(
        codes.SDF_MIMIC_IGNORED,
        f"joint '{follower.name}' cannot follow '{leader.name}', {reason}",
        mimic.element.attribute_location('joint', 0))


def _moves(joint: ScopedJoint, tag: str, joints: ResolvedJoints) -> bool:
    """Tell whether a joint has a coordinate for an axis."""
    kind = joint.joint.type
    return joint in joints and kind != 'gearbox' and tag in AXES_OF_TYPE[kind]
