# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""From the elements of a robot to the Model, and names for elements, bodies and joints."""

from collections import Counter
from collections.abc import Sequence
import re
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.model import Body, Coordinate, Frame, Joint, Model, NONE
from hrdf_ros.names import Names, renamed
from hrdf_ros.pose import compose, IDENTITY, Pose
from hrdf_ros.readers.api import Options
from hrdf_ros.readers.hrdf import shapes
from hrdf_ros.readers.hrdf.chain_reader import HrdfRobot
from hrdf_ros.readers.hrdf.elements import ChainElement
from hrdf_ros.resolve import Resolver

BASE = 'base_link'
_RESISTANCE = {'X5': .1, 'T5': .1, 'X8': .5, 'R8': .5, 'T8': .5}
"""Damping and friction of actuators, as hebi_description has them."""
_INNER_CAPITAL = r'(?<=[a-z0-9])(?=[A-Z])'


class Naming(NamedTuple):
    """
    The names of all elements, of their bodies, and of coordinates, in their order.

    The joint and the frames of an element share its name. That of an end effector means its
    output, so its body is called otherwise.
    """

    elements: tuple[str, ...]
    bodies: tuple[str, ...]
    coordinates: tuple[str, ...]
    hebi: bool = False

    def fixed_joint(self, parent: int, child: int, kind: str) -> str:
        """Return the name of the fixed joint between two elements; ``kind`` is the parent's."""
        if not self.hebi:
            return f'{self.bodies[child]}/fixed'
        if parent == NONE:
            return 'base_joint'
        name = self.elements[parent]
        return f'{name}/joint' if kind == 'link' else f'{name}_{self.elements[child]}'


def default_naming(
    elements: Sequence[ChainElement],
    joint_names: Sequence[str],
    names: Names,
    location: SourceRef,
    report: Report,
) -> Naming:
    """Name elements by tag, else by type and number, aside for tags."""
    tagged = {
        index: names.claim(element.tag, location=element.location)
        for index, element in enumerate(elements) if element.tag
    }
    counts: Counter[str] = Counter()
    result, bodies = [], []
    for index, element in enumerate(elements):
        label = _label(element)
        counts[label] += 1
        name = tagged.get(index) or names.claim(names.free(f'{label}_{counts[label]}'))
        result.append(name)
        bodies.append(names.claim(f'{name}/body') if element.kind == 'end-effector' else name)
    moving = [name for name, element in zip(result, elements) if element.motion is not None]
    coordinates = renamed(moving, joint_names, location, report)
    return Naming(tuple(result), tuple(bodies), tuple(coordinates))


def hebi_naming(
    elements: Sequence[ChainElement],
    joint_names: Sequence[str],
    names: Names,
    location: SourceRef,
    report: Report,
) -> Naming:
    """Name elements as hebi_description does: by kind and number, joints from the list."""
    count = sum(element.motion is not None for element in elements)
    coordinates = renamed(
        [f'J{index + 1}' for index in range(count)], joint_names, location, report
    )
    joints = iter(coordinates)
    counts: Counter[str] = Counter()
    result, bodies = [], []
    for element in elements:
        if element.motion is not None:
            name = next(joints)
            body = f'{name}/body'
        else:
            counts[element.kind] += 1
            name = body = f"{element.kind.replace('-', '_')}_{counts[element.kind]}"
        result.append(name)
        bodies.append(names.claim(body, location=element.location))
    return Naming(tuple(result), tuple(bodies), tuple(coordinates), hebi=True)


def _label(element: ChainElement) -> str:
    """Return the name of an untagged element without its number."""
    if element.kind == 'joint' or element.type in ('', 'Custom'):
        return element.kind.replace('-', '_')
    word = re.sub(_INNER_CAPITAL, '_', element.type).replace('-', '_').lower()
    return f'{word}_link' if element.kind == 'link' else word


