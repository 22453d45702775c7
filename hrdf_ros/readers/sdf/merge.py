# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Merge includes (SDF 1.9): the items of the model move into the scope around it.

Attributes of the model, such as ``static``, do not move. A frame ``_merged__NAME__model__``
replaces the model's own frame: it is attached to the canonical link and has the model's pose.
"""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import NONE
from hrdf_ros.pose import compose, inverse, Pose
from hrdf_ros.readers.sdf.file import SdfContext
from hrdf_ros.readers.sdf.frame_graph import resolve_frames
from hrdf_ros.readers.sdf.joint import check_joint
from hrdf_ros.readers.sdf.records import Frame, Item, Joint, Scope
from hrdf_ros.readers.sdf.scopes import Draft
from hrdf_ros.readers.sdf.tree import Frames, Tree

_OWN = ('', '__model__')


def merged(tree: Tree, context: SdfContext) -> Tree:
    """Return a tree in which every include to be merged is merged, inner ones first."""
    rebuilt: dict[int, Scope] = {}
    for index, scope in reversed(tree.scopes.items()):
        children = [rebuilt.get(child, tree.items[child]) for child in tree.contents[index]]
        rebuilt[index] = _with_merged(scope._replace(children=children), context)
    return Tree(rebuilt[0])


def _with_merged(scope: Scope, context: SdfContext) -> Scope:
    """Return a scope with the content of the models in it that are to be merged."""
    if not any(isinstance(item, Scope) and item.is_merged for item in scope.children):
        return scope
    draft = Draft(scope)
    children: list[Item] = []
    for item in scope.children:
        if isinstance(item, Scope) and item.is_merged:
            before = len(draft.children)
            _merge(item, draft, context)
            children += draft.children[before:]
        else:
            children.append(item)
    positions = {item.name: position for position, item in enumerate(children)}
    finished = draft.finished()
    return finished._replace(
        children=children, names={name: positions[name] for name in finished.names})


def _merge(model: Scope, draft: Draft, context: SdfContext) -> None:
    """Add the proxy frame and the items of one model to a scope."""
    tree, alone = Tree(model), Report()
    frames = resolve_frames(tree, alone, depth=1)
    _check_joints(frames, alone)
    if not alone.ok:
        context.syntax.extend(alone)
        draft.incomplete = True
    canonical = frames.canonical[0]
    way = [] if canonical == NONE else tree.way(0, canonical)
    proxy = f'_merged__{model.name}__model__'
    draft.add(Frame(
        name=proxy, element=model.element, location=model.location,
        pose=_pose(model, frames, context.semantics),
        relative_to=model.relative_to or draft.scope.origin,
        attached_to='::'.join(tree.items[index].name for index in way)), context.semantics)
    for child in model.children:
        if draft.scope.kind == 'world' and child.kind == 'link':
            context.syntax.add(
                codes.SDF_MERGE_UNSUPPORTED, 'a model with links cannot be merged into a world',
                child.location)
        else:
            draft.add(_redirected(child, proxy), context.semantics)
    _merge_others(model, draft, context.syntax)


def _check_joints(frames: Frames, report: Report) -> None:
    """
    Report faults in the joints of a model by itself.

    libsdformat checks a model before merging it, so the joints may refer only to the model's file.
    """
    for index in frames.tree.contents[0]:
        item = frames.tree.items[index]
        if isinstance(item, Joint):
            check_joint(index, item, frames, report)


def _merge_others(model: Scope, draft: Draft, report: Report) -> None:
    """Merge plugins, grippers and custom elements."""
    for element in model.others:
        if element.tag == 'gripper' and draft.scope.kind == 'world':
            report.add(
                codes.SDF_MERGE_UNSUPPORTED,
                'a model with a gripper cannot be merged into a world', element.location)
        elif element.tag in ('plugin', 'gripper') or ':' in element.tag:
            draft.others.append(element)


def _pose(model: Scope, frames: Frames, report: Report) -> Pose:
    """Return the pose of the model's own frame, which its placement frame may determine."""
    name = model.placement_frame
    frame = frames.tree.find(0, name) if name else 0
    if frame == NONE:
        report.add(
            codes.SDF_PLACEMENT_FRAME_UNKNOWN,
            f"there is no frame '{name}' in the merged model", model.location, cause=name)
        return model.pose
    return compose(model.pose, inverse(frames.pose_in(0, frame)))


def _redirected(child: Item, proxy: str) -> Item:
    """Return an item that refers to the proxy frame instead of the model's own frame."""
    relative_to = proxy if child.relative_to in _OWN else child.relative_to
    if isinstance(child, Frame):
        return child._replace(
            relative_to=relative_to,
            attached_to=proxy if child.attached_to in _OWN else child.attached_to)
    if isinstance(child, Joint):
        return child._replace(
            relative_to=relative_to,
            attached_to=proxy if child.attached_to == '__model__' else child.attached_to,
            parent=proxy if child.parent == '__model__' else child.parent,
            axes={tag: axis._replace(expressed_in=proxy)
                  if axis.expressed_in == '__model__' else axis
                  for tag, axis in child.axes.items()})
    return child._replace(relative_to=relative_to)
