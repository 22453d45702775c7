# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What ``<gazebo>`` elements say about links that are lumped, said about those they become."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.sdf import pose, vector
from hrdf_ros.pose import compose, from_rpy, Pose, to_rpy
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import new_element, numbers, set_child, set_text
from hrdf_ros.readers.sdf.urdf_conversion.gazebo import Extension, value_of
from hrdf_ros.readers.sdf.urdf_conversion.links import UrdfLink

_PLACED = ('light', 'projector', 'sensor')
_ORIGIN = '0 0 0'


def move_extensions(
    extensions: Iterable[Extension], lumped: Mapping[str, UrdfLink],
) -> dict[str, list[Extension]]:
    """
    Return the extensions by what they are for, those of lumped links for the others.

    ``lumped`` are these links by name. What has a place in such a link is moved, and what names
    one names the other instead.
    """
    found: dict[str, list[Extension]] = {}
    for extension in extensions:
        link = lumped.get(extension.link)
        found.setdefault(extension.link if link is None else link.top.name, []).append(extension)
        for element in extension.content:
            if link is not None and element.tag in _PLACED:
                _move(element, link.top_from_link)
            elif element.tag == 'plugin':
                _rename_bodies(element, lumped)
            elif element.tag == 'joint':
                _rename_ends(element, lumped)
    return found


def _move(element: TypedElement, top_from_link: Pose) -> None:
    """Give a sensor and the like its pose in the link that takes the place of its own."""
    written = element.child('pose')
    if written is not None and written.get('relative_to'):
        return
    try:
        link_from_element = pose('' if written is None else written.text)
    except ValueSyntaxError:
        return  # the pose is left as it is, for the schema to report
    moved = compose(top_from_link, link_from_element)
    set_child(element, new_element(
        element if written is None else written, 'pose', numbers(*moved.position, *to_rpy(moved))))


def _rename_bodies(plugin: TypedElement, lumped: Mapping[str, UrdfLink]) -> None:
    """Let a plugin of Gazebo Classic name the link that there is, with its offset in it."""
    for tag in ('bodyName', 'frameName'):
        name = plugin.child(tag)
        link = None if name is None else lumped.get(value_of(name))
        if name is None or link is None:
            continue
        offset = from_rpy(_offset(plugin, 'xyzOffset'), _offset(plugin, 'rpyOffset'))
        moved = compose(link.top_from_link, offset)
        texts = {
            tag: link.top.name, 'xyzOffset': numbers(*moved.position),
            'rpyOffset': numbers(*to_rpy(moved))}
        for changed, text in texts.items():
            set_child(plugin, new_element(name, changed, text))


def _offset(plugin: TypedElement, tag: str) -> tuple[float, ...]:
    element = plugin.child(tag)
    try:
        return vector(_ORIGIN if element is None else value_of(element), 3)
    except ValueSyntaxError:
        return 0.0, 0.0, 0.0


def _rename_ends(joint: TypedElement, lumped: Mapping[str, UrdfLink]) -> None:
    """Let a joint connect the links that there are."""
    for tag in ('parent', 'child'):
        end = joint.child(tag)
        link = None if end is None else lumped.get(value_of(end))
        if end is not None and link is not None:
            set_text(end, link.top.name)
