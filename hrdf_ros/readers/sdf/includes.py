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

from hrdf_ros import codes
from hrdf_ros.document import root_element, SourceFile, XmlElement
from hrdf_ros.readers.sdf.custom import read_custom
from hrdf_ros.readers.sdf.files import File, read_file
from hrdf_ros.readers.sdf.items import add, read_frame, read_joint, read_model
from hrdf_ros.readers.sdf.manifest import best_file
from hrdf_ros.readers.sdf.nodes import made
from hrdf_ros.readers.sdf.scopes import Item, Scope
from hrdf_ros.readers.sdf.state import State
from hrdf_ros.readers.sdf.text import attribute_bool, read_bool, read_pose, read_string

_TOPS = ('model', 'actor', 'light')


def read_include(node: XmlElement, scope: Scope, state: State) -> None:
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


def _check_placement(node: XmlElement, state: State) -> None:
    """Refuse a placement frame that the pose cannot place, or that nobody may name."""
    placement = node.child('placement_frame')
    if placement is None:
        return
    if node.child('pose') is None:
        state.syntax.add(
            codes.SDF_PLACEMENT_WITHOUT_POSE, '<placement_frame> needs a <pose> beside it',
            placement.location, hint='add an empty <pose/>')
    if read_string(placement) == '__root__':
        state.syntax.add(
            codes.SDF_RESERVED_NAME, "'__root__' is reserved and cannot be referred to",
            placement.text_location())


def _check_parameters(node: XmlElement, state: State) -> None:
    """Say that what an include changes inside the model is not changed."""
    parameters = node.child('experimental:params')
    if parameters is not None:
        state.semantics.add(
            codes.SDF_INCLUDE_NON_STANDARD, 'the parameters of an include are not applied',
            parameters.location, hint='libsdformat applies them as an experiment')


def _source(node: XmlElement, state: State) -> Optional[SourceFile]:
    """Return the included file, None with the reason in the report."""
    report, resolver = state.syntax, state.context.resolver
    uri_node = node.child('uri')
    uri = read_string(uri_node)
    if uri_node is None or not uri:
        report.add(
            codes.MISSING_ELEMENT, 'an <include> needs a <uri>', node.location,
            reference='ATTRIBUTE_MISSING')
        return None
    if uri.startswith(('http://', 'https://')):
        report.add(
            codes.SDF_URI_NOT_FETCHED, f'{uri} is on the network, and nothing is ever fetched',
            uri_node.text_location(), hint='download the model and name its directory with --path')
        return None
    found = resolver.find(uri, node.document.file)
    if found is None:
        report.add(
            codes.SDF_URI_NOT_FOUND,
            f"nothing is found for the uri '{uri}'",
            uri_node.text_location(),
            hint='looked beside the file, then in --path, SDF_PATH, GZ_SIM_RESOURCE_PATH and '
            'GAZEBO_MODEL_PATH',
        )
        return None
    if resolver.allows(found) and os.path.isdir(found):
        found = best_file(found, uri_node.text_location(), resolver, report)
    if found is None:
        return None
    return resolver.read(found, report, uri_node.location, reference='FILE_READ')


def _is_sdf(source: SourceFile) -> bool:
    """Tell whether a file is SDFormat: by its suffix unless it is URDF, else by its root."""
    root = root_element(source)
    tag = '' if root is None else root[0]
    if os.path.splitext(source.file)[1].lower() in ('.sdf', '.world'):
        return tag != 'robot'
    return tag == 'sdf'


def _include_sdf(node: XmlElement, source: SourceFile, scope: Scope, state: State) -> None:
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


def _top(file: File, node: XmlElement, state: State) -> Optional[XmlElement]:
    """Return the one model, actor or light of an included file; of several the first."""
    tops = [child for tag in _TOPS for child in file.sdf.all(tag)]
    if not tops:
        state.syntax.add(
            codes.SDF_INCLUDE_WITHOUT_MODEL, 'the included file has no model, actor or light',
            node.location, hint='a world cannot be included')
        return None
    for other in tops[1:]:
        state.syntax.add(
            codes.SDF_INCLUDE_SEVERAL,
            f'the included file has another <{other.tag}>; one is included',
            other.location,
        )
    return tops[0]


def _placed(top: XmlElement, node: XmlElement) -> XmlElement:
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


def _include_model(
    node: XmlElement, file: File, top: XmlElement, scope: Scope, state: State
) -> None:
    item = read_model(top, scope, file.version)
    inner = item.inner
    assert inner is not None
    item.node, item.location = node, node.location
    _override(item, node, state)
    inner.name = item.name
    _read_additions(node, inner, state)
    inner.others.extend(node.all('plugin'))
    inner.merge = attribute_bool(node, 'merge')
    if inner.merge:
        scope.children.append(item)
    else:
        add(scope, item, state)


def _include_custom(node: XmlElement, item: Item, scope: Scope, state: State) -> None:
    inner = item.inner
    assert inner is not None
    _override(item, node, state)
    inner.name = item.name
    for child in node.children:
        if child.tag in ('joint', 'frame'):
            state.semantics.add(
                codes.SDF_INCLUDE_NON_STANDARD, f'<{child.tag}> is not added to what is included: '
                'that is no SDFormat', child.location, hint='write it beside the include')
    inner.others.extend(node.all('plugin'))
    add(scope, item, state)


def _override(item: Item, node: XmlElement, state: State) -> None:
    """Apply what an include says about name, pose, static and placement frame."""
    inner = item.inner
    assert inner is not None
    name = node.child('name')
    item.name = read_string(name, item.name)
    if name is not None and '::' in item.name and item.scope.version >= (1, 8):
        state.syntax.add(
            codes.SDF_DELIMITER_IN_NAME,
            f"the name '{item.name}' contains '::'",
            name.text_location(),
            hint="'::' leads into nested models; rename the model",
        )
    pose = node.child('pose')
    if pose is not None:
        item.pose = read_pose(pose)
        item.relative_to = pose.attributes.get('relative_to', '').strip()
    inner.placement_frame = read_string(node.child('placement_frame'), inner.placement_frame)
    static = node.child('static')
    if static is not None:
        _override_static(inner, static, state)


def _override_static(inner: Scope, node: XmlElement, state: State) -> None:
    """
    Set whether the included model is static.

    Composition proposal 1.4.6: true holds for all models below, false never frees a static one.
    libsdformat sets the one model either way, which is followed here where they differ.
    """
    static = read_bool(node)
    if not static and inner.static:
        state.semantics.add(
            codes.SDF_INCLUDE_NON_STANDARD,
            'the included model is static, and is freed here',
            node.text_location(),
            hint='the composition proposal forbids this, libsdformat does it',
        )
    inner.static = static
    inner.frozen = static


def _read_additions(node: XmlElement, inner: Scope, state: State) -> None:
    """Read joints and frames that an include adds (composition proposal 1.4.1)."""
    for child in node.children:
        if child.tag not in ('joint', 'frame'):
            continue
        state.semantics.add(
            codes.SDF_INCLUDE_NON_STANDARD, f'<{child.tag}> in an <include> is not standard',
            child.location, hint='it is proposed, but libsdformat ignores it')
        read = read_joint if child.tag == 'joint' else read_frame
        read(child, inner, state)


def _refuse_merge(why: str, node: XmlElement, state: State) -> None:
    state.syntax.add(
        codes.SDF_MERGE_UNSUPPORTED, why, node.attribute_location('merge'))
