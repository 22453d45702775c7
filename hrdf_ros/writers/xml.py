# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""XML as the writers make it: deterministic, indented by two, numbers exact."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Union

from hrdf_ros.document import escape, start_tag
from hrdf_ros.model import RawElement


class Raw(NamedTuple):
    """Text that is written unchanged."""

    text: str


class WrittenElement(NamedTuple):
    """An element to be written: attributes in order, then either text or children."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Union[WrittenElement, Raw], ...] = ()
    text: str = ''


def raw(extensions: Iterable[RawElement], format: str) -> list[Raw]:  # noqa: A002
    """Return those extensions that are in a format, as they came."""
    return [Raw(extension.text) for extension in extensions if extension.format == format]


def number(value: float) -> str:
    """Return the shortest text that reads back as the same number; zero has no sign."""
    return repr(float(value) + 0.0)


def numbers(values: Iterable[float]) -> str:
    """Return the numbers with a space between them."""
    return ' '.join([repr(float(value) + 0.0) for value in values])


def render(root: WrittenElement) -> str:
    """Return the document, with its declaration."""
    lines = ['<?xml version="1.0"?>']
    _render(root, '', lines)
    return '\n'.join(lines) + '\n'


def _render(element: Union[WrittenElement, Raw], indent: str, lines: list[str]) -> None:
    if isinstance(element, Raw):
        lines.append(indent + element.text)
        return
    tag, attributes, children, text = element
    start = indent + start_tag(tag, attributes) if attributes else f'{indent}<{tag}'
    if children:
        lines.append(start + '>')
        for child in children:
            _render(child, indent + '  ', lines)
        lines.append(f'{indent}</{tag}>')
    elif text:
        lines.append(f'{start}>{escape(text)}</{tag}>')
    else:
        lines.append(start + '/>')
