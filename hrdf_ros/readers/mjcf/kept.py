# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Elements that a Model has no place for, kept as text for a writer that can put them back.

Their default classes are resolved, so that the text means the same where the classes are gone,
and their names and references are those of the whole model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from hrdf_ros.document import escape, start_tag
from hrdf_ros.model import RawElement
from hrdf_ros.readers.mjcf.bodies import Item, Scope
from hrdf_ros.readers.mjcf.schema import KEPT
from hrdf_ros.readers.mjcf.settings import MAIN
from hrdf_ros.readers.schema import TypedElement

FORMAT = 'mjcf'
_NAMES_BY_TYPE = ('objname', 'refname')
_ATTACHED = ('contact', 'tendon', 'actuator', 'sensor')
"""Sections of an attached model that come along; the others are settings of its own file."""


def kept_sections(main: Scope, attached: Collection[Scope]) -> Iterator[RawElement]:
    """Yield the sections that are kept, those of attached models behind those of the file."""
    for section in main.root.children:
        if section.tag in KEPT:
            yield _raw(section, main)
    for scope in attached:
        for section in scope.root.children:
            if section.tag in _ATTACHED and scope.root is not main.root:
                yield _raw(section, scope)


def _raw(section: TypedElement, scope: Scope) -> RawElement:
    text = ''.join(_text(section, scope))
    return RawElement(section.tag, text, section.location, '', FORMAT)


def _text(element: TypedElement, scope: Scope) -> Iterator[str]:
    """Yield the text of an element with the defaults of its classes."""
    resolved = scope.resolve(element, MAIN)
    known = element.rule.attributes
    attributes = [
        (name, _renamed(element, name, text, scope)) for name, text in resolved.items()
        if name in known]
    head = start_tag(element.tag, attributes)
    if not element.children and not element.text.strip():
        yield f'{head}/>'
        return
    yield f'{head}>{escape(element.text.strip())}'
    for child in element.children:
        yield from _text(child, scope)
    yield f'</{element.tag}>'


def _renamed(element: TypedElement, name: str, text: str, scope: Scope) -> str:
    """Return the value of an attribute, with a name as the whole model has it."""
    if not (scope.prefix or scope.suffix):
        return text
    declared = element.rule.attributes[name].attribute
    is_name = declared.names or name in _NAMES_BY_TYPE or any(
        kind != 'file' for kind in declared.refers)
    return scope.rename(text) if is_name and text != 'world' else text


def left_over(item: Item, name: str, read: Collection[str]) -> tuple[RawElement, ...]:
    """Return an element with the attributes that were not read, nothing where all were."""
    element = item.element
    attributes = [(key, text) for key, text in element.items() if key not in read]
    if not attributes:
        return ()
    tag = element.element.tag
    named = [('name', name)] if name else []
    return (RawElement(
        tag, start_tag(tag, [*named, *attributes]) + '/>', element.element.location, '', FORMAT),)
