# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the command itself has to say: errors that end it, and warnings."""

from __future__ import annotations

from collections.abc import Iterable
import sys
from typing import Optional

from hrdf_ros.diagnostics import printable

MEANT = "'?"
"""Ends a message that says what a misspelled word means."""


class UsageError(Exception):
    """A request that cannot be carried out: exit status 2."""


class CommandError(Exception):
    """Something that the command needs is missing, or does not work: exit status 1."""


def warn(message: str) -> None:
    """Write a warning that is not about a place in a file to standard error."""
    print(f'hrdf: warning: {printable(message)}', file=sys.stderr)


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return the message for an unknown name, with the nearest known one."""
    from hrdf_ros.parsing.suggestions import one_of
    return f"there is no {what} '{name}'; {one_of(name, list(known))()}"


def did_mean(what: str, name: str, known: Iterable[str]) -> Optional[str]:
    """Return the same message where a known name is near, else None."""
    message = unknown(what, name, known)
    return message if message.endswith(MEANT) else None
