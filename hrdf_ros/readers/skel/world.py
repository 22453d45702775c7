# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A SKEL file: the world, its skeletons, and the Model made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile, SourceRef
from hrdf_ros.model import (
    Body,
    Coordinate,
    Frame,
    Joint,
    Model,
    ModelScope,
    Motion,
)
from hrdf_ros.names import DART, Names, renamed
from hrdf_ros.parsing.suggestions import one_of
from hrdf_ros.pose import compose, IDENTITY, relative, translation, Vector
from hrdf_ros.readers.api import Context, Options
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.skel.body import BodyReader
from hrdf_ros.readers.skel.schema import GRAVITY, SCHEMA, VALUE_PATHS
from hrdf_ros.readers.skel.skeleton import (
    JointPart,
    renamed_as,
    Skeleton,
    SkeletonReader,
    WORLD,
)

_WORLD_BODY = 0


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """
    Return the Model that DART 6.20 makes of a SKEL file.

    Bodies, joints and coordinates are in DART's order of creation behind the body ``world``,
    the parent of all that hangs on nothing. A ``<world>`` gives all its skeletons, as in DART;
    where it has none, the first beside it is read. ``options.model_name`` picks one by name.
    """
    report = context.report
    root = parse(source, report, TypedElement, value_paths=VALUE_PATHS)
    if root is None or not SCHEMA.is_root(root, report):
        return None
    named = _named_skeletons(root, context.options, report)
    chosen = [element for element, _ in named]
    unread = set(_skeletons(root)).difference(chosen)
    for parent in (root, *root.all('world')):
        parent.children = [child for child in parent.children if child not in unread]
    SCHEMA.validate(root, report)
    reader = SkeletonReader(report, BodyReader(report, context.resolver, source.file))
    skeletons = [reader.skeleton(element, name) for element, name in named]
    if not report.ok:
        return None
    return _Builder(skeletons, context).model(root, _gravity(root))


def _gravity(root: TypedElement) -> Optional[Vector]:
    world = root.child('world')
    if world is None:
        return None
    physics = world.child('physics')
    return GRAVITY if physics is None else physics.vector3('gravity')


def _skeletons(root: TypedElement) -> list[TypedElement]:
    """Return all skeletons, those in the world first."""
    world = root.child('world')
    return [*([] if world is None else world.all('skeleton')), *root.all('skeleton')]


def _named_skeletons(
    root: TypedElement, options: Options, report: Report,
) -> list[tuple[TypedElement, str]]:
    """Return the skeletons that are to be read, with their unique names."""
    world = root.child('world')
    inside = [] if world is None else world.all('skeleton')
    beside = root.all('skeleton')
    if world is not None and beside:
        _report_beside(beside, bool(inside), report)
    elif world is None and not beside:
        report.add(
            codes.MISSING_ELEMENT, '<skel> is missing the required element <world> or <skeleton>',
            root.location, cause='<world>')
    for other in beside[1:]:
        report.add(codes.DUPLICATE_ELEMENT, 'duplicate <skeleton>; ignored', other.location)
    names = Names(report, DART)
    named = [
        (element, names.claim(element.get('name') or 'skeleton', location=element.location))
        for element in inside or beside]
    if options.model_name is None:
        return named if inside else named[:1]
    chosen = [(element, name) for element, name in named if name == options.model_name]
    if not chosen and named:
        report.add(
            codes.MODEL_NOT_FOUND, f"there is no skeleton '{options.model_name}'", root.location,
            hint=one_of(options.model_name, [name for _, name in named]))
    return chosen


def _report_beside(elements: Sequence[TypedElement], is_ignored: bool, report: Report) -> None:
    """Warn of skeletons beside the world: DART reads them only where it is asked for no world."""
    hint = 'move it into the <world>'
    if is_ignored:
        for element in elements:
            report.add(
                codes.NO_EFFECT, 'a <skeleton> beside the <world> has no effect: DART reads those '
                'in the world', element.location, hint=hint)
    else:
        report.add(
            codes.SKEL_SPEC_OVER_DART,
            'a <skeleton> beside the <world> is read as the specification says; for DART the '
            'world has none', elements[0].location, hint=hint)


