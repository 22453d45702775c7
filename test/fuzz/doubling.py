# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Texts that grow at one place, so that what is more than linear in their size is found."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from fuzz.corpus import corpus, Element, FORMATS
from fuzz.oracles import require
from helpers.scaling import FULL_REPORT, load_included, peak_memory, seconds_of
from hrdf_ros.load import load

SEPARATOR = b'\n%%%%%\n'
SIZE = 1 << 15
"""Bytes by which the smaller text grows; the larger grows by twice as many."""
GREATEST_RATIO = 2.5
MEASURABLE = 0.03
"""Seconds below which a ratio tells nothing."""
ATTEMPTS = 5
LONGEST = 1.0
"""Seconds of CPU time for the smaller text."""
MOST_MEMORY = 130
"""Bytes of memory for each byte of a text: an element takes 400, the shortest is four bytes."""
_CONVERTED = 'urdf in sdf'
_DEEPEST = 100
"""The depth of nesting: scoped names of nested models grow with it."""
_NUMBER, _HERE, _END = '@N', '@HERE', '@END'
_PIECES = (
    'x', '1 ', '1+', '(', 'a/', 'a::', '&lt;', '&#120;', ' ', '\n', '-', '../', 'é', '1e', "'")
_BESIDE = (
    'x<!-- x -->&#120;', '<![CDATA[x]]>', '<!-- -- -->', '<?p?>', 'x<b/>', '<p@N:x/>', '<u@N/>')


def growing(rng: Random) -> bytes:
    """Return a file of some format as what is before, in and behind the place where it grows."""
    name = rng.choice(FORMATS)
    root = rng.choice(corpus().trees[name]).copy()
    element = rng.choice(root.all())
    rng.choice(_WAYS)(rng, root, element)
    if name == 'urdf' and rng.random() < 0.5:
        name = _CONVERTED
    pieces: list[str] = []
    root.write(pieces)
    begin, _, rest = ''.join(pieces).partition(_HERE)
    piece, _, end = rest.partition(_END)
    return SEPARATOR.join(
        part.encode('utf-8', 'replace') for part in (name, begin, piece, end))


def run_growing(data: bytes) -> None:
    """
    Require that reading a text of twice the size takes at most about twice the time.

    The memory that it takes is in proportion to the text, too.
    """
    parts = [part.decode('utf-8', 'replace') for part in data.split(SEPARATOR)]
    if len(parts) != 4 or parts[0] not in (*FORMATS, _CONVERTED):
        return  # what is guided by coverage changes separators and formats, too
    name, begin, piece, end = parts
    small, large = (_grown(begin, piece, end, size) for size in (SIZE, 2 * SIZE))
    best_of_small = best_of_large = float('inf')
    for _ in range(ATTEMPTS):  # other processes disturb: the best times are the program's own
        best_of_small = min(best_of_small, _seconds(small, name))
        best_of_large = min(best_of_large, _seconds(large, name))
        if best_of_small <= LONGEST and (
                best_of_large <= GREATEST_RATIO * max(best_of_small, MEASURABLE)):
            break
    else:
        require(False, f'{best_of_large:.3f} s for twice of what takes {best_of_small:.3f} s')
    memory, size = peak_memory(lambda: _read(small, name)), len(small.encode())
    require(
        memory <= MOST_MEMORY * size + FULL_REPORT, f'{memory} bytes of memory for {size} bytes')


def _grown(begin: str, piece: str, end: str, size: int) -> str:
    opening, _, closing = piece.partition('@CLOSE')
    count = max(1, size // max(1, len(piece.encode())))
    depth = min(count, _DEEPEST) if closing else count
    pieces = [begin]
    for first in range(0, count, depth):
        numbers = range(first, min(first + depth, count))
        pieces += [opening.replace(_NUMBER, str(index)) for index in numbers]
        pieces.append(closing * len(numbers))
    return ''.join([*pieces, end])


def _seconds(text: str, name: str) -> float:
    return seconds_of(lambda: _read(text, name))


def _read(text: str, name: str) -> None:
    """Read a text, and find the place of each diagnostic."""
    loaded = load_included(text) if name == _CONVERTED else load(text, format=name)
    str(loaded.report)


def _elements(rng: Random, root: Element, element: Element) -> None:
    """Repeat an element, in half of the cases with names of its own each time."""
    if element is root:
        _text(rng, root, element)
        return
    parent = next(each for each in root.all() if element in each.children)
    if rng.random() < 0.5 and 'name' in element.attributes:
        element.attributes['name'] += _NUMBER
    at = parent.children.index(element)
    written: list[str] = []
    element.write(written)
    parent.children[at:at + 1] = [_Verbatim(f'{_HERE}{"".join(written)}{_END}')]


def _nested(rng: Random, root: Element, element: Element) -> None:
    """Put an element into itself, again and again."""
    written: list[str] = []
    Element(element.tag, dict(element.attributes), '', []).write(written)
    opening, _, closing = ''.join(written).rpartition('</')
    if 'name' in element.attributes and rng.random() < 0.5:
        opening = opening.replace('>', f' n{_NUMBER}="">')
    element.children.append(_Verbatim(f'{_HERE}{opening}@CLOSE</{closing}{_END}'))


def _text(rng: Random, _: Element, element: Element) -> None:
    """Lengthen the text of an element."""
    element.children.insert(0, _Verbatim(_HERE + rng.choice(_PIECES) + _END))


def _beside(rng: Random, _: Element, element: Element) -> None:
    """Put comments, references, text and unknown elements among the children."""
    at = rng.randrange(len(element.children) + 1)
    element.children.insert(at, _Verbatim(_HERE + rng.choice(_BESIDE) + _END))


def _value(rng: Random, root: Element, element: Element) -> None:
    """Lengthen the value of an attribute."""
    if not element.attributes:
        _text(rng, root, element)
        return
    name = rng.choice(list(element.attributes))
    element.attributes[name] += _HERE + rng.choice(('x', '1 ', '1+', '(', 'a/', 'é', ':')) + _END


def _attributes(_: Random, __: Element, element: Element) -> None:
    """Add many attributes."""
    element.attributes[f'{_HERE}a{_NUMBER}="1" {_END}a'] = ''


class _Verbatim(Element):
    """A text in place of an element."""

    def __init__(self, text: str) -> None:
        super().__init__('', {}, text, [])

    def write(self, pieces: list[str]) -> None:
        pieces.append(self.text)


_WAYS: tuple[Callable[[Random, Element, Element], None], ...] = (
    _elements, _elements, _nested, _text, _beside, _value, _attributes)
