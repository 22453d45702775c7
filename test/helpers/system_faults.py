# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The calls of a program to the system, counted, so that one at a time can fail.

The functions of ``os`` and ``open`` are replaced in this process while ``counted`` runs. The files
that ``open`` returns count each read, write and close that reaches the system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, ExitStack
import errno
from functools import partial
import io
import os
import signal
from typing import Any
from unittest import mock

FAILING = frozenset((
    'open', 'read', 'write', 'close', 'fsync', 'rename', 'replace', 'link', 'mkdir', 'fchmod',
    'stat', 'fstat', 'scandir', 'listdir'))
"""The operations that may fail; a program that can remove nothing cannot clean up."""
CHANGING = frozenset((
    'write', 'close', 'rename', 'replace', 'link', 'mkdir', 'fchmod', 'unlink', 'rmdir'))
"""The operations that change something; a file that ``open`` creates is written or closed next."""
_IN_OS = (*sorted(FAILING - {'close'}), 'unlink', 'rmdir')
"""The counted functions of ``os``, without close: it only ends reading, or use of a directory."""
ERRORS: dict[str, Callable[[], BaseException]] = {
    **{name: partial(OSError, getattr(errno, name), os.strerror(getattr(errno, name)))
       for name in ('ENOSPC', 'EIO', 'EINTR', 'ENOENT')},
    'MemoryError': MemoryError}
_UNREACHED = 99
"""The exit status of a process that did not reach the operation."""
Act = Callable[[str], None]
"""
A function that is called with the name of an operation; the operation raises what it raises.
"""


def nothing(_: str) -> None:
    """Let an operation succeed."""


class Operations:
    """
    Counts operations, and calls ``before`` and ``after`` with the name of each.

    Of the bytes of each read and write only the part ``1 / share`` is transferred, at least one
    byte.
    """

    def __init__(self, before: Act = nothing, after: Act = nothing, share: int = 1) -> None:
        self._before = before
        self._after = after
        self._share = share
        self.counts = Counter[str]()

    @contextmanager
    def around(self, name: str, file: object = None) -> Iterator[None]:
        """Count an operation, and let it fail; the error names the file as the system does."""
        self.counts[name] += 1
        try:
            self._before(name)
        except OSError as error:
            error.filename = file if isinstance(file, str) else None
            raise
        yield
        self._after(name)

    def part(self, size: int) -> int:
        """Return how many of some bytes are transferred."""
        return max(min(size, 1), size // self._share)


@contextmanager
def counted(operations: Operations) -> Iterator[None]:
    """Count the operations of this process."""
    with ExitStack() as patches:
        for name in _IN_OS:
            patches.enter_context(mock.patch.object(os, name, _function(operations, name)))
        for module in ('builtins', 'io'):
            patches.enter_context(mock.patch(f'{module}.open', _opener(operations)))
        yield


def _function(operations: Operations, name: str) -> Callable[..., Any]:
    """Return a function of ``os`` that is counted."""
    function = getattr(os, name)

    def call(*arguments: Any, **named: Any) -> Any:
        with operations.around(name, arguments and arguments[0]):
            if name == 'read':
                descriptor, size = arguments
                return function(descriptor, operations.part(size))
            if name == 'write':
                descriptor, data = arguments
                return function(descriptor, data[:operations.part(len(data))])
            return function(*arguments, **named)

    return call


def _opener(operations: Operations) -> Callable[..., Any]:
    """Return ``open`` with files that are counted."""
    class File(io.FileIO):
        def readinto(self, buffer: Any) -> int:
            with operations.around('read'):
                view = memoryview(buffer)
                return super().readinto(view[:operations.part(len(view))]) or 0

        def readall(self) -> bytes:
            return b''.join(iter(lambda: self.read(1 << 16), b''))

        def read(self, size: int | None = -1) -> bytes:
            if size is None or size < 0:
                return self.readall()
            with operations.around('read'):
                return super().read(operations.part(size)) or b''

        def write(self, data: Any) -> int:
            with operations.around('write'):
                view = memoryview(data)
                return super().write(view[:operations.part(len(view))]) or 0

        def close(self) -> None:
            was_open, is_written = not self.closed, not self.closed and self.writable()
            super().close()
            if was_open and is_written:
                with operations.around('close'):
                    pass

    def open_counted(
        file: Any, mode: str = 'r', buffering: int = -1, encoding: str | None = None,
        errors: str | None = None, newline: str | None = None, closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        kind = mode.replace('b', '').replace('t', '')
        with ExitStack() as around:
            if not isinstance(file, int) and opener is None:
                around.enter_context(operations.around('open', file))
            raw = File(file, kind, closefd, opener)
        if buffering == 0:
            return raw
        binary = (io.BufferedRandom(raw) if '+' in mode else  # type: ignore[arg-type]
                  io.BufferedReader(raw) if 'r' in mode else io.BufferedWriter(raw))
        return binary if 'b' in mode else io.TextIOWrapper(
            binary, encoding or 'utf-8', errors, newline)

    return open_counted


# ---- one fault

def failing_at(
    number: int, error: Callable[[], BaseException],
) -> tuple[Operations, Callable[[], bool]]:
    """Return operations of which one raises an error, and whether it was reached."""
    count = 0

    def before(name: str) -> None:
        nonlocal count
        if name in FAILING:
            count += 1
            if count == number:
                raise error()

    return Operations(before), lambda: count >= number


def ended_by_signal(
    run: Callable[[], int], number: int, kind: signal.Signals, *, is_after: bool,
) -> int | None:
    """
    Return the exit status of a process that receives a signal at an operation that changes files.

    The process is a fork of this one. The result is None if it has no operation of this number.
    """
    child = os.fork()
    if child == 0:
        count = 0

        def act(name: str) -> None:
            nonlocal count
            count += name in CHANGING
            if name in CHANGING and count == number:
                signal.raise_signal(kind)

        try:
            with counted(Operations(after=act) if is_after else Operations(before=act)):
                status = run()
        except SystemExit as error:
            status = int(error.code or 0)
        os._exit(status if count >= number else _UNREACHED)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return None if status == _UNREACHED else status
