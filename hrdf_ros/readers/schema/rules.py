# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Declarations compiled for one version of a format, and the parsers of their values.

A rule is compiled when an element of its kind is first met, because compiling a whole schema costs
more than validating a small file. Several threads may load files, so a rule is complete before
others can see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, Literal, Optional, Union

from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.readers.schema.declarations import (
    Attribute,
    Bounds,
    Element,
    Parse,
    Policy,
    Remark,
    Value,
    ValueType,
    Variants,
)

EXAMINED = ('read', 'checked', 'preserved')
"""The kinds of handling that need no report, and whose content is examined."""


class NewerSyntax(ValueSyntaxError):
    """A value that only newer versions accept; ``what`` names it, ``since`` is the version."""

    def __init__(self, what: str, index: int, since: str) -> None:
        super().__init__(what, index)
        self.since = since


class Replaced(ValueSyntaxError):
    """A faulty value, and the value that is read in its place, None for the default."""

    def __init__(self, message: str, value: Value) -> None:
        super().__init__(message)
        self.value = value


class OutOfRange(Replaced):
    """A number outside of its bounds; ``value`` is the number."""


class FaultyWord(Replaced):
    """
    A word that an enumeration does not have as it is written.

    ``since`` is the first version that has ``value``, where the file's version is older.
    """

    def __init__(
        self, word: str, kind: Literal['unknown', 'newer', 'case', 'spelling'],
        value: Optional[str], known: ValueType, since: str = '',
    ) -> None:
        super().__init__(word, value)
        self.kind = kind
        self.known = known.words
        self.unlisted = known.unlisted
        self.since = since


def _bounded(parse: Callable[..., Value], bounds: Bounds) -> Callable[..., Value]:
    """Return a parser that raises OutOfRange."""
    minimum, maximum, excludes_minimum = bounds

    def parse_bounded(*arguments: Any) -> Value:
        value = parse(*arguments)
        for number in value if isinstance(value, tuple) else (value,):
            if minimum < number <= maximum:
                continue
            if excludes_minimum and number <= minimum:
                raise OutOfRange(f'{number!r} must be greater than {minimum!r}', value)
            if number < minimum:
                raise OutOfRange(f'{number!r} is less than the minimum {minimum!r}', value)
            if number > maximum:
                raise OutOfRange(f'{number!r} is greater than the maximum {maximum!r}', value)
        return value
    return parse_bounded


def _enumeration(kind: ValueType, newer: Mapping[str, str]) -> Parse:
    """Return the parser of an enumeration; ``newer`` are words that the version does not have."""
    words = kind.words

    def parse(text: str, _: list[int]) -> str:
        word = text.strip() if kind.strips else text
        if word not in words:
            raise _faulty_word(word, kind, newer)
        if word in newer:
            raise FaultyWord(word, 'newer', word, kind, newer[word])
        return word
    return parse


def _faulty_word(word: str, kind: ValueType, newer: Mapping[str, str]) -> FaultyWord:
    lower = word.lower()
    meant = kind.spellings.get(lower)
    if meant is not None:
        return FaultyWord(word, 'spelling', meant, kind, newer.get(meant, ''))
    if kind.ignore_case:
        for candidate in kind.words:
            if candidate.lower() == lower:
                return FaultyWord(word, 'case', candidate, kind, newer.get(candidate, ''))
    return FaultyWord(word, 'unknown', kind.fallback, kind)


def _exact(text: str, _: list[int]) -> str:
    """Return the value of an attribute that may be any text."""
    return text


class ValueRule:
    """
    The way to read a value: one parser, which takes the element as context or does not.

    An attribute without a parser has its text as value.
    """

    __slots__ = ('parse', 'parse_in_context', 'remarks')

    def __init__(self, kind: ValueType, bounds: Optional[Bounds], rules: Rules) -> None:
        parse, in_context, remarks = kind.parse, kind.parse_in_context, kind.remarks
        if kind.words and not kind.deferred:
            parse = _enumeration(kind, {
                word: since for word, since in kind.words.items() if rules.is_newer(since)})
        if kind.before is not None and rules.version < rules.versions.index(kind.before[0]):
            parse, in_context, remarks = None, kind.before[1], ()
        if bounds is not None:
            parse = parse and _bounded(parse, bounds)
            in_context = in_context and _bounded(in_context, bounds)
        self.parse = parse
        self.parse_in_context = in_context
        self.remarks: tuple[Remark, ...] = remarks


class AttributeRule(ValueRule):
    """
    An attribute and the way to read it.

    An attribute ``is_plain`` if its version, its handling and its relation to others need no
    check.
    """

    __slots__ = ('attribute', 'is_newer', 'is_plain')

    def __init__(self, attribute: Attribute, rules: Rules) -> None:
        super().__init__(attribute.type, attribute.bounds, rules)
        self.attribute = attribute
        self.is_newer = rules.is_newer(attribute.since)
        self.is_plain = not (
            self.is_newer or attribute.deprecated or attribute.excludes or attribute.requires
            or attribute.handling not in EXAMINED)


