# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Elements that a Model has no place for, kept as text for a writer that can put them back.

Their default classes are resolved, so that the text means the same where the classes are gone,
and their names and references are those of the whole model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
import os
from types import MappingProxyType

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import escape, start_tag
from hrdf_ros.limits import REPLICATED_ELEMENTS
from hrdf_ros.model import RawElement
from hrdf_ros.readers.mjcf.assets import asset_name
from hrdf_ros.readers.mjcf.bodies import Item, Scope, WORLD
from hrdf_ros.readers.mjcf.parts import Parts
from hrdf_ros.readers.mjcf.schema import KEPT
from hrdf_ros.readers.mjcf.settings import MAIN, Resolved
from hrdf_ros.readers.schema import TypedElement

FORMAT = 'mjcf'
Names = Mapping[str, set[str]]
"""The names of the whole model by kind."""
NO_NAMES: Names = MappingProxyType({})
_KIND_ATTRIBUTES = {'objname': 'objtype', 'refname': 'reftype'}
"""Names whose kind another attribute says."""
_KINDS = {'xbody': 'body'}
_NAMED_TOGETHER = ('tendon', 'actuator', 'sensor')
"""Sections whose elements have no name in common, whatever their tags are."""
_ATTACHED = ('contact', 'tendon', 'actuator', 'sensor', 'custom')
"""
Sections of an attached model that come along, behind those that they refer to; the others are
settings of its own file.
"""
_PARTS = frozenset(('body', 'joint', 'site', 'geom', 'camera', 'tendon', 'actuator'))
"""The kinds of things that ``<replicate>`` copies, and what refers to them."""
_ASSETS = frozenset(('mesh', 'hfield', 'texture', 'material', 'skin'))
_Reference = tuple[TypedElement, str, str, str]
"""An element, an attribute that names another, the kind of that, and its name."""


class Sections:
    """
    The sections that are kept, as text.

    What refers to parts that were replicated is written once for each of ``replicas``.
    """

    def __init__(self, parts: Parts, replicas: Sequence[Scope], report: Report) -> None:
        self._parts, self._replicas, self._report = parts, replicas, report
        self._copies = 0

    def all(  # noqa: A003
        self, main: Scope, attached: Collection[Scope],
    ) -> Iterator[RawElement]:
        """Yield the sections of a file, then those of the models that it attaches."""
        found = [(section, main) for section in main.root.children if section.tag in KEPT]
        found += [
            (section, scope) for scope in attached if scope.root is not main.root
            for section in scope.root.children if section.tag in _ATTACHED]
        for section, scope in sorted(found, key=lambda each: (
                _ATTACHED.index(each[0].tag) if each[0].tag in _ATTACHED else -1)):
            yield self._section(section, scope, main)
        for tag, text in main.settings.sections():
            yield RawElement(tag, text, main.root.location, '', FORMAT)

    def looks(self, scopes: Collection[Scope]) -> Iterator[RawElement]:
        """Yield the textures and materials of files, each with a name; check all assets."""
        assets = [
            (element, scope.of_assets) for scope in scopes for section in scope.root.all('asset')
            for element in section.children]
        for element, scope in assets:
            name = asset_name(element)
            self._parts.claim(element.tag, name and scope.rename(name), element)
        for element, scope in assets:
            for attribute, name in element.attributes.items():
                for kind in _ASSETS.intersection(_kinds(element, attribute)):
                    if scope.rename(name) not in self._parts.names[kind]:
                        self._parts.unknown(kind, name, element, attribute)
            if element.tag in ('texture', 'material'):
                text = ''.join(_text(element, scope, name=asset_name(element)))
                yield RawElement('asset', f'<asset>{text}</asset>', element.location, '', FORMAT)

    def _section(self, section: TypedElement, scope: Scope, main: Scope) -> RawElement:
        head = start_tag(section.tag, section.attributes.items())
        content = ''.join(
            text for child in section.children for copy in self._places(child, scope, main)
            for text in self._copy(child, copy, section.tag))
        text = f'{head}>{content}</{section.tag}>' if content else f'{head}/>'
        return RawElement(section.tag, text, section.location, '', FORMAT)

    def _copy(self, element: TypedElement, scope: Scope, section: str) -> Iterator[str]:
        """Yield the text of an element with the defaults of its classes."""
        item = Item(Resolved(element, ()), scope)
        kind = section if section in _NAMED_TOGETHER else element.tag
        self._parts.claim(kind, item.name, item.element)
        return _text(element, scope, self._parts.names)

    def _places(self, element: TypedElement, scope: Scope, main: Scope) -> Sequence[Scope]:
        """Return where an element is: once, or for each copy of the parts that it refers to."""
        references = list(_references(element, scope))
        missing = [one for one in references if not self._is_known(one, scope)]
        copies = [scope] if not missing else [*{
            (replica.prefix, replica.suffix): replica for replica in self._replicas
            if replica.root is scope.root and all(
                self._is_known(one, scope) or self._is_known(one, replica)
                for one in references)}.values()]
        was_full = self._copies > REPLICATED_ELEMENTS
        self._copies += len(copies)
        if self._copies > REPLICATED_ELEMENTS:
            if not was_full:
                self._report.add(
                    codes.TOO_MANY_ELEMENTS,
                    f'<replicate> makes more than {REPLICATED_ELEMENTS} elements',
                    element.location)
            return ()
        if not copies and scope.root is main.root:
            at, attribute, kind, name = missing[0]
            self._parts.unknown(kind, name, at, attribute)
        return copies

    def _is_known(self, reference: _Reference, scope: Scope) -> bool:
        *_, kind, name = reference
        return scope.rename(name) in self._parts.names[kind]


