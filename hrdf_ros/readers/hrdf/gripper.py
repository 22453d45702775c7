# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The linkage of the parallel gripper, for ``--naming hebi``.

Names, origins, limits, masses and meshes are those of the macro ``gripper`` in
``urdf/components/end_effector.xacro`` of hebi_description (HEBI Robotics, Apache-2.0).
"""

from collections.abc import Iterator, Sequence
from functools import cache
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.inertia import equal_box, Inertia
from hrdf_ros.model import Body, Box, Coordinate, Cylinder, Frame, Joint, Mimic, Motion, Shape
from hrdf_ros.pose import compose, from_rpy, IDENTITY, Pose, translation, Vector, X_AXIS, Z_AXIS
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.hrdf.chain_reader import HrdfRobot
from hrdf_ros.readers.hrdf.model_builder import Builder
from hrdf_ros.readers.hrdf.shapes import FINGER, GRIPPER, meshes_of, MeshPart, shape, Shapes
from hrdf_ros.resolve import Resolver

_QUARTER = math.pi / 2
_RADIUS = .0225
"""Of the gripper's round base, in meters."""
_HEIGHT = .0075
_EFFORT = _VELOCITY = 1000.0
_LEADER = 'input_l_finger'
"""The joint that the others follow."""


class _Drive(NamedTuple):
    """The motion of a part: its coordinate follows the leader's by the multiplier."""

    multiplier: float
    axis: Vector = X_AXIS
    lower: float = -math.inf
    upper: float = math.inf
    is_slide: bool = False


class _Part(NamedTuple):
    """
    A part of the linkage, and the joint to it; without ``drive`` the joint is fixed.

    ``mesh`` is the name of a file, which is at ``part_from_mesh``.
    """

    name: str
    parent: str
    joint: str
    parent_from_joint: Pose
    inertia: Inertia
    drive: Optional[_Drive] = None
    mesh: str = ''
    part_from_mesh: Pose = IDENTITY
    collides: bool = False


def _box(mass: float, pose: Pose, x: float, y: float, z: float) -> Inertia:
    share = mass / 12.0
    return Inertia(
        mass, pose, ixx=share * (y * y + z * z), iyy=share * (x * x + z * z),
        izz=share * (x * x + y * y))


def _cylinder(mass: float, pose: Pose, radius: float, length: float) -> Inertia:
    across = mass / 12.0 * (3.0 * radius ** 2 + length ** 2)
    return Inertia(mass, pose, ixx=across, iyy=across, izz=mass / 2.0 * radius ** 2)


def _hollow_sphere(mass: float) -> Inertia:
    moment = .66 * mass * _RADIUS ** 2
    return Inertia(mass, ixx=moment, iyy=moment, izz=moment)




def _parts() -> Iterator[_Part]:
    """Yield the parts, each behind its parent."""
    yield _Part(
        'center_hub', '', 'input_center_hub', translation(0.0, 0.0, .0045), _hollow_sphere(.010),
        mesh='PM-2357-02', part_from_mesh=from_rpy((-.0225, .0225, 0.0), (_QUARTER, 0.0, 0.0)))
    yield _Part(
        'center_pinion', 'center_hub', 'center_hub_pinion', IDENTITY, _hollow_sphere(.010),
        _Drive(.00001, Z_AXIS, -1.0, 1.0, is_slide=True), 'PM-2291-01',
        from_rpy((-.0145, -.008, .0038), (_QUARTER, 0.0, _QUARTER)), collides=True)
    for side, sign, yaw in (('l', 1.0, 0.0), ('r', -1.0, math.pi)):
        yield from _finger(side, from_rpy((0.0, sign * .01265, .0115), (0.0, 0.0, yaw)))
    for side, sign, yaw in (('l', 1.0, 0.0), ('r', -1.0, math.pi)):
        yield _Part(
            f'{side}_inner_linkage', 'center_hub', f'center_hub_{side}_inner_linkage',
            from_rpy((0.0, sign * .005, .023), (-.36 * math.pi, 0.0, yaw)),
            _box(.010, from_rpy((0.0, 0.0, .0215), (_QUARTER, 0.0, 0.0)), .02, .05, .005),
            _Drive(1.0), 'PM-2359-02', translation(-.0115, -.004, -.004))


def _finger(side: str, base_from_finger: Pose) -> Iterator[_Part]:
    finger, linkage, gripper = f'{side}_finger', f'{side}_outer_linkage', f'{side}_gripper'
    yield _Part(
        finger, '', f'input_{finger}', base_from_finger,
        _box(.022, from_rpy((0.0, .015, 0.0), (_QUARTER, 0.0, 0.0)), .011, .007, .03),
        _Drive(1.0, lower=0.0, upper=.37 * math.pi), 'PM-2221-01',
        from_rpy((-.006, -.0055, -.0045), (_QUARTER, 0.0, _QUARTER)), collides=True)
    yield _Part(
        linkage, finger, f'{finger}_{linkage}', translation(0.0, .015, 0.0),
        _box(.010, translation(0.0, .015, .007), .023, .03, .03), mesh='PM-2358-02',
        part_from_mesh=from_rpy((-.0115, .029, -.004), (_QUARTER, 0.0, 0.0)))
    yield _Part(
        gripper, linkage, f'{linkage}_{gripper}', translation(0.0, .025, .018),
        _box(.014, translation(0.0, -.005, .02), .01, .01, .05),
        _Drive(-1.0, lower=-_QUARTER, upper=0.0), 'PM-2360-02',
        from_rpy((-.006, -.0115, -.0036), (_QUARTER, 0.0, _QUARTER)), collides=True)
    yield _Part(
        f'{gripper}_bend', gripper, f'{gripper}_finger_{gripper}_bend',
        translation(0.0, -.0075, .0165),
        _cylinder(.001, from_rpy((0.0, 0.0, 0.0), (0.0, _QUARTER, 0.0)), .002, .02))


