# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Keyframes as named configurations: ``qpos`` by joint, quaternions as rotation vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
import math
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.limits import KEYFRAME_POSITIONS
from hrdf_ros.model import Configuration, RawElement
from hrdf_ros.pose import from_quaternion, rotation_vector
from hrdf_ros.readers.mjcf.bodies import BodyNode, BodyReader, joint_kind
from hrdf_ros.readers.mjcf.elements import Item, Parts, Scope
from hrdf_ros.readers.mjcf.kept import left_over

_SIZES = {'free': 7, 'ball': 4}
"""The numbers in ``qpos`` of joints that have several."""
_READ = ('name', 'qpos')


class Slot(NamedTuple):
    """A joint in ``qpos``: its kind, and the index of its first coordinate."""

    kind: str
    first: int


class KeyReader:
    """Reads ``<keyframe>``; ``slots`` are the joints by ``Item.key``."""

    def __init__(self, slots: Mapping[object, Slot], parts: Parts) -> None:
        self._slots, self._parts = slots, parts
        self._count = 0
        self._seen: set[tuple[int, str]] = set()
        self.configurations: list[Configuration] = []
        self.kept: list[RawElement] = []

    def read(self, scope: Scope, world: BodyNode) -> None:
        """Read the keys of the main file; ``world`` is the tree that their ``qpos`` is about."""
        for item in self._keys(scope, world):
            self.kept += left_over(item, self.configurations[-1].name, _READ)

    def read_attached(self, scope: Scope) -> None:
        """Read the keys of an attached model once: for the first copy that is attached."""
        source = id(scope.root), scope.prefix
        if source in self._seen or not any(
                section.children for section in scope.root.all('keyframe')):
            return
        self._seen.add(source)
        world = BodyReader().read(scope._replace(report=Report()))
        for item in self._keys(scope, world):
            ignored = [name for name, _ in item.items() if name not in _READ]
            if ignored:
                item.add(
                    codes.MJCF_PART_IGNORED,
                    f"'{ignored[0]}' in a key of an attached model is ignored", ignored[0])

    def _keys(self, scope: Scope, world: BodyNode) -> Iterator[Item]:
        """Add the configuration of each key of a file, then yield the key."""
        joints = [item for node, _ in world.walk() for item in node.joints]
        for section in scope.root.all('keyframe'):
            items = [Item(element, scope.of_assets) for element in section.children]
            for item in items:
                self._parts.claim('key', item.name, item)
            for item in items:
                self._count += len(joints)
                if self._count > KEYFRAME_POSITIONS:
                    item.add(
                        codes.TOO_MANY_ELEMENTS,
                        f'keyframes have more than {KEYFRAME_POSITIONS} positions')
                    return
                name = item.name or self._parts.made_up('key', self._parts.names['key'])
                self.configurations.append(Configuration(
                    name, tuple(self._positions(item, joints)), item.location))
                yield item

    def _positions(self, key: Item, joints: Sequence[Item]) -> Iterator[tuple[int, float]]:
        """Yield positions by coordinate; joints behind the end of ``qpos`` have none."""
        numbers: Sequence[float] = key.value('qpos', ())
        given = iter(numbers)
        for item in joints:
            slot = self._slots.get(item.key)
            size = _SIZES.get(joint_kind(item) if slot is None else slot.kind, 1)
            values = tuple(islice(given, size))
            if slot is None or len(values) < size:
                continue
            if all(map(math.isfinite, values)):
                yield from _by_coordinate(slot, values)
            else:
                key.add(
                    codes.NOT_FINITE, "'qpos' has a number that is not finite; ignored", 'qpos',
                    severity='warning')
        if next(given, None) is not None and not self._parts.is_partial:
            key.add(
                codes.BAD_VALUE, f"'qpos' has more numbers than the joints: {len(numbers)}",
                'qpos')


def _by_coordinate(slot: Slot, values: Sequence[float]) -> Iterator[tuple[int, float]]:
    if slot.kind in _SIZES:
        *position, w, x, y, z = values
        turn = any((w, x, y, z)) and rotation_vector(
            from_quaternion((0.0, 0.0, 0.0), (x, y, z, w)))
        values = (*position, *(turn or (0.0, 0.0, 0.0)))
    yield from enumerate(values, slot.first)
