# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Where files are: URIs, search paths, packages; and which files may be read at all.

Nothing is ever fetched from a network. Cycles and depth of includes need no state: a document
knows the include element that asked for it, and so the whole chain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
import os
import re
import stat
from types import ModuleType
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import SourceFile, SourceRef
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.parsing.suggestions import closest, MOST_KNOWN

TEXT = '<text>'
"""The file name of a description that was given as text."""


def is_text(source: str) -> bool:
    """Tell whether a source is text: its first character that is not blank is ``<``."""
    return source.removeprefix('\ufeff').lstrip().startswith('<')

_PACKAGE_NAME = rb'<name>\s*([^<\s]+)\s*</name>'
_LONGEST_MANIFEST = 1 << 20
_CHUNK = 1 << 16
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
"""A file that has become a pipe is opened without waiting for its writer."""
_DESCRIPTORS = '/proc/self/fd'
_HAS_HANDLES = hasattr(os, 'O_PATH') and os.path.isdir(_DESCRIPTORS)
"""Whether a file can be looked at before it is opened for reading, which devices may notice."""


class _Refused(Exception):
    """Ends the reading of a file; ``fault`` is the code and message of why."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.fault = code, message


def _outside_roots(file: str) -> _Refused:
    return _Refused(
        codes.FILE_OUTSIDE_ROOTS, f'{file} is outside of the directories that may be read')


class Resolver:
    """
    Finds and reads the files of one load, and remembers which they were.

    ``path`` are directories for ``model://`` and plain URIs, ``packages`` maps names to share
    directories ahead of the ament index. With ``roots`` only files below these directories and
    the caches of Fuel are read, symbolic links followed; without, any file.
    """

    def __init__(
        self, path: Sequence[str] = (), packages: Optional[Mapping[str, str]] = None, *,
        roots: Optional[Sequence[str]] = None, limits: ResourceLimits = ResourceLimits(),
        environ: Mapping[str, str] = os.environ, overlay: Optional[Mapping[str, str]] = None,
    ) -> None:
        self.path = tuple(path)
        self.overlay = overlay or {}
        self.packages = dict(packages or {})
        self.limits = limits
        self.environ = environ
        self.roots = None if roots is None else tuple(
            os.path.realpath(root) for root in (*roots, *_fuel().caches(environ)))
        self.files: dict[str, None] = {}
        """Every file that was read, in order, once each."""
        self.exhausted = False
        """Whether a limit of the whole load is exceeded, so that no other file is read."""
        self._includes = 0
        self._bytes = 0
        self._shares: dict[str, Optional[str]] = {}
        self._package_names: dict[str, str] = {}
        self._enclosing: dict[tuple[str, str], Optional[str]] = {}
        self._texts: dict[bytes, bytes] = {}
        """Each text once, however often a file is included."""
        self._real_paths: dict[str, str] = {}

    def read(
        self, file: str, report: Report, location: Optional[SourceRef] = None, *,
        reference: Optional[str] = None,
    ) -> Optional[SourceFile]:
        """
        Return a file that the element at a location asked for, or None with a diagnostic.

        Once a limit of the whole load is exceeded, which is reported once, no other file is read.
        """
        if location is not None and location.document.is_full:
            self.exhausted = True
        if self.exhausted:
            return None
        self._includes += location is not None
        fault = self._fault_of_chain(file, location)
        text = self.overlay.get(self._real_path(file)) if self.overlay else None
        data = b''
        if fault is None:
            try:
                data = self._bytes_of(file) if text is None else self._bytes_in_editor(file, text)
            except _Refused as refused:
                fault = refused.fault
        if fault is not None:
            hint = partial(self.similar, file) if fault[0] is codes.FILE_NOT_FOUND else None
            report.add(*fault, location or Location(file), hint=hint, reference=reference)
            return None
        self.files[file] = None
        data = self._texts.setdefault(data, data)
        encoding = None if text is None else 'utf-8'
        return SourceFile(file, data, location, self.limits, encoding)

    def _bytes_in_editor(self, file: str, text: str) -> bytes:
        """Return a text of the overlay in UTF-8; raise _Refused as for the file itself."""
        if not self.allows(file):
            raise _outside_roots(file)
        data = text.encode('utf-8', 'surrogatepass')
        self._bytes += len(data)
        self._check_size(file, len(data))
        return data

    def _bytes_of(self, file: str) -> bytes:
        """Return what a file holds; raise _Refused where it may not or cannot be read."""
        if not self.allows(file):
            raise _outside_roots(file)
        try:
            descriptor, size = self._open(file)
            try:
                self._check_size(file, size)
                data = _read_at_most(descriptor, size + 1, self.limits.file_bytes + 1)
            finally:
                os.close(descriptor)
        except FileNotFoundError:
            raise _Refused(codes.FILE_NOT_FOUND, f'the file {file} does not exist') from None
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise _Refused(codes.FILE_NOT_FOUND, f'cannot read {file}: {why}') from None
        self._bytes += len(data)
        self._check_size(file, len(data))
        return data

    def _open(self, file: str) -> tuple[int, int]:
        """
        Open a regular file and return its descriptor and size.

        Whether it is one, and lies below the roots, is checked on the open file: a symbolic link
        may be changed between a look at the path and the opening of the file.
        """
        if self.roots is not None and _HAS_HANDLES:
            handle = os.open(file, os.O_PATH | os.O_CLOEXEC)
            try:
                size = self._check_open(file, handle, os.readlink(f'{_DESCRIPTORS}/{handle}'))
                return os.open(f'{_DESCRIPTORS}/{handle}', _READ), size
            finally:
                os.close(handle)
        _check_regular(file, os.stat(file))
        descriptor = os.open(file, _READ)
        try:
            real = '' if self.roots is None else _path_of_open(file, descriptor)
            return descriptor, self._check_open(file, descriptor, real)
        except BaseException:
            os.close(descriptor)
            raise

    def _check_open(self, file: str, descriptor: int, real: str) -> int:
        """Return the size of an open file; raise _Refused unless it is regular and below roots."""
        if not self._is_below_roots(real):
            raise _outside_roots(file)
        return _check_regular(file, os.fstat(descriptor))

    def accept(self, text: str, report: Report) -> Optional[SourceFile]:
        """Return a text as if it were a file, None with the reason in the report."""
        data = text.encode('utf-8', 'surrogatepass')
        self._bytes += len(data)
        try:
            self._check_size(TEXT, len(data))
        except _Refused as refused:
            report.add(*refused.fault, Location(TEXT))
            return None
        return SourceFile(TEXT, data, limits=self.limits, encoding='utf-8')

    def _fault_of_chain(
        self, file: str, location: Optional[SourceRef]
    ) -> Optional[tuple[Code, str]]:
        """Return the code and message for what is wrong with including this file here."""
        if self._includes > self.limits.includes:
            self.exhausted = True
            return codes.TOO_MANY_INCLUDES, f'more than {self.limits.includes} files are included'
        depth, real = 0, '' if location is None else self._real_path(file)
        while location is not None:
            depth += 1
            if self._real_path(location.document.file) == real:
                return codes.INCLUDE_CYCLE, f'{file} includes itself'
            location = location.document.included_from
        if depth > self.limits.include_depth:
            return (
                codes.INCLUDE_TOO_DEEP,
                f'includes are nested deeper than {self.limits.include_depth}',
            )
        return None

    def _real_path(self, file: str) -> str:
        """Return the path without symbolic links; each is looked up once, however long a chain."""
        if file not in self._real_paths:
            self._real_paths[file] = _real_path(file)
        return self._real_paths[file]

    def _check_size(self, file: str, size: int) -> None:
        """Raise _Refused where a file is too large, alone or with all that were read."""
        if size > self.limits.file_bytes:
            raise _Refused(
                codes.FILE_TOO_LARGE, f'{file} is larger than {self.limits.file_bytes} bytes')
        if self._bytes > self.limits.all_bytes:
            self.exhausted = True
            raise _Refused(
                codes.FILE_TOO_LARGE,
                f'with {file} more than {self.limits.all_bytes} bytes are read')

    def allows(self, file: str) -> bool:
        """Tell whether a file lies below the allowed roots, symbolic links followed."""
        return self.roots is None or self._is_below_roots(_real_path(file))

    def is_model_directory(self, path: str) -> bool:
        """Tell whether a path is a directory with ``model.config`` that may be read."""
        manifest = os.path.join(path, 'model.config')
        return self.allows(manifest) and os.path.isfile(manifest)

    def _is_below_roots(self, real: str) -> bool:
        return self.roots is None or any(
            real == root or real.startswith(os.path.join(root, '')) for root in self.roots)

    def find(self, uri: str, beside: str) -> Optional[str]:
        """
        Return the file or directory that a URI means, None where there is none.

        Tried in order: ``package://`` by package, of which one may enclose the file ``beside``
        with its package.xml; an absolute path; then, scheme stripped, the
        directory of the file ``beside``, the search path, ``SDF_PATH``,
        ``GZ_SIM_RESOURCE_PATH``, ``IGN_GAZEBO_RESOURCE_PATH``, ``GAZEBO_MODEL_PATH``. What
        ``model://`` leads to is searched by package last.
        http and https are looked for in the caches of Fuel and by the name of the model in the
        search path, see ``fuel``. With roots nothing outside of them is looked at: the
        path that the URI names is returned, to be refused when it is read.
        """
        candidates = [path for path in self._candidates(uri, beside) if '\0' not in path]
        found = next(filter(self._exists, filter(self.allows, candidates)), None)
        if found is None and uri.startswith('model://'):
            found = self.find(f'package://{uri[8:]}', beside)
        if found is None and candidates and not self.allows(candidates[0]):
            return candidates[0]
        return found

    def _exists(self, file: str) -> bool:
        return os.path.exists(file) or bool(self.overlay) and _real_path(file) in self.overlay

    def _candidates(self, uri: str, beside: str) -> list[str]:
        """Return where the file of a URI may be, best first."""
        scheme, separator, rest = uri.partition('://')
        if not separator:
            rest = uri
        elif scheme in ('http', 'https'):
            return list(_fuel().candidates(uri, self.search_path, self.environ))
        elif scheme == 'package':
            package, _, below = rest.partition('/')
            share = self.package_share(package) or self._enclosing_package(package, beside)
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

    @property
    def search_path(self) -> list[str]:
        """The directories for plain and ``model://`` URIs, options before environment."""
        variables = (
            'SDF_PATH', 'GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'GAZEBO_MODEL_PATH')
        values = (self.environ.get(variable, '') for variable in variables)
        return [*self.path, *(entry for value in values for entry in value.split(':') if entry)]

    def package_share(self, package: str) -> Optional[str]:
        """Return the share directory of a ROS package: given ones first, then the ament index."""
        if package in self.packages:
            return self.packages[package]
        if package not in self._shares:
            self._shares[package] = self._share_in_index(package)
        return self._shares[package]

    def _share_in_index(self, package: str) -> Optional[str]:
        for prefix in self.environ.get('AMENT_PREFIX_PATH', '').split(':'):
            share = os.path.join(prefix, 'share', package)
            if prefix and package and os.path.isdir(share):
                return share
        return None

    def _enclosing_package(self, package: str, beside: str) -> Optional[str]:
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
            if named is None and os.path.basename(directory) == package and self.allows(directory):
                named = directory
            above = os.path.dirname(directory)
            if above == directory:
                return named
            directory = above

    def _package_in(self, directory: str) -> str:
        """Return the name in the package.xml of a directory, empty without one."""
        if directory not in self._package_names:
            self._package_names[directory] = self._read_package_name(directory)
        return self._package_names[directory]

    def _read_package_name(self, directory: str) -> str:
        try:
            is_readable = self.allows(os.path.join(directory, 'package.xml'))
            return package_name(directory) if is_readable else ''
        except OSError:
            return ''

    def similar(self, file: str) -> Optional[str]:
        """Return the hint with the file in the same directory that a misspelled one may mean."""
        directory, name = os.path.split(file)
        if not name or not self.allows(directory or os.curdir):
            return None
        try:
            with os.scandir(directory or os.curdir) as entries:
                names = [entry.name for entry in islice(entries, MOST_KNOWN)]
        except (OSError, ValueError):
            return None
        if name in names:
            return None
        meant = _closest_file(name, names)
        return meant and f"did you mean '{meant}'?"

    def similar_to_uri(self, uri: str, beside: str) -> Optional[str]:
        """Return the same hint for a URI that leads to no file; see ``find``."""
        hints = map(self.similar, self._candidates(uri, beside))
        return next(filter(None, hints), None)

    def finds_package(self, package: str) -> bool:
        """Tell whether a package is known, or its package.xml was found when a URI named it."""
        return self.package_share(package) is not None or package in self._package_names.values()

    def package_names(self) -> set[str]:
        """Return the names of packages that a file may mean, as far as they are known."""
        names = {*self.packages, *self._package_names.values()}
        for prefix in self.environ.get('AMENT_PREFIX_PATH', '').split(':'):
            index = os.path.join(prefix, 'share', 'ament_index', 'resource_index', 'packages')
            if prefix and os.path.isdir(index):
                names.update(os.listdir(index))
        return names - {''}

    def package_uri(self, file: str) -> Optional[str]:
        """Return the ``package://`` URI of a file inside a known package's share directory."""
        real = os.path.abspath(file)
        for package, share in self.packages.items():
            below = os.path.relpath(real, os.path.abspath(share))
            if not below.startswith('..'):
                return f'package://{package}/{below}'
        for prefix in self.environ.get('AMENT_PREFIX_PATH', '').split(':'):
            below = os.path.relpath(real, os.path.join(os.path.abspath(prefix or '/'), 'share'))
            if prefix and not below.startswith('..') and os.sep in below:
                return f'package://{below}'
        return None


def _closest_file(name: str, names: Sequence[str]) -> Optional[str]:
    """Return the file that a name may mean: its stem or its suffix is another, not both."""
    stem, suffix = os.path.splitext(name.lower())
    parts = {known: os.path.splitext(known.lower()) for known in names}
    same_stem = [known for known, part in parts.items() if part[0] == stem]
    if same_stem:
        return closest(name, same_stem)
    of_stem = {part[0]: known for known, part in parts.items() if part[1] == suffix}
    return of_stem.get(closest(stem, of_stem) or '')


def package_name(directory: str) -> str:
    """Return the name in a directory's package.xml, empty without one; OSError without a file."""
    manifest = os.path.join(directory, 'package.xml')
    with open(manifest, 'rb', opener=lambda path, _: os.open(path, _READ)) as stream:
        found = re.search(_PACKAGE_NAME, stream.read(_LONGEST_MANIFEST))
    return '' if found is None else found[1].decode('utf-8', 'replace')


def _check_regular(file: str, status: os.stat_result) -> int:
    """Return the size of a regular file; raise _Refused for anything else."""
    if not stat.S_ISREG(status.st_mode):
        raise _Refused(codes.FILE_NOT_REGULAR, f'{file} is not a regular file')
    return status.st_size


def _path_of_open(file: str, descriptor: int) -> str:
    """Return the path without symbolic links; raise _Refused where another file is open."""
    real = os.path.realpath(file)
    if not os.path.samestat(os.stat(real), os.fstat(descriptor)):
        raise _outside_roots(file)
    return real


def _read_at_most(descriptor: int, expected: int, most: int) -> bytes:
    """Return the bytes of a file, to a limit, with no more memory than it seems to need."""
    parts = [os.read(descriptor, min(expected, most))]
    left = most - len(parts[0])
    while parts[-1] and left > 0:
        parts.append(os.read(descriptor, min(left, _CHUNK)))
        left -= len(parts[-1])
    return b''.join(parts[:-1] or parts)


def _real_path(file: str) -> str:
    """Return the path without symbolic links; that of a name that no file can have is itself."""
    try:
        return os.path.realpath(file)
    except (OSError, ValueError):
        return file


def _fuel() -> ModuleType:
    """Return the module for URIs of Fuel, which few files have."""
    from hrdf_ros import fuel
    return fuel


def _unquoted(uri: str) -> str:
    """Return a URI's path with its %20s read."""
    from urllib.parse import unquote  # costs a start 2 ms; few files have such URIs
    return unquote(uri)
