# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The links of a URDF as a tree, and which of them fixed joints make one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from operator import attrgetter
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import combine, Inertia, rotate_tensor
from hrdf_ros.model import Body, Joint, Model, Shape
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose

WORLD = 'world'
_BY_NAME = attrgetter('name')


class UrdfLink:
    """
    A link with the joint above it.

    ``lumped_into`` is the link that replaces it, and ``top_from_link`` its pose there.
    ``inertia``, ``visuals`` and ``collisions`` include the links lumped into it.
    """

    __slots__ = (
        'body', 'parent', 'joint', 'children', 'lumped_into', 'top_from_link', 'inertia',
        'visuals', 'collisions')

    def __init__(self, body: Body) -> None:
        self.body = body
        self.parent: Optional[UrdfLink] = None
        self.joint: Optional[Joint] = None
        self.children: list[UrdfLink] = []
        self.lumped_into: Optional[UrdfLink] = None
        self.top_from_link: Pose = IDENTITY
        self.inertia: Optional[Inertia] = body.inertia
        self.visuals = list(body.visuals)
        self.collisions = list(body.collisions)

    @property
    def name(self) -> str:
        """The name of the link."""
        return self.body.name

    @property
    def top(self) -> UrdfLink:
        """The link that it is lumped into, or itself."""
        return self.lumped_into or self

    @property
    def joint_pose(self) -> Pose:
        """The pose of the joint above it in the link that the parent is lumped into."""
        if self.parent is None or self.joint is None:
            return IDENTITY
        return compose(self.parent.top_from_link, self.joint.parent_from_joint)

    @property
    def is_lumped(self) -> bool:
        """Whether another link takes its place."""
        return self.lumped_into is not None


def link_tree(model: Model, report: Report) -> Optional[UrdfLink]:
    """Return the root, None where a link is the child of two joints or none is the root."""
    links = [UrdfLink(body) for body in model.bodies]
    for joint in sorted(model.joints, key=_BY_NAME):  # so urdfdom orders the children of a link
        link = links[joint.child]
        if link.joint is not None:
            report.add(
                codes.DUPLICATE_NAME,
                f"the link '{link.name}' is the child of '{link.joint.name}' and '{joint.name}'; "
                'libsdformat refuses that', joint.location, reference='DUPLICATE_NAME')
            return None
        link.parent, link.joint = links[joint.parent], joint
        links[joint.parent].children.append(link)
    return next((link for link in links if link.parent is None), None)


def walk(root: UrdfLink) -> Iterator[UrdfLink]:
    """Yield all links, a parent before its children and these in order."""
    pending = [root]
    while pending:
        link = pending.pop()
        yield link
        pending.extend(reversed(link.children))


def release(root: UrdfLink) -> None:
    """Clear the links, which refer to each other, so that no collection is needed."""
    for link in list(walk(root)):
        link.children.clear()
        link.parent = None
        link.lumped_into = None


def lump(root: UrdfLink, kept_joints: Collection[str]) -> list[UrdfLink]:
    """Lump the links below fixed joints, except kept ones; return the lumped links."""
    lumped = []
    for link in walk(root):
        parent, joint = link.parent, link.joint
        if (parent is None or joint is None or joint.type != 'fixed' or parent.name == WORLD
                or joint.name in kept_joints):
            continue
        link.lumped_into = parent.top
        link.top_from_link = compose(parent.top_from_link, joint.parent_from_joint)
        link.top.visuals += _moved(link.body.visuals, link)
        link.top.collisions += _moved(link.body.collisions, link)
        lumped.append(link)
    _add_masses(lumped)
    return lumped


def _moved(shapes: tuple[Shape, ...], link: UrdfLink) -> list[Shape]:
    """Return the shapes of a lumped link, posed in its top; one without a name gets the link's."""
    return [
        shape._replace(
            name=shape.name or link.name, pose=compose(link.top_from_link, shape.pose))
        for shape in shapes]


def _add_masses(lumped: list[UrdfLink]) -> None:
    """Add the masses of lumped links to their tops; the axes of the tensors stay."""
    parts: dict[UrdfLink, list[Inertia]] = {}
    for link in lumped:
        inertia = link.body.inertia
        if inertia is not None:
            pose = compose(link.top_from_link, inertia.pose)
            parts.setdefault(link.top, []).append(inertia._replace(pose=pose))
    for top, added in parts.items():
        own = top.body.inertia
        if sum(part.mass for part in added) + (0.0 if own is None else own.mass) == 0.0:
            continue
        total = combine(added if own is None else [own, *added])
        axes = IDENTITY if own is None else Pose(0.0, 0.0, 0.0, *own.pose[3:])
        tensor = rotate_tensor(inverse(axes), total.tensor)
        top.inertia = Inertia(
            total.mass, Pose(*total.pose[:3], *axes[3:]), *tensor,
            location=added[0].location if own is None else own.location)
