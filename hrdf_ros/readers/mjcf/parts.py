# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of a model by name, and diagnostics about names."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.names import Names
from hrdf_ros.pose import IDENTITY, Pose
from hrdf_ros.readers.mjcf.settings import report_unknown, Resolved
from hrdf_ros.readers.schema import TypedElement


class Place(NamedTuple):
    """A body, or a site on one: ``pose`` is body_from_place."""

    body: int
    pose: Pose = IDENTITY


class Scalar(NamedTuple):
    """A hinge or slide: its coordinate, and its position in the initial configuration."""

    joint: int
    coordinate: int
    ref: float


class Parts:
    """
    The parts that elements refer to by name, as the whole model has them.

    ``names`` are those of each kind; None is a joint that is not scalar. ``is_partial`` says that
    bodies are missing because they are not rigid.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._counts: dict[str, int] = defaultdict(int)
        self.names: dict[str, set[str]] = defaultdict(set)
        self.sites: dict[str, Place] = {}
        self.bodies: dict[str, int] = {}
        self.joints: dict[str, Optional[Scalar]] = {}
        self.world_poses: list[Pose] = []
        self.mocap: set[int] = set()
        self.is_partial = False

    def claim(self, kind: str, name: str, element: Union[Resolved, TypedElement]) -> None:
        """Take the name of an element, '' where it has none; two of a kind are an error."""
        if name and name in self.names[kind]:
            self._report.add(
                codes.DUPLICATE_NAME, f"duplicate {kind} '{name}'", element.locate('name'))
        self.names[kind].add(name)

    def made_up(self, kind: str, taken: Union[Names, set[str]]) -> str:
        """Return a name for an element without one; it is the same when the file is read again."""
        while True:
            self._counts[kind] += 1
            name = f'{kind}_{self._counts[kind]}'
            if name not in taken:
                return name

    def unknown(
        self, kind: str, name: str, element: Union[Resolved, TypedElement], attribute: str,
    ) -> None:
        """Report a reference to what is not there; it may be a part that is not rigid."""
        report_unknown(
            self._report, kind, name, self.names[kind], element, attribute,
            'warning' if self.is_partial else None)
