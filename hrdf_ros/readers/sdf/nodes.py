# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements made or changed by the reader itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy

from hrdf_ros.document import XmlElement
from hrdf_ros.pose import Pose, to_rpy


def made(at: XmlElement, tag: str, text: str = '') -> XmlElement:
    """Return a new element that stands at the place of another."""
    node = XmlElement()
    node.document, node.start = at.document, at.start
    node.tag, node.text = tag, text
    node.attributes, node.children, node.value = {}, [], None
    return node


def set_attribute(node: XmlElement, attribute: str, value: str) -> None:
    """Give an attribute of an element a new value."""
    node.attributes = {**node.attributes, attribute: value}


def take_attribute(node: XmlElement, attribute: str) -> str:
    """Return the value of an attribute and take the attribute away."""
    attributes = dict(node.attributes)
    value = attributes.pop(attribute)
    node.attributes = attributes
    return value


def ours(sdf: XmlElement) -> Iterator[XmlElement]:
    """Yield every element in document order, but for what is in plugins and ``a:b`` elements."""
    pending = [sdf]
    while pending:
        node = pending.pop()
        if node.tag != 'plugin' and ':' not in node.tag:
            yield node
            pending.extend(reversed(node.children))


def raw_text(node: XmlElement) -> str:
    """Return an element as it stands in the file, or as it would if the reader has made it."""
    if node.document.data.startswith(f'<{node.tag}'.encode(), node.start):
        return node.raw()
    return _rendered(node, raw_text)


def is_settled(node: XmlElement) -> bool:
    """Tell whether an element may stand in any new file: no old names, no frames referred to."""
    return not any(
        '::' in part.attributes.get('name', '')
        or part.tag == 'pose' and part.attributes.get('relative_to')
        for part in ours(node))


def settled_text(node: XmlElement, pose: Pose) -> str:
    """Return an element with this pose, by which it does not depend on other names or frames."""
    if node.child('pose') is None:
        return _settled(node)
    moved = copy(node)
    numbers = (repr(number + 0.0) for number in (*pose.position, *to_rpy(pose)))
    placed = made(node, 'pose', ' '.join(numbers))
    moved.children = [placed, *(child for child in node.children if child.tag != 'pose')]
    return _settled(moved)


def _settled(node: XmlElement) -> str:
    if node.tag == 'plugin' or ':' in node.tag:
        return raw_text(node)
    if '::' in node.attributes.get('name', ''):
        node = copy(node)
        set_attribute(node, 'name', node.attributes['name'].replace('::', '/'))
    return _rendered(node, _settled)


def _rendered(node: XmlElement, inner: Callable[[XmlElement], str]) -> str:
    attributes = ''.join(
        f' {name}="{_escaped(value)}"' for name, value in node.attributes.items())
    inside = _escaped(node.text) + ''.join(map(inner, node.children))
    return f'<{node.tag}{attributes}>{inside}</{node.tag}>'


def _escaped(text: str) -> str:
    for character, reference in (('&', '&amp;'), ('<', '&lt;'), ('"', '&quot;')):
        text = text.replace(character, reference)
    return text
