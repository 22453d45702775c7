# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Build the Model from resolved scopes, and give names to everything in it.

Where frames compete for a name, links win, then ``<frame>``s, then joints, then models, then the
parts of links and joints; the top model comes last. Joints have a namespace of their own.
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
from hrdf_ros.parsing.sdf import ROOT
from hrdf_ros.pose import compose, IDENTITY, Pose, relative, Z_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.couplings import AxisKey, Couplings
from hrdf_ros.readers.sdf.element import is_portable, name_of, portable_text, raw_text
from hrdf_ros.readers.sdf.joint import AXES_OF_TYPE, pitch_of, ResolvedJoint
from hrdf_ros.readers.sdf.records import Frame, Joint, Link, Scope
from hrdf_ros.readers.sdf.references import Resolved
from hrdf_ros.topology import span, zero_poses

_MOTIONS: dict[str, Literal['revolute', 'prismatic', 'screw']] = {
    'prismatic': 'prismatic', 'screw': 'screw'}
_WORLD_FRAMES = ('light', 'actor')
"""Elements that are frames of a world although they are not items of its scope."""


def build_model(
    top: int, items: Sequence[int], resolved: Resolved, version: str, report: Report,
) -> m.Model:
    """
    Return the Model; changed names and ignored mimics are reported.

    ``top`` is the index of the scope that becomes the Model: a model, or the world itself.
    ``items`` are the indices of all its items in document order, a model itself first. Poses are
    relative to the outermost scope.
    """
    frames = resolved.frames
    world, scope = frames.tree.scopes[0], frames.tree.scopes[top]
    built = _WorldBuilder(top, items, resolved, report)
    model = m.Model(
        name=scope.name,
        format='sdf',
        version=version,
        root='world' if world.kind == 'world' else ROOT,
        bodies=tuple(built.bodies),
        joints=tuple(built.joints),
        coordinates=tuple(built.coordinates),
        constraints=tuple(built.constraints),
        frames=tuple(built.frames),
        scopes=tuple(built.scopes),
        canonical_body=built.canonical_body(top),
        is_world=scope.kind == 'world',
        static=scope.static or frames.static[top],
        pose=frames.root_from_scope[top],
        gravity=world.content.vector3('gravity') if world.kind == 'world' else None,
        extensions=tuple(built.extensions),
        location=scope.content.location,
        conventions=formats.SDF._replace(free_scopes=tuple(built.free_scopes)))
    if not any(each.mimic is not None and each.mimic.offset for each in model.coordinates):
        return model
    # bodies are stored before the mimics with an offset that refer to them
    poses = zero_poses(model, span(model))
    return model._replace(bodies=tuple(
        body._replace(pose=pose) for body, pose in zip(model.bodies, poses)))


