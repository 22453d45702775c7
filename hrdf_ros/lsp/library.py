# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The files around a document, the meaning of names in them, and new names.

Open documents come before the files on disk. Files are read as ``load`` reads them, by a Resolver
with its limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
import os
from pathlib import Path
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import as_utf8
from hrdf_ros.lsp.analysis import AnalysisSettings
from hrdf_ros.lsp.documents import Buffer, LARGEST
from hrdf_ros.lsp.names import (
    Definition,
    DELIMITER,
    Include,
    NameReference,
    NameScope,
)
from hrdf_ros.lsp.text import Span, Text
from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.resolve import Resolver

_WORKSPACE_FILES = 2000
"""Files of a workspace that are looked into for names."""
_WORKSPACE_ENTRIES = 50_000
_INCLUDE_DEPTH = 32
_VISIBLE_NAMES = 2000
_NOT_SOURCES = ('build', 'install', 'log', 'node_modules')
_FRAMES_BY_OTHER_NAMES = ('tag', 'body', 'marker')


class RenameRefused(ValueError):
    """A name that the thing cannot have; the message says why."""


class Named(NamedTuple):
    """A definition and the file that it is in."""

    buffer: Buffer
    definition: Definition

    @property
    def place(self) -> Place:
        """Where the name is written."""
        return Place(self.buffer, self.definition.span)


class Place(NamedTuple):
    """A part of a file."""

    buffer: Buffer
    span: Span


Cache = dict[str, tuple[tuple[int, int], Buffer]]
"""Files that were read, by real path, with their time and size."""


