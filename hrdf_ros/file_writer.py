# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Every file that is written: a temporary file beside it, renamed when it is complete.

``replace_file`` writes a file that the user named: links are followed, and devices and pipes
are written to. ``write_below`` writes a file whose name the program chose: no symbolic link is
followed below the directory, and a file with other content is not replaced. ``write_all`` writes
several files, or none of them. No temporary file is left behind, also where SIGTERM or Ctrl-C ends
the process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, ExitStack, suppress
import errno
import os
import stat
from typing import NoReturn, Optional

from hrdf_ros.limits import COMPARED_BYTES

_DIRECTORY = os.O_DIRECTORY | os.O_CLOEXEC | getattr(os, 'O_PATH', os.O_RDONLY)
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_TERMINATED = 128 + 15
Place = tuple[str, str]
"""A directory, and the name of a file relative to it."""


def replace_file(file: str, data: bytes, beside: Mapping[Place, bytes] = {}) -> None:
    """
    Replace the content of a file in one step; symbolic links are followed, the mode kept.

    The files ``beside`` it, whose names the program chose, are written with it, or none is. One of
    them that has other content is a FileExistsError.
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

    Missing directories are made. A file with the same content is kept. One with other content is
    replaced with ``force``, or where ``digests`` has the SHA-256 of its content; else it is a
    FileExistsError. A symbolic link on the way is an OSError.
    """
    if force or not has_content(directory, name, data, digests=digests):
        write_all({(directory, name): data})


def has_content(
    directory: str, name: str, data: bytes, *, digests: Collection[str] = (),
) -> bool:
    """
    Return whether a file below a directory has some content, so that it need not be written.

    A file with other content is a FileExistsError, unless ``digests`` has its SHA-256.
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

    A symbolic link on the way, a pipe, a device, or a file of more bytes is an OSError.
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
    """Let SIGINT and SIGTERM come when the context ends."""
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

def write_all(files: Mapping[Place, bytes], removed: Collection[Place] = ()) -> None:
    """
    Write files, or none of them; then remove other files.

    Missing directories are made. What is at a place is replaced; a symbolic link on the way from
    the directory is an OSError. All files are complete beside their places before the first one
    takes its place, and signals wait while they do. A failure leaves each file as it was.
    """
    temporary = {place: _temporary_beside(place) for place in files}
    with exit_on_sigterm(), ExitStack() as undo:
        for place, data in files.items():
            for directory in _missing_directories(place):
                undo.callback(_tried, os.rmdir, directory)
            undo.callback(_tried, _unlink, temporary[place])
            _write(place, temporary[place], data)
        with _signals_wait():
            kept = _put_in_place(temporary, undo)
            undo.pop_all()
            for place in (*kept, *removed):
                _unlink(place)
            for directory, name in removed:
                _remove_empty(directory, os.path.dirname(name))


def _put_in_place(temporary: Mapping[Place, Place], undo: ExitStack) -> list[Place]:
    """Rename temporary files; return the old files, which ``undo`` puts back."""
    kept = []
    *several, last = temporary
    for place in several:  # after the last one nothing fails
        old = _keep(place)
        if old is None:
            undo.callback(_tried, _unlink, place)
        else:
            kept.append(old)
            undo.callback(_tried, _put_back, old, place)
        _rename(temporary[place], place)
    _rename(temporary[last], last)
    return kept


def _temporary_beside(place: Place) -> Place:
    directory, name = place
    return directory, os.path.join(os.path.dirname(name), f'.hrdf-{os.urandom(8).hex()}.tmp')


def _missing_directories(place: Place) -> list[str]:
    """Return the directories that have to be made for a file, from above to below."""
    path, missing = os.path.dirname(os.path.join(*place)), list[str]()
    while path and not os.path.lexists(path):
        missing.insert(0, path)
        path = os.path.dirname(path)
    return missing


def _write(place: Place, temporary: Place, data: bytes) -> None:
    """Write a temporary file, with the mode of the file whose place it takes."""
    directory, name = place
    os.makedirs(directory or os.curdir, exist_ok=True)
    with _named(*place), _folder_of(directory, name, make=True) as (folder, base):
        beside = os.path.basename(temporary[1])
        with open(os.open(beside, _CREATE, 0o666, dir_fd=folder), 'wb') as stream:
            with suppress(FileNotFoundError):
                old = os.stat(base, dir_fd=folder, follow_symlinks=False)
                if stat.S_ISREG(old.st_mode):
                    os.fchmod(stream.fileno(), stat.S_IMODE(old.st_mode))
            stream.write(data)


def _keep(place: Place) -> Optional[Place]:
    """Give a file a second name, which is returned; None where there is no file."""
    old = _temporary_beside(place)
    with _named(*place), _folder_of(*place) as (folder, base):
        beside = os.path.basename(old[1])
        try:
            os.link(base, beside, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError:  # a file system without links
            os.rename(base, beside, src_dir_fd=folder, dst_dir_fd=folder)
    return old


def _put_back(old: Place, place: Place) -> None:
    _rename(old, place)
    _unlink(old)  # renaming one name of a file to another one of it does nothing


def _rename(before: Place, after: Place) -> None:
    with _named(*after), _folder_of(*after) as (folder, base):
        os.rename(
            os.path.basename(before[1]), base, src_dir_fd=folder, dst_dir_fd=folder)


def _unlink(place: Place) -> None:
    with suppress(FileNotFoundError), _named(*place), _folder_of(*place) as (folder, base):
        os.unlink(base, dir_fd=folder)


def _tried(function: Callable[..., None], *arguments: object) -> None:
    """Undo a step; the error that is reported is the one before."""
    with suppress(OSError):
        function(*arguments)


# ---- one file

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
