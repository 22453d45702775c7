# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The tree of bodies as bodies, joints, coordinates and frames of a Model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Body, Constraint, Coordinate, Frame, Joint, Model, Motion, shapes
from hrdf_ros.names import Names, renamed
from hrdf_ros.pose import compose, IDENTITY, Pose, Vector, z_to
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.mjcf.bodies import BodyNode, BodyReader, Item, Scope, WORLD
from hrdf_ros.readers.mjcf.body_inertia import BodyInertias
from hrdf_ros.readers.mjcf.equality import EqualityReader
from hrdf_ros.readers.mjcf.geoms import geometry, read_solid, Solid
from hrdf_ros.readers.mjcf.joints import group, JointGroup, kept_of, read_joints
from hrdf_ros.readers.mjcf.kept import is_left_behind, left_over, raw_element, Sections
from hrdf_ros.readers.mjcf.keyframes import KeyReader, Slot
from hrdf_ros.readers.mjcf.parts import Parts, Place, Scalar
from hrdf_ros.readers.mjcf.poses import read_pose
from hrdf_ros.readers.mjcf.schema import NOT_READ
from hrdf_ros.readers.mjcf.settings import MAIN

_GREY: shapes.Color = (0.5, 0.5, 0.5, 1.0)
_FRAMES = ('site', 'camera', 'light')
_ORIENTATION = ('quat', 'axisangle', 'xyaxes', 'zaxis', 'euler')
_BODY_READ = ('name', 'childclass', 'pos', *_ORIENTATION)
_GEOM_READ = (
    'name', 'type', 'size', 'pos', *_ORIENTATION, 'fromto', 'material', 'rgba', 'mass', 'density',
    'shellinertia', 'fitscale')
_FRAME_READ = ('name', 'pos', *_ORIENTATION, 'fromto')
_LAST_VISIBLE_GROUP = 2
"""The last group of geoms that MuJoCo's viewer shows at first."""
_WIDEST_VIEW = 180.0
_SHORTEST_DIRECTION = 1e-6


