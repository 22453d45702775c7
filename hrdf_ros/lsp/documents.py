# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Texts with their elements, format and names: open documents, and files beside them."""

from __future__ import annotations

from functools import cached_property
import os
from typing import Optional

from hrdf_ros.document import root_element, SourceFile
from hrdf_ros.lsp.names import read_names, SymbolTable
from hrdf_ros.lsp.places import Language
from hrdf_ros.lsp.syntax import Syntax
from hrdf_ros.lsp.text import EDITED_BYTES, Span, Text
from hrdf_ros.readers.registry import Format, format_of
from lsprotocol import types as lsp


class Buffer:
    """
    The text of a file, as an editor has it or as it is on disk, which does not change.

    ``version`` is the editor's, None for a file that is not open. Of a text that is too large
    only the format is known.
    """

    def __init__(self, uri: str, path: str, text: Text, version: Optional[int] = None) -> None:
        self.uri = uri
        self.path = path
        self.real = os.path.realpath(path)
        self.text = text
        self.version = version

    @property
    def is_large(self) -> bool:
        """Whether the text is too large to be looked into."""
        return len(self.text.source) > EDITED_BYTES

    @cached_property
    def syntax(self) -> Syntax:
        """The elements."""
        return Syntax('' if self.is_large else self.text.source)

    @cached_property
    def format(self) -> Optional[Format]:
        """The format, None where it is no robot description."""
        file = SourceFile(
            self.path, self.text.source.encode('utf-8', 'replace'), encoding='utf-8')
        root = root_element(file)
        if root is None and self.syntax.root is not None:  # what is before it is not well-formed
            root = self.syntax.root.tag, self.syntax.values(self.syntax.root)
        return format_of(file, root)

    @cached_property
    def language(self) -> Optional[Language]:
        """The schema of the format and the version of the text."""
        return None if self.format is None else Language(self.format, self.syntax)

    @cached_property
    def names(self) -> SymbolTable:
        """The names that are defined and referred to."""
        return read_names(self)

    def location(self, span: Span) -> lsp.Location:
        """Return a part of the text as a location."""
        return lsp.Location(self.uri, self.text.range_of(span))
