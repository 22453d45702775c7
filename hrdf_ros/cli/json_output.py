# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""JSON as the contracts have it: numbers that JSON can hold, one record a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from json import dumps
from math import isfinite
from typing import Optional, Union

from hrdf_ros.diagnostics import Diagnostic

Json = Union[
    None, bool, int, float, str, list['Json'], tuple['Json', ...], Mapping[str, 'Json']]


def number(value: float) -> Optional[float]:
    """Return a number without a negative zero, None for what is unbounded or undefined."""
    return value + 0.0 if isfinite(value) else None


def numbers(values: Iterable[float]) -> list[Json]:
    """Return a list of such numbers."""
    return [number(value) for value in values]


def diagnostic_json(found: Diagnostic, checked_file: str) -> Json:
    """Return the JSON form of a diagnostic about a file of the command line."""
    at = found.resolve()
    return {
        'code': found.code, 'severity': found.severity, 'message': found.message,
        'hint': found.hint,
        'file': at.file if at is not None else None,
        'line': at.line if at is not None else None,
        'column': at.column if at is not None else None,
        'included_from': [
            {'file': location.file, 'line': location.line, 'column': location.column}
            for location in (at.included_from if at is not None else ())],
        'reference': found.reference, 'checked_file': checked_file,
    }


def render(document: Mapping[str, Json]) -> str:
    """
    Return a document as JSON text, its top level indented and each record of a list on one line.

    The text is ASCII, so that it survives every encoding.
    """
    fields = ',\n'.join(f'  {dumps(key)}: {_field(value)}' for key, value in document.items())
    return f'{{\n{fields}\n}}'


def _field(value: Json) -> str:
    if not isinstance(value, list) or not value:
        return dumps(value, allow_nan=False)
    items = ',\n'.join('    ' + dumps(item, allow_nan=False) for item in value)
    return f'[\n{items}\n  ]'
