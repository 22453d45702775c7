# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A format's schema, and the single walk that checks a document and parses its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
import re
from types import MappingProxyType
from typing import Optional

from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.document import SourceRef
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.readers.schema.declarations import Element, Policy, Value
from hrdf_ros.readers.schema.element import Subject, TypedElement
from hrdf_ros.readers.schema.messages import Messages, Part
from hrdf_ros.readers.schema.rules import AttributeRule, EXAMINED, Rule, Rules, ValueRule
from hrdf_ros.readers.schema.value_faults import report_empty, report_fault, report_trailing

_TAG = attrgetter('tag')
_NO_TAGS: set[str] = set()
_NOWHERE: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_BREAK_IN_VALUE = rb'=[ \t\r\n]*(?:"[^"<\t\r\n]*|\'[^\'<\t\r\n]*)[\t\r\n]'


class Schema:
    """
    The elements that a format allows, and how it reports others.

    ``elements`` has the element ``root`` and those that others refer to by name; it may be a
    Mapping that makes its entries late, since an entry is looked up when an element of its kind is
    first met. ``versions`` are the versions of the format, the oldest first; ``since`` of the
    declarations names one of them.

    ``directories`` tells editors where the files are to which the elements of a tag refer. It maps
    the tag to the attributes, of elements in the root, that name this directory. The last of
    several such elements counts, and in it the first of the attributes.
    """

    def __init__(
        self, *, root: str, elements: Mapping[str, Element], policy: Policy,
        versions: tuple[str, ...] = ('',),
        directories: Mapping[str, tuple[str, ...]] = _NOWHERE,
    ) -> None:
        self.root = root
        self.elements = elements
        self.policy = policy
        self.versions = versions
        self.directories = directories
        self._rules: dict[str, Rules] = {}

    def __repr__(self) -> str:
        """Return the name of the format."""
        return f'Schema({self.policy.format!r})'

    def content_of(self, element: Element) -> Element:
        """Return the declaration of an element's content, which may belong to another element."""
        return self.elements[element.like] if element.like else element

    def is_root(self, element: TypedElement, report: Report) -> bool:
        """Return whether an element is the root of this format, and report it if not."""
        if element.tag == self.root:
            return True
        report.add(
            self.policy.wrong_root,
            f'the root element of {self.policy.format} is <{self.root}>, not <{element.tag}>',
            element.location, hint=did_you_mean(element.tag, [self.root]))
        return False

    def validate(
        self, element: TypedElement, report: Report, *, entry: str = '', version: str = '',
        is_version_given: bool = True,
    ) -> bool:
        """
        Parse the values of an element and of everything in it; return whether there is no error.

        Every fault in structure and values is reported, in file order. ``entry`` is the name of
        the element in ``elements`` (the root if empty), ``version`` that of the file (the newest
        if empty); ``is_version_given`` says whether the file states it.
        """
        version = version or self.versions[-1]
        rules = self._rules.get(version)
        if rules is None:
            rules = self._rules[version] = Rules(
                self.elements, self.policy, self.versions, self.versions.index(version))
        validator = _Validator(Messages(rules, report, is_version_given))
        return validator.run(element, rules.rule(entry or self.root))