def build(
    robot: HrdfRobot, name: str, options: Options, report: Report, resolver: Resolver,
) -> Model:
    """Return the Model of a robot, whose names are chosen by the options."""
    is_hebi = options.naming == 'hebi'
    grippers = [
        index for index, element in enumerate(robot.elements)
        if is_hebi and element.kind == 'end-effector' and element.type.endswith('Parallel')]
    if grippers:
        from hrdf_ros.readers.hrdf import gripper
        robot = gripper.with_bases(robot, grippers, report)
    if is_hebi:
        _note_differences(robot, bool(grippers), report)
    builder = Builder(robot, options, report)
    builder.run()
    for index in grippers:
        gripper.add_linkage(builder, index, resolver)
    return Model(
        name=name, format='hrdf', version=robot.version, root=BASE, bodies=tuple(builder.bodies),
        joints=tuple(builder.joints), coordinates=tuple(builder.coordinates),
        frames=tuple(builder.frames), canonical_body=0,
        location=robot.location, description=robot.description)


def _note_differences(robot: HrdfRobot, has_gripper: bool, report: Report) -> None:
    """Say which numbers are not those of hebi_description, though the names are."""
    report.add(
        codes.HEBI_NAMING,
        'names, damping and friction are those of hebi_description; poses, masses, speeds and '
        'efforts are those of hebi-py' + (
            has_gripper * ', which has the output of a parallel gripper 45 mm further out'),
        robot.location)


class _Socket(NamedTuple):
    """Where an element is attached; ``moving`` where a joint already leads to its new body."""

    body: int
    pose: Pose = IDENTITY
    moving: bool = False


