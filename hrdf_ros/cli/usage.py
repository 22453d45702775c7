# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong usage of the command."""

from __future__ import annotations

from collections.abc import Iterable


class UsageError(Exception):
    """A request that cannot be carried out: exit status 2."""


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return the message for an unknown name, with the nearest known one."""
    from hrdf_ros.parsing.suggestions import one_of
    return f"there is no {what} '{name}'; {one_of(name, list(known))()}"
