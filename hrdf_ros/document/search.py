# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Values found again in the bytes of an element, for findings about a Model whose nodes are gone.

The bytes are those of a document that was read, so they are well-formed.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

# These must not look at a long name more than once: they run over what an attacker wrote.
_TOKEN = re.compile(
    rb'<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>'
    rb'|<(?P<close>/?)(?P<tag>[^\s/>!?]+)(?=[\s/>])(?P<rest>(?:[^"\'>]|"[^"]*"|\'[^\']*\')*)>',
    re.DOTALL)
_NAME = re.compile(rb'\s([^\s=<>/"\']+)\s*=')
_QUOTED = re.compile(rb'"[^"]*"|\'[^\']*\'')


class Found(NamedTuple):
    """Where a value stands: its element's ``<``, and the attribute ('' for the text)."""

    start: int
    part: Optional[str]


def find_value(data: bytes, start: int, names: str) -> Optional[Found]:
    """
    Return the first value with one of some names (separated by blanks) in an element.

    That is an attribute of the element or below it, or an element below it: its attribute
    ``value``, else its text, and the element itself where it has neither.
    """
    wanted = {name.encode() for name in names.split()}
    depth = 0
    for token in _TOKEN.finditer(data, start):
        tag = token['tag']
        if tag is None:
            continue
        if token['close']:
            depth -= 1
        else:
            attributes = _NAME.findall(_QUOTED.sub(b'', token['rest']))
            found = _named(tag, attributes, wanted, below=depth > 0)
            empty = token['rest'].endswith(b'/')
            if found is not None:
                return Found(token.start(), None if empty and found == '' else found)
            depth += not empty
        if depth == 0:
            break
    return None


def _named(
    tag: bytes, attributes: list[bytes], wanted: set[bytes], *, below: bool,
) -> Optional[str]:
    """Return which part of an element has a wanted name, None if none has."""
    if below and tag in wanted:
        return 'value' if b'value' in attributes else ''
    return next((name.decode() for name in attributes if name in wanted), None)
