# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The XML that writers make with lxml: deterministic, indented by two, with exact numbers.

XML of other programs is a processing instruction in the tree, which `serialize` replaces by the
unchanged text. `Origins` leads from the lines of that text back to the places of the source.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
import re
from typing import Optional

from hrdf_ros.diagnostics import Locatable
from hrdf_ros.document.tokenizer import ILLEGAL
from hrdf_ros.model import Holder, RawElement
from lxml import etree

_DECLARATION = '<?xml version="1.0"?>\n'
_RAW = 'hrdf-raw'
_RAW_TEXT = re.compile(rf'<\?{_RAW} ([A-Za-z0-9+/=]*)\?>')
_ILLEGAL = re.compile(ILLEGAL)
_NAMESPACES = {
    'gz': 'http://gazebosim.org/schema', 'ignition': 'http://ignitionrobotics.org/schema',
    'xacro': 'http://www.ros.org/wiki/xacro'}
"""The usual namespaces of prefixes. Robot descriptions are read by prefix, not by namespace."""
_HYPHENS = re.compile('-(?=-)')
_PREFIX = re.compile(r'[A-Za-z_][\w.-]*')


def element(
    tag: str, attributes: Optional[Mapping[str, str]] = None,
    children: Iterable[etree._Element] = (), text: str = '', prefixes: Iterable[str] = (),
) -> etree._Element:
    """
    Return an element with attributes in order, and text or children.

    It declares the namespaces of ``prefixes``; a tag may have a prefix that a parent declares.
    """
    prefix, _, name = tag.rpartition(':')
    made = etree.Element(
        f'{{{_NAMESPACES[prefix]}}}{name}' if prefix else name,
        nsmap={each: _NAMESPACES[each] for each in prefixes})
    for name, value in (attributes or {}).items():
        made.set(name, _legal(value))
    if text:
        made.text = _legal(text)
    made.extend(children)
    return made


def comment(text: str) -> etree._Element:
    """Return a comment, in which two hyphens are apart, as XML requires."""
    return etree.Comment(f' {_HYPHENS.sub("- ", _legal(text))} ')


def _legal(text: str) -> str:
    """Return a text with U+FFFD in place of each character that XML cannot hold."""
    return text if text.isprintable() else _ILLEGAL.sub('\ufffd', text)


def raw(text: str) -> etree._Element:
    """Return an element of other programs, which is written as it is."""
    return etree.ProcessingInstruction(_RAW, b64encode(text.encode(errors='replace')).decode())


def raws(extensions: Iterable[RawElement], holder: Holder) -> list[etree._Element]:
    """Return the raw extensions that a holder can have, unchanged."""
    return [raw(extension.text) for extension in extensions if holder in extension.held_by]


def number(value: float) -> str:
    """Return the shortest text that reads back as the same number; zero has no sign."""
    return repr(float(value) + 0.0)


def numbers(values: Iterable[float]) -> str:
    """Return the numbers as text, separated by spaces."""
    return ' '.join([repr(float(value) + 0.0) for value in values])


def serialize(root: etree._Element) -> str:
    """Return the document, with its declaration; the root declares the prefixes of raw text."""
    blocks: list[str] = []

    def restored(found: re.Match[str]) -> str:
        blocks.append(b64decode(found[1]).decode())
        return blocks[-1]

    text: str = etree.tostring(root, pretty_print=True, encoding='unicode')
    return _DECLARATION + with_prefixes(_RAW_TEXT.sub(restored, text), blocks)


def with_prefixes(text: str, blocks: Iterable[str]) -> str:
    """Return an element that declares the prefixes that blocks in it use but do not declare."""
    missing = dict.fromkeys(prefix for block in blocks for prefix in _undeclared(block))
    if not missing:
        return text
    declared = parse_raw(text).nsmap
    added = [f' xmlns:{prefix}="{_NAMESPACES.get(prefix, f"urn:{prefix}")}"'
             for prefix in missing if prefix not in declared]
    name = re.match(r'<[^\s/>]+', text)
    assert name is not None  # the text begins with the start tag
    return text[:name.end()] + ''.join(added) + text[name.end():]


def _undeclared(block: str) -> list[str]:
    """Return the prefixes of elements and attributes that a block uses but does not declare."""
    root = parse_raw(block) if ':' in block else None
    if root is None:
        return []
    names = [name for part in root.iter(etree.Element) for name in (part.tag, *part.attrib)]
    prefixes = [name.partition(':')[0] for name in names if ':' in name and name[0] != '{']
    return [prefix for prefix in prefixes if _PREFIX.fullmatch(prefix)]


def parse_raw(text: str) -> etree._Element:
    """Return the root of raw XML; undeclared prefixes are part of its names."""
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    return etree.fromstring(text.encode(errors='replace'), parser)


class Origins:
    """Remembers places of the source by element, until the document is text."""

    def __init__(self) -> None:
        self._of: dict[etree._Element, Locatable] = {}

    def mark(self, made: etree._Element, *locations: Optional[Locatable]) -> etree._Element:
        """Return an element, and note that the first known location made it."""
        for location in locations:
            if location is not None:
                self._of[made] = location
                break
        return made

    def by_line(self, root: etree._Element, text: str) -> dict[int, Locatable]:
        """
        Return the place of the source for each line of a document on which an element begins.

        ``text`` is the document of ``root``, in which raw elements are unchanged. An element that
        was not marked has the place of the element around it.
        """
        parser = etree.XMLParser(huge_tree=True)
        found: dict[int, Locatable] = {}
        pending = [(root, etree.fromstring(text.encode(), parser), self._of.get(root))]
        while pending:
            made, parsed, around = pending.pop()
            location = self._of.get(made, around)
            for each in parsed.iter() if made.tag is etree.PI else (parsed,):
                if location is not None:
                    found.setdefault(each.sourceline, location)
            pending += [(child, other, location) for child, other in zip(made, parsed)]
        return found
