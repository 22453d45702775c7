# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Elements that a Model has no place for, kept as text for a writer that can put them back.

Their default classes are resolved, so that the text means the same where the classes are gone,
and their names and references are those of the whole model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
import os

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import escape, start_tag
from hrdf_ros.limits import REPLICATED_ELEMENTS
from hrdf_ros.model import RawElement
from hrdf_ros.readers.mjcf.assets import asset_name
from hrdf_ros.readers.mjcf.bodies import Item, Scope, WORLD
from hrdf_ros.readers.mjcf.schema import KEPT
from hrdf_ros.readers.mjcf.settings import MAIN, Resolved
from hrdf_ros.readers.schema import TypedElement

FORMAT = 'mjcf'
_NAMES_BY_TYPE = ('objname', 'refname')
_ATTACHED = ('contact', 'tendon', 'actuator', 'sensor')
"""Sections of an attached model that come along; the others are settings of its own file."""
_PARTS = frozenset(('body', 'joint', 'site', 'geom', 'camera', 'tendon', 'actuator'))
"""The kinds of things that ``<replicate>`` copies, and what refers to them."""
_ASSETS = frozenset(('mesh', 'hfield', 'texture', 'material', 'skin'))


class Sections:
    """
    The sections that are kept, as text.

    ``known`` are the names of all parts of bodies, to which those of kept elements are added; what
    refers to parts that were replicated is written once for each of ``replicas``.
    """

    def __init__(
        self, known: set[str], replicas: Sequence[Scope], report: Report,
    ) -> None:
        self._known, self._replicas, self._report = known, replicas, report
        self._copies = 0

    def all(  # noqa: A003
        self, main: Scope, attached: Collection[Scope],
    ) -> Iterator[RawElement]:
        """Yield the sections of a file, then those of the models that it attaches."""
        for section in main.root.children:
            if section.tag in KEPT:
                yield self._section(section, main)
        for tag, text in main.settings.sections():
            yield RawElement(tag, text, main.root.location, '', FORMAT)
        for scope in attached:
            for section in scope.root.children:
                if section.tag in _ATTACHED and scope.root is not main.root:
                    yield self._section(section, scope)

    def _section(self, section: TypedElement, scope: Scope) -> RawElement:
        head = start_tag(section.tag, section.attributes.items())
        content = ''.join(
            text for child in section.children for text in self._child(child, scope))
        text = f'{head}>{content}</{section.tag}>' if content else f'{head}/>'
        return RawElement(section.tag, text, section.location, '', FORMAT)

    def _child(self, element: TypedElement, scope: Scope) -> Iterator[str]:
        """Yield an element once, or for each copy of the parts that it refers to."""
        references = [
            scope.rename(text) for inner in element.walk()
            for name, text in inner.attributes.items()
            if _refers_to_part(inner, name) and not _is_world(inner, name, text)]
        copies = [scope] if self._known.issuperset(references) else [*{
            (replica.prefix, replica.suffix): replica for replica in self._replicas
            if replica.root is scope.root and all(
                one in self._known or replica.rename(one) in self._known
                for one in references)}.values()]
        self._copies += len(copies)
        if self._copies > REPLICATED_ELEMENTS:
            if self._copies - len(copies) <= REPLICATED_ELEMENTS:
                self._report.add(
                    codes.TOO_MANY_ELEMENTS,
                    f'<replicate> makes more than {REPLICATED_ELEMENTS} elements',
                    element.location)
            return
        for copy in copies:
            name = element.get('name')
            if name:
                self._known.add(copy.rename(name))
            yield from self._text(element, copy)
        if not copies:
            self._report.add(
                codes.MJCF_PART_IGNORED,
                f'<{element.tag}> refers to a part that is not read; ignored', element.location)

    def _text(self, element: TypedElement, scope: Scope) -> Iterator[str]:
        """Yield the text of an element with the defaults of its classes."""
        return _text(element, scope, self._known)


def _refers_to_part(element: TypedElement, name: str) -> bool:
    """Return whether an attribute names a part that may be copied."""
    rule = element.rule.attributes.get(name)
    return rule is not None and not _PARTS.isdisjoint(rule.attribute.refers)


def _is_world(element: TypedElement, name: str, text: str) -> bool:
    """Return whether an attribute names the world, which no file renames."""
    kinds = element.rule.attributes[name].attribute.refers
    return text == WORLD and ('body' in kinds or name in _NAMES_BY_TYPE)


def _text(
    element: TypedElement, scope: Scope, known: Collection[str] = (), name: str = '',
) -> Iterator[str]:
    resolved = scope.resolve(element, MAIN)
    attributes = [('name', scope.rename(name))] if name and 'name' not in resolved else []
    attributes += [
        (name, _renamed(element, name, text, scope, known)) for name, text in resolved.items()
        if name in element.rule.attributes]
    head = start_tag(element.tag, attributes)
    if not element.children and not element.text.strip():
        yield f'{head}/>'
        return
    yield f'{head}>{escape(element.text.strip())}'
    for child in element.children:
        yield from _text(child, scope, known)
    yield f'</{element.tag}>'


def _renamed(
    element: TypedElement, name: str, text: str, scope: Scope, known: Collection[str] = (),
) -> str:
    """Return the value of an attribute, with a name as the whole model has it."""
    attribute = element.rule.attributes.get(name)
    if attribute is None:  # a namespace declaration
        return text
    declared = attribute.attribute
    if 'file' in declared.refers:
        file = scope.file_of(element, name)
        return text if file is None else os.path.abspath(file)
    is_name = name == 'name' or name in _NAMES_BY_TYPE or any(
        kind != 'file' for kind in declared.refers)
    if not is_name or _is_world(element, name, text):
        return text
    is_asset = not _ASSETS.isdisjoint((*declared.refers, element.tag if name == 'name' else ''))
    changed = (scope.of_assets if is_asset else scope).rename(text)
    return text if name != 'name' and changed not in known and text in known else changed


def raw_element(resolved: Resolved, scope: Scope) -> RawElement:
    """Return an element with the defaults of its class."""
    text = ''.join(_text(resolved.element, scope))
    return RawElement(
        resolved.element.tag, text, resolved.element.location, '', FORMAT)


def left_over(
    item: Item, name: str, read: Collection[str], more: Sequence[tuple[str, str]] = (),
) -> tuple[RawElement, ...]:
    """Return an element with attributes that were not read and ``more``, nothing without any."""
    element = item.element
    attributes = [*(
        (key, _renamed(element.element, key, text, item.scope)) for key, text in element.items()
        if key not in read), *more]
    inner = ''.join(
        text for child in element.element.children if child.tag == 'plugin'
        for text in _text(child, item.scope))
    if not attributes and not inner:
        return ()
    tag = element.element.tag
    head = start_tag(tag, [*([('name', name)] if name else []), *attributes])
    text = f'{head}>{inner}</{tag}>' if inner else f'{head}/>'
    return (RawElement(tag, text, element.element.location, '', FORMAT),)


def looks(scope: Scope) -> Iterator[RawElement]:
    """Yield the textures and materials of a file, each with a name."""
    text = ''.join(
        part for section in scope.root.all('asset') for element in section.children
        if element.tag in ('texture', 'material')
        for part in _text(element, scope.of_assets, name=asset_name(element)))
    if text:
        yield RawElement('asset', f'<asset>{text}</asset>', scope.root.location, '', FORMAT)
