# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Messages of the command itself: errors that end it, and warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
import sys

from hrdf_ros.diagnostics import printable


class UsageError(Exception):
    """A request that cannot be carried out: exit status 2."""


class CommandError(Exception):
    """The command lacks something that it needs, or that does not work: exit status 1."""


def warn(message: str) -> None:
    """Write a warning that is not about a place in a file to standard error."""
    print(f'hrdf: warning: {printable(message)}', file=sys.stderr)


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return the message for an unknown name, with the nearest known one."""
    from hrdf_ros.parsing.suggestions import one_of
    return f"there is no {what} '{name}'; {one_of(name, list(known))()}"


@contextmanager
def required(message: str) -> Iterator[None]:
    """
    Import other libraries in this context; a missing one is a CommandError.

    ``{error}`` in the message is the text of the ImportError.
    """
    try:
        yield
    except ImportError as error:
        if (error.name or '').startswith('hrdf_ros'):
            raise
        raise CommandError(message.format(error=error)) from None
