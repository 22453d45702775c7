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
from hrdf_ros.readers.mjcf.bodies import BodyNode, BodyReader, Item, joint_kind, Scope
from hrdf_ros.readers.mjcf.kept import left_over
from hrdf_ros.readers.mjcf.parts import Parts
from hrdf_ros.readers.mjcf.settings import Resolved
from hrdf_ros.readers.schema import TypedElement

_SIZES = {'free': 7, 'ball': 4}
"""The numbers in ``qpos`` of joints that have several."""
_READ = ('name', 'qpos')


class Slot(NamedTuple):
    """A joint in ``qpos``: its kind, and the index of its first coordinate."""

    kind: str
    first: int


class KeyReader:
    """Reads ``<keyframe>``; ``slots`` are the joints by ``Item.key``."""

    def __init__(
        self, slots: Mapping[object, Slot], parts: Parts, report: Report,
    ) -> None:
        self._slots, self._parts, self._report = slots, parts, report
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
        for item in self._keys(scope, BodyReader(Report()).read(scope)):
            ignored = [name for name, _ in item.element.items() if name not in _READ]
            if ignored:
                self._report.add(
                    codes.MJCF_PART_IGNORED,
                    f"'{ignored[0]}' in a key of an attached model is ignored",
                    item.element.locate(ignored[0]))

    def _keys(self, scope: Scope, world: BodyNode) -> Iterator[Item]:
        """Add the configuration of each key of a file, then yield the key."""
        joints = [
            item for node, _ in world.walk() for item in node.all('joint', 'freejoint')]
        for section in scope.root.all('keyframe'):
            items = [Item(Resolved(element, ()), scope.of_assets) for element in section.children]
            for item in items:
                self._parts.claim('key', item.name, item.element)
            for item in items:
                element = item.element.element
                self._count += len(joints)
                if self._count > KEYFRAME_POSITIONS:
                    self._report.add(
                        codes.TOO_MANY_ELEMENTS,
                        f'keyframes have more than {KEYFRAME_POSITIONS} positions',
                        element.location)
                    return
                name = item.name or self._parts.made_up('key', self._parts.names['key'])
                self.configurations.append(Configuration(
                    name, tuple(self._positions(element, joints)), element.location))
                yield item

    def _positions(
        self, element: TypedElement, joints: Sequence[Item],
    ) -> Iterator[tuple[int, float]]:
        """Yield positions by coordinate; joints behind the end of ``qpos`` have none."""
        numbers: Sequence[float] = element.values.get('qpos') or ()
        given = iter(numbers)
        for item in joints:
            slot = self._slots.get(item.key)
            kind = joint_kind(item) if slot is None else slot.kind
            values = tuple(islice(given, _SIZES.get(kind, 1)))
            if slot is not None and len(values) == _SIZES.get(kind, 1):
                yield from self._finite(slot, values, element)
        if next(given, None) is not None and not self._parts.is_partial:
            self._report.add(
                codes.BAD_VALUE, f"'qpos' has more numbers than the joints: {len(numbers)}",
                element.locate('qpos'))

    def _finite(
        self, slot: Slot, values: Sequence[float], element: TypedElement,
    ) -> Iterator[tuple[int, float]]:
        if not all(map(math.isfinite, values)):
            self._report.add(
                codes.NOT_FINITE, "'qpos' has a number that is not finite; ignored",
                element.locate('qpos'), severity='warning')
            return
        if slot.kind in _SIZES:
            *position, w, x, y, z = values
            turn = any((w, x, y, z)) and rotation_vector(
                from_quaternion((0.0, 0.0, 0.0), (x, y, z, w)))
            values = (*position, *(turn or (0.0, 0.0, 0.0)))
        yield from enumerate(values, slot.first)
