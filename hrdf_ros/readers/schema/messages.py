# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The messages about elements and attributes: each fault has one form in all formats."""

from collections.abc import Iterator, Mapping
from functools import partial
import re
from types import MappingProxyType
from typing import NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Fix, Hint, meant_hint, replacement, Report
from hrdf_ros.document import SourceRef
from hrdf_ros.limits import HINTS
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.readers.schema.declarations import Attribute, Element, Value
from hrdf_ros.readers.schema.element import Subject, TypedElement
from hrdf_ros.readers.schema.rules import EXAMINED, Rules

_EXPECTED_ELEMENT = codes.MISSING_ELEMENT._replace(severity='warning')
_EXPECTED_ATTRIBUTE = codes.MISSING_ATTRIBUTE._replace(severity='warning')
_NOTHING: 'Mapping[str, _Missing]' = MappingProxyType({})
_FOREIGN = codes.NO_EFFECT._replace(severity='info')

Part = tuple[TypedElement, TypedElement]
"""A parent and its tolerant element, which is removed from the parent if it is faulty."""


class _Missing(NamedTuple):
    """The way to report a name that an element lacks; ``default`` is the text to write for it."""

    code: Code
    what: str
    hint: str = ''
    is_required: bool = True
    name: str = ''
    default: str = ''

    @classmethod
    def of(cls, declared: Union[Attribute, Element], required: Code, what: str) -> '_Missing':
        """Return the way to report a required name, or one whose absence is a warning."""
        if declared.required:
            return cls(required, f'the required {what}', declared.hint)
        if isinstance(declared, Element):
            return cls(_EXPECTED_ELEMENT, what.removeprefix('element '), declared.hint, False)
        return cls(
            _EXPECTED_ATTRIBUTE, what, declared.hint, False,
            default='' if declared.names else _written(declared.default))