class _Builder:
    """Puts skeletons into one Model."""

    def __init__(self, skeletons: list[Skeleton], context: Context) -> None:
        self.skeletons = skeletons
        self.chosen_names = context.options.joint_names
        report = self.report = context.report
        self.frame_names = Names(report)
        self.joint_names = Names(report)
        self.coordinate_names = Names(report)
        self.is_world = len(skeletons) != 1
        self.bodies: list[Body] = []
        self.joints: list[Joint] = []
        self.coordinates: list[Coordinate] = []
        self.frames: list[Frame] = []

    def model(self, root: TypedElement, gravity: Optional[Vector]) -> Model:
        """Return the Model."""
        world = root.child('world') or root
        name = world.get('name') or WORLD if self.is_world else self.skeletons[0].name
        self._add_world()
        scopes = tuple(
            ModelScope(
                skeleton.name, skeleton.name, static=not skeleton.mobile, pose=skeleton.pose,
                location=skeleton.location) for skeleton in self.skeletons)
        for skeleton in self.skeletons:
            self._add_skeleton(skeleton)
        indices = {body.source_name: index for index, body in enumerate(self.bodies)}
        for skeleton in self.skeletons:
            self._add_markers(skeleton, indices)
        if self.chosen_names:
            self._rename_coordinates(world.location)
        return Model(
            name=name, format='skel', version=root.get('version') or '1.0',
            root=self.bodies[_WORLD_BODY].name,
            bodies=tuple(self.bodies), joints=tuple(self.joints),
            coordinates=tuple(self.coordinates),
            frames=tuple(self.frames), scopes=scopes, is_world=self.is_world, gravity=gravity,
            location=world.location)

    def _scoped(self, skeleton: Skeleton, name: str) -> str:
        """Return a name as the Model has it: in a world behind its skeleton's."""
        return f'{skeleton.name}/{name}' if self.is_world else name

    def _add_world(self) -> None:
        """Add the world's body, which steps aside for a body of the file with its name."""
        taken = {
            self._scoped(skeleton, joint.child)
            for skeleton in self.skeletons for joint in skeleton.joints}
        name = WORLD
        while name in taken:
            name += '_root'
        self.frame_names.claim(name)
        self.bodies.append(Body(name, WORLD, static=True))
        self.frames.append(Frame(name, WORLD, WORLD, _WORLD_BODY))

    def _add_skeleton(self, skeleton: Skeleton) -> None:
        indices: dict[Optional[str], int] = {None: _WORLD_BODY}
        for joint in skeleton.joints:
            indices[joint.child] = len(self.bodies)
            self._add_body(skeleton, skeleton.bodies[joint.child].body)
            self._add_joint(skeleton, joint, indices[joint.parent])

    def _add_body(self, skeleton: Skeleton, body: Body) -> None:
        name = self.frame_names.claim(self._scoped(skeleton, body.name), '', body.location)
        source_name = f'{skeleton.name}/{body.name}'
        self.frames.append(
            Frame(name, source_name, 'link', len(self.bodies), IDENTITY, '', body.location))
        self.bodies.append(body._replace(name=name, source_name=source_name))

    def _add_joint(self, skeleton: Skeleton, joint: JointPart, parent: int) -> None:
        """Add a joint to the body that was added last."""
        child, first = len(self.bodies) - 1, len(self.coordinates)
        parent_from_child = relative(self.bodies[parent].pose, self.bodies[child].pose)
        name = self.joint_names.claim(self._scoped(skeleton, joint.name), '', joint.location)
        self.joints.append(Joint(
            name, f'{skeleton.name}/{joint.name}', joint.type, parent, child,
            compose(parent_from_child, joint.child_from_joint), joint.child_from_joint,
            tuple(_counted_from(first, motion) for motion in joint.motions),
            joint.actuator, location=joint.location))
        for found in joint.coordinates:
            name = self._scoped(skeleton, found.name)
            self.coordinates.append(renamed_as(
                self.coordinate_names.claim(name, '', found.location), found))

    def _rename_coordinates(self, location: SourceRef) -> None:
        """Give the coordinates the names that the user chose."""
        names = [found.name for found in self.coordinates]
        chosen = renamed(names, self.chosen_names, location, self.report)
        self.coordinates = [
            found._replace(name=name) for found, name in zip(self.coordinates, chosen)]

    def _add_markers(self, skeleton: Skeleton, indices: Mapping[str, int]) -> None:
        for joint in skeleton.joints:
            for marker in skeleton.bodies[joint.child].element.all('marker'):
                short = marker.string('name')
                name = self.frame_names.claim(
                    self._scoped(skeleton, short), '_marker', marker.location)
                self.frames.append(Frame(
                    name, f'{skeleton.name}/{short}', 'marker',
                    indices[f'{skeleton.name}/{joint.child}'],
                    translation(*marker.vector3('offset')), '', marker.location))


def _counted_from(first: int, motion: Motion) -> Motion:
    """Return a motion that reads the Model's coordinates instead of its joint's."""
    coordinates = tuple([first + at for at in motion.coordinates])
    return Motion(motion.kind, motion.axis, coordinates, motion.scale, motion.offset)
