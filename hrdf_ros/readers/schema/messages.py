# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Every message of the validator: one form for each kind, the same in all formats."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Optional, Union

from hrdf_ros.codes import Code, IMPLAUSIBLE_VALUE
from hrdf_ros.diagnostics import Fix, Hint, meant_hint, replacement, Report
from hrdf_ros.document import SourceRef
from hrdf_ros.parsing.errors import ImplausibleValue, ValueSyntaxError
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.readers.schema.declarations import Attribute, Element, Value
from hrdf_ros.readers.schema.element import TypedElement
from hrdf_ros.readers.schema.faults import (
    NewerSyntax,
    OtherSpelling,
    OutOfRange,
    Replaced,
    ReplacedWord,
    UnknownWord,
    WrongCase,
)
from hrdf_ros.readers.schema.misspelled import attribute_names, MisspelledNames, Substitute
from hrdf_ros.readers.schema.rules import AttributeRule, Rules


class FileVersion(NamedTuple):
    """The version that a file is read as, and whether it says so itself."""

    name: str
    is_given: bool


Part = tuple[TypedElement, TypedElement]
"""A tolerant element behind its parent, from which it is removed where it is faulty."""


class Subject(NamedTuple):
    """What is being checked: an element, one of its attributes, the tolerant part around it."""

    element: TypedElement
    part: Optional[Part]
    attribute: Optional[str] = None

    def location(self, character: Optional[int] = None) -> SourceRef:
        """Return where it is: the element or attribute, or a character of its value."""
        if self.attribute is not None:
            return self.element.attribute_location(self.attribute, character)
        if character is None:
            return self.element.location
        return self.element.text_location(character)

    def __str__(self) -> str:
        """Return what a message calls it."""
        if self.attribute is None:
            return f'<{self.element.tag}>'
        return f"<{self.element.tag}> attribute '{self.attribute}'"


