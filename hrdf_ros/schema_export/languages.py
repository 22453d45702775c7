# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
RelaxNG (ISO/IEC 19757-2, XML syntax) from the declarations of a format.

And W3C XML Schema 1.0, as far as it can express them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from hrdf_ros.readers.schema import Attribute, Element, ValueType
from hrdf_ros.schema_export.content import Child, Content, Declarations, documentation
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

    It accepts the elements and attributes that the declarations have: once, repeated or required
    (also where readers only warn that one is missing); the words of enumerations; anything in
    elements of other programs. Other values are any text: each format has its own number syntax.
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
        patterns = [self._content(content) for content in self._declarations.variants(element)]
        inside = patterns[0] if len(patterns) == 1 else [
            _joined('choice', [_joined('group', pattern) for pattern in patterns])]
        return _E.define(
            _E.element(_doc(documentation(element)), *inside, name=tag), name=name)

    def _content(self, content: Content) -> list[Any]:
        if content.is_open:
            return [_E.ref(name='anything')]
        foreign = [_E.zeroOrMore(_E.attribute(_any_namespace(), _E.text()))] if (
            content.has_foreign_attributes) else []
        return [*self._attributes(content), *foreign, *self._inside(content)]

    def _attributes(self, content: Content) -> list[Any]:
        """Return the attributes, those together that exclude or require each other."""
        declared = content.attributes
        dependent = {
            name: other for name, attribute in declared.items()
            for other in attribute.requires
            if name not in declared[other].requires and name not in content.any_of}
        patterns, done = [], set(dependent)
        for name, attribute in declared.items():
            if name in done:
                continue
            pattern = self._attribute(name, attribute, content)
            exclusive = _alternatives(name, declared)
            followers = [each for each, other in dependent.items() if other == name]
            if name in content.any_of:
                exclusive = list(content.any_of)
                pattern = _any_of('group', [
                    self._attribute(other, content.attributes[other], content)
                    for other in exclusive])
            elif exclusive:
                pattern = _joined('choice', [pattern, *(
                    self._attribute(other, content.attributes[other], content)
                    for other in exclusive)])
            elif followers:
                pattern = _joined('group', [pattern, *(
                    _E.optional(self._attribute(each, content.attributes[each], content))
                    for each in followers)])
            done |= {name, *exclusive}
            is_required = (
                attribute.required or attribute.expected or name in content.any_of
                or name == content.condition[0] and content.condition[1] != ())
            patterns.append(pattern if is_required else _E.optional(pattern))
        return patterns

    def _inside(self, content: Content) -> list[Any]:
        parts = [*self._children(content), *_foreign_elements(content.foreign)]
        if content.text is not None and not parts:
            return [self._value(content.text)]
        if content.text is not None or content.is_mixed:
            parts.append(_E.text())
        if not parts:
            return [_E.empty()]
        return parts if len(parts) == 1 else [_E.interleave(*parts)]

    def _children(self, content: Content) -> list[Any]:
        if content.is_alternative:
            return [_joined('choice', [
                self._child(child._replace(is_required=True)) for child in content.children])]
        alternatives = [child for child in content.children if child.tag in content.any_of]
        patterns = [
            self._child(child) for child in content.children if child not in alternatives]
        if alternatives:
            patterns.append(_any_of('interleave', [
                self._child(child._replace(is_required=True)) for child in alternatives]))
        return patterns

    def _child(self, child: Child) -> Any:
        reference = _E.ref(name=self._declarations.name(child.tag, child.element))
        if child.is_repeated:
            return _E('oneOrMore' if child.is_required else 'zeroOrMore', reference)
        return reference if child.is_required else _E.optional(reference)

    def _attribute(self, name: str, attribute: Attribute, content: Content) -> Any:
        value = self._value(attribute.type)
        chooser, values = content.condition
        if name == chooser and values:
            value = _joined('choice', [_E.value(word) for word in values])
        return _E.attribute(_doc(documentation(attribute)), value, name=name)

    def _value(self, kind: ValueType) -> Any:
        words = self._declarations.words(kind)
        return _joined('choice', [_E.value(word) for word in words]) if words else _E.text()


