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
from hrdf_ros.readers.mjcf.bodies import BodyNode, BodyReader
from hrdf_ros.readers.mjcf.elements import Item, Parts, Place, read_pose, Scalar, Scope, WORLD
from hrdf_ros.readers.mjcf.equality import EqualityReader
from hrdf_ros.readers.mjcf.geoms import Assets, geometry, MESHES, read_solid, Solid
from hrdf_ros.readers.mjcf.inertia import BodyInertias
from hrdf_ros.readers.mjcf.joints import group, JointGroup, kept_of, read_joints
from hrdf_ros.readers.mjcf.kept import left_over, raw_element, Sections
from hrdf_ros.readers.mjcf.keyframes import KeyReader, Slot
from hrdf_ros.readers.mjcf.schema import NOT_READ

_GREY: shapes.Color = (0.5, 0.5, 0.5, 1.0)
_FRAMES = ('site', 'camera', 'light')
_PLACE = ('name', 'pos', 'quat', 'axisangle', 'xyaxes', 'zaxis', 'euler')
_BODY_READ = (*_PLACE, 'childclass')
_GEOM_READ = (
    *_PLACE, 'type', 'size', 'fromto', 'material', 'rgba', 'mass', 'density', 'shellinertia',
    'fitscale')
_FRAME_READ = (*_PLACE, 'fromto')
_SPACING = 0.1
"""The spacing of a plane that the writer gives each."""
_LAST_VISIBLE_GROUP = 2
"""The last group of geoms that MuJoCo's viewer shows at first."""
_WIDEST_VIEW = 180.0
_SHORTEST_DIRECTION = 1e-6


