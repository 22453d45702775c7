# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Convert the Model of a URDF to the elements of the SDFormat file that libsdformat makes of it.

Links at the ends of fixed joints become one link, the ``<gazebo>`` elements are applied to their
subjects, links without mass are dropped, visuals and collisions are renamed. The elements are of
SDFormat 1.11 and keep their places in the URDF.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.fields import default_of, placed, unheld
from hrdf_ros.inertia import combine, Inertia, rotate_tensor
from hrdf_ros.listing import listed
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose, Vector, Z_AXIS
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import finite, numbers
from hrdf_ros.readers.sdf.file import checked_file, SdfFile
from hrdf_ros.readers.sdf.urdf_conversion.elements import (
    add_color,
    add_origin,
    located,
    pose_element,
    shape_element,
)
from hrdf_ros.readers.sdf.urdf_conversion.gazebo import (
    ExtensionTable,
    is_on,
    misplaced,
    PRESERVE,
    read_extensions,
    subject_of,
)
from hrdf_ros.readers.sdf.urdf_conversion.sources import (
    lost_mimics,
    Place,
    with_mass_despite_fault,
    without_axis,
)
from hrdf_ros.topology import span

_WORLD = 'world'
_NAMED = ('frame', 'joint', 'link', 'model')
_TYPES = ('continuous', 'fixed', 'prismatic', 'revolute')
"""The joint types that SDFormat has too."""


def convert(
    model: m.Model, report: Report, *, strict_names: bool, newest: bool = False,
) -> Optional[SdfFile]:
    """
    Return a URDF as an SDFormat file, None with the reason in the report.

    Differences from the URDF are reported. ``newest`` adds what makes libsdformat 14 and later
    (Gazebo Harmonic) refuse the file: frames whose names are taken or that are below a dropped
    link, mimics of joints that do not exist, axes of length 0.
    """
    above: dict[int, m.Joint] = {}
    for joint in sorted(model.joints, key=lambda joint: joint.name):
        other = above.setdefault(joint.child, joint)
        if other is not joint:
            report.add(
                codes.DUPLICATE_NAME,
                f"the link '{model.bodies[joint.child].name}' is the child of '{other.name}' and "
                f"'{joint.name}'; libsdformat refuses that", joint.location,
                reference='DUPLICATE_NAME')
            return None
    conversion = _Conversion(model, above, newest)
    location = model.location
    if not conversion.order or not isinstance(location, SourceRef):
        return None
    element = conversion.sdf(location, report)
    for body in conversion.unweighed():
        report.add(
            codes.INERTIA_INVALID,
            f"the link '{body.name}' gets no center of mass: fixed joints connect it to links of "
            'mass 0, and libsdformat divides by their mass; it refuses that',
            body.location, reference='ELEMENT_INVALID', severity='error',
            hint='leave out the <inertial> of links without mass')
        return None
    if location.document.is_full:
        report.add(
            codes.TOO_MANY_ELEMENTS,
            f'there are more than {location.document.limits.elements} elements with the ones that '
            '<gazebo> adds to visuals and collisions', location)
        return None
    for change, place, hint in conversion.changes():
        report.add(codes.SDF_URDF_CONVERTED, change, place, hint=hint)
    return checked_file(element, (1, 11), report, strict_names=strict_names)


