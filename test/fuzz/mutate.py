# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Mutators: of documents as trees, of texts, of bytes; all decided by one random generator."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
import re
from xml.etree.ElementTree import Element, tostring

from fuzz.corpus import Corpus

VALUES = (
    '', ' ', '0', '-0', '1', '-1', '1e308', '-1e308', '1e200', '1e-200', '1e-320', '1e999',
    'nan', '-nan', 'inf', '-inf', '0x10', '0x1p1023',
    '1_0', '1.5f', '1,2', '--1', '.', '1e', '٣', '1 2', '0 0 0',
    '0 0 0 0 0 0', '1 0 0 0 1 0 0 0 1', '1 2 3 4 5 6 7', 'true', 'false', 'world', '__root__',
    '__model__', 'a::b', '::', 'a/b', '/', '..', '../..', '/dev/zero', 'file:///etc/passwd',
    'model://', 'package://a/b', 'http://a/b', 'pi', 'pi/0', '((', 'Rx(pi)', 'Rx(1)*Ry(2)*Rz(3)',
    '2147483648', '-2147483649', '18446744073709551616', '1.0', '1.7', '1.12', '2.0',
    '9' * 400, '9' * 5000, 'é' * 9, '\u202e', '\U0001f600', 'a' * 3000, '&#0;', '\t', '\n')
_NUMBER = re.compile(r'[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?')
_BYTES = (
    b'<', b'>', b'/', b'&', b'"', b"'", b'=', b'\0', b'\xff', b'\xc3', b'\xef\xbb\xbf', b'<!--',
    b'-->', b'<![CDATA[', b']]>', b'<?a b?>', b'<!DOCTYPE a>', b'<!DOCTYPE a [<!ENTITY b "c">]>',
    b'&b;', b'&#x41;', b'&#55555;', b'<a:b/>', b'\r\n', b'\t', b'\xe2\x80\xa8',
    b'<?xml version="1.0" encoding="utf-16"?>', b'<?xml version="1.1"?>', b'\xff\xfe')


def mutated_tree(rng: Random, seed: Element, corpus: Corpus) -> Element:
    """Return a copy of a tree with one or several changes."""
    root = deepcopy(seed)
    for _ in range(1 + min(int(rng.expovariate(0.7)), 12)):
        rng.choice(_TREE)(rng, root, list(root.iter()), corpus)
    return root


def document(root: Element) -> bytes:
    """Return the text of a tree."""
    return tostring(root, 'unicode', short_empty_elements=False).encode('utf-8', 'replace')


def mutated_bytes(rng: Random, data: bytes) -> bytes:
    """Return bytes with some of them changed, removed, repeated or put in."""
    result = bytearray(data)
    for _ in range(1 + min(int(rng.expovariate(0.7)), 12)):
        at = rng.randrange(len(result) + 1)
        rng.choice(_BYTEWISE)(rng, result, at)
    return bytes(result)


def mutated_value(rng: Random, value: str, corpus: Corpus) -> str:
    """Return another value: a number changed, a known word, an odd one, a repetition."""
    kind = rng.randrange(6)
    if kind < 2:
        return _NUMBER.sub(lambda found: _other_number(rng, found.group()), value)
    if kind == 2:
        return rng.choice(VALUES)
    if kind == 3:
        return rng.choice(corpus.values)
    at = rng.randrange(len(value) + 1)
    if kind == 4:
        return value[:at] + rng.choice(VALUES) + value[at + rng.randrange(3):]
    return value[:at] + value[at:] * rng.choice((0, 2, 3, 50))


def _other_number(rng: Random, number: str) -> str:
    if rng.random() < 0.5:
        return number
    kind = rng.randrange(5)
    if kind == 0:
        return f'-{number}'
    if kind == 1:
        return rng.choice(VALUES)
    if kind == 2:
        return repr(rng.uniform(-10.0, 10.0))
    if kind == 3:
        return f'{number}e{rng.randrange(-330, 330)}'
    return repr(float(number) * rng.choice((0.0, 1e-9, 0.5, 2.0, 1e9)))


