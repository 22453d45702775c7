# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Compare the schema of SDFormat with the description files of an sdformat checkout.

    python tools/compare_sdf_schema.py CHECKOUT

Print each difference in names, types, defaults, bounds, cardinality and first version that is not
in INTENDED, and each entry of INTENDED that is no longer a difference. If anything is printed, the
exit status is 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
import sys
from typing import Any, NamedTuple, Optional, Union
from xml.etree import ElementTree

from hrdf_ros.parsing import sdf
from hrdf_ros.readers.schema import Attribute, Element, ValueType
from hrdf_ros.readers.sdf.schema import SCHEMA
from hrdf_ros.readers.sdf.schema.types import POSE

TYPES = {
    'bool': 'boolean', 'color': 'color', 'double': 'number', 'float': 'number', 'int': 'integer',
    'pose': 'pose', 'string': 'text', 'time': 'time', 'unsigned int': 'unsigned integer',
    'vector2d': 'vector2', 'vector3': 'vector3',
}
TEXTS = ('text', 'word', 'frame name')
"""Our types that libsdformat's files call ``string``: only its code restricts their values."""

INTENDED = {
    'sdf/include': 'libsdformat reads it without a word in its schema',
    'sdf/world/population/include': 'libsdformat reads it without a word in its schema',
    'sdf/world/include/joint': 'of the composition proposal only; read with a warning',
    'sdf/world/include/frame': 'of the composition proposal only; read with a warning',
    'sdf/model/link/inertial/pose/@relative_to': 'never has an effect; a warning of its own',
    'sdf/model/link/inertial/auto_inertia_params': 'holds parameters of an inertia calculator',
    'sdf/model/link/sensor/gz_frame_id': 'of gz-sensors (Sensor.cc)',
    'sdf/model/link/sensor/ignition_frame_id': 'of gz-sensors (Sensor.cc)',
    'sdf/model/link/collision/auto_inertia_params': 'holds parameters of an inertia calculator',
}
"""Where the schema differs on purpose, by the shortest path, and why."""

Declared = Union[Attribute, Element]


class Fact(NamedTuple):
    """What a checkout says about an element or attribute at one path."""

    type: Optional[str]  # noqa: A003
    default: Optional[str]
    required: str
    minimum: Optional[str]
    maximum: Optional[str]
    is_open: bool


class Item(NamedTuple):
    """An element or attribute of ours, and the paths where it is."""

    declared: Declared
    paths: list[str]

    @property
    def name(self) -> str:
        """The shortest path, in a model rather than in an actor."""
        return min(sorted(self.paths, reverse=True), key=len)


# ---- the checkout

def read_facts(checkout: Path, version: str) -> dict[str, Fact]:
    """Return every path of a version, ``sdf/model/@name``; what contains itself ends there."""
    folder = checkout / 'sdf' / version
    files = {file.name: ElementTree.parse(file).getroot() for file in folder.glob('*.sdf')}
    facts: dict[str, Fact] = {}
    root = files['root.sdf']
    pending = [(root, 'sdf', root.get('required', ''), ('root.sdf',))]
    while pending:
        node, path, required, inside = pending.pop()
        is_open = any(child.get('copy_data') for child in node.findall('element'))
        facts[path] = _fact(node, required, is_open)
        for attribute in node.findall('attribute'):
            facts[f"{path}/@{attribute.get('name')}"] = _fact(
                attribute, attribute.get('required', ''))
        for child in node.findall('element'):
            if child.get('ref'):
                facts[f"{path}/{child.get('ref')}"] = _fact(child, child.get('required', ''))
            elif not child.get('copy_data'):
                pending.append((
                    child, f"{path}/{child.get('name')}", child.get('required', ''), inside))
        for include in node.findall('include'):
            name = include.get('filename', '')
            below = f"{path}/{files[name].get('name')}"
            if name in inside:
                facts[below] = _fact(include, include.get('required', ''))
            else:
                pending.append((
                    files[name], below, include.get('required', ''), (*inside, name)))
    return facts


def _fact(node: ElementTree.Element, required: str, is_open: bool = False) -> Fact:
    return Fact(
        type=node.get('type'), default=node.get('default'), required=required,
        minimum=node.get('min'), maximum=node.get('max'), is_open=is_open)


# ---- our schema

def items(newest: dict[str, Fact]) -> list[Item]:
    """Return each declaration of ours once, with all paths that lead to it."""
    found: dict[tuple[int, str], Item] = {}
    seen = set()
    pending = [(SCHEMA.elements[SCHEMA.root], 'sdf')]
    while pending:
        declared, path = pending.pop()
        content = SCHEMA.elements[declared.like] if declared.like else declared
        if (id(content), path) in seen or path != 'sdf' and _contains_itself(path, newest):
            continue
        seen.add((id(content), path))
        for name, below in _inside(content):
            inside = f'{path}/{name}'
            found.setdefault((id(content), name), Item(below, [])).paths.append(inside)
            if isinstance(below, Element):
                pending.append((below, inside))
    return list(found.values())


