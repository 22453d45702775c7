# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of links, joints and scopes, resolved: their poses, and the inertia of links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Shape
from hrdf_ros.pose import compose, IDENTITY, Pose, relative
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import pose_of, relative_to
from hrdf_ros.readers.sdf.frame_graph import resolve_pose
from hrdf_ros.readers.sdf.joint_references import resolve_joint
from hrdf_ros.readers.sdf.link import inertia_of_collisions
from hrdf_ros.readers.sdf.scopes import Joint, Link, Scope, ScopedElement, ScopedModel

_DROPPED = ('include', 'model_state', 'state')

References = dict[TypedElement, Pose]
"""
The pose owner_from_reference of each element whose pose names the frame it is relative to.

The owner is the link, joint or scope that the element is in.
"""


def resolve_parts(
    world: Scope, top: Scope, items: Sequence[ScopedElement], report: Report,
) -> References:
    """
    Resolve the content of links, joints and scopes, and report faults.

    ``world`` is the outermost scope, ``items`` all that is in ``top``.
    """
    references: References = {}
    joints = [item for item in items if isinstance(item, Joint)]
    for item in items:
        if isinstance(item, Link) and (item.relative or item.preserved or item.inertia is None):
            _resolve_link(item, references, report)
    for joint in joints:
        resolve_joint(joint, world, report)
    for joint in joints:
        _add_references(joint.preserved, joint, references, report)
    for scope in [top, *(item.inner for item in items if isinstance(item, ScopedModel))]:
        for element in scope_parts(scope):
            if relative_to(element):
                references[element] = _reference(element, scope, IDENTITY, scope.name, report)
    return references


def pose_in_owner(element: TypedElement, references: References) -> Pose:
    """Return owner_from_element for an element in a link, joint or scope."""
    reference = references.get(element)
    return pose_of(element) if reference is None else compose(reference, pose_of(element))


def scope_parts(scope: Scope) -> list[TypedElement]:
    """Return the elements of a scope that are preserved as raw text."""
    return [element for element in scope.others if element.tag not in _DROPPED]


def _resolve_link(link: Link, references: References, report: Report) -> None:
    """Pose the shapes of a link in its frame, and compute its inertia where they give it."""
    _add_references((*link.relative, *link.preserved), link, references, report)
    collisions = link.element.all('collision')
    if link.relative:
        link.visuals = _posed(link.visuals, link.element.all('visual'), references)
        link.collisions = _posed(link.collisions, collisions, references)
    if link.inertia is None:
        link.inertia = inertia_of_collisions(
            link.element, list(zip(collisions, link.collisions)), report)


def _posed(
    shapes: Iterable[Shape], elements: Iterable[TypedElement], references: References,
) -> list[Shape]:
    return [
        shape._replace(pose=pose_in_owner(element, references))
        for shape, element in zip(shapes, elements)]


def _add_references(
    elements: Iterable[TypedElement], owner: ScopedElement, references: References,
    report: Report,
) -> None:
    for element in elements:
        if relative_to(element):
            references[element] = _reference(
                element, owner.scope, owner.resolved_pose, owner.name, report)


def _reference(
    element: TypedElement, scope: Scope, scope_from_owner: Pose, owner: str, report: Report,
) -> Pose:
    """Return owner_from_reference for an element whose pose names a frame."""
    name = relative_to(element)
    path = scope.find(name)
    if path is not None:
        return relative(scope_from_owner, resolve_pose(path, report))
    if not scope.incomplete:
        report.add(
            codes.SDF_RELATIVE_TO_UNCHECKED,
            f"the pose of this <{element.tag}> is relative to '{name}', which is not in the scope "
            f"of '{owner}'", element.section('pose').attribute_location('relative_to', 0),
            hint='libsdformat does not look until it is asked for this pose', cause=name)
    return IDENTITY
