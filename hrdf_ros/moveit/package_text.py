# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Texts for the readers of a package: YAML in ASCII, and XML that xacro expands to itself.

The YAML is written for PyYAML, libyaml and yaml-cpp.
"""

from __future__ import annotations

from html import unescape
from math import inf
from pathlib import Path
import re
from string import Template
from typing import Any

import yaml

_PLAIN = re.compile(r'[A-Za-z_][\w.]*(?:[ /-][\w.]+)*', re.ASCII)
_KEYWORDS = frozenset((
    'y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null', 'none', 'nan', 'inf'))
_EXPRESSION = re.compile(r'\$+[({]|\${2,}')
"""A pattern for dollar signs that xacro would interpret."""
_REFERENCE = re.compile('&#(?:0*(?:36|40|123)|x0*(?:24|28|7[Bb]));')
"""A pattern for references to characters that begin an expression: xacro resolves them."""


def escaped(text: str, quote: str = "'") -> str:
    """Return a text that xacro expands to the given one."""
    def escape(found: re.Match[str]) -> str:
        run = found[0]
        return f'${run}' if run[-1] != '$' else f'${{{quote}${quote}*{len(run)}}}'

    return _EXPRESSION.sub(escape, text)


def escaped_document(text: str) -> str:
    """Return an XML document that xacro expands to the given one."""
    return escaped(_REFERENCE.sub(lambda found: unescape(found[0]), text), '&#39;')


def template(file: str, /, **values: str) -> str:
    """Return a template of this directory with its values filled in."""
    path = Path(__file__).with_name(file)
    return Template(path.read_text('utf-8')).substitute(values)


# ---- YAML

class _Dumper(yaml.SafeDumper):  # type: ignore[misc]  # PyYAML has no types here
    """Quotes each text that a reader may take for a number or a keyword."""

    def ignore_aliases(self, _: Any) -> bool:
        """Return True, so that a value that is used twice is written twice."""
        return True

    def _text(self, text: str) -> yaml.Node:
        is_plain = _PLAIN.fullmatch(text) and text.lower() not in _KEYWORDS
        return self.represent_scalar('tag:yaml.org,2002:str', text, '' if is_plain else '"')

    yaml_representers = {**yaml.SafeDumper.yaml_representers, str: _text}


def yaml_text(content: Any, *comments: str) -> str:
    """Return mappings, lists and scalars, in their order, as a YAML document."""
    text: str = yaml.dump(
        content, Dumper=_Dumper, sort_keys=False, width=inf, default_flow_style=False)
    return ''.join(f'# {comment}\n' for comment in comments) + text


def scalar(text: str) -> str:
    return yaml_text(text).partition('\n')[0]
