# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The page of the JSON output, from its JSON schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import json
from pathlib import Path
from typing import Any

from reference.markdown import code, table, text

_FOLDER = Path(__file__).resolve().parents[2] / 'docs' / 'schema'
_HEAD = """\
# JSON output

Generated from the JSON schemas in `docs/schema`. What is here is stable: keys are not renamed or
removed. Numbers that are unbounded or undefined are `null`; lengths are in meters, angles in
radians, masses in kilograms; quaternions are `x, y, z, w` with `w >= 0`.

"""


def json_page() -> str:
    """Return the page: a section for each schema, with a table for each object in it."""
    return _HEAD + '\n'.join(
        _section(file) for file in sorted(_FOLDER.glob('*.schema.json')))


def _section(file: Path) -> str:
    schema = json.loads(file.read_text(encoding='utf-8'))
    section = (f'## {schema["title"]}\n\n{text(schema.get("description", ""))} '
               f'Schema: [{file.name}](../schema/{file.name}).\n\n')
    section += _object(schema)
    for name, definition in schema.get('$defs', {}).items():
        if 'properties' in definition:
            section += f'\n**{name}**: {text(definition.get("description", "an object"))}\n\n'
            section += _object(definition)
    return section


def _object(schema: Mapping[str, Any]) -> str:
    return table(('key', 'type', 'means'), _rows(schema, ''))


def _rows(schema: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str, str]]:
    required = schema.get('required', ())
    for name, value in schema.get('properties', {}).items():
        optional = '' if name in required else ' (optional)'
        yield code(prefix + name) + optional, _type(value), text(value.get('description', ''))
        inner = value.get('items', value)
        if 'properties' in inner:
            yield from _rows(inner, f'{prefix}{name}{"[]" if "items" in value else ""}.')


def _type(value: Mapping[str, Any]) -> str:
    """Return what a value may be, in words."""
    if '$ref' in value:
        return str(value['$ref']).rpartition('/')[2]
    if 'enum' in value or 'const' in value:
        return ', '.join(code(json.dumps(word)) for word in value.get('enum', [
            value.get('const')]))
    if 'anyOf' in value or 'oneOf' in value:
        return ' or '.join(_type(one) for one in value.get('anyOf', value.get('oneOf')))
    if value.get('type') == 'array':
        items = value.get('items')
        return f'list of {_type(items)}' if isinstance(items, dict) else 'list'
    kind = value.get('type', 'any')
    return ' or '.join(kind) if isinstance(kind, list) else str(kind)
