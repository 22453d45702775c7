# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A robot as its URDF shows it, with facts that a URDF cannot have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from math import isfinite
from typing import NamedTuple, Optional

from hrdf_ros.consumers.soft_limits import with_soft_limits
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.limits import PLANNING_LINKS
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import Triangle, URDF
from hrdf_ros.model import Coordinate, Joint, Model, NONE
from hrdf_ros.topology import span, Topology

SINGLE_AXIS = ('revolute', 'continuous', 'prismatic')
HOME = 'home'
GIVEN = 'the given positions'
MOVEIT_DEFAULT = "MoveIt's default"
LinkPair = tuple[int, int]
"""Two links, by index."""


class RobotTooLargeError(ValueError):
    """MoveIt cannot plan for so many links or shapes; the text says how many there are."""


class StartPose(NamedTuple):
    """A pose that the robot may start in: what it is, and the positions (rad, m) by joint."""

    name: str
    positions: Mapping[str, float]


class UrdfRobot(NamedTuple):
    """
    A Model lowered to URDF, and facts that the URDF cannot have.

    ``states`` has positions (rad, m) of the joints with one axis by the name of the state: HOME,
    where the robot starts, and the named configurations of the file. ``starts`` are the candidates
    for HOME, the preferred one first; ``start`` is the name of the chosen one.

    ``joint_positions`` returns the positions of joints for positions of the coordinates in
    ``independent``, which are those of the source. ``passive`` are the joints that a closed loop
    moves. ``source`` is the Model before lowering. ``meshes`` has the triangles, by file, of the
    shapes that URDF can only have as meshes.
    """

    model: Model
    topology: Topology
    source: Model
    states: Mapping[str, Mapping[str, float]]
    starts: tuple[StartPose, ...]
    start: str
    joint_positions: Callable[[Mapping[str, float]], dict[str, float]]
    independent: frozenset[str]
    passive: frozenset[str]
    meshes: Mapping[str, Callable[[], list[Triangle]]]

    @property
    def home(self) -> Mapping[str, float]:
        """The positions at which the robot starts."""
        return self.states[HOME]

    def starting_at(self, pose: StartPose) -> UrdfRobot:
        """Return the robot with another pose as HOME."""
        return self._replace(states={**self.states, HOME: pose.positions}, start=pose.name)

    def coordinate(self, joint: Joint) -> Optional[Coordinate]:
        """Return the coordinate of a joint with one axis, or None for any other joint."""
        if joint.type not in SINGLE_AXIS:
            return None
        return self.model.coordinates[joint.motions[0].coordinates[0]]

    def is_active(self, joint: Joint) -> bool:
        """Return whether a joint has one axis and a position of its own."""
        coordinate = self.coordinate(joint)
        return (
            coordinate is not None and coordinate.mimic is None and joint.name not in self.passive)

    def leader(self, coordinate: Coordinate) -> Coordinate:
        """Return the last leader of a coordinate; one that mimics none is its own leader."""
        seen = [coordinate]
        while coordinate.mimic is not None:
            coordinate = self.model.coordinates[coordinate.mimic.leader]
            if coordinate in seen:
                break
            seen.append(coordinate)
        return coordinate


