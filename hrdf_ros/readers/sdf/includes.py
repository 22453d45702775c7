# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The ``<include>`` element: which file it means, and what it changes in the model of that file.

SDF 1.4 to 1.12, composition proposal 1.4. What an include changes is evaluated in the scope of
the include, its pose replaces the model's own as a whole, attributes and all.
"""

from __future__ import annotations

import os
from typing import Optional

from hrdf_ros.document import Node, root_element, Source
from hrdf_ros.readers.sdf.custom import read_custom
from hrdf_ros.readers.sdf.files import File, read_file
from hrdf_ros.readers.sdf.items import add, read_frame, read_joint, read_model
from hrdf_ros.readers.sdf.manifest import best_file
from hrdf_ros.readers.sdf.nodes import made
from hrdf_ros.readers.sdf.scopes import Item, Scope
from hrdf_ros.readers.sdf.state import State
from hrdf_ros.readers.sdf.text import attribute_bool, read_bool, read_pose, read_string

_TOPS = ('model', 'actor', 'light')


def read_include(node: Node, scope: Scope, state: State) -> None:
    """Read an ``<include>`` into its scope; where it fails, the scope is incomplete."""
    _check_placement(node, state)
    _check_parameters(node, state)
    source = _source(node, state)
    if source is None:
        scope.incomplete = True
    elif _is_sdf(source):
        _include_sdf(node, source, scope, state)
    else:
        item = read_custom(node, source.file, scope, state)
        if item is None:
            scope.incomplete = True
        else:
            _include_custom(node, item, scope, state)


def _check_placement(node: Node, state: State) -> None:
    """Refuse a placement frame that the pose cannot place, or that nobody may name."""
    placement = node.child('placement_frame')
    if placement is None:
        return
    if node.child('pose') is None:
        state.syntax.error(
            'sdf-placement-without-pose', '<placement_frame> needs a <pose> beside it',
            placement.place, hint='add an empty <pose/>',
            reference='MODEL_PLACEMENT_FRAME_INVALID')
    if read_string(placement) == '__root__':
        state.syntax.error(
            'sdf-reserved-name', "'__root__' is reserved and cannot be referred to",
            placement.at_text(), reference='RESERVED_NAME')


def _check_parameters(node: Node, state: State) -> None:
    """Say that what an include changes inside the model is not changed."""
    parameters = node.child('experimental:params')
    if parameters is not None:
        state.semantics.warning(
            'sdf-include-non-standard', 'the parameters of an include are not applied',
            parameters.place, hint='libsdformat applies them as an experiment')


def _source(node: Node, state: State) -> Optional[Source]:
    """Return the included file, None with the reason in the report."""
    report, resolver = state.syntax, state.context.resolver
    uri_node = node.child('uri')
    uri = read_string(uri_node)
    if uri_node is None or not uri:
        report.error(
            'sdf-include-without-uri', 'an <include> needs a <uri>', node.place,
            reference='ATTRIBUTE_MISSING')
        return None
    if uri.startswith(('http://', 'https://')):
        report.error(
            'sdf-uri-not-fetched', f'{uri} is on the network, and nothing is ever fetched',
            uri_node.at_text(), hint='download the model and name its directory with --path',
            reference='URI_LOOKUP')
        return None
    found = resolver.find(uri, node.document.file)
    if found is None:
        report.error(
            'sdf-uri-not-found', f"nothing is found for the uri '{uri}'", uri_node.at_text(),
            hint='looked beside the file, then in --path, SDF_PATH, GZ_SIM_RESOURCE_PATH and '
            'GAZEBO_MODEL_PATH', reference='URI_LOOKUP')
        return None
    if resolver.allows(found) and os.path.isdir(found):
        found = best_file(found, uri_node.at_text(), resolver, report)
    if found is None:
        return None
    return resolver.read(found, report, uri_node.place, reference='FILE_READ')


def _is_sdf(source: Source) -> bool:
    """Tell whether a file is SDFormat: by its suffix unless it is URDF, else by its root."""
    root = root_element(source)
    tag = '' if root is None else root[0]
    if os.path.splitext(source.file)[1].lower() in ('.sdf', '.world'):
        return tag != 'robot'
    return tag == 'sdf'


def _include_sdf(node: Node, source: Source, scope: Scope, state: State) -> None:
    strict = scope.version >= (1, 8)
    file = read_file(source, state.syntax, strict_names=strict)
    top = _top(file, node, state) if file is not None else None
    if file is None or top is None:
        scope.incomplete = True
    elif top.tag == 'model':
        _include_model(node, file, top, scope, state)
    elif attribute_bool(node, 'merge'):
        _refuse_merge('only a model can be merged', node, state)
    else:
        scope.others.append(_placed(top, node))


def _top(file: File, node: Node, state: State) -> Optional[Node]:
    """Return the one model, actor or light of an included file; of several the first."""
    tops = [child for tag in _TOPS for child in file.sdf.all(tag)]
    if not tops:
        state.syntax.error(
            'sdf-include-without-model', 'the included file has no model, actor or light',
            node.place, hint='a world cannot be included', reference='ELEMENT_MISSING')
        return None
    for other in tops[1:]:
        state.syntax.error(
            'sdf-include-several', f'the included file has another <{other.tag}>; one is included',
            other.place, reference='ELEMENT_INCORRECT_TYPE')
    return tops[0]


def _placed(top: Node, node: Node) -> Node:
    """Return an included actor or light with the name and the pose that the include gives it."""
    name, pose = read_string(node.child('name')), node.child('pose')
    if not name and pose is None:
        return top
    placed = made(node, top.tag)
    placed.attributes = {**top.attributes, 'name': name or top.attributes.get('name', '')}
    placed.children = [child for child in top.children if pose is None or child.tag != 'pose']
    if pose is not None:
        placed.children.append(pose)
    return placed


def _include_model(node: Node, file: File, top: Node, scope: Scope, state: State) -> None:
    item = read_model(top, scope, file.version)
    inner = item.inner
    assert inner is not None
    item.node, item.place = node, node.place
    _override(item, node, state)
    inner.name = item.name
    _read_additions(node, inner, state)
    inner.others.extend(node.all('plugin'))
    inner.merge = attribute_bool(node, 'merge')
    if inner.merge:
        scope.children.append(item)
    else:
        add(scope, item, state)


def _include_custom(node: Node, item: Item, scope: Scope, state: State) -> None:
    inner = item.inner
    assert inner is not None
    _override(item, node, state)
    inner.name = item.name
    for child in node.children:
        if child.tag in ('joint', 'frame'):
            state.semantics.warning(
                'sdf-include-non-standard', f'<{child.tag}> is not added to what is included: '
                'that is no SDFormat', child.place, hint='write it beside the include')
    inner.others.extend(node.all('plugin'))
    add(scope, item, state)


def _override(item: Item, node: Node, state: State) -> None:
    """Apply what an include says about name, pose, static and placement frame."""
    inner = item.inner
    assert inner is not None
    name = node.child('name')
    item.name = read_string(name, item.name)
    if name is not None and '::' in item.name and item.scope.version >= (1, 8):
        state.syntax.error(
            'sdf-delimiter-in-name', f"the name '{item.name}' contains '::'", name.at_text(),
            hint="'::' leads into nested models; rename the model", reference='RESERVED_NAME')
    pose = node.child('pose')
    if pose is not None:
        item.pose = read_pose(pose)
        item.relative_to = pose.attributes.get('relative_to', '').strip()
    inner.placement_frame = read_string(node.child('placement_frame'), inner.placement_frame)
    static = node.child('static')
    if static is not None:
        _override_static(inner, static, state)


def _override_static(inner: Scope, node: Node, state: State) -> None:
    """
    Set whether the included model is static.

    Composition proposal 1.4.6: true holds for all models below, false never frees a static one.
    libsdformat sets the one model either way, which is followed here where they differ.
    """
    static = read_bool(node)
    if not static and inner.static:
        state.semantics.warning(
            'sdf-include-non-standard', 'the included model is static, and is freed here',
            node.at_text(), hint='the composition proposal forbids this, libsdformat does it')
    inner.static = static
    inner.frozen = static


def _read_additions(node: Node, inner: Scope, state: State) -> None:
    """Read joints and frames that an include adds (composition proposal 1.4.1)."""
    for child in node.children:
        if child.tag not in ('joint', 'frame'):
            continue
        state.semantics.warning(
            'sdf-include-non-standard', f'<{child.tag}> in an <include> is not standard',
            child.place, hint='it is proposed, but libsdformat ignores it')
        read = read_joint if child.tag == 'joint' else read_frame
        read(child, inner, state)


def _refuse_merge(why: str, node: Node, state: State) -> None:
    state.syntax.error(
        'sdf-merge-unsupported', why, node.at('merge'), reference='MERGE_INCLUDE_UNSUPPORTED')
