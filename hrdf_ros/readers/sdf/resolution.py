# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is in links, joints and scopes, resolved: where it is, and what the inertia of links is."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Shape
from hrdf_ros.pose import compose, IDENTITY, Pose, relative
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.context import SdfContext
from hrdf_ros.readers.sdf.element import pose_of, relative_to
from hrdf_ros.readers.sdf.frame_graph import resolve_pose
from hrdf_ros.readers.sdf.inertial import inertia_of_collisions
from hrdf_ros.readers.sdf.joint_references import resolve_joints, ResolvedJoints
from hrdf_ros.readers.sdf.link import SdfLink
from hrdf_ros.readers.sdf.scopes import (
    Scope,
    ScopedElement,
    ScopedJoint,
    ScopedLink,
    ScopedModel,
)

_DROPPED = ('include', 'model_state', 'state')


class Resolution(NamedTuple):
    """
    What is resolved in a world, or in a model outside of any world.

    ``references`` is owner_from_reference for each element in a link, joint or scope whose pose
    names the frame that it is relative to; ``links`` are those of which a shape does so, or whose
    inertia collisions give, with poses in the link's frame.
    """

    joints: ResolvedJoints
    references: dict[TypedElement, Pose]
    links: dict[ScopedLink, SdfLink]

    def pose(self, element: TypedElement) -> Pose:
        """Return owner_from_element for an element in a link, joint or scope."""
        reference = self.references.get(element)
        return pose_of(element) if reference is None else compose(reference, pose_of(element))


def resolve_parts(
    world: Scope, top: Scope, items: Sequence[ScopedElement], context: SdfContext,
) -> Resolution:
    """
    Resolve what is in the links, joints and scopes, and report what is wrong.

    ``world`` is the outermost scope, ``items`` all that is in ``top``.
    """
    report = context.semantics
    links, joints, scopes = [], [], [top]
    for item in items:
        if isinstance(item, ScopedLink):
            links.append(item)
        elif isinstance(item, ScopedJoint):
            joints.append(item)
        elif isinstance(item, ScopedModel):
            scopes.append(item.inner)
    references: dict[TypedElement, Pose] = {}
    found = Resolution({}, references, {})
    for link in links:
        content = link.link
        if content.relative or content.preserved or content.inertia is None:
            _resolve_link(link, found, context)
    found.joints.update(resolve_joints(joints, world, report))
    for joint in [joint for joint in joints if joint.joint.preserved]:
        _resolve_joint(joint, found, context)
    for scope in scopes:
        for element in scope_parts(scope):
            context.preserve(element)
            if relative_to(element):
                references[element] = _reference(element, scope, IDENTITY, scope.name, report)
    return found


def scope_parts(scope: Scope) -> list[TypedElement]:
    """Return the elements of a scope that are preserved as raw text."""
    return [element for element in scope.others if element.tag not in _DROPPED]


def _resolve_link(link: ScopedLink, found: Resolution, context: SdfContext) -> None:
    content, report = link.link, context.semantics
    for element in content.relative:
        found.references[element] = _in_element(element, link, report)
    for element in content.preserved:
        context.preserve(element)
        if relative_to(element):
            found.references[element] = _in_element(element, link, report)
    if content.relative or content.inertia is None:
        found.links[link] = _resolved(link, found, report)


def _resolved(link: ScopedLink, found: Resolution, report: Report) -> SdfLink:
    """Return what a link says with all poses in its frame, and with an inertia."""
    visuals, collisions = link.element.all('visual'), link.element.all('collision')
    content = link.link._replace(
        visuals=_posed(link.link.visuals, visuals, found),
        collisions=_posed(link.link.collisions, collisions, found))
    if content.inertia is not None:
        return content
    return content._replace(inertia=inertia_of_collisions(
        link.element, list(zip(collisions, content.collisions)), report))


def _posed(
    shapes: Iterable[Shape], elements: Iterable[TypedElement], found: Resolution,
) -> tuple[Shape, ...]:
    return tuple(
        shape._replace(pose=found.pose(element)) for shape, element in zip(shapes, elements))


def _resolve_joint(joint: ScopedJoint, found: Resolution, context: SdfContext) -> None:
    is_built = joint in found.joints and joint.joint.type != 'gearbox'
    for element in joint.joint.preserved:
        if is_built:
            context.preserve(element)
        if relative_to(element):
            found.references[element] = _in_element(element, joint, context.semantics)


def _in_element(element: TypedElement, owner: ScopedElement, report: Report) -> Pose:
    return _reference(element, owner.scope, owner.resolved_pose, owner.name, report)


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
