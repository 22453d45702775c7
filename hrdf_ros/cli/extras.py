# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Commands that need more than a plain installation has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hrdf_ros.cli.usage import CommandError


@contextmanager
def required(message: str) -> Iterator[None]:
    """
    Import other libraries in this context; without one it ends in a CommandError.

    ``{error}`` in the message is what Python says.
    """
    try:
        yield
    except ImportError as error:
        if (error.name or '').startswith('hrdf_ros'):
            raise
        raise CommandError(message.format(error=error)) from None
