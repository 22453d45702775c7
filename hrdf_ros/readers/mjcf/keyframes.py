# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Keyframes as named configurations: ``qpos`` by joint, quaternions as rotation vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
import math

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.limits import KEYFRAME_POSITIONS
from hrdf_ros.model import Configuration
from hrdf_ros.pose import from_quaternion, rotation_vector
from hrdf_ros.readers.mjcf.bodies import BodyNode, BodyReader, JointNode
from hrdf_ros.readers.mjcf.draft import Draft
from hrdf_ros.readers.mjcf.elements import Item, Scope
from hrdf_ros.readers.mjcf.kept import left_over

_SIZES = {'free': 7, 'ball': 4}
"""The numbers in ``qpos`` of joints that have several."""
_READ = ('name', 'qpos')


class KeyReader:
    """Reads ``<keyframe>`` about the joints of the tree below ``world``."""

    def __init__(self, draft: Draft, world: BodyNode) -> None:
        self._draft, self._world = draft, world
        self._joints = {joint.item.key: joint for node in world.walk() for joint in node.joints}
        self._count = 0
        self._seen: set[tuple[int, str]] = set()

    def read(self, scope: Scope) -> None:
        """Read the keys of the main file."""
        for item in self._keys(scope, self._world):
            self._draft.kept += left_over(item, self._draft.configurations[-1].name, _READ)

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
        draft, joints = self._draft, [joint for node in world.walk() for joint in node.joints]
        for section in scope.root.all('keyframe'):
            items = [Item(element, scope.of_assets) for element in section.children]
            for item in items:
                draft.claim('key', item.name, item)
            for item in items:
                self._count += len(joints)
                if self._count > KEYFRAME_POSITIONS:
                    item.add(
                        codes.TOO_MANY_ELEMENTS,
                        f'keyframes have more than {KEYFRAME_POSITIONS} positions')
                    return
                name = item.name or draft.made_up('key', draft.names['key'])
                draft.configurations.append(Configuration(
                    name, tuple(self._positions(item, joints)), item.location))
                yield item

    def _positions(self, key: Item, joints: Sequence[JointNode]) -> Iterator[tuple[int, float]]:
        """Yield positions by coordinate; joints behind the end of ``qpos`` have none."""
        numbers: Sequence[float] = key.value('qpos', ())
        given = iter(numbers)
        for joint in joints:
            values = tuple(islice(given, _SIZES.get(joint.kind, 1)))
            own = self._joints.get(joint.item.key)
            if own is None or len(values) < _SIZES.get(joint.kind, 1):
                continue
            if not all(map(math.isfinite, values)):
                key.add(
                    codes.NOT_FINITE, "'qpos' has a number that is not finite; ignored", 'qpos',
                    severity='warning')
                continue
            if joint.kind in _SIZES:
                *position, w, x, y, z = values
                turn = any((w, x, y, z)) and rotation_vector(
                    from_quaternion((0.0, 0.0, 0.0), (x, y, z, w)))
                values = (*position, *(turn or (0.0, 0.0, 0.0)))
            yield from enumerate(values, own.first)
        if next(given, None) is not None and not self._draft.is_partial:
            key.add(
                codes.BAD_VALUE, f"'qpos' has more numbers than the joints: {len(numbers)}",
                'qpos')
