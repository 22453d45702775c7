# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Documents and the files around them: what the names in them mean, and renaming.

An open document is taken instead of the file on disk. Files are read as ``load`` reads them, by a
Resolver with its limits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
import os
from pathlib import Path
import re
from typing import Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import as_utf8
from hrdf_ros.lsp.analysis import AnalysisSettings
from hrdf_ros.lsp.names import Buffer, DELIMITER, FILE, Include, NameScope, Symbol
from hrdf_ros.lsp.paths import with_packages
from hrdf_ros.lsp.positions import SEARCHED_BYTES, Span, Text
from hrdf_ros.lsp.syntax import SyntaxNode
from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.resolve import Resolver
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

_WORKSPACE_FILES = 2000
"""The most files of a workspace that are searched for names."""
_WORKSPACE_ENTRIES = 50_000
"""The most files and directories below the folders of a workspace that are looked at."""
VISIBLE_NAMES = 1000
"""The most names that are proposed; the editor asks again for a longer list at each letter."""
_VISIBLE_SCOPES = 500
"""
The most scopes whose names are proposed; without a limit, models that include each other would
never end.
"""
_NOT_SOURCES = ('build', 'install', 'log', 'node_modules')
"""The directories of a workspace that hold results of builds, not sources."""
_FRAMES_BY_OTHER_NAMES = ('tag', 'body', 'marker')
"""The kinds of items that count as frames in formats that have other words for them."""


Cache = dict[str, tuple[tuple[int, int], Buffer]]
"""The files that were read, by real path, each with its time of change and its size."""


