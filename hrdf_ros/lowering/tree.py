# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Lower a Model to one tree of links and single-axis joints, as TF and URDF have it.

Link frames are kept. A joint whose child frame is not its joint frame is folded where that is
exact, and else gets a massless link and a fixed joint ``<joint>/child``. A joint with several
motions becomes a chain with massless links ``<joint>/link_1``, ... between them.

A joint of one axis has the name and the value of its coordinate. Where the two values differ by
a scale, a joint of that name carries a massless leaf. The joint itself then has another name and,
except on TF, a coordinate of its own that follows the first coordinate.
"""

from __future__ import annotations

from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering import changes
from hrdf_ros.lowering.coordinates import follower, forwards, note_joint_name, of_coordinate
from hrdf_ros.lowering.target import Target
from hrdf_ros.model import Body, Coordinate, Frame, Joint, Mimic, Model, Motion, NONE
from hrdf_ros.names import Names
from hrdf_ros.pose import AXES, compose, dot, IDENTITY, inverse, opposite, Pose, rotate, Vector
from hrdf_ros.topology import displacement, is_single_tree, reverse, span, tf_root, Topology

_ALONG_AXIS = 1e-12
"""The largest offset (m) from a revolute axis at which a translation counts as along the axis."""
_REVERSED_AXES = [opposite(axis) for axis in reversed(AXES)]
"""The axes of the slides of a reversed free joint."""
_FOLLOWER = {'revolute': 'turn', 'prismatic': 'slide'}


class _Step(NamedTuple):
    """
    A part of a joint: ``origin * motions``.

    ``name`` is empty where the coordinate names the joint. A step that ``follows`` has a value
    that is not its coordinate's.
    """

    type: str  # noqa: A003
    origin: Pose = IDENTITY
    motions: tuple[Motion, ...] = ()
    name: str = ''
    follows: bool = False


def lower_to_tree(
    model: Model, target: Target, notes: GroupedDiagnostics, report: Report,
) -> Model:
    """Return the Model as one tree; joints that close loops follow those of the tree."""
    bodies = len(model.bodies)
    model = changes.frames_as_links(model, target.frames)
    notes.about(
        codes.LINK_ADDED, 'these frames are written as massless links', *model.bodies[bodies:])
    topology = span(model)
    builder = _TreeBuilder(model, target, notes, report)
    if is_single_tree(model, topology) and not target.root:
        root = model.bodies[topology.roots[0]].name
    else:
        root = builder.add_root(target.root or tf_root(model, topology), topology)
    for index in sorted({*range(len(model.joints))} - {*topology.loops}):
        builder.add_joint(index, topology)
    for index in topology.loops:
        builder.add_loop(index)
    return builder.model_below(root)


class _TreeBuilder:
    """Turns joints into those of a tree one by one, and keeps the names apart."""

    def __init__(
        self, model: Model, target: Target, notes: GroupedDiagnostics, report: Report,
    ) -> None:
        self.model = model
        self.target = target
        self.notes = notes
        self.bodies = list(model.bodies)
        self.joints: list[Joint] = []
        self.coordinates = list(model.coordinates)
        self.has_joint: set[int] = set()
        self.first_of: dict[int, int] = {}
        self.root_added = False
        self.link_names = Names(report, taken=(body.name for body in model.bodies))
        self.joint_names = Names(report, taken=(each.name for each in model.coordinates))

    def model_below(self, root: str) -> Model:
        """Return the Model of everything that was added; an added root is its first body."""
        added = range(len(self.model.bodies), len(self.bodies))
        frames = (*self.model.frames, *(
            Frame(self.bodies[body].name, self.bodies[body].name, 'link', body)
            for body in added))
        lowered = self.model._replace(
            bodies=tuple(self.bodies), joints=tuple(self.joints), frames=frames,
            coordinates=tuple(self.coordinates), constraints=tuple(
                each._replace(joints=tuple(self.first_of[joint] for joint in each.joints))
                for each in self.model.constraints),
            is_world=False, root=root)
        if not self.root_added:
            return lowered
        first = added[0]
        return changes.with_bodies(
            lowered, (self.bodies[first], *self.bodies[:first], *self.bodies[first + 1:]),
            lambda body: 0 if body == first else body + (0 <= body < first))

    # ---- roots

    def add_root(self, name: str, topology: Topology) -> str:
        """Fix every component to one link, which is added unless it is the world."""
        children = [self.model.bodies[root] for root in topology.roots]
        root = next((body for body in topology.roots if self.bodies[body].name == name), NONE)
        if root == NONE:
            root = len(self.bodies)
            self.bodies.append(Body(self.link_names.claim(name), name))
            self.root_added = not self.target.root
        if not children and not self.target.root:
            self.notes.add(codes.ROOT_ADDED, f'{self.target.name} requires a link; added is', name)
        for body, child in zip(topology.roots, children):
            if child.name == name:
                continue
            joint = self.joint_names.claim(f'{name}/{child.name}')
            self.joints.append(Joint(joint, joint, 'fixed', root, body, child.pose))
            if not self.target.root:
                self.notes.about(
                    codes.ROOT_ADDED,
                    f"{self.target.name} has one root; the link '{name}' carries", child)
        return name

    # ---- joints

    def add_loop(self, index: int) -> None:
        """Add a joint that closes a loop as it is, where the target has such joints."""
        joint = self.model.joints[index]
        self.first_of[index] = len(self.joints)
        if not self.target.loops:
            text = f'{self.target.name} is a tree; joints that close a loop are omitted'
        elif self.target.root and joint.parent == joint.child:
            text = f'{self.target.name} joins no body to itself; omitted'
        else:
            self.joints.append(joint)
            return
        self.notes.about(codes.LOOP_NOT_REPRESENTABLE, text, joint)

    def add_joint(self, index: int, topology: Topology) -> None:
        """Add the parts of a joint, from its child to its parent where the tree runs that way."""
        joint = self.model.joints[index]
        self.first_of[index] = len(self.joints)
        if self.target.kind != 'tree':
            note_joint_name(joint, self.model.coordinates, self.notes)
        if topology.reversed[joint.parent] and topology.joint[joint.parent] == index:
            self.notes.about(
                codes.JOINT_REVERSED,
                'the tree runs from child to parent, so these joints are written reversed '
                '(same motion, parent and child exchanged)', joint)
            joint = reverse(joint)
        rotates = any(motion.kind == 'rotation_vector' for motion in joint.motions)
        if not joint.motions:
            fixed = _Step('fixed', inverse(joint.child_from_joint), name=joint.name)
            self._connect(joint._replace(child_from_joint=IDENTITY), [fixed])
        elif not self.target.chains:
            self._add_motions(joint, rotates)
        elif joint.type in self.model.conventions.whole_joint_types:
            self._connect(joint, [_Step(joint.type, motions=joint.motions, name=joint.name)])
        elif rotates and self.target.floating:
            self._note_other_axes(joint)
            self._connect(joint, [_Step('floating', motions=joint.motions, name=joint.name)])
        else:
            steps = [step for motion in joint.motions for step in self._steps(joint, motion)]
            if joint.type == 'continuous' and self.target.kind == 'tree':
                steps[0] = steps[0]._replace(type=joint.type)  # so a URDF stays as it was read
            self._connect(joint, steps)

    def _note_other_axes(self, joint: Joint) -> None:
        """Note a floating joint whose motions are not those of URDF's, unless it is reversed."""
        axes = [motion.axis for motion in joint.motions if motion.kind != 'rotation_vector']
        scales = {(abs(motion.scale), motion.offset) for motion in joint.motions}
        if scales != {(1.0, 0.0)} or axes not in ([], list(AXES), _REVERSED_AXES):
            self.notes.about(
                codes.DETAIL_NOT_REPRESENTABLE,
                f'a floating joint of {self.target.name} slides along x, y and z; other axes, '
                'scales and offsets are lost', joint)

    def _add_motions(self, joint: Joint, rotates: bool) -> None:
        """
        Add a joint of several motions; a ball joint ends at the joint's frame, in which it turns.

        A motion that follows a coordinate gets a coordinate of its own.
        """
        motions: list[Motion] = []
        for motion in joint.motions:
            for step in self._steps(joint, motion):
                own, = step.motions
                if step.follows:
                    self._add_leaf(
                        joint, step._replace(origin=joint.parent_from_joint), joint.parent)
                    own = self._following(own, self._follower_name(own))
                motions.append(own)
        joint = joint._replace(motions=tuple(motions))
        if rotates and joint.child_from_joint.orientation != IDENTITY.orientation:
            self._connect(joint, [_Step('floating', motions=joint.motions, name=joint.name)])
        else:
            if rotates:
                joint = joint._replace(
                    name=self.joint_names.claim(joint.name, '_joint', joint.location))
            self.joints.append(joint)

    def _follower_name(self, motion: Motion) -> str:
        of = self.coordinates[motion.coordinates[0]]
        return self.joint_names.claim(f'{of.name}/{_FOLLOWER[motion.kind]}')

    def _following(self, motion: Motion, name: str) -> Motion:
        """Return a motion by a new coordinate, which mimics the old coordinate of the motion."""
        mimic = Mimic(motion.coordinates[0], motion.scale, motion.offset)
        own = follower(
            self.coordinates[mimic.leader], name, motion.kind == 'revolute', mimic)
        if not self.target.chains:
            own = Coordinate(name, own.kind, mimic=mimic, location=own.location)
        self.coordinates.append(own)
        return motion._replace(
            coordinates=(len(self.coordinates) - 1,), scale=1.0, offset=0.0)

    def _steps(self, joint: Joint, motion: Motion) -> list[_Step]:
        """Return the single-axis steps that a motion is written as."""
        if motion.kind == 'rotation_vector':
            return self._expanded(joint) if self.target.chains else [self._ball(joint, motion)]
        if motion.kind == 'screw':
            turn = motion._replace(kind='revolute', scale=1.0, offset=0.0)
            slide = motion._replace(kind='prismatic')
            return [self._driven(turn), _Step('prismatic', motions=(slide,), follows=True)]
        return [self._driven(motion)]

    def _ball(self, joint: Joint, motion: Motion) -> _Step:
        """Return the step of a ball joint, with its coordinates' values whatever the scale."""
        if motion.scale < 0.0:
            self.notes.about(
                codes.JOINT_REVERSED, 'a ball joint is reversed, so it counts the other way',
                joint)
        if abs(motion.scale) != 1.0:
            self.notes.about(
                codes.SCALE_NOT_REPRESENTABLE,
                'the scale between the coordinates of a ball joint and its rotation is lost in '
                f'{self.target.name}', joint)
        return _Step('floating', motions=(motion._replace(scale=abs(motion.scale)),))

    def _expanded(self, joint: Joint) -> list[_Step]:
        """Return three rotations about x, y and z, with coordinates of their own."""
        self.notes.about(
            codes.JOINT_EXPANDED, 'a ball joint is written as three continuous joints, whose '
            'angles are not its coordinates', joint)
        steps = []
        for letter, axis in zip('xyz', AXES):
            name = self.joint_names.claim(f'{joint.name}/rot_{letter}', '_joint', joint.location)
            turn = Motion('revolute', axis, (len(self.coordinates),))
            self.has_joint.add(len(self.coordinates))
            self.coordinates.append(Coordinate(name, 'angle', location=joint.location))
            steps.append(_Step('revolute', motions=(turn,)))
        return steps

    def _driven(self, motion: Motion) -> _Step:
        """Return a step with its coordinate's value, or one that follows the coordinate."""
        coordinate = motion.coordinates[0]
        angular = self.model.coordinates[coordinate].kind == 'angle'
        if coordinate in self.has_joint or abs(motion.scale) != 1.0 or (
                angular != (motion.kind == 'revolute')):
            return _Step(motion.kind, motions=(motion,), follows=True)
        self.has_joint.add(coordinate)
        return _Step(motion.kind, motions=(forwards(motion),))

    # ---- links between them

    def _connect(self, joint: Joint, steps: list[_Step]) -> None:
        """Add the joints from a joint's parent to its child, with the links between them."""
        steps = [_at_zero(step) for step in steps]
        steps[0] = steps[0]._replace(origin=compose(joint.parent_from_joint, steps[0].origin))
        folded = _folded(steps[-1], joint.child_from_joint)
        if folded is not None:
            steps[-1] = folded
        else:
            rest = inverse(joint.child_from_joint)
            steps.append(_Step('fixed', rest, name=f'{joint.name}/child'))
        above, moving = joint.parent, [step for step in steps if step.motions]
        lost = [each for each in joint.extensions if len(moving) > 1 and 'urdf' in each.held_by]
        extensions = tuple(each for each in joint.extensions if each not in lost)
        for each in lost:
            self.notes.add(
                codes.EXTENSION_NOT_REPRESENTABLE,
                'XML in a joint that becomes several is omitted', f'{joint.name}: {each.tag}',
                each.location)
        for count, step in enumerate(steps, 1):
            last = count == len(steps)
            below = joint.child if last else self._massless(joint, f'{joint.name}/link_{count}')
            has_extensions = not moving or step is moving[-1]
            self._add_step(
                joint._replace(extensions=extensions if has_extensions else ()), step, above,
                below)
            above = below

    def _add_step(self, joint: Joint, step: _Step, parent: int, child: int) -> None:
        motions = step.motions
        if step.follows:
            self._add_leaf(joint, step, parent)
            name = self._follower_name(motions[0])
            if self.target.kind != 'tree':
                motions = (self._following(motions[0], name),)
        elif step.name:
            name = self.joint_names.claim(step.name, '_joint', joint.location)
        else:
            name = self.coordinates[motions[0].coordinates[0]].name
        self.joints.append(joint._replace(
            name=name, type=step.type, parent=parent, child=child, parent_from_joint=step.origin,
            child_from_joint=IDENTITY, motions=motions))

    def _add_leaf(self, joint: Joint, step: _Step, parent: int) -> None:
        """Add the joint with a coordinate's name and value, unless there is one already."""
        motion = step.motions[0]
        coordinate = motion.coordinates[0]
        if coordinate in self.has_joint:
            return
        self.has_joint.add(coordinate)
        of = self.coordinates[coordinate]
        leaf = self._massless(joint, f'{of.name}/coordinate')
        own = of_coordinate(motion, of)
        self.joints.append(joint._replace(
            name=of.name, type=own.kind, parent=parent, child=leaf, parent_from_joint=step.origin,
            child_from_joint=IDENTITY, motions=(own,), extensions=()))

    def _massless(self, joint: Joint, wanted: str) -> int:
        name = self.link_names.claim(wanted)
        self.bodies.append(Body(name, name))
        self.notes.add(
            codes.LINK_ADDED, 'massless links are added between joints', name, joint.location)
        return len(self.bodies) - 1