class ModelBuilder:
    """Puts a tree of bodies into a Model."""

    def __init__(self, scope: Scope, name: str, context: Context) -> None:
        self._scope, self._name, self._context = scope, name, context
        report = scope.report
        self._assets = Assets()
        self._inertias = BodyInertias(scope, context, self._assets)
        self._parts = Parts()
        self._frame_names = Names(report)
        self._joint_names = Names(report)
        self._coordinate_names = Names(report)
        self._names_of_items: dict[int, str] = {}
        self._solids: dict[int, Solid] = {}
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
        self._solids = {
            id(item): solid for node in nodes for item in node.all('geom')
            if (solid := read_solid(item)) is not None}
        indices: dict[int, int] = {}
        moving: set[int] = set()
        for (node, parent), inertia in zip(walked, self._inertias.find(nodes, self._solids)):
            above = -1 if parent is None else indices[id(parent)]
            if id(parent) in moving or node.joints:
                moving.add(id(node))
            self._check_static(node, id(node) in moving, above)
            indices[id(node)] = self._add_joints(node, above)
            pose = node.pose if parent is None else compose(
                self._parts.world_poses[above], node.pose)
            self._add_body(node, pose, inertia)
        for node in nodes:
            self._add_frames(node, indices[id(node)])

    def _check_static(self, node: BodyNode, moves: bool, above: int) -> None:
        """Report planes that joints move, and mocap bodies that are not fixed in the world."""
        for item in node.all('geom'):
            if moves and item.value('type', '') == 'plane':
                item.add(
                    codes.MJCF_NOT_ALLOWED, 'a plane is for bodies without joints only', 'type')
        if node.source is not None and node.source.value('mocap', False) and (moves or above > 0):
            node.source.add(
                codes.MJCF_NOT_ALLOWED, 'a mocap body must be fixed in the world', 'mocap')

    def _name_bodies(self, nodes: Sequence[BodyNode]) -> None:
        """Claim the names of bodies; those without a name get one that no body of the file has."""
        names = self._parts.names['body']
        for node in nodes:
            if node.source is None:
                names.add(node.name)
            else:
                self._parts.claim('body', node.name, node.source)
        for node in nodes:
            node.name = self._frame_names.claim(
                node.name or self._parts.made_up('body', names),
                location=node.source and node.source.locate('name'))

    def _name_joints(self, nodes: Sequence[BodyNode]) -> None:
        """Name every joint: its own name, else one that no joint of the file has."""
        items = [item for node in nodes for item in node.joints]
        for item in items:
            self._parts.claim('joint', item.name, item)
        names = self._parts.names['joint']
        self._names_of_items = {
            id(item): item.name or self._parts.made_up('joint', names) for item in items}

    def _add_joints(self, node: BodyNode, parent: int) -> int:
        """Add the joints of a body, with massless bodies between them; return its index."""
        if node.source is None:
            return len(self._bodies)
        parts = read_joints(node, [self._names_of_items[id(item)] for item in node.joints])
        if parent > 0 and any(part.kind == 'free' for part in parts):
            parts[0].item.add(
                codes.MJCF_NOT_ALLOWED, 'a free joint is for bodies of the world only')
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
                location=node.source.location))
        return len(self._bodies)

    def _add_between(self, node: BodyNode, each: JointGroup) -> None:
        """Add the massless body between two joints of a body that turn about other anchors."""
        name = self._frame_names.claim(f'{node.name}/{each.parts[-1].name}')
        location = each.parts[0].item.location
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
                len(self._joints), first, part.coordinates[0].initial_position)
            self._coordinates += [
                coordinate._replace(name=self._coordinate_names.claim(
                    coordinate.name, '', coordinate.location))
                for coordinate in part.coordinates]
        self._joints.append(Joint(
            name, '+'.join(part.name for part in parts), '+'.join(part.kind for part in parts),
            parent, child, each.parent_from_joint, each.child_from_joint, tuple(motions),
            extensions=tuple(raw for part in parts for raw in kept_of(part)),
            location=parts[0].item.location))

    def _add_body(self, node: BodyNode, pose: Pose, inertia: Optional[Inertia]) -> None:
        """Add a body; ``pose`` is its pose in the world in the initial configuration."""
        item, index = node.source, len(self._bodies)
        location = item and item.location
        self._parts.world_poses.append(pose)
        visuals, collisions = self._shapes(node)
        extensions = () if item is None else left_over(item, '', _BODY_READ)
        for ignored in node.all(*NOT_READ):
            if ignored.tag == 'plugin':
                extensions += (raw_element(ignored),)
            self._parts.is_partial = self._parts.is_partial or ignored.tag != 'plugin'
            ignored.add(
                codes.MJCF_PART_IGNORED, f'<{ignored.tag}> is not read; the rigid bodies are')
        self._parts.bodies[node.name] = index
        if item is not None and item.value('mocap', False):
            self._parts.mocap.add(index)
        self._bodies.append(Body(
            node.name, node.name, inertia, visuals, collisions, static=item is None, pose=pose,
            extensions=extensions, location=location))
        self._frames.append(Frame(
            node.name, node.name, 'link' if item else WORLD, index, location=location))

    # ---- shapes and frames

    def _shapes(
        self, node: BodyNode,
    ) -> tuple[tuple[shapes.Shape, ...], tuple[shapes.Shape, ...]]:
        """Return visuals and collisions: by group, and by whether a geom can touch anything."""
        visuals, collisions = [], []
        for item in node.all('geom'):
            solid = self._solids.get(id(item))
            if solid is None:
                continue
            collides = bool(item.value('contype', 1) or item.value('conaffinity', 1))
            material = self._assets.material(item) or shapes.Material(diffuse=_GREY)
            form, pose = geometry(item, self._inertias.fitted(item, solid), self._assets)
            self._parts.claim('geom', item.name, item)
            shape = shapes.Shape(
                item.name, form, compose(node.shift, pose), material, item.location,
                self._kept_of_geom(item, form))
            if collides:
                collisions.append(shape)
            if not collides or item.value('group', 0) <= _LAST_VISIBLE_GROUP:
                visuals.append(shape)
        return tuple(visuals), tuple(collisions)

    def _kept_of_geom(self, item: Item, form: shapes.Geometry) -> tuple[shapes.RawElement, ...]:
        """Return what a Shape has no place for, with the asset of a shape that is in no file."""
        read = [*_GEOM_READ, 'mesh', 'hfield']
        if isinstance(form, shapes.Plane):
            x, y, spacing = (*item.numbers('size'), 0.0, 0.0)[:3]
            if spacing != _SPACING or (x or y) and form.size is None:
                read.remove('size')
        elif isinstance(form, (shapes.Empty, shapes.Heightmap)):
            read = [one for one in _GEOM_READ if one != 'type']
            for kind in ('mesh', 'hfield'):
                name = item.value(kind, '')
                asset = self._assets.find(item.scope, kind, name) if name else None
                if asset is not None and name not in self._kept_assets:
                    self._kept_assets.add(name)
                    self._kept.append(
                        raw_element(asset._replace(scope=item.scope.of_assets), 'asset'))
        return left_over(item, '', read)

    def _add_frames(self, node: BodyNode, body: int) -> None:
        """Add sites, cameras and lights; their other attributes are kept with the body."""
        kept: list[shapes.RawElement] = []
        for tag in _FRAMES:
            for item in node.all(tag):
                self._parts.claim(tag, item.name, item)
                if tag == 'site' and item.value('type') in MESHES:
                    self._assets.require(item, 'mesh')
                name = item.name or self._parts.made_up(tag, self._frame_names)
                pose = compose(node.shift, compose(item.frame, _frame_pose(item)))
                if tag == 'site':
                    self._parts.sites[name] = Place(body, pose)
                self._frames.append(Frame(
                    self._frame_names.claim(name, f'_{tag}', item.location), name, tag, body, pose,
                    location=item.location))
                kept += left_over(item, name, _FRAME_READ)
        if kept:
            at = self._bodies[body]
            self._bodies[body] = at._replace(extensions=(*at.extensions, *kept))

    # ---- constraints, and all of it

    def _add_equalities(self, scopes: Sequence[Scope], sections: Sections) -> None:
        """Add loops, mimics and constraints."""
        reader = EqualityReader(self._parts, self._joints, self._coordinates)
        for scope in scopes:
            for section in scope.root.all('equality'):
                for element in section.children:
                    if not sections.is_left_behind(element, scope):
                        item = scope.item(element, kind='equality')
                        self._parts.claim('equality', item.name, item)
                        name = item.name or self._parts.made_up(element.tag, self._joint_names)
                        reader.read(item, self._joint_names.claim(name))
        self._constraints = reader.constraints
        self._kept += reader.kept

    def model(self, bodies: BodyReader, world: BodyNode) -> Model:
        """Return the Model; ``bodies`` knows which models were attached and replicated."""
        root = self._scope.root
        others = [scope for scope in bodies.attached if scope.root is not root]
        sections = Sections(self._scope, self._parts, bodies.replicas)
        files = {(id(scope.root), scope.asset_prefix): scope for scope in (
            self._scope, *bodies.attached)}
        looks, texts = [*sections.looks(files.values())], [*sections.all(bodies.attached)]
        self._add_equalities([self._scope, *others], sections)
        keys = KeyReader(self._slots, self._parts)
        keys.read(self._scope, world)
        for scope in others:
            keys.read_attached(scope)
        gravity: Vector = self._scope.settings.value('option', 'gravity') or (0.0, 0.0, -9.81)
        names = [coordinate.name for coordinate in self._coordinates]
        chosen = renamed(
            names, self._context.options.joint_names, root.location, self._scope.report)
        return Model(
            name=self._name, format='mjcf', version='', root=WORLD, bodies=tuple(self._bodies),
            joints=tuple(self._joints),
            coordinates=tuple(
                coordinate._replace(name=name)
                for coordinate, name in zip(self._coordinates, chosen)),
            constraints=tuple(self._constraints), frames=tuple(self._frames),
            canonical_body=0, gravity=gravity,
            extensions=(*looks, *self._kept, *keys.kept, *texts), location=root.location,
            configurations=tuple(keys.configurations))


def _frame_pose(item: Item) -> Pose:
    """Return the pose of a site, camera or light in its body; a light looks along -z."""
    if item.tag == 'light':
        x, y, z = item.vector3('dir', (0.0, 0.0, -1.0))
        length = (x * x + y * y + z * z) ** 0.5
        if length < _SHORTEST_DIRECTION:
            item.add(codes.BAD_VALUE, 'a light needs a direction', 'dir')
            return IDENTITY
        return Pose(*item.vector3('pos'), *z_to((-x / length, -y / length, -z / length))[3:])
    if item.tag == 'camera' and item.value('fovy', 0.0) >= _WIDEST_VIEW:
        item.add(codes.BAD_VALUE, 'a field of view is less than 180 degrees', 'fovy')
    if item.tag == 'site' and item.has('fromto'):
        solid = read_solid(item._replace(frame=IDENTITY), (0.005,) * 3)
        return IDENTITY if solid is None else solid.pose
    return read_pose(item)
