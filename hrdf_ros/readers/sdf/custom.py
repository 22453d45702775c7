# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Included files of other formats (composition proposal 1.5, the Interface API).

The reader registered for the file makes a Model of it. That becomes a nested model whose scope
holds the Model's frames by name and by tag, for poses, frames and joints around it to refer to.
"""

from __future__ import annotations

from typing import Literal, Optional

from hrdf_ros import codes
from hrdf_ros.document import XmlElement
from hrdf_ros.model import Frame, Model, NONE
from hrdf_ros.pose import compose, Pose, relative
from hrdf_ros.readers.sdf.scopes import Item, Scope
from hrdf_ros.readers.sdf.state import State
from hrdf_ros.readers.sdf.text import attribute_bool
from hrdf_ros.topology import find_frame, span, zero_poses


def read_custom(node: XmlElement, file: str, scope: Scope, state: State) -> Optional[Item]:
    """Return the nested model that a file of another format is, None with the reason reported."""
    # these two are about the whole that the file becomes a part of
    options = state.context.options._replace(model_name=None, joint_names=())
    context = state.context._replace(report=state.syntax, options=options)
    model = context.read_other(file, node.location, context)
    if model is None:
        return None
    if attribute_bool(node, 'merge'):
        state.syntax.add(
            codes.SDF_MERGE_UNSUPPORTED,
            'only an SDFormat model can be merged',
            node.attribute_location('merge'),
        )
        return None
    item = Item(model.name, 'model', node, scope, model.pose, '')
    inner = item.inner = Scope(model.name, 'model', node, scope.version, item)
    inner.static, inner.foreign = model.static, model
    _add_items(inner, model)
    if not model.name and node.child('name') is None:
        state.syntax.add(
            codes.SDF_INCLUDE_WITHOUT_NAME,
            'the included file gives its model no name',
            node.location,
            hint='add a <name>',
        )
    return item


def _add_items(inner: Scope, model: Model) -> None:
    """Add a link for every body and a frame for every other frame, with tags as other names."""
    model_from_body = [relative(model.pose, pose) for pose in zero_poses(model)]
    own_frames = {frame.name: frame for frame in model.frames}
    links = [
        _add_item(inner, own_frames[body.name], 'link', pose)
        for body, pose in zip(model.bodies, model_from_body)]
    for frame in model.frames:
        if frame.name not in inner.items:
            pose = compose(model_from_body[frame.body], frame.pose)
            _add_item(inner, frame, 'frame', pose).body = links[frame.body]
    for tag in sorted({frame.tag for frame in model.frames if frame.tag}):
        meant = find_frame(model, tag)
        if meant is not None:
            inner.items.setdefault(tag, inner.items[model.frames[meant].name])
    canonical = model.canonical_body
    if links:
        inner.canonical = links[span(model).roots[0] if canonical == NONE else canonical]


def _add_item(inner: Scope, frame: Frame, kind: Literal['link', 'frame'], pose: Pose) -> Item:
    item = Item(frame.name, kind, inner.node, inner, pose, '')
    item.local, item.detail = pose, frame
    inner.items[frame.name] = item
    inner.children.append(item)
    return item
