# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The pages of the elements of each format, from its schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
import math
from typing import NamedTuple, Optional, Union

from hrdf_ros.cli.reference import summaries
from hrdf_ros.codes import DETAIL_NOT_PRESERVED, NO_EFFECT
from hrdf_ros.readers.registry import format_names
from hrdf_ros.readers.schema import Attribute, Bounds, Element, Schema, ValueType
from reference.markdown import code, table, text

_TITLES = {
    'hrdf': 'HRDF', 'mjcf': 'MJCF', 'sdf': 'SDFormat', 'skel': 'SKEL', 'urdf': 'URDF'}
APPROXIMATED = {
    'hrdf': ('hrdf-inertia-approximated',),
    'mjcf': ('mesh-inertia-unknown', 'mjcf-part-ignored'),
    'sdf': ('sdf-density-default', 'sdf-gearbox-without-effect', 'sdf-mimic-ignored'),
    'skel': ('skel-soft-body', 'mesh-inertia-unknown'),
    'urdf': (),
}
"""Codes about what is read, but not exactly as the reference implementation has it."""
_HANDLING = {
    'read': 'read',
    'checked': 'validated only',
    'preserved': 'preserved',
    'not preserved': 'ignored, `{not_preserved}`',
    'no effect': 'ignored, `{no_effect}`',
    'foreign': 'ignored, `{foreign}`',
    'skipped': 'left to other programs',
}
_LEGEND = """\
| in the last column | means |
| --- | --- |
| read | it becomes part of the Model: poses, TF, conversions have it |
| preserved | it is validated, and its text is kept for a target that can hold it |
| validated only | it is validated; no command uses it |
| ignored | it is reported, with the code that is given |
| left to other programs | it is neither validated nor reported |

"""


class _Place(NamedTuple):
    """An element at the first place where it is met."""

    path: tuple[str, ...]
    element: Element
    content: Element

    @property
    def anchor(self) -> str:
        """The anchor of the section that describes the element."""
        return '-'.join(self.path).replace(':', '-').lower()


def element_pages() -> dict[str, str]:
    """Return a page for each format by its path below ``docs``."""
    return {f'reference/{name}.md': _page(name) for name in format_names()}


def _page(name: str) -> str:
    schema: Schema = import_module(f'hrdf_ros.readers.{name}.schema').SCHEMA
    title = _TITLES.get(name, name.upper())
    versions = ', '.join(version for version in schema.versions if version)
    head = (f'# Elements of {title}\n\nGenerated from the schema that the reader validates by. '
            'An element that occurs at several places is described at the first.\n\n')
    if versions:
        head += f'Versions: {versions}.\n\n'
    return (head + _LEGEND + _approximated(APPROXIMATED.get(name, ()))
            + '\n'.join(_Sections(schema).sections()))


def _approximated(names: tuple[str, ...]) -> str:
    if not names:
        return ''
    about = summaries()
    rows = [(f'[`{name}`](../diagnostics.md#{name})', text(about[name])) for name in names]
    return '**Approximated**\n\n' + table(('code', 'what'), rows) + '\n'


