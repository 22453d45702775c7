# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Another name for a thing, at its definition and at every reference to it, in all files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hrdf_ros.document import escape
from hrdf_ros.lsp.buffer import Buffer
from hrdf_ros.lsp.library import Library, Named, Occurrence
from hrdf_ros.lsp.names import DELIMITER, ReferencePart
from hrdf_ros.lsp.text import Span


class RenameRefused(ValueError):
    """A name that the thing cannot have; the message says why."""


def name_span(buffer: Buffer, offset: int) -> Span:
    """Return the name at an offset, without the scopes before it; empty where there is none."""
    definition = buffer.names.definition_at(offset)
    if definition is not None:
        return definition.span
    found = buffer.names.reference_at(offset)
    return Span(offset, offset) if found is None else found[0].parts[found[1]].span


def occurrences(library: Library, named: Sequence[Named]) -> Iterator[Occurrence]:
    """Yield the definitions of a thing and all references to it."""
    for one in named:
        yield Occurrence(one.buffer, ReferencePart(one.definition.name, one.definition.span))
    yield from library.references(named)


def rename(
    library: Library, named: Sequence[Named], name: str,
) -> list[tuple[Buffer, list[Span]]]:
    """Return where a thing is named, by file; raise RenameRefused where it cannot be called so."""
    _check(library, named[0], name)
    files: dict[str, tuple[Buffer, list[Span]]] = {}
    for found in occurrences(library, named):
        _, spans = files.setdefault(found.buffer.path, (found.buffer, []))
        if found.part.span not in spans:
            spans.append(found.part.span)
    return list(files.values())


def written(name: str) -> str:
    """Return a name as it is written in a value."""
    return escape(name)


def _check(library: Library, named: Named, name: str) -> None:
    definition = named.definition
    if not name.strip() or not name.isprintable():
        raise RenameRefused('a name has at least one character, and only printable ones')
    language = named.buffer.language
    if language is not None and language.name == 'sdf':
        if DELIMITER in name:
            raise RenameRefused(f"'{DELIMITER}' in a name leads into a nested model")
        if name == 'world' or name.startswith('__') and name.endswith('__'):
            raise RenameRefused(f"'{name}' is reserved by SDFormat")
    others = library.lookup(named.buffer, definition.scope, name)
    is_frame = language is not None and language.name == 'sdf'
    for other in others:
        if is_frame or other.definition.kind == definition.kind:
            raise RenameRefused(
                f"there is a {other.definition.kind} '{name}' in the same scope")
