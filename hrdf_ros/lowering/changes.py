# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Changes of a Model that users ask for: frames as links, a massless root link."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile, start_tag
from hrdf_ros.file_reader import TEXT
from hrdf_ros.model import Body, Frame, Joint, Model
from hrdf_ros.pose import compose, IDENTITY
from hrdf_ros.topology import is_single_tree, span

# ---- frames as links

def frame_kinds(model: Model) -> tuple[str, ...]:
    """Return the kinds of the frames that are not links, in their order."""
    return tuple(dict.fromkeys(frame.kind for frame in model.frames if not _is_link(frame, model)))


def frames_as_links(model: Model, kinds: Optional[Collection[str]] = None) -> Model:
    """
    Return the Model with frames of these kinds (all by default) as massless links.

    Each has the name of the frame and a fixed joint to its body. Where no
    frame is of these kinds it is the same Model.
    """
    bodies, joints, frames = list(model.bodies), list(model.joints), list(model.frames)
    taken = {joint.name for joint in joints}
    for index, frame in enumerate(frames):
        if _is_link(frame, model) or kinds is not None and frame.kind not in kinds:
            continue
        joints.append(Joint(
            name=_unused(f'{frame.name}/fixed', taken), source_name=frame.source_name,
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
        bodies=tuple(bodies), joints=tuple(joints), frames=tuple(frames), source=None)


def _is_link(frame: Frame, model: Model) -> bool:
    return frame.name == model.bodies[frame.body].name


def _unused(name: str, taken: set[str]) -> str:
    """Return a name that is not taken, and take it."""
    found, count = name, 1
    while found in taken:
        count += 1
        found = f'{name}_{count}'
    taken.add(found)
    return found


# ---- a root link for KDL, which refuses one with inertia

class RootLinkError(ValueError):
    """The name of a root link that cannot be used; the text says why."""


def with_root_link(model: Model, name: str, report: Report) -> Model:
    """
    Return the Model with a massless body ``name`` that carries the root by a fixed joint.

    It is the same Model where the root has no inertia: that of a URDF, or the one that a Model
    of several trees gets anyway. A RootLinkError says that the name is taken. URDF text stays as
    it is but for the two elements.
    """
    topology = span(model)
    if not is_single_tree(model, topology):
        return model
    index = topology.roots[0]
    root = model.bodies[index]
    if root.inertia is None or root.inertia.mass == 0.0:
        return model
    _check_name(model, name)
    report.add(
        codes.ROOT_ADDED, f"the massless root link '{name}' is added above '{root.name}'",
        root.location)
    joint = f'{name}/{root.name}'
    scope, separator, _ = root.source_name.rpartition('::')
    added = Body(
        name, scope + separator + name, pose=root.pose, static=root.static,
        location=root.location)
    return model._replace(
        bodies=(*model.bodies, added),
        joints=(*model.joints, Joint(
            name=joint, source_name=scope + separator + joint, type='fixed',
            parent=len(model.bodies), child=index,
            location=root.location)),
        frames=(*model.frames, Frame(
            name, added.source_name, 'link', len(model.bodies), location=root.location)),
        root=name if model.root == root.name else model.root,
        source=None if model.source is None else _with_elements(
            model.source, name, joint, root.name))


def _check_name(model: Model, name: str) -> None:
    taken = {body.name for body in model.bodies} | {frame.name for frame in model.frames}
    if not name.strip():
        raise RootLinkError('the name of the root link is empty')
    if name in taken:
        raise RootLinkError(f"there is a link or frame '{name}' already")


def _with_elements(urdf: str, link: str, joint: str, child: str) -> str:
    """Return the text of a URDF with a link, and the joint below it, before its end tag."""
    return with_blocks(urdf, (
        f'{start_tag("link", [("name", link)])}/>',
        f'{start_tag("joint", [("name", joint), ("type", "fixed")])}>\n'
        f'    {start_tag("parent", [("link", link)])}/>\n'
        f'    {start_tag("child", [("link", child)])}/>\n'
        '  </joint>'))


def with_blocks(
    urdf: str, blocks: Sequence[str],
    prepare: Callable[[str, Sequence[str]], str] = lambda robot, _: robot,
) -> str:
    """Return the text of a URDF with blocks before its end tag; ``prepare`` changes its root."""
    root = parse(SourceFile(TEXT, urdf.encode('utf-8'), encoding='utf-8'), Report())
    assert root is not None  # it has been read
    robot = root.raw()
    end = robot.rindex('</')
    merged = robot[:end] + ''.join(f'  {block}\n' for block in blocks) + robot[end:]
    return urdf.replace(robot, prepare(merged, blocks), 1)
