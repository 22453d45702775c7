# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The Model from resolved scopes, with the names in it.

In frames, links win, then ``<frame>``s, then joints, then models, then the parts of links and
joints; a top model's own name comes last. Joints are a namespace of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
import math
from typing import Literal

from hrdf_ros import formats
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.formats import SDF_HOLDERS
from hrdf_ros.names import Names
from hrdf_ros.pose import compose, IDENTITY, Pose, relative, Z_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.couplings import Couplings
from hrdf_ros.readers.sdf.element import is_portable, name_of, portable_text, pose_of, raw_text
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE, pitch_of
from hrdf_ros.readers.sdf.scopes import Axis, Joint, Link, Scope, ScopedElement, with_inner
from hrdf_ros.topology import zero_poses

_MOTIONS: dict[str, Literal['revolute', 'prismatic', 'screw']] = {
    'prismatic': 'prismatic', 'screw': 'screw'}
_WORLD_FRAMES = ('light', 'actor')
"""Elements that are frames of a world although they are not in its scope."""


def build_model(
    world: Scope, top: Scope, items: Sequence[ScopedElement], version: str, report: Report,
) -> m.Model:
    """
    Return the Model; changed names and ignored mimics are reported.

    ``world`` is the outermost scope, where poses begin, ``top`` the one that becomes the Model: a
    model, or the world itself; ``items`` is all of it in document order, a model itself first.
    """
    built = _WorldBuilder(world, top, items, report)
    model = m.Model(
        name=top.name,
        format='sdf',
        version=version,
        root='world' if world.kind == 'world' else '__root__',
        bodies=tuple(built.bodies),
        joints=tuple(built.joints),
        coordinates=tuple(built.coordinates),
        constraints=tuple(built.constraints),
        frames=tuple(built.frames),
        scopes=tuple(built.scopes),
        canonical_body=built.canonical_body(top),
        is_world=top.kind == 'world',
        static=top.static or top.static_by_include,
        pose=top.root_from_scope,
        gravity=world.content.vector3('gravity') if world.kind == 'world' else None,
        extensions=tuple(built.extensions),
        location=top.content.location,
        conventions=formats.SDF)
    if not any(each.mimic is not None and each.mimic.offset for each in model.coordinates):
        return model
    # bodies are where joints that mimic with an offset hold them
    return model._replace(bodies=tuple(
        body._replace(pose=pose) for body, pose in zip(model.bodies, zero_poses(model))))


