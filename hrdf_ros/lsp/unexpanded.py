# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Diagnose a xacro file without running its code.

The schema of URDF checks the elements outside macros. What an expression may produce, or a macro
may insert, is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.lsp.positions import Span, Text
from hrdf_ros.lsp.syntax import cursor_at, recovered, RecoveredText, Syntax, SyntaxNode
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.urdf.schema import SCHEMA

SUFFIX = '.xacro'
_PREFIX = 'xacro:'
_CONDITIONS = ('xacro:if', 'xacro:unless')
_EXPRESSION = '$'
"""The character that begins an expression of xacro."""
_INSERTED = frozenset((
    codes.MISSING_ATTRIBUTE.name, codes.MISSING_ELEMENT.name, codes.DUPLICATE_ELEMENT.name))
"""The faults that may be gone, or may exist in one case only, once xacro has expanded the file."""


def check_unexpanded(path: str, source: str) -> tuple[RecoveredText, list[Diagnostic]]:
    """Return the text of a xacro file that is checked, and the diagnostics of that text."""
    changed, report = recovered(Syntax(source), _tags_of_conditions), Report()
    root = parse(
        SourceFile(path, changed.source.encode('utf-8', 'surrogatepass'), encoding='utf-8'),
        report, TypedElement, declaration_anywhere=True)
    if root is not None and SCHEMA.is_root(root, report):
        SCHEMA.validate(root, report)
    whole, text = Syntax(source), Text(changed.source)
    return changed, [
        found for found in report if not found.code.startswith('xml-')
        and (at := found.resolve()) is not None
        and _is_certain(found, whole, changed.original(text.offset_of(at)))]


def _tags_of_conditions(node: SyntaxNode) -> Iterator[Span]:
    """Yield the tags of a condition: its content belongs to the element around it."""
    if node.tag in _CONDITIONS:
        yield Span(node.start, node.content.start)
        yield Span(node.content.end, node.end)


def _is_certain(found: Diagnostic, syntax: Syntax, offset: int) -> bool:
    """Return whether a fault exists however xacro expands the file."""
    cursor = cursor_at(syntax, offset + 1)
    node = cursor.node
    if node is None:
        return True
    if found.code in _INSERTED:
        around = node.parent if found.code == codes.DUPLICATE_ELEMENT.name else node
        return around is not None and (
            around.parent is not None or around is not node) and not any(
                child.tag.startswith(_PREFIX) for child in around.children)
    value = cursor.span if cursor.kind == 'text' else cursor.attribute and cursor.attribute.value
    return value is None or _EXPRESSION not in syntax.source[value.start:value.end]
