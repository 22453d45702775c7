# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""ROS packages: their share directories, their names, the URIs of the files in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import os
from typing import Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.file_reader import may_read, open_regular, TEXT
from hrdf_ros.xml_file import parse_xml

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
        self._environ = environ
        self._roots = roots
        self._shares: dict[str, Optional[str]] = {}
        self._names: dict[str, str] = {}
        self._enclosing: dict[tuple[str, str], Optional[str]] = {}

    def share(self, package: str) -> Optional[str]:
        """Return the share directory of a ROS package: given ones first, then the ament index."""
        if package in self.given:
            return self.given[package]
        if package not in self._shares:
            self._shares[package] = self._share_in_index(package)
        return self._shares[package]

    def _share_in_index(self, package: str) -> Optional[str]:
        for prefix in self._environ.get('AMENT_PREFIX_PATH', '').split(':'):
            share = os.path.join(prefix, 'share', package)
            if prefix and package and os.path.isdir(share):
                return share
        return None

    def enclosing(self, package: str, beside: str) -> Optional[str]:
        """
        Return the directory of a package that a file is in or beside, None without one.

        Of the directories above the file and those beside them: one whose package.xml has this
        name; else one above that has this name itself.
        """
        key = package, os.path.dirname(beside)
        if beside != TEXT and key not in self._enclosing:
            self._enclosing[key] = self._find_enclosing(package, os.path.abspath(key[1]))
        return self._enclosing.get(key)

    def _find_enclosing(self, package: str, directory: str) -> Optional[str]:
        if package in ('', os.curdir, os.pardir) or '\0' in package:
            return None
        named = None
        while True:
            for candidate in (directory, os.path.join(directory, package)):
                if self._package_in(candidate) == package:
                    return candidate
            has_name = named is None and os.path.basename(directory) == package
            if has_name and may_read(directory, self._roots):
                named = directory
            above = os.path.dirname(directory)
            if above == directory:
                return named
            directory = above

    def _package_in(self, directory: str) -> str:
        """Return the name in the package.xml of a directory, empty without one."""
        if directory not in self._names:
            self._names[directory] = self._read_package_name(directory)
        return self._names[directory]

    def _read_package_name(self, directory: str) -> str:
        try:
            is_readable = may_read(os.path.join(directory, 'package.xml'), self._roots)
            return package_name(directory) if is_readable else ''
        except (OSError, ValueError):
            return ''

    def knows(self, package: str) -> bool:
        """Tell whether a package is known, or its package.xml was found when a URI named it."""
        return self.share(package) is not None or package in self._names.values()

    def names(self) -> set[str]:
        """Return the names of packages that a file may mean, as far as they are known."""
        names = {*self.given, *self._names.values()}
        for prefix in self._environ.get('AMENT_PREFIX_PATH', '').split(':'):
            index = os.path.join(prefix, 'share', 'ament_index', 'resource_index', 'packages')
            try:
                names.update(os.listdir(index) if prefix else ())
            except (OSError, ValueError):
                continue
        return names - {''}

    def shares(self) -> list[str]:
        """Return the directories of the given packages, and those with all share directories."""
        prefixes = self._environ.get('AMENT_PREFIX_PATH', '').split(':')
        return [*self.given.values(),
                *(os.path.join(prefix, 'share') for prefix in prefixes if prefix)]

    def uri(self, file: str) -> Optional[str]:
        """Return the ``package://`` URI of a file inside a known package's share directory."""
        real = os.path.abspath(file)
        for package, share in self.given.items():
            below = os.path.relpath(real, os.path.abspath(share))
            if not below.startswith('..'):
                return f'package://{package}/{below}'
        for prefix in self._environ.get('AMENT_PREFIX_PATH', '').split(':'):
            below = os.path.relpath(real, os.path.join(os.path.abspath(prefix or '/'), 'share'))
            if prefix and not below.startswith('..') and os.sep in below:
                return f'package://{below}'
        return None


def package_name(directory: str) -> str:
    """
    Return the name in a directory's package.xml, empty without one.

    Without a file it is an OSError, a ValueError where no directory can have the name.
    """
    manifest = os.path.join(directory, 'package.xml')
    with open_regular(manifest) as stream:
        source = SourceFile(manifest, stream.read(_MANIFEST_BYTES))
    root = parse_xml(source, Report())
    name = None if root is None else root.findtext('{*}name')
    return (name or '').strip()
