# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Declarations compiled for one version of a format.

A rule is compiled when an element of its kind is first met: to compile a whole schema would cost
more than to validate a small file. Several threads may load files, so a rule is complete before
others can see it.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, NamedTuple, Optional, Union

from hrdf_ros.document import Document, SourceFile
from hrdf_ros.readers.schema.declarations import (
    Attribute,
    Bounds,
    Element,
    Parse,
    ParseInContext,
    Policy,
    Remark,
    ValueType,
)
from hrdf_ros.readers.schema.element import TypedElement
from hrdf_ros.readers.schema.faults import bounded, bounded_in_context, enumeration

_HANDLED = ('no effect', 'not preserved', 'foreign', 'skipped')
"""What needs a closer look than its value."""


class AttributeRule:
    """
    An attribute: how to parse it (neither parser: as text).

    ``is_special`` asks for a closer look: version, deprecation, handling, other attributes.
    """

    __slots__ = ('attribute', 'default', 'parse', 'parse_in_context', 'is_newer', 'is_removed',
                 'is_special', 'remarks')

    def __init__(self, attribute: Attribute, rules: 'Rules') -> None:
        self.attribute = attribute
        self.default = attribute.default
        self.parse, self.parse_in_context = rules.parsers(attribute.type, attribute.bounds)
        self.is_newer = rules.is_newer(attribute.since)
        self.is_removed = rules.is_removed(attribute.until)
        self.remarks = rules.remarks(attribute.type)
        self.is_special = (
            self.is_newer or self.is_removed or attribute.deprecated != ''
            or attribute.excludes != () or attribute.requires != ()
            or attribute.handling in _HANDLED)


class Defaults(dict[str, Any]):
    """
    The defaults of an element's attributes and children by name, of its own text by ''.

    Each is found when it is first asked for; a name that the schema has not is a KeyError.
    """

    def __init__(self, rule: 'Rule') -> None:
        self._rule = rule

    def __missing__(self, name: str) -> Any:
        rule = self._rule
        if not name:
            default = rule.default
        elif name in rule.attributes:
            default = rule.attributes[name].default
        else:
            default = rule.rules.rule(rule.content.children[name]).default
        self[name] = default
        return default


class Fields(NamedTuple):
    """Several children that are read together: their defaults, and their indices by tag."""

    defaults: tuple[Any, ...]
    index_of: dict[str, int]


