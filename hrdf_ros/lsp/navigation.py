# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Where a name or a file is defined, and where else it is named."""

from __future__ import annotations

from typing import NamedTuple

from hrdf_ros.lsp.buffer import Buffer
from hrdf_ros.lsp.library import Library
from hrdf_ros.lsp.rename import occurrences
from hrdf_ros.lsp.text import Span


class BufferSpan(NamedTuple):
    """A part of a file."""

    buffer: Buffer
    span: Span


def definitions(buffer: Buffer, offset: int, library: Library) -> list[BufferSpan]:
    """Return where the thing or file that is named at an offset is."""
    file = buffer.names.file_at(offset)
    if file is not None:
        path = library.find(buffer, file.uri)
        target = None if path is None else library.buffer(path)
        return [] if target is None else [BufferSpan(target, Span(0, 0))]
    named = library.named_at(buffer, offset)
    return [BufferSpan(one.buffer, one.definition.span) for one in named]


def references(
    buffer: Buffer, offset: int, library: Library, *, with_definition: bool,
) -> list[BufferSpan]:
    """Return every place that names the thing, or includes the file, at an offset."""
    file = buffer.names.file_at(offset)
    if file is not None:
        return _file_references(buffer, file.uri, library)
    named = library.named_at(buffer, offset)
    if not named:
        return []
    found = occurrences(library, named) if with_definition else library.references(named)
    return [BufferSpan(one.buffer, one.part.span) for one in found]


def _file_references(buffer: Buffer, uri: str, library: Library) -> list[BufferSpan]:
    path = library.find(buffer, uri)
    return [] if path is None else [
        BufferSpan(other, file.span) for other in library.workspace(buffer)
        for file in other.names.files if library.find(other, file.uri) == path]