class Messages:
    """
    The faults that the validator reports about one file.

    ``part`` is the tolerant part that is being checked. ``ok`` is whether there was no error;
    ``dropped`` are the elements that are not to be read, with their parents: duplicates, and
    tolerant parts with faults.
    """

    def __init__(self, rules: Rules, report: Report, is_version_given: bool) -> None:
        self.rules = rules
        self.policy = rules.policy
        self.report = report
        self.part: Optional[Part] = None
        self.ok = True
        self.dropped: list[Part] = []
        self._version = rules.versions[rules.version]
        self._is_version_given = is_version_given
        self._nearest: dict[tuple[str, int], Optional[str]] = {}
        self._foreign: dict[str, list[SourceRef]] = {}
        self._lacking: Optional[tuple[TypedElement, dict[str, _Missing]]] = None

    def add(
        self, code: Code, message: str, location: SourceRef, hint: Hint = None,
        fix: Optional[Fix] = None, subjects: tuple[str, ...] = (),
    ) -> None:
        """Report a diagnostic; in a tolerant part, an error is a warning and removes the part."""
        if code.severity == 'error' and self.part is not None:
            self.dropped.append(self.part)
            message = f'{message}; {self.part[1].rule.element.tolerant}'
            code = code._replace(severity='warning')
        self.ok = self.ok and code.severity != 'error'
        self.report.add(code, message, location, hint=hint, fix=fix, subjects=subjects)

    # ---- unknown and missing names

    def unknown_element(
        self, child: TypedElement, parent: TypedElement, code: Optional[Code] = None,
    ) -> None:
        """Report an element that the schema does not have at this place."""
        code = code or self.policy.unknown_element
        meant = self._near(child.tag, parent.rule.content.children)
        if child.tag in self.rules.tags:
            message = f'<{child.tag}> is not allowed in <{parent.tag}>'
            self._add_unknown(code, message, Subject(child), meant)
        else:
            hints = (hint for tag, hint in self.policy.own_parts.items()
                     if tag in parent.rule.content.children)
            self._add_unknown(
                code, f'unknown element <{child.tag}> in <{parent.tag}>', Subject(child), meant,
                self._missing(parent), (f'<{child.tag}>', f'<{meant}>', child.get('name') or ''),
                next(hints, None))

    def unknown_attribute(self, subject: Subject) -> None:
        """Report an attribute that the schema does not have at this place."""
        element, name = subject.element, subject.attribute or ''
        meant = self._near(name, element.rule.content.attributes)
        self._add_unknown(
            self.policy.unknown_attribute, f"unknown attribute '{name}' in <{element.tag}>",
            subject, meant, self._missing_attributes(element))

    def _add_unknown(
        self, code: Code, message: str, subject: Subject, meant: Optional[str],
        all_missing: Mapping[str, _Missing] = _NOTHING, subjects: tuple[str, ...] = (),
        hint: Hint = None,
    ) -> None:
        """
        Report an unknown name, as severely as if the name that it stands for were missing.

        ``hint`` says what to do if it stands for no known name.
        """
        missing = all_missing.get(meant or '')
        if missing is not None and missing.code.severity == 'error':
            code = code._replace(severity='error', reference=missing.code.reference)
        if missing is not None and missing.is_required:
            message += f', which is missing {missing.what}'
        elif code.severity != 'error':
            message += '; ignored'
        location = subject.location()
        if meant is None:
            self.add(code, message, location, hint)
        else:
            name = subject.attribute or subject.element.tag
            self.add(
                code, message, location, meant_hint(meant), replacement(name, meant, location),
                tuple(filter(None, subjects)))

    def missing(self, element: TypedElement) -> None:
        """Report the names that an element lacks, unless an unknown one stands for them."""
        missing = self._missing(element)
        reported = {missing.get(name) for name in self._meant(element)} if missing else ()
        for one in dict.fromkeys(missing.values()):
            if one not in reported:
                message = f'<{element.tag}> is missing {one.what}'
                if not one.is_required:
                    message = f'<{element.tag}> has no {one.what}; its default is used'
                fix = None if not one.default else Fix(
                    f'Add {one.name}="{one.default}"',
                    partial(element.location.insertion, one.name, one.default))
                self.add(one.code, message, element.location, one.hint or None, fix)

    def _missing(self, element: TypedElement) -> dict[str, _Missing]:
        """Return the attributes and children that are missing; the last result is remembered."""
        if self._lacking is not None and self._lacking[0] is element:
            return self._lacking[1]
        missing = self._missing_attributes(element)
        for tag, child in element.rule.content.children.items():
            declared = self.rules.declared(child)
            if tag in element.rule.needed and element.child(tag) is None:
                missing[tag] = _Missing.of(
                    declared, self.policy.missing_element, f'element <{tag}>')
        self._lacking = element, missing
        return missing

    def _missing_attributes(self, element: TypedElement) -> dict[str, _Missing]:
        """Return the attributes that are missing, and the group of which one is required."""
        content, policy = element.rule.content, self.policy
        missing = {
            name: _Missing.of(
                one, policy.missing_attribute, f"attribute '{name}'")._replace(name=name)
            for name, one in content.attributes.items()
            if name in element.rule.required and name not in element.attributes}
        names = content.any_of
        if names and not any(map(element.has, names)):
            code, what, quoted = policy.missing_attribute, 'attribute', "'{}'"
            if not content.children.keys().isdisjoint(names):
                code, what, quoted = policy.missing_element, 'element', '<{}>'
            listed = ' or '.join(map(quoted.format, names))
            group = _Missing(code, f'the required {what} {listed}')
            missing.update(dict.fromkeys(names, group))
        return missing

    def _meant(self, element: TypedElement) -> Iterator[str]:
        """Yield the names that are probably meant by the unknown ones in an element."""
        content = element.rule.content
        for name in element.attributes:
            if self.is_unknown_attribute(name, content):
                yield self._near(name, content.attributes) or ''
        for child in () if content.open or content.choice else element.children:
            if not (child.tag in self.rules.tags or child.tag in content.children
                    or self.is_foreign(child.tag, content)):
                yield self._near(child.tag, content.children) or ''

    def _near(
        self, name: str, known: Mapping[str, Union[Attribute, Element, str]],
    ) -> Optional[str]:
        """Return the name that an unknown one probably means; the number of hints is limited."""
        other = self.policy.other_words.get(name.lower(), '')
        if other in known:
            return other
        key = name, id(known)
        if key not in self._nearest:
            if len(self._nearest) >= HINTS:
                return None
            elements = self.rules.elements
            self._nearest[key] = closest(name, [
                each for each, one in known.items()
                if (elements[one] if isinstance(one, str) else one).handling != 'foreign'])
        return self._nearest[key]

    def is_foreign(self, tag: str, content: Element) -> bool:
        """Return whether an element of this tag belongs to another program here."""
        return tag in content.foreign or self.policy.is_foreign_element(tag) or (
            ':' in tag and '*:*' in content.foreign)

    def is_unknown_attribute(self, name: str, content: Element) -> bool:
        """Return whether an attribute is neither known nor another program's."""
        return not (
            name in content.attributes or content.any_attributes
            or self.policy.is_foreign_attribute(name))

    # ---- structure

    def missing_choice(self, element: TypedElement) -> None:
        """Report that an element has none of the alternatives."""
        listed = ', '.join(f'<{tag}>' for tag in element.rule.content.children)
        self.add(
            self.policy.missing_choice, f'<{element.tag}> is missing its content: one of {listed}',
            element.location)

    def not_chosen(self, child: TypedElement, chosen: TypedElement, parent: TypedElement) -> None:
        """Report an element beside the alternative that is read."""
        self.add(
            codes.NO_EFFECT,
            f'<{child.tag}> has no effect: <{parent.tag}> is read as its <{chosen.tag}>',
            child.location)

    def duplicate_element(self, child: TypedElement, parent: TypedElement) -> None:
        """Report an element that may occur only once."""
        self.dropped.append((parent, child))
        declared = self.rules.declared(parent.rule.content.children[child.tag])
        if declared.foreign_again:
            what = f'a second <{child.tag}> in <{parent.tag}>'
            self._foreign.setdefault(what, []).append(child.location)
        elif self.policy.duplicate_element is not None:
            self.add(
                self.policy.duplicate_element, f'duplicate <{child.tag}>; ignored',
                child.location)

    def relations(self, subject: Subject, attribute: Attribute, is_newer: bool) -> bool:
        """
        Report attributes that exclude this one, or without which it has no meaning.

        Return False where a reader of the file's version ignores the attribute.
        """
        present = subject.element.attributes
        for other in attribute.requires:
            if other not in present:
                self.add(
                    codes.ATTRIBUTE_REQUIRES_OTHER,
                    f"'{subject.attribute}' has no meaning without '{other}'",
                    subject.location())
        for other in attribute.excludes:
            if other in present and is_newer:
                self.add(
                    codes.NO_EFFECT, f"'{subject.attribute}' has no effect beside '{other}' in "
                    f'{self.policy.format} {self._version}', subject.location())
                return False
            if other in present:
                self.add(
                    self.policy.exclusive,
                    f"<{subject.element.tag}> has both '{other}' and '{subject.attribute}', which "
                    'exclude each other', subject.location())
        return True

    def stray_text(self, location: SourceRef, element: Optional[TypedElement] = None) -> None:
        """Report text in an element that has no text."""
        code = self.policy.stray_text
        if code is not None:
            where = 'here' if element is None else f'in <{element.tag}>'
            ignored = '' if code.severity == 'error' else '; ignored'
            self.add(
                code, f'text is not allowed {where}{ignored}', location,
                hint=partial(_comment_hint, location))

    # ---- versions and handling

    def newer(self, what: str, since: str, location: SourceRef, hint: str = '') -> None:
        """Report a name that the version of the file does not have yet."""
        if self.policy.newer is not None:
            name = self.policy.format
            unsaid = '' if self._is_version_given else ' (it has no version attribute)'
            self.add(
                self.policy.newer, f'{what} requires {name} {since} or newer; this file is {name} '
                f'{self._version}{unsaid}', location,
                f'write version="{since}" or newer' + (hint and f'; {hint}'),
                location.version_fix(since))

    def handling(self, subject: Subject, declared: Union[Attribute, Element], where: str) -> None:
        """Report an element or attribute that is deprecated or has no effect."""
        if not declared.deprecated and declared.handling in EXAMINED:
            return
        policy, location, hint = self.policy, subject.location(), declared.hint or None
        if declared.deprecated:
            new = re.fullmatch(r'<(\w+)>', declared.deprecated)  # the other name means the same
            fix = None if new is None or subject.attribute is not None else (
                replacement(subject.element.tag, new[1], location))
            self.add(
                policy.deprecated, f'{subject} is deprecated', location, declared.deprecated, fix)
        if declared.handling == 'no effect':
            self.add(
                codes.NO_EFFECT,
                f'{subject} has no effect here: {policy.reference} does not read it', location,
                hint=hint)
        elif declared.handling == 'not preserved':
            self.add(
                codes.DETAIL_NOT_PRESERVED, f'{subject} is not preserved', location, hint=hint)
        elif declared.handling == 'foreign':
            self._foreign.setdefault(where, []).append(location)

    def report_foreign(self) -> None:
        """Report each kind of content for other programs, where it first occurs."""
        for what, locations in self._foreign.items():
            times = f' ({len(locations)} times in this file)' if len(locations) > 1 else ''
            self.add(
                _FOREIGN, f'{what} has no effect: {self.policy.reference} does not '
                f'read it{times}', min(locations, key=SourceRef.offset))


def _written(default: Value) -> str:
    """Return the text of a default of numbers or words, empty for any other."""
    if isinstance(default, tuple):
        return ' '.join(map(_written, default))
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, (int, float)):
        return f'{default!r}'.removesuffix('.0')
    return default if isinstance(default, str) else ''


def _comment_hint(location: SourceRef) -> Optional[str]:
    """Return the hint for a comment in the form of another language."""
    is_comment = location.document.data.startswith((b'#', b'//'), location.offset())
    return 'a comment is written <!-- ... -->' if is_comment else None
