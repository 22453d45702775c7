# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The documents that are open in the editor, each with its current text."""

from __future__ import annotations

from contextlib import suppress
import os
from typing import Optional
from urllib.parse import unquote

from hrdf_ros.lsp.names import Buffer
from hrdf_ros.lsp.positions import Text
from lsprotocol import types as lsp
from pygls.uris import to_fs_path


class Documents:
    """
    The open documents by the real path of their file, which need not exist.

    If several documents are of the same file, the one that was opened or changed last counts.
    """

    def __init__(self) -> None:
        self._by_uri: dict[str, Buffer] = {}
        self.texts: dict[str, Buffer] = {}

    def open(self, item: lsp.TextDocumentItem, encoding: str) -> Buffer:  # noqa: A003
        return self._take(Buffer(
            item.uri, path_of(item.uri), Text(item.text, encoding), item.version))

    def change(self, params: lsp.DidChangeTextDocumentParams) -> Optional[Buffer]:
        """Apply changes to a document."""
        buffer = self._by_uri.get(unquote(params.text_document.uri))
        return buffer and self._take(
            buffer.changed(params.content_changes, params.text_document.version))

    def close(self, document: lsp.TextDocumentIdentifier) -> Optional[Buffer]:
        """Remove a document and return it; another open document of its file takes its place."""
        closed = self._by_uri.pop(unquote(document.uri), None)
        if closed is not None:
            del self.texts[closed.real]
            for other in self._by_uri.values():
                if other.real == closed.real:
                    self.texts[other.real] = other
        return closed

    def find(self, document: lsp.TextDocumentIdentifier) -> Optional[Buffer]:
        """Return the current text of a document's file."""
        return self.texts.get(os.path.realpath(path_of(document.uri)))

    def _take(self, buffer: Buffer) -> Buffer:
        self._by_uri[unquote(buffer.uri)] = self.texts[buffer.real] = buffer
        return buffer


def path_of(uri: str) -> str:
    """Return the path of a document; a document that is not a file gets a path, too."""
    path = None
    with suppress(ValueError):
        path = to_fs_path(uri)
    return (path or os.path.join(os.sep, uri)).replace('\0', '')
