# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Every file that is written: a temporary file beside it, renamed when it is complete.

``replace_file`` writes a file that the user named: links are followed, and devices and pipes
are written to. ``write_below`` writes a file whose name the program chose: no symbolic link is
followed below the directory, and a file with other content is not replaced. Neither leaves a
temporary file behind, also where SIGTERM ends the process.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
import errno
import os
import stat
from typing import NoReturn, Optional

from hrdf_ros.limits import COMPARED_BYTES

_DIRECTORY = os.O_DIRECTORY | os.O_CLOEXEC | getattr(os, 'O_PATH', os.O_RDONLY)
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_TERMINATED = 128 + 15


def replace_file(file: str, data: bytes) -> None:
    """Replace the content of a file in one step; symbolic links are followed, the mode kept."""
    if os.path.exists(file) and not os.path.isfile(file):
        with open(file, 'wb') as stream:  # a device or pipe
            stream.write(data)
        return
    try:
        directory, name = os.path.split(os.path.realpath(file))
        with _opened(directory) as folder:
            _replace(name, folder, data)
    except OSError as error:
        error.filename = file  # as the user calls it; the one that failed may be temporary
        error.filename2 = None
        raise
    except ValueError:
        raise ValueError(f'no file can have the name {file!r}') from None


def write_below(
    directory: str, name: str, data: bytes, *, digests: Collection[str] = (),
    force: bool = False,
) -> None:
    """
    Write a file whose name, relative to a directory, the program chose.

    Missing directories are made. A file with the same content is kept. One with other content is
    replaced with ``force``, or where ``digests`` has the SHA-256 of its content; else it is a
    FileExistsError. A symbolic link on the way is an OSError.
    """
    os.makedirs(directory or os.curdir, exist_ok=True)
    with _named(directory, name), _folder_of(directory, name, make=True) as (folder, base):
        before = None if force else _content(base, folder)
        if before == data:
            return
        if before is not None and _digest(before) not in digests:
            _refuse('exists with other content and is not replaced')
        _replace(base, folder, data)


def _digest(data: bytes) -> str:
    from hashlib import sha256  # costs a start 3 ms
    return sha256(data).hexdigest()


def read_below(directory: str, name: str, most: int = COMPARED_BYTES) -> Optional[bytes]:
    """
    Return the content of a file below a directory, None where there is none.

    A symbolic link on the way, a pipe, a device, or a file of more bytes is an OSError.
    """
    try:
        with _named(directory, name), _folder_of(directory, name) as (folder, base):
            return _content(base, folder, most)
    except FileNotFoundError:
        return None


def remove_below(directory: str, name: str) -> None:
    """Remove a file below a directory, and the directories that this leaves empty."""
    with _named(directory, name), _folder_of(directory, name) as (folder, base):
        os.unlink(base, dir_fd=folder)
    above = os.path.dirname(name)
    with suppress(OSError):
        while above:
            with _folder_of(directory, above) as (folder, base):
                os.rmdir(base, dir_fd=folder)
            above = os.path.dirname(above)


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


def _replace(name: str, folder: int, data: bytes) -> None:
    """Write a file of an open directory; a link of that name is replaced, not followed."""
    temporary = f'.hrdf-{os.urandom(8).hex()}.tmp'
    with exit_on_sigterm():
        try:
            with open(os.open(temporary, _CREATE, 0o666, dir_fd=folder), 'wb') as stream:
                with suppress(FileNotFoundError):
                    old = os.stat(name, dir_fd=folder, follow_symlinks=False)
                    if stat.S_ISREG(old.st_mode):
                        os.fchmod(stream.fileno(), stat.S_IMODE(old.st_mode))
                stream.write(data)
            os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder)
            raise


def _content(name: str, folder: int, most: int = COMPARED_BYTES) -> Optional[bytes]:
    """Return the content of a regular file, None where there is nothing of that name."""
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
    """Return a directory of an open one, which is left open in case of an error, else closed."""
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
def _named(directory: str, name: str) -> Iterator[None]:
    """Put the whole path into errors."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = os.path.join(directory, name), None
        raise


def _refuse(why: str) -> NoReturn:
    raise FileExistsError(errno.EEXIST, why)
