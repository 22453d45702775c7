# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Unique names in DART's manner: ``arm``, ``arm(1)``, ``arm(2)``."""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Report


class UniqueNames:
    """The names taken so far in one of DART's namespaces."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def claim(self, name: str, location: Optional[Locatable] = None) -> str:
        """
        Take a name and return it, with a number where it is taken already.

        >>> names = UniqueNames(Report())
        >>> names.claim('arm'), names.claim('arm'), names.claim('arm')
        ('arm', 'arm(1)', 'arm(2)')
        """
        free, count = name, self._counts.get(name, 0)
        while free in self._taken:
            count += 1
            free = f'{name}({count})'
        self._counts[name] = count
        if free != name:
            self._report.add(
                codes.NAME_CHANGED,
                f"the name '{name}' is taken already; DART uses '{free}'",
                location,
            )
        self._taken.add(free)
        return free
