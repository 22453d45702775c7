# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Build the Model from the elements of a robot, and name elements, bodies and joints."""

from collections import Counter
from collections.abc import Iterator
import os
import re
from typing import Any, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.document import SourceFile, SourceRef
from hrdf_ros.file_reader import TEXT
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import (
    Body,
    Conventions,
    Coordinate,
    Frame,
    Joint,
    Mimic,
    Model,
    Motion,
    NONE,
)
from hrdf_ros.names import Names, renamed
from hrdf_ros.pose import compose, IDENTITY, Pose
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.hrdf import component_shapes
from hrdf_ros.readers.hrdf.chain_reader import HrdfRobot, read_robot
from hrdf_ros.readers.hrdf.elements import ChainElement

BASE = 'base_link'
_RESISTANCE = {'X5': .1, 'T5': .1, 'X8': .5, 'R8': .5, 'T8': .5}
"""The damping and friction of actuators, as hebi_description has them."""
_INNER_CAPITAL = r'(?<=[a-z0-9])(?=[A-Z])'
_CONVENTIONS = Conventions(
    single_root=True, joint_types=('actuator', 'joint', 'fixed'), free_without_limits=True)
"""The conventions of HRDF, which has no way to state a limit."""
_NO_SHAPES = component_shapes.Shapes()


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of an HRDF file, None with errors, which are in the report."""
    robot = read_robot(source, context)
    if robot is None:
        return None
    name = 'robot' if source.file == TEXT else os.path.splitext(os.path.basename(source.file))[0]
    return build(robot, name, context)


def build(robot: HrdfRobot, name: str, context: Context) -> Model:
    """Return the Model of a robot, whose names are chosen by the options."""
    builder = _RobotBuilder(robot, context)
    builder.run()
    return Model(
        name=name, format='hrdf', version=robot.version, root=BASE, bodies=tuple(builder.bodies),
        joints=tuple(builder.joints), coordinates=tuple(builder.coordinates),
        frames=tuple(builder.frames), canonical_body=0,
        location=robot.location, description=robot.description, conventions=_CONVENTIONS)


class _Socket(NamedTuple):
    """The place where an element is attached; if ``moving``, a joint leads to its body already."""

    body: int
    pose: Pose = IDENTITY
    moving: bool = False


class _RobotBuilder:
    """
    Walks the tree of elements depth first, output by output.

    The frames of each kind get the order in which hebi-py lists them. The joint and the frames of
    an element share its name. The name of an end effector means its output, so its body has
    another name.
    """

    def __init__(self, robot: HrdfRobot, context: Context) -> None:
        self.robot, self.elements = robot, robot.elements
        self.context, self.report = context, context.report
        self.is_hebi = context.options.naming == 'hebi'
        self.names, self.joint_names = Names(self.report), Names(self.report)
        self.names.claim(BASE)
        moving = [element for element in self.elements if element.motion is not None]
        if self.is_hebi:
            self.coordinate_names = self._chosen([f'J{at + 1}' for at in range(len(moving))])
            named = list(self._hebi_names())
        else:
            named = list(self._default_names())
            self.coordinate_names = self._chosen([
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
        """The body that carries the outputs of each element, and body_from_element."""
        self.grippers = [
            index for index, element in enumerate(self.elements)
            if self.is_hebi and element.kind == 'end-effector' and element.part.accepts]
        """Parallel grippers with a linkage of their own, as hebi_description has them."""

    def run(self) -> None:
        """Fill the tables."""
        if self.is_hebi:
            self.report.add(
                codes.HEBI_NAMING,
                'names, damping and friction are those of hebi_description; poses, masses, speeds '
                'and efforts are those of hebi-py' + bool(self.grippers) * (
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
        for index in self.grippers:
            self._add_linkage(index)

    # ---- names

    def _chosen(self, names: list[str]) -> list[str]:
        return renamed(
            names, self.context.options.joint_names, self.robot.location, self.report)

    def _default_names(self) -> Iterator[tuple[str, str]]:
        """Name elements and their bodies by tag, or else by type and number, avoiding the tags."""
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
        """
        Name elements as hebi_description does: by kind and number.

        Joints take their names from the list of joint names.
        """
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

    # ---- rows of the tables

    def _add_body(
        self, name: str, location: SourceRef, inertia: Optional[Inertia] = None,
        drawn: component_shapes.Shapes = _NO_SHAPES, source_name: str = '', tag: str = '',
        kind: str = 'link',
    ) -> int:
        """Add a body and its frame; a body of kind ``output`` is at an output, without mass."""
        index, source_name = len(self.bodies), source_name or name
        self.frames.append(Frame(name, source_name, kind, index, IDENTITY, tag, location))
        self.bodies.append(Body(
            name, source_name, inertia, *drawn, tag='' if kind == 'output' else tag,
            location=location))
        return index

    def _add_frame(
        self, name: str, kind: str, body: int, pose: Pose, element: ChainElement, *,
        is_claimed: bool = False,
    ) -> None:
        if not is_claimed:
            name = self.names.claim(name, location=element.location)
        self.frames.append(Frame(name, name, kind, body, pose, element.tag, element.location))

    def _add_joint(
        self, name: str, parent: _Socket, child: int, location: SourceRef,
        motion: Optional[Motion] = None, coordinate: Optional[dict[str, Any]] = None, *,
        source_name: str = '', kind: str = 'fixed', actuator: str = '',
    ) -> None:
        """Add a joint and, if it has a motion, the coordinate with these fields."""
        motions: tuple[Motion, ...] = ()
        if motion is not None:
            motions = (motion._replace(coordinates=(len(self.coordinates),)),)
            self.coordinates.append(Coordinate(
                kind='angle' if motion.kind == 'revolute' else 'length', location=location,
                **coordinate or {}))
        self.joints.append(Joint(
            name, source_name or name, kind, parent.body, child, parent.pose, motions=motions,
            actuator=actuator, location=location))

    # ---- the walk

    def _enter(self, index: int, socket: _Socket, parent: int) -> None:
        """Add the body of an element, with its frames and the fixed joint that carries it."""
        element = self.elements[index]
        inertia, drawn, location = element.inertia, element.shapes, element.location
        if inertia is None:
            self.carriers[index] = socket
            return
        if index in self.grippers:
            from hrdf_ros.readers.hrdf import gripper  # few robots have one
            if inertia[:-1] != element.part.inertia[:-1]:
                self.report.add(
                    codes.DETAIL_NOT_PRESERVED,
                    'with --naming hebi the parts of a gripper have the masses of '
                    'hebi_description; the mass and inertia of this element are omitted', location)
            inertia, drawn = gripper.BASE_INERTIA, component_shapes.Shapes((gripper.BASE,))
        # the tag of an end effector means its output
        source_name = '' if element.kind == 'end-effector' else element.tag
        body = self._add_body(
            self.body_names[index], location, inertia, drawn, source_name, element.tag)
        self.carriers[index] = _Socket(body)
        if not socket.moving:
            name = self._name_of_fixed_joint(parent, index)
            self._add_joint(
                self.joint_names.claim(name, location=location), socket, body, location)
        self._add_frame(
            f'{self.element_names[index]}/com', 'com', body, inertia.pose, element)

    def _leave(self, index: int, output: int, follower: Optional[int]) -> _Socket:
        """Add the joint or frame at an output; return where the follower is attached."""
        carrier = self.carriers[index]
        follows_body = follower is not None and self.elements[follower].inertia is not None
        if index == NONE:
            return carrier if follower is None or follows_body else self._add_mount(carrier)
        element, name = self.elements[index], self.element_names[index]
        socket = _Socket(carrier.body, compose(carrier.pose, element.outputs[output]))
        output_name = f'{name}/output'
        if len(element.outputs) > 1:
            output_name += f'_{output + 1}'
        if element.motion is None:
            self._add_output(index, output_name, socket)
            return socket
        child = len(self.bodies)
        resistance = _RESISTANCE.get(element.type[:2], 0.0) if self.is_hebi else 0.0
        self._add_joint(name, socket, child, element.location, element.motion, {
            'name': self.coordinate_names[len(self.coordinates)],
            'velocity': element.part.velocity, 'effort': element.part.effort,
            'damping': resistance, 'friction': resistance,
        }, source_name=element.tag, kind=element.kind,
            actuator=element.type if element.kind == 'actuator' else '')
        if element.inertia is None:
            # the output of a ``joint`` element, which has no body of its own
            self._add_frame(name, 'joint', child, IDENTITY, element, is_claimed=not self.is_hebi)
        if follows_body:
            self._add_frame(output_name, 'output', child, IDENTITY, element)
            return _Socket(child, moving=True)
        self._add_output_body(output_name, element)
        return _Socket(child)

    def _add_mount(self, base: _Socket) -> _Socket:
        """Add the body, fixed at the robot's pose, against which a leading joint moves."""
        location = self.robot.location
        name = self.names.claim(self.names.free(f'{BASE}/output'))
        body = self._add_body(name, location)
        joint = 'base_joint' if self.is_hebi else f'{name}/fixed'
        self._add_joint(self.joint_names.claim(joint, location=location), base, body, location)
        return _Socket(body)

    def _add_output(self, index: int, name: str, socket: _Socket) -> None:
        """Add the frame of an output that does not move against its body."""
        element, end_effector = self.elements[index], self.element_names[index]
        is_end = element.kind == 'end-effector'
        body, pose, _ = socket
        if is_end and self.is_hebi:
            body, pose = self._add_output_body(name, element), IDENTITY
            end_effector += '/end_effector'
            joint = self.joint_names.claim(f'{name}_joint', location=element.location)
            self._add_joint(joint, socket, body, element.location)
        else:
            self._add_frame(name, 'output', body, pose, element)
        if is_end:
            self._add_frame(
                end_effector, 'end_effector', body, pose, element, is_claimed=not self.is_hebi)

    def _add_output_body(self, name: str, element: ChainElement) -> int:
        """Add a body without mass at an output; its own frame is the output's."""
        location = element.location
        name = self.names.claim(name, location=location)
        return self._add_body(name, location, tag=element.tag, kind='output')

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
            mimic = None if leader == len(self.coordinates) else Mimic(leader, part.multiplier)
            self._add_joint(
                joint, _Socket(bodies[part.parent], part.parent_from_joint), bodies[part.name],
                location, part.motion, {
                    'name': joint, 'lower': part.lower, 'upper': part.upper,
                    'velocity': gripper.VELOCITY, 'effort': gripper.EFFORT, 'mimic': mimic,
                }, kind='fixed' if part.motion is None else 'joint')


def _label(element: ChainElement) -> str:
    """Return the name of an untagged element without its number."""
    if element.kind == 'joint' or element.type in ('', 'Custom'):
        return element.kind.replace('-', '_')
    word = re.sub(_INNER_CAPITAL, '_', element.type).replace('-', '_').lower()
    return f'{word}_link' if element.kind == 'link' else word
