# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""ROS packages: their share directories, their names, the URIs of the files in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
import os
from typing import Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.file_reader import may_read, open_regular, TEXT

_MANIFEST = 'package.xml'
_MANIFEST_BYTES = 1 << 20


class Packages:
    """
    The packages that a load may refer to: ``given`` ones, then those of the ament index.

    With ``roots`` only files below these directories are looked at.
    """

    def __init__(
        self, given: Mapping[str, str], environ: Mapping[str, str],
        roots: Optional[Sequence[str]],
    ) -> None:
        self.given = dict(given)
        self._roots = roots
        prefixes = environ.get('AMENT_PREFIX_PATH', '').split(':')
        self._prefixes = list(dict.fromkeys(filter(None, prefixes)))
        self._entries: dict[str, frozenset[str]] = {}
        """The entries of each directory, by its path: a file may name many packages."""
        self._readable: dict[str, bool] = {}
        self._names: dict[str, str] = {}
        """The name in the package.xml of a directory, empty without one."""
        self._found: set[str] = set()
        """The names in all package.xml that were read."""

    def share(self, package: str) -> Optional[str]:
        """Return the share directory of a ROS package: given ones first, then the ament index."""
        if package in self.given:
            return self.given[package]
        for prefix in self._prefixes:
            directory = os.path.join(prefix, 'share')
            if package in self._entries_of(directory):
                share = os.path.join(directory, package)
                if os.path.isdir(share):
                    return share
        return None

    def enclosing(self, package: str, beside: str) -> Optional[str]:
        """
        Return the directory of a package that a file is in or beside, None without one.

        The nearest directory above the file, or beside one above it, whose package.xml has this
        name; else one above that has this name itself.
        """
        if beside == TEXT or package in ('', os.curdir, os.pardir) or '\0' in package:
            return None
        named, above = None, os.path.abspath(os.path.dirname(beside))
        directory = ''
        while directory != above:
            directory, above = above, os.path.dirname(above)
            if self._package_in(directory) == package:
                return directory
            is_readable = self._is_readable(directory)
            candidate = os.path.join(directory, package)
            if not is_readable or package in self._entries_of(directory):
                if self._package_in(candidate) == package:
                    return candidate
            if is_readable and named is None and os.path.basename(directory) == package:
                named = directory
        return named

    def _is_readable(self, directory: str) -> bool:
        if directory not in self._readable:
            self._readable[directory] = may_read(directory, self._roots)
        return self._readable[directory]

    def _entries_of(self, directory: str) -> frozenset[str]:
        """Return the names in a directory, none where it cannot be read."""
        if directory not in self._entries:
            try:
                self._entries[directory] = frozenset(os.listdir(directory))
            except (OSError, ValueError):
                self._entries[directory] = frozenset()
        return self._entries[directory]

    def _package_in(self, directory: str) -> str:
        """Return the name in the package.xml of a directory, empty without one."""
        if directory not in self._names:
            name = ''
            if may_read(os.path.join(directory, _MANIFEST), self._roots):
                with suppress(OSError, ValueError):
                    name = package_name(directory)
            self._names[directory] = name
            self._found.add(name)
        return self._names[directory]

    def knows(self, package: str) -> bool:
        """Return whether a package is known, or its package.xml was found for a URI."""
        return self.share(package) is not None or package in self._found

    def names(self) -> set[str]:
        """Return the names of packages that a file may mean, as far as they are known."""
        index = os.path.join('share', 'ament_index', 'resource_index', 'packages')
        indexed = (self._entries_of(os.path.join(prefix, index)) for prefix in self._prefixes)
        return {*self.given, *self._found}.union(*indexed) - {''}

    def shares(self) -> list[str]:
        """Return the directories of the given packages and the share directories of the index."""
        return [*self.given.values(), *(os.path.join(one, 'share') for one in self._prefixes)]

    def uri(self, file: str) -> Optional[str]:
        """Return the ``package://`` URI of a file inside a known package's share directory."""
        real = os.path.abspath(file)
        for package, share in self.given.items():
            below = os.path.relpath(real, os.path.abspath(share))
            if not below.startswith('..'):
                return f'package://{package}/{below}'
        for prefix in self._prefixes:
            below = os.path.relpath(real, os.path.join(os.path.abspath(prefix), 'share'))
            if not below.startswith('..') and os.sep in below:
                return f'package://{below}'
        return None


def package_name(directory: str) -> str:
    """
    Return the name in a directory's package.xml, empty without one.

    Without a file it is an OSError, a ValueError where no directory can have the name.
    """
    from hrdf_ros.xml_file import parse_xml

    manifest = os.path.join(directory, _MANIFEST)
    with open_regular(manifest) as stream:
        source = SourceFile(manifest, stream.read(_MANIFEST_BYTES))
    root = parse_xml(source, Report())
    name = None if root is None else root.findtext('{*}name')
    return (name or '').strip()
