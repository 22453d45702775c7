# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Edits that add what an element is missing.

A missing name gets one that is free. A value that only the author knows stays empty, so it is
reported until it is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple, Union

from hrdf_ros import codes
from hrdf_ros.lsp.analysis import Finding
from hrdf_ros.lsp.language import DeclaredElement, Language
from hrdf_ros.lsp.names import Buffer
from hrdf_ros.lsp.positions import Span
from hrdf_ros.lsp.syntax import cursor_at, SyntaxNode
from hrdf_ros.readers.schema import Attribute, Element

_CODES = frozenset((codes.MISSING_ATTRIBUTE.name, codes.MISSING_ELEMENT.name))
_DEPTH = 3
"""The most levels of nested elements that are added at once."""
_ALTERNATIVES = 8
"""The most alternatives that are offered; from more, the author has to choose by completion."""
_INDENTATION = '  '


class Addition(NamedTuple):
    """An attribute or element that is missing, and the edit that adds it."""

    title: str
    span: Span
    text: str


def additions(buffer: Buffer, finding: Finding) -> Iterator[Addition]:
    """Yield what may be added to an element if a finding says that something is missing."""
    start = finding.span.start
    near = buffer.near(start)
    node = cursor_at(near.syntax, start + 1).node
    if finding.code not in _CODES or finding.edits or finding.elsewhere or (
            near.language is None or node is None or node.start != start or node.is_broken):
        return
    found = near.language.declaration(node)
    if found is not None:
        place = node.attributes[-1].end if node.attributes else node.tag_span.end
        for name in _missing_attributes(found, near.language):
            value = _free_name(near, node.tag) if found.content.attributes[name].names else ''
            text = f' {name}="{value}"'
            yield Addition(f'Add{text}', Span(place, place), text)
        for tag in _missing_children(found, near.language):
            yield _child(near.text.source, node, tag, near.language)


def _free_name(buffer: Buffer, tag: str) -> str:
    """Return a name that no other item of the text has."""
    taken = {one.name for one in buffer.names.symbols if one.node is not None}
    return next(name for name in map(f'{tag}_{{}}'.format, count(1)) if name not in taken)


def _is_needed(declared: Union[Attribute, Element], language: Language) -> bool:
    return (declared.required or declared.expected) and language.has(declared.since)


def _missing_attributes(found: DeclaredElement, language: Language) -> list[str]:
    content, present = found.content, {one.name for one in found.node.attributes}
    group = () if present.intersection(content.any_of) else content.any_of
    return [
        name for name, one in content.attributes.items()
        if name not in present and (_is_needed(one, language) or name in group)]


def _missing_children(found: DeclaredElement, language: Language) -> list[str]:
    """
    Return the children that an element is missing.

    Each absent child that is required is missing. If at least one of several children is required
    and none is there, all of them are missing.
    """
    content, present = found.content, {one.tag for one in found.node.children}
    group = content.any_of if not content.choice else (
        tuple(content.children) if len(content.children) <= _ALTERNATIVES else ())
    group = () if present.intersection(group) else group
    return [
        tag for tag in content.children
        if tag not in present and (declared := language.child(content, tag)) is not None
        and (_is_needed(declared, language) or tag in group)]


def _child(source: str, node: SyntaxNode, tag: str, language: Language) -> Addition:
    """Return the addition of a child after the other children, indented as they are."""
    found = language.declaration(node)
    declared = found and language.child(found.content, tag)
    assert declared is not None
    around = _indentation(source, node)
    inner = _indentation(source, node.children[-1]) if node.children else (
        around and around + _INDENTATION)
    new, title = _written(tag, declared, language, inner), f'Add <{tag}>'
    if node.is_empty:
        end = node.attributes[-1].end if node.attributes else node.tag_span.end
        return Addition(title, Span(end, node.end), f'>{new}{around}</{node.tag}>')
    start = node.children[-1].end if node.children else node.content.start
    if not node.children and '\n' not in source[start:node.content.end]:
        new += around
    return Addition(title, Span(start, start), new)


def _indentation(source: str, node: SyntaxNode) -> str:
    """Return the line break and white space before an element, or '' after other text."""
    before = source[source.rfind('\n', 0, node.start) + 1:node.start]
    return '' if before.strip() or '\n' not in source else f'\n{before}'


def _written(
    tag: str, declared: Element, language: Language, indentation: str, depth: int = 1,
) -> str:
    """Return an element with its required attributes and children; their values are empty."""
    content = language.schema.content_of(declared)
    attributes = ''.join(
        f' {name}=""' for name, one in content.attributes.items() if _is_needed(one, language))
    below = [
        _written(name, one, language, indentation and indentation + _INDENTATION, depth + 1)
        for name in content.children if depth < _DEPTH
        and (one := language.child(content, name)) is not None and _is_needed(one, language)]
    start = f'{indentation}<{tag}{attributes}'
    if below:
        return f'{start}>{"".join(below)}{indentation}</{tag}>'
    return f'{start}/>' if content.text is None and not content.choice else f'{start}></{tag}>'