def _references(element: TypedElement, scope: Scope) -> Iterator[_Reference]:
    """Yield what an element and those in it refer to, but for the world."""
    for inner in element.walk():
        for attribute, text in scope.classes.resolve(inner, MAIN).items():
            for kind in _PARTS.intersection(_kinds(inner, attribute)):
                if text and not _is_world(inner, attribute, text):
                    yield inner, attribute, kind, text


def is_left_behind(element: TypedElement, scope: Scope, parts: Parts) -> bool:
    """Return whether an element refers to a body, joint or site that was not attached."""
    return any(
        kind != 'tendon' and scope.rename(name) not in parts.names[kind]
        for *_, kind, name in _references(element, scope))


def _kinds(element: TypedElement, name: str) -> Sequence[str]:
    """Return the kinds of things that an attribute may name."""
    if name in _KIND_ATTRIBUTES:
        kind = element.get(_KIND_ATTRIBUTES[name]) or ''
        return (_KINDS.get(kind, kind),)
    rule = element.rule.attributes.get(name)
    return () if rule is None else rule.attribute.refers


def _is_world(element: TypedElement, name: str, text: str) -> bool:
    """Return whether an attribute names the world, which no file renames."""
    return text == WORLD and 'body' in _kinds(element, name)


def _text(
    element: TypedElement, scope: Scope, known: Names = NO_NAMES, name: str = '',
) -> Iterator[str]:
    resolved = scope.classes.resolve(element, MAIN)
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
    element: TypedElement, name: str, text: str, scope: Scope, known: Names = NO_NAMES,
) -> str:
    """Return the value of an attribute, with a name as the whole model has it."""
    attribute = element.rule.attributes.get(name)
    if attribute is None:  # a namespace declaration
        return text
    kinds = _kinds(element, name)
    if 'file' in kinds:
        file = scope.file_of(element, name)
        return text if file is None else os.path.abspath(file)
    if name != 'name' and not any(kinds) or _is_world(element, name, text):
        return text
    is_asset = not _ASSETS.isdisjoint((*kinds, element.tag if name == 'name' else ''))
    changed = (scope.of_assets if is_asset else scope).rename(text)
    is_other = name != 'name' and any(
        text in known.get(kind, ()) and changed not in known[kind] for kind in kinds)
    return text if is_other else changed


def raw_element(resolved: Resolved, scope: Scope) -> RawElement:
    """Return an element with the defaults of its class."""
    text = ''.join(_text(resolved.element, scope))
    return RawElement(
        resolved.element.tag, text, resolved.element.location, '', FORMAT)


def plugins_of(element: TypedElement, scope: Scope) -> str:
    """Return the ``<plugin>``s in an element as text."""
    return ''.join(
        text for child in element.children if child.tag == 'plugin'
        for text in _text(child, scope))


def left_over(
    item: Item, name: str, read: Collection[str], more: Sequence[tuple[str, str]] = (),
) -> tuple[RawElement, ...]:
    """Return an element with attributes that were not read and ``more``, nothing without any."""
    element = item.element
    attributes = [*(
        (key, _renamed(element.element, key, text, item.scope)) for key, text in element.items()
        if key not in read), *more]
    inner = plugins_of(element.element, item.scope)
    if not attributes and not inner:
        return ()
    tag = element.element.tag
    head = start_tag(tag, [*([('name', name)] if name else []), *attributes])
    text = f'{head}>{inner}</{tag}>' if inner else f'{head}/>'
    return (RawElement(tag, text, element.element.location, '', FORMAT),)