def _change_value(rng: Random, _: Element, elements: list[Element], corpus: Corpus) -> None:
    element = rng.choice(elements)
    name = rng.choice([*element.attrib, ''])
    if name:
        element.attrib[name] = mutated_value(rng, element.attrib[name], corpus)
    else:
        element.text = mutated_value(rng, element.text or '', corpus)


def _change_attributes(rng: Random, _: Element, elements: list[Element], corpus: Corpus) -> None:
    """Remove, add or rename an attribute, or take over those of another element."""
    element, other = rng.choice(elements), rng.choice(elements)
    kind = rng.randrange(4)
    if kind == 0 and element.attrib:
        del element.attrib[rng.choice(list(element.attrib))]
    elif kind == 1:
        element.attrib[rng.choice(corpus.attributes)] = rng.choice(corpus.values)
    elif kind == 2 and element.attrib:
        name = rng.choice(list(element.attrib))
        element.attrib[rng.choice(corpus.attributes)] = element.attrib.pop(name)
    else:
        element.attrib.update(other.attrib)


def _remove(rng: Random, root: Element, elements: list[Element], corpus: Corpus) -> None:
    parent = rng.choice(elements)
    if len(parent):
        del parent[rng.randrange(len(parent))]


def _repeat(rng: Random, root: Element, elements: list[Element], corpus: Corpus) -> None:
    """Put a copy of an element beside it, or somewhere else."""
    parent = rng.choice(elements)
    if len(parent):
        child = rng.choice(parent)
        target = parent if rng.random() < 0.7 else rng.choice(elements)
        _insert(rng, target, deepcopy(child))


def _swap(rng: Random, root: Element, elements: list[Element], corpus: Corpus) -> None:
    """Exchange two children, or what two elements hold."""
    parent, other = rng.choice(elements), rng.choice(elements)
    if len(parent) > 1 and rng.random() < 0.5:
        parent[:] = rng.sample(list(parent), len(parent))
    else:
        parent.text, other.text = other.text, parent.text
        parent.attrib, other.attrib = other.attrib, parent.attrib


def _splice(rng: Random, root: Element, elements: list[Element], corpus: Corpus) -> None:
    """Put in an element of any file in any format."""
    _insert(rng, rng.choice(elements), deepcopy(rng.choice(corpus.elements)))


def _rename(rng: Random, root: Element, elements: list[Element], corpus: Corpus) -> None:
    rng.choice(elements).tag = rng.choice(corpus.tags)


def _nest(rng: Random, root: Element, elements: list[Element], corpus: Corpus) -> None:
    """Put an element into a copy of its parent, or several levels deep."""
    element = rng.choice(elements)
    inner = deepcopy(element)
    for _ in range(rng.choice((1, 1, 2, 5))):
        outer = Element(element.tag, element.attrib)
        outer.append(inner)
        inner = outer
    element.append(inner)


def _insert(rng: Random, parent: Element, child: Element) -> None:
    parent.insert(rng.randrange(len(parent) + 1), child)


_TREE: tuple[Callable[[Random, Element, list[Element], Corpus], None], ...] = (
    _change_value, _change_value, _change_value, _change_attributes, _remove, _repeat, _swap,
    _splice, _rename, _nest)


def _flip(rng: Random, data: bytearray, at: int) -> None:
    if at < len(data):
        data[at] ^= 1 << rng.randrange(8)


def _overwrite(rng: Random, data: bytearray, at: int) -> None:
    data[at:at + rng.choice((1, 2, 4, 8))] = rng.randbytes(rng.choice((1, 2, 4, 8)))


def _cut(rng: Random, data: bytearray, at: int) -> None:
    del data[at:at + rng.choice((1, 2, 8, 64))]


def _put_in(rng: Random, data: bytearray, at: int) -> None:
    data[at:at] = rng.choice(_BYTES)


def _again(rng: Random, data: bytearray, at: int) -> None:
    start = rng.randrange(len(data) + 1)
    data[at:at] = data[start:start + rng.choice((1, 8, 64, 256))]


def _truncate(rng: Random, data: bytearray, at: int) -> None:
    if rng.random() < 0.3:
        del data[at:]


_BYTEWISE: tuple[Callable[[Random, bytearray, int], None], ...] = (
    _flip, _overwrite, _cut, _put_in, _again, _truncate)
