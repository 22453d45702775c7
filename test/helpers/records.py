# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Changes of a record within other records."""

from __future__ import annotations

from typing import Any


def put(record: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Return a record with another value at a path of fields and indices."""
    if not path:
        return value
    key, *rest = path
    if isinstance(key, str):
        return record._replace(**{key: put(getattr(record, key), tuple(rest), value)})
    items = list(record)
    items[key] = put(items[key], tuple(rest), value)
    return tuple(items)


def at(record: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        record = getattr(record, key) if isinstance(key, str) else record[key]
    return record
