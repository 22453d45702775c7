# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A rule about a consumer is a function that finds items, and the sentence about them."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.codes import Code, Severity
from hrdf_ros.diagnostics import Locatable, value_location
from hrdf_ros.model import ConsumerName, Coordinate, Mesh, Model
from hrdf_ros.resolve import Packages
from hrdf_ros.topology import Topology

Effect = Literal['refuses', 'drops', 'invents']
CODES: dict[Effect, Code] = {
    'refuses': codes.CONSUMER_REFUSES, 'drops': codes.CONSUMER_DROPS,
    'invents': codes.CONSUMER_INVENTS}
"""The diagnostic of each effect."""


class Robot(NamedTuple):
    """
    A robot as a consumer gets it.

    ``model`` is the description itself where the consumer reads its format, else what the
    conversion makes of it. ``installed`` are the packages that other programs find.
    """

    model: Model
    topology: Topology
    installed: Packages

    @property
    def is_urdf(self) -> bool:
        """Whether the consumer gets a URDF."""
        return 'rviz' in self.model.conventions.read_by


class Item(NamedTuple):
    """An item that a rule finds, its place in the source, and the word for ``{}`` in the rule."""

    name: str
    location: Optional[Locatable]
    detail: str = ''


class Rule(NamedTuple):
    """
    What some consumers do with the items that ``find`` yields.

    ``says`` completes the name of a consumer to a sentence, and ``cure`` is what to change.
    ``source`` is where the consumer does it: a file and version, or the answer that it gave.
    ``severity`` is that of the effect's diagnostic unless given. ``details`` are the words that
    ``{}`` can stand for.
    """

    consumers: tuple[ConsumerName, ...]
    effect: Effect
    says: str
    cure: str
    source: str
    find: Callable[[Robot], Iterator[Item]]
    severity: Optional[Severity] = None
    details: str = ''


def rule(
    *consumers: ConsumerName, effect: Effect, says: str, cure: str, source: str,
    severity: Optional[Severity] = None, details: str = '',
) -> Callable[[Callable[[Robot], Iterator[Item]]], Rule]:
    """Make a rule of the function that finds its items."""
    return lambda find: Rule(
        consumers, effect, says, cure, source, find, severity, details)


def single_axes(model: Model) -> Iterator[Coordinate]:
    """Yield the coordinates of joints with one axis, which have limits in every format."""
    for joint in model.joints:
        if len(joint.motions) == 1 and len(joint.motions[0].coordinates) == 1:
            yield model.coordinates[joint.motions[0].coordinates[0]]


def axis_item(coordinate: Coordinate, field: str) -> Item:
    """Return the item of a coordinate, at the place of one of its fields."""
    return Item(coordinate.name, value_location(coordinate.location, field))


def missing_meshes(model: Model) -> Iterator[Item]:
    """Yield the meshes that were not found."""
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            if isinstance(shape.geometry, Mesh) and shape.geometry.file is None:
                yield Item(shape.geometry.uri, value_location(shape.location, 'uri'))
