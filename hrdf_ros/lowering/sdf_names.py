# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Names that SDFormat accepts: links, joints and frames of a model are one namespace."""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics
from hrdf_ros.names import Names
from hrdf_ros.parsing.sdf import is_reserved


class SdfNames:
    """
    The names taken in one model or world; whoever claims first keeps its name.

    Links give way to joints: programs move a robot by the names of its joints.
    """

    def __init__(self, notes: GroupedDiagnostics) -> None:
        self._notes = notes
        self._names = Names()

        self._of_joints: set[str] = set()

    def reserve(self, name: str) -> None:
        """Keep a name for a joint."""
        self._of_joints.add(_legal(name, 'joint'))

    def claim(self, name: str, kind: str) -> str:
        """Take a name, changed where it is reserved, holds ``::`` or is taken; return it."""
        legal = _legal(name, kind)
        if kind == 'link' and legal in self._of_joints:
            legal += '/body'
        free = self._names.claim(legal, f'_{kind}')
        if name and free != name:
            self._notes.add(
                codes.NAME_CHANGED,
                'names are changed because SDFormat has one namespace and reserved words',
                f'{name} -> {free}', severity='info')
        return free


def _legal(name: str, kind: str) -> str:
    """Return a name without ``::`` that is not reserved (SDF 1.7 and 1.8)."""
    name = name.strip().replace('::', '/') or kind
    return f'{name}_{kind}' if is_reserved(name) else name