class _WorldBuilder:
    """
    The tables of a Model while they grow.

    ``_indices`` are the bodies of links and scopes; the body of the world, where there is one, has
    index 0. ``_axes`` are the axes of the coordinates. ``_prefixes`` belong before the names in
    each scope.
    """

    def __init__(
        self, world: Scope, top: Scope, items: Sequence[ScopedElement], report: Report,
    ) -> None:
        self.bodies: list[m.Body] = []
        self.joints: list[m.Joint] = []
        self.coordinates: list[m.Coordinate] = []
        self.constraints: list[m.Constraint] = []
        self.frames: list[m.Frame] = []
        self.scopes: list[m.ModelScope] = []
        self.extensions: list[m.RawElement] = []
        self._indices: dict[ScopedElement, int] = {}
        self._axes: dict[Axis, int] = {}
        self._prefixes = {top: ''}
        self._frame_names = Names(report)
        self._joint_names = Names(report)
        couplings = Couplings(items, report)
        scopes = with_inner(top)
        for scope in scopes:
            for model in scope.models:
                self._prefixes[model] = f'{self._prefixes[scope]}{model.name}/'
        if _needs_world(top, items):
            self._add_world(world)
        self._names = self._name_frames(top, items)
        self._add_bodies(items)
        for scope in (world, *scopes):
            self._indices[scope] = max(self.canonical_body(scope), 0)
        self._add_joints(items)
        for follower, (leader, multiplier, offset) in couplings.by_follower.items():
            index = self._axes[follower]
            self.coordinates[index] = self.coordinates[index]._replace(
                mimic=m.Mimic(self._axes[leader], multiplier, offset))
        self._add_scopes(items)
        self._add_frames(top, items)

    def canonical_body(self, scope: Scope) -> int:
        """Return the body of a scope's canonical link, NONE where it has none."""
        return m.NONE if scope.canonical is None else self._index(scope.canonical)

    def _index(self, body: ScopedElement) -> int:
        """Return the index of a body, NONE where it could not be resolved."""
        return self._indices.get(body, m.NONE)

    def _name_frames(
        self, top: Scope, items: Iterable[ScopedElement],
    ) -> dict[ScopedElement, str]:
        """Return the names of all frames but parts, claimed in the order of precedence."""
        prefixes, claim = self._prefixes, self._frame_names.claim
        groups: dict[str, list[ScopedElement]] = {
            'link': [], 'frame': [], 'joint': [], 'model': []}
        for item in items:
            if item is not top:
                groups[item.kind].append(item)
        if top.kind == 'model':
            groups['model'].append(top)
        return {
            item: claim(prefixes.get(item.scope, '') + item.name, f'_{kind}', item.location)
            for kind, group in groups.items() for item in group}

    def _body_of(self, item: ScopedElement) -> tuple[int, Pose]:
        """Return the body that carries an element and the pose in it, exact if written so."""
        body = item.body or item.scope
        index = self._index(body)
        if body is item and item.kind == 'link':
            return index, IDENTITY
        if body.scope is item.scope and body.kind == 'link':
            if item.relative_to == body.name:
                return index, item.pose
            return index, relative(body.scope_pose or IDENTITY, item.scope_pose or IDENTITY)
        return index, relative(_root_from(body), item.root_pose)

    # ---- bodies and joints

    def _add_world(self, world: Scope) -> None:
        """Add the world as a body, for everything that is fixed to it."""
        name = self._frame_names.claim('world')
        self.bodies.append(m.Body(name, 'world', static=True, location=world.location))
        self.frames.append(m.Frame(name, 'world', 'world', 0, location=world.location))

    def _add_bodies(self, items: Iterable[ScopedElement]) -> None:
        """Add the links, and the bodies of interface models."""
        for item in items:
            if isinstance(item, Link):
                scope = item.scope
                self._indices[item] = len(self.bodies)
                self.bodies.append(m.Body(
                    self._names[item], item.scoped_name, item.inertia, tuple(item.visuals),
                    tuple(item.collisions), scope.static or scope.static_by_include,
                    item.root_pose, '', self._raws(item.preserved), item.location))
            elif isinstance(item, Scope) and item.interface is not None:
                links = [child for child in item.children if child.kind == 'link']
                for body, link in zip(item.interface.bodies, links):
                    self._indices[link] = len(self.bodies)
                    self.bodies.append(body._replace(
                        name=self._names[link], source_name=link.scoped_name,
                        pose=link.root_pose,
                        static=body.static or item.static or item.static_by_include))
                self.extensions.extend(map(_of_part, item.interface.extensions))

    def _add_joints(self, items: Iterable[ScopedElement]) -> None:
        for item in items:
            if isinstance(item, Joint) and item.parent_body is not None:
                name = self._joint_names.claim(
                    self._prefixes[item.scope] + item.name, '', item.location)
                if item.type == 'gearbox':
                    self._add_gearbox(item, name, item.parent_body)
                else:
                    self._add_joint(item, name, item.parent_body)
            elif isinstance(item, Scope) and item.interface is not None:
                self._embed_joints(item, item.interface)

    def _add_joint(self, joint: Joint, name: str, parent: ScopedElement) -> None:
        child, child_from_joint = self._body_of(joint)
        if parent.kind == 'link' and parent.scope is joint.scope:
            parent_from_joint = relative(
                parent.scope_pose or IDENTITY, joint.scope_pose or IDENTITY)
        else:
            parent_from_joint = relative(_root_from(parent), joint.root_pose)
        self.joints.append(m.Joint(
            name, joint.scoped_name, joint.type, self._index(parent), child, parent_from_joint,
            child_from_joint, self._add_motions(joint, name), '', self._raws(joint.preserved),
            joint.location))

    def _add_gearbox(self, joint: Joint, name: str, parent: ScopedElement) -> None:
        """Add a gearbox; the directions of its axes are among the values, in the joint's frame."""
        bodies = [parent, joint.body or joint.scope]
        if joint.reference is not None:
            bodies.append(joint.reference)
        directions = tuple(
            (f'{tag}_{letter}', value) for tag in joint.axes
            for letter, value in zip('xyz', joint.direction(tag)))
        ratio = joint.element.number('gearbox_ratio')
        self.constraints.append(m.Constraint(
            name=name, kind='gearbox', bodies=tuple(map(self._index, bodies)),
            values=(('ratio', ratio), *directions), location=joint.location,
            source_name=joint.scoped_name))

    def _add_motions(self, joint: Joint, name: str) -> tuple[m.Motion, ...]:
        """Return the motions of a joint in product order, and add its coordinates."""
        if joint.type == 'ball':
            x, y, z = [
                self._add_coordinate(f'{name}_{axis}', Axis(m.Coordinate(
                    '', 'angle', location=joint.location))) for axis in 'xyz']
            return (m.Motion('rotation_vector', Z_AXIS, (x, y, z)),)
        kind = _MOTIONS.get(joint.type, 'revolute')
        scale = pitch_of(joint.element) / math.tau if kind == 'screw' else 1.0
        tags = AXES_OF_TYPE[joint.type]
        return tuple([
            m.Motion(kind, axis.direction, (self._add_coordinate(
                name if len(tags) == 1 else f'{name}_{number}', axis),), scale)
            for number, axis in enumerate(map(joint.axes.__getitem__, tags), 1)])

    def _add_coordinate(self, name: str, axis: Axis) -> int:
        """Add the coordinate of an axis, free for now."""
        index = self._axes[axis] = len(self.coordinates)
        self.coordinates.append(axis.coordinate._replace(name=name, mimic=None))
        return index

    def _embed_joints(self, scope: Scope, model: m.Model) -> None:
        """Add the joints, coordinates and constraints of an interface model."""
        prefix, path = self._prefixes[scope], scope.path
        bodies = next(
            (self._indices[item] for item in scope.children if item.kind == 'link'), 0)
        first, joints = len(self.coordinates), len(self.joints)
        for axis in scope.axes:
            self._add_coordinate(prefix + axis.coordinate.name, axis)
        for joint in model.joints:
            self.joints.append(joint._replace(
                name=self._joint_names.claim(prefix + joint.name, '', scope.content.location),
                source_name=f'{path}::{joint.source_name}', parent=joint.parent + bodies,
                child=joint.child + bodies, motions=tuple(
                    motion._replace(coordinates=tuple(
                        index + first for index in motion.coordinates))
                    for motion in joint.motions)))
        for each in model.constraints:
            self.constraints.append(each._replace(
                name=prefix + each.name, source_name=f'{path}::{each.source_name}',
                bodies=tuple(index + bodies for index in each.bodies),
                joints=tuple(index + joints for index in each.joints), held_by=()))

    # ---- frames and scopes

    def _add_frames(self, top: Scope, items: Iterable[ScopedElement]) -> None:
        """Add a frame for everything that can be named, in document order."""
        if top.kind == 'world':
            self._add_scope_parts(top)
        for item in items:
            index, pose = self._body_of(item)
            name = self._names[item]
            kind, tag = (item.kind, '') if item.frame is None else (
                item.frame.kind, item.frame.tag)
            self.frames.append(m.Frame(
                name, item.scoped_name, kind, index, pose, tag, item.location))
            for element in item.framed:
                self._add_part(
                    element, f'{name}/', f'{item.scoped_name}::', index,
                    compose(pose, pose_of(element)))
            if isinstance(item, Scope):
                self._add_scope_parts(item)

    def _add_part(
        self, element: TypedElement, prefix: str, path: str, body: int, pose: Pose,
    ) -> None:
        """Add the frame of a sensor, a light and the like in a link, joint or world."""
        name = name_of(element) or element.tag
        self.frames.append(m.Frame(
            self._frame_names.claim(prefix + name, f'_{element.tag}', element.location),
            path + name, element.tag, body, pose, '', element.location, SDF_HOLDERS))

    def _add_scope_parts(self, scope: Scope) -> None:
        """Preserve the other elements of a scope; a world's lights and actors are frames too."""
        if scope.is_placeholder:
            self.extensions.append(m.RawElement(
                'include', portable_text(scope.content, scope.scope_pose or IDENTITY),
                scope.content.location, scope.path, SDF_HOLDERS))
            return
        self.extensions.extend(self._raws(scope.others, scope.path))
        if scope.kind == 'world':
            for element in scope.others:
                if element.tag in _WORLD_FRAMES:
                    self._add_part(element, '', '', 0, pose_of(element))

    def _raws(self, elements: Iterable[TypedElement], owner: str = '') -> tuple[m.RawElement, ...]:
        """Return elements as text that means the same in a file of the newest version."""
        return tuple([
            m.RawElement(
                element.tag, raw_text(element) if is_portable(element) else
                portable_text(element, pose_of(element)), element.location, owner, SDF_HOLDERS)
            for element in elements]) if elements else ()

    def _add_scopes(self, items: Iterable[ScopedElement]) -> None:
        """Add every model, the top one first."""
        indices: dict[Scope, int] = {}
        for model in items:
            if isinstance(model, Scope):
                indices[model] = len(self.scopes)
                self.scopes.append(m.ModelScope(
                    self._names[model], model.path, indices.get(model.scope, m.NONE),
                    self.canonical_body(model), model.static, model.root_from_scope,
                    model.location))


def _needs_world(top: Scope, items: Sequence[ScopedElement]) -> bool:
    """Return whether something is fixed to the world, so that it has to be a body."""
    return top.kind == 'world' or any(
        isinstance(item.body, Scope) and item.body.canonical is None
        or isinstance(item, Joint) and item.parent == 'world' for item in items)


def _of_part(raw: m.RawElement) -> m.RawElement:
    """Return XML of an included robot, which is none of the robot around it in a URDF."""
    return raw._replace(held_by=tuple([each for each in raw.held_by if each != 'urdf']))


def _root_from(body: ScopedElement) -> Pose:
    """Return the pose of the link that a body is: of a scope its canonical one."""
    link = body.canonical if isinstance(body, Scope) else body
    return IDENTITY if link is None else link.root_pose