def as_urdf(
    model: Model, given: Optional[Mapping[str, float]] = None, fixed: Collection[str] = (),
) -> UrdfRobot:
    """
    Return a Model as its URDF shows it.

    HOME has the positions ``given`` (rad, m) by coordinate if the robot can start there, else only
    the ``fixed`` ones of these, if the robot can start at them. More than PLANNING_LINKS links
    raise RobotTooLargeError. Soft limits count as limits, as in MoveIt.
    """
    if len(model.bodies) > PLANNING_LINKS:
        raise RobotTooLargeError(
            f'the robot has {len(model.bodies)} links; {PLANNING_LINKS} are the most')
    model = with_soft_limits(model)
    kinematics = Kinematics(model)
    lowered = lower(model, URDF._replace(mesh_directory=''))
    tree = Kinematics(lowered.model)
    single = {joint.name for joint in lowered.model.joints if joint.type in SINGLE_AXIS}

    def of_joints(positions: Mapping[str, float]) -> dict[str, float]:
        solved = dict(zip(kinematics.coordinates, kinematics.resolve(positions or None).tolist()))
        known = {name: solved[name] for name in tree.independent if name in solved}
        found = dict(zip(tree.coordinates, tree.resolve(known).tolist()))
        return {name: position for name, position in found.items() if name in single}

    free = [one for one in model.coordinates if one.name in set(kinematics.independent)]
    named = _named(model, free)
    others = {
        **{f"the configuration '{name}'": named[name]
           for name in sorted(named, key=lambda name: name != HOME)},
        **_unnamed(free)}
    starts = list(others.items())
    if given:
        kept = {one.name: given[one.name] for one in free if one.name in fixed}
        starts = [
            (GIVEN, given),
            *((f'{GIVEN} with {name}', {**positions, **kept}) for name, positions in starts
              if kept),
            *starts]
    poses = tuple(StartPose(name, of_joints(positions)) for name, positions in starts)
    computed = {
        coordinate.name for coordinate in model.coordinates
        if coordinate.mimic is None}.intersection(kinematics.dependent)
    return UrdfRobot(
        model=lowered.model, topology=lowered.topology, source=model,
        passive=frozenset(computed & single),
        states={HOME: poses[0].positions, **{
            name: of_joints(positions) for name, positions in named.items() if name != HOME}},
        starts=poses, start=poses[0].name, joint_positions=of_joints,
        independent=frozenset(kinematics.independent),
        meshes={mesh.file: mesh.triangles for mesh in lowered.meshes})


def _named(model: Model, free: Collection[Coordinate]) -> dict[str, Mapping[str, float]]:
    """
    Return the positions by coordinate of each named configuration.

    Coordinates that a configuration does not state are at their initial positions.
    """
    initial = _initial(free)
    independent = {coordinate.name for coordinate in free}
    return {
        configuration.name: {**initial, **{
            name: position for name, position in (
                (model.coordinates[index].name, position)
                for index, position in configuration.positions)
            if name in independent}}
        for configuration in model.configurations}


def _initial(free: Collection[Coordinate]) -> dict[str, float]:
    """Return each coordinate's initial position, or the middle of limits that exclude it."""
    return {
        one.name: one.initial_position
        if one.lower <= one.initial_position <= one.upper else _middle(one) for one in free}


def _unnamed(free: Collection[Coordinate]) -> dict[str, Mapping[str, float]]:
    """Return the positions by coordinate of the poses that have no name in the source."""
    zero = {
        one.name: 0.0 if one.lower <= 0.0 <= one.upper else _middle(one) for one in free}
    starts: dict[str, Mapping[str, float]] = {
        MOVEIT_DEFAULT: zero,
        'the middle of all limits': {one.name: _middle(one) for one in free}}
    if any(one.initial_position for one in free):
        return {'the initial configuration': _initial(free), **starts}
    return starts


def _middle(coordinate: Coordinate) -> float:
    """Return the middle of both limits; without two limits, the initial position."""
    middle = (coordinate.lower + coordinate.upper) / 2.0
    return middle if isfinite(middle) else coordinate.initial_position


# ---- neighbors

def adjacent(robot: UrdfRobot, links: set[int]) -> set[LinkPair]:
    """Return the pairs of ``links`` that joints connect, also through other links."""
    topology = robot.topology
    neighbors: dict[int, list[int]] = {}
    for body, above in (*enumerate(topology.parent), *_closed(robot)):
        if above != NONE:
            neighbors.setdefault(body, []).append(above)
            neighbors.setdefault(above, []).append(body)
    found = set()
    for start in links:
        seen, pending = {start}, [start]
        while pending:
            for other in neighbors.get(pending.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    if other not in links:
                        pending.append(other)
        found |= {(min(start, other), max(start, other)) for other in seen & links - {start}}
    return found


def _closed(robot: UrdfRobot) -> Iterator[LinkPair]:
    """Yield the pairs of links that loop joints connect; a URDF has no loop joints."""
    index = {body.name: number for number, body in enumerate(robot.model.bodies)}
    bodies = robot.source.bodies
    for number in span(robot.source).loops:
        joint = robot.source.joints[number]
        names = [bodies[body].name for body in (joint.parent, joint.child) if body != NONE]
        if len(names) == 2 and names[0] in index and names[1] in index:
            yield index[names[0]], index[names[1]]
