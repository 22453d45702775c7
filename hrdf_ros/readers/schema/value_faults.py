# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The messages about faulty values, with their fixes; a file without faults needs none of them."""

from __future__ import annotations

from functools import partial
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Fix, Hint, replacement
from hrdf_ros.document import SourceRef
from hrdf_ros.parsing.errors import ImplausibleValue, ValueSyntaxError
from hrdf_ros.parsing.rewriting import in_radians, with_product, without_commas
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.readers.schema.declarations import Policy, Value
from hrdf_ros.readers.schema.element import Subject
from hrdf_ros.readers.schema.messages import Messages
from hrdf_ros.readers.schema.rules import FaultyWord, NewerSyntax, OutOfRange, Replaced


def report_empty(messages: Messages, subject: Subject) -> None:
    """Report a required value that is empty."""
    code = _bad_value(messages.policy, subject)
    if subject.attribute is None:
        code = messages.policy.empty_text or code
    messages.add(code, f'{subject} is empty', subject.location(0))


def report_trailing(messages: Messages, subject: Subject, text: str, index: int) -> None:
    """Report the characters after a value."""
    rest = text[index:].split(None, 1)[0]
    messages.add(
        codes.TRAILING_CHARACTERS, f"{subject}: '{rest}' is not part of the value; "
        'ignored', subject.location(index), hint=_separator_hint(text, index))


def report_fault(
    messages: Messages, fault: ValueSyntaxError, text: str, subject: Subject,
) -> Value:
    """Report a faulty value; return the value that is read in its place."""
    location = subject.location(fault.index)
    message = f'{subject}: {fault.message}'
    if isinstance(fault, FaultyWord):
        return _faulty_word(messages, fault, subject)
    if isinstance(fault, ImplausibleValue):
        messages.add(
            codes.IMPLAUSIBLE_VALUE, message, location, fault.hint, _in_radians(
                fault, subject.location(0)))
        return fault.value
    if isinstance(fault, OutOfRange):
        code, keeps = messages.policy.out_of_range, messages.policy.keeps_out_of_range
        code = code or _bad_value(messages.policy, subject)
        read = '' if keeps or code.severity == 'error' else '; the default is used'
        messages.add(code, message + read, location)
        return fault.value if keeps else None
    if isinstance(fault, NewerSyntax):
        messages.newer(fault.message, fault.since, location)
        return None
    code = messages.policy.faults.get(type(fault)) or _bad_value(messages.policy, subject)
    messages.add(
        code, message, location, fault.hint or _separator_hint(text, fault.index),
        _without_commas(text, subject))
    return fault.value if isinstance(fault, Replaced) else None


def _without_commas(text: str, subject: Subject) -> Optional[Fix]:
    """Return the fix of a vector with commas between its numbers."""
    new, rule = without_commas(text), subject.element.rule
    value = rule.text if subject.attribute is None else rule.attributes[subject.attribute]
    if new is None or value is None or value.parse is None:
        return None
    try:
        value.parse(new, [])
    except ValueSyntaxError:
        return None
    return Fix(f"Write '{new}'", partial(subject.location(0).rewritten, lambda _: new))


def _bad_value(policy: Policy, subject: Subject) -> Code:
    return policy.bad_text if subject.attribute is None else policy.bad_attribute


def _faulty_word(messages: Messages, fault: FaultyWord, subject: Subject) -> Value:
    """Report a word that an enumeration does not have as it is written."""
    location, word, value = subject.location(0), fault.message, fault.value
    if fault.kind == 'unknown':
        code = messages.policy.unknown_word or _bad_value(messages.policy, subject)
        message = f'unknown {_typed(word.rstrip(), subject)}'
        if code.severity != 'error' and value:
            message += f"; read as '{value}'"
        listed = '; '.join(filter(None, (f"one of {', '.join(fault.known)}", fault.unlisted)))
        meant = word.strip()  # one letter could mean any of them
        messages.add(code, message, location, listed if len(meant) < 2 else did_you_mean(
            meant, fault.known, listed))
    elif fault.kind == 'case':
        messages.add(
            codes.WRONG_CASE, f"wrong case: '{word}' should be '{value}'", location,
            fix=replacement(word, value, location))
    elif fault.kind == 'spelling':
        messages.add(
            messages.policy.other_spelling, f"'{word}' is read as '{value}'", location,
            f"write '{value}'", replacement(word, value, location))
    if fault.since:
        messages.newer(_typed(value, subject), fault.since, subject.location())
    return value


def _in_radians(fault: ImplausibleValue, location: SourceRef) -> Fix:
    """Return the fix that writes radians where there are probably degrees."""
    convert = partial(with_product, index=fault.index) if fault.first is None else (
        partial(in_radians, first=fault.first))
    return Fix(
        'Convert degrees to radians', partial(location.rewritten, convert), is_safe=False)


def _separator_hint(text: str, index: int) -> Hint:
    """Return the hint for a comma, which no format has in its numbers."""
    if text[index:index + 1] != ',':
        return None
    return 'numbers have a decimal point and spaces between them, no commas'


def _typed(word: str, subject: Subject) -> str:
    """Return a word of an enumeration with the name of the enumeration."""
    name = '' if subject.attribute is None else f' {subject.attribute}'
    return f"<{subject.element.tag}>{name} '{word}'"
