# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Changes of a Model that users ask for.

They can merge links that fixed joints connect, turn frames into links, and add a massless root
link.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
import re
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import printable, Report
from hrdf_ros.document import parse_again, start_tag
from hrdf_ros.inertia import combine, Inertia
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering.moved_raws import moved_raw, ONCE_IN_LINKS
from hrdf_ros.lowering.sdf_world import full_world, world_bodies
from hrdf_ros.model import (
    Body,
    Frame,
    Joint,
    Model,
    NONE,
    RawElement,
    Shape,
    SourceText,
    text_as_read,
    with_text,
)
from hrdf_ros.names import Names
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose
from hrdf_ros.topology import is_single_tree, reverse, span, Topology

_WORD = re.compile(r'[^\s<>"\'=,;()\[\]{}|]+')


# ---- one link for several

class _Place(NamedTuple):
    """A body that absorbs another body, and the pose of the absorbed body in it."""

    body: int
    pose: Pose = IDENTITY


class MergedLinks(NamedTuple):
    """Where each body of a Model goes if one link replaces those that fixed joints connect."""

    topology: Topology
    places: Sequence[_Place]

    def carriers(self, model: Model) -> dict[str, str]:
        """Return the names of the links that go, each with the name of the link that stays."""
        return {
            model.bodies[index].name: model.bodies[place.body].name
            for index, place in enumerate(self.places) if place.body != index}


def find_merged(
    model: Model, *, keeps_scopes: bool = False, kept: Collection[str] = (),
) -> MergedLinks:
    """
    Find the links that fixed joints connect; of these the link nearest to the root stays.

    The world keeps its own joints: a link fixed to it stays a link. With ``keeps_scopes`` the
    canonical link of a nested model, which carries the model's frame, is not merged into a link
    outside the model. Fixed joints whose names are ``kept`` stay.
    """
    topology = span(model)
    return MergedLinks(topology, _places(model, topology, {
        scope.canonical_body: f'{scope.source_name}::'
        for scope in model.scopes[::-1] if keeps_scopes}, kept))


def merge_fixed(model: Model, found: MergedLinks, notes: GroupedDiagnostics) -> Model:
    """
    Return the Model with one link in place of those that fixed joints connect.

    Frames of merged links and joints keep their names and poses. A Model without links to merge
    is returned as it is.
    """
    if all(place.body == index for index, place in enumerate(found.places)):
        return model
    merger = _Merger(model, found, notes)
    joints = [index for index in range(len(model.joints)) if index not in merger.gone]
    index_of = {index: count for count, index in enumerate(joints)}
    merged = with_bodies(
        model._replace(
            joints=tuple(map(merger.joint, joints)),
            frames=tuple(map(merger.frame, model.frames)), constraints=tuple(
                each._replace(
                    joints=tuple(index_of[joint] for joint in each.joints if joint in index_of))
                for each in model.constraints)),
        map(merger.merged, merger.index), merger.body)
    merger.note_names(merged)
    return merged


def with_bodies(model: Model, bodies: Iterable[Body], moved: Callable[[int], int]) -> Model:
    """Return the Model with other bodies; ``moved`` gives the new index of each old body."""
    return model._replace(
        bodies=tuple(bodies), canonical_body=moved(model.canonical_body),
        joints=tuple(
            joint._replace(parent=moved(joint.parent), child=moved(joint.child))
            for joint in model.joints),
        frames=tuple(frame._replace(body=moved(frame.body)) for frame in model.frames),
        constraints=tuple(
            each._replace(bodies=tuple(map(moved, each.bodies))) for each in model.constraints),
        scopes=tuple(
            scope._replace(canonical_body=moved(scope.canonical_body)) for scope in model.scopes))


def _places(
    model: Model, topology: Topology, scope_of_canonical: Mapping[int, str],
    kept: Collection[str],
) -> list[_Place]:
    """Return for each body the body that it becomes part of; a body that stays is its own."""
    worlds = {*world_bodies(model), full_world(model)}
    places = [_Place(index) for index in range(len(model.bodies))]
    for index in topology.order:
        parent = topology.parent[index]
        if parent == NONE or places[parent].body in worlds:
            continue
        joint = model.joints[topology.joint[index]]
        carrier = model.bodies[places[parent].body].source_name
        if not joint.motions and joint.name not in kept and carrier.startswith(
                scope_of_canonical.get(index, '')):
            joint = reverse(joint) if topology.reversed[index] else joint
            step = compose(joint.parent_from_joint, inverse(joint.child_from_joint))
            places[index] = _Place(places[parent].body, compose(places[parent].pose, step))
    return places