class _Conversion:
    """
    Makes the elements of SDFormat, each with the location of its record in the URDF.

    ``order`` are the links of the first root by index, a parent before its children, which are in
    the order of the names of their joints, as in urdfdom. ``_above`` is the joint above each link.
    ``_tops`` is the link that replaces each link, which may be itself; ``_poses`` are the poses of
    links in these. ``_bodies`` include the links lumped into them. ``_unlocked`` are the fixed
    joints that become revolute joints without room to move. ``_lost_mimics`` are the ``<mimic>``
    elements whose leader does not exist, by the joint. ``_without_axis`` are the joints whose axis
    has the length 0, for which the Model has x. ``_faulty`` are the links that have a mass only
    for urdfdom, because of a fault in their ``<inertial>``.
    """

    def __init__(
        self, model: m.Model, above: Mapping[int, m.Joint], newest: bool,
    ) -> None:
        self._model = model
        self._newest = newest
        self._above = above
        tree = span(model._replace(joints=tuple(above.values())))
        first = next((root for root in tree.roots if root not in above), None)
        self._tops: dict[int, int] = {}
        self._poses: dict[int, Pose] = {}
        self._bodies = list(model.bodies)
        self._gazebo = read_extensions(model)
        preserved, unlocked = (
            {subject_of(each) for each in self._gazebo if is_on(each, setting)}
            for setting in ('preserveFixedJoint', 'disableFixedJointLumping'))
        self._unlocked = unlocked - preserved
        for index in tree.order:
            if index == first or tree.parent[index] in self._tops:
                self._find_top(index, preserved | unlocked)
        self.order = list(self._tops)
        self._lumped = [index for index in self.order if self._tops[index] != index]
        self._lump()
        self._extensions = ExtensionTable(self._gazebo, {
            model.bodies[index].name: (self._top_name(index), self._poses[index])
            for index in self._lumped})
        self._modeled: list[int] = []
        moving = [joint for joint in above.values() if joint.motions] if newest else []
        self._lost_mimics = lost_mimics(moving, model.coordinates)
        self._without_axis = without_axis(moving)
        self._faulty = with_mass_despite_fault(model.bodies if newest else ())

    def _find_top(self, index: int, kept: Collection[str]) -> None:
        """Find the link that a link is lumped into, if the joint above it is fixed and may go."""
        joint = self._above.get(index)
        self._tops[index], self._poses[index] = index, IDENTITY
        if (joint is not None and joint.type == 'fixed' and joint.name not in kept
                and self._bodies[joint.parent].name != _WORLD):
            self._tops[index] = self._tops[joint.parent]
            self._poses[index] = compose(self._poses[joint.parent], joint.parent_from_joint)

    def _top_name(self, index: int) -> str:
        return self._bodies[self._tops[index]].name

    def _lump(self) -> None:
        """Add the inertia and shapes of lumped links to the links that replace them."""
        parts: dict[int, list[int]] = {}
        for index in self._lumped:
            parts.setdefault(self._tops[index], []).append(index)
        for top, added in parts.items():
            bodies = [(self._bodies[index], self._poses[index]) for index in added]
            body = self._bodies[top]
            self._bodies[top] = body._replace(
                inertia=_total(body.inertia, [
                    part.inertia._replace(pose=compose(pose, part.inertia.pose))
                    for part, pose in bodies if part.inertia is not None]),
                visuals=(*body.visuals, *_moved('visuals', bodies)),
                collisions=(*body.collisions, *_moved('collisions', bodies)))

    def _find_modeled(self, report: Report) -> None:
        """Find the links that become part of the model; no link below one without mass does."""
        dropped: set[int] = set()
        for index in self.order:
            body, joint = self._bodies[index], self._above.get(index)
            if joint is not None and joint.parent in dropped:
                dropped.add(index)
            elif self._tops[index] != index or joint is None and body.name == _WORLD:
                pass
            elif body.name not in self._faulty and (
                    body.inertia is None or body.inertia.mass <= 0.0):
                dropped.add(index)
                report.add(
                    codes.SDF_URDF_LINK_DROPPED,
                    f"the link '{body.name}' has no mass; libsdformat drops it and all below it",
                    body.location,
                    hint='give it an <inertial>, or make the joint above or below it fixed')
            else:
                self._modeled.append(index)

    def unweighed(self) -> Iterator[m.Body]:
        """Yield the modeled links in which a link was lumped into another, both without mass."""
        below: dict[int, list[int]] = {}
        for index in self._lumped:
            below.setdefault(self._above[index].parent, []).append(index)
        mass = {index: body.inertia and body.inertia.mass
                for index, body in enumerate(self._model.bodies)}
        faulty: set[int] = set()
        for top in self._modeled:
            pending, lumped = [top], list[int]()
            while pending:
                lumped.append(pending.pop())
                pending += below.get(lumped[-1], ())
            for index in lumped[:0:-1]:  # as libsdformat: the last of a branch first
                parent, added = self._above[index].parent, mass[index]
                if added is not None:
                    mass[parent] = (mass[parent] or 0.0) + added
                    if index in faulty or mass[parent] == 0.0:
                        faulty.add(parent)
            if top in faulty:
                yield self._model.bodies[top]

    def sdf(self, root: SourceRef, report: Report) -> TypedElement:
        """Return the ``<sdf>`` element, and report the links that are dropped."""
        self._find_modeled(report)
        model = located(root, 'model', [], name=self._model.name)
        for index in self._modeled:
            joint = self._above.get(index)
            if joint is not None and joint.type in _TYPES:
                model.children.append(self._joint(joint))
            model.children.append(self._link(self._bodies[index], joint))
        self._extensions.extend(model, '')
        add_origin(model, root)
        taken = {child.get('name') for child in model.children if child.tag in _NAMED}
        tops = set(self._modeled)
        for index in self._lumped:
            # lumped links and the fixed joints above them leave frames behind
            for part in (self._above[index], self._bodies[index]):
                if self._newest or self._tops[index] in tops and part.name not in taken:
                    taken.add(part.name)
                    model.children.append(located(
                        part.location, 'frame', [pose_element(part.location, self._poses[index])],
                        name=part.name, attached_to=self._top_name(index)))
        return located(root, 'sdf', [model], version='1.11')

    def _link(self, body: m.Body, joint: Optional[m.Joint]) -> TypedElement:
        """Return the ``<link>`` of a body, whose pose is that of the joint above it."""
        element = located(body.location, 'link', [], name=body.name)
        if joint is not None:
            element.children.append(located(body.location, 'pose', relative_to=joint.name))
        if body.inertia is not None:
            at = body.inertia.location
            element.children.append(located(at, 'inertial', [
                pose_element(at, body.inertia.pose),
                located(at, 'mass', numbers(body.inertia.mass)),
                located(at, 'inertia', finite(placed(body.inertia, 'sdf', 'inertia')))]))
        for tag, shapes in (('collision', body.collisions), ('visual', body.visuals)):
            for index, shape in enumerate(shapes):
                made = shape_element(tag, shape, body.name, index)
                self._extensions.extend_shape(made, body.name)
                if shape.material is not None:
                    add_color(made, shape.material)
                element.children.append(made)
        self._extensions.extend(element, body.name)
        return element

    def _joint(self, joint: m.Joint) -> TypedElement:
        location, top, kind = joint.location, self._top_name(joint.parent), joint.type
        if kind == 'continuous' or joint.name in self._unlocked:
            kind = 'revolute'
        pose = compose(self._poses[joint.parent], joint.parent_from_joint)
        element = located(location, 'joint', [
            pose_element(location, pose, relative_to='__model__' if top == _WORLD else top),
            located(location, 'parent', top),
            located(location, 'child', self._bodies[joint.child].name)],
            name=joint.name, type=kind)
        if joint.motions:
            axis = self._axis(
                (0.0, 0.0, 0.0) if joint.name in self._without_axis else joint.motions[0].axis,
                self._model.coordinates[joint.motions[0].coordinates[0]])
            axis.children += self._mimic(joint)
            element.children.append(axis)
        elif kind == 'revolute' or self._newest:  # libsdformat writes an axis for any joint
            element.children.append(self._axis(
                Z_AXIS, m.Coordinate('', 'angle', 0.0, 0.0, location=location)))
        self._extensions.extend(element, joint.name)
        return element

    def _axis(self, direction: Vector, coordinate: m.Coordinate) -> TypedElement:
        location = coordinate.location
        limits = placed(coordinate, 'sdf', 'limit')
        limits['lower'], limits['upper'] = sorted((coordinate.lower, coordinate.upper))
        return located(location, 'axis', [
            located(location, 'xyz', numbers(*direction)),
            located(location, 'limit', finite(limits)),
            located(location, 'dynamics', finite(placed(coordinate, 'sdf', 'dynamics')))])

    def _mimic(self, joint: m.Joint) -> list[TypedElement]:
        """Return the ``<mimic>`` of a joint's axis, if it has one."""
        coordinate = self._model.coordinates[joint.motions[0].coordinates[0]]
        if coordinate.mimic is not None:
            return [located(
                joint.location, 'mimic', finite({
                    'multiplier': coordinate.mimic.multiplier,
                    'offset': coordinate.mimic.offset}),
                joint=self._model.coordinates[coordinate.mimic.leader].name)]
        lost = self._lost_mimics.get(joint.name)
        return [] if lost is None else [located(
            lost.location, 'mimic', joint=lost.attributes.get('joint', ''))]

    def changes(self) -> Iterator[tuple[str, Place, Optional[str]]]:
        """Yield the other changes with a hint, each kind of change once."""
        bodies = [self._bodies[index] for index in self._modeled]
        lumped = [self._bodies[index] for index in self._lumped]
        if lumped:
            names = listed([body.name for body in lumped])
            yield (
                f'fixed joints make links parts of others: {names}', lumped[0].location, PRESERVE)
        for joint in [self._above[index] for index in self._modeled if index in self._above]:
            for change, hint in self._changes_of(joint):
                yield change, joint.location, hint
        shapes = [shape for body in bodies for shape in (*body.visuals, *body.collisions)]
        if shapes:
            yield (
                f'{len(shapes)} visuals and collisions have other names: that of the link, or '
                'their own, with _visual or _collision', shapes[0].location, None)
        if self._gazebo:
            yield (
                f'the content of <gazebo> elements is applied: {len(self._gazebo)}',
                self._gazebo[0].location, None)
        model = self._model
        yield from misplaced(self._gazebo, [
            (model.bodies[index], self._top_name(index)) for index in self.order])
        kept = [
            *model.extensions, *(raw for body in model.bodies for raw in body.extensions),
            *(raw for joint in model.joints for raw in joint.extensions)]
        lost = [raw for raw in kept if raw.tag != 'gazebo']
        if lost:
            tags = ', '.join(dict.fromkeys(f'<{raw.tag}>' for raw in lost))
            yield (
                f'elements that SDFormat has no place for are dropped: {tags}', lost[0].location,
                None)

    def _changes_of(self, joint: m.Joint) -> Iterator[tuple[str, Optional[str]]]:
        name = joint.name
        if joint.type in ('floating', 'planar'):
            yield (
                f"SDFormat has no {joint.type} joint: '{name}' is dropped",
                'libsdformat refuses the file because of it; use joints of one axis')
        elif name in self._unlocked:
            yield (
                f"the fixed joint '{name}' becomes a revolute joint with the limits 0",
                '<preserveFixedJoint> keeps it fixed')
        for motion in joint.motions:
            coordinate = self._model.coordinates[motion.coordinates[0]]
            if coordinate.lower > coordinate.upper:
                yield f"the limits of '{name}' are exchanged: the lower one is the greater", None
            for field, facts in unheld(m.Coordinate, ['sdf']).items():
                if getattr(coordinate, field) != default_of(m.Coordinate, field):
                    yield f"SDFormat has no place for {facts.noun}: '{name}'", None


# ---- records

def _moved(field: str, bodies: Sequence[tuple[m.Body, Pose]]) -> Iterator[m.Shape]:
    """Yield shapes of lumped links, posed in their top; unnamed shapes get the link's name."""
    for body, top_from_link in bodies:
        for shape in getattr(body, field):
            yield shape._replace(
                name=shape.name or body.name, pose=compose(top_from_link, shape.pose))


def _total(own: Optional[Inertia], added: Sequence[Inertia]) -> Optional[Inertia]:
    """Return the inertia of a link and the links lumped into it, in the axes of its tensor."""
    parts = added if own is None else [own, *added]
    if not added or sum(part.mass for part in parts) == 0.0:
        return own
    total = combine(parts)
    axes = IDENTITY if own is None else Pose(0.0, 0.0, 0.0, *own.pose[3:])
    tensor = rotate_tensor(inverse(axes), total.tensor)
    return Inertia(
        total.mass, Pose(*total.pose[:3], *axes[3:]), *tensor, location=parts[0].location)
