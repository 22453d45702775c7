# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Unique names: frames, joints and coordinates are a namespace each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Report


class Names:
    """
    The names taken so far in one namespace.

    Whoever claims first wins, so claim in the order of precedence: in frames links, then
    ``<frame>``s, then joints.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._taken

    def claim(self, name: str, suffix: str = '', location: Optional[Locatable] = None) -> str:
        """
        Take a name and return it; a loser gets the suffix, then ``_2``, ``_3``, with a warning.

        >>> names = Names(Report())
        >>> names.claim('arm'), names.claim('arm', '_joint'), names.claim('arm', '_joint')
        ('arm', 'arm_joint', 'arm_joint_2')
        """
        free = name if name not in self._taken else self.free(name + suffix)
        if free != name:
            self._report.add(
                codes.NAME_CHANGED,
                f"the name '{name}' is taken already, '{free}' is used",
                location,
            )
        self._taken.add(free)
        return free

    def free(self, name: str) -> str:
        """Return the name, or with ``_2``, ``_3`` appended the first that is not taken."""
        free, count = name, self._counts.get(name, 1)
        while free in self._taken:
            count += 1
            free = f'{name}_{count}'
        self._counts[name] = max(count - 1, 1)
        return free


def renamed(
    names: Sequence[str], wanted: Sequence[str], location: Optional[Locatable], report: Report,
) -> list[str]:
    """
    Return the names of coordinates, replaced in their order as far as ``wanted`` goes.

    Too many names, and names that come out twice, are errors of the robot at ``place``; the names
    stay as they are then.
    """
    result = [*wanted[:len(names)], *names[len(wanted):]]
    twice = sorted({name for name, count in Counter(result).items() if count > 1})
    if len(wanted) > len(names):
        report.add(
            codes.JOINT_NAMES_MISMATCH,
            f'{len(wanted)} joint names are given for {len(names)} coordinates',
            location)
    elif twice:
        report.add(
            codes.JOINT_NAMES_MISMATCH,
            f"two coordinates would have the name '{twice[0]}'", location)
    else:
        return result
    return list(names)
