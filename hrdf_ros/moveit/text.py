# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Text for the readers of a package: YAML in ASCII, and XML that xacro expands to itself.

PyYAML, libyaml and yaml-cpp read the YAML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import unescape
import json
import re
from typing import Any

from hrdf_ros.writers.xml import number

_PLAIN = re.compile(r'[A-Za-z_][\w.]*(?:[ /-][\w.]+)*', re.ASCII)
_KEYWORDS = frozenset((
    'y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null', 'none', 'nan', 'inf'))

_KEY_LENGTH = 1000
"""Characters of a key that all readers take without a question mark: YAML says 1024."""
_EXPRESSION = re.compile(r'\$+[({]|\${2,}')
"""The text that xacro does not take as it is: a bracket behind it, or a second dollar sign."""
_REFERENCE = re.compile('&#(?:0*(?:36|40|123)|x0*(?:24|28|7[Bb]));')
"""References to the characters that begin an expression; xacro sees the characters."""


def escaped(text: str, quote: str = "'") -> str:
    """Return a text that xacro expands to this one."""
    def escape(found: re.Match[str]) -> str:
        run = found[0]
        return f'${run}' if run[-1] != '$' else f'${{{quote}${quote}*{len(run)}}}'

    return _EXPRESSION.sub(escape, text)


def escaped_document(text: str) -> str:
    """Return an XML document that xacro expands to this one."""
    return escaped(_REFERENCE.sub(lambda found: unescape(found[0]), text), '&#39;')


def yaml_text(content: Mapping[str, Any], *comments: str) -> str:
    """Return a document of mappings, lists of scalars, and scalars, in the order they have."""
    lines = [f'# {comment}' for comment in comments]
    return '\n'.join([*lines, *(_lines(content, '') if content else ['{}'])]) + '\n'


def _lines(content: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, value in content.items():
        name = scalar(key)
        start = f'{indent}{name}:' if len(name) <= _KEY_LENGTH else f'{indent}? {name}\n{indent}:'
        if isinstance(value, Mapping) and value:
            yield start
            yield from _lines(value, f'{indent}  ')
        elif isinstance(value, (tuple, list)) and value:
            yield start
            for item in value:
                yield from _item(item, f'{indent}  ')
        else:
            yield f'{start} {scalar(value)}'


def _item(item: Any, indent: str) -> Iterator[str]:
    """Yield the lines of an item of a list: the first has a dash in its indent."""
    if not isinstance(item, Mapping):
        yield f'{indent}- {scalar(item)}'
        return
    first, *rest = _lines(item, f'{indent}  ')
    yield f'{indent}- {first.lstrip()}'
    yield from rest


def scalar(value: Any) -> str:
    """Return a scalar: a number with a fraction always has a point, which PyYAML requires."""
    if isinstance(value, float):
        mantissa, separator, exponent = number(value).partition('e')
        point = '' if '.' in mantissa else '.0'
        return f'{mantissa}{point}{separator}{exponent}'
    if isinstance(value, str) and not (
            _PLAIN.fullmatch(value) and value.lower() not in _KEYWORDS):
        return _quoted(value)
    return value if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    return ''.join(
        character if ' ' <= character <= '~' else f'\\U{ord(character):08x}'
        for character in json.dumps(text, ensure_ascii=False))
