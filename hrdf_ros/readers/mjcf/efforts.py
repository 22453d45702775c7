# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The effort that actuators can give a joint, from the ranges of their forces and controls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
import math

from hrdf_ros import codes
from hrdf_ros.document import escape
from hrdf_ros.model import Coordinate, Joint, RawElement
from hrdf_ros.readers.mjcf.actuator_faults import is_limit
from hrdf_ros.readers.mjcf.actuator_record import Range, Record
from hrdf_ros.readers.mjcf.elements import Item

_BOUNDED = ('none', 'filter', 'filterexact')
"""The kinds of dynamics whose activation stays within the range of the control."""


class Efforts:
    """
    Adds up the effort that the actuators of each joint can give.

    An actuator gives at most its gear times the limit of its force. One with a fixed gain and no
    bias also gives at most its gear times its gain times the limit of its control.
    """

    def __init__(self) -> None:
        self._of: dict[str, float] = {}

    def add(self, item: Item, record: Record) -> None:
        """Add an actuator; report one that pulls a tendon, and a range that is not symmetric."""
        joint = item.value('joint') or item.value('jointinparent')
        limits = [*_limits(item, record)]
        if item.value('tendon') and limits:
            item.add(
                codes.DETAIL_NOT_PRESERVED,
                f"actuator '{item.name}' pulls a tendon, so its limit is the effort of no joint")
        if joint:
            name = item.scope.rename(joint)
            gear = abs(item.numbers('gear', (1.0,))[0])
            self._of[name] = self._of.get(name, 0.0) + gear * min(limits, default=math.inf)

    def applied(self, coordinates: Iterable[Coordinate]) -> Iterator[Coordinate]:
        """Yield the coordinates, each with no more effort than its actuators give."""
        for one in coordinates:
            yield one._replace(effort=min(one.effort, self._of.get(one.name, math.inf)))

    def noted(self, joint: Joint, coordinates: Sequence[Coordinate]) -> Joint:
        """Return a joint with the effort that its actuators give, for a writer that has both."""
        names = [coordinates[index].name for index in joint.coordinates]
        found = tuple([
            RawElement(
                'effort', f'<joint name="{escape(name)}" effort="{self._of[name]!r}"/>',
                joint.location, held_by=('mjcf',))
            for name in names if name in self._of])
        return joint._replace(extensions=(*joint.extensions, *found)) if found else joint


def _limits(item: Item, record: Record) -> Iterator[float]:
    """Yield the limits of the force of an actuator, before its gear."""
    if is_limit(record.forcelimited, record.forcerange):
        yield _greatest(item, 'forcerange', record.forcerange)
    is_plain = record.gaintype == 'fixed' and record.biastype == 'none' and (
        record.dyntype in _BOUNDED)
    if is_plain and is_limit(record.ctrllimited, record.ctrlrange):
        yield abs(record.gainprm[0]) * _greatest(item, 'ctrlrange', record.ctrlrange)


def _greatest(item: Item, name: str, limits: Range) -> float:
    """Return the greatest magnitude in a range; report a range that is not symmetric."""
    lower, upper = limits
    if lower != -upper:
        item.add(
            codes.DETAIL_NOT_PRESERVED,
            f"'{name}' of actuator '{item.name}' is not symmetric; the effort of its joint is of "
            'the greater side', name)
    return max(abs(lower), abs(upper))