class _Merger:
    """
    Moves masses, shapes, frames and joints to the bodies that stay.

    ``index`` has the new indices of these bodies, ``gone`` the fixed joints within merged links.
    """

    def __init__(self, model: Model, found: MergedLinks, notes: GroupedDiagnostics) -> None:
        self._model, self._notes = model, notes
        self._topology, self._places = found
        self._members = defaultdict[int, list[int]](list)
        for body, place in enumerate(found.places):
            self._members[place.body].append(body)
        self.index = {body: count for count, body in enumerate(sorted(self._members))}
        self.gone = {
            index for index, joint in enumerate(model.joints) if not joint.motions
            and found.places[joint.parent].body == found.places[joint.child].body}
        self._framed = {frame.location for frame in model.frames if frame.held_by}
        """The elements that also define frames; if their link moves, only the frames are kept."""
        self._gone_names = {model.joints[index].name for index in self.gone}

    def body(self, index: int) -> int:
        """Return the new index of a body, or of the body that it becomes part of."""
        return NONE if index == NONE else self.index[self._places[index].body]

    def joint(self, index: int) -> Joint:
        """Return a joint between merged links, reversed if it would make a root link a child."""
        joint, topology = self._model.joints[index], self._topology
        root = self._places[joint.child].body
        is_upwards = topology.joint[joint.parent] == index and topology.reversed[joint.parent]
        if is_upwards and root in topology.roots and root != joint.child:
            self._notes.about(
                codes.JOINT_REVERSED, 'joints are written with parent and child exchanged: their '
                'child is part of the root', joint)
            joint = reverse(joint)
        parent, child = self._places[joint.parent], self._places[joint.child]
        return joint._replace(
            parent_from_joint=compose(parent.pose, joint.parent_from_joint),
            child_from_joint=compose(child.pose, joint.child_from_joint))

    def frame(self, frame: Frame) -> Frame:
        """Return a frame moved to its merged link; frames of removed links and joints stay."""
        if frame.body == NONE:
            return frame
        place = self._places[frame.body]
        own = self._model.bodies[frame.body].name
        is_gone = (
            frame.name == own and place.body != frame.body
            or frame.kind == 'joint' and frame.name in self._gone_names
            or frame.held_by and place.pose != IDENTITY)
        moved = frame._replace(pose=compose(place.pose, frame.pose))
        return moved._replace(kind='frame', held_by=()) if is_gone else moved

    def merged(self, index: int) -> Body:
        """Return a link that stays, with everything that belongs to the links merged into it."""
        body, members = self._model.bodies[index], self._members[index]
        if len(members) == 1:
            return body
        parts = [(self._model.bodies[member], self._places[member].pose) for member in members]
        parts.sort(key=lambda part: part[0] is not body)

        def moved(shapes: Callable[[Body], Iterable[Shape]]) -> tuple[Shape, ...]:
            return tuple(
                shape._replace(pose=compose(pose, shape.pose))
                for part, pose in parts for shape in shapes(part))

        return body._replace(
            inertia=_total([
                part.inertia._replace(pose=compose(pose, part.inertia.pose))
                for part, pose in parts if part.inertia is not None]),
            visuals=moved(lambda part: part.visuals),
            collisions=moved(lambda part: part.collisions),
            extensions=tuple(self._extensions(parts)))

    def _extensions(self, parts: Iterable[tuple[Body, Pose]]) -> Iterator[RawElement]:
        """Yield the XML of the parts of a link, each setting from the first part that has it."""
        settings: set[str] = set()
        for part, pose in parts:
            found = {each.tag for each in part.extensions} & ONCE_IN_LINKS
            for extension in part.extensions:
                moved: Optional[RawElement] = extension
                if extension.tag in found & settings:
                    moved = None
                elif pose != IDENTITY and extension.tag not in ONCE_IN_LINKS:
                    is_frame = extension.location in self._framed
                    moved = None if is_frame else moved_raw(extension, pose)
                if moved is not None:
                    yield moved
                else:
                    self._note_omitted(
                        'links, whose frame moves or that another setting of the link is for,',
                        part, extension)
            settings |= found

    def _note_omitted(self, what: str, item: Body | Joint, extension: RawElement) -> None:
        self._notes.add(
            codes.EXTENSION_NOT_REPRESENTABLE,
            f'XML of other programs in merged {what} is omitted',
            f'{item.name}: {extension.tag}', extension.location, severity='warning')

    def note_names(self, merged: Model) -> None:
        """Note the raw XML of joints that are removed, and raw XML that names merged links."""
        gone = set(self._gone_names)
        for index in sorted(self.gone):
            joint = self._model.joints[index]
            for extension in joint.extensions:
                self._note_omitted('joints', joint, extension)
        for index, body in enumerate(self._model.bodies):
            if index not in self.index:
                gone |= {body.name, body.source_name.rpartition('::')[2]}
        extensions = [
            *merged.extensions, *(each for body in merged.bodies for each in body.extensions),
            *(each for joint in merged.joints for each in joint.extensions)]
        for extension in extensions:
            for name in sorted(gone.intersection(_WORD.findall(extension.text))):
                self._notes.add(
                    codes.NAME_CHANGED,
                    'XML of other programs names links or joints that are merged', name,
                    extension.location, severity='warning')


