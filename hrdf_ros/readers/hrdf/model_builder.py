# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""From the elements of a robot to the Model, and names for elements, bodies and joints."""

from collections import Counter
from collections.abc import Iterator
import os
import re
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.document import SourceFile, SourceRef
from hrdf_ros.file_reader import TEXT
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Body, Coordinate, Frame, Joint, Mimic, Model, Motion, NONE
from hrdf_ros.names import Names, renamed
from hrdf_ros.pose import compose, IDENTITY, Pose
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.hrdf import shapes
from hrdf_ros.readers.hrdf.chain_reader import HrdfRobot, read_robot
from hrdf_ros.readers.hrdf.elements import ChainElement

BASE = 'base_link'
_RESISTANCE = {'X5': .1, 'T5': .1, 'X8': .5, 'R8': .5, 'T8': .5}
"""Damping and friction of actuators, as hebi_description has them."""
_INNER_CAPITAL = r'(?<=[a-z0-9])(?=[A-Z])'
_NO_SHAPES = shapes.Shapes()


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of an HRDF file; None with errors, which are in the report."""
    robot = read_robot(source, context)
    if robot is None:
        return None
    name = 'robot' if source.file == TEXT else os.path.splitext(os.path.basename(source.file))[0]
    return build(robot, name, context)


def build(robot: HrdfRobot, name: str, context: Context) -> Model:
    """Return the Model of a robot, whose names are chosen by the options."""
    builder = _Builder(robot, context)
    builder.run()
    return Model(
        name=name, format='hrdf', version=robot.version, root=BASE, bodies=tuple(builder.bodies),
        joints=tuple(builder.joints), coordinates=tuple(builder.coordinates),
        frames=tuple(builder.frames), canonical_body=0,
        location=robot.location, description=robot.description)


class _Socket(NamedTuple):
    """Where an element is attached; ``moving`` where a joint already leads to its new body."""

    body: int
    pose: Pose = IDENTITY
    moving: bool = False


class _Builder:
    """
    Walks the tree of elements depth first, output by output.

    Each kind of frame comes out in the order in which hebi-py lists it. The joint and the frames
    of an element share its name. That of an end effector means its output, so its body has
    another name.
    """

    def __init__(self, robot: HrdfRobot, context: Context) -> None:
        self.robot = robot
        self.elements = robot.elements
        self.context = context
        self.report = context.report
        self.is_hebi = context.options.naming == 'hebi'
        self.names = Names(self.report)
        self.joint_names = Names(self.report)
        self.names.claim(BASE)
        moving = sum(element.motion is not None for element in self.elements)
        if self.is_hebi:
            self.coordinate_names = self._renamed([f'J{index + 1}' for index in range(moving)])
            named = list(self._hebi_names())
        else:
            named = list(self._default_names())
            self.coordinate_names = self._renamed([
                name for (name, _), element in zip(named, self.elements)
                if element.motion is not None])
        self.element_names = [name for name, _ in named]
        self.body_names = [body for _, body in named]
        for element, name in zip(self.elements, self.element_names):
            if element.motion is not None:
                self.joint_names.claim(name, location=element.location)
        self.bodies: list[Body] = []
        self.joints: list[Joint] = []
        self.coordinates: list[Coordinate] = []
        self.frames: list[Frame] = []
        self.carriers: dict[int, _Socket] = {NONE: _Socket(0, robot.base_from_robot)}
        """For each element the body that carries its outputs, and body_from_element."""

    def run(self) -> None:
        """Fill the tables."""
        grippers = [
            index for index, element in enumerate(self.elements)
            if self.is_hebi and element.kind == 'end-effector' and element.part.accepts]
        self._use_bases(grippers)
        if self.is_hebi:
            self.report.add(
                codes.HEBI_NAMING,
                'names, damping and friction are those of hebi_description; poses, masses, speeds '
                'and efforts are those of hebi-py' + bool(grippers) * (
                    ', which has the output of a parallel gripper 45 mm further out'),
                self.robot.location)
        self._add_body(BASE, self.robot.location)
        pending = [(NONE, 0)]
        while pending:
            index, output = pending.pop()
            follower = self.robot.followers.get((index, output))
            socket = self._leave(index, output, follower)
            if follower is not None:
                self._enter(follower, socket, index)
                count = len(self.elements[follower].outputs)
                pending.extend((follower, number) for number in reversed(range(count)))
        for index in grippers:
            self._add_linkage(index)

    # ---- names

    def _renamed(self, names: list[str]) -> list[str]:
        return renamed(
            names, self.context.options.joint_names, self.robot.location, self.report)

    def _default_names(self) -> Iterator[tuple[str, str]]:
        """Name elements and their bodies by tag, else by type and number, aside for tags."""
        tagged = {
            index: self.names.claim(element.tag, location=element.location)
            for index, element in enumerate(self.elements) if element.tag}
        counts: Counter[str] = Counter()
        for index, element in enumerate(self.elements):
            label = _label(element)
            counts[label] += 1
            name = tagged.get(index) or self.names.claim(
                self.names.free(f'{label}_{counts[label]}'))
            yield name, (
                self.names.claim(f'{name}/body') if element.kind == 'end-effector' else name)

    def _hebi_names(self) -> Iterator[tuple[str, str]]:
        """Name elements as hebi_description does: by kind and number, joints from the list."""
        joints = iter(self.coordinate_names)
        counts: Counter[str] = Counter()
        for element in self.elements:
            if element.motion is not None:
                name = next(joints)
                body = f'{name}/body'
            else:
                counts[element.kind] += 1
                name = body = f"{element.kind.replace('-', '_')}_{counts[element.kind]}"
            yield name, self.names.claim(body, location=element.location)

    def _name_of_fixed_joint(self, parent: int, child: int) -> str:
        """Return the name of the fixed joint between two elements."""
        if not self.is_hebi:
            return f'{self.body_names[child]}/fixed'
        if parent == NONE:
            return 'base_joint'
        name = self.element_names[parent]
        is_link = self.elements[parent].kind == 'link'
        return f'{name}/joint' if is_link else f'{name}_{self.element_names[child]}'

    # ---- into an element

    def _enter(self, index: int, socket: _Socket, parent: int) -> None:
        """Add the body of an element, with its frames and the fixed joint that carries it."""
        element = self.elements[index]
        if element.inertia is None:
            self.carriers[index] = socket
            return
        # the tag of an end effector means its output
        source_name = '' if element.kind == 'end-effector' else element.tag
        body = self._add_body(
            self.body_names[index], element.location, element.inertia, element.shapes,
            source_name, element.tag)
        self.carriers[index] = _Socket(body)
        if not socket.moving:
            self._add_fixed_joint(
                self._name_of_fixed_joint(parent, index), socket, body, element.location)
        self._add_frame(
            f'{self.element_names[index]}/com', 'com', body, element.inertia.pose, element)

    def _add_body(
        self, name: str, location: SourceRef, inertia: Optional[Inertia] = None,
        drawn: shapes.Shapes = _NO_SHAPES, source_name: str = '', tag: str = '',
    ) -> int:
        index, source_name = len(self.bodies), source_name or name
        self.bodies.append(Body(
            name, source_name, inertia, *drawn, tag=tag, location=location))
        self.frames.append(Frame(name, source_name, 'link', index, IDENTITY, tag, location))
        return index

    def _add_fixed_joint(
        self, name: str, socket: _Socket, child: int, location: SourceRef
    ) -> None:
        name = self.joint_names.claim(name, location=location)
        self.joints.append(
            Joint(name, name, 'fixed', socket.body, child, socket.pose, location=location))

    # ---- out of an element

    def _leave(self, index: int, output: int, follower: Optional[int]) -> _Socket:
        """Add the joint or frame at an output; return where the follower is attached."""
        carrier = self.carriers[index]
        follows_body = follower is not None and self.elements[follower].inertia is not None
        if index == NONE:
            return carrier if follower is None or follows_body else self._add_mount(carrier)
        element = self.elements[index]
        pose = compose(carrier.pose, element.outputs[output])
        name = f'{self.element_names[index]}/output'
        if len(element.outputs) > 1:
            name += f'_{output + 1}'
        if element.motion is None:
            self._add_output(index, name, _Socket(carrier.body, pose))
            return _Socket(carrier.body, pose)
        self._add_moving_joint(index, _Socket(carrier.body, pose))
        child = len(self.bodies)
        if element.inertia is None:
            # the output of a ``joint`` element, which has no body of its own
            self._add_frame(
                self.element_names[index], 'joint', child, IDENTITY, element,
                is_claimed=not self.is_hebi)
        if follows_body:
            self._add_frame(name, 'output', child, IDENTITY, element)
            return _Socket(child, moving=True)
        self._add_output_body(name, element)
        return _Socket(child)

    def _add_mount(self, base: _Socket) -> _Socket:
        """Add the body, fixed at the robot's pose, against which a leading joint moves."""
        location = self.robot.location
        name = self.names.claim(self.names.free(f'{BASE}/output'))
        body = self._add_body(name, location)
        joint = 'base_joint' if self.is_hebi else f'{name}/fixed'
        self._add_fixed_joint(joint, base, body, location)
        return _Socket(body)

    def _add_output(self, index: int, name: str, socket: _Socket) -> None:
        """Add the frame of an output that does not move against its body."""
        element, end_effector = self.elements[index], self.element_names[index]
        is_end = element.kind == 'end-effector'
        body, pose, _ = socket
        if is_end and self.is_hebi:
            body, pose = len(self.bodies), IDENTITY
            end_effector += '/end_effector'
            self._add_output_body(name, element)
            self._add_fixed_joint(f'{name}_joint', socket, body, element.location)
        else:
            self._add_frame(name, 'output', body, pose, element)
        if is_end:
            self._add_frame(
                end_effector, 'end_effector', body, pose, element, is_claimed=not self.is_hebi)

    def _add_output_body(self, name: str, element: ChainElement) -> None:
        """Add a body without mass at an output; its own frame is the output's."""
        body = len(self.bodies)
        self._add_frame(name, 'output', body, IDENTITY, element)
        name = self.frames[-1].name
        self.bodies.append(Body(name, name, location=element.location))

    def _add_frame(
        self, name: str, kind: str, body: int, pose: Pose, element: ChainElement, *,
        is_claimed: bool = False,
    ) -> None:
        if not is_claimed:
            name = self.names.claim(name, location=element.location)
        self.frames.append(Frame(name, name, kind, body, pose, element.tag, element.location))

    def _add_moving_joint(self, index: int, socket: _Socket) -> None:
        """Add the joint of an element, which leads to the body that is added next."""
        element = self.elements[index]
        assert element.motion is not None
        name = self.element_names[index]
        coordinate = len(self.coordinates)
        resistance = _RESISTANCE.get(element.type[:2], 0.0) if self.is_hebi else 0.0
        self.coordinates.append(Coordinate(
            name=self.coordinate_names[coordinate],
            kind='angle' if element.motion.kind == 'revolute' else 'length',
            velocity=element.part.velocity, effort=element.part.effort, damping=resistance,
            friction=resistance, location=element.location))
        self.joints.append(Joint(
            name=name, source_name=element.tag or name, type=element.kind, parent=socket.body,
            child=len(self.bodies), parent_from_joint=socket.pose,
            motions=(element.motion._replace(coordinates=(coordinate,)),),
            actuator=element.type if element.kind == 'actuator' else '',
            location=element.location))

    # ---- grippers with the names of HEBI

    def _use_bases(self, grippers: list[int]) -> None:
        """Make parallel grippers bases, for linkages with bodies of their own."""
        elements = list(self.elements)
        for index in grippers:
            element = elements[index]
            if element.inertia is not None and element.inertia[:-1] != element.part.inertia[:-1]:
                self.report.add(
                    codes.DETAIL_NOT_PRESERVED,
                    'with --naming hebi the parts of a gripper have the masses of '
                    'hebi_description; the mass and inertia of this element are omitted',
                    element.location)
            from hrdf_ros.readers.hrdf import gripper  # few robots have one
            elements[index] = element._replace(
                inertia=gripper.BASE_INERTIA, shapes=shapes.Shapes((gripper.BASE,)))
        self.elements = tuple(elements)

    def _add_linkage(self, index: int) -> None:
        """Add the bodies and joints of a gripper, whose coordinates follow the leader."""
        from hrdf_ros.readers.hrdf import gripper

        name, location = self.element_names[index], self.elements[index].location
        driven = [part.joint for part in gripper.PARTS if part.motion is not None]
        leader = len(self.coordinates) + driven.index(gripper.LEADER)
        bodies = {'': self.carriers[index].body}
        for part in gripper.PARTS:
            body = self.names.claim(f'{name}/{part.name}', location=location)
            bodies[part.name] = self._add_body(
                body, location, part.inertia._replace(location=location),
                gripper.shapes_of(part, self.context.resolver))
            joint = self.joint_names.claim(f'{name}/{part.joint}', location=location)
            motions: tuple[Motion, ...] = ()
            if part.motion is not None:
                coordinate = len(self.coordinates)
                motions = (part.motion._replace(coordinates=(coordinate,)),)
                self.coordinates.append(Coordinate(
                    name=joint, kind='angle' if part.motion.kind == 'revolute' else 'length',
                    lower=part.lower, upper=part.upper, velocity=gripper.VELOCITY,
                    effort=gripper.EFFORT,
                    mimic=None if coordinate == leader else Mimic(leader, part.multiplier, 0.0),
                    location=location))
            self.joints.append(Joint(
                joint, joint, 'joint' if motions else 'fixed', bodies[part.parent],
                bodies[part.name], part.parent_from_joint, motions=motions, location=location))


def _label(element: ChainElement) -> str:
    """Return the name of an untagged element without its number."""
    if element.kind == 'joint' or element.type in ('', 'Custom'):
        return element.kind.replace('-', '_')
    word = re.sub(_INNER_CAPITAL, '_', element.type).replace('-', '_').lower()
    return f'{word}_link' if element.kind == 'link' else word
