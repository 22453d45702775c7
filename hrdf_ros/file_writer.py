# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Write files: a temporary file beside each one is renamed when it is complete.

``replace_file`` writes a file that the user named; links are followed, and devices and pipes are
written to. ``write_below`` writes a file whose name the program chose; no symbolic link is
followed below the directory, and a file with other content is not replaced. ``write_all`` writes
several files, or none of them. No temporary file is left behind, even where SIGTERM or Ctrl-C ends
the process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, ExitStack, suppress
import errno
import os
import stat
from typing import NamedTuple, NoReturn, Optional

from hrdf_ros.limits import COMPARED_BYTES

_DIRECTORY = os.O_DIRECTORY | os.O_CLOEXEC | getattr(os, 'O_PATH', os.O_RDONLY)
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_TERMINATED = 128 + 15
"""The exit status of a process that SIGTERM has ended."""
Place = tuple[str, str]
"""A directory, and the name of a file relative to it."""


def replace_file(file: str, data: bytes, beside: Mapping[Place, bytes] = {}) -> None:
    """
    Replace the content of a file in one step; symbolic links are followed, the mode kept.

    The files ``beside`` it, whose names the program chose, are written with it, or none is. If one
    of them exists with other content, FileExistsError is raised.
    """
    new = {place: content for place, content in beside.items() if not has_content(*place, content)}
    if os.path.exists(file) and not os.path.isfile(file):
        if new:
            write_all(new)
        with open(file, 'wb') as stream:  # a device or pipe
            stream.write(data)
        return
    try:
        directory, name = os.path.split(os.path.realpath(file))
        os.stat(directory)  # one that is missing is not made
        write_all({**new, (directory, name): data})
    except OSError as error:
        if error.filename in (directory, os.path.join(directory, name)):
            error.filename = file  # as the user calls it
        raise
    except ValueError:
        raise ValueError(f'no file can have the name {file!r}') from None


def write_below(
    directory: str, name: str, data: bytes, *, digests: Collection[str] = (),
    force: bool = False,
) -> None:
    """
    Write a file whose name, relative to a directory, the program chose.

    Missing directories are made. A file with the same content is kept. A file with other content
    is replaced with ``force``, or where ``digests`` has the SHA-256 of its content; otherwise it
    raises FileExistsError. A symbolic link on the way raises OSError.
    """
    if force or not has_content(directory, name, data, digests=digests):
        write_all({(directory, name): data})


def has_content(
    directory: str, name: str, data: bytes, *, digests: Collection[str] = (),
) -> bool:
    """
    Return whether a file below a directory has this content, so that it need not be written.

    A file with other content raises FileExistsError, unless ``digests`` has its SHA-256.
    """
    before = read_below(directory, name)
    if before not in (None, data) and _digest(before) not in digests:
        with _named(directory, name):
            _refuse('exists with other content and is not replaced')
    return before == data


def _digest(data: bytes) -> str:
    from hashlib import sha256  # costs a start 3 ms
    return sha256(data).hexdigest()


def read_below(directory: str, name: str, most: int = COMPARED_BYTES) -> Optional[bytes]:
    """
    Return the content of a file below a directory, None where there is none.

    A symbolic link on the way, a pipe, a device, or a file of more than ``most`` bytes raises
    OSError.
    """
    try:
        with _named(directory, name), _folder_of(directory, name) as (folder, base):
            return _content(base, folder, most)
    except FileNotFoundError:
        return None


def _remove_empty(directory: str, name: str) -> None:
    """Remove a directory below another one, and those above it that this leaves empty."""
    with suppress(OSError):
        while name:
            with _folder_of(directory, name) as (folder, base):
                os.rmdir(base, dir_fd=folder)
            name = os.path.dirname(name)


def missing_directories(path: str) -> list[str]:
    """Return the directories on a path that have to be made, the outermost first."""
    missing: list[str] = []
    while path and not os.path.lexists(path):
        missing.insert(0, path)
        path = os.path.dirname(path)
    return missing


