# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Model -> Model whose frames are links, for programs that know links alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Optional

from hrdf_ros.model import Body, Frame, Joint, Model
from hrdf_ros.pose import compose, IDENTITY


def frame_kinds(model: Model) -> tuple[str, ...]:
    """Return the kinds of the frames that are not links, in their order."""
    return tuple(dict.fromkeys(frame.kind for frame in model.frames if not _is_link(frame, model)))


def frames_as_links(model: Model, kinds: Optional[Collection[str]] = None) -> Model:
    """
    Return the Model with frames of these kinds, of all without, as massless links.

    Each has the name of the frame and hangs on the body of the frame by a fixed joint. Where no
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
