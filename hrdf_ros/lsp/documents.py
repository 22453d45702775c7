# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Texts with their elements, format and names: open documents, and files beside them."""

from __future__ import annotations

from functools import cached_property
from typing import Optional

from hrdf_ros.lsp.names import read_names, SymbolTable
from hrdf_ros.lsp.places import Language, language_of
from hrdf_ros.lsp.syntax import Syntax
from hrdf_ros.lsp.text import Lines, Position, Text

LARGEST = 4 << 20
"""Characters of a text up to which more than its diagnostics is computed."""


class Buffer:
    """
    The text of a file, as an editor has it or as it is on disk, which does not change.

    ``version`` is the editor's, None for a file that is not open. Of a text that is too large
    only the format is known.
    """

    def __init__(self, uri: str, path: str, text: Text, version: Optional[int] = None) -> None:
        self.uri = uri
        self.path = path
        self.text = text
        self.version = version

    @property
    def is_large(self) -> bool:
        """Whether the text is too large to be looked into."""
        return len(self.text.source) > LARGEST

    @cached_property
    def syntax(self) -> Syntax:
        """The elements."""
        return Syntax('' if self.is_large else self.text.source)

    @cached_property
    def language(self) -> Optional[Language]:
        """The format, None where it is no robot description."""
        return language_of(self.path, self.text.source, self.syntax)

    @cached_property
    def names(self) -> SymbolTable:
        """The names that are defined and referred to."""
        return read_names(self.syntax, self.language)


class OpenDocument:
    """A document that is open in the editor; ``buffer`` is its text after the last edit."""

    def __init__(self, uri: str, path: str, source: str, version: int, encoding: str) -> None:
        self._lines = Lines(source, encoding)
        self._encoding = encoding
        self._buffer: Optional[Buffer] = Buffer(uri, path, Text(source, encoding), version)
        self.uri = uri
        self.path = path
        self.version = version

    @property
    def buffer(self) -> Buffer:
        """The text, which is put together when it is needed: not for each of many edits."""
        if self._buffer is None:
            text = Text(self._lines.source(), self._encoding)
            self._buffer = Buffer(self.uri, self.path, text, self.version)
        return self._buffer

    def change(self, version: int, text: str, span: Optional[tuple[Position, Position]]) -> None:
        """Write a text in place of a range, or of all."""
        if span is None:
            self._lines = Lines(text, self._encoding)
        else:
            self._lines.replace(*span, text)
        self.version = version
        self._buffer = None
