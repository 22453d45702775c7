# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Find files by URIs, search paths and packages.

Nothing is fetched from a network; ``hrdf fetch`` does that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
import os
from types import ModuleType
from typing import Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.file_reader import FileReader, may_read, open_regular, TEXT
from hrdf_ros.limits import ResourceLimits

_LEVELS_ABOVE = 5
"""The most directories above a file in which a relative path is tried."""
_MANIFEST = 'package.xml'
_MANIFEST_BYTES = 1 << 20
"""The most bytes that are read of a package.xml."""
_NEIGHBORS = 1000
"""The most entries of a directory of a repository that are looked at for packages."""


class Resolver(FileReader):
    """
    Finds and reads the files of one load.

    ``path`` lists directories for ``model://`` and plain URIs; ``packages`` maps names to share
    directories, which come before the ament index. With ``roots`` only files below these
    directories and the caches of downloads are read, after symbolic links are followed; without
    ``roots`` any file may be read.
    """

    def __init__(
        self, path: Sequence[str] = (), packages: Optional[Mapping[str, str]] = None, *,
        roots: Optional[Sequence[str]] = None, limits: ResourceLimits = ResourceLimits(),
        environ: Mapping[str, str] = os.environ, overlay: Optional[Mapping[str, str]] = None,
    ) -> None:
        if roots is not None:
            fuel = _fuel()
            roots = (*roots, *fuel.caches(environ), *filter(None, [fuel.file_cache(environ)]))
        super().__init__(limits, roots, overlay or {})
        self.on_network: dict[str, None] = {}
        """The http and https URIs that were looked for and are in no cache, once each."""
        self.path = tuple(path)
        self.packages = Packages(packages or {}, environ, self.roots)
        self._environ = environ

    def find(self, uri: str, beside: str) -> Optional[str]:
        """
        Return the file or directory that a URI means, None where there is none.

        A ``package://`` URI is searched by package (see ``Packages.find``), and an absolute path,
        also behind ``file:``, is taken as it is. Any other path, without its scheme, is searched
        in the directory of the file ``beside``, then in the search path, ``SDF_PATH``,
        ``GZ_SIM_RESOURCE_PATH``, ``IGN_GAZEBO_RESOURCE_PATH`` and ``GAZEBO_MODEL_PATH``; a
        ``model://`` URI is searched by package last. http and https URIs are searched in the
        caches of Fuel, and by the name of the model in the search path (see ``fuel``). With roots
        nothing outside of them is looked at; a path outside is returned as the URI names it, and
        is refused when it is read.
        """
        candidates = [path for path in self._candidates(uri, beside) if '\0' not in path]
        found = next(filter(self.exists, filter(self.allows, candidates)), None)
        if found is None and uri.startswith('model://'):
            found = self.find(f'package://{uri[8:]}', beside)
        if found is None and uri.startswith(('http://', 'https://')):
            self.on_network[uri] = None
        if found is None and candidates and not self.allows(candidates[0]):
            return candidates[0]
        return found

    def _candidates(self, uri: str, beside: str) -> list[str]:
        """Return where the file of a URI may be, best first."""
        scheme, separator, rest = uri.partition('://')
        if not separator:
            rest = _unquoted(uri[5:]) if uri.startswith('file:/') else uri
        elif scheme in ('http', 'https'):
            return list(_fuel().candidates(uri, self.search_path, self._environ))
        elif scheme == 'package':
            package, _, below = rest.partition('/')
            share = self.packages.find(package, beside)
            return [] if share is None else [os.path.join(share, _unquoted(below))]
        elif scheme == 'file':
            rest = _unquoted(rest)
        if not rest or os.path.isabs(rest):
            return [rest]
        if beside == TEXT:
            directories = ['']
        else:
            directories = [os.path.dirname(beside)]
        directories += self.search_path
        return [os.path.normpath(os.path.join(directory, rest)) for directory in directories]

    def folders(self, uri: str, beside: str) -> list[str]:
        """Return the directories that an empty URI, or one with a slash at its end, may mean."""
        candidates = self._candidates(f'{uri}{os.curdir}', beside)
        if uri.startswith('model://'):
            candidates += self._candidates(f'package://{uri[8:]}{os.curdir}', beside)
        return [path for path in candidates if '\0' not in path and self.allows(path)]

    @property
    def search_path(self) -> list[str]:
        """The directories for plain and ``model://`` URIs, options before environment."""
        variables = (
            'SDF_PATH', 'GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'GAZEBO_MODEL_PATH')
        values = (self._environ.get(variable, '') for variable in variables)
        return [*self.path, *(entry for value in values for entry in value.split(':') if entry)]

    def is_model_directory(self, path: str) -> bool:
        """Return whether a path is a directory with ``model.config`` that may be read."""
        manifest = os.path.join(path, 'model.config')
        return self.allows(manifest) and os.path.isfile(manifest)

    def similar_to_uri(self, uri: str, beside: str) -> Optional[str]:
        """Return the hint of ``FileReader.similar`` for a URI that ``find`` finds no file for."""
        hints = map(self.similar, self._candidates(uri, beside))
        return next(filter(None, hints), None)

    def directory_above(self, uri: str, beside: str) -> Optional[str]:
        """
        Return the nearest directory above that of a file from which a relative path exists.

        The result is a directory that may be read. It is None where there is no such directory, or
        where the URI is not relative.
        """
        if beside == TEXT:
            return None
        directory = os.path.dirname(beside)
        for _ in range(_LEVELS_ABOVE):
            directory = os.path.normpath(os.path.join(directory, os.pardir))
            if self.is_in(uri, directory):
                return directory
        return None

    def is_in(self, uri: str, directory: str) -> bool:
        """Return whether a relative path or ``model://`` URI exists below a directory."""
        below = uri.removeprefix('model://')
        if not below or '://' in below or '\0' in below or os.path.isabs(below):
            return False
        file = os.path.join(directory, below)
        return self.allows(file) and os.path.isfile(file)


def _fuel() -> ModuleType:
    """Import the module for URIs of Fuel only when it is needed, because few files have any."""
    from hrdf_ros import fuel
    return fuel


def _unquoted(uri: str) -> str:
    """Return the path of a URI with its escapes (%20) decoded."""
    from urllib.parse import unquote  # costs a start 2 ms; few files have such URIs
    return unquote(uri)


# ---- ROS packages

class Packages:
    """
    The packages that a load may refer to: given ones, those around a file, and the ament index.

    With ``roots`` only files below these directories are looked at.
    """

    def __init__(
        self, given: Mapping[str, str], environ: Mapping[str, str],
        roots: Optional[Sequence[str]],
    ) -> None:
        self.given = {name: os.path.abspath(directory) for name, directory in given.items()}
        self._roots = roots
        prefixes = environ.get('AMENT_PREFIX_PATH', '').split(':')
        self._prefixes = list(dict.fromkeys(filter(None, prefixes)))
        self._entries: dict[str, frozenset[str]] = {}
        """The entries of each directory, by its path; a file may name many packages there."""
        self._readable: dict[str, bool] = {}
        self._names: dict[str, str] = {}
        """The name in the package.xml of a directory, empty without one."""
        self._found: set[str] = set()
        """The names in all package.xml that were read."""
        self._own: dict[str, Optional[str]] = {}
        """The package that a directory is in."""
        self._neighbors: dict[str, dict[str, str]] = {}
        """The packages beside one in its repository, by name."""

    def find(self, package: str, beside: str) -> Optional[str]:
        """
        Return the directory of a package that a file names, None where there is none.

        The search goes through the file's own package, the given packages, the packages beside the
        file's own in the same repository, the ament index, and what ``enclosing`` finds.
        """
        own = None if beside in ('', TEXT) else self._own_package(
            os.path.abspath(os.path.dirname(beside)))
        if own is not None and self._package_in(own) == package:
            return own
        if package in self.given:
            return self.given[package]
        neighbor = None if own is None else self._packages_beside(own).get(package)
        return neighbor or self.share(package) or self.enclosing(package, beside)

    def _own_package(self, directory: str) -> Optional[str]:
        """Return the nearest directory with a package.xml: this directory or one above it."""
        passed = []
        above = directory
        while above not in self._own:
            passed.append(above)
            if self._package_in(above):
                self._own[above] = above
            elif above == os.path.dirname(above):
                self._own[above] = None
            else:
                above = os.path.dirname(above)
        self._own.update(dict.fromkeys(passed, self._own[above]))
        return self._own[directory]

    def _packages_beside(self, own: str) -> dict[str, str]:
        """Return the packages beside one, or beside a directory above it, in its repository."""
        if own not in self._neighbors:
            found: dict[str, str] = {}
            above = own
            directories = []
            while not self._is_repository(above) and above != os.path.dirname(above):
                above = os.path.dirname(above)
                directories.append(above)
            for directory in directories if self._is_repository(above) else ():
                for entry in sorted(self._entries_of(directory))[:_NEIGHBORS]:
                    candidate = os.path.join(directory, entry)
                    if not entry.startswith('.') and (name := self._package_in(candidate)):
                        found.setdefault(name, candidate)
            self._neighbors[own] = found
        return self._neighbors[own]

    def _is_repository(self, directory: str) -> bool:
        return self._is_readable(directory) and '.git' in self._entries_of(directory)

    def share(self, package: str) -> Optional[str]:
        """Return the share directory of a package, given or else from the ament index."""
        if package in self.given:
            return self.given[package]
        for prefix in self._prefixes:
            directory = os.path.join(prefix, 'share')
            if package in self._entries_of(directory):
                share = os.path.join(directory, package)
                if os.path.isdir(share):
                    return share
        return None

    def is_retrieved(self, uri: str, file: Optional[str]) -> bool:
        """
        Return whether RViz and MoveIt can load a URI; ``file`` is its file here, None for none.

        Their resource_retriever accepts packages of the ament index, and URIs that libcurl
        accepts: no relative path, no other scheme, no blank. Without ROS the packages of the index
        are not known; then a package that was found here counts as one of them.
        """
        scheme, separator, rest = uri.partition('://')
        if separator and scheme in ('http', 'https'):
            return True
        if file is None or ' ' in uri:
            return False
        if scheme != 'package' or not self.shares():
            return uri.startswith(('package://', 'file:///')) or (
                not separator and uri.startswith('file:/'))
        package, _, below = rest.partition('/')
        share = self.share(package)
        return share is not None and os.path.realpath(
            os.path.join(share, _unquoted(below))) == os.path.realpath(file)

    def enclosing(self, package: str, beside: str) -> Optional[str]:
        """
        Return the directory of a package that a file is in or beside, None without one.

        It is the nearest directory above the file, or beside one above it, whose package.xml has
        this name; else a directory above the file that has this name itself.
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

    def around(self, beside: str) -> set[str]:
        """Return the names of the packages in and beside a file's own one, and all known ones."""
        own = self._own_package(os.path.abspath(os.path.dirname(beside)))
        if own is not None:
            self._packages_beside(own)
            for directory in (own, os.path.dirname(own)):
                for entry in sorted(self._entries_of(directory))[:_NEIGHBORS]:
                    self._package_in(os.path.join(directory, entry))
        return self.names()

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

    A missing file raises OSError, and a path that no directory can have raises ValueError.
    """
    from hrdf_ros.data_files import parse_xml

    manifest = os.path.join(directory, _MANIFEST)
    with open_regular(manifest) as stream:
        source = SourceFile(manifest, stream.read(_MANIFEST_BYTES))
    root = parse_xml(source, Report())
    name = None if root is None else root.findtext('{*}name')
    return (name or '').strip()
