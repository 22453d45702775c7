# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""XML as it is written."""

from __future__ import annotations

from collections.abc import Iterable
import re

_ESCAPES = str.maketrans({
    '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\t': '&#9;', '\n': '&#10;',
    '\r': '&#13;'})
_SPECIAL = re.compile('[&<>"\t\n\r]').search


def escape(text: str) -> str:
    """Return a text as it may be in an element or between double quotes."""
    return text.translate(_ESCAPES) if _SPECIAL(text) else text


def start_tag(tag: str, attributes: Iterable[tuple[str, str]]) -> str:
    """Return the beginning of an element, without the ``>`` or ``/>`` that ends its tag."""
    return f'<{tag}' + ''.join([f' {name}="{escape(value)}"' for name, value in attributes])