class Library:
    """
    The files at one moment; ``documents`` are the open ones, by real path.

    ``folders`` are those of the workspace, in which up to 2,000 files are searched.
    """

    def __init__(
        self, documents: Mapping[str, Buffer], settings: AnalysisSettings,
        folders: Sequence[str], cache: Cache, encoding: str,
    ) -> None:
        self._documents = documents
        self._settings = settings
        self._folders = folders
        self._cache = cache
        self._encoding = encoding
        options = settings.options
        self.resolver = Resolver(
            options['path'], options['packages'], limits=options['limits'],
            overlay={path: buffer.text.source for path, buffer in documents.items()})

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the library without the files that were read."""
        return Library, (
            dict(self._documents), self._settings, self._folders, {}, self._encoding)

    def with_document(self, buffer: Buffer) -> Library:
        """Return the library with another buffer for an open document."""
        return Library(
            {**self._documents, buffer.real: buffer}, self._settings, self._folders, self._cache,
            self._encoding)

    # ---- files

    def buffer(self, path: str) -> Optional[Buffer]:
        """Return a file, or None if it cannot be read or is too large to be searched."""
        real = os.path.realpath(path)
        if real in self._documents:
            return self._documents[real]
        try:
            status = os.stat(real)
        except (OSError, ValueError):
            return None
        stamp = status.st_mtime_ns, status.st_size
        cached, found = self._cache.get(real, (None, None))
        if cached != stamp:
            found = self._read(real) if status.st_size <= SEARCHED_BYTES else None
            if found is not None:
                self._cache[real] = stamp, found
        return found

    def _read(self, path: str) -> Optional[Buffer]:
        source = self.resolver.read(path, Report())
        data = None if source is None else as_utf8(source, Report())
        return None if data is None else Buffer(
            Path(path).as_uri(), path, Text(data.decode('utf-8'), self._encoding))

    def find(self, buffer: Buffer, uri: str) -> Optional[str]:
        """
        Return the file that a path or URI in a text leads to.

        The path of a model directory leads to the model's file.
        """
        resolved = with_packages(uri, buffer.path, self.resolver.packages)
        found = None if resolved is None else self.resolver.find(resolved, buffer.path)
        if found is not None and self.resolver.is_model_directory(found):
            manifest = next(one.manifest for one in FORMATS if one.manifest)
            found = import_module(manifest).best_file(found, None, self.resolver, Report())
        return None if found is None else os.path.realpath(found)

    def file_of(self, symbol: Symbol) -> Optional[str]:
        """Return the file that a symbol of kind ``file`` names, or None if there is none."""
        buffer = symbol.scope.buffer
        below = '' if '://' in symbol.name else os.path.join(*symbol.path)
        return (below and self.find(buffer, below)) or self.find(buffer, symbol.name)

    def _included(self, scope: NameScope, include: Include) -> Optional[NameScope]:
        """Return the scope of the model that replaces an include."""
        path = self.find(scope.buffer, include.uri)
        buffer = None if path is None or os.path.isdir(path) else self.buffer(path)
        top = None if buffer is None else buffer.names.top
        return top.scopes[0] if top is not None and top.scopes else top

    def _workspace(self, buffer: Buffer) -> Iterator[Buffer]:
        """
        Yield the files in which a name may be used.

        They are the open documents, the files below the folders of the workspace, and what they
        include.
        """
        pending = [buffer, *self._documents.values(), *self._below_folders()]
        seen: set[str] = set()
        while pending and len(seen) < _WORKSPACE_FILES:
            one = pending.pop(0)
            if one.real in seen:
                continue
            seen.add(one.real)
            yield one
            scopes = [one.names.top]
            for scope in scopes:
                scopes += scope.scopes
                targets = [self._included(scope, include) for include in scope.includes]
                pending += [target.buffer for target in targets if target is not None]

    def _below_folders(self) -> Iterator[Buffer]:
        suffixes = ('.xml', *(suffix for one in FORMATS for suffix in one.suffixes))
        entries = 0
        for folder in self._folders:
            for directory, below, files in os.walk(folder):
                below[:] = sorted(one for one in below if not one.startswith('.')
                                  and one not in _NOT_SOURCES)
                entries += len(files) + len(below)
                if entries > _WORKSPACE_ENTRIES:
                    return
                named = [file for file in sorted(files) if file.lower().endswith(suffixes)]
                found = (self.buffer(os.path.join(directory, file)) for file in named)
                yield from (one for one in found if one is not None and one.format is not None)

    # ---- names

    def _nested(self, scope: NameScope) -> Iterator[tuple[str, NameScope]]:
        """Yield the scopes inside a scope with their names; a merged scope has the name ''."""
        for inner in scope.scopes:
            yield inner.name, inner
        for include in scope.includes:
            target = self._included(scope, include)
            if target is not None:
                yield '' if include.merges else include.name or _own_name(target), target

    def _merged(self, scope: NameScope) -> Iterator[NameScope]:
        """Yield a scope and the scopes merged into it, each once: a file may include itself."""
        found = [scope]
        for one in found:
            yield one
            found += [inner for name, inner in self._nested(one)
                      if not name and inner not in found]

    def _lookup(self, scope: NameScope, name: str) -> list[Symbol]:
        """Return the definitions of a name in a scope; all of them define the same item."""
        for one in self._merged(scope):
            if name in one.definitions:
                return one.definitions[name]
            for include in one.includes:
                target = None if include.name or include.merges else self._included(one, include)
                found = [] if target is None else [
                    model for model in target.buffer.names.top.definitions.get(name, ())
                    if model.kinds == ('model',)]
                if found:
                    return found
        return []

    def _enter(self, scope: NameScope, name: str) -> Optional[NameScope]:
        """Return the nested scope of a name; it may be in another file."""
        return next((inner for one in self._merged(scope) for own, inner in self._nested(one)
                     if own == name), None)

    def _resolve(self, symbol: Symbol) -> list[Symbol]:
        """Return the definitions of the item that a symbol names."""
        if symbol.node is not None:
            found = symbol.scope.definitions[symbol.name]
            return [one for one in found if one.kinds == symbol.kinds]
        scope = self._start(symbol)
        for name in symbol.path[:-1]:
            scope = None if scope is None else self._enter(scope, name)
        found = [] if scope is None else self._lookup(scope, symbol.name)
        return [one for one in found if _is_of(one, symbol)]

    def _start(self, reference: Symbol) -> Optional[NameScope]:
        """Return the scope in which the first part of a reference is looked up."""
        for include in reference.scope.includes if reference.through is not None else ():
            if include.node is reference.through:
                return self._included(reference.scope, include)
        return reference.scope if reference.through is None else None

    def visible(
        self, reference: Symbol, around: Sequence[SyntaxNode], typed: str,
    ) -> Iterator[tuple[str, str]]:
        """
        Yield up to 1,000 names that a reference may have, each with the kind of its item.

        The names of elements around the reference are left out, and so are names that do not
        contain the typed characters in their order.
        """
        start = self._start(reference)
        pending = [] if start is None else [
            ('', scope) for scope in (start, start.known) if scope is not None]
        is_meant = _pattern(typed).search
        seen = set[str]()
        for prefix, scope in pending:
            for name, definitions in scope.definitions.items():
                found = next((one for one in definitions if _is_of(one, reference)), None)
                if found is None or prefix + name in seen or not is_meant(prefix + name):
                    continue
                seen.add(prefix + name)
                if found.node not in around:  # nothing refers to itself
                    yield prefix + name, found.kinds[0]
                if len(seen) == VISIBLE_NAMES:
                    return
            if len(pending) < _VISIBLE_SCOPES:
                pending += [(prefix + (name and f'{name}{DELIMITER}'), inner)
                            for name, inner in self._nested(scope)]

    def _references(self, named: Sequence[Symbol]) -> Iterator[Symbol]:
        """Yield every reference to an item in the workspace."""
        for buffer in self._workspace(named[0].scope.buffer) if named else ():
            for one in buffer.names.symbols:
                if one.node is None and one.name == named[0].name and any(
                        found in named for found in self._resolve(one)):
                    yield one

    # ---- requests

    def symbols(self, typed: str) -> Iterator[Symbol]:
        """Yield the workspace's items whose names have the typed characters in their order."""
        is_meant = _pattern(typed).search
        seen: set[str] = set()
        for buffer in [*self._documents.values(), *self._below_folders()]:
            if buffer.real not in seen and not buffer.is_large and buffer.format is not None:
                yield from (one for one in buffer.names.symbols
                            if one.node is not None and is_meant(one.name))
            seen.add(buffer.real)

    def named_at(self, buffer: Buffer, offset: int) -> list[Symbol]:
        """Return the definitions of the name at an offset."""
        symbol = buffer.names.at(offset)
        return [] if symbol is None else self._resolve(symbol)

    def definitions(self, buffer: Buffer, offset: int) -> list[lsp.Location]:
        """Return the place of the item or file that is named at an offset."""
        symbol = buffer.names.at(offset)
        path = symbol and FILE in symbol.kinds and self.file_of(symbol)
        target = self.buffer(path) if path else None
        return [one.location for one in self.named_at(buffer, offset)] if target is None else [
            target.location(Span(0, 0))]

    def references(
        self, buffer: Buffer, offset: int, *, with_definition: bool,
    ) -> list[lsp.Location]:
        """Return every place that names the item, or includes the file, at an offset."""
        symbol = buffer.names.at(offset)
        if symbol is not None and FILE in symbol.kinds:
            path = self.file_of(symbol)
            found = [
                one for other in self._workspace(buffer) for one in other.names.symbols
                if path and FILE in one.kinds and self.file_of(one) == path]
        else:
            named = self.named_at(buffer, offset)
            found = [*(named if with_definition else ()), *self._references(named)]
        return [one.location for one in found]

    def renamed(self, named: Sequence[Symbol], name: str) -> list[Symbol]:
        """
        Return the places to rename.

        JsonRpcInvalidParams is raised if the item cannot have the name.
        """
        self._check_name(named[0], name)
        return list(dict.fromkeys([*named, *self._references(named)]))

    def _check_name(self, named: Symbol, name: str) -> None:
        if not name.strip() or not name.isprintable():
            raise JsonRpcInvalidParams('a name has one or more characters, all printable')
        language = named.scope.buffer.language
        is_sdf = language is not None and language.name == 'sdf'
        is_reserved = name == 'world' or name.startswith('__') and name.endswith('__')
        if is_sdf and (is_reserved or DELIMITER in name):
            raise JsonRpcInvalidParams(f"'{name}' is reserved by SDFormat")
        if any(is_sdf or other.kinds == named.kinds for other in self._lookup(named.scope, name)):
            raise JsonRpcInvalidParams(f"there is a '{name}' in the same scope")


def _pattern(typed: str) -> re.Pattern[str]:
    """Return a pattern for names that contain some characters in their order."""
    return re.compile('.*?'.join(map(re.escape, typed)), re.IGNORECASE | re.DOTALL)


def _own_name(scope: NameScope) -> str:
    """Return the name of an included model: its own, its root element's, or its file's."""
    syntax = scope.buffer.syntax
    named = scope.name or (syntax.root and syntax.value(syntax.root, 'name'))
    return named or Path(scope.buffer.path).stem


def _is_of(found: Symbol, reference: Symbol) -> bool:
    """
    Return whether a reference may mean a definition.

    Tags, bodies and markers are frames to a reference of another format.
    """
    kind, = found.kinds
    return kind in reference.kinds or (
        kind in _FRAMES_BY_OTHER_NAMES and 'frame' in reference.kinds)
