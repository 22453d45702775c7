# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read files within limits, and notice when they change.

Finding cycles and too deep includes needs no state, because each document has the include element
that led to it, and so the whole chain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import errno
from functools import partial
from itertools import islice
import os
import stat
import sys
from typing import BinaryIO, Optional

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import SourceFile, SourceRef
from hrdf_ros.limits import ResourceLimits, SUGGESTED_NAMES
from hrdf_ros.parsing.suggestions import closest

TEXT = '<text>'
"""The file name of a description that was given as text."""
OPEN_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
"""The flags that open a file; with them, opening a pipe does not wait for its writer."""
_CHUNK = 1 << 16
"""The bytes that are read at a time."""
_CLOCK_STEP = 20_000_000
"""The nanoseconds by which the time stamps of a file system may lag behind the clock."""
_Fingerprint = tuple[int, int, int]
_DESCRIPTORS = '/proc/self/fd'
_HAS_HANDLES = hasattr(os, 'O_PATH') and os.path.isdir(_DESCRIPTORS)
"""Whether a file can be examined before it is opened for reading, which devices may notice."""


def is_text(source: str) -> bool:
    """Return whether a source is text, whose first character that is not blank is ``<``."""
    return source.removeprefix('\ufeff').lstrip().startswith('<')


class _Refused(Exception):
    """An exception that ends the reading of a file; ``fault`` is its code and message."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.fault = code, message


class FileReader:
    """
    The reader of the files of one load, which remembers them.

    With ``roots`` only files below these directories are read, after symbolic links are followed;
    without, any file may be. ``overlay`` has the texts of files that are open in an editor, by
    real path.
    """

    def __init__(
        self, limits: ResourceLimits, roots: Optional[Sequence[str]],
        overlay: Mapping[str, str],
    ) -> None:
        self.limits = limits
        self.roots = None if roots is None else tuple(map(_real_path, roots))
        self.overlay = overlay
        self.files: dict[str, None] = {}
        """Every file that was read, in order and once."""
        self.exhausted = False
        """Whether a limit of the whole load is exceeded, so that no other file is read."""
        self._includes = 0
        self._bytes = 0
        self._texts: dict[bytes, bytes] = {}
        """Every text that was read, kept once however often files with it are included."""
        self._real_paths: dict[str, str] = {}

    def read(
        self, file: str, report: Report, location: Optional[SourceRef] = None, *,
        reference: Optional[str] = None,
    ) -> Optional[SourceFile]:
        """
        Return the file that the element at a location includes, or None with a diagnostic.

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
                data = self._bytes_of(file) if text is None else self._encoded(file, text)
            except _Refused as refused:
                fault = refused.fault
        if fault is not None:
            hint = partial(self.similar, file) if fault[0] is codes.FILE_NOT_FOUND else None
            report.add(*fault, location or Location(file), hint=hint, reference=reference)
            return None
        self.files[file] = None
        data = self._texts.setdefault(data, data)
        encoding = None if text is None else 'utf-8'
        return SourceFile(
            file=file, data=data, included_from=location, limits=self.limits, encoding=encoding)

    def _encoded(self, file: str, text: str) -> bytes:
        """Return a text in UTF-8; raise _Refused as for a file with this name."""
        if file != TEXT and not self.allows(file):
            raise _outside_roots(file)
        data = text.encode('utf-8', 'surrogatepass')
        self._bytes += len(data)
        self._check_size(file, len(data))
        return data

    def _bytes_of(self, file: str) -> bytes:
        """Return the bytes of a file; raise _Refused where it may not or cannot be read."""
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

        Whether the file is regular and lies below the roots is checked after it is opened: a
        symbolic link may change between a check of the path and the opening of the file.
        """
        if self.roots is not None and _HAS_HANDLES:
            handle = os.open(file, os.O_PATH | os.O_CLOEXEC)
            try:
                size = self._check_open(file, handle, os.readlink(f'{_DESCRIPTORS}/{handle}'))
                return os.open(f'{_DESCRIPTORS}/{handle}', OPEN_FLAGS), size
            finally:
                os.close(handle)
        _check_regular(file, os.stat(file))
        descriptor = os.open(file, OPEN_FLAGS)
        try:
            real = '' if self.roots is None else _path_of_open(file, descriptor)
            return descriptor, self._check_open(file, descriptor, real)
        except BaseException:
            os.close(descriptor)
            raise

    def _check_open(self, file: str, descriptor: int, real: str) -> int:
        """Return the size of an open file; raise _Refused unless it is regular and below roots."""
        if not _is_below(real, self.roots):
            raise _outside_roots(file)
        return _check_regular(file, os.fstat(descriptor))

    def accept(self, text: str, report: Report) -> Optional[SourceFile]:
        """Return a text as if it were a file, None with the reason in the report."""
        try:
            data = self._encoded(TEXT, text)
        except _Refused as refused:
            report.add(*refused.fault, Location(TEXT))
            return None
        return SourceFile(TEXT, data, limits=self.limits, encoding='utf-8')

    def _fault_of_chain(
        self, file: str, location: Optional[SourceRef]
    ) -> Optional[tuple[Code, str]]:
        """Return the code and message of a faulty chain of includes, None where it is fine."""
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
        """Return the path without symbolic links; each path is looked up only once in a load."""
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
        """Return whether a file lies below the allowed roots, symbolic links followed."""
        return may_read(file, self.roots)

    def exists(self, file: str) -> bool:
        """Return whether there is such a file or directory, or such a text in the editor."""
        return os.path.exists(file) or bool(self.overlay) and _real_path(file) in self.overlay

    def similar(self, file: str) -> Optional[str]:
        """Return the hint with the file in the same directory that a misspelled one may mean."""
        directory, name = os.path.split(file)
        if not name or not self.allows(directory or os.curdir):
            return None
        try:
            with os.scandir(directory or os.curdir) as entries:
                names = [entry.name for entry in islice(entries, SUGGESTED_NAMES)]
        except (OSError, ValueError):
            return None
        if name in names:
            return None
        meant = _closest_file(name, names)
        return meant and f"did you mean '{meant}'?"


def may_read(file: str, roots: Optional[Sequence[str]]) -> bool:
    """Return whether a file lies below the roots, links followed; without roots any does."""
    return roots is None or _is_below(_real_path(file), roots)


def _is_below(real: str, roots: Optional[Sequence[str]]) -> bool:
    return roots is None or any(
        real == root or real.startswith(os.path.join(root, '')) for root in roots)


def _closest_file(name: str, names: Sequence[str]) -> Optional[str]:
    """Return the file that a name may mean; it differs in its stem or its suffix, not in both."""
    stem, suffix = os.path.splitext(name.lower())
    parts = {known: os.path.splitext(known.lower()) for known in names}
    same_stem = [known for known, part in parts.items() if part[0] == stem]
    if same_stem:
        return closest(name, same_stem)
    of_stem = {part[0]: known for known, part in parts.items() if part[1] == suffix}
    return of_stem.get(closest(stem, of_stem) or '')


def open_regular(file: str) -> BinaryIO:
    """Open a file for reading; a pipe or device raises OSError at once."""
    stream = open(file, 'rb', opener=lambda path, _: os.open(path, OPEN_FLAGS))
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise OSError(errno.EINVAL, 'not a regular file')
    return stream


def _outside_roots(file: str) -> _Refused:
    return _Refused(
        codes.FILE_OUTSIDE_ROOTS, f'{file} is outside of the directories that may be read')


def _check_regular(file: str, status: os.stat_result) -> int:
    """Return the size of a regular file; raise _Refused for anything else."""
    if not stat.S_ISREG(status.st_mode):
        kind = 'a directory' if stat.S_ISDIR(status.st_mode) else 'not a regular file'
        raise _Refused(codes.FILE_NOT_REGULAR, f'{file} is {kind}')
    return status.st_size


def _path_of_open(file: str, descriptor: int) -> str:
    """Return the path without symbolic links; raise _Refused where another file is open."""
    real = os.path.realpath(file)
    if not os.path.samestat(os.stat(real), os.fstat(descriptor)):
        raise _outside_roots(file)
    return real


def _read_at_most(descriptor: int, expected: int, most: int) -> bytes:
    """Return the bytes of a file up to a limit, with about as much memory as they take."""
    parts = [os.read(descriptor, min(expected, most))]
    left = most - len(parts[0])
    while parts[-1] and left > 0:
        parts.append(os.read(descriptor, min(left, _CHUNK)))
        left -= len(parts[-1])
    return b''.join(parts[:-1] or parts)


def _real_path(file: str) -> str:
    """Return the path without symbolic links; a name that no file can have is unchanged."""
    try:
        return os.path.realpath(file)
    except (OSError, ValueError):
        return file


# ---- changes

class FileWatch:
    """
    A watch that notices changes of files.

    A change is reported when two looks in a row find the files the same, so that no file is read
    while it is being written.
    """

    def __init__(self, files: Sequence[str], since: int = sys.maxsize) -> None:
        """Watch files; one that was changed after the time ``since`` (ns) counts as changed."""
        self.files = tuple(files)
        self._seen = self._look()
        self._settled = tuple(
            None if found is None or found[0] >= since - _CLOCK_STEP else found
            for found in self._seen)

    def changed(self) -> bool:
        """Look again and return whether a change has settled, once for each change."""
        now = self._look()
        settled = now == self._seen and now != self._settled
        self._seen = now
        if settled:
            self._settled = now
        return settled

    def _look(self) -> tuple[Optional[_Fingerprint], ...]:
        return tuple(_fingerprint(file) for file in self.files)


def _fingerprint(file: str) -> Optional[_Fingerprint]:
    try:
        status = os.stat(file)
    except (OSError, ValueError):  # a path with NUL
        return None
    return max(status.st_mtime_ns, status.st_ctime_ns), status.st_size, status.st_ino
