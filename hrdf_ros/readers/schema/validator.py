# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A format's schema, and the one walk that checks a document by it and parses its values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from operator import attrgetter
import sys
from typing import Optional

from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.document import SourceRef
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.readers.schema.declarations import Element, Policy, Remark, Value
from hrdf_ros.readers.schema.element import TypedElement
from hrdf_ros.readers.schema.messages import FileVersion, Messages, Part, Subject
from hrdf_ros.readers.schema.rules import AttributeRule, EXAMINED, Rule, Rules

_TAG = attrgetter('tag')


class Schema:
    """
    The elements that a format allows, and how it reports others.

    ``elements`` has the element ``root`` and those that others refer to by name. ``versions``
    are the format's, the oldest first; ``since`` of the declarations names one.
    Any Mapping will do: an entry is looked up when an element of its kind is first met.
    """

    def __init__(
        self, *, root: str, elements: Mapping[str, Element], policy: Policy,
        versions: tuple[str, ...] = ('',),
    ) -> None:
        self.root = root
        self.elements = elements
        self.policy = policy
        self.versions = versions
        self._rules: dict[str, Rules] = {}

    def __repr__(self) -> str:
        """Return the name of the format."""
        return f'Schema({self.policy.format!r})'

    def is_root(self, element: TypedElement, report: Report) -> bool:
        """Return whether an element is the root of this format; report it where it is not."""
        if element.tag == self.root:
            return True
        report.add(
            self.policy.wrong_root,
            f'the root element of {self.policy.format} is <{self.root}>, not <{element.tag}>',
            element.location, hint=did_you_mean(element.tag, [self.root]))
        return False

    def validate(
        self, element: TypedElement, report: Report, *, entry: str = '', version: str = '',
        is_version_given: bool = True, skip: Collection[TypedElement] = (),
    ) -> bool:
        """
        Parse the values of an element and of everything in it; return whether there is no error.

        Reports every fault in structure and values, in file order. ``entry`` is the name of the
        element in ``elements`` (the root if empty), ``version`` the file's (the newest if empty),
        ``is_version_given`` whether the file says so itself. Elements in ``skip`` are not
        examined: nothing may be read from them.
        """
        version = version or self.versions[-1]
        rules = self._rules.get(version)
        if rules is None:
            rules = self._rules[version] = Rules(
                self.elements, self.policy, self.versions, self.versions.index(version))
        messages = Messages(rules, report, FileVersion(version, is_version_given))
        return _Validator(messages, frozenset(skip)).run(element, rules.rule(entry or self.root))


