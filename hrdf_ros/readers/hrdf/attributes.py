# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The attributes of one element: checked against the grammar, read by the file's version."""

from __future__ import annotations

from collections.abc import Callable, Collection
import re
from typing import NamedTuple, Optional, TypeVar

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.parsing import formula
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import Pose, Vector
from hrdf_ros.readers.hrdf.grammar import Attribute, ELEMENTS, FORMULAS, Grammar, VERSIONS

T = TypeVar('T')

_HEBI_REFUSES = {
    'number': re.compile(r'(?:^|[-+*/(])\s*\+|[*/]\s*-'),
    'rotation': re.compile(r'[-+*/(]\s*\+|[*/]\s*-|R[xyz]\s'),
}
_NOT_IN_1_0 = re.compile(r'[\t\r\n]')


class FileContext(NamedTuple):
    """What reading an element needs to know of its file: the version, and where to report."""

    report: Report
    version: int
    has_version: bool = True

    @property
    def version_name(self) -> str:
        """The file's version, as a message names it."""
        name = VERSIONS[self.version]
        return f'HRDF {name}' if self.has_version else f'HRDF {name} (it names no version)'


class Values(NamedTuple):
    """The values that an element has and that could be read, by kind and attribute name."""

    node: XmlElement
    numbers: dict[str, float]
    rotations: dict[str, Pose]
    translations: dict[str, Vector]
    texts: dict[str, str]

    def pose(self, rotation: str, translation: str, default: Pose = Pose()) -> Pose:
        """Return a pose from two attributes, each by itself replacing its part of the default."""
        turned = self.rotations.get(rotation, default)
        x, y, z = self.translations.get(translation, default[:3])
        return Pose(x, y, z, *turned[3:])


def read_values(node: XmlElement, scope: FileContext) -> Values:
    """Read every attribute that the grammar knows; report all that is wrong with them."""
    grammar = ELEMENTS[node.tag]
    values = Values(node, {}, {}, {}, {})
    for name in node.attributes:
        attribute = grammar.attributes.get(name)
        if attribute is None:
            _report_unknown(node, name, grammar, scope)
        elif is_known(f"the attribute '{name}'", attribute.since, node, name, scope):
            _read_value(name, attribute, values, scope)
    for name, attribute in grammar.attributes.items():
        if attribute.required and name not in node.attributes:
            scope.report.add(
                codes.MISSING_ATTRIBUTE,
                f"<{node.tag}> must have the attribute '{name}'",
                node.location,
            )
    _check_together(node, grammar, scope)
    return values


def _report_unknown(node: XmlElement, name: str, grammar: Grammar, scope: FileContext) -> None:
    scope.report.add(
        codes.UNKNOWN_ATTRIBUTE,
        f"<{node.tag}> has no attribute '{name}'",
        node.attribute_location(name),
        hint=did_you_mean(name, grammar.attributes),
        severity='error',
    )


def is_known(
    what: str, since: int, node: XmlElement, attribute: Optional[str], scope: FileContext
) -> bool:
    """Tell whether the file's version has a feature; report it at the attribute where not."""
    if since <= scope.version:
        return True
    location = node.location if attribute is None else node.attribute_location(attribute)
    scope.report.add(
        codes.NEWER_THAN_VERSION,
        f'{what} needs HRDF {VERSIONS[since]} or newer, this file is {scope.version_name}',
        location,
        hint=f'write version="{VERSIONS[since]}" or newer on <robot>',
    )
    return False


def _check_together(node: XmlElement, grammar: Grammar, scope: FileContext) -> None:
    """Report attributes that exclude each other, or lack the one they belong to."""
    for first, second in grammar.exclusive:
        if first in node.attributes and second in node.attributes:
            scope.report.add(
                codes.EXCLUSIVE_ATTRIBUTES,
                f"<{node.tag}> cannot have both '{first}' and '{second}'",
                node.attribute_location(second),
            )
    for name, needed in grammar.needs:
        if name in node.attributes and needed not in node.attributes:
            scope.report.add(
                codes.ATTRIBUTE_REQUIRES_OTHER, f"'{name}' has no meaning without '{needed}'",
                node.attribute_location(name))


# ---- values

def _read_value(name: str, attribute: Attribute, values: Values, scope: FileContext) -> None:
    """Read one value into the table of its kind."""
    if attribute.kind == 'number':
        _parse(name, 'number', _number, values.numbers, values.node, scope)
    elif attribute.kind == 'rotation':
        _parse(name, 'rotation', _rotation, values.rotations, values.node, scope)
    elif attribute.kind == 'translation':
        _parse(name, 'translation', _translation, values.translations, values.node, scope)
    else:
        values.texts[name] = values.node.attributes[name]