def _contains_itself(path: str, newest: dict[str, Fact]) -> bool:
    """Return whether a path ends where the facts do, because an element contains itself."""
    parts = path.split('/')
    return path not in newest or parts[-1] in parts[:-1] and not any(
        other.startswith(f'{path}/') for other in newest)


def _inside(content: Element) -> Iterator[tuple[str, Declared]]:
    for name, attribute in content.attributes.items():
        yield f'@{name}', attribute
    for tag, child in content.children.items():
        yield tag, SCHEMA.elements[child] if isinstance(child, str) else child


# ---- differences

class Comparison:
    """Our schema, compared with the facts of a checkout."""

    def __init__(self, checkout: Path) -> None:
        self.versions = {
            version: read_facts(checkout, version) for version in SCHEMA.versions}
        self.newest = self.versions[SCHEMA.versions[-1]]

    def differences(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each item that differs, and how."""
        known = {'sdf'}
        for item in items(self.newest):
            known.update(item.paths)
            paths = [path for path in item.paths if path in self.newest]
            if not paths:
                yield item.name, 'is not in the checkout'
                continue
            for found in self._differences(item.declared, paths):
                yield item.name, found
        for path in self.newest:
            if path not in known and path.rpartition('/')[0] in known:
                yield path, 'is not in the schema'

    def _differences(self, declared: Declared, paths: list[str]) -> Iterator[str]:
        for fact in {self.newest[path] for path in paths}:
            if isinstance(declared, Attribute):
                yield from _of_attribute(declared, fact)
            else:
                yield from _of_element(declared, fact)
        since = self._since(paths)
        around = self._since([path.rpartition('/')[0] for path in paths])
        expected = '' if since == around else since
        if declared.since != expected:
            yield f'since {declared.since!r}, not {expected!r}'

    def _since(self, paths: list[str]) -> str:
        """Return the first version that has one of some paths."""
        return next(
            version for version, facts in self.versions.items()
            if any(path in facts for path in paths))


def _of_attribute(attribute: Attribute, fact: Fact) -> Iterator[str]:
    yield from _of_value(attribute.type, attribute.default, attribute.bounds, fact)
    if attribute.required != (fact.required == '1'):
        yield f'required {attribute.required}, not {fact.required!r}'


def _of_element(element: Element, fact: Fact) -> Iterator[str]:
    content = SCHEMA.elements[element.like] if element.like else element
    if content.text is not None or fact.type is not None:
        default = content.default if element.like else element.default
        yield from _of_value(content.text, default, element.bounds, fact)
        if element.text_required != (fact.required in ('1', '+')) and content.text is not POSE:
            yield f'text_required {element.text_required}, not {fact.required!r}'
    if element.repeated != (fact.required in ('*', '+')):
        yield f'repeated {element.repeated}, not {fact.required!r}'
    if bool(element.deprecated) != (fact.required == '-1'):
        yield f'deprecated {element.deprecated!r}, not {fact.required!r}'
    if (content.open or content.handling == 'skipped') != fact.is_open:
        yield f'open {content.open}, not {fact.is_open}'


def _of_value(kind: Optional[ValueType], default: Any, bounds: Any, fact: Fact) -> Iterator[str]:
    if kind is None or fact.type is None:
        yield f'type {kind and kind.name}, not {fact.type}'
        return
    name = TYPES[fact.type]
    if name != kind.name and not (name == 'text' and kind.name in TEXTS):
        yield f'type {kind.name}, not {fact.type}'
    expected = _value(kind, fact.default)
    if default != expected:
        yield f'default {default!r}, not {expected!r}'
    limits = (bounds.minimum, bounds.maximum) if bounds is not None else (None, None)
    numbers = (_number(fact.minimum, '-inf'), _number(fact.maximum, 'inf'))
    if limits != (numbers if fact.minimum or fact.maximum else (None, None)):
        yield f'bounds {bounds}, not {fact.minimum} .. {fact.maximum}'


def _number(text: Optional[str], otherwise: str) -> float:
    return float((text or otherwise).split()[0])


def _value(kind: ValueType, text: Optional[str]) -> Any:
    """Return a default; ``__default__`` and the empty text stand for none."""
    if not text or text == '__default__':
        return None
    if kind is POSE:
        return sdf.pose(text)
    return kind.parse(text, []) if kind.parse is not None else text


def main(checkout: Path) -> int:
    """Print what differs; return the exit status."""
    found = list(Comparison(checkout).differences())
    unexpected = [f'{name}: {what}' for name, what in found if name not in INTENDED]
    gone = [f'{name}: no difference any more' for name in INTENDED.keys() - dict(found).keys()]
    print('\n'.join(unexpected + gone) or f'no difference but the {len(INTENDED)} intended ones')
    return 1 if unexpected or gone else 0


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