class _Validator:
    """Walks elements without recursion, gives each its rule and values, and reports."""

    def __init__(self, messages: Messages, skip: Set[TypedElement]) -> None:
        policy = messages.policy
        self._messages = messages
        self._skip = skip
        self._blank_is_default = policy.blank_is_default
        self._keeps_line_breaks = policy.keeps_line_breaks
        self._finds_duplicates = policy.duplicate_element is not None
        self._selects_from = 1 if skip else 2 if self._finds_duplicates else sys.maxsize
        """How many children an element has where not all of them may be examined."""
        self._trailing: list[int] = []
        self._pending: list[tuple[TypedElement, Rule, Optional[Part]]] = []

    def run(self, root: TypedElement, root_rule: Rule) -> bool:
        """Check an element and everything in it; return whether there is no error."""
        messages, found = self._messages, self._messages.report.diagnostics
        first = len(found)
        document = root.document
        for location in document.stray:
            if not document.data.startswith(b'<?', location.start):
                messages.stray_text(location)
        self._pending.append((root, root_rule, None))
        self._walk()
        dropped = {child for _, child in messages.dropped}
        for parent in {parent for parent, _ in messages.dropped}:
            parent.children[:] = [child for child in parent.children if child not in dropped]
        messages.report_foreign()
        if len(found) > first + 1:
            found[first:] = sorted(found[first:], key=_offset)
        return messages.ok

    def _walk(self) -> None:
        """Check the pending elements; it is one loop because calls would cost more."""
        pop, push, trailing = self._pending.pop, self._pending.append, self._trailing
        while self._pending:
            element, rule, part = pop()
            if rule.has_variants:
                rule = rule.variant(element.attributes)
            element.rule = rule
            if element.attributes or rule.needs_attributes:
                self._check_attributes(element, rule, part)
            if rule.checks_text if element.text else rule.checks_blank:
                self._check_text(element, rule, part)
            children: Sequence[TypedElement] = element.children
            if rule.selects or len(children) >= self._selects_from:
                children = self._selected(element, rule, part)
            known = rule.children
            for child in children:
                below = known[child.tag]
                if below is None:
                    self._check_unknown(child, element)
                    continue
                if below.is_special and not self._admits(child, below, part, element):
                    continue
                if not below.is_leaf or child.children or child.attributes:
                    push((child, below, (element, child) if below.is_tolerant else part))
                    continue
                child.rule = below
                text, parse = child.text, below.quick_parse
                if text and parse is not None:
                    try:
                        child.value = parse(text, trailing)
                    except ValueSyntaxError:
                        self._check_text(child, below, part)
                    if trailing:
                        self._check_text(child, below, part)
                elif below.checks_text if text else below.checks_blank:
                    self._check_text(child, below, part)

    # ---- children

    def _selected(
        self, element: TypedElement, rule: Rule, part: Optional[Part],
    ) -> Sequence[TypedElement]:
        """Return the children to examine where that may not be all, or where some are needed."""
        children: Sequence[TypedElement] = element.children
        tags = set(map(_TAG, children))
        if rule.needed and not tags.issuperset(rule.needed):
            self._messages.missing_children(element, part)
        if rule.content.open:
            return []
        if rule.content.choice:
            return self._chosen(element, rule, part)
        if self._finds_duplicates and len(tags) != len(children):
            children = self._unique(children, element, rule)
        if self._skip:
            children = [child for child in children if child not in self._skip]
        return children

    def _unique(
        self, children: Sequence[TypedElement], element: TypedElement, rule: Rule,
    ) -> Sequence[TypedElement]:
        """Return the children without duplicates of those that may be there only once."""
        unique, seen = [], set()
        for child in children:
            below = rule.children[child.tag]
            if below is not None and child.tag in seen and not below.element.repeated:
                self._messages.duplicate_element(child, element)
            else:
                unique.append(child)
            seen.add(child.tag)
        return unique

    def _chosen(
        self, element: TypedElement, rule: Rule, part: Optional[Part],
    ) -> Sequence[TypedElement]:
        """Return the alternative that is read; report the others."""
        content, messages = rule.content, self._messages
        chosen, first = element.choice(), content.choice == 'first'
        if chosen is None and first and element.children:
            code = messages.policy.unknown_element._replace(severity='error')
            messages.unknown_element(element.children[0], element, part, code)
            return []
        for child in element.children:
            if child.tag not in content.children and not first:
                self._check_unknown(child, element)
            elif chosen not in (None, child) and not messages.is_foreign(child.tag, content):
                messages.not_chosen(child, chosen, element)
        if chosen is None:
            messages.missing_choice(element, part, content.children)
        return [] if chosen is None else [chosen]

    def _admits(
        self, child: TypedElement, rule: Rule, part: Optional[Part], parent: TypedElement,
    ) -> bool:
        """Return whether to examine an element; report its version and handling."""
        declared, subject = rule.element, Subject(child, part)
        if rule.is_newer:
            self._messages.newer(
                str(subject), declared.since, child.location, part, declared.hint)
        self._messages.handling(subject, declared, f'<{child.tag}> in <{parent.tag}>')
        return declared.handling in EXAMINED

    def _check_unknown(self, child: TypedElement, element: TypedElement) -> None:
        """Report an element that is neither known nor another program's."""
        if not self._messages.is_foreign(child.tag, element.rule.content):
            self._messages.unknown_element(child, element)

    # ---- attributes

    def _check_attributes(
        self, element: TypedElement, rule: Rule, part: Optional[Part],
    ) -> None:
        """Check which attributes an element has, and parse their values."""
        values: dict[str, Value] = {}
        element.values = values
        attributes, known, trailing = element.attributes, rule.attributes, self._trailing
        blank_is_default, keeps_breaks = self._blank_is_default, self._keeps_line_breaks
        for name, text in attributes.items():
            attribute = known.get(name)
            if attribute is None or not attribute.is_plain or (
                    blank_is_default and not text.strip()):
                self._check_attribute(element, name, attribute, values, part)
                continue
            if keeps_breaks and ' ' in text:
                text = values[name] = element.written(name)
            if attribute.parse is not None:
                try:
                    values[name] = attribute.parse(text, trailing)
                except ValueSyntaxError as fault:
                    values[name] = self._messages.fault(fault, text, Subject(element, part, name))
                if trailing:
                    self._note((), text, Subject(element, part, name))
        if rule.content.any_of or not attributes.keys() >= rule.required:
            self._messages.missing_attributes(element, part)

    def _check_attribute(
        self, element: TypedElement, name: str, rule: Optional[AttributeRule],
        values: dict[str, Value], part: Optional[Part],
    ) -> None:
        """Check an attribute that is not simply there with a value to parse."""
        text, subject = element.attributes[name], Subject(element, part, name)
        if rule is None:
            if self._messages.is_unknown_attribute(name, element.rule.content):
                self._messages.unknown_attribute(subject)
            return
        if not rule.is_plain and not self._admits_attribute(subject, rule):
            return
        if self._keeps_line_breaks and ' ' in text:
            text = values[name] = element.written(name)
        if self._blank_is_default and not text.strip():
            if rule.attribute.required:
                self._messages.empty(subject)
            return
        remarks = rule.remarks
        try:
            if rule.parse is not None:
                values[name] = rule.parse(text, self._trailing)
            elif rule.parse_in_context is not None:
                values[name] = rule.parse_in_context(element, text, self._trailing)
        except ValueSyntaxError as fault:
            values[name], remarks = self._messages.fault(fault, text, subject), ()
        self._note(remarks, text, subject)

    def _admits_attribute(self, subject: Subject, rule: AttributeRule) -> bool:
        """Return whether to parse an attribute; report its version and handling."""
        declared, messages = rule.attribute, self._messages
        what = f"attribute '{subject.attribute}'"
        if not messages.relations(subject, declared, rule.is_newer):
            return False
        if rule.is_newer:
            messages.newer(what, declared.since, subject.location(), subject.part)
        messages.handling(subject, declared, f'{what} of <{subject.element.tag}>')
        newer = messages.policy.newer
        is_unread = rule.is_newer and newer is not None and newer.severity == 'error'
        return not is_unread and declared.handling in (*EXAMINED, 'not preserved')

    # ---- texts

    def _check_text(self, element: TypedElement, rule: Rule, part: Optional[Part]) -> None:
        """Parse the text of an element."""
        text, trailing, content = element.text, self._trailing, rule.text
        trailing.clear()
        element.value = None
        if content is None:
            self._messages.stray_text(element.text_location(), element)
            return
        if not text and rule.element.text_required:
            self._messages.empty(Subject(element, part))
            return
        remarks = content.remarks
        try:
            if content.parse is not None:
                element.value = content.parse(text, trailing)
            elif content.parse_in_context is not None:
                element.value = content.parse_in_context(element, text, trailing)
        except ValueSyntaxError as fault:
            element.value = self._messages.fault(fault, text, Subject(element, part))
            remarks = ()
        if trailing or remarks:
            self._note(remarks, text, Subject(element, part))

    def _note(self, remarks: Sequence[Remark], text: str, subject: Subject) -> None:
        """Report the characters behind a value, and remark on the way it is written."""
        if self._trailing:
            self._messages.trailing(subject, text, self._trailing[0])
            self._trailing.clear()
        for remark in remarks:
            index = remark.find(text)
            if index is not None:
                self._messages.add(remark.code, remark.message, subject.location(index))


def _offset(found: Diagnostic) -> int:
    """Return where in the file a diagnostic is: lines and columns would cost more."""
    return found.location.offset() if isinstance(found.location, SourceRef) else 0
