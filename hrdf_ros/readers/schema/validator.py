# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The one walk over a document that checks its structure and parses its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from operator import attrgetter
import sys
from typing import Optional

from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.document import SourceRef
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.readers.schema.declarations import Remark, Value
from hrdf_ros.readers.schema.element import TypedElement
from hrdf_ros.readers.schema.messages import FileVersion, Messages, Part, Subject
from hrdf_ros.readers.schema.rules import AttributeRule, Rule, Rules

_NO_VALUES: Mapping[str, Value] = {}
_TAG = attrgetter('tag')


def _offset(found: Diagnostic) -> int:
    """Return where in the file a diagnostic is: lines and columns would cost more."""
    return found.location.offset() if isinstance(found.location, SourceRef) else 0


class Validator:
    """Walks elements without recursion, gives each its rule and values, and reports."""

    def __init__(
        self, rules: Rules, report: Report, version: FileVersion, skip: Set[TypedElement],
    ) -> None:
        self._report = report
        self._policy = rules.policy
        self._messages = Messages(rules, report, version)
        self._skip = skip
        self._blank_is_default = rules.policy.blank_is_default
        self._keeps_line_breaks = rules.policy.keeps_line_breaks
        self._finds_duplicates = rules.policy.duplicate_element is not None
        self._selects_from = 1 if skip else 2 if self._finds_duplicates else sys.maxsize
        """How many children an element has where not all of them may be checked."""
        self._trailing: list[int] = []
        self._pending: list[tuple[TypedElement, Rule, Optional[Part]]] = []

    def run(self, root: TypedElement, root_rule: Rule) -> bool:
        """Check an element and everything in it; return whether there is no error."""
        first = len(self._report)
        self._check_stray_text(root)
        self._pending.append((root, root_rule, None))
        self._walk()
        self._remove_dropped()
        self._messages.report_foreign()
        found = self._report.diagnostics
        if len(found) > first + 1:
            found[first:] = sorted(found[first:], key=_offset)
        return self._messages.ok

    def _walk(self) -> None:
        """Check what is pending; it is all in one loop because calls would cost more."""
        pop, push, trailing = self._pending.pop, self._pending.append, self._trailing
        while self._pending:
            element, rule, part = pop()
            attributes = element.attributes
            if rule.has_variants:
                rule = rule.variant(attributes)
            element.rule, element.values = rule, _NO_VALUES
            if attributes:
                if rule.usual is None or not self._has_usual(attributes, rule.usual):
                    self._check_attributes(element, rule, part)
            elif rule.needs_attributes:
                self._check_required(element, rule, part)
            if rule.checks_text if element.text else rule.checks_blank:
                self._check_text(element, rule, part)
            children: Sequence[TypedElement] = element.children
            if rule.selects or len(children) >= self._selects_from:
                children = self._selected(element, rule, part)
            known = rule.children
            for child in children:
                try:
                    below = known[child.tag]
                except KeyError:
                    if (found := rule.child(child.tag)) is None:
                        self._check_unknown(child, element, rule)
                        continue
                    below = found
                if below.is_special and not self._admits(child, below, part, element):
                    continue
                if not below.is_leaf or child.children or child.attributes:
                    push((child, below, (element, child) if below.is_tolerant else part))
                    continue
                child.rule = below
                child.values = _NO_VALUES
                text = child.text
                parse = below.quick_parse
                if text and parse is not None:
                    try:
                        child.value = parse(text, trailing)
                    except ValueSyntaxError:
                        self._check_text(child, below, part)
                    if trailing:
                        self._check_text(child, below, part)
                elif below.checks_text if text else below.checks_blank:
                    self._check_text(child, below, part)

    def _has_usual(self, attributes: Mapping[str, str], usual: Set[str]) -> bool:
        """Tell whether an element has exactly these attributes, and none needs a closer look."""
        return attributes.keys() == usual and not (
            self._blank_is_default and not all(map(str.strip, attributes.values()))
            or self._keeps_line_breaks and ' ' in ''.join(attributes.values()))

    def _check_stray_text(self, root: TypedElement) -> None:
        """Report text beside child elements."""
        document = root.document
        for location in document.stray:
            if not document.data.startswith(b'<?', location.start):
                self._messages.stray_text(location)

    def _remove_dropped(self) -> None:
        """Remove what is not to be read from its parents: duplicates, and parts with faults."""
        dropped = {child for _, child in self._messages.dropped}
        for parent in {parent for parent, _ in self._messages.dropped}:
            parent.children[:] = [child for child in parent.children if child not in dropped]

    # ---- children

    def _report_missing(
        self, element: TypedElement, rule: Rule, part: Optional[Part],
    ) -> None:
        """Report the elements that should be there."""
        messages = self._messages
        for tag in rule.needed:
            if element.child(tag) is None:
                substitute = messages.misspelled.child_for(element, rule, (tag,))
                messages.missing_element(element, part, tag, rule.declared(tag), substitute)

    def _selected(
        self, element: TypedElement, rule: Rule, part: Optional[Part],
    ) -> Sequence[TypedElement]:
        """Return the children to check where that may not be all, or where some are needed."""
        children: Sequence[TypedElement] = element.children
        tags = set(map(_TAG, children))
        if rule.needed and not tags.issuperset(rule.needed):
            self._report_missing(element, rule, part)
        if rule.is_open:
            return []
        if rule.has_choice and not (
                len(children) == 1 and children[0].tag in rule.content.children):
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
            below = rule.child(child.tag)
            if below is not None and below.is_single and child.tag in seen:
                self._messages.duplicate_element(child, element)
            else:
                unique.append(child)
            seen.add(child.tag)
        return unique

    def _chosen(
        self, element: TypedElement, rule: Rule, part: Optional[Part],
    ) -> Sequence[TypedElement]:
        """Return the alternative that is read; report the others."""
        chosen, known = element.choice(), rule.content.children
        if chosen is None:
            self._report_no_choice(element, rule, part)
            return []
        for child in element.children:
            if child.tag not in known and rule.content.choice != 'first':
                self._check_unknown(child, element, rule)
            elif child is not chosen and not self._is_foreign(child.tag, rule):
                self._messages.not_chosen(child, chosen, element)
        return [chosen]

    def _report_no_choice(
        self, element: TypedElement, rule: Rule, part: Optional[Part],
    ) -> None:
        if element.children and rule.content.choice == 'first':
            self._messages.unknown_element(
                element.children[0], element, rule.content.children, part,
                self._policy.unknown_choice)
            return
        for child in element.children:
            self._check_unknown(child, element, rule)
        self._messages.missing_choice(element, part, rule.content.children)

    def _admits(
        self, child: TypedElement, rule: Rule, part: Optional[Part], parent: TypedElement,
    ) -> bool:
        """Tell whether to look into an element; report its version and handling."""
        declared, messages = rule.element, self._messages
        subject = Subject(child, part)
        if rule.is_newer:
            messages.newer(str(subject), declared.since, child.location, part)
        if rule.is_removed:
            messages.removed(str(subject), declared.until, child.location, part)
        if declared.deprecated:
            messages.deprecated(subject, declared.deprecated)
        if declared.handling == 'no effect':
            messages.no_effect(subject, declared.hint)
        elif declared.handling == 'not preserved':
            messages.not_preserved(subject, declared.hint)
        elif declared.handling == 'foreign':
            messages.foreign(f'<{child.tag}> in <{parent.tag}>', child.location)
        return declared.handling not in ('no effect', 'not preserved', 'foreign', 'skipped')

    def _check_unknown(self, child: TypedElement, element: TypedElement, rule: Rule) -> None:
        """Report an element that is neither known nor another program's."""
        messages = self._messages
        if not (self._is_foreign(child.tag, rule) or messages.misspelled.is_substitute(child)):
            messages.unknown_element(child, element, rule.content.children)

    def _is_foreign(self, tag: str, rule: Rule) -> bool:
        """Tell whether an element of this tag belongs to another program here."""
        foreign = rule.content.foreign
        return tag in foreign or self._policy.is_foreign_element(tag) or (
            ':' in tag and '*:*' in foreign)

    # ---- attributes

    def _check_attributes(
        self, element: TypedElement, rule: Rule, part: Optional[Part],
    ) -> None:
        """Check which attributes an element has, and parse their values."""
        values: dict[str, Value] = {}
        element.values = values
        attributes, parsers, texts, trailing = (
            element.attributes, rule.parsers, rule.texts, self._trailing)
        blank_is_default, keeps_breaks = self._blank_is_default, self._keeps_line_breaks
        is_complete = len(attributes) == len(rule.attributes)
        for name, text in attributes.items():
            parse = parsers.get(name)
            if parse is None and name in texts and text and not (' ' in text and (
                    keeps_breaks or blank_is_default)):
                continue
            if parse is None or (blank_is_default and not text.strip()):
                self._check_attribute(element, name, rule, values, part)
                is_complete = False
                continue
            if keeps_breaks and ' ' in text:
                text = element.written(name)
            try:
                values[name] = parse(text, trailing)
            except ValueSyntaxError as fault:
                values[name] = self._messages.fault(fault, Subject(element, part, name))
            if trailing:
                self._note((), text, Subject(element, part, name))
        if not is_complete and rule.needs_attributes:
            self._check_required(element, rule, part)

    def _check_attribute(
        self, element: TypedElement, name: str, element_rule: Rule, values: dict[str, Value],
        part: Optional[Part],
    ) -> None:
        """Check an attribute that is not simply there with a value to parse."""
        rule, text = element_rule.attributes.get(name), element.attributes[name]
        subject = Subject(element, part, name)
        if rule is None:
            if not (element_rule.content.any_attributes
                    or self._policy.is_foreign_attribute(name)):
                self._messages.misspelled.find_attributes(element, element_rule)
                if not self._messages.misspelled.is_substitute(element, name):
                    self._messages.unknown_attribute(subject, element_rule.attributes)
            return
        if rule.is_special and not self._admits_attribute(subject, rule):
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
            values[name], remarks = self._messages.fault(fault, subject), ()
        self._note(remarks, text, subject)

    def _admits_attribute(self, subject: Subject, rule: AttributeRule) -> bool:
        """Tell whether to parse an attribute; report its version and handling."""
        declared, messages = rule.attribute, self._messages
        what = f"attribute '{subject.attribute}'"
        if not self._check_relations(subject, rule):
            return False
        if rule.is_newer:
            messages.newer(what, declared.since, subject.location(), subject.part)
        if rule.is_removed:
            messages.removed(what, declared.until, subject.location(), subject.part)
        if declared.deprecated:
            messages.deprecated(subject, declared.deprecated)
        if declared.handling == 'no effect':
            messages.no_effect(subject, declared.hint)
        elif declared.handling == 'not preserved':
            messages.not_preserved(subject, declared.hint)
        elif declared.handling == 'foreign':
            messages.foreign(
                f"attribute '{subject.attribute}' of <{subject.element.tag}>", subject.location())
        newer = self._policy.newer
        is_unread = rule.is_newer and newer is not None and newer.severity == 'error'
        return not is_unread and declared.handling not in ('no effect', 'foreign', 'skipped')

    def _check_required(
        self, element: TypedElement, rule: Rule, part: Optional[Part],
    ) -> None:
        """Check that the required attributes are there."""
        attributes, messages = element.attributes, self._messages
        if not attributes.keys() >= rule.required:
            for name, attribute in rule.attributes.items():
                if name in rule.required and name not in attributes:
                    substitute = messages.misspelled.attribute_for(element, (name,))
                    messages.missing_attribute(
                        element, part, name, attribute.attribute, substitute)
        any_of = rule.content.any_of
        if any_of and not any(map(element.has, any_of)):
            misspelled = messages.misspelled
            messages.missing_any(
                element, part, any_of, misspelled.attribute_for(element, any_of)
                or misspelled.child_for(element, rule, any_of))

    def _check_relations(self, subject: Subject, rule: AttributeRule) -> bool:
        """
        Report attributes that exclude this one, or that it has no meaning without.

        Return False where a reader of the file's version ignores it.
        """
        present = subject.element.attributes
        for other in rule.attribute.requires:
            if other not in present:
                self._messages.requires_other(subject, other)
        for other in rule.attribute.excludes:
            if other in present and rule.is_newer:
                self._messages.newer_beside(subject, other)
                return False
            if other in present:
                self._messages.exclusive(subject, other)
        return True

    # ---- texts

    def _check_text(self, element: TypedElement, rule: Rule, part: Optional[Part]) -> None:
        """Parse the text of an element."""
        text, trailing, remarks = element.text, self._trailing, rule.remarks
        trailing.clear()
        if rule.is_textless:
            self._messages.stray_text(element.text_location(), element)
            return
        element.value = None
        if not text and rule.element.text_required:
            self._messages.empty(Subject(element, part))
            return
        try:
            if rule.parse is not None:
                element.value = rule.parse(text, trailing)
            elif rule.parse_in_context is not None:
                element.value = rule.parse_in_context(element, text, trailing)
        except ValueSyntaxError as fault:
            element.value, remarks = self._messages.fault(fault, Subject(element, part)), ()
        if trailing or remarks:
            self._note(remarks, text, Subject(element, part))

    def _note(self, remarks: Sequence[Remark], text: str, subject: Subject) -> None:
        """Report what is behind a value, and remark on the way it is written."""
        if self._trailing:
            self._messages.trailing(subject, text, self._trailing[0])
            self._trailing.clear()
        for remark in remarks:
            index = remark.find(text)
            if index is not None:
                self._messages.add(remark.code, remark.message, subject.location(index))
