# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Build bodies, joints, coordinates and frames of a Model from the tree of bodies."""

from __future__ import annotations

from collections.abc import Sequence

from hrdf_ros import codes, formats
from hrdf_ros.model import Body, Frame, Joint, Model, Motion, shapes
from hrdf_ros.pose import compose, IDENTITY, Pose, translation, Vector, z_to
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.mjcf.bodies import BodyNode, BodyReader, Draft, JointNode, Place
from hrdf_ros.readers.mjcf.constraints import read_equality
from hrdf_ros.readers.mjcf.elements import Item, Scope, WORLD
from hrdf_ros.readers.mjcf.geoms import (
    geometry,
    GRAY,
    has_own_color,
    material,
    read_solid,
    Solid,
)
from hrdf_ros.readers.mjcf.inertia import find_inertias
from hrdf_ros.readers.mjcf.joints import anchor_of, kept_of, read_joints, read_keys
from hrdf_ros.readers.mjcf.kept import (
    keep_asset,
    keep_assets,
    left_over,
    raw_element,
    Sections,
)
from hrdf_ros.readers.mjcf.orientations import direction, read_pose
from hrdf_ros.readers.mjcf.refusals import check

_FRAMES = ('site', 'camera', 'light')
_PLACE = ('name', 'pos', 'quat', 'axisangle', 'xyaxes', 'zaxis', 'euler')
_BODY_READ = (*_PLACE, 'childclass')
_GEOM_READ = (
    *_PLACE, 'type', 'size', 'fromto', 'material', 'rgba', 'mass', 'density', 'shellinertia',
    'fitscale')
_FRAME_READ = (*_PLACE, 'fromto')
_SPACING = 0.1
"""The spacing in meters of the grid that the writer gives each plane."""
_LAST_VISIBLE_GROUP = 2
"""The last group of geoms that MuJoCo's viewer shows by default."""
_WIDEST_VIEW = 180.0
"""The field of view in degrees at which and above which MuJoCo refuses a camera."""