class _WorldBuilder:
    """
    The tables of a Model while they grow.

    ``_indices`` are the bodies of links and scopes; the body of the world, where there is one, has
    index 0. ``_axes`` are the coordinates of the axes. ``_prefixes`` are put before the names in
    each scope.
    """

    def __init__(
        self, top: int, items: Sequence[int], resolved: Resolved, report: Report,
    ) -> None:
        self.bodies: list[m.Body] = []
        self.joints: list[m.Joint] = []
        self.coordinates: list[m.Coordinate] = []
        self.constraints: list[m.Constraint] = []
        self.frames: list[m.Frame] = []
        self.scopes: list[m.ModelScope] = []
        self.extensions: list[m.RawElement] = []
        self.free_scopes: list[str] = []
        self._resolved = resolved
        self._frames = resolved.frames
        self._tree = tree = resolved.frames.tree
        self._indices: dict[int, int] = {}
        self._axes: dict[AxisKey, int] = {}
        self._prefixes = {top: ''}
        self._frame_names = Names(report)
        self._joint_names = Names(report)
        couplings = Couplings(items, resolved, report)
        scopes = tree.scopes_in(top)
        for index in scopes[1:]:
            self._prefixes[index] = (
                f'{self._prefixes[tree.around[index]]}{tree.items[index].name}/')
        if self._needs_world(top, items):
            self._add_world()
        self._names = self._name_frames(top, items)
        self._add_bodies(items)
        for scope in (0, *scopes):
            self._indices[scope] = max(self.canonical_body(scope), 0)
        self._add_joints(items)
        for follower, (leader, multiplier, offset) in couplings.by_follower.items():
            index = self._axes[follower]
            self.coordinates[index] = self.coordinates[index]._replace(
                mimic=m.Mimic(self._axes[leader], multiplier, offset))
        self._add_scopes(items)
        self._add_frames(top, items)

    def canonical_body(self, scope: int) -> int:
        """Return the body of a scope's canonical link, NONE where it has none."""
        return self._index(self._frames.canonical[scope])

    def _index(self, body: int) -> int:
        """Return the index of a body, NONE where it could not be resolved."""
        return self._indices.get(body, m.NONE)

    def _name_frames(self, top: int, items: Iterable[int]) -> dict[int, str]:
        """Return the names of all frames except parts, claimed in the order of precedence."""
        tree, prefixes, claim = self._tree, self._prefixes, self._frame_names.claim
        groups: dict[str, list[int]] = {'link': [], 'frame': [], 'joint': [], 'model': []}
        for index in items:
            if index != top:
                groups[tree.items[index].kind].append(index)
        if tree.items[top].kind == 'model':
            groups['model'].append(top)
        return {
            index: claim(
                prefixes.get(tree.around[index], '') + tree.items[index].name, f'_{kind}',
                tree.items[index].location)
            for kind, group in groups.items() for index in group}

    def _needs_world(self, top: int, items: Iterable[int]) -> bool:
        """Return whether an item is fixed to the world, so that the world has to be a body."""
        frames, all_items = self._frames, self._tree.items
        return all_items[top].kind == 'world' or any(
            frames.link_of(frames.bodies[index]) == m.NONE
            or all_items[index].kind == 'joint' and frames.joint(index).parent == 'world'
            for index in items)

    def _body_of(self, index: int) -> tuple[int, Pose]:
        """Return the body of an item and the pose in it, kept exact if the file gives it."""
        frames, tree = self._frames, self._tree
        body = frames.bodies[index]
        if tree.items[index].kind == 'link':
            pose = IDENTITY
        elif tree.items[body].kind != 'link' or tree.around[body] != tree.around[index]:
            pose = relative(frames.root_pose_of(body), frames.root_pose(index))
        elif frames.against[index] == body:
            pose = tree.items[index].pose
        else:
            pose = relative(frames.poses[body], frames.poses[index])
        return self._index(body), pose

    # ---- bodies and joints

    def _add_world(self) -> None:
        """Add the world as a body for everything that is fixed to it."""
        location = self._tree.items[0].location
        name = self._frame_names.claim('world')
        self.bodies.append(m.Body(name, 'world', static=True, location=location))
        self.frames.append(m.Frame(name, 'world', 'world', 0, location=location))

    def _add_bodies(self, items: Iterable[int]) -> None:
        """Add the links, and the bodies of interface models."""
        tree, frames = self._tree, self._frames
        for index in items:
            item = tree.items[index]
            if isinstance(item, Link):
                scope = tree.around[index]
                link = self._resolved.links.get(index, item)
                self._indices[index] = len(self.bodies)
                self.bodies.append(m.Body(
                    name=self._names[index], source_name=frames.scoped_name(index),
                    inertia=link.inertia, visuals=tuple(link.visuals),
                    collisions=tuple(link.collisions),
                    static=tree.scopes[scope].static or frames.static[scope],
                    pose=frames.root_pose(index), extensions=self._raws(item.preserved),
                    location=item.location))
            elif isinstance(item, Scope) and item.interface is not None:
                for body, link_index in zip(item.interface.bodies, tree.links(index)):
                    self._indices[link_index] = len(self.bodies)
                    self.bodies.append(body._replace(
                        name=self._names[link_index],
                        source_name=frames.scoped_name(link_index),
                        pose=frames.root_pose(link_index),
                        visuals=_lit(body.visuals, item.interface.conventions),
                        static=body.static or item.static or frames.static[index]))
                self.extensions.extend(map(_of_part, item.interface.extensions))

    def _add_joints(self, items: Iterable[int]) -> None:
        """Add the joints that connect two bodies, and those of interface models."""
        for index in items:
            item = self._tree.items[index]
            if isinstance(item, Joint) and index in self._resolved.joints:
                name = self._joint_names.claim(
                    self._prefixes[self._tree.around[index]] + item.name, '',
                    item.location)
                if item.type == 'gearbox':
                    self._add_gearbox(index, item, name)
                else:
                    self._add_joint(index, item, name)
            elif isinstance(item, Scope) and item.interface is not None:
                self._embed_joints(index, item.interface)

    def _add_joint(self, index: int, joint: Joint, name: str) -> None:
        """Add a joint with its motions and coordinates."""
        tree, frames, resolved = self._tree, self._frames, self._resolved.joints[index]
        child, child_from_joint = self._body_of(index)
        parent = resolved.parent
        if tree.items[parent].kind == 'link' and tree.around[parent] == tree.around[index]:
            parent_from_joint = relative(frames.poses[parent], frames.poses[index])
        else:
            parent_from_joint = relative(frames.root_pose_of(parent), frames.root_pose(index))
        self.joints.append(m.Joint(
            name=name, source_name=frames.scoped_name(index), type=joint.type,
            parent=self._index(parent), child=child, parent_from_joint=parent_from_joint,
            child_from_joint=child_from_joint,
            motions=self._add_motions(index, joint, resolved, name),
            extensions=self._raws(joint.preserved), location=joint.location))

    def _add_gearbox(self, index: int, joint: Joint, name: str) -> None:
        """Add a gearbox, whose values include the directions of its axes in the joint's frame."""
        frames, resolved = self._frames, self._resolved.joints[index]
        bodies = [resolved.parent, frames.bodies[index]]
        if resolved.reference != m.NONE:
            bodies.append(resolved.reference)
        directions = tuple(
            (f'{tag}_{letter}', value) for tag, axis in resolved.axes.items()
            for letter, value in zip('xyz', axis.direction))
        ratio = joint.element.number('gearbox_ratio')
        self.constraints.append(m.Constraint(
            name=name, kind='gearbox', bodies=tuple(map(self._index, bodies)),
            values=(('ratio', ratio), *directions), location=joint.location,
            source_name=frames.scoped_name(index)))

    def _add_motions(
        self, index: int, joint: Joint, resolved: ResolvedJoint, name: str,
    ) -> tuple[m.Motion, ...]:
        """Return the motions of a joint in product order, and add its coordinates."""
        if joint.type == 'ball':
            first = len(self.coordinates)
            self.coordinates += [
                m.Coordinate(f'{name}_{axis}', 'angle', location=joint.location)
                for axis in 'xyz']
            return (m.Motion('rotation_vector', Z_AXIS, (first, first + 1, first + 2)),)
        kind = _MOTIONS.get(joint.type, 'revolute')
        scale = pitch_of(joint.element) / math.tau if kind == 'screw' else 1.0
        tags = AXES_OF_TYPE[joint.type]
        motions = []
        for number, tag in enumerate(tags, 1):
            axis = resolved.axes[tag]
            coordinate = self._add_coordinate(
                (index, tag), axis.coordinate, name if len(tags) == 1 else f'{name}_{number}')
            motions.append(m.Motion(kind, axis.direction, (coordinate,), scale))
        return tuple(motions)

    def _add_coordinate(self, axis: AxisKey, coordinate: m.Coordinate, name: str) -> int:
        """Add the coordinate of an axis; it follows no other yet."""
        index = self._axes[axis] = len(self.coordinates)
        self.coordinates.append(coordinate._replace(name=name, mimic=None))
        return index

    def _embed_joints(self, scope: int, model: m.Model) -> None:
        """Add the joints, coordinates and constraints of an interface model."""
        prefix, path = self._prefixes[scope], self._frames.paths[scope]
        location = self._tree.scopes[scope].content.location
        bodies = next((self._indices[link] for link in self._tree.links(scope)), 0)
        if model.conventions.free_without_limits:
            self.free_scopes.append(path)
        self.free_scopes += [f'{path}::{name}' for name in model.conventions.free_scopes]
        first, joints = len(self.coordinates), len(self.joints)
        for number, coordinate in enumerate(model.coordinates):
            self._add_coordinate((scope, number), coordinate, prefix + coordinate.name)
        for joint in model.joints:
            self.joints.append(joint._replace(
                name=self._joint_names.claim(prefix + joint.name, '', location),
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

    def _add_frames(self, top: int, items: Iterable[int]) -> None:
        """Add a frame for each item that has a name, in document order."""
        if self._tree.items[top].kind == 'world':
            self._add_scope_parts(top)
        for index in items:
            item = self._tree.items[index]
            body, pose = self._body_of(index)
            name, source_name = self._names[index], self._frames.scoped_name(index)
            kind, tag = (
                (item.model_frame.kind, item.model_frame.tag)
                if isinstance(item, Frame) and item.model_frame is not None else (item.kind, ''))
            self.frames.append(m.Frame(
                name, source_name, kind, body, pose, tag, item.location))
            if isinstance(item, (Link, Joint)):
                for element in item.framed:
                    self._add_part(
                        element, f'{name}/', f'{source_name}::', body,
                        compose(pose, self._resolved.pose_of(element)))
            elif isinstance(item, Scope):
                self._add_scope_parts(index)

    def _add_part(
        self, element: TypedElement, prefix: str, path: str, body: int, pose: Pose,
    ) -> None:
        """Add the frame of a part, such as a sensor or a light, in a link, joint or world."""
        name = name_of(element) or element.tag
        self.frames.append(m.Frame(
            self._frame_names.claim(prefix + name, f'_{element.tag}', element.location),
            path + name, element.tag, body, pose, '', element.location, SDF_HOLDERS))

    def _add_scope_parts(self, index: int) -> None:
        """Preserve the other elements of a scope; lights and actors of a world are frames too."""
        scope, path = self._tree.scopes[index], self._frames.paths[index]
        if scope.is_placeholder:
            self.extensions.append(m.RawElement(
                'include', portable_text(scope.content, self._frames.poses[index]),
                scope.content.location, path, SDF_HOLDERS))
            return
        self.extensions.extend(self._raws(scope.others, path))
        if scope.kind == 'world':
            for element in scope.others:
                if element.tag in _WORLD_FRAMES:
                    self._add_part(element, '', '', 0, self._resolved.pose_of(element))

    def _raws(self, elements: Iterable[TypedElement], owner: str = '') -> tuple[m.RawElement, ...]:
        """Return elements as text that means the same in a file of the newest version."""
        return tuple([
            m.RawElement(
                element.tag, raw_text(element) if is_portable(element) else
                portable_text(element, self._resolved.pose_of(element)), element.location, owner,
                SDF_HOLDERS)
            for element in elements]) if elements else ()

    def _add_scopes(self, items: Iterable[int]) -> None:
        """Add every model, the top one first."""
        indices: dict[int, int] = {}
        for index in items:
            model = self._tree.items[index]
            if isinstance(model, Scope):
                indices[index] = len(self.scopes)
                self.scopes.append(m.ModelScope(
                    self._names[index], self._frames.paths[index],
                    indices.get(self._tree.around[index], m.NONE), self.canonical_body(index),
                    model.static, self._frames.root_from_scope[index], model.location,
                    model.namespace))


def _lit(shapes: tuple[m.Shape, ...], conventions: m.Conventions) -> tuple[m.Shape, ...]:
    """Return visuals of an included robot; the color of all light is in SDFormat stated twice."""
    if not conventions.single_color:
        return shapes
    return tuple(
        shape if shape.material is None else shape._replace(material=shape.material._replace(
            ambient=shape.material.ambient or shape.material.diffuse))
        for shape in shapes)


def _of_part(raw: m.RawElement) -> m.RawElement:
    """Return raw XML of an included robot, which a URDF cannot hold for the robot around it."""
    return raw._replace(held_by=tuple([each for each in raw.held_by if each != 'urdf']))
