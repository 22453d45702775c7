# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A rule about a consumer: a function that finds items, and a sentence about them."""

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
"""The diagnostic code of each effect."""


class Robot(NamedTuple):
    """
    A robot as a consumer receives it.

    ``model`` is the description itself if the consumer reads its format, else the result of the
    conversion, and ``is_converted`` is true. ``installed`` has the packages that other programs
    find.
    """

    model: Model
    topology: Topology
    installed: Packages
    is_converted: bool

    @property
    def is_urdf(self) -> bool:
        """Whether the consumer receives a URDF."""
        return 'rviz' in self.model.conventions.read_by


class Item(NamedTuple):
    """An item that a rule finds, its place in the source, and the word for ``{}`` in ``says``."""

    name: str
    location: Optional[Locatable]
    detail: str = ''


class Rule(NamedTuple):
    """
    A rule that says what some consumers do with the items that ``find`` yields.

    ``says`` is the sentence about an item, without its subject, the consumer. ``cure`` is what to
    change. ``source`` says how we know: a file and version of the consumer's source, or an answer
    that it gave. ``severity`` is by default that of the effect's code. ``details`` are the words
    that ``{}`` can stand for.
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
    """Return a decorator that makes a rule of the function that finds its items."""
    return lambda find: Rule(
        consumers, effect, says, cure, source, find, severity, details)


def axis_item(coordinate: Coordinate, field: str) -> Item:
    """Return an item for a coordinate, at the place of one of its fields."""
    return Item(coordinate.name, value_location(coordinate.location, field))


def missing_meshes(model: Model) -> Iterator[Item]:
    """Yield the meshes that were not found."""
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            if isinstance(shape.geometry, Mesh) and shape.geometry.file is None:
                yield Item(shape.geometry.uri, value_location(shape.location, 'uri'))
