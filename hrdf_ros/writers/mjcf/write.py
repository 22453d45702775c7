# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Write the MJCF document of a lowered Model.

Bodies are nested as the tree spans them; loops and mimics are equality constraints between sites
and joints. Sections of MJCF from the source are written as they were.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import Inertia, tensor_in_body
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.load_result import require_model
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.contacts import Contacts, find_contacts, Pair, without_touching
from hrdf_ros.lowering.mjcf import between_joints, tree_and_loops, WORLD
from hrdf_ros.lowering.target import MJCF
from hrdf_ros.model import Body, Frame, Joint, Model, shapes
from hrdf_ros.mujoco_process import is_available, MujocoFailedError
from hrdf_ros.names import Names
from hrdf_ros.pose import compose, IDENTITY, Pose, rotate, translation, Vector, z_to
from hrdf_ros.writers.files import Written
from hrdf_ros.writers.mesh_files import binary_stl
from hrdf_ros.writers.mjcf import joints
from hrdf_ros.writers.mjcf.actuators import actuators
from hrdf_ros.writers.mjcf.assets import Assets, MjcfOptions
from hrdf_ros.writers.mjcf.loaded import Files, stage, touching_pairs
from hrdf_ros.writers.xml import element, number, numbers, Origins, raw, serialize
from lxml import etree

_FRAME_TAGS = ('site', 'camera', 'light')
_SETTINGS = ('option', 'size')
_VISUAL = {'contype': '0', 'conaffinity': '0', 'group': '2'}
_COLLISION = {'group': '3'}
_NO_MASS = {'mass': '0'}
"""The mass of a geom: bodies have theirs, and other readers refuse ``inertiafromgeom="false"``."""
_GRAVITY: Vector = (0.0, 0.0, -9.81)
"""MuJoCo's gravity in m/s^2 for a model that states none."""
_SIZES: Mapping[type[shapes.Geometry], tuple[str, Callable[[Any], Iterable[float]]]] = {
    shapes.Box: ('box', lambda box: (extent / 2.0 for extent in box.size)),
    shapes.Sphere: ('sphere', lambda sphere: (sphere.radius,)),
    shapes.Cylinder: ('cylinder', lambda rod: (rod.radius, rod.length / 2.0)),
    shapes.Capsule: ('capsule', lambda rod: (rod.radius, rod.length / 2.0)),
    shapes.Ellipsoid: ('ellipsoid', lambda one: one.radii),
    shapes.Plane: ('plane', lambda plane: (
        *(extent / 2.0 for extent in plane.size or (0.0, 0.0)), 0.1))}
"""MuJoCo's type and sizes of each geometry: half extents and half lengths."""


def write_mjcf(
    model: Model, *, free_base: bool = False, disabled_pairs: Iterable[Pair] = (),
) -> tuple[str, Report]:
    """
    Return the Model as MJCF, and a report of what MJCF cannot express.

    Meters, radians and kilograms; positions of joints are those of the Model's coordinates, and
    MuJoCo's ``qpos0`` is its initial configuration, except for ball joints. ``free_base`` adds a
    free joint to the bodies of the world; ``disabled_pairs`` are names of links that do not
    collide, as an SRDF has them. Meshes that MuJoCo does not read are left out with a warning;
    ``hrdf convert`` converts them.

    >>> from hrdf_ros import load_model, write_mjcf
    >>> text, report = write_mjcf(load_model('examples/hrdf/arm_6dof.hrdf'))
    >>> text.splitlines()[1], report.ok
    ('<mujoco model="arm_6dof">', True)
    """
    require_model(model, 'write_mjcf')
    written = make_mjcf(
        model, MjcfOptions(free_base=free_base, disabled_pairs=tuple(disabled_pairs)))
    return written.text, written.report


def make_mjcf(model: Model, options: MjcfOptions) -> Written:
    """Return the MJCF of a Model with the files that it needs."""
    lowered = lower(model, MJCF._replace(
        mesh_directory=options.mesh_directory, free_base=options.free_base))
    report, notes = lowered.report, GroupedDiagnostics(model.location)
    contacts = find_contacts(
        lowered.model, lowered.topology, options.disabled_pairs, notes)
    writer = _Writer(lowered.model, contacts, options, report)
    root = writer.root()
    made = {
        **{mesh.file: binary_stl(mesh.triangles()) for mesh in lowered.meshes},
        **writer.assets.converted}
    files = {name: made.get(file, file) for name, file in writer.assets.files.items()}
    _exclude(root, contacts)
    writer.note_efforts(notes)
    if not model.conventions.states_contacts:
        _note_hulls(lowered.model, writer.assets, made, notes)
        if not options.for_mujoco:
            writer.note_other_readers(root, notes)
    if contacts.can_touch:
        touching = _touching(serialize(root), files, notes)
        _exclude(root, without_touching(contacts, lowered.model, touching, notes))
    notes.into(report)
    writer.assets.note_missing()
    text = serialize(root)
    return Written(
        text, report, made, lambda: writer.origins.by_line(root, text), files,
        lowered=lowered.model)