def _parse(
    name: str, kind: str, parse: Callable[[str, FileContext], T], into: dict[str, T],
    node: XmlElement, scope: FileContext,
) -> None:
    """Put a value into the table, or report its fault at the faulty character."""
    try:
        into[name] = parse(_bounded(name, node), scope)
    except _TooOld as fault:
        scope.report.add(
            codes.NEWER_THAN_VERSION, fault.message, node.attribute_location(name, fault.index),
            hint=f'write version="{VERSIONS[FORMULAS]}" or newer on <robot>')
    except ValueSyntaxError as fault:
        scope.report.add(
            codes.BAD_VALUE, fault.message, node.attribute_location(name, fault.index)
        )
    else:
        _note_hebi_refusal(name, kind, node, scope)


def _bounded(name: str, node: XmlElement) -> str:
    """Return the text of a value, which is not longer than the bound."""
    text, longest = node.attributes[name], node.document.limits.formula_length
    if len(text) > longest:
        raise ValueSyntaxError(f'a value of more than {longest} characters', longest)
    return text


class _TooOld(ValueSyntaxError):
    """A value that a newer version of HRDF would accept."""


def _number(text: str, scope: FileContext) -> float:
    if scope.version >= FORMULAS:
        return formula.formula(text)
    return _plain(text, formula.number, formula.formula, 'a formula', scope)


def _rotation(text: str, scope: FileContext) -> Pose:
    if scope.version >= FORMULAS:
        return formula.rotation(text)
    _check_separators(text, scope)
    return _plain(text, formula.matrix_rotation, formula.rotation, 'a product', scope)


def _translation(text: str, scope: FileContext) -> Vector:
    if scope.version < FORMULAS:
        _check_separators(text, scope)
    return formula.translation(text)


def _check_separators(text: str, scope: FileContext) -> None:
    """Refuse what 1.0.0 does not take between numbers: only spaces are."""
    found = _NOT_IN_1_0.search(text)
    if found is not None:
        raise _TooOld(
            f'tabs and line breaks between numbers need HRDF {VERSIONS[FORMULAS]} or newer, '
            f'this file is {scope.version_name}', found.start())


def _plain(
    text: str, parse: Callable[[str], T], newer: Callable[[str], T], what: str, scope: FileContext,
) -> T:
    """
    Read a value as 1.0.0 has it; say so where a newer version would understand it.

    hebi-py reads such values like C's atof, so that ``pi`` is 0 there: an error here.
    """
    try:
        return parse(text)
    except ValueSyntaxError as fault:
        try:
            newer(text)
        except ValueSyntaxError:
            raise fault from None
        raise _TooOld(
            f"'{text}' is {what}, which needs HRDF {VERSIONS[FORMULAS]} or newer, this file is "
            f'{scope.version_name}', fault.index) from None


def _note_hebi_refusal(name: str, kind: str, node: XmlElement, scope: FileContext) -> None:
    """Say where the specification allows what hebi-py refuses."""
    refused = _HEBI_REFUSES.get(kind)
    found = refused.search(node.attributes[name]) if refused is not None else None
    if found is not None and scope.version >= FORMULAS:
        scope.report.add(
            codes.HRDF_REJECTED_BY_HEBI_PY,
            'HRDF allows this way to write a value, hebi-py refuses it',
            node.attribute_location(name, found.start()),
        )


def read_word(
    values: Values,
    name: str,
    known: Collection[str],
    scope: FileContext,
    default: Optional[str] = None,
) -> Optional[str]:
    """
    Return the word of a list that an attribute holds, as the list spells it, or None.

    Wrong case is a warning (FORMAT.md, "enums").
    """
    text = values.texts.get(name)
    if text is None:
        return default
    if text in known:
        return text
    for word in known:
        if word.lower() == text.lower():
            scope.report.add(
                codes.WRONG_CASE,
                f"'{text}' is written '{word}'",
                values.node.attribute_location(name, 0),
            )
            return word
    scope.report.add(
        codes.BAD_VALUE,
        f"'{text}' is no {name} of <{values.node.tag}>",
        values.node.attribute_location(name, 0),
        hint=did_you_mean(text, known, f"one of {', '.join(known)}"),
    )
    return None