class Defaults(dict[str, Any]):
    """
    The defaults of an element's attributes and children by name; '' is the key of its own text.

    A default is computed when it is first needed; a name that the schema does not have raises
    KeyError.
    """

    def __init__(self, rule: Rule) -> None:
        self._rule = rule

    def __missing__(self, name: str) -> Any:
        rule = self._rule
        if not name:
            default = rule.content.default if rule.element.default is None else (
                rule.element.default)
        elif name in rule.attributes:
            default = rule.attributes[name].attribute.default
        else:
            default = rule.rules.rule(rule.content.children[name]).defaults['']
        self[name] = default
        return default


class Children(dict[str, 'Rule']):
    """The rules of an element's children by tag, each compiled when it is first met, else None."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule

    def __missing__(self, tag: str) -> Optional[Rule]:
        declared = self._rule.content.children.get(tag)
        if declared is None:
            return None
        found = self[tag] = self._rule.rules.rule(declared)
        return found


class Rule:
    """
    The content of an element, and how it may occur.

    ``element`` declares the occurrence, ``content`` the content (see ``Element.like``).

    The other fields are computed once, for the validator. ``parsers`` are those of attributes that
    need nothing else. ``required`` and ``needed`` are the attributes and tags that are reported
    where they are missing; ``has_group`` says that one of a group is required, and ``demands``
    that at least one of these three applies. ``is_special`` says that an occurrence is reported or
    not examined. ``is_leaf`` says that the content is only a text, for which calling
    ``quick_parse`` suffices. ``checks_text`` and ``checks_blank`` say that a text, or its absence,
    has to be checked; ``selects`` says that not all children are examined.
    """

    __slots__ = (
        'rules', 'element', 'content', 'attributes', 'parsers', 'required', 'needed', 'has_group',
        'demands', 'text', 'defaults', 'children', 'is_newer', 'is_special', 'is_leaf', 'selects',
        'checks_text', 'checks_blank', 'quick_parse', 'variants', '_variants')

    def __init__(self, element: Element, content: Element, rules: Rules) -> None:
        self.rules = rules
        self.element = element
        self.content = content
        self.attributes = {
            name: AttributeRule(attribute, rules)
            for name, attribute in content.attributes.items()}
        self.required = frozenset(
            name for name, attribute in content.attributes.items()
            if attribute.required or attribute.expected)
        self.needed = frozenset(filter(self._is_needed, content.children))
        self.parsers: Mapping[str, Parse] = {
            name: one.parse or _exact for name, one in self.attributes.items()
            if one.is_plain and not one.remarks and one.parse_in_context is None}
        self.has_group = content.any_of != ()
        self.demands = bool(self.required or self.needed or self.has_group)
        self.text = None if content.text is None else ValueRule(
            content.text, element.bounds, rules)
        self.defaults = Defaults(self)
        self.children = Children(self)
        self.is_newer = rules.is_newer(element.since)
        self.is_special = (
            self.is_newer or element.deprecated != '' or element.handling not in EXAMINED)
        self.is_leaf = not (
            content.children or self.demands or content.variants or element.tolerant)
        self.selects = content.open or content.choice != ''
        text, policy = self.text, rules.policy
        self.checks_text = text is not None or policy.stray_text is not None
        self.checks_blank = element.text_required
        if text is not None and (text.parse or text.parse_in_context) is None:
            text.parse = policy.any_text
        elif content.text is not None:
            self.checks_blank |= not policy.blank_is_default or content.text.parses_blank
        self.quick_parse = None if text is None or text.remarks else text.parse
        self.variants = content.variants
        self._variants: dict[str, Rule] = {}

    def _is_needed(self, tag: str) -> bool:
        declared = self.content.children[tag]
        return not isinstance(declared, str) and (declared.required or declared.expected)

    def variant(self, variants: Variants, attributes: Mapping[str, str]) -> Rule:
        """Return the rule for an element with these attributes."""
        value = attributes.get(variants.attribute, '').strip()
        found = self._variants.get(value)
        if found is None:
            other = variants.elements.get(value)
            if other is None:
                return self
            content = self.content._replace(
                attributes={**self.content.attributes, **other.attributes},
                children={**self.content.children, **other.children}, variants=None)
            found = self._variants[value] = Rule(self.element, content, self.rules)
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
        self._rules: dict[Union[int, str], Rule] = {}
        self._tags: Optional[Set[str]] = None

    def rule(self, declared: Union[Element, str]) -> Rule:
        """Return the rule of an element, which is given by itself or by its name in the schema."""
        key = declared if isinstance(declared, str) else id(declared)
        found = self._rules.get(key)
        if found is None:
            element = self.declared(declared)
            content = self.elements[element.like] if element.like else element
            found = self._rules[key] = Rule(element, content, self)
        return found

    def declared(self, element: Union[Element, str]) -> Element:
        """Return an element, which is given by itself or by its name in the schema."""
        return self.elements[element] if isinstance(element, str) else element

    @property
    def tags(self) -> Set[str]:
        """The tags of all elements of the schema."""
        if self._tags is None:
            self._tags = frozenset(_tags(self.elements))
        return self._tags

    def is_newer(self, since: str) -> bool:
        """Return whether a version is newer than the file's and the format reports that."""
        return (
            since != '' and self.policy.newer is not None
            and self.versions.index(since) > self.version)


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


UNDECLARED = Rules({'': Element()}, Policy('', ''), ('',), 0).rule('')
"""The rule of an element that was not validated, or that the schema does not have."""
