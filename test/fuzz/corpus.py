# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The files that mutation starts from: examples, fault files, and public robots if there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
import re
from typing import NamedTuple, Optional
from xml.etree import ElementTree

FORMATS = ('hrdf', 'mjcf', 'sdf', 'skel', 'urdf')
MAX_SEED = 20_000
"""Bytes of the largest file that is taken: mutations of small files are worth more."""

_ROOT = Path(__file__).resolve().parents[2]
PUBLIC_SEEDS = _ROOT / '.fuzz' / 'seeds'
_PLACES = (_ROOT / 'examples', _ROOT / 'test' / 'diagnostics',
           _ROOT.parent / 'shared' / 'corpora', PUBLIC_SEEDS)
SUFFIXES = {
    **{f'.{name}': name for name in FORMATS}, '.world': 'sdf', '.xacro': 'xacro',
    '.config': 'config', '.xml': 'mjcf'}
_NAMESPACE = re.compile(r'\{(.*)\}')


class Element:
    """An element that may be changed: its tag, attributes, text and children."""

    __slots__ = ('tag', 'attributes', 'text', 'children')

    def __init__(
        self, tag: str, attributes: dict[str, str], text: str, children: list[Element],
    ) -> None:
        self.tag = tag
        self.attributes = attributes
        self.text = text
        self.children = children

    def copy(self) -> Element:
        """Return an independent copy."""
        return Element(
            self.tag, dict(self.attributes), self.text, [child.copy() for child in self.children])

    def all(self) -> list[Element]:  # noqa: A003
        """Return itself and everything below it."""
        found = [self]
        for element in found:
            found.extend(element.children)
        return found

    def write(self, pieces: list[str]) -> None:
        """Append the text of the element."""
        pieces.append(f'<{self.tag}')
        for name, value in self.attributes.items():
            pieces.append(f' {name}="{escaped(value)}"')
        pieces.append('>')
        pieces.append(escaped(self.text))
        for child in self.children:
            child.write(pieces)
        pieces.append(f'</{self.tag}>\n')


def escaped(text: str) -> str:
    """Return a text with what XML reserves written as references."""
    return text.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&quot;')


class Corpus(NamedTuple):
    """Seeds by format, as bytes and as trees, and the words that stand in them."""

    files: dict[str, tuple[bytes, ...]]
    trees: dict[str, tuple[Element, ...]]
    elements: tuple[Element, ...]
    """Small elements of all formats, to be put where they do not belong."""
    tags: tuple[str, ...]
    attributes: tuple[str, ...]
    values: tuple[str, ...]
    """Values of attributes and texts of elements."""


@lru_cache(1)
def corpus() -> Corpus:
    """Return the corpus, in an order that does not depend on the machine."""
    files: dict[str, list[bytes]] = {name: [] for name in (*FORMATS, 'xacro', 'config')}
    for file in _seed_files():
        files[SUFFIXES[file.suffix]].append(file.read_bytes())
    trees = {
        name: tuple(tree for tree in map(tree_of, texts) if tree is not None)
        for name, texts in files.items()}
    elements = [element for group in trees.values() for tree in group for element in tree.all()]
    values = {value for element in elements for value in element.attributes.values()}
    return Corpus(
        {name: tuple(texts) for name, texts in files.items()}, trees,
        tuple(element for element in elements if len(element.all()) < 20),
        tuple(sorted({element.tag for element in elements})),
        tuple(sorted({name for element in elements for name in element.attributes})),
        tuple(sorted(values | {element.text for element in elements})))


def _seed_files() -> Iterator[Path]:
    for location in _PLACES:
        for file in sorted(location.rglob('*')):
            if file.suffix in SUFFIXES and file.is_file() and file.stat().st_size <= MAX_SEED:
                yield file


def tree_of(data: bytes) -> Optional[Element]:
    """Return the tree of a document, None where it is not XML."""
    try:
        return _element(ElementTree.fromstring(data))
    except (ElementTree.ParseError, ValueError, LookupError):
        return None


def _element(found: ElementTree.Element) -> Element:
    attributes = {_NAMESPACE.sub('x:', name): value for name, value in found.attrib.items()}
    return Element(
        _NAMESPACE.sub('xacro:', found.tag), attributes, (found.text or '').strip(),
        [_element(child) for child in found])