@contextmanager
def exit_on_sigterm() -> Iterator[None]:
    """Let SIGTERM raise SystemExit, so that temporary files are removed."""
    import signal
    import threading
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _exit(*_: object) -> NoReturn:
    raise SystemExit(_TERMINATED)


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Delay SIGINT and SIGTERM until the context ends."""
    import signal
    import threading
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handlers = {
        number: handler for number in (signal.SIGINT, signal.SIGTERM)
        if (handler := signal.getsignal(number)) is not None}  # else it is not of Python
    for kind in handlers:
        signal.signal(kind, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for kind, handler in handlers.items():
            signal.signal(kind, handler)
        for number in came:
            signal.raise_signal(number)


# ---- several files

class _Target(NamedTuple):
    """The open directory of a file, its name there, and two temporary names beside it."""

    path: str
    folder: int
    base: str
    new: str
    old: str


def write_all(files: Mapping[Place, bytes], removed: Collection[Place] = ()) -> None:
    """
    Write files, or none of them; then remove other files.

    Missing directories are made. A file at a place is replaced; a symbolic link on the way from
    the directory raises OSError. All files are complete beside their places before the first one
    takes its place, and signals wait while they do. A failure leaves each file as it was.
    """
    with exit_on_sigterm(), ExitStack() as opened, ExitStack() as undo:
        targets = _Targets(opened, undo)
        leaving = [targets.add(place, make=False) for place in removed]
        coming = []
        for place, data in files.items():
            target = targets.add(place, make=True)
            undo.callback(_tried, _unlink, target.folder, target.new)
            _write(target, data)
            coming.append(target)
        with _signals_wait():
            for target in coming[:-1]:
                _keep(target, undo)
                _rename(target)
            _rename(coming[-1])  # nothing can fail after it, so that it is not put back
            undo.pop_all()
            for target in coming:
                _unlink(target.folder, target.old)
            for target in leaving:
                _unlink(target.folder, target.base)
            for directory, name in removed:
                _remove_empty(directory, os.path.dirname(name))


class _Targets:
    """
    The files to be written, with the directory of each opened once.

    The directories stay open until the end, so that nothing has to be opened to put a file back.
    """

    def __init__(self, opened: ExitStack, undo: ExitStack) -> None:
        self._opened = opened
        self._undo = undo
        self._folders: dict[tuple[str, str], int] = {}

    def add(self, place: Place, *, make: bool) -> _Target:
        """Open the directory of a file; with ``make``, a missing directory is made."""
        directory, name = place
        above, base = os.path.split(name)
        path = os.path.join(directory, name)
        if (directory, above) not in self._folders:
            if make:
                for missing in missing_directories(os.path.dirname(path)):
                    self._undo.callback(_tried, os.rmdir, missing)
                for missing in missing_directories(directory):
                    with suppress(FileExistsError):  # another process was faster
                        os.mkdir(missing)
            with _named(*place):
                folder, _ = self._opened.enter_context(_folder_of(directory, name, make))
            self._folders[directory, above] = folder
        new, old = (f'.hrdf-{os.urandom(8).hex()}.tmp' for _ in range(2))
        return _Target(path, self._folders[directory, above], base, new, old)


def _write(target: _Target, data: bytes) -> None:
    """Write a file beside the file that it will replace, with the mode of the latter."""
    folder = target.folder
    with _named(target.path), open(
            os.open(target.new, _CREATE, 0o666, dir_fd=folder), 'wb') as stream:
        with suppress(FileNotFoundError):
            old = os.stat(target.base, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISREG(old.st_mode):
                _require_writable(target)
                os.fchmod(stream.fileno(), stat.S_IMODE(old.st_mode))
        stream.write(data)


def _require_writable(target: _Target) -> None:
    """Refuse to replace a file that this user may not write, though the directory allows it."""
    try:
        os.close(os.open(target.base, _WRITE, dir_fd=target.folder))
    except PermissionError:
        _refuse('is read-only and is not replaced', errno.EACCES)


def _keep(target: _Target, undo: ExitStack) -> None:
    """Give the file at a place a second name, and let ``undo`` restore the place."""
    _, folder, base, _, old = target
    try:
        os.link(base, old, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        undo.callback(_tried, _unlink, folder, base)
        return
    except OSError:  # a file system without links
        with _named(target.path):
            os.rename(base, old, src_dir_fd=folder, dst_dir_fd=folder)
    undo.callback(_tried, _put_back, target)


def _put_back(target: _Target) -> None:
    """Restore a file; the second name goes even if both name one file, which no rename changes."""
    _, folder, base, _, old = target
    os.rename(old, base, src_dir_fd=folder, dst_dir_fd=folder)
    _unlink(folder, old)


def _rename(target: _Target) -> None:
    with _named(target.path):
        os.rename(
            target.new, target.base, src_dir_fd=target.folder, dst_dir_fd=target.folder)


def _unlink(folder: int, name: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


def _tried(function: Callable[..., None], *arguments: object) -> None:
    """Call a function that undoes a step; only the error that came before it is reported."""
    with suppress(OSError):
        function(*arguments)


# ---- one file

def _content(name: str, folder: int, most: int = COMPARED_BYTES) -> Optional[bytes]:
    """Return the content of a regular file, None if nothing has that name."""
    try:
        stream = open(os.open(name, _READ, dir_fd=folder), 'rb')
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            _refuse('is a symbolic link, which is not followed')
        raise
    with stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            _refuse('is not a regular file')
        if status.st_size > most:
            _refuse(f'is larger than {most} bytes')
        return stream.read(most)


@contextmanager
def _folder_of(directory: str, name: str, make: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the open directory that a name lies in, reached without links, and its base name."""
    *above, base = name.split('/')
    with _opened(directory or os.curdir) as folder:
        current = os.dup(folder)
        try:
            for part in above:
                current = _step(part, current, make)
            yield current, base
        finally:
            os.close(current)


def _step(part: str, folder: int, make: bool) -> int:
    """Open a directory in an open directory, which is closed unless an error is raised."""
    if part in ('', os.curdir, os.pardir):
        raise ValueError(f'{part!r} in the name of a file')
    if make:
        with suppress(FileExistsError):
            os.mkdir(part, dir_fd=folder)
    try:
        below = os.open(part, _DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            _refuse(f"is not written: '{part}' is a symbolic link or not a directory")
        raise
    os.close(folder)
    return below


@contextmanager
def _opened(directory: str) -> Iterator[int]:
    descriptor = os.open(directory, _DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _named(*path: str) -> Iterator[None]:
    """Put the whole path of a file into the errors of this context."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = os.path.join(*path), None
        raise


def _refuse(why: str, code: int = errno.EEXIST) -> NoReturn:
    """Raise the OSError with a code; the default is FileExistsError."""
    raise OSError(code, why)