def _note_hulls(
    model: Model, assets: Assets, made: Container[str], notes: GroupedDiagnostics,
) -> None:
    """Note the meshes of collisions whose hulls MuJoCo takes; those made for primitives are so."""
    meshes = dict.fromkeys(
        shape.geometry for body in model.bodies for shape in body.collisions
        if isinstance(shape.geometry, shapes.Mesh) and assets.has(shape.geometry)
        and shape.geometry.file not in made)
    if meshes:
        from hrdf_ros.writers.mjcf.hulls import note_hulls  # numpy takes long to import
        note_hulls(model, meshes, notes)


def _touching(text: str, files: Files, notes: GroupedDiagnostics) -> list[Pair]:
    """Return the pairs of bodies that MuJoCo finds touching at the start, or [] without MuJoCo."""
    reason = 'mujoco-core is not installed'
    if is_available():
        try:
            with TemporaryDirectory() as directory:
                return touching_pairs(stage(text, files, directory))
        except MujocoFailedError as error:
            reason = str(error)
    notes.add(
        codes.CONTACT_EXCLUDED, 'which links touch at the initial configuration was not looked '
        f'for: {reason}', 'their contacts stay', severity='info')
    return []


def _exclude(root: etree._Element, contacts: Contacts) -> None:
    """Write the pairs that do not collide, in place of those in the document."""
    section = root.find('contact')
    if section is None and contacts.excluded:
        section = element('contact')
        root.find('worldbody').addnext(section)
    if section is not None:
        section[:] = [
            element('exclude', {'body1': first, 'body2': second})
            for first, second in contacts.excluded]