def _alternatives(name: str, declared: Mapping[str, Attribute]) -> list[str]:
    """Return the attributes that exclude this one; none if some of these go together."""
    excluding = {one: {one} | {
        other for other, attribute in declared.items()
        if other in declared[one].excludes or one in attribute.excludes} for one in declared}
    is_exact = all(excluding[other] == excluding[name] for other in excluding[name])
    return [one for one in declared if one in excluding[name] - {name}] if is_exact else []


def _doc(text: str) -> Any:
    return _DOC('documentation', text)


def _joined(tag: str, patterns: Sequence[Any]) -> Any:
    """Return the only pattern, or all of them in one element."""
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

    What it cannot say, and RelaxNG can: which of several children in any order are required or
    may be there once only, and content that depends on the value of an attribute (all variants are
    allowed together).
    """
    return serialize(_Xsd(declarations).schema())


class _Xsd:
    """Writes one complex type for each declaration."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations

    def schema(self) -> Any:
        """Return the schema that begins with the root element."""
        start = self._element(Child(*self._declarations.root, True, False))
        types = [
            self._type(name, element) for name, _, element in self._declarations.pending()]
        return _X.schema(_annotation(self._declarations.title), start, *types, _any_type())

    def _element(self, child: Child) -> Any:
        name = self._declarations.name(child.tag, child.element)
        return _X.element(
            _annotation(documentation(child.element)), name=child.tag, type=f't_{name}')

    def _type(self, name: str, element: Element) -> Any:
        content = _merged(self._declarations.variants(element))
        if content.is_open:
            return _X.complexType(*_any_type(), name=f't_{name}', **_MIXED)
        attributes = [
            self._attribute(name, attribute) for name, attribute in content.attributes.items()]
        mixed = _MIXED if content.text is not None or content.is_mixed else {}
        return _X.complexType(
            self._inside(content), *attributes, _X.anyAttribute(**_OTHER),
            name=f't_{name}', **mixed)

    def _inside(self, content: Content) -> Any:
        foreign = sorted(tag for tag in content.foreign if ':' not in tag)
        return _X.choice(
            *map(self._element, content.children),
            *(_X.element(name=tag, type='t_anything') for tag in foreign),
            _X.any(**_OTHER), minOccurs='0', maxOccurs='unbounded')

    def _attribute(self, name: str, attribute: Attribute) -> Any:
        declared = _X.attribute(_annotation(documentation(attribute)), name=name)
        words = self._declarations.words(attribute.type)
        if words:
            declared.append(_X.simpleType(_X.restriction(
                *(_X.enumeration(value=word) for word in words), base='xs:token')))
        else:
            declared.set('type', 'xs:string')
        if attribute.required or attribute.expected:
            declared.set('use', 'required')
        return declared


def _merged(variants: list[Content]) -> Content:
    """Return all variants as one: the content of any of them, required if it is in all."""
    if len(variants) == 1:
        return variants[0]
    attributes: dict[str, Attribute] = {}
    children: dict[str, Child] = {}
    for content in variants:
        for name, attribute in content.attributes.items():
            known = attributes.get(name, attribute)
            attributes[name] = known._replace(
                required=known.required and attribute.required,
                expected=known.expected and attribute.expected)
        for child in content.children:
            children.setdefault(child.tag, child)
    return variants[-1]._replace(attributes=attributes, children=tuple(children.values()))


def _annotation(text: str) -> Any:
    return _X.annotation(_X.documentation(text))


def _any_type() -> Any:
    content = _X.any(minOccurs='0', maxOccurs='unbounded', processContents='skip')
    return _X.complexType(
        _X.sequence(content), _X.anyAttribute(processContents='skip'),
        name='t_anything', **_MIXED)