# ---- into the Model

def with_bases(robot: HrdfRobot, grippers: Sequence[int], report: Report) -> HrdfRobot:
    """Return a robot whose parallel grippers are bases, for linkages with bodies of their own."""
    elements = list(robot.elements)
    for index in grippers:
        element = elements[index]
        library = catalog.END_EFFECTORS[element.type].inertia
        if element.inertia is not None and element.inertia[:-1] != library[:-1]:
            report.add(
                codes.DETAIL_NOT_PRESERVED,
                'with --naming hebi the parts of a gripper have the masses of hebi_description; '
                'the mass and inertia of this element are omitted', element.location)
        elements[index] = element._replace(
            inertia=_cylinder(.072, IDENTITY, _RADIUS, _HEIGHT), shapes=Shapes((_base(),)))
    return robot._replace(elements=tuple(elements))


def add_linkage(builder: Builder, index: int, resolver: Resolver) -> None:
    """Add the bodies and joints of a gripper, whose coordinates follow the leader."""
    name, location = builder.naming.elements[index], builder.robot.elements[index].location
    parts = list(_parts())
    driven = [part.joint for part in parts if part.drive is not None]
    leader = len(builder.coordinates) + driven.index(_LEADER)
    bodies = {'': builder.carriers[index].body}
    for part in parts:
        bodies[part.name] = len(builder.bodies)
        body = builder.names.claim(f'{name}/{part.name}', location=location)
        visuals, collisions = _shapes_of(part, resolver)
        builder.bodies.append(Body(
            body, body, inertia=part.inertia._replace(location=location), visuals=visuals,
            collisions=collisions, location=location))
        builder.frames.append(
            Frame(body, body, kind='link', body=bodies[part.name], location=location))
        joint = builder.joint_names.claim(f'{name}/{part.joint}', location=location)
        builder.joints.append(Joint(
            name=joint, source_name=joint, type='fixed' if part.drive is None else 'joint',
            parent=bodies[part.parent], child=bodies[part.name],
            parent_from_joint=part.parent_from_joint,
            motions=_motions(joint, part.drive, leader, builder.coordinates, location),
            location=location))


def _motions(
    name: str, drive: Optional[_Drive], leader: int, coordinates: list[Coordinate],
    location: SourceRef,
) -> tuple[Motion, ...]:
    """Return the motion of a part, about a new coordinate."""
    if drive is None:
        return ()
    index = len(coordinates)
    coordinates.append(Coordinate(
        name=name, kind='length' if drive.is_slide else 'angle', lower=drive.lower,
        upper=drive.upper, velocity=_VELOCITY, effort=_EFFORT,
        mimic=None if index == leader else Mimic(leader, drive.multiplier, 0.0),
        location=location))
    return (Motion('prismatic' if drive.is_slide else 'revolute', drive.axis, (index,)),)


# ---- shapes

def at_rest(resolver: Resolver) -> tuple[Shape, ...]:
    """Return the parts of a gripper whose joints are at zero, none unless they are installed."""
    meshes = meshes_of(_parts_at_rest(), GRIPPER, resolver)
    return meshes and (_base(), *meshes)


@cache
def _parts_at_rest() -> tuple[MeshPart, ...]:
    poses = {'': IDENTITY}
    found = []
    for part in _parts():
        poses[part.name] = compose(poses[part.parent], part.parent_from_joint)
        if part.mesh:
            found.append((part.mesh, compose(poses[part.name], part.part_from_mesh)))
    return tuple(found)


def _base() -> Shape:
    """Return the round base of a gripper whose linkage has shapes of its own."""
    return shape(
        Cylinder(_RADIUS, _HEIGHT), translation(0.0, 0.0, _HEIGHT / 2), GRIPPER)


def _shapes_of(part: _Part, resolver: Resolver) -> Shapes:
    """Return a part of a gripper's linkage: its mesh, or the box of equal inertia."""
    material = FINGER if part.collides else GRIPPER
    found: tuple[Shape, ...] = ()
    if part.mesh:
        found = meshes_of(((part.mesh, part.part_from_mesh),), material, resolver)
    box = None if found else equal_box(part.inertia)
    if box is not None:
        found = (shape(Box(box[1]), box[0], material),)
    return Shapes(found, found if part.collides else ())