class Library:
    """
    Files by path at one moment: ``documents`` are the open ones, by real path.

    ``folders`` are those of the workspace, which is searched up to 2,000 files; includes are
    followed to a depth of 32.
    """

    def __init__(
        self, documents: Mapping[str, Buffer], settings: AnalysisSettings = AnalysisSettings(),
        folders: Sequence[str] = (), encoding: str = 'utf-16', cache: Optional[Cache] = None,
    ) -> None:
        self._documents = documents
        self._settings = settings
        self._folders = folders
        self._encoding = encoding
        self._cache: Cache = {} if cache is None else cache

    # ---- files

    def buffer(self, path: str) -> Optional[Buffer]:
        """Return a file, None where it cannot be read or is too large to look into."""
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
            found = self._read(real) if status.st_size <= LARGEST else None
            if found is not None:
                self._cache[real] = stamp, found
        return found

    def _read(self, path: str) -> Optional[Buffer]:
        source = self._resolver().read(path, Report())
        data = None if source is None else as_utf8(source, Report())
        if data is None:
            return None
        return Buffer(Path(path).as_uri(), path, Text(data.decode('utf-8'), self._encoding))

    @cached_property
    def _overlay(self) -> dict[str, str]:
        return {path: buffer.text.source for path, buffer in self._documents.items()}

    def _resolver(self) -> Resolver:
        settings = self._settings
        return Resolver(
            settings.path, dict(settings.packages), limits=settings.limits,
            overlay=self._overlay)

    def find(self, buffer: Buffer, uri: str) -> Optional[str]:
        """Return the file that a path or URI in a file means, of a model directory its file."""
        resolver = self._resolver()
        is_beside = buffer.language is not None and buffer.language.name == 'hrdf'
        found = resolver.find(uri, buffer.path)
        if is_beside and '://' not in uri:
            found = os.path.normpath(os.path.join(os.path.dirname(buffer.path), uri))
        if found is not None and resolver.is_model_directory(found):
            manifest = next(one.manifest for one in FORMATS if one.manifest)
            found = import_module(manifest).best_file(found, None, resolver, Report())
        return found

    def included(self, buffer: Buffer, include: Include) -> Optional[Buffer]:
        """Return the file of an include."""
        path = self.find(buffer, include.uri)
        return None if path is None or os.path.isdir(path) else self.buffer(path)

    def workspace(self, buffer: Buffer) -> Iterator[Buffer]:
        """Yield the files in which a name of a file may be: open, below the folders, included."""
        pending = [buffer, *list(self._documents.values()), *self._below_folders()]
        seen: set[str] = set()
        while pending and len(seen) < _WORKSPACE_FILES:
            one = pending.pop(0)
            if one.path in seen:
                continue
            seen.add(one.path)
            yield one
            scopes = [one.names.top]
            for scope in scopes:
                scopes += scope.scopes
                targets = [self.included(one, include) for include in scope.includes]
                pending += [target for target in targets if target is not None]

    def _below_folders(self) -> Iterator[Buffer]:
        suffixes = tuple(suffix for one in FORMATS for suffix in one.suffixes)
        entries = 0
        for folder in self._folders:
            for directory, below, files in os.walk(folder):
                below[:] = sorted(one for one in below if not one.startswith('.')
                                  and one not in _NOT_SOURCES)
                entries += len(files) + len(below)
                if entries > _WORKSPACE_ENTRIES:
                    return
                for file in sorted(files):
                    found = self.buffer(os.path.join(directory, file)) if (
                        file.lower().endswith(suffixes)) else None
                    if found is not None:
                        yield found

    # ---- names

    def content(self, buffer: Buffer) -> NameScope:
        """Return the scope of the model that an include of a file stands for."""
        top = buffer.names.top
        return top.scopes[0] if top.scopes else top

    def lookup(
        self, buffer: Buffer, scope: NameScope, name: str, depth: int = 0,
    ) -> list[Named]:
        """Return the definitions of a name in a scope: all those of one thing."""
        found = [Named(buffer, one) for one in scope.definitions.get(name, ())]
        for include in scope.includes if not found and depth < _INCLUDE_DEPTH else ():
            target = self.included(buffer, include)
            if target is None:
                continue
            if include.merges:
                found = self.lookup(target, self.content(target), name, depth + 1)
            elif include.name is None:
                found = [Named(target, one) for one in target.names.top.definitions.get(name, ())
                         if one.kind == 'model']
            if found:
                break
        return found

    def enter(
        self, buffer: Buffer, scope: NameScope, name: str, depth: int = 0,
    ) -> Optional[tuple[Buffer, NameScope]]:
        """Return the nested scope of a name, in whatever file it is."""
        for inner in scope.scopes:
            if inner.name == name:
                return buffer, inner
        for include in scope.includes if depth < _INCLUDE_DEPTH else ():
            target = self.included(buffer, include)
            if target is None:
                continue
            inner = self.content(target)
            if include.merges:
                found = self.enter(target, inner, name, depth + 1)
                if found is not None:
                    return found
            elif name == (include.name or self._own_name(target, inner)):
                return target, inner
        return None

    def _own_name(self, buffer: Buffer, scope: NameScope) -> str:
        root = buffer.syntax.root
        named = scope.name or (root and buffer.syntax.value(root, 'name'))
        return named or Path(buffer.path).stem

    def resolve(self, buffer: Buffer, reference: NameReference, index: int) -> list[Named]:
        """Return the definitions that a part of a reference leads to."""
        place = self._start(buffer, reference)
        for part in reference.parts[:index]:
            place = None if place is None else self.enter(*place, part.name)
        if place is None:
            return []
        is_last = index + 1 == len(reference.parts)
        kinds = reference.kinds if is_last else ('model',)
        found = self.lookup(*place, reference.parts[index].name)
        return [one for one in found if _is_of(one.definition.kind, kinds)]

    def _start(
        self, buffer: Buffer, reference: NameReference,
    ) -> Optional[tuple[Buffer, NameScope]]:
        if reference.through is None:
            return buffer, reference.scope
        for include in reference.scope.includes:
            if include.node is reference.through:
                target = self.included(buffer, include)
                return None if target is None else (target, self.content(target))
        return None

    def visible(
        self, buffer: Buffer, reference: NameReference,
    ) -> Iterator[tuple[str, Definition]]:
        """Yield the names that a reference may have, with the delimiter for nested scopes."""
        start = self._start(buffer, reference)
        pending = [] if start is None else [(*start, '', 0)]
        count, seen = 0, set()
        while pending:
            file, scope, prefix, depth = pending.pop(0)
            for name, definitions in scope.definitions.items():
                kinds = [one for one in definitions if _is_of(one.kind, reference.kinds)]
                if kinds and prefix + name not in seen and count < _VISIBLE_NAMES:
                    count += 1
                    seen.add(prefix + name)
                    yield prefix + name, kinds[0]
            if depth < _INCLUDE_DEPTH and count < _VISIBLE_NAMES:
                pending += self._nested(file, scope, prefix, depth + 1)

    def _nested(
        self, buffer: Buffer, scope: NameScope, prefix: str, depth: int,
    ) -> Iterator[tuple[Buffer, NameScope, str, int]]:
        for inner in scope.scopes:
            yield buffer, inner, f'{prefix}{inner.name}{DELIMITER}', depth
        for include in scope.includes:
            target = self.included(buffer, include)
            if target is not None:
                inner = self.content(target)
                name = '' if include.merges else (
                    f'{include.name or self._own_name(target, inner)}{DELIMITER}')
                yield target, inner, prefix + name, depth

    def named_at(self, buffer: Buffer, offset: int) -> list[Named]:
        """Return the definitions of the name at an offset."""
        definition = buffer.names.definition_at(offset)
        if definition is not None:
            return [Named(buffer, one) for one in definition.scope.definitions[definition.name]
                    if one.kind == definition.kind]
        found = buffer.names.reference_at(offset)
        return [] if found is None else self.resolve(buffer, *found)

    def references(
        self, named: Sequence[Named], files: Optional[Iterable[Buffer]] = None,
    ) -> Iterator[Place]:
        """Yield every reference to a thing in some files, by default in all of the workspace."""
        places, name = {one.place for one in named}, named[0].definition.name
        for buffer in self.workspace(named[0].buffer) if files is None else files:
            for reference in buffer.names.references:
                for index, part in enumerate(reference.parts):
                    if part.name == name and any(
                            one.place in places for one in self.resolve(buffer, reference, index)):
                        yield Place(buffer, part.span)

    # ---- requests

    def definitions(self, buffer: Buffer, offset: int) -> list[Place]:
        """Return where the thing or file that is named at an offset is."""
        file = buffer.names.file_at(offset)
        if file is None:
            return [one.place for one in self.named_at(buffer, offset)]
        path = self.find(buffer, file.uri)
        target = None if path is None else self.buffer(path)
        return [] if target is None else [Place(target, Span(0, 0))]

    def all_references(
        self, buffer: Buffer, offset: int, *, with_definition: bool,
    ) -> list[Place]:
        """Return every place that names the thing, or includes the file, at an offset."""
        file = buffer.names.file_at(offset)
        if file is not None:
            path = self.find(buffer, file.uri)
            return [] if path is None else [
                Place(other, one.span) for other in self.workspace(buffer)
                for one in other.names.files if self.find(other, one.uri) == path]
        named = self.named_at(buffer, offset)
        own = [one.place for one in named] if with_definition else []
        return [*own, *self.references(named)] if named else []

    def renamed(self, named: Sequence[Named], name: str) -> dict[str, list[Place]]:
        """
        Return where a thing is named, by file.

        Raise RenameRefused where it cannot have the name.
        """
        self._check_name(named[0], name)
        files: dict[str, list[Place]] = {}
        for place in dict.fromkeys([*(one.place for one in named), *self.references(named)]):
            files.setdefault(place.buffer.path, []).append(place)
        return files

    def _check_name(self, named: Named, name: str) -> None:
        if not name.strip() or not name.isprintable():
            raise RenameRefused('a name has at least one character, and only printable ones')
        language = named.buffer.language
        is_sdf = language is not None and language.name == 'sdf'
        if is_sdf and DELIMITER in name:
            raise RenameRefused(f"'{DELIMITER}' in a name leads into a nested model")
        if is_sdf and (name == 'world' or name.startswith('__') and name.endswith('__')):
            raise RenameRefused(f"'{name}' is reserved by SDFormat")
        definition = named.definition
        for other in self.lookup(named.buffer, definition.scope, name):
            if is_sdf or other.definition.kind == definition.kind:
                raise RenameRefused(
                    f"there is a {other.definition.kind} '{name}' in the same scope")


def _is_of(kind: str, kinds: Sequence[str]) -> bool:
    """Return whether a kind is one of several; tags, bodies and markers are frames for others."""
    return kind in kinds or kind in _FRAMES_BY_OTHER_NAMES and 'frame' in kinds