class Rule:
    """
    What an element may hold, and how it may be there.

    ``children`` are the rules of those that were met so far; ``needed`` the tags of those that
    are reported where they are missing.

    ``usual`` are attributes that need no closer look together, if any; a leaf has no children
    and needs no attributes; ``checks_text`` and ``checks_blank`` say whether there is something
    to check about a text, and about none; ``quick_parse`` is all that there is to do about one,
    ``is_special`` that there is about the element being there, ``selects`` that not all children
    are looked into.
    """

    __slots__ = (
        'rules', 'element', 'content', 'default', 'attributes', 'required', 'usual', 'is_leaf',
        'needs_attributes', 'parse', 'parse_in_context', 'remarks', 'checks_text',
        'is_textless', 'is_newer', 'is_removed', 'is_special', 'children', 'needed', 'selects',
        '_variants', 'has_variants', 'parsers', 'texts', 'is_single', 'is_tolerant',
        'is_preserved', '_absent', 'defaults',
        'fields', 'absent_records', 'quick_parse', 'checks_blank',
        'is_open', 'has_choice', '_read')

    def __init__(self, element: Element, content: Element, rules: 'Rules') -> None:
        self.rules = rules
        self.element = element
        self.content = content
        self.default = content.default if element.default is None else element.default
        self.defaults = Defaults(self)
        self.fields: dict[tuple[str, ...], Fields] = {}
        self.absent_records: dict[tuple[str, Callable[..., Any]], Any] = {}
        self._variants: dict[str, Rule] = {}
        self._absent: dict[str, TypedElement] = {}
        self.is_tolerant = element.tolerant
        self.is_preserved = element.handling in ('preserved', 'foreign')
        self.is_single = not element.repeated and rules.policy.duplicate_element is not None
        self.is_newer = rules.is_newer(element.since)
        self.is_removed = rules.is_removed(element.until)
        self.is_special = (
            self.is_newer or self.is_removed or element.deprecated != ''
            or element.handling in _HANDLED)
        self._set_text()
        self._set_attributes()
        self.children: dict[str, Rule] = {}
        self._read: Optional[frozenset[str]] = None
        self.needed = tuple(filter(self._is_needed, content.children))
        self.is_open = content.open
        self.has_choice = content.choice != ''
        self.selects = self.is_open or self.has_choice or self.needed != ()
        self.has_variants = content.variants is not None
        self.is_leaf = not (
            content.children or self.needs_attributes or content.variants or element.tolerant)

    def _set_text(self) -> None:
        text, rules = self.content.text, self.rules
        self.remarks: tuple[Remark, ...] = ()
        self.parse: Optional[Parse] = None
        self.parse_in_context: Optional[ParseInContext] = None
        self.is_textless = text is None and rules.policy.stray_text is not None
        if text is not None:
            self.parse, self.parse_in_context = rules.parsers(text, self.element.bounds)
            self.remarks = rules.remarks(text)
        has_parser = self.parse is not None or self.parse_in_context is not None
        parses_blank = text is not None and has_parser and (
            text.parses_blank or not rules.policy.blank_is_default)
        self.quick_parse = None if self.remarks else self.parse
        self.checks_text = has_parser or self.is_textless
        self.checks_blank = parses_blank or self.element.text_required

    def _set_attributes(self) -> None:
        content = self.content
        self.attributes = {
            name: AttributeRule(attribute, self.rules)
            for name, attribute in content.attributes.items()}
        self.parsers = {
            name: rule.parse for name, rule in self.attributes.items()
            if rule.parse is not None and not rule.is_special and not rule.remarks}
        self.texts = frozenset(
            name for name, rule in self.attributes.items()
            if rule.parse is None and rule.parse_in_context is None
            and not (rule.is_special or rule.remarks))
        self.required = frozenset(
            name for name, attribute in content.attributes.items()
            if attribute.required or attribute.expected)
        self.needs_attributes = bool(self.required or content.any_of)
        are_plain = not any(
            rule.parse or rule.parse_in_context or rule.is_special
            for name, rule in self.attributes.items() if name in self.required)
        self.usual = self.required if are_plain and not content.any_of else None

    def child(self, tag: str) -> Optional['Rule']:
        """Return the rule of a child, None where the schema has none of this tag."""
        found = self.children.get(tag)
        if found is None:
            declared = self.content.children.get(tag)
            if declared is None:
                return None
            found = self.children[tag] = self.rules.rule(declared)
        return found

    @property
    def read_children(self) -> frozenset[str]:
        """The tags of the children that are known and not merely preserved as text."""
        if self._read is None:
            self._read = frozenset(
                tag for tag in self.content.children
                if (rule := self.child(tag)) is not None and not rule.is_preserved)
        return self._read

    def declared(self, tag: str) -> Element:
        """Return the declaration of a child."""
        return self.rules.declared(self.content.children[tag])

    def _is_needed(self, tag: str) -> bool:
        declared = self.declared(tag)
        return declared.required or declared.expected


    def absent(self, tag: str) -> TypedElement:
        """Return an element without content or location, in place of a child that is absent."""
        found = self._absent.get(tag)
        if found is None:
            found = self._absent[tag] = _empty_element(tag, self.rules.rule(
                self.content.children[tag]))
        return found

    def add_fields(self, tags: tuple[str, ...]) -> Fields:
        """Return the defaults and indices of several children, and keep them in ``fields``."""
        found = self.fields[tags] = Fields(
            tuple(self.defaults[tag] for tag in tags),
            {tag: index for index, tag in enumerate(tags)})
        return found

    def add_record(self, tag: str, kind: Callable[..., Any], names: tuple[str, ...]) -> Any:
        """Return a record of the defaults in a child, and keep it in ``absent_records``."""
        found = self.absent_records[tag, kind] = kind(*self.absent(tag).values_of(*names))
        return found

    def variant(self, attributes: Mapping[str, str]) -> 'Rule':
        """Return the rule for an element with these attributes."""
        variants = self.content.variants
        if variants is None:
            return self
        value = attributes.get(variants.attribute, '')
        found = self._variants.get(value)
        if found is None:
            other = variants.elements.get(value.strip())
            if other is None:
                return self
            content = self.content.replace(
                attributes={**self.content.attributes, **other.attributes},
                children={**self.content.children, **other.children}, variants=None)
            found = self._variants[value.strip()] = Rule(self.element, content, self.rules)
        return found