class ModelBuilder:
    """Puts a tree of bodies into a Model."""

    def __init__(self, scope: Scope, context: Context) -> None:
        self._scope, self._context = scope, context
        self._draft = Draft(scope.report)

    # ---- the tree

    def add_tree(self, world: BodyNode) -> None:
        """Add every body with its joints, shapes and frames."""
        nodes = list(world.walk())
        self._name_parts(nodes)
        find_inertias(
            nodes, self._scope.compiler.settotalmass, self._context.resolver.allows)
        for node in nodes:
            node.moves = bool(node.joints) or node.parent is not None and node.parent.moves
            self._check_static(node)
            if node.parent is not None:
                self._add_joints(node, node.parent)
            self._add_body(node)
        for node in nodes:
            self._add_frames(node)

    def _check_static(self, node: BodyNode) -> None:
        """Report planes that joints move, and mocap bodies that are not fixed in the world."""
        for solid in node.solids:
            if node.moves and solid.kind == 'plane':
                solid.item.add(
                    codes.MJCF_NOT_ALLOWED, 'a plane is for bodies without joints only', 'type')
        if node.source and node.source.value('mocap', False) and (
                node.moves or node.parent and node.parent.source):
            node.source.add(
                codes.MJCF_NOT_ALLOWED, 'a mocap body must be fixed in the world', 'mocap')

    def _name_parts(self, nodes: Sequence[BodyNode]) -> None:
        """Name bodies and joints; those without a name get names that the file does not use."""
        draft, joints = self._draft, [joint for node in nodes for joint in node.joints]
        draft.names['body'].add(WORLD)
        for node in nodes:
            if node.source is not None:
                draft.claim('body', node.name, node.source)
        for node in nodes:
            node.name = draft.frame_names.claim(
                node.name or draft.made_up('body', draft.names['body']),
                location=node.source and node.source.locate('name'))
        for joint in joints:
            draft.claim('joint', joint.item.name, joint.item)
        for joint in joints:
            joint.name = joint.item.name or draft.made_up('joint', draft.names['joint'])
            draft.parts[joint.name] = joint

    def _add_joints(self, node: BodyNode, above: BodyNode) -> None:
        """Add the joints of a body, with massless bodies between them."""
        draft, parent, pose = self._draft, above.index, node.pose
        groups = read_joints(node)
        for group in groups:
            child = len(draft.bodies)
            anchor = translation(*(anchor_of(group) or (0.0, 0.0, 0.0)))
            self._add_joint(
                node, group, parent, IDENTITY if group[0].kind == 'free' else compose(
                    pose, anchor), anchor)
            if group is not groups[-1]:
                name = draft.frame_names.claim(f'{node.name}/{group[-1].name}')
                location = group[0].item.location
                draft.frames.append(Frame(name, '', 'link', child, location=location))
                draft.bodies.append(Body(name, '', location=location))
            parent, pose = child, IDENTITY
        if not groups:
            name = draft.joint_names.claim(f'{node.name}_fixed')
            draft.joints.append(Joint(
                name, name, 'fixed', parent, len(draft.bodies), node.pose,
                location=node.source and node.source.location))

    def _add_joint(
        self, node: BodyNode, group: Sequence[JointNode], parent: int, parent_from_joint: Pose,
        child_from_joint: Pose,
    ) -> None:
        """Add joints about one anchor, as the joint above the next body."""
        draft = self._draft
        name = draft.joint_names.claim(group[0].name if len(group) == 1 else node.name)
        motions: list[Motion] = []
        for part in group:
            part.joint, part.first = len(draft.joints), len(draft.coordinates)
            motions += [
                motion._replace(coordinates=tuple(part.first + one for one in motion.coordinates))
                for motion in part.motions]
            draft.coordinates += [
                coordinate._replace(name=draft.coordinate_names.claim(
                    coordinate.name, '', coordinate.location))
                for coordinate in part.coordinates]
        draft.joints.append(Joint(
            name, '+'.join(part.name for part in group), '+'.join(part.kind for part in group),
            parent, len(draft.bodies), parent_from_joint, child_from_joint, tuple(motions),
            extensions=tuple(raw for part in group for raw in kept_of(part)),
            location=group[0].item.location))

    def _add_body(self, node: BodyNode) -> None:
        """Add a body at its world pose in the initial configuration."""
        draft, item = self._draft, node.source
        node.index = len(draft.bodies)
        location = item and item.location
        pose = node.pose if node.parent is None else compose(
            draft.bodies[node.parent.index].pose, node.pose)
        visuals, collisions = self._shapes(node)
        extensions = () if item is None else left_over(item, '', _BODY_READ)
        for one in (*([item] if item else ()), *(joint.item for joint in node.joints)):
            check(one, one.tag)
        is_root = bool(node.joints) and (node.parent is None or not node.parent.moves)
        if item is not None and item.value('sleep', 'auto') != 'auto' and not is_root:
            item.add(
                codes.MJCF_NOT_ALLOWED, "'sleep' is for bodies with joints in bodies without any",
                'sleep')
        for ignored in node.items:
            if ignored.element.rule.element.handling != 'checked':
                continue
            if ignored.tag == 'plugin':
                extensions += (raw_element(ignored),)
                check(ignored, 'plugin')
            else:
                draft.is_partial = True
                draft.has_composite |= ignored.tag == 'composite'
                draft.names['flex'].add(ignored.name)
            ignored.add(
                codes.MJCF_PART_IGNORED, f'<{ignored.tag}> is not read; the rigid bodies are')
        draft.places['body', node.name] = Place(node.index)
        if item is not None and item.value('mocap', False):
            draft.mocap.add(node.index)
        draft.bodies.append(Body(
            node.name, node.name, node.inertia, visuals, collisions, static=item is None,
            pose=pose, extensions=extensions, location=location))
        draft.frames.append(Frame(
            node.name, node.name, 'link' if item else WORLD, node.index, location=location))

    # ---- shapes and frames

    def _shapes(
        self, node: BodyNode,
    ) -> tuple[tuple[shapes.Shape, ...], tuple[shapes.Shape, ...]]:
        """Return visuals and collisions; a geom may be both, by its group and its contact bits."""
        visuals, collisions = [], []
        for solid in node.solids:
            item = solid.item
            collides = bool(item.value('contype', 1) or item.value('conaffinity', 1))
            form, pose = geometry(solid)
            self._draft.claim('geom', item.name, item)
            self._draft.shapes[item.name] = solid.kind
            check(item, 'geom')
            shape = shapes.Shape(
                item.name, form, compose(node.shift, pose),
                material(item) or shapes.Material(diffuse=GRAY), item.location,
                self._kept_of_geom(solid, form, collides))
            if collides:
                collisions.append(shape)
            if not collides or item.value('group', 0) <= _LAST_VISIBLE_GROUP:
                visuals.append(shape)
        return tuple(visuals), tuple(collisions)

    def _kept_of_geom(
        self, solid: Solid, form: shapes.Geometry, collides: bool,
    ) -> tuple[shapes.RawElement, ...]:
        """Return the XML that a Shape has no place for, and the asset of a shape without file."""
        read, item = [*_GEOM_READ, 'mesh', 'hfield'], solid.item
        if isinstance(form, shapes.Plane):
            x, y, spacing = solid.size
            if spacing != _SPACING or (x or y) and form.size is None:
                read.remove('size')
        elif isinstance(form, (shapes.Empty, shapes.Heightmap)):
            read = [one for one in _GEOM_READ if one != 'type']
            for kind in ('mesh', 'hfield'):
                name = item.value(kind, '')
                asset = item.scope.of_assets.asset(kind, name) if name else None
                if asset is not None:
                    keep_asset(asset, self._draft)
        if item.value('material', '') and has_own_color(item):
            read.remove('rgba')
        # the writer gives shapes that cannot touch anything a group of their own
        group = [] if collides or item.has('group') else [('group', '0')]
        return left_over(item, '', read, group)

    def _add_frames(self, node: BodyNode) -> None:
        """Add sites, cameras and lights as frames; the body preserves their other attributes."""
        draft = self._draft
        kept: list[shapes.RawElement] = []
        for tag in _FRAMES:
            for item in node.items:
                if item.tag != tag:
                    continue
                draft.claim(tag, item.name, item)
                if tag == 'site' and item.value('type') == 'mesh' and not item.value('mesh'):
                    item.asset('mesh')
                keep_assets(item, draft)
                check(item, tag)
                if item.value('target', WORLD) not in ('', WORLD):
                    draft.targeting.append(item)
                name = item.name or draft.made_up(tag, draft.frame_names)
                pose = compose(node.shift, compose(item.frame, _frame_pose(item)))
                draft.places[tag, name] = Place(node.index, pose)
                draft.frames.append(Frame(
                    draft.frame_names.claim(name, f'_{tag}', item.location), name, tag,
                    node.index, pose, location=item.location))
                kept += left_over(item, name, _FRAME_READ)
        if kept:
            body = draft.bodies[node.index]
            draft.bodies[node.index] = body._replace(extensions=(*body.extensions, *kept))

    # ---- constraints, and all of it

    def model(self, name: str, bodies: BodyReader, world: BodyNode) -> Model:
        """Return the Model; ``bodies`` knows which models were attached and replicated."""
        draft, root = self._draft, self._scope.root
        others = [scope for scope in bodies.attached if scope.root is not root]
        sections = Sections(self._scope, draft)
        files = {(id(scope.root), scope.asset_prefix): scope for scope in (
            self._scope, *bodies.attached)}
        for item in draft.targeting:
            target = item.scope.rename(item.value('target'))
            if target not in draft.names['body']:
                draft.unknown('body', target, item, 'target')
        looks, texts = [*sections.looks(files.values())], [*sections.all(bodies.attached)]
        for scope in (self._scope, *others):
            for section in scope.root.all('equality'):
                for element in section.children:
                    for copy in sections.places(element, scope, is_whole=True):
                        read_equality(copy.item(element, kind='equality'), draft)
        read_keys([self._scope, *others], world, draft)
        gravity: Vector = self._scope.settings.get(('option', 'gravity')) or (0.0, 0.0, -9.81)
        return Model(
            name=name, format='mjcf', version='', root=WORLD, bodies=tuple(draft.bodies),
            joints=tuple(draft.joints), coordinates=tuple(draft.coordinates),
            constraints=tuple(draft.constraints), frames=tuple(draft.frames), canonical_body=0,
            gravity=gravity, extensions=(*looks, *draft.kept, *texts),
            location=root.location, configurations=tuple(draft.configurations),
            conventions=formats.MJCF)


def _frame_pose(item: Item) -> Pose:
    """Return the pose of a site, camera or light in its body; a light looks along -z."""
    if item.tag == 'light':
        along = direction(item.vector3('dir', (0.0, 0.0, -1.0)))
        if along is None:
            item.add(codes.BAD_VALUE, 'a light needs a direction', 'dir')
            return IDENTITY
        x, y, z = along
        return Pose(*item.vector3('pos'), *z_to((-x, -y, -z))[3:])
    if item.tag == 'camera' and item.value('fovy', 0.0) >= _WIDEST_VIEW:
        item.add(codes.BAD_VALUE, 'a field of view is less than 180 degrees', 'fovy')
    if item.tag == 'site' and item.has('fromto'):
        solid = read_solid(item._replace(frame=IDENTITY), (0.005,) * 3)
        return IDENTITY if solid is None else solid.pose
    return read_pose(item)
