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
        elements = list(root.iter())
        rng.choice(_CHANGES)(rng, rng.choice(elements), rng.choice(elements), corpus)
    return root


def document(root: Element) -> bytes:
    """Return the text of a tree."""
    return tostring(root, 'unicode', short_empty_elements=False).encode('utf-8', 'replace')


def mutated_bytes(rng: Random, data: bytes) -> bytes:
    """Return bytes with some of them changed, removed, repeated or put in."""
    for _ in range(1 + min(int(rng.expovariate(0.7)), 12)):
        at, start = (rng.randrange(len(data) + 1) for _ in range(2))
        size = rng.choice((1, 1, 2, 4, 8, 64, 256))
        put = rng.choice((
            bytes(byte ^ 1 << rng.randrange(8) for byte in data[at:at + 1]),
            rng.randbytes(min(size, 8)), b'', rng.choice(_BYTES), data[start:start + size]))
        end = at + rng.choice((0, len(put), size))
        data = data[:at] + put + (data[end:] if rng.random() < 0.95 else b'')
    return data


def mutated_value(rng: Random, value: str, corpus: Corpus) -> str:
    """Return another value: a number changed, a known word, an odd one, a repetition."""
    kind = rng.randrange(6)
    if kind < 2:
        return _NUMBER.sub(lambda found: _other_number(rng, found.group()), value)
    if kind < 4:
        return rng.choice((rng.choice(VALUES), rng.choice(corpus.values)))
    at = rng.randrange(len(value) + 1)
    if kind == 4:
        return value[:at] + rng.choice(VALUES) + value[at + rng.randrange(3):]
    return value[:at] + value[at:] * rng.choice((0, 2, 3, 50))


def _other_number(rng: Random, number: str) -> str:
    return rng.choice((
        number, number, number, number, number, f'-{number}', rng.choice(VALUES),
        repr(rng.uniform(-10.0, 10.0)), f'{number}e{rng.randrange(-330, 330)}',
        repr(float(number) * rng.choice((0.0, 1e-9, 0.5, 2.0, 1e9)))))


# ---- changes of an element, with another of the same tree

_Change = Callable[[Random, Element, Element, Corpus], None]


def _change_value(rng: Random, element: Element, _: Element, corpus: Corpus) -> None:
    name = rng.choice([*element.attrib, ''])
    if name:
        element.attrib[name] = mutated_value(rng, element.attrib[name], corpus)
    else:
        element.text = mutated_value(rng, element.text or '', corpus)


def _change_attributes(rng: Random, element: Element, other: Element, corpus: Corpus) -> None:
    """Remove, add or rename an attribute, or take over those of another element."""
    name = rng.choice([*element.attrib, ''])
    value = element.attrib.pop(name, rng.choice(corpus.values))
    kind = rng.randrange(3)
    if kind == 1:
        element.attrib[rng.choice(corpus.attributes)] = value
    elif kind == 2:
        element.attrib.update(other.attrib)


def _remove(rng: Random, element: Element, _: Element, __: Corpus) -> None:
    if len(element):
        del element[rng.randrange(len(element))]


def _put_in(rng: Random, element: Element, other: Element, corpus: Corpus) -> None:
    """Put in a copy of a child, of another element, or of one of any file in any format."""
    found = rng.choice((rng.choice([*element, other]), rng.choice(corpus.elements)))
    element.insert(rng.randrange(len(element) + 1), deepcopy(found))


def _swap(rng: Random, element: Element, other: Element, _: Corpus) -> None:
    """Exchange two children, or what two elements hold."""
    if len(element) > 1 and rng.random() < 0.5:
        element[:] = rng.sample(list(element), len(element))
    else:
        element.text, other.text = other.text, element.text
        element.attrib, other.attrib = other.attrib, element.attrib


def _rename(rng: Random, element: Element, _: Element, corpus: Corpus) -> None:
    element.tag = rng.choice(corpus.tags)


def _nest(rng: Random, element: Element, _: Element, __: Corpus) -> None:
    """Put an element into a copy of its parent, or several levels deep."""
    inner = deepcopy(element)
    for _level in range(rng.choice((1, 1, 2, 5))):
        outer = Element(element.tag, element.attrib)
        outer.append(inner)
        inner = outer
    element.append(inner)


_CHANGES: tuple[_Change, ...] = (
    _change_value, _change_value, _change_value, _change_attributes, _remove, _put_in, _put_in,
    _swap, _rename, _nest)