def _at_zero(step: _Step) -> _Step:
    """Return a step of one motion whose origin includes the motion's offset."""
    if step.follows or step.type not in ('revolute', 'prismatic') or not step.motions[0].offset:
        return step
    motion, = step.motions
    return step._replace(
        origin=displacement(motion, (0.0,)), motions=(motion._replace(offset=0.0),))


def _folded(step: _Step, child_from_joint: Pose) -> Optional[_Step]:
    """
    Return the step whose child frame is the child's own, None where that changes the motion.

    ``O M inverse(C) = (O inverse(C)) (C M inverse(C))``. The bracket is again a motion of one
    axis: always for a translation, and for a rotation if C moves only along the axis.
    """
    if child_from_joint == IDENTITY:
        return step
    if step.type not in ('revolute', 'prismatic'):
        return None
    motion = step.motions[0]
    axis = rotate(child_from_joint, motion.axis)
    if step.type == 'revolute' and not _along(child_from_joint.position, axis):
        return None
    return step._replace(
        origin=compose(step.origin, inverse(child_from_joint)),
        motions=(motion._replace(axis=axis),))


def _along(vector: Vector, axis: Vector) -> bool:
    """Return whether a vector is parallel to a unit axis."""
    length = dot(vector, axis)
    return all(abs(a - length * b) <= _ALONG_AXIS for a, b in zip(vector, axis))
