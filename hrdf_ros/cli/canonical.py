# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rewrite a document in canonical form: attributes in the schema's order, shortest exact numbers.

A number is rewritten only if readers get the same value from the new text. Comments, expressions
of xacro, and everything that the schema does not describe stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
import re
from typing import Any, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, root_element, SourceFile
from hrdf_ros.document.formatter import formatted
from hrdf_ros.document.prolog import as_utf8, encoding_of
from hrdf_ros.document.tokenizer import find_text, Run, StartTag
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.pose import Pose
from hrdf_ros.readers.registry import format_of
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.schema.rules import UNDECLARED, ValueRule

_WORD = re.compile(r'[^ \t\r\n]+')
_NUMBER = re.compile(r'[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?')
_Replacement = tuple[int, int, bytes]
"""The byte where a part of a document starts, the byte after its end, and its replacement."""


def canonical(source: SourceFile, report: Report) -> Optional[bytes]:
    """
    Return the canonical bytes of a document.

    The result is None, with the reason in the report, where ``formatted`` refuses the document.
    """
    found = format_of(source, root_element(source))
    data = as_utf8(source, Report())
    root = parse(source, Report(), TypedElement)
    if found is None or data is None or root is None:
        return formatted(source, report)
    schema = found.schema()
    version = root.attributes.get('version', '')
    schema.validate(
        root, Report(), version=version if version in schema.versions else schema.versions[-1])
    parts, position = [], 0
    for start, end, new in sorted(_replacements(root, data)):
        parts += [data[position:start], new]
        position = end
    text = b''.join([*parts, data[position:]]).decode()
    return formatted(source._replace(data=encoding_of(source).encode(text)), report)


def shortest(word: str) -> str:
    """Return the shortest text for the number in a word; below 1e16 it has no exponent."""
    text = repr(float(word)).removesuffix('.0')
    mantissa, separator, exponent = text.partition('e')
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}" if separator else text


def _replacements(root: TypedElement, data: bytes) -> Iterator[_Replacement]:
    """Yield the replacements in a document in UTF-8; no two of them overlap."""
    for element in root.walk():
        tag = root.document.start_tag(element.start)
        if tag is None or element.rule is UNDECLARED:
            continue
        yield from _attributes(element, tag, data)
        text = None if element.children or element.rule.text is None else find_text(data, tag)
        if text is not None and element.rule.text is not None and not text.is_cdata:
            new = _number(data, text, element, element.rule.text, element.value)
            yield text.start, text.end, new


def _attributes(element: TypedElement, tag: StartTag, data: bytes) -> Iterator[_Replacement]:
    """Yield the replacements that put an element's attributes in the schema's order."""
    rules = element.rule.attributes
    declared = {name.encode(): index for index, name in enumerate(rules)}
    places = list(tag.attributes.values())
    order = sorted(tag.attributes, key=lambda name: (
        not name.startswith(b'xmlns'), declared.get(name, len(declared))))
    for (start, place), name in zip(places, order):
        own, run = tag.attributes[name]
        value = data[run.start:run.end]
        rule = rules[name.decode()] if name in declared and name != b'version' else None
        if rule is not None:
            value = _number(data, run, element, rule, element.values.get(name.decode()))
        yield start, place.end + 1, data[own:run.start] + value + data[run.end:run.end + 1]


def _number(
    data: bytes, run: Run, element: TypedElement, rule: ValueRule, value: Any,
) -> bytes:
    """Return the text of a value with shorter numbers, or unchanged if its value would differ."""
    old = data[run.start:run.end]
    text = old.decode()
    if not isinstance(value, (float, tuple, Pose)) or not all(
            _NUMBER.fullmatch(word) for word in text.split()):
        return old
    new = _WORD.sub(lambda word: shortest(word[0]), text)
    try:
        again = rule.parse(new.strip(), []) if rule.parse is not None else (
            rule.parse_in_context(element, new.strip(), []) if rule.parse_in_context else None)
    except ValueSyntaxError:
        return old
    return new.encode() if again == value else old