class _Sections:
    """Walks through a schema, breadth first, each declaration once."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._handling = {
            name: words.format(
                not_preserved=DETAIL_NOT_PRESERVED, no_effect=NO_EFFECT, foreign=NO_EFFECT)
            for name, words in _HANDLING.items()}
        self._places: list[_Place] = []
        self._known: dict[tuple[str, int], _Place] = {}

    def sections(self) -> Iterator[str]:
        """Yield the section of each element that has attributes or children."""
        self._place((self._schema.root,), self._schema.elements[self._schema.root])
        for place in self._places:  # which grows meanwhile
            yield self._section(place)

    def _place(self, path: tuple[str, ...], element: Element) -> Optional[_Place]:
        """Return where an element is described, or None for an element without contents."""
        content = self._content(element)
        if not (content.attributes or content.children or content.variants):
            return None
        key = path[-1], id(element if element.variants else content)
        if key not in self._known:
            self._known[key] = _Place(path, element, content)
            self._places.append(self._known[key])
        return self._known[key]

    def _content(self, element: Element) -> Element:
        return self._schema.elements[element.like] if element.like else element

    def _child(self, child: Union[Element, str]) -> Element:
        return self._schema.elements[child] if isinstance(child, str) else child

    def _section(self, place: _Place) -> str:
        level = '##' if len(place.path) < 3 else '###'
        where = ' / '.join(f'<{tag}>' for tag in place.path[:-1])
        lines = [f'{level} &lt;{place.path[-1]}&gt; {{#{place.anchor}}}\n']
        if where:
            lines.append(f'in `{where}`\n')
        doc = place.element.doc or place.content.doc
        if doc:
            lines.append(f'{text(doc[:1].upper() + doc[1:])}{"" if doc.endswith(".") else "."}\n')
        lines.append(self._tables(place.path, place.content))
        return '\n'.join(lines)

    def _tables(self, path: tuple[str, ...], content: Element) -> str:
        rows = [self._attribute_row(name, attribute)
                for name, attribute in content.attributes.items()]
        if content.text is not None:
            rows.append(self._value_row('text', content))
        rows += self._children(path, content.children)
        found = table(
            ('', 'type', 'unit', 'default', 'versions', 'means', 'handling'), rows)
        return found + self._variants(path, content)

    def _variants(self, path: tuple[str, ...], content: Element) -> str:
        if content.variants is None:
            return ''
        name, found, shown = content.variants.attribute, '', set[int]()
        for variant in content.variants.elements.values():
            if id(variant) in shown:
                continue
            shown.add(id(variant))
            values = [code(f'{name}="{other}"') for other, same
                      in content.variants.elements.items() if same is variant]
            inner = self._tables(path, variant)
            if inner:
                found += f'\nWith {", ".join(values)}:\n\n{inner}'
        return found

    def _children(
        self, path: tuple[str, ...], children: Mapping[str, Union[Element, str]],
    ) -> Iterator[tuple[str, ...]]:
        for tag, declared in children.items():
            element = self._child(declared)
            target = self._place((*path, tag), element)
            name = f'`<{tag}>`' if target is None else f'[`<{tag}>`](#{target.anchor})'
            yield self._value_row(name, element)

    def _attribute_row(self, name: str, attribute: Attribute) -> tuple[str, ...]:
        return (
            code(f'{name}='), _type(attribute.type), attribute.unit,
            'required' if attribute.required or attribute.expected
            else _written(attribute.default),
            _versions(attribute.since),
            _meaning(attribute), self._handling[attribute.handling])

    def _value_row(self, name: str, element: Element) -> tuple[str, ...]:
        content = self._content(element)
        needed = element.required or element.expected
        default = content.default if element.default is None else element.default
        return (
            name,
            _type(content.text) if content.text is not None else '',
            element.unit or content.unit, 'required' if needed else _written(default),
            _versions(element.since),
            _meaning(element, content.doc) + ('; repeatable' if element.repeated else ''),
            self._handling[element.handling])


def _type(kind: ValueType) -> str:
    if kind.words and len(kind.words) <= 24:
        return ', '.join(map(code, kind.words))
    return text(kind.name)


def _versions(since: str) -> str:
    return f'since {since}' if since else ''


def _meaning(declared: Union[Attribute, Element], doc: str = '') -> str:
    parts = [declared.doc or doc]
    if declared.bounds is not None:
        parts.append(_bounds(declared.bounds))
    if declared.deprecated:
        parts.append(f'deprecated: {declared.deprecated}')
    return text('; '.join(part.rstrip('.') for part in parts if part))


def _bounds(bounds: Bounds) -> str:
    at_least = 'more than' if bounds.excludes_minimum else 'at least'
    parts = [f'{at_least} {bounds.minimum:g}'] if math.isfinite(bounds.minimum) else []
    if math.isfinite(bounds.maximum):
        parts.append(f'at most {bounds.maximum:g}')
    return ' and '.join(parts)


def _written(value: object) -> str:
    if value is None or value == '':
        return ''
    if isinstance(value, bool):
        return code(str(value).lower())
    if isinstance(value, tuple):
        return code(' '.join(_plain(part) for part in _flat(value)))
    return code(_plain(value))


def _flat(value: object) -> Iterator[object]:
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    else:
        yield value


def _plain(value: object) -> str:
    return f'{value:g}' if isinstance(value, float) else str(value)
