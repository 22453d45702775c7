# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements beyond their values: names, references, changes, and raw text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy

from hrdf_ros.document import escape, start_tag
from hrdf_ros.pose import IDENTITY, Pose, to_rpy
from hrdf_ros.readers.schema import TypedElement

# ---- names and references


def name_of(element: TypedElement) -> str:
    """Return a name without the white space around it; the schema requires one."""
    return element.attributes.get('name', '').strip()


def pose_and_reference(element: TypedElement) -> tuple[Pose, str]:
    """Return a pose as it is written, and the frame it is relative to, '' for the default."""
    for child in element.children:
        if child.tag == 'pose':
            return child.value or IDENTITY, child.attributes.get('relative_to', '').strip()
    return IDENTITY, ''


def pose_of(element: TypedElement) -> Pose:
    """Return a pose as it is written."""
    return pose_and_reference(element)[0]


def relative_to(element: TypedElement) -> str:
    """Return the name of the frame that a pose is relative to, '' for the default."""
    return pose_and_reference(element)[1]


def sdf_elements(root: TypedElement) -> Iterator[TypedElement]:
    """Yield every element in document order, but for what is in plugins and ``a:b`` elements."""
    pending = [root]
    while pending:
        element = pending.pop()
        if element.tag != 'plugin' and ':' not in element.tag:
            yield element
            pending.extend(reversed(element.children))


# ---- changes

def new_element(origin: TypedElement, tag: str, text: str = '') -> TypedElement:
    """Return a new element whose location is that of another."""
    element = TypedElement()
    element.document, element.start = origin.document, origin.start
    element.tag, element.text = tag, text
    element.attributes, element.children, element.value = {}, [], None
    return element


def set_attribute(element: TypedElement, name: str, value: str) -> None:
    """Give an attribute of an element a new value."""
    element.attributes = {**element.attributes, name: value}


def take_attribute(element: TypedElement, name: str) -> str:
    """Return the value of an attribute and remove the attribute."""
    attributes = dict(element.attributes)
    value = attributes.pop(name)
    element.attributes = attributes
    return value


# ---- raw text

def raw_text(element: TypedElement) -> str:
    """Return an element as it is in the file, or as it would be if the reader has made it."""
    if element.document.data.startswith(f'<{element.tag}'.encode(), element.start):
        return element.raw()
    return _serialized(element, raw_text)


def is_portable(element: TypedElement) -> bool:
    """Tell whether an element means the same in any file: no old names, no frames named."""
    return not any(
        '::' in part.attributes.get('name', '')
        or part.tag == 'pose' and part.attributes.get('relative_to')
        for part in sdf_elements(element))


def portable_text(element: TypedElement, pose: Pose) -> str:
    """Return an element with this pose, as text that depends on no old names and no frames."""
    if element.child('pose') is None:
        return _portable(element)
    moved = copy(element)
    numbers = (repr(number + 0.0) for number in (*pose.position, *to_rpy(pose)))
    placed = new_element(element, 'pose', ' '.join(numbers))
    moved.children = [placed, *(child for child in element.children if child.tag != 'pose')]
    return _portable(moved)


def _portable(element: TypedElement) -> str:
    if element.tag == 'plugin' or ':' in element.tag:
        return raw_text(element)
    if '::' in element.attributes.get('name', ''):
        element = copy(element)
        set_attribute(element, 'name', element.attributes['name'].replace('::', '/'))
    return _serialized(element, _portable)


def _serialized(element: TypedElement, inside: Callable[[TypedElement], str]) -> str:
    start = start_tag(element.tag, element.attributes.items())
    content = escape(element.text) + ''.join(map(inside, element.children))
    return f'{start}>{content}</{element.tag}>'
