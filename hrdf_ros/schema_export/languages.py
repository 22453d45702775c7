# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
RelaxNG (ISO/IEC 19757-2, XML syntax) and W3C XML Schema 1.0, from the declarations of a format.

The XML Schema contains only those rules that XML Schema can express.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from hrdf_ros.readers.schema import Attribute, Element, ValueType
from hrdf_ros.schema_export.content import Declarations, documentation, is_required, Variant
from hrdf_ros.writers.xml import serialize
from lxml.builder import ElementMaker

_RELAXNG = 'http://relaxng.org/ns/structure/1.0'
_ANNOTATIONS = 'http://relaxng.org/ns/compatibility/annotations/1.0'
_DATATYPES = 'http://www.w3.org/2001/XMLSchema-datatypes'
_XSD = 'http://www.w3.org/2001/XMLSchema'
_E = ElementMaker(namespace=_RELAXNG, nsmap={None: _RELAXNG, 'a': _ANNOTATIONS})
_DOC = ElementMaker(namespace=_ANNOTATIONS, nsmap={'a': _ANNOTATIONS})
_X = ElementMaker(namespace=_XSD, nsmap={'xs': _XSD})
_OTHER = {'namespace': '##other', 'processContents': 'skip'}
_MIXED = {'mixed': 'true'}


def relaxng(declarations: Declarations) -> str:
    """
    Return the RelaxNG schema of a version.

    It accepts each declared element and attribute as often as the declarations allow, and requires
    those that are required, also where readers only warn. It accepts the words of enumerations,
    and anything in elements of other programs. Other values may be any text: each format has its
    own syntax for numbers.
    """
    return serialize(_RelaxNg(declarations).document())


