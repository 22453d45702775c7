# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The colors in a text, and how a color that the user chooses replaces one of them."""

from __future__ import annotations

from collections.abc import Iterator
import re
from typing import Optional

from hrdf_ros.lsp.names import Buffer
from hrdf_ros.lsp.positions import Span
from hrdf_ros.lsp.syntax import cursor_at
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.readers.schema import ValueType
from lsprotocol import types as lsp

_WORD = re.compile(r'\S+')
_STEP = 1 / 255
"""The distance between two values of a color component that an editor can show."""
_DIGITS = 3
"""The number of decimal digits of a written color component: enough to tell 256 values apart."""


def colors(buffer: Buffer) -> Iterator[tuple[Span, lsp.Color]]:
    """Yield the values that the schema declares as colors, as the format reads them."""
    language, syntax = buffer.language, buffer.syntax
    for node in syntax.nodes:
        found = None if language is None else language.declaration(node)
        if found is None:
            continue
        values = [
            (found.content.attributes[one.name].type, one.value) for one in node.attributes
            if one.value is not None and one.name in found.content.attributes]
        if found.content.text is not None:
            values.append((found.content.text, syntax.text_span(node)))
        for kind, span in values:
            numbers = _numbers(kind, syntax.plain(span)) if kind.name == 'color' else None
            if numbers is not None:
                red, green, blue, alpha = (*map(_shown, numbers), 1.0)[:4]
                yield span, lsp.Color(red, green, blue, alpha)


def presented(buffer: Buffer, span: Span, color: lsp.Color) -> Optional[str]:
    """
    Return a color as the format writes it in a span, or None if the schema has no color.

    Components that an editor shows unchanged keep the text that they have.
    """
    cursor = cursor_at(buffer.syntax, span.start)
    found = None if buffer.language is None else buffer.language.declaration(cursor.node)
    if found is None:
        return None
    declared = cursor.attribute and found.content.attributes.get(cursor.attribute.name)
    kind, text = declared.type if declared else found.content.text, buffer.syntax.plain(span)
    numbers = None if kind is None or kind.name != 'color' else _numbers(kind, text)
    if kind is None or numbers is None:
        return None
    wanted = color.red, color.green, color.blue, color.alpha
    words, position, parts = list(_WORD.finditer(text)), 0, []
    for word, number, value in zip(words, numbers, wanted):
        is_same = abs(_shown(number) - value) <= _STEP / 2
        parts += [text[position:word.start()], word[0] if is_same else _written(value)]
        position = word.end()
    if len(words) < len(wanted) and wanted[-1] < 1.0 - _STEP / 2:
        with_alpha = [*parts, ' ', _written(wanted[-1])]
        if _numbers(kind, ''.join(with_alpha)) is not None:
            parts = with_alpha
    return ''.join([*parts, text[position:]])


def _numbers(kind: ValueType, text: str) -> Optional[tuple[float, ...]]:
    """Return the components of a color, or None if the format reads no color."""
    trailing: list[int] = []
    try:
        values: tuple[float, ...] = kind.parse(text, trailing) if kind.parse else ()
    except ValueSyntaxError:
        return None
    return values if len(values) in (3, 4) and not trailing else None


def _shown(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _written(value: float) -> str:
    """Return the shortest number that an editor shows as this component."""
    return f'{round(_shown(value), _DIGITS):g}'