class _Writer:
    """Writes one lowered Model."""

    def __init__(
        self, model: Model, contacts: Contacts, options: MjcfOptions, report: Report,
    ) -> None:
        self._model, self._options, self._report = model, options, report
        self._masks = dict(contacts.masks)
        kept = [extension for extension in model.extensions if 'mjcf' in extension.held_by]
        self._sections = [one for one in kept if one.tag not in ('asset', 'key', 'mimic')]
        self.origins = Origins()
        self.assets = Assets(kept, options, self.origins, report)
        self._geoms = Names()
        self._sites = Names()
        driven = {
            made.get('joint') or made.get('jointinparent') for one in self._sections
            if one.tag == 'actuator' for made in etree.fromstring(one.text)}
        self._joint_writer = joints.JointWriter(model, self._sites, driven)
        self._joints: dict[int, list[Joint]] = defaultdict(list)
        carriers, self._loops = tree_and_loops(model)
        for joint in carriers:
            self._joints[joint.parent].append(joint)
        self._frames: dict[int, list[Frame]] = defaultdict(list)
        links = {body.name for body in model.bodies}
        for frame in model.frames:
            if frame.name not in links:
                self._frames[frame.body].append(frame)
                self._sites.claim(frame.name)

    def root(self) -> etree._Element:
        """Return ``<mujoco>`` with the whole document below it."""
        model = self._model
        mimics = [*self._joint_writer.mimics()]
        loops = [self.origins.mark(one, joint.location) for joint in self._loops
                 for one in self._joint_writer.loop(joint)]
        self._note_order(mimics, loops)
        world = next(index for index, body in enumerate(model.bodies) if body.name == WORLD)
        worldbody = element('worldbody', {}, self._content(world))
        made, between = {world: worldbody}, between_joints(model)
        chains: dict[int, list[Joint]] = {}
        order: list[Joint] = []
        pending = self._joints[world][::-1]
        while pending:
            joint = pending.pop()
            order.append(joint)
            pending += reversed(self._joints[joint.child])
            chain = [*chains.get(joint.parent, ()), joint]
            if joint.child in between:
                chains[joint.child], made[joint.child] = chain, made[joint.parent]
            else:
                body = made[joint.child] = self._body(chain)
                made[joint.parent].append(body)
        settings = [one for one in self._sections if one.tag in _SETTINGS]
        others = [one for one in self._sections if one.tag not in _SETTINGS]
        driven = actuators(model, self._options.actuators, self.origins)
        return element('mujoco', {'model': model.name}, (
            element('compiler', {
                'angle': 'radian', 'autolimits': 'true'}),
            *self._raw(settings), *self._option(settings, bool(driven)),
            *_section('asset', self.assets.elements), worldbody,
            *_section('equality', [*mimics, *loops]), *_section('actuator', driven),
            *self._raw(others),
            *_section('keyframe', [*self._keys(order)])))

    def _raw(self, kept: Iterable[shapes.RawElement]) -> Iterator[etree._Element]:
        """Yield elements of MJCF as they were in the source."""
        for one in kept:
            yield self.origins.mark(raw(one.text), one.location)

    def _option(self, kept: list[shapes.RawElement], servos: bool) -> list[etree._Element]:
        """
        Return gravity, and the integrator that keeps the damping of servos stable.

        Beside options that are ``kept``, only a gravity that differs from theirs is returned: of
        several options the last gravity counts.
        """
        own = [etree.fromstring(one.text).get('gravity') for one in kept if one.tag == 'option']
        attributes = {'integrator': 'implicitfast'} if servos and not own else {}
        stated = next((text for text in reversed(own) if text is not None), None)
        gravity = _GRAVITY if stated is None else tuple(map(float, stated.split()))
        if self._model.gravity not in (None, gravity):
            attributes['gravity'] = numbers(self._model.gravity or _GRAVITY)
        return [element('option', attributes)] if attributes else []

    def note_efforts(self, notes: GroupedDiagnostics) -> None:
        """Note the joints that get less effort than they have."""
        notes.about(
            codes.DETAIL_NOT_REPRESENTABLE,
            "MuJoCo's own actuators give these joints less effort", *self._joint_writer.exceeding)

    def note_other_readers(self, root: etree._Element, notes: GroupedDiagnostics) -> None:
        """Note what Drake (1.51) and pinocchio (4.1), which read MJCF as well, do not support."""
        bodies = self._model.bodies
        roots = [
            bodies[joint.child] for joints_of in self._joints.values() for joint in joints_of
            if bodies[joint.parent].name == WORLD]
        notes.about(
            codes.DETAIL_NOT_REPRESENTABLE,
            'pinocchio reads the first body of the world only, and not', *roots[1:])
        first = root.find('worldbody/body')
        if first is not None and {'pos', 'quat'}.intersection(first.keys()) and (
                first.find('freejoint') is not None
                or all(each.get('type') == 'free' for each in first.iterfind('joint'))):
            notes.about(
                codes.DETAIL_NOT_REPRESENTABLE,
                'pinocchio takes the pose of a fixed first body for none, and that of a free one '
                'twice', *roots[:1])
        for made in self.assets.elements:
            if made.tag == 'mesh' and not made.get('file', '').lower().endswith('.obj'):
                notes.add(
                    codes.DETAIL_NOT_REPRESENTABLE, 'Drake refuses meshes of MJCF but OBJ',
                    made.get('name', ''))
        named = {body.name: body for body in bodies}
        notes.about(
            codes.DETAIL_NOT_REPRESENTABLE, 'Drake misplaces links that several joints move', *(
                named[made.get('name', '')] for made in root.iter('body')
                if len(made.findall('joint')) > 1))
        coupled = (one for one in self._model.coordinates if one.mimic is not None)
        notes.about(
            codes.DETAIL_NOT_REPRESENTABLE,
            'Drake ignores the constraints of MJCF that close loops and couple joints',
            *self._loops, *coupled)

    def _note_order(self, mimics: list[etree._Element], loops: list[etree._Element]) -> None:
        """Report constraints of MJCF whose order, by which MuJoCo numbers them, changes."""
        others = [one for one in self._sections if one.tag == 'equality']
        kinds = sum(map(bool, (mimics, loops, others)))
        if self._model.conventions.ordered_constraints and kinds > 1:
            self._report.add(
                codes.DETAIL_NOT_REPRESENTABLE,
                'equality constraints may be in another order: joints, then loops, then others',
                self._model.location)

    # ---- bodies

    def _body(self, chain: Sequence[Joint]) -> etree._Element:
        """Return a body with its joints and inertia; its pose is the initial one."""
        index = chain[-1].child
        body = self._model.bodies[index]
        pose = self._joint_writer.parent_from_child(chain)
        made = element('body', {
            'name': body.name, **joints.pose_attributes(pose),
            **joints.kept_in(body.extensions).get(('body', ''), {})})
        moved_by = [joint for joint in chain for _ in joint.motions]
        for one, joint in zip(self._joint_writer.elements(chain), moved_by):
            made.append(self.origins.mark(one, joint.location))
        if body.inertia is not None:
            made.append(self.origins.mark(_inertial(body.inertia), body.inertia.location))
        made.extend(self._content(index))
        return self.origins.mark(made, body.location)

    def _content(self, index: int) -> Iterator[etree._Element]:
        """Yield the geoms, sites, cameras and lights of a body."""
        body = self._model.bodies[index]
        kept = joints.kept_in(body.extensions)
        seen, solid = set(body.visuals), set(body.collisions)
        mask = self._masks.get(body.name)
        bits = {name: str(value) for name, value in (mask._asdict() if mask else {}).items()}
        for shape in body.visuals:
            yield from self._geom(shape, body, bits if shape in solid else _VISUAL)
        for shape in body.collisions:
            if shape not in seen:
                yield from self._geom(shape, body, {**_COLLISION, **bits})
        for frame in self._frames[index]:
            yield self.origins.mark(self._frame(frame, kept), frame.location)
        yield from self._joint_writer.sites.get(index, ())
        yield from self._raw(one for one in body.extensions if one.tag == 'plugin')

    def _geom(
        self, shape: shapes.Shape, body: Body, attributes: Mapping[str, str],
    ) -> Iterator[etree._Element]:
        form = self._form(shape, body)
        if form is None:
            return
        name = {'name': self._geoms.claim(shape.name)} if shape.name else {}
        look = {} if shape.material is None else self.assets.material(shape.material, shape)
        pose = compose(shape.pose, _plane_pose(shape.geometry))
        made = element('geom', {
            **name, **form, **joints.pose_attributes(pose), **_NO_MASS, **look, **attributes,
            **joints.kept_in(shape.extensions).get(('geom', ''), {})}, (
                plugin for one in shape.extensions if one.tag == 'geom'
                for plugin in etree.fromstring(one.text)))
        yield self.origins.mark(made, shape.location)

    def _form(self, shape: shapes.Shape, body: Body) -> Optional[dict[str, str]]:
        geometry = shape.geometry
        if isinstance(geometry, (shapes.Empty, shapes.Heightmap)):
            return {}
        if isinstance(geometry, shapes.Mesh):
            mesh = self.assets.mesh(geometry, shape, body)
            return None if mesh is None else {'type': 'mesh', 'mesh': mesh}
        kind, size = _SIZES[type(geometry)]
        return {'type': kind, 'size': numbers(size(geometry))}

    def _frame(self, frame: Frame, kept: joints.Kept) -> etree._Element:
        tag = frame.kind if frame.kind in _FRAME_TAGS else 'site'
        pose = joints.pose_attributes(frame.pose)
        if tag == 'light':
            along = rotate(frame.pose, (0.0, 0.0, -1.0))
            pose = {'pos': numbers(frame.pose.position), 'dir': numbers(along)}
        by_kind = self._model.conventions.separate_frame_names
        name = frame.source_name if by_kind else frame.name
        return element(tag, {
            'name': name, **kept.get((tag, frame.source_name), {}), **pose})

    # ---- keyframes

    def _keys(self, order: Sequence[Joint]) -> Iterator[etree._Element]:
        """Yield the configurations as keyframes; ``order`` is the order of the joints."""
        model = self._model
        kept = joints.kept_in(one for one in model.extensions if one.tag == 'key')
        for configuration in model.configurations:
            values = joints.initial_values(model, dict(configuration.positions))
            qpos = [number for joint in order for number in joints.positions(joint, values)]
            more = kept.get(('key', configuration.name), {})
            if self._options.free_base or self._options.actuators:
                more = {name: text for name, text in more.items() if name == 'time'}
            yield element('key', {
                'name': configuration.name, **({'qpos': numbers(qpos)} if qpos else {}), **more})


def _section(tag: str, children: list[etree._Element]) -> list[etree._Element]:
    return [element(tag, {}, children)] if children else []


def _inertial(inertia: Inertia) -> etree._Element:
    attributes = {'pos': numbers(inertia.pose.position), 'mass': number(inertia.mass)}
    if any(inertia.tensor[3:]):
        attributes['fullinertia'] = numbers(tensor_in_body(inertia))
    else:
        attributes.update(joints.pose_attributes(inertia.pose))
        attributes['diaginertia'] = numbers(inertia.tensor[:3])
    return element('inertial', attributes)


def _plane_pose(geometry: shapes.Geometry) -> Pose:
    """Return shape_from_geom: MuJoCo's planes are at z = 0."""
    if not isinstance(geometry, shapes.Plane):
        return IDENTITY
    at = translation(*(geometry.offset * part for part in geometry.normal))
    return compose(at, z_to(geometry.normal))