class _RelaxNg:
    """Writes one definition for each declaration."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations

    def document(self) -> Any:
        """Return the grammar that begins with the root element."""
        start = _E.ref(name=self._declarations.name(*self._declarations.root))
        definitions = [
            self._definition(name, tag, element)
            for name, tag, element in self._declarations.pending()]
        return _E.grammar(
            _doc(self._declarations.title), _E.start(start),
            *definitions, _anything(), datatypeLibrary=_DATATYPES)

    def _definition(self, name: str, tag: str, element: Element) -> Any:
        patterns = [self._content(found) for found in self._declarations.variants(element)]
        inside = patterns[0] if len(patterns) == 1 else [
            _joined('choice', [_joined('group', pattern) for pattern in patterns])]
        return _E.define(
            _E.element(_doc(documentation(element)), *inside, name=tag), name=name)

    def _content(self, variant: Variant) -> list[Any]:
        if variant.element.open:
            return [_E.ref(name='anything')]
        foreign = [_E.zeroOrMore(_E.attribute(_any_namespace(), _E.text()))] if (
            self._declarations.has_foreign_attributes) else []
        return [*self._attributes(variant), *foreign, *self._inside(variant.element)]

    def _attributes(self, variant: Variant) -> list[Any]:
        """Return the attributes, in groups if they exclude or require each other."""
        declared, any_of = variant.element.attributes, variant.element.any_of
        made = {
            name: self._attribute(name, attribute, variant)
            for name, attribute in declared.items()}
        dependent = {
            name: other for name, attribute in declared.items()
            for other in attribute.requires
            if name not in declared[other].requires and name not in any_of}
        patterns, done = [], set(dependent)
        for name, attribute in declared.items():
            if name in done:
                continue
            pattern = made[name]
            exclusive = _alternatives(name, declared)
            followers = [each for each, other in dependent.items() if other == name]
            if name in any_of:
                exclusive = list(any_of)
                pattern = _any_of('group', [made[other] for other in exclusive])
            elif exclusive:
                pattern = _joined('choice', [pattern, *map(made.__getitem__, exclusive)])
            elif followers:
                pattern = _joined('group', [
                    pattern, *(_E.optional(made[each]) for each in followers)])
            done |= {name, *exclusive}
            is_there = is_required(attribute) or name in any_of or (
                name == variant.chooser and variant.values != ())
            patterns.append(pattern if is_there else _E.optional(pattern))
        return patterns

    def _inside(self, element: Element) -> list[Any]:
        parts = [*self._children(element), *_foreign_elements(element.foreign)]
        if element.text is not None and not parts:
            return [self._value(element.text)]
        if element.text is not None or self._declarations.is_mixed:
            parts.append(_E.text())
        if not parts:
            return [_E.empty()]
        return parts if len(parts) == 1 else [_E.interleave(*parts)]

    def _children(self, element: Element) -> list[Any]:
        children: Mapping[str, Any] = element.children
        if element.choice:
            return [_joined('choice', [
                self._child(tag, child, True) for tag, child in children.items()])]
        patterns = [
            self._child(tag, child, is_required(child))
            for tag, child in children.items() if tag not in element.any_of]
        alternatives = [
            self._child(tag, child, True)
            for tag, child in children.items() if tag in element.any_of]
        return [*patterns, _any_of('interleave', alternatives)] if alternatives else patterns

    def _child(self, tag: str, element: Any, is_there: bool) -> Any:
        reference = _E.ref(name=self._declarations.name(tag, element))
        if self._declarations.is_repeated(element):
            return _E('oneOrMore' if is_there else 'zeroOrMore', reference)
        return reference if is_there else _E.optional(reference)

    def _attribute(self, name: str, attribute: Attribute, variant: Variant) -> Any:
        value = self._value(attribute.type)
        if name == variant.chooser and variant.values:
            value = _joined('choice', [_E.value(word) for word in variant.values])
        return _E.attribute(_doc(documentation(attribute)), value, name=name)

    def _value(self, kind: ValueType) -> Any:
        words = self._declarations.words(kind)
        return _joined('choice', [_E.value(word) for word in words]) if words else _E.text()


def _alternatives(name: str, declared: Mapping[str, Attribute]) -> list[str]:
    """Return the attributes that exclude this one, or none if some of those may occur together."""
    excluding = {one: {one} | {
        other for other, attribute in declared.items()
        if other in declared[one].excludes or one in attribute.excludes} for one in declared}
    is_exact = all(excluding[other] == excluding[name] for other in excluding[name])
    return [one for one in declared if one in excluding[name] - {name}] if is_exact else []


def _doc(text: str) -> Any:
    return _DOC('documentation', text)


def _joined(tag: str, patterns: Sequence[Any]) -> Any:
    """Return the single pattern, or several patterns in one element."""
    return patterns[0] if len(patterns) == 1 else _E(tag, *patterns)


def _any_of(tag: str, patterns: Sequence[Any]) -> Any:
    """Return the pattern of at least one of some attributes or elements."""
    return _joined('choice', [
        _E(tag, pattern, *(_E.optional(deepcopy(other)) for other in patterns[index + 1:]))
        for index, pattern in enumerate(patterns)])


def _any_namespace() -> Any:
    """Return the class of all names with a namespace."""
    return _E.anyName(_E('except', _E.nsName(ns='')))


def _foreign_elements(tags: frozenset[str]) -> list[Any]:
    """Return the patterns that allow elements of other programs."""
    named = [
        _E.zeroOrMore(_E.element(_E.ref(name='anything'), name=tag))
        for tag in sorted(tags) if ':' not in tag]
    prefixed = [_E.zeroOrMore(_E.element(_any_namespace(), _E.ref(name='anything')))]
    return named + prefixed if '*:*' in tags else named


def _anything() -> Any:
    return _E.define(_E.zeroOrMore(_E.choice(
        _E.attribute(_E.anyName(), _E.text()), _E.text(),
        _E.element(_E.anyName(), _E.ref(name='anything')))), name='anything')


# ---- XML Schema

def xsd(declarations: Declarations) -> str:
    """
    Return the XML Schema of a version.

    Unlike RelaxNG, XML Schema cannot say which of several children, in any order, are required or
    may occur only once. Nor can content depend on the value of an attribute, so all variants are
    allowed together.
    """
    return serialize(_Xsd(declarations).schema())


class _Xsd:
    """Writes one complex type for each declaration."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations

    def schema(self) -> Any:
        """Return the schema that begins with the root element."""
        start = self._element(*self._declarations.root)
        types = [
            self._type(name, element) for name, _, element in self._declarations.pending()]
        return _X.schema(_annotation(self._declarations.title), start, *types, _any_type())

    def _element(self, tag: str, element: Any) -> Any:
        name = self._declarations.name(tag, element)
        return _X.element(_annotation(documentation(element)), name=tag, type=f't_{name}')

    def _type(self, name: str, element: Element) -> Any:
        content = _merged([found.element for found in self._declarations.variants(element)])
        if content.open:
            return _X.complexType(*_any_type(), name=f't_{name}', **_MIXED)
        attributes = [
            self._attribute(name, attribute) for name, attribute in content.attributes.items()]
        mixed = _MIXED if content.text is not None or self._declarations.is_mixed else {}
        foreign = sorted(tag for tag in content.foreign if ':' not in tag)
        inside = _X.choice(
            *(self._element(tag, child) for tag, child in content.children.items()),
            *(_X.element(name=tag, type='t_anything') for tag in foreign),
            _X.any(**_OTHER), minOccurs='0', maxOccurs='unbounded')
        return _X.complexType(
            inside, *attributes, _X.anyAttribute(**_OTHER), name=f't_{name}', **mixed)

    def _attribute(self, name: str, attribute: Attribute) -> Any:
        declared = _X.attribute(_annotation(documentation(attribute)), name=name)
        words = self._declarations.words(attribute.type)
        if words:
            declared.append(_X.simpleType(_X.restriction(
                *(_X.enumeration(value=word) for word in words), base='xs:token')))
        else:
            declared.set('type', 'xs:string')
        if is_required(attribute):
            declared.set('use', 'required')
        return declared


def _merged(variants: list[Element]) -> Element:
    """Return all variants as one with the content of each; what all require stays required."""
    attributes: dict[str, Attribute] = {}
    children: dict[str, Any] = {}
    for element in variants:
        for name, attribute in element.attributes.items():
            known = attributes.get(name, attribute)
            attributes[name] = known._replace(
                required=known.required and attribute.required,
                expected=known.expected and attribute.expected)
        children = {**element.children, **children}
    return variants[-1]._replace(attributes=attributes, children=children)


def _annotation(text: str) -> Any:
    return _X.annotation(_X.documentation(text))


def _any_type() -> Any:
    content = _X.any(minOccurs='0', maxOccurs='unbounded', processContents='skip')
    return _X.complexType(
        _X.sequence(content), _X.anyAttribute(processContents='skip'),
        name='t_anything', **_MIXED)
