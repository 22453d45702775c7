# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements made or changed by the reader itself."""

from __future__ import annotations

from collections.abc import Iterator

from hrdf_ros.document import Node


def made(at: Node, tag: str, text: str = '') -> Node:
    """Return a new element that stands at the place of another."""
    node = Node()
    node.document, node.start = at.document, at.start
    node.tag, node.text = tag, text
    node.attributes, node.children = {}, []
    return node


def set_attribute(node: Node, attribute: str, value: str) -> None:
    """Give an attribute of an element a new value."""
    node.attributes = {**node.attributes, attribute: value}


def take_attribute(node: Node, attribute: str) -> str:
    """Return the value of an attribute and take the attribute away."""
    attributes = dict(node.attributes)
    value = attributes.pop(attribute)
    node.attributes = attributes
    return value


def ours(sdf: Node) -> Iterator[Node]:
    """Yield every element in document order, but for what is in plugins and ``a:b`` elements."""
    pending = [sdf]
    while pending:
        node = pending.pop()
        if node.tag != 'plugin' and ':' not in node.tag:
            yield node
            pending.extend(reversed(node.children))


def raw_text(node: Node) -> str:
    """Return an element as it stands in the file, or as it would if the reader has made it."""
    if node.document.data.startswith(f'<{node.tag}'.encode(), node.start):
        return node.raw()
    attributes = ''.join(
        f' {name}="{_escaped(value)}"' for name, value in node.attributes.items())
    inside = _escaped(node.text) + ''.join(map(raw_text, node.children))
    return f'<{node.tag}{attributes}>{inside}</{node.tag}>'


def _escaped(text: str) -> str:
    for character, reference in (('&', '&amp;'), ('<', '&lt;'), ('"', '&quot;')):
        text = text.replace(character, reference)
    return text
