# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A text with what is known of it: an open document, or a file beside one."""

from __future__ import annotations

from functools import cached_property
from typing import Optional

from hrdf_ros.lsp.analysis import LARGEST
from hrdf_ros.lsp.names import read_names, SymbolTable
from hrdf_ros.lsp.places import Language, language_of
from hrdf_ros.lsp.syntax import Syntax
from hrdf_ros.lsp.text import Text


class Buffer:
    """
    The text of a file, as an editor has it or as it is on disk, which does not change.

    ``version`` is the editor's, None for a file that is not open. Of a text that is too large
    nothing is known but the text.
    """

    def __init__(self, uri: str, path: str, text: Text, version: Optional[int] = None) -> None:
        self.uri = uri
        self.path = path
        self.text = text
        self.version = version

    @cached_property
    def syntax(self) -> Syntax:
        """The elements."""
        source = self.text.source
        return Syntax(source if len(source) <= LARGEST else '')

    @cached_property
    def language(self) -> Optional[Language]:
        """The format, None where neither suffix nor root element tell."""
        return language_of(self.path, self.syntax)

    @cached_property
    def names(self) -> SymbolTable:
        """The names that are defined and referred to."""
        return read_names(self.syntax, self.language)