def _total(inertias: list[Inertia]) -> Optional[Inertia]:
    """Return the summed inertia of several parts, without those that have no mass."""
    heavy = [inertia for inertia in inertias if inertia.mass != 0.0]
    if len(heavy) < 2 or sum(inertia.mass for inertia in heavy) == 0.0:
        return next(iter(heavy or inertias), None)
    return combine(heavy)._replace(location=inertias[0].location)


# ---- frames as links

def frame_kinds(model: Model) -> tuple[str, ...]:
    """Return the kinds of the frames that are not links, in their order."""
    return tuple(dict.fromkeys(frame.kind for frame in model.frames if not _is_link(frame, model)))


def frames_as_links(model: Model, kinds: Optional[Collection[str]] = None) -> Model:
    """
    Return the Model with frames of these kinds (all by default) as massless links.

    Each link has the name of the frame and a fixed joint to its body. Without a frame of these
    kinds the Model is returned as it is.
    """
    bodies, joints, frames = list(model.bodies), list(model.joints), list(model.frames)
    taken = Names(taken=(joint.name for joint in joints))
    for index, frame in enumerate(frames):
        if _is_link(frame, model) or kinds is not None and frame.kind not in kinds:
            continue
        joints.append(Joint(
            name=taken.claim(f'{frame.name}/fixed'), source_name=frame.source_name,
            type='fixed', parent=frame.body, child=len(bodies), parent_from_joint=frame.pose,
            location=frame.location))
        body = model.bodies[frame.body]
        bodies.append(Body(
            name=frame.name, source_name=frame.source_name, static=body.static,
            pose=compose(body.pose, frame.pose), tag=frame.tag, location=frame.location))
        frames[index] = frame._replace(body=len(bodies) - 1, pose=IDENTITY)
    if len(bodies) == len(model.bodies):
        return model
    return model._replace(
        bodies=tuple(bodies), joints=tuple(joints), frames=tuple(frames))


def _is_link(frame: Frame, model: Model) -> bool:
    return frame.name == model.bodies[frame.body].name


# ---- a root link for KDL, which refuses one with inertia

class RootLinkError(ValueError):
    """The name of a root link cannot be used; the text says why."""


def with_root_link(model: Model, name: str, report: Report) -> Model:
    """
    Return the Model with a massless body ``name`` that carries the root by a fixed joint.

    The Model is returned as it is where the root has no inertia: that of a URDF, or the root that
    a Model of several trees gets anyway. URDF text stays as it is except for the two new
    elements. A name that is taken raises RootLinkError.
    """
    topology = span(model)
    if not is_single_tree(model, topology):
        return model
    index = topology.roots[0]
    root = model.bodies[index]
    if root.inertia is None or root.inertia.mass == 0.0:
        return model
    if not name.strip():
        raise RootLinkError('the name of the root link is empty')
    if printable(name) != name:
        raise RootLinkError(
            f"the name of the root link '{printable(name)}' has line breaks or control characters")
    if name in {each.name for each in model.bodies} | {each.name for each in model.frames}:
        raise RootLinkError(f"there is a link or frame '{name}' already")
    report.add(
        codes.ROOT_ADDED, f"the massless root link '{name}' is added above '{root.name}'",
        root.location)
    joint = f'{name}/{root.name}'
    scope, separator, _ = root.source_name.rpartition('::')
    added = Body(
        name, scope + separator + name, pose=root.pose, static=root.static,
        location=root.location)
    rooted = model._replace(
        bodies=(*model.bodies, added),
        joints=(*model.joints, Joint(
            name=joint, source_name=scope + separator + joint, type='fixed',
            parent=len(model.bodies), child=index,
            location=root.location)),
        frames=(*model.frames, Frame(
            name, added.source_name, 'link', len(model.bodies), location=root.location)),
        root=name if model.root == root.name else model.root)
    text = text_as_read(model)
    return rooted if text is None else with_text(rooted, SourceText(with_blocks(text, (
        f'{start_tag("link", [("name", name)])}/>',
        f'{start_tag("joint", [("name", joint), ("type", "fixed")])}>\n'
        f'    {start_tag("parent", [("link", name)])}/>\n'
        f'    {start_tag("child", [("link", root.name)])}/>\n'
        '  </joint>'))))


def with_blocks(
    urdf: str, blocks: Sequence[str],
    prepare: Callable[[str, Sequence[str]], str] = lambda robot, _: robot,
) -> str:
    """Return the text of a URDF with blocks before its end tag; ``prepare`` changes its root."""
    robot = parse_again(urdf).raw()
    end = robot.rindex('</')
    merged = ''.join((robot[:end], *(f'  {block}\n' for block in blocks), robot[end:]))
    return urdf.replace(robot, prepare(merged, blocks), 1)
