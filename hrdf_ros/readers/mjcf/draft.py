# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The Model in the making, and its parts by the names that elements refer to."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Body, Configuration, Constraint, Coordinate, Frame, Joint, RawElement
from hrdf_ros.names import Names
from hrdf_ros.pose import IDENTITY, Pose
from hrdf_ros.readers.mjcf.bodies import JointNode
from hrdf_ros.readers.mjcf.elements import Item


class Place(NamedTuple):
    """A body, or a site on one: ``pose`` is body_from_place."""

    body: int
    pose: Pose = IDENTITY


class Draft:
    """
    The records of a Model, filled by the readers of its parts.

    ``names`` are those of each kind of part in the whole model; ``places`` are bodies and sites
    by kind and name, ``parts`` the joints by name. ``is_partial`` says that bodies are missing
    because they are not rigid.
    """

    def __init__(self, report: Report) -> None:
        self.bodies: list[Body] = []
        self.joints: list[Joint] = []
        self.coordinates: list[Coordinate] = []
        self.frames: list[Frame] = []
        self.constraints: list[Constraint] = []
        self.configurations: list[Configuration] = []
        self.kept: list[RawElement] = []
        self.frame_names, self.joint_names, self.coordinate_names = (
            Names(report), Names(report), Names(report))
        self.names: dict[str, set[str]] = defaultdict(set)
        self.places: dict[tuple[str, str], Place] = {}
        self.parts: dict[str, JointNode] = {}
        self.mocap: set[int] = set()
        self.is_partial = False
        self._counts: dict[str, int] = defaultdict(int)

    def claim(self, kind: str, name: str, item: Item) -> None:
        """Take the name of an element, '' where it has none; two of a kind are an error."""
        if name and name in self.names[kind]:
            item.add(codes.DUPLICATE_NAME, f"duplicate {kind} '{name}'", 'name')
        self.names[kind].add(name)

    def made_up(self, kind: str, taken: Union[Names, set[str]]) -> str:
        """Return a name for an element without one; it is the same when the file is read again."""
        while True:
            self._counts[kind] += 1
            name = f'{kind}_{self._counts[kind]}'
            if name not in taken:
                return name

    def unknown(self, kind: str, name: str, item: Item, attribute: str) -> None:
        """Report a reference to what is not there; it may be a part that is not rigid."""
        item.unknown(
            kind, name, self.names[kind], attribute, 'warning' if self.is_partial else None)