class Messages:
    """
    Reports about one file.

    ``ok`` tells whether there was no error; ``dropped`` are the elements that are
    not to be read, behind their parents: duplicates, and tolerant parts with faults.
    """

    def __init__(self, rules: Rules, report: Report, version: FileVersion) -> None:
        self.rules = rules
        self.policy = rules.policy
        self.report = report
        self.version = version
        self.ok = True
        self.dropped: list[Part] = []
        self.misspelled = MisspelledNames(rules)
        self._foreign: dict[str, list[SourceRef]] = {}

    def add(
        self, code: Code, message: str, location: SourceRef, part: Optional[Part] = None,
        hint: Hint = None, fix: Optional[Fix] = None, subjects: tuple[str, ...] = (),
    ) -> None:
        """Report; in a tolerant part an error is a warning, and the part is faulty."""
        if code.severity == 'error' and part is not None:
            self.dropped.append(part)
            self.report.add(
                code, f'{message}; {self.policy.tolerated}', location, hint=hint, fix=fix,
                severity='warning', subjects=subjects)
            return
        self.ok = self.ok and code.severity != 'error'
        self.report.add(code, message, location, hint=hint, fix=fix, subjects=subjects)

    # ---- structure

    def unknown_element(
        self, child: TypedElement, parent: TypedElement, known: Mapping[str, Union[Element, str]],
        part: Optional[Part] = None, code: Optional[Code] = None,
    ) -> None:
        """Report an element that the schema does not have here."""
        code = code or self.policy.unknown_element
        if child.tag in self.rules.tags:
            message = f'<{child.tag}> is not allowed in <{parent.tag}>'
        else:
            message = f'unknown element <{child.tag}> in <{parent.tag}>'
        if code.severity != 'error':
            message += '; ignored'
        meant = self.misspelled.near_tag(child.tag, known)
        if meant is None:
            self.add(code, message, child.location, part)
            return
        is_misspelled = child.tag not in self.rules.tags
        self.add(
            code, message, child.location, part, meant_hint(meant),
            replacement(child.tag, meant, child.location),
            _defined(child, meant) if is_misspelled else ())

    def unknown_attribute(self, subject: Subject, known: Mapping[str, AttributeRule]) -> None:
        """Report an attribute that the schema does not have here."""
        code, name = self.policy.unknown_attribute, subject.attribute or ''
        message = f"unknown attribute '{name}' in <{subject.element.tag}>"
        if code.severity != 'error':
            message += '; ignored'
        self.add(
            code, message, subject.location(), subject.part,
            did_you_mean(name, attribute_names(known)))

    def missing_element(
        self, element: TypedElement, part: Optional[Part], tag: str, declared: Element,
        substitute: Optional[Substitute] = None,
    ) -> None:
        """Report an element that must be there, or that nobody leaves out on purpose."""
        code = self.policy.missing_element if declared.required else self.policy.expected_element
        what = f'the required element <{tag}>' if declared.required else f'<{tag}>'
        self._add_missing(code, what, element, part, substitute, declared)

    def missing_attribute(
        self, element: TypedElement, part: Optional[Part], name: str, attribute: Attribute,
        substitute: Optional[Substitute] = None,
    ) -> None:
        """Report an attribute that must be there, or that nobody leaves out on purpose."""
        code, what = self.policy.missing_attribute, f"the required attribute '{name}'"
        if not attribute.required:
            code, what = self.policy.expected_attribute, f"attribute '{name}'"
        self._add_missing(code, what, element, part, substitute, attribute)

    def missing_any(
        self, element: TypedElement, part: Optional[Part], names: Sequence[str],
        substitute: Optional[Substitute] = None,
    ) -> None:
        """Report that an element has none of several attributes or children."""
        if any(name in element.rule.content.children for name in names):
            listed = ' or '.join(f'<{name}>' for name in names)
            code, what = self.policy.missing_element, f'the required element {listed}'
        else:
            listed = ' or '.join(f"'{name}'" for name in names)
            code, what = self.policy.missing_attribute, f'the required attribute {listed}'
        self._add_missing(code, what, element, part, substitute)

    def _add_missing(
        self, code: Code, what: str, element: TypedElement, part: Optional[Part],
        substitute: Optional[Substitute], declared: Union[Attribute, Element, None] = None,
    ) -> None:
        """Report what is missing, or what is there in its place: one cause, one diagnostic."""
        is_required = declared is None or declared.required
        if substitute is not None:
            self._add_substitute(substitute, code, what if is_required else '', element, part)
        elif is_required:
            self.add(
                code, f'<{element.tag}> is missing {what}', element.location, part,
                (declared and declared.hint) or None)
        else:
            self.add(
                code, f'<{element.tag}> has no {what}; its default is used', element.location,
                part, (declared and declared.hint) or None)

    def _add_substitute(
        self, substitute: Substitute, missing: Code, what: str, element: TypedElement,
        part: Optional[Part],
    ) -> None:
        """Report an unknown name as severely as that what it is there for is missing."""
        is_element = substitute.attribute is None
        code = self.policy.unknown_element if is_element else self.policy.unknown_attribute
        if missing.severity == 'error':
            code = code._replace(severity='error', reference=missing.reference)
        kind = 'element' if is_element else 'attribute'
        message = f'unknown {kind} {substitute} in <{element.tag}>'
        if what:
            message += f', which is missing {what}'
        elif code.severity != 'error':
            message += '; ignored'
        word, meant = substitute.attribute or substitute.element.tag, substitute.meant
        self.add(
            code, message, substitute.location, part, meant_hint(meant),
            replacement(word, meant, substitute.location),
            _defined(substitute.element, meant) if is_element else ())

    def missing_choice(
        self, element: TypedElement, part: Optional[Part], tags: Iterable[str],
    ) -> None:
        """Report that none of the alternatives is there."""
        listed = ', '.join(f'<{tag}>' for tag in tags)
        self.add(
            self.policy.missing_choice, f'<{element.tag}> is missing its content: one of {listed}',
            element.location, part)

    def not_chosen(self, child: TypedElement, chosen: TypedElement, parent: TypedElement) -> None:
        """Report an element beside the alternative that is read."""
        self.add(
            self.policy.no_effect,
            f'<{child.tag}> has no effect: <{parent.tag}> is read as its <{chosen.tag}>',
            child.location)

    def duplicate_element(self, child: TypedElement, parent: TypedElement) -> None:
        """Report an element that may be there only once."""
        self.dropped.append((parent, child))
        declared = self.rules.declared(parent.rule.content.children[child.tag])
        if declared.foreign_again:
            self.foreign(f'a second <{child.tag}> in <{parent.tag}>', child.location)
        elif self.policy.duplicate_element is not None:
            self.add(
                self.policy.duplicate_element, f'duplicate <{child.tag}>; ignored',
                child.location)

    def exclusive(self, subject: Subject, other: str) -> None:
        """Report attributes that exclude each other."""
        self.add(
            self.policy.exclusive,
            f"<{subject.element.tag}> has both '{other}' and '{subject.attribute}', which exclude "
            'each other', subject.location(), subject.part)

    def newer_beside(self, subject: Subject, other: str) -> None:
        """Report an attribute that a reader of the file's version ignores for another one."""
        self.add(
            self.policy.no_effect,
            f"'{subject.attribute}' has no effect beside '{other}' in {self.policy.format} "
            f'{self.version.name}', subject.location())

    def requires_other(self, subject: Subject, other: str) -> None:
        """Report an attribute that has no meaning without another."""
        self.add(
            self.policy.requires_other,
            f"'{subject.attribute}' has no meaning without '{other}'", subject.location(),
            subject.part)

    def stray_text(self, location: SourceRef, element: Optional[TypedElement] = None) -> None:
        """Report text where there is none."""
        code = self.policy.stray_text
        if code is not None:
            where = 'here' if element is None else f'in <{element.tag}>'
            self.add(
                code, f'text is not allowed {where}'
                + ('' if code.severity == 'error' else '; ignored'), location)

    # ---- versions and handling

    def newer(self, what: str, since: str, location: SourceRef, part: Optional[Part]) -> None:
        """Report what the version of the file does not have yet."""
        if self.policy.newer is not None:
            name = self.policy.format
            unsaid = '' if self.version.is_given else ' (it has no version attribute)'
            self.add(
                self.policy.newer, f'{what} requires {name} {since} or newer; this file is {name} '
                f'{self.version.name}{unsaid}', location, part,
                f'write version="{since}" or newer',
                Fix(f'Set version="{since}"', partial(location.root_edits, 'version', since)))

    def removed(self, what: str, until: str, location: SourceRef, part: Optional[Part]) -> None:
        """Report what the version of the file no longer has."""
        if self.policy.removed is not None:
            self.add(
                self.policy.removed, f'{what} is not part of {self.policy.format} '
                f'{self.version.name}; the last version with it is {until}', location, part)

    def deprecated(self, subject: Subject, replacement: str) -> None:
        """Report what should be written in another way."""
        self.add(
            self.policy.deprecated, f'{subject} is deprecated', subject.location(),
            hint=replacement)

    def no_effect(self, subject: Subject, hint: str) -> None:
        """Report what the reference implementation does not read."""
        self.add(
            self.policy.no_effect,
            f'{subject} has no effect here: {self.policy.reference} does not read it',
            subject.location(), hint=hint or None)

    def foreign(self, what: str, location: SourceRef) -> None:
        """Note what other programs read, to be reported once for the file."""
        self._foreign.setdefault(what, []).append(location)

    def report_foreign(self) -> None:
        """Report what other programs read: each kind at the first place where it is."""
        for what, locations in self._foreign.items():
            times = f' ({len(locations)} times in this file)' if len(locations) > 1 else ''
            self.add(
                self.policy.foreign, f'{what} has no effect: {self.policy.reference} does not '
                f'read it{times}', min(locations, key=SourceRef.offset))

    def not_preserved(self, subject: Subject, hint: str) -> None:
        """Report what the Model cannot hold."""
        self.add(
            self.policy.not_preserved, f'{subject} is not preserved', subject.location(),
            hint=hint or None)

    # ---- values

    def empty(self, subject: Subject) -> None:
        """Report a required value that is empty."""
        code = self._bad_value(subject)
        if subject.attribute is None:
            code = self.policy.empty_text or code
        self.add(code, f'{subject} is empty', subject.location(0), subject.part)

    def trailing(self, subject: Subject, text: str, index: int) -> None:
        """Report what is behind a value."""
        rest = text[index:].split(None, 1)[0]
        self.add(
            self.policy.trailing_characters, f"{subject}: '{rest}' is not part of the value; "
            'ignored', subject.location(index), hint=_separator_hint(text, index))

    def fault(self, fault: ValueSyntaxError, subject: Subject) -> Value:
        """Report a faulty value; return what is read in its place."""
        if isinstance(fault, Replaced):
            return self._replaced(fault, subject)
        if isinstance(fault, ImplausibleValue):
            self.add(
                IMPLAUSIBLE_VALUE, f'{subject}: {fault.message}', subject.location(fault.index),
                hint=fault.hint)
            return fault.value
        if isinstance(fault, NewerSyntax):
            self.newer(fault.message, fault.since, subject.location(fault.index), subject.part)
        else:
            code = self.policy.faults.get(type(fault)) or self._bad_value(subject)
            self.add(
                code, f'{subject}: {fault.message}', subject.location(fault.index), subject.part,
                _separator_hint(_text_of(subject), fault.index))
        return None

    def _bad_value(self, subject: Subject) -> Code:
        return self.policy.bad_text if subject.attribute is None else self.policy.bad_attribute

    def _replaced(self, fault: Replaced, subject: Subject) -> Value:
        """Report a value that is not right, although something can be read in its place."""
        location, part = subject.location(0), subject.part
        if isinstance(fault, UnknownWord):
            self._unknown_word(fault, subject)
        elif isinstance(fault, WrongCase):
            if self.policy.wrong_case is not None:
                self.add(
                    self.policy.wrong_case,
                    f"wrong case: '{fault.message}' should be '{fault.value}'", location, part,
                    fix=replacement(fault.message, fault.value, location))
        elif isinstance(fault, OtherSpelling):
            self.add(
                self.policy.other_spelling, f"'{fault.message}' is read as '{fault.value}'",
                location, part, f"write '{fault.value}'",
                replacement(fault.message, fault.value, location))
        elif isinstance(fault, OutOfRange):
            code = self.policy.out_of_range or self._bad_value(subject)
            keeps = self.policy.keeps_out_of_range
            read = '' if keeps or code.severity == 'error' else '; the default is used'
            self.add(code, f'{subject}: {fault.message}{read}', location, part)
            return fault.value if keeps else None
        elif not isinstance(fault, ReplacedWord):
            code = self.policy.replaced or self._bad_value(subject)
            self.add(code, f'{subject}: {fault.message}', location, part)
        if isinstance(fault, ReplacedWord) and fault.since:
            self.newer(_typed(fault.value, subject), fault.since, subject.location(), part)
        return fault.value

    def _unknown_word(self, fault: UnknownWord, subject: Subject) -> None:
        code = self.policy.unknown_word or self._bad_value(subject)
        message = f'unknown {_typed(fault.message.rstrip(), subject)}'
        read = fault.value or None
        if code.severity != 'error' and read is not None:
            message += f"; read as '{read}'"
        self.add(
            code, message, subject.location(0), subject.part,
            _intended(fault.message.strip(), fault.known))


def _defined(element: TypedElement, meant: str) -> tuple[str, ...]:
    """Return what a misspelled element is about: its tag, the one that is meant, its name."""
    name = element.get('name')
    tags = (f'<{element.tag}>', f'<{meant}>')
    return (*tags, name) if name else tags


def _text_of(subject: Subject) -> str:
    if subject.attribute is None:
        return subject.element.text
    return subject.element.attributes.get(subject.attribute, '')


def _separator_hint(text: str, index: int) -> Hint:
    """Return the hint for a comma, which no format has in its numbers."""
    is_comma = text[index:index + 1] == ','
    return 'numbers have a decimal point and spaces between them, no commas' if is_comma else None


def _intended(word: str, known: Iterable[str]) -> Hint:
    """Return the hint with the word that is meant, or all; of one letter any could be meant."""
    listed = f"one of {', '.join(known)}"
    return listed if len(word) < 2 else did_you_mean(word, known, listed)


def _typed(word: str, subject: Subject) -> str:
    """Return a word of an enumeration with what it is a word for."""
    name = '' if subject.attribute is None else f' {subject.attribute}'
    return f"<{subject.element.tag}>{name} '{word}'"