class ModelBuilder:
    """Puts a tree of bodies into a Model."""

    def __init__(self, scope: Scope, name: str, context: Context) -> None:
        self._scope, self._name, self._context = scope, name, context
        report = self._report = context.report
        self._inertias = BodyInertias(scope, context)
        self._assets = self._inertias.assets
        self._parts = Parts(report)
        self._frame_names = Names(report)
        self._joint_names = Names(report)
        self._coordinate_names = Names(report)
        self._names_of_items: dict[int, str] = {}
        self._bodies: list[Body] = []
        self._joints: list[Joint] = []
        self._coordinates: list[Coordinate] = []
        self._frames: list[Frame] = []
        self._slots: dict[object, Slot] = {}
        self._constraints: list[Constraint] = []
        self._kept: list[shapes.RawElement] = []
        self._kept_assets: set[str] = set()

    # ---- the tree

    def add_tree(self, world: BodyNode) -> None:
        """Add every body with its joints, shapes and frames."""
        walked = list(world.walk())
        nodes = [node for node, _ in walked]
        self._name_bodies(nodes)
        self._name_joints(nodes)
        solids = self._solids(nodes)
        indices: dict[int, int] = {}
        moving: set[int] = set()
        for (node, parent), inertia in zip(walked, self._inertias.find(nodes, solids)):
            above = -1 if parent is None else indices[id(parent)]
            if id(parent) in moving or any(node.all('joint', 'freejoint')):
                moving.add(id(node))
            self._check_static(node, id(node) in moving, above)
            index = self._add_joints(node, above)
            indices[id(node)] = index
            pose = node.pose if parent is None else compose(
                self._parts.world_poses[above], node.pose)
            self._add_body(node, index, pose, inertia, solids)
        for node in nodes:
            self._add_frames(node, indices[id(node)])

    def _check_static(self, node: BodyNode, moves: bool, above: int) -> None:
        """Report planes that joints move, and mocap bodies that are not fixed in the world."""
        for item in node.all('geom'):
            if moves and item.element.value('type', '') == 'plane':
                self._report.add(
                    codes.MJCF_NOT_ALLOWED, 'a plane is for bodies without joints only',
                    item.element.locate('type'))
        if node.source is not None and node.source.element.value('mocap', False) and (
                moves or above > 0):
            self._report.add(
                codes.MJCF_NOT_ALLOWED, 'a mocap body must be fixed in the world',
                node.source.element.locate('mocap'))

    def _name_bodies(self, nodes: Sequence[BodyNode]) -> None:
        """Claim the names of bodies; those without a name get one that no body of the file has."""
        names = self._parts.names['body']
        for node in nodes:
            if node.source is None:
                names.add(node.name)
            else:
                self._parts.claim('body', node.name, node.source.element)
        for node in nodes:
            node.name = self._frame_names.claim(
                node.name or self._parts.made_up('body', names),
                location=node.source and node.source.element.locate('name'))

    def _name_joints(self, nodes: Sequence[BodyNode]) -> None:
        """Name every joint: its own name, else one that no joint of the file has."""
        items = [item for node in nodes for item in node.all('joint', 'freejoint')]
        for item in items:
            self._parts.claim('joint', item.name, item.element)
        names = self._parts.names['joint']
        self._names_of_items = {
            id(item): item.name or self._parts.made_up('joint', names) for item in items}

    def _solids(self, nodes: Sequence[BodyNode]) -> dict[int, Solid]:
        """Return the shape of each geom that has one, by the id of its item."""
        return {
            id(item): solid for node in nodes for item in node.all('geom')
            if (solid := read_solid(item, self._report)) is not None}

    def _add_joints(self, node: BodyNode, parent: int) -> int:
        """Add the joints of a body, with massless bodies between them; return its index."""
        if node.source is None:
            return len(self._bodies)
        items = list(node.all('joint', 'freejoint'))
        parts = read_joints(node, [self._names_of_items[id(item)] for item in items], self._report)
        if parent > 0 and any(part.kind == 'free' for part in parts):
            self._report.add(
                codes.MJCF_NOT_ALLOWED, 'a free joint is for bodies of the world only',
                parts[0].item.element.element.location)
        groups = group(parts, node.pose)
        for index, each in enumerate(groups):
            child = len(self._bodies)
            if index < len(groups) - 1:
                self._add_between(node, each)
            self._add_joint(node, each, parent, child)
            parent = child
        if not groups:
            name = self._joint_names.claim(f'{node.name}_fixed')
            self._joints.append(Joint(
                name, name, 'fixed', parent, len(self._bodies), node.pose,
                location=node.source.element.element.location))
        return len(self._bodies)

    def _add_between(self, node: BodyNode, each: JointGroup) -> None:
        """Add the massless body between two joints of a body that turn about other anchors."""
        name = self._frame_names.claim(f'{node.name}/{each.parts[-1].name}')
        location = each.parts[0].item.element.element.location
        self._frames.append(Frame(name, name, 'link', len(self._bodies), location=location))
        self._bodies.append(Body(name, name, location=location))
        self._parts.world_poses.append(self._parts.world_poses[-1])

    def _add_joint(self, node: BodyNode, each: JointGroup, parent: int, child: int) -> None:
        parts = each.parts
        name = self._joint_names.claim(parts[0].name if len(parts) == 1 else node.name)
        motions: list[Motion] = []
        for part in parts:
            first = len(self._coordinates)
            motions += [
                motion._replace(coordinates=tuple(first + one for one in motion.coordinates))
                for motion in part.motions]
            self._slots[part.item.key] = Slot(part.kind, first)
            self._parts.joints[part.name] = None if part.kind in ('free', 'ball') else Scalar(
                len(self._joints), first, part.ref)
            self._coordinates += [
                coordinate._replace(name=self._coordinate_names.claim(
                    coordinate.name, '', coordinate.location))
                for coordinate in part.coordinates]
        self._joints.append(Joint(
            name, '+'.join(part.name for part in parts), '+'.join(part.kind for part in parts),
            parent, child, each.parent_from_joint, each.child_from_joint, tuple(motions),
            extensions=tuple(
                raw for part in parts for raw in kept_of(part, self._report)),
            location=parts[0].item.element.element.location))

    def _add_body(
        self, node: BodyNode, index: int, pose: Pose, inertia: Optional[Inertia],
        solids: dict[int, Solid],
    ) -> None:
        """Add a body; ``pose`` is its pose in the world in the initial configuration."""
        item = node.source
        location = None if item is None else item.element.element.location
        kind = WORLD if item is None else 'link'
        self._parts.world_poses.append(pose)
        visuals, collisions = self._shapes(node, solids)
        extensions = () if item is None else left_over(item, '', _BODY_READ)
        for ignored in node.all(*NOT_READ):
            tag = ignored.element.element.tag
            if tag == 'plugin':
                extensions += (raw_element(ignored.element, ignored.scope),)
            self._parts.is_partial = self._parts.is_partial or tag != 'plugin'
            self._report.add(
                codes.MJCF_PART_IGNORED, f'<{tag}> is not read; the rigid bodies are',
                ignored.element.element.location)
        self._parts.bodies[node.name] = index
        if item is not None and item.element.value('mocap', False):
            self._parts.mocap.add(index)
        self._bodies.append(Body(
            node.name, node.name, inertia, visuals, collisions, static=item is None, pose=pose,
            extensions=extensions, location=location))
        self._frames.append(Frame(node.name, node.name, kind, index, location=location))

    # ---- shapes and frames

    def _shapes(
        self, node: BodyNode, solids: dict[int, Solid],
    ) -> tuple[tuple[shapes.Shape, ...], tuple[shapes.Shape, ...]]:
        """Return visuals and collisions: by group, and by whether a geom can touch anything."""
        visuals, collisions = [], []
        for item in node.all('geom'):
            solid = solids.get(id(item))
            if solid is None:
                continue
            element = item.element
            collides = bool(element.value('contype', 1) or element.value('conaffinity', 1))
            material = self._assets.material(item) or shapes.Material(diffuse=_GREY)
            form, pose = geometry(item, self._inertias.fitted(item, solid), self._assets)
            self._parts.claim('geom', item.name, item.element)
            shape = shapes.Shape(
                item.name, form, compose(node.shift, pose), material, element.element.location,
                self._kept_of_geom(item, form))
            if collides:
                collisions.append(shape)
            if not collides or element.value('group', 0) <= _LAST_VISIBLE_GROUP:
                visuals.append(shape)
        return tuple(visuals), tuple(collisions)

    def _kept_of_geom(self, item: Item, form: shapes.Geometry) -> tuple[shapes.RawElement, ...]:
        """Return what a Shape has no place for, with the asset of a shape that is in no file."""
        if not isinstance(form, (shapes.Empty, shapes.Heightmap)):
            return left_over(item, '', (*_GEOM_READ, 'mesh', 'hfield'))
        for kind in ('mesh', 'hfield'):
            name = item.element.value(kind, '')
            asset = self._assets.find(item.scope, kind, name) if name else None
            if asset is not None and name not in self._kept_assets:
                self._kept_assets.add(name)
                raw = raw_element(asset, item.scope.of_assets)
                self._kept.append(raw._replace(tag='asset', text=f'<asset>{raw.text}</asset>'))
        return left_over(item, '', [one for one in _GEOM_READ if one != 'type'])

    def _add_frames(self, node: BodyNode, body: int) -> None:
        """Add sites, cameras and lights; their other attributes are kept with the body."""
        kept: list[shapes.RawElement] = []
        for tag in _FRAMES:
            for item in node.all(tag):
                self._parts.claim(tag, item.name, item.element)
                name = item.name or self._parts.made_up(tag, self._frame_names)
                location = item.element.element.location
                pose = compose(node.shift, compose(item.pose, self._frame_pose(item, tag)))
                if tag == 'site':
                    self._parts.sites[name] = Place(body, pose)
                self._frames.append(Frame(
                    self._frame_names.claim(name, f'_{tag}', location), name, tag, body, pose,
                    location=location))
                kept += left_over(item, name, _FRAME_READ)
        if kept:
            at = self._bodies[body]
            self._bodies[body] = at._replace(extensions=(*at.extensions, *kept))

    def _frame_pose(self, item: Item, tag: str) -> Pose:
        """Return the pose of a site, camera or light in its body; a light looks along -z."""
        element = item.element
        if tag == 'light':
            x, y, z = element.vector3('dir', (0.0, 0.0, -1.0))
            length = (x * x + y * y + z * z) ** 0.5
            if length < _SHORTEST_DIRECTION:
                self._report.add(codes.BAD_VALUE, 'a light needs a direction',
                                 element.locate('dir'))
                return IDENTITY
            back: Vector = (-x / length, -y / length, -z / length)
            return Pose(*element.vector3('pos'), *z_to(back)[3:])
        if tag == 'camera' and element.value('fovy', 0.0) >= _WIDEST_VIEW:
            self._report.add(
                codes.BAD_VALUE, 'a field of view is less than 180 degrees',
                element.locate('fovy'))
        if tag == 'site' and 'fromto' in element:
            solid = read_solid(item._replace(pose=IDENTITY), self._report, (0.005,) * 3)
            return IDENTITY if solid is None else solid.pose
        return read_pose(element, item.scope.compiler, self._report)

    # ---- constraints, and all of it

    def add_equalities(self, scopes: Sequence[Scope]) -> None:
        """Add loops, mimics and constraints."""
        reader = EqualityReader(
            self._parts, self._joints, self._coordinates, self._report)
        for scope in scopes:
            for section in scope.root.all('equality'):
                for element in section.children:
                    if scope.root is not self._scope.root and is_left_behind(
                            element, scope, self._parts):
                        continue
                    item = Item(scope.classes.resolve(element, MAIN, 'equality'), scope)
                    self._parts.claim('equality', item.name, item.element)
                    name = item.name or self._parts.made_up(element.tag, self._joint_names)
                    reader.read(item, self._joint_names.claim(name))
        self._constraints = reader.constraints
        self._kept += reader.kept

    def model(self, bodies: BodyReader, world: BodyNode) -> Model:
        """Return the Model; ``bodies`` knows which models were attached and replicated."""
        keys = KeyReader(self._slots, self._parts, self._report)
        keys.read(self._scope, world)
        for scope in bodies.attached:
            if scope.root is not self._scope.root:
                keys.read_attached(scope)
        sections = Sections(self._parts, bodies.replicas, self._report)
        files = {(id(scope.root), scope.asset_prefix): scope for scope in (
            self._scope, *bodies.attached)}
        extensions = (
            *sections.looks(files.values()), *self._kept, *keys.kept,
            *sections.all(self._scope, bodies.attached))
        root = self._scope.root
        gravity: Vector = self._scope.settings.value('option', 'gravity') or (0.0, 0.0, -9.81)
        names = [coordinate.name for coordinate in self._coordinates]
        chosen = renamed(
            names, self._context.options.joint_names, root.location, self._report)
        return Model(
            name=self._name, format='mjcf', version='', root=WORLD, bodies=tuple(self._bodies),
            joints=tuple(self._joints),
            coordinates=tuple(
                coordinate._replace(name=name)
                for coordinate, name in zip(self._coordinates, chosen)),
            constraints=tuple(self._constraints), frames=tuple(self._frames),
            canonical_body=0, gravity=gravity, extensions=extensions, location=root.location,
            configurations=tuple(keys.configurations))