class Rules:
    """The rules of a schema for one version, as far as they were needed."""

    def __init__(
        self, elements: Mapping[str, Element], policy: Policy, versions: tuple[str, ...],
        version: int,
    ) -> None:
        self.elements = elements
        self.policy = policy
        self.versions = versions
        self.version = version
        self._rules: dict[int, Rule] = {}
        self._entries: dict[str, Rule] = {}
        self._tags: Optional[Set[str]] = None

    def rule(self, declared: Union[Element, str]) -> Rule:
        """Return the rule of an element, given itself or by its name in the schema."""
        element = self.declared(declared)
        found = self._rules.get(id(element))
        if found is None:
            content = self.elements[element.like] if element.like else element
            found = self._rules[id(element)] = Rule(element, content, self)
        return found

    def entry(self, name: str) -> Rule:
        """Return the rule of an element that the schema has by name."""
        found = self._entries.get(name)
        if found is None:
            found = self._entries[name] = self.rule(name)
        return found

    def declared(self, element: Union[Element, str]) -> Element:
        """Return an element that is given itself or by its name in the schema."""
        return self.elements[element] if isinstance(element, str) else element

    @property
    def tags(self) -> Set[str]:
        """The tags of all elements of the schema."""
        if self._tags is None:
            self._tags = frozenset(_tags(self.elements))
        return self._tags

    def is_newer(self, since: str) -> bool:
        """Tell whether something came with a newer version, and that is reported."""
        return (
            since != '' and self.policy.newer is not None
            and self.versions.index(since) > self.version)

    def is_removed(self, until: str) -> bool:
        """Tell whether something went with an older version, and that is reported."""
        return (
            until != '' and self.policy.removed is not None
            and self.versions.index(until) < self.version)

    def parsers(
        self, kind: ValueType, bounds: Optional[Bounds],
    ) -> tuple[Optional[Parse], Optional[ParseInContext]]:
        """Return what parses values of a type, of which at most one is there."""
        parse, in_context = kind.parse, kind.parse_in_context
        if kind.words and not kind.deferred:
            parse = enumeration(kind, {
                word: since for word, since in kind.words.items() if self.is_newer(since)})
        if kind.before is not None and self.version < self.versions.index(kind.before[0]):
            parse, in_context = None, kind.before[1]
        if bounds is not None and parse is not None:
            parse = bounded(parse, bounds)
        if bounds is not None and in_context is not None:
            in_context = bounded_in_context(in_context, bounds)
        return parse, in_context

    def remarks(self, kind: ValueType) -> tuple[Remark, ...]:
        """Return what to remark about values of a type: nothing in versions that differ."""
        if kind.before is not None and self.version < self.versions.index(kind.before[0]):
            return ()
        return kind.remarks


def _empty_element(tag: str, rule: Rule) -> TypedElement:
    element = TypedElement(Document(SourceFile('', b'')), tag, {}, 0)
    element.rule = rule
    return element


def _tags(elements: Mapping[str, Element]) -> Iterable[str]:
    """Yield the tag of each element that is declared anywhere."""
    pending: list[Element] = list(elements.values())
    while pending:
        element = pending.pop()
        if element.variants is not None:
            pending += element.variants.elements.values()
        for tag, child in element.children.items():
            yield tag
            if not isinstance(child, str):
                pending.append(child)
