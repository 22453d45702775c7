# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Where files are: uris, search paths, packages; and which files may be read at all.

Nothing is ever fetched from a network. Cycles and depth of includes need no state: a document
knows the include element that asked for it, and so the whole chain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import os
import stat
from typing import BinaryIO, Optional

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import SourceFile, SourceRef
from hrdf_ros.limits import ResourceLimits

TEXT = '<text>'
"""The file name of a description that was given as text."""


def is_text(source: str) -> bool:
    """Tell whether a source is text: its first character that is not blank is ``<``."""
    return source.removeprefix('\ufeff').lstrip().startswith('<')


class Resolver:
    """
    Finds and reads the files of one load, and remembers which they were.

    ``path`` are directories for ``model://`` and plain uris, ``packages`` maps names to share
    directories ahead of the ament index. With ``roots`` only files below these directories are
    read, symbolic links followed; without, any file.
    """

    def __init__(
        self, path: Sequence[str] = (), packages: Optional[Mapping[str, str]] = None, *,
        roots: Optional[Sequence[str]] = None, limits: ResourceLimits = ResourceLimits(),
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self.path = tuple(path)
        self.packages = dict(packages or {})
        self.roots = None if roots is None else tuple(os.path.realpath(root) for root in roots)
        self.limits = limits
        self.environ = environ
        self.files: list[str] = []
        """Every file that was read, in order, once each."""
        self._includes = 0
        self._bytes = 0
        self._shares: dict[str, Optional[str]] = {}

    def read(
        self, file: str, report: Report, location: Optional[SourceRef] = None, *,
        reference: Optional[str] = None,
    ) -> Optional[SourceFile]:
        """Return a file's bytes, or None with the reason in the report; ``place`` asked for it."""
        self._includes += location is not None
        fault = self._fault_of_file(file) or self._fault_of_chain(file, location)
        if fault is None:
            try:
                with open(file, 'rb', opener=_open_at_once) as stream:
                    data = _read_at_most(stream, self.limits.file_bytes + 1)
            except OSError as error:
                fault = codes.FILE_NOT_FOUND, f'cannot read {file}: {error.strerror}'
            else:
                self._bytes += len(data)
                fault = self._fault_of_size(file, len(data))
        if fault is not None:
            report.add(*fault, location or Location(file), reference=reference)
            return None
        if file not in self.files:
            self.files.append(file)
        return SourceFile(file, data, location, self.limits)

    def accept(self, text: str, report: Report) -> Optional[SourceFile]:
        """Return a text as if it were a file, within the same bounds; None with the reason."""
        data = text.encode('utf-8', 'surrogatepass')
        self._bytes += len(data)
        fault = self._fault_of_size(TEXT, len(data))
        if fault is not None:
            report.add(*fault, Location(TEXT))
            return None
        return SourceFile(TEXT, data, limits=self.limits, encoding='utf-8')

    @property
    def exhausted(self) -> bool:
        """Tell whether the bound on the number of files is passed, so that no other is read."""
        return self._includes > self.limits.includes

    def _fault_of_chain(
        self, file: str, location: Optional[SourceRef]
    ) -> Optional[tuple[Code, str]]:
        """Return the code and message for what is wrong with including this file here."""
        if self.exhausted:
            return codes.TOO_MANY_INCLUDES, f'more than {self.limits.includes} files are included'
        depth, real = 0, '' if location is None else os.path.realpath(file)
        while location is not None:
            depth += 1
            if os.path.realpath(location.document.file) == real:
                return codes.INCLUDE_CYCLE, f'{file} includes itself'
            location = location.document.included_from
        if depth > self.limits.include_depth:
            return (
                codes.INCLUDE_TOO_DEEP,
                f'includes are nested deeper than {self.limits.include_depth}',
            )
        return None

    def _fault_of_file(self, file: str) -> Optional[tuple[Code, str]]:
        """Return the code and message for why a file cannot be read, before opening it."""
        try:
            if not self.allows(file):
                return (
                    codes.FILE_OUTSIDE_ROOTS,
                    f'{file} is outside the directories that may be read',
                )
            status = os.stat(file)
        except (OSError, ValueError):
            return codes.FILE_NOT_FOUND, f'there is no file {file}'
        if not stat.S_ISREG(status.st_mode):
            return codes.FILE_NOT_REGULAR, f'{file} is not a regular file'
        return self._fault_of_size(file, status.st_size)

    def _fault_of_size(self, file: str, size: int) -> Optional[tuple[Code, str]]:
        """Return the code and message for a file that is too big, alone or with all others."""
        if size > self.limits.file_bytes:
            return codes.FILE_TOO_LARGE, f'{file} is larger than {self.limits.file_bytes} bytes'
        if self._bytes > self.limits.all_bytes:
            return (
                codes.FILE_TOO_LARGE,
                f'with {file} more than {self.limits.all_bytes} bytes are read',
            )
        return None

    def allows(self, file: str) -> bool:
        """Tell whether a file lies below the allowed roots, symbolic links followed."""
        if self.roots is None:
            return True
        real = os.path.realpath(file)
        return any(
            real == root or real.startswith(os.path.join(root, '')) for root in self.roots)

    def find(self, uri: str, beside: str) -> Optional[str]:
        """
        Return the file or directory that a uri means, None where there is none.

        Tried in order: ``package://`` by package; an absolute path; then, scheme stripped, the
        directory of the file ``beside``, the search path, ``SDF_PATH``,
        ``GZ_SIM_RESOURCE_PATH``, ``IGN_GAZEBO_RESOURCE_PATH``, ``GAZEBO_MODEL_PATH``.
        http and https are never looked for. With roots nobody looks outside of them: what the uri
        itself says lies there is returned, to be refused when it is read.
        """
        candidates = [path for path in self._candidates(uri, beside) if '\0' not in path]
        found = next(filter(os.path.exists, filter(self.allows, candidates)), None)
        if found is None and candidates and not self.allows(candidates[0]):
            return candidates[0]
        return found

    def _candidates(self, uri: str, beside: str) -> list[str]:
        """Return where a uri may be, best first."""
        scheme, separator, rest = uri.partition('://')
        if not separator:
            rest = uri
        elif scheme in ('http', 'https'):
            return []
        elif scheme == 'package':
            package, _, below = rest.partition('/')
            share = self.package_share(package)
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
        """The directories for plain and ``model://`` uris, options before environment."""
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

    def package_uri(self, file: str) -> Optional[str]:
        """Return the ``package://`` uri of a file inside a known package's share directory."""
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


def _read_at_most(stream: BinaryIO, most: int) -> bytes:
    """Return what a file holds, to a bound, with no more memory than it seems to need."""
    size = os.fstat(stream.fileno()).st_size
    data = stream.read(min(size + 1, most))
    return data if len(data) <= size else data + stream.read(most - len(data))


def _open_at_once(file: str, flags: int) -> int:
    """Open a file that may have become a pipe since it was looked at, without waiting for it."""
    return os.open(file, flags | os.O_NONBLOCK)


def _unquoted(uri: str) -> str:
    """Return a uri's path with its %20s read."""
    from urllib.parse import unquote  # costs a start 2 ms; few files have such uris
    return unquote(uri)
