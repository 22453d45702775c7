# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A robot as its URDF shows it, with facts that a URDF cannot hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from math import isfinite
from typing import NamedTuple, Optional

from hrdf_ros.kinematics import Kinematics
from hrdf_ros.limits import PLANNING_LINKS
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import Triangle, URDF
from hrdf_ros.model import Coordinate, Joint, Model
from hrdf_ros.topology import Topology

SINGLE_AXIS = ('revolute', 'continuous', 'prismatic')
HOME = 'home'


class RobotTooLargeError(ValueError):
    """A robot has more links or shapes than MoveIt can plan with; the text says how many."""


class UrdfRobot(NamedTuple):
    """
    A Model lowered to URDF, and facts beside the URDF.

    ``states`` are positions of the joints with one axis (rad, m) by the name of the state: HOME,
    where the robot starts, and the named configurations of the file. ``passive`` are the joints
    that a closed loop moves. ``source`` is the Model before lowering; ``meshes`` are the triangles
    of shapes that URDF has only as meshes, by file.
    """

    model: Model
    topology: Topology
    source: Model
    states: Mapping[str, Mapping[str, float]]
    passive: frozenset[str]
    meshes: Mapping[str, Callable[[], list[Triangle]]]

    @property
    def home(self) -> Mapping[str, float]:
        """The positions where the robot starts."""
        return self.states[HOME]

    def coordinate(self, joint: Joint) -> Optional[Coordinate]:
        """Return the coordinate of a joint with one axis, None for another joint."""
        if joint.type not in SINGLE_AXIS:
            return None
        return self.model.coordinates[joint.motions[0].coordinates[0]]

    def is_active(self, joint: Joint) -> bool:
        """Return whether a joint has one axis and a position of its own."""
        coordinate = self.coordinate(joint)
        return (
            coordinate is not None and coordinate.mimic is None and joint.name not in self.passive)

    def leader(self, coordinate: Coordinate) -> Coordinate:
        """Return the last leader of a coordinate, which is itself if it mimics none."""
        seen = [coordinate]
        while coordinate.mimic is not None:
            coordinate = self.model.coordinates[coordinate.mimic.leader]
            if coordinate in seen:
                break
            seen.append(coordinate)
        return coordinate


def as_urdf(model: Model, given: Optional[Mapping[str, float]] = None) -> UrdfRobot:
    """
    Return a Model as its URDF shows it.

    ``given`` are positions (rad, m) by coordinate for HOME. They replace the configuration of that
    name, or else the initial one, moved to the middle of limits that it violates. More than
    PLANNING_LINKS links raise RobotTooLargeError.
    """
    if len(model.bodies) > PLANNING_LINKS:
        raise RobotTooLargeError(
            f'the robot has {len(model.bodies)} links; {PLANNING_LINKS} are the most')
    kinematics = Kinematics(model)
    lowered = lower(model, URDF._replace(mesh_directory=''))
    tree = Kinematics(lowered.model)
    single = {joint.name for joint in lowered.model.joints if joint.type in SINGLE_AXIS}

    def of_joints(positions: Mapping[str, float]) -> dict[str, float]:
        solved = dict(zip(kinematics.coordinates, kinematics.resolve(positions or None).tolist()))
        known = {name: solved[name] for name in tree.independent if name in solved}
        found = dict(zip(tree.coordinates, tree.resolve(known).tolist()))
        return {name: position for name, position in found.items() if name in single}

    states = _states(model, set(kinematics.independent))
    if given:
        states[HOME] = given
    computed = {
        coordinate.name for coordinate in model.coordinates
        if coordinate.mimic is None}.intersection(kinematics.dependent)
    return UrdfRobot(
        model=lowered.model, topology=lowered.topology, source=model,
        passive=frozenset(computed & single),
        states={name: of_joints(positions) for name, positions in states.items()},
        meshes={mesh.file: mesh.triangles for mesh in lowered.meshes})


def _states(model: Model, independent: Collection[str]) -> dict[str, Mapping[str, float]]:
    """Return the positions of each state by coordinate; missing ones are the initial ones."""
    initial = {
        coordinate.name: (coordinate.lower + coordinate.upper) / 2.0
        for coordinate in model.coordinates if coordinate.name in independent
        and not coordinate.lower <= coordinate.initial_position <= coordinate.upper
        and isfinite(coordinate.lower + coordinate.upper)}
    states: dict[str, Mapping[str, float]] = {HOME: initial}
    for configuration in model.configurations:
        named = {
            model.coordinates[index].name: position for index, position in configuration.positions}
        states[configuration.name] = {**initial, **{
            name: position for name, position in named.items() if name in independent}}
    return states
