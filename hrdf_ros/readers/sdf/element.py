# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements beyond their values: names, references, changes and raw text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import Union

from hrdf_ros.document import escape, SourceRef, start_tag
from hrdf_ros.pose import IDENTITY, Pose, to_rpy
from hrdf_ros.readers.schema import TypedElement

NO_ATTRIBUTES: Mapping[str, str] = {}

# ---- names and references


def name_of(element: TypedElement) -> str:
    """Return a name without the white space around it; the schema requires one."""
    return element.attributes.get('name', '').strip()


def pose_and_reference(element: TypedElement) -> tuple[Pose, str]:
    """Return a pose as written, and the frame it is relative to, '' for the default."""
    for child in element.children:
        if child.tag == 'pose':
            return child.value or IDENTITY, child.attributes.get('relative_to', '').strip()
    return IDENTITY, ''


def sdf_elements(root: TypedElement) -> Iterator[TypedElement]:
    """Yield every element in document order, except plugins and ``a:b`` elements."""
    pending = [root]
    while pending:
        element = pending.pop()
        if element.tag != 'plugin' and ':' not in element.tag:
            yield element
            pending.extend(reversed(element.children))


# ---- changes

class MadeElement(TypedElement):
    """An element that is in no file, so that its text has to be serialized."""


def made_element(
    origin: TypedElement, tag: str, *, attributes: Mapping[str, str] = NO_ATTRIBUTES,
    children: Iterable[TypedElement] = (), text: str = '',
) -> TypedElement:
    """Return an element that no document records, with the location of another element."""
    element: TypedElement = MadeElement(origin.document, tag, attributes, origin.start)
    element.children.extend(children)
    element.text = text
    return element


def new_element(
    origin: Union[TypedElement, SourceRef], tag: str,
    content: Union[str, Iterable[TypedElement]] = '',
    attributes: Mapping[str, str] = NO_ATTRIBUTES,
) -> TypedElement:
    """Return a new element, with a text or children, at the location of another element."""
    element = TypedElement(origin.document, tag, attributes, origin.start)
    if isinstance(content, str):
        element.text = content
    else:
        element.children.extend(content)
    mark_changed(element)
    return element


def _shallow_copy(element: TypedElement) -> TypedElement:
    from copy import copy  # costs a start 4 million instructions; few files need it
    return copy(element)


def copy_of(element: TypedElement) -> TypedElement:
    """Return a deep copy of an element, for another place."""
    made = _shallow_copy(element)
    pending = [made]
    while pending:
        node = pending.pop()
        node.children = [_shallow_copy(child) for child in node.children]
        pending += node.children
    return made


def mark_changed(element: TypedElement) -> None:
    """Note that an element differs from the text at its place in the document."""
    element.document.changed.add(element.start)


def set_value(element: TypedElement, name: str, value: str) -> None:
    """Set an attribute of an element, or its text where the name is ''."""
    if name:
        element.attributes = {**element.attributes, name: value}
    else:
        element.text = value
    mark_changed(element)


def take_attribute(element: TypedElement, name: str) -> str:
    """Return the value of an attribute and remove the attribute."""
    attributes = dict(element.attributes)
    value = attributes.pop(name)
    element.attributes = attributes
    mark_changed(element)
    return value


def set_child(element: TypedElement, child: TypedElement) -> None:
    """Replace the children with this tag by one child, which becomes the last."""
    element.children = [other for other in element.children if other.tag != child.tag]
    element.children.append(child)
    mark_changed(element)


def numbers(*values: float) -> str:
    """Return numbers as text that reads back as the same numbers."""
    return ' '.join([repr(value + 0.0) for value in values])


def finite(values: Mapping[str, float]) -> dict[str, str]:
    """Return the finite values as texts, by tag."""
    return {tag: numbers(value) for tag, value in values.items() if isfinite(value)}


# ---- raw text

def raw_text(element: TypedElement) -> str:
    """Return an element as text: as it is in the file, or with its changes."""
    if not element.document.changed and not isinstance(element, MadeElement):
        return element.raw()
    changed = _changed_parts(element)
    return _serialized(element, lambda part: part not in changed)


def is_portable(element: TypedElement) -> bool:
    """Return whether an element means the same in any file, having no old names or frames."""
    return not any(
        '::' in part.attributes.get('name', '')
        or part.tag == 'pose' and part.attributes.get('relative_to')
        for part in sdf_elements(element))


def portable_text(element: TypedElement, pose: Pose) -> str:
    """Return an element with this pose, as text that refers to no old names and no frames."""
    if element.child('pose') is not None:
        placed = made_element(
            element, 'pose', text=numbers(*pose.position, *to_rpy(pose)))
        element = _shallow_copy(element)
        element.children = [placed, *(each for each in element.children if each.tag != 'pose')]
    changed = _changed_parts(element)
    return _serialized(
        element, lambda part: (part.tag == 'plugin' or ':' in part.tag) and part not in changed,
        '/')


def _changed_parts(element: TypedElement) -> set[TypedElement]:
    """Return the parts of an element that differ from the file, and the elements around them."""
    found: set[TypedElement] = set()
    for part in reversed(list(element.walk())):
        if (part.start in part.document.changed or isinstance(part, MadeElement)
                or not found.isdisjoint(part.children)):
            found.add(part)
    return found


def _serialized(
    top: TypedElement, is_raw: Callable[[TypedElement], bool], delimiter: str = '::',
) -> str:
    """
    Return an element as text, with the text of the file for each part that ``is_raw``.

    In names in all other parts, ``delimiter`` replaces ``::``.
    """
    parts: list[str] = []
    pending: list[Union[TypedElement, str]] = [top]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            parts.append(part)
        elif is_raw(part):
            parts.append(part.raw())
        else:
            attributes = dict(part.attributes)
            if 'name' in attributes:
                attributes['name'] = attributes['name'].replace('::', delimiter)
            parts.append(f'{start_tag(part.tag, attributes.items())}>{escape(part.text)}')
            pending.append(f'</{part.tag}>')
            pending += reversed(part.children)
    return ''.join(parts)