class Builder:
    """
    Walks the tree of elements depth first, output by output.

    Each kind of frame comes out in the order in which hebi-py lists it.
    """

    def __init__(self, robot: HrdfRobot, options: Options, report: Report) -> None:
        self.robot = robot
        self.names = Names(report)
        self.joint_names = Names(report)
        self.names.claim(BASE)
        naming = hebi_naming if options.naming == 'hebi' else default_naming
        self.naming = naming(
            robot.elements, options.joint_names, self.names, robot.location, report)
        for element, name in zip(robot.elements, self.naming.elements):
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
        self._add_body(BASE, BASE, None, self.robot.location)
        pending = [(NONE, 0)]
        while pending:
            index, output = pending.pop()
            follower = self.robot.followers.get((index, output))
            socket = self._leave(index, output, follower)
            if follower is not None:
                self._enter(follower, socket, index)
                count = len(self.robot.elements[follower].outputs)
                pending.extend((follower, number) for number in reversed(range(count)))

    def _add_mount(self, base: _Socket) -> _Socket:
        """Add the body, fixed at the robot's pose, against which a leading joint moves."""
        location = self.robot.location
        name = self.names.claim(self.names.free(f'{BASE}/output'))
        body = self._add_body(name, name, None, location)
        joint = 'base_joint' if self.naming.hebi else f'{name}/fixed'
        self._add_fixed_joint(joint, base, body, location)
        return _Socket(body)

    # ---- into an element

    def _enter(self, index: int, socket: _Socket, parent: int) -> None:
        """Add the body of an element, with its frames and the fixed joint that carries it."""
        element = self.robot.elements[index]
        if element.inertia is None:
            self.carriers[index] = socket
            return
        name = self.naming.bodies[index]
        # the tag of an end effector means its output
        tag = '' if element.kind == 'end-effector' else element.tag
        body = self._add_body(name, tag or name, element, element.location)
        self.carriers[index] = _Socket(body)
        if not socket.moving:
            kind = '' if parent == NONE else self.robot.elements[parent].kind
            self._add_fixed_joint(
                self.naming.fixed_joint(parent, index, kind), socket, body, element.location)
        self._add_frame(
            f'{self.naming.elements[index]}/com', 'com', body, element.inertia.pose, element)

    def _add_body(
        self, name: str, source_name: str, element: Optional[ChainElement], location: SourceRef,
    ) -> int:
        index = len(self.bodies)
        tag = element and element.tag or ''
        inertia, (visuals, collisions) = (
            (None, shapes.Shapes()) if element is None else (element.inertia, element.shapes))
        self.bodies.append(Body(
            name, source_name, inertia, visuals, collisions, tag=tag, location=location))
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
        if index == NONE:
            leads = follower is not None and self.robot.elements[follower].inertia is None
            return self._add_mount(carrier) if leads else carrier
        element = self.robot.elements[index]
        pose = compose(carrier.pose, element.outputs[output])
        name = f'{self.naming.elements[index]}/output'
        if len(element.outputs) > 1:
            name += f'_{output + 1}'
        if element.motion is None:
            self._add_output(name, carrier.body, pose, element)
            return _Socket(carrier.body, pose)
        self._add_moving_joint(index, _Socket(carrier.body, pose))
        child = len(self.bodies)
        if element.inertia is None:
            self._add_joint_frame(index, child)
        if follower is not None and self.robot.elements[follower].inertia is not None:
            self._add_frame(name, 'output', child, IDENTITY, element)
            return _Socket(child, moving=True)
        self._add_output_body(name, element)
        return _Socket(child)

    def _add_joint_frame(self, index: int, body: int) -> None:
        """Add the frame at the output of a ``joint`` element, which has no body of its own."""
        name, element = self.naming.elements[index], self.robot.elements[index]
        if self.naming.hebi:
            self._add_frame(name, 'joint', body, IDENTITY, element)
        else:
            self._add_named_frame(name, 'joint', body, IDENTITY, element)

    def _add_output(self, name: str, body: int, pose: Pose, element: ChainElement) -> None:
        """Add the frame of an output that does not move against its body."""
        if self.naming.hebi and element.kind == 'end-effector':
            socket = _Socket(body, pose)
            body, pose = len(self.bodies), IDENTITY
            self._add_output_body(name, element)
            self._add_fixed_joint(f'{name}_joint', socket, body, element.location)
        else:
            self._add_frame(name, 'output', body, pose, element)
        if element.kind == 'end-effector' and self.naming.hebi:
            end_effector = name.removesuffix('output') + 'end_effector'
            self._add_frame(end_effector, 'end_effector', body, pose, element)
        elif element.kind == 'end-effector':
            end_effector = name.removesuffix('/output')
            self._add_named_frame(end_effector, 'end_effector', body, pose, element)

    def _add_output_body(self, name: str, element: ChainElement) -> None:
        """Add a body without mass at an output; its own frame is the output's."""
        body = len(self.bodies)
        self._add_frame(name, 'output', body, IDENTITY, element)
        name = self.frames[-1].name
        self.bodies.append(Body(name, name, location=element.location))

    def _add_frame(
        self, name: str, kind: str, body: int, pose: Pose, element: ChainElement,
    ) -> None:
        name = self.names.claim(name, location=element.location)
        self._add_named_frame(name, kind, body, pose, element)

    def _add_named_frame(
        self, name: str, kind: str, body: int, pose: Pose, element: ChainElement,
    ) -> None:
        """Add a frame whose name is claimed already."""
        self.frames.append(
            Frame(name, name, kind, body, pose, element.tag or '', element.location))

    def _add_moving_joint(self, index: int, socket: _Socket) -> None:
        """Add the joint of an element, which leads to the body that is added next."""
        element = self.robot.elements[index]
        assert element.motion is not None
        name = self.naming.elements[index]
        coordinate = len(self.coordinates)
        resistance = _RESISTANCE.get(element.type[:2], 0.0) if self.naming.hebi else 0.0
        self.coordinates.append(Coordinate(
            name=self.naming.coordinates[coordinate],
            kind='angle' if element.motion.kind == 'revolute' else 'length',
            velocity=element.velocity, effort=element.effort, damping=resistance,
            friction=resistance, location=element.location))
        self.joints.append(Joint(
            name=name, source_name=element.tag or name, type=element.kind, parent=socket.body,
            child=len(self.bodies), parent_from_joint=socket.pose,
            motions=(element.motion._replace(coordinates=(coordinate,)),),
            actuator=element.type if element.kind == 'actuator' else '',
            location=element.location))
