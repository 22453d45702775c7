# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Resolve the references of frames, joints, and the parts of links, joints and scopes.

The pose of a part may be relative to any frame; it becomes a pose in the link, joint or scope
around the part. The inertia of a link that its collisions determine follows from these poses.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import NONE, Shape
from hrdf_ros.pose import compose, IDENTITY, Pose, relative
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import pose_and_reference
from hrdf_ros.readers.sdf.joint import resolve_joint, ResolvedJoint
from hrdf_ros.readers.sdf.link import inertia_of_collisions
from hrdf_ros.readers.sdf.records import Joint, Link
from hrdf_ros.readers.sdf.tree import Frames


class Resolved(NamedTuple):
    """
    The targets of references.

    ``links`` are, by index, the links that had something to resolve, with all shapes in the link's
    frame and with their inertia. ``joints`` are, by index, the joints that connect two bodies.
    ``parts`` are the poses of elements that were written relative to another frame than that of
    their link, joint or scope.
    """

    frames: Frames
    links: Mapping[int, Link]
    joints: Mapping[int, ResolvedJoint]
    parts: Mapping[TypedElement, Pose]

    def pose_of(self, element: TypedElement) -> Pose:
        """Return the pose of a part in its link, joint or scope."""
        pose = self.parts.get(element) if self.parts else None
        return pose_and_reference(element)[0] if pose is None else pose


def resolve_references(
    frames: Frames, top: int, items: Iterable[int], report: Report,
) -> Resolved:
    """
    Resolve the references in links, joints and scopes, and report faults.

    ``items`` are the indices of all items in ``top``, and of ``top`` itself if it is a model.
    """
    tree = frames.tree
    parts = _Parts(frames, report)
    links: dict[int, Link] = {}
    joints: dict[int, ResolvedJoint] = {}
    all_joints = []
    for index in items:
        item = tree.items[index]
        if isinstance(item, Link) and (item.relative or item.preserved or item.inertia is None):
            links[index] = _resolve_link(index, item, parts, report)
        elif isinstance(item, Joint):
            all_joints.append((index, item))
    for index, joint in all_joints:
        resolved = resolve_joint(index, joint, 0, frames, report)
        if resolved is not None:
            joints[index] = resolved
    for index, joint in all_joints:
        parts.add(joint.preserved, tree.around[index], frames.poses[index], joint.name)
    for index in tree.scopes_in(top):
        scope = tree.scopes[index]
        parts.add(scope.others, index, IDENTITY, scope.name)
    return Resolved(frames, links, joints, parts.poses)


class _Parts:
    """The poses of parts of links, joints and scopes, as far as they are resolved."""

    def __init__(self, frames: Frames, report: Report) -> None:
        self.poses: dict[TypedElement, Pose] = {}
        self.frames = frames
        self._report = report

    def add(
        self, elements: Iterable[TypedElement], scope: int, scope_from_owner: Pose, owner: str,
    ) -> None:
        """Add the elements whose poses name a frame, relative to their owner."""
        tree = self.frames.tree
        for element in elements:
            pose, name = pose_and_reference(element)
            if not name:
                continue
            frame = tree.find(scope, name)
            if frame != NONE:
                self.poses[element] = compose(
                    relative(scope_from_owner, self.frames.pose_in(scope, frame)), pose)
            elif not tree.scopes[scope].incomplete:
                self._report.add(
                    codes.SDF_RELATIVE_TO_UNCHECKED,
                    f"the pose of this <{element.tag}> is relative to '{name}', which is not in "
                    f"the scope of '{owner}'", element.section('pose').attribute_location(
                        'relative_to', 0),
                    hint='libsdformat does not look until it is asked for this pose', cause=name)


def _resolve_link(index: int, link: Link, parts: _Parts, report: Report) -> Link:
    """Return a link with its shapes in its frame, and the inertia that its collisions give."""
    frames = parts.frames
    parts.add(
        (*link.relative, *link.preserved), frames.tree.around[index], frames.poses[index],
        link.name)
    if link.relative:
        link = link._replace(
            visuals=_posed(link.visuals, link.element.all('visual'), parts.poses),
            collisions=_posed(link.collisions, link.element.all('collision'), parts.poses))
    if link.inertia is None:
        collisions = list(zip(link.element.all('collision'), link.collisions))
        link = link._replace(inertia=inertia_of_collisions(link.element, collisions, report))
    return link


def _posed(
    shapes: Iterable[Shape], elements: Iterable[TypedElement], poses: Mapping[TypedElement, Pose],
) -> list[Shape]:
    """Return shapes with the poses that were resolved for their elements."""
    return [
        shape._replace(pose=poses.get(element, shape.pose))
        for shape, element in zip(shapes, elements)]
