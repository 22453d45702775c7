# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The links of a URDF with the joints above them, and which of them fixed joints make one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import combine, Inertia, rotate_tensor
from hrdf_ros.model import Body, Joint, Model, Shape
from hrdf_ros.pose import compose, IDENTITY, inverse, Pose
from hrdf_ros.topology import span

WORLD = 'world'


class Link:
    """
    A link with the joint above it.

    ``lumped_into`` is the link that replaces it, and ``top_from_link`` its pose there.
    ``inertia``, ``visuals`` and ``collisions`` include the links lumped into it.
    """

    __slots__ = (
        'body', 'name', 'parent', 'joint', 'is_parent', 'lumped_into', 'top_from_link', 'inertia',
        'visuals', 'collisions')

    def __init__(self, body: Body, parent: Optional[Link], joint: Optional[Joint]) -> None:
        self.body = body
        self.name = body.name
        self.parent = parent
        self.joint = joint
        self.is_parent = False
        self.lumped_into: Optional[Link] = None
        self.top_from_link: Pose = IDENTITY
        self.inertia: Optional[Inertia] = body.inertia
        self.visuals = list(body.visuals)
        self.collisions = list(body.collisions)
        if parent is not None:
            parent.is_parent = True

    @property
    def top(self) -> Link:
        """The link that it is lumped into, or itself."""
        return self.lumped_into or self

    @property
    def is_lumped(self) -> bool:
        """Whether another link takes its place."""
        return self.lumped_into is not None


def read_links(model: Model, report: Report) -> Optional[list[Link]]:
    """
    Return the links of the first root, None where a link is the child of two joints.

    A parent comes before its children; these are in the order of the names of their joints, as in
    urdfdom.
    """
    joints = sorted(model.joints, key=lambda joint: joint.name)
    above: dict[int, Joint] = {}
    for joint in joints:
        other = above.setdefault(joint.child, joint)
        if other is not joint:
            report.add(
                codes.DUPLICATE_NAME,
                f"the link '{model.bodies[joint.child].name}' is the child of '{other.name}' and "
                f"'{joint.name}'; libsdformat refuses that", joint.location,
                reference='DUPLICATE_NAME')
            return None
    tree = span(model._replace(joints=tuple(joints)))
    links: dict[int, Link] = {}
    for index in tree.order:
        parent = links.get(tree.parent[index])
        if parent is not None or not links and index not in above:
            links[index] = Link(model.bodies[index], parent, above.get(index))
    return list(links.values()) or None


def lump(links: Sequence[Link], kept_joints: Collection[str]) -> None:
    """Lump the links below fixed joints, except kept ones."""
    parts: dict[Link, list[Inertia]] = {}
    for link in links:
        parent, joint = link.parent, link.joint
        if (parent is None or joint is None or joint.type != 'fixed' or parent.name == WORLD
                or joint.name in kept_joints):
            continue
        top = link.lumped_into = parent.top
        link.top_from_link = compose(parent.top_from_link, joint.parent_from_joint)
        top.visuals += _moved(link.body.visuals, link)
        top.collisions += _moved(link.body.collisions, link)
        inertia = link.body.inertia
        if inertia is not None:
            pose = compose(link.top_from_link, inertia.pose)
            parts.setdefault(top, []).append(inertia._replace(pose=pose))
    for top, added in parts.items():
        top.inertia = _total(top.body.inertia, added)


def _moved(shapes: Sequence[Shape], link: Link) -> list[Shape]:
    """Return the shapes of a lumped link, posed in its top; one without a name gets the link's."""
    return [
        shape._replace(
            name=shape.name or link.name, pose=compose(link.top_from_link, shape.pose))
        for shape in shapes]


def _total(own: Optional[Inertia], added: Sequence[Inertia]) -> Optional[Inertia]:
    """Return the inertia of a link with those lumped into it; the axes of the tensor stay."""
    parts = added if own is None else [own, *added]
    if sum(part.mass for part in parts) == 0.0:
        return own
    total = combine(parts)
    axes = IDENTITY if own is None else Pose(0.0, 0.0, 0.0, *own.pose[3:])
    tensor = rotate_tensor(inverse(axes), total.tensor)
    return Inertia(
        total.mass, Pose(*total.pose[:3], *axes[3:]), *tensor, location=parts[0].location)