class _Validator:
    """A walk over elements, without recursion, that gives each element its rule and values."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._blank_is_default = messages.policy.blank_is_default
        self._keeps_breaks = False
        self._trailing: list[int] = []
        self._tops: list[tuple[TypedElement, Optional[Part]]] = []
        """The root, and tolerant elements as they are found; each is walked by itself."""

    def run(self, root: TypedElement, root_rule: Rule) -> bool:
        """Check an element and everything in it; return whether there is no error."""
        messages, found = self._messages, self._messages.report.diagnostics
        first = len(found)
        document = root.document
        self._keeps_breaks = messages.policy.keeps_line_breaks and (
            re.search(_BREAK_IN_VALUE, document.data) is not None)
        for location in document.stray:
            if not document.data.startswith(b'<?', location.start):
                messages.stray_text(location)
        root.rule = root_rule
        self._tops.append((root, None))
        for top, messages.part in self._tops:
            self._walk(top)
        messages.part = None
        dropped = {child for _, child in messages.dropped}
        for parent in {parent for parent, _ in messages.dropped}:
            parent.children[:] = [child for child in parent.children if child not in dropped]
        messages.report_foreign()
        if len(found) > first + 1:
            found[first:] = sorted(found[first:], key=_offset)
        return messages.ok

    def _walk(self, top: TypedElement) -> None:
        """
        Check an element and those in it, in one loop.

        The values of an element are parsed at once; one by one, with a call for each attribute,
        loading the URDF of a humanoid takes 7 % longer.
        """
        messages, trailing = self._messages, self._trailing
        drops_duplicates = messages.policy.duplicate_element is not None
        blank_is_default, has_usual_breaks = self._blank_is_default, not self._keeps_breaks
        pending = [top]
        pop, push = pending.pop, pending.append
        while pending:
            element = pop()
            rule, attributes = element.rule, element.attributes
            children: Sequence[TypedElement] = element.children
            if rule.variants is not None:
                element.rule = rule = rule.variant(rule.variants, attributes)
            if attributes:
                element.values = values = {}
                parsers, is_usual = rule.parsers, has_usual_breaks
                try:
                    for name, text in attributes.items():
                        values[name] = parsers[name](text, trailing)
                except (KeyError, ValueSyntaxError):
                    is_usual = False
                if not is_usual or trailing or (
                        blank_is_default and not all(map(str.strip, attributes.values()))):
                    self._check_attributes(element, rule)
            tags = _NO_TAGS
            if rule.needed or drops_duplicates and len(children) > 1:
                tags = set(map(_TAG, children))
            if rule.demands and (
                    rule.has_group or not attributes.keys() >= rule.required
                    or not rule.needed <= tags):
                messages.missing(element)
            if rule.checks_text if element.text else rule.checks_blank:
                self._check_text(element, rule)
            if rule.selects:
                children = self._selected(element, rule)
            elif tags and drops_duplicates and len(children) > len(tags):
                children = self._unique(element, rule)
            known = rule.children
            for child in children:
                below = known[child.tag]
                if below is None:
                    self._check_unknown(child, element)
                elif below.is_special and not self._admits(child, below, element):
                    pass
                else:
                    child.rule = below
                    text, parse = child.text, below.quick_parse
                    if not below.is_leaf or child.children or child.attributes:
                        if below.element.tolerant:
                            self._tops.append((child, (element, child)))
                        else:
                            push(child)
                    elif text and parse is not None:
                        try:
                            child.value = parse(text, trailing)
                        except ValueSyntaxError:
                            self._check_text(child, below)
                        if trailing:
                            self._check_text(child, below)
                    elif below.checks_text if text else below.checks_blank:
                        self._check_text(child, below)

    # ---- children

    def _unique(self, element: TypedElement, rule: Rule) -> Sequence[TypedElement]:
        """Return the children, without duplicates of those that may occur only once."""
        unique, seen = [], set()
        for child in element.children:
            below = rule.children[child.tag]
            if below is not None and child.tag in seen and not below.element.repeated:
                self._messages.duplicate_element(child, element)
            else:
                unique.append(child)
            seen.add(child.tag)
        return unique

    def _selected(self, element: TypedElement, rule: Rule) -> Sequence[TypedElement]:
        """Return the alternative that is read, or nothing for open content; report the rest."""
        content, messages = rule.content, self._messages
        if content.open:
            return []
        chosen, first = element.choice(), content.choice == 'first'
        if chosen is None and first and element.children:
            code = messages.policy.unknown_element._replace(severity='error')
            messages.unknown_element(element.children[0], element, code)
            return []
        for child in element.children:
            if child.tag not in content.children and not first:
                self._check_unknown(child, element)
            elif chosen not in (None, child) and not messages.is_foreign(child.tag, content):
                messages.not_chosen(child, chosen, element)
        if chosen is None:
            messages.missing_choice(element)
        return [] if chosen is None else [chosen]

    def _admits(self, child: TypedElement, rule: Rule, parent: TypedElement) -> bool:
        """Return whether to examine an element; report its version and handling."""
        declared, subject = rule.element, Subject(child)
        if rule.is_newer:
            self._messages.newer(str(subject), declared.since, child.location, declared.hint)
        self._messages.handling(subject, declared, f'<{child.tag}> in <{parent.tag}>')
        if declared.handling == 'not preserved':
            return bool(rule.content.children or rule.content.text)
        return declared.handling in EXAMINED

    def _check_unknown(self, child: TypedElement, element: TypedElement) -> None:
        """Report an element that is neither known nor another program's."""
        if not self._messages.is_foreign(child.tag, element.rule.content):
            self._messages.unknown_element(child, element)

    # ---- attributes

    def _check_attributes(self, element: TypedElement, rule: Rule) -> None:
        """Check the attributes of an element if one of them cannot simply be parsed."""
        values: dict[str, Value] = {}
        element.values = values
        for name in element.attributes:
            self._check_attribute(element, name, rule.attributes.get(name), values)

    def _check_attribute(
        self, element: TypedElement, name: str, rule: Optional[AttributeRule],
        values: dict[str, Value],
    ) -> None:
        """Check an attribute and parse its value."""
        text, subject = element.attributes[name], Subject(element, name)
        if rule is None:
            if self._messages.is_unknown_attribute(name, element.rule.content):
                self._messages.unknown_attribute(subject)
            return
        if not rule.is_plain and not self._admits_attribute(subject, rule):
            return
        if self._keeps_breaks and ' ' in text:
            text = element.written(name)
        if not self._blank_is_default or text.strip():
            values[name] = self._parsed(rule, text, element, name)
        elif rule.attribute.required:
            report_empty(self._messages, subject)

    def _admits_attribute(self, subject: Subject, rule: AttributeRule) -> bool:
        """Return whether to parse an attribute; report its version and handling."""
        declared, messages = rule.attribute, self._messages
        what = f"attribute '{subject.attribute}'"
        if not messages.relations(subject, declared, rule.is_newer):
            return False
        if rule.is_newer:
            messages.newer(what, declared.since, subject.location())
        messages.handling(subject, declared, f'{what} of <{subject.element.tag}>')
        newer = messages.policy.newer
        is_unread = rule.is_newer and newer is not None and newer.severity == 'error'
        return not is_unread and declared.handling in (*EXAMINED, 'not preserved')

    # ---- values

    def _check_text(self, element: TypedElement, rule: Rule) -> None:
        """Parse the text of an element."""
        element.value = None
        if rule.text is None:
            self._messages.stray_text(element.text_location(), element)
        elif not element.text and rule.element.text_required:
            report_empty(self._messages, Subject(element))
        else:
            element.value = self._parsed(rule.text, element.text, element)

    def _parsed(
        self, rule: ValueRule, text: str, element: TypedElement, attribute: Optional[str] = None,
    ) -> Value:
        """Return a value, None where it is faulty; report faults and remarks."""
        value: Value = text
        trailing, remarks = self._trailing, rule.remarks
        trailing.clear()
        try:
            if rule.parse is not None:
                value = rule.parse(text, trailing)
            elif rule.parse_in_context is not None:
                value = rule.parse_in_context(element, text, trailing)
        except ValueSyntaxError as fault:
            value = report_fault(self._messages, fault, text, Subject(element, attribute))
            remarks = ()
        if trailing:
            report_trailing(self._messages, Subject(element, attribute), text, trailing[0])
            trailing.clear()
        for remark in remarks:
            index = remark.find(text)
            if index is not None:
                location = Subject(element, attribute).location(index)
                self._messages.add(remark.code, remark.message, location)
        return value


def _offset(found: Diagnostic) -> int:
    """Return the byte offset of a diagnostic, which takes less time than its line and column."""
    return found.location.offset() if isinstance(found.location, SourceRef) else 0
