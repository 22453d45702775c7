# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The defaults of actuators: MuJoCo keeps one record per class for actuators of all tags.

Each element of a class changes the record in the order of the file, then the actuator itself does.
Where all these elements have the tag of the actuator, attributes of the actuator say the same;
else the classes are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
import math
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.readers.mjcf.bodies import JointNode
from hrdf_ros.readers.mjcf.elements import Item, Scope
from hrdf_ros.readers.mjcf.refusals import inherited_range
from hrdf_ros.readers.schema import TypedElement

_NEVER_ALONE = ('dcmotor', 'plugin')
"""Actuators whose own attributes cannot say what they get from defaults of the same tag."""
_CONFLICTS = (('area', 'diameter'), ('kv', 'dampratio'), ('ctrlrange', 'posrange'))
"""Groups of attributes of which an element has one; the last one counts."""
_IDLE = ('cranklength', 'slidersite', 'refsite')
"""Attributes that only a class may give to an actuator that does not need them."""
_RANGES = (
    ('ctrllimited', 'ctrlrange'), ('forcelimited', 'forcerange'), ('actlimited', 'actrange'))
_SWITCHES = {
    'ctrllimited': {'damper': 'true', 'adhesion': 'true'}, 'actlimited': {'intvelocity': 'auto'}}
"""The values of switches that actuators of a tag have, whatever the file says."""


class Drive(NamedTuple):
    """The dynamics that the elements of an actuator give it, by the names of ``<general>``."""

    dyntype: str = 'none'
    gaintype: str = 'fixed'
    biastype: str = 'none'


_DRIVES = {
    'motor': Drive(), 'velocity': Drive(biastype='affine'), 'damper': Drive(gaintype='affine'),
    'intvelocity': Drive('integrator', 'fixed', 'affine'),
    'orientation': Drive('none', 'so3', 'so3'), 'cylinder': Drive('filter', 'fixed', 'affine'),
    'muscle': Drive('muscle', 'muscle', 'muscle'), 'adhesion': Drive(),
    'dcmotor': Drive('dcmotor', 'dcmotor', 'dcmotor')}
"""The tags that set all three fields of a Drive, with the values that they set."""


def drive_of(item: Item) -> Drive:
    """Return the dynamics of an actuator after its defaults."""
    if item.tag in _DRIVES:
        return _DRIVES[item.tag]
    drive = Drive()
    for element in (*reversed(item.defaults), item.element):
        if element.tag in (item.tag, 'general') or item.tag in ('general', 'plugin'):
            drive = _changed(drive, element)
    return drive


def _changed(drive: Drive, element: TypedElement) -> Drive:
    """Return the dynamics after one element that has the tag of an actuator."""
    tag, values = element.tag, element.values
    if tag in _DRIVES:
        return _DRIVES[tag]
    if tag == 'position':
        is_slow = values.get('timeconst', drive.dyntype == 'filterexact')
        return Drive('filterexact' if is_slow else 'none', 'fixed', 'affine')
    if tag == 'pid':
        is_slow = values.get('ki') or values.get('slewmax') or drive.dyntype == 'pid'
        return Drive('pid' if is_slow else 'none', 'pid', 'affine')
    return Drive(*(
        element.attributes.get(name, before) for name, before in zip(Drive._fields, drive)))


def check_actuator(item: Item, joints: Mapping[str, JointNode]) -> None:
    """Report an actuator that limits an activation it does not have, or that is unbounded."""
    drive, root = drive_of(item), item.scope.root
    is_limited = [has_limits(item, *names) for names in _RANGES]
    if is_limited[-1] and drive.dyntype == 'none':
        item.add(
            codes.MJCF_NOT_ALLOWED, f'<{item.tag}>: it has a range of activation, but no dynamics')
    if (drive.gaintype == 'so3') != (drive.biastype == 'so3'):
        item.add(
            codes.MJCF_NOT_ALLOWED,
            f"<{item.tag}>: 'gaintype' and 'biastype' are both 'so3', or neither")
    joint = joints.get(item.scope.rename(item.value('joint') or item.value('jointinparent') or ''))
    least, most = item.value('lengthrange', (0.0, 0.0))
    if 'muscle' in drive[1:] and least >= most and joint is not None and _is_endless(joint) and (
            not any(root.all('equality') + root.all('tendon'))) and not any(
                section.children for section in root.all('compiler')):
        item.add(
            codes.MJCF_NOT_ALLOWED,
            f"<{item.tag}>: MuJoCo finds no range of lengths for joint '{joint.name}', which has "
            'no limits', hint='give the actuator a lengthrange, or the joint a range')


def has_limits(item: Item, switch: str, values: str) -> bool:
    """Return whether a range is a limit; report one that MuJoCo refuses."""
    lower, upper = item.value(values, (0.0, 0.0))
    word = 'auto'
    for element in (*reversed(item.defaults), item.element):
        word = element.get(switch) or word
        word = _SWITCHES.get(switch, {}).get(element.tag, word)
    is_elsewhere = values == 'ctrlrange' and (
        item.has('posrange') or inherited_range(item) > 0.0)
    if word == 'true' and lower >= upper and not is_elsewhere:
        item.add(
            codes.LIMITS_REVERSED,
            f"<{item.tag}>: '{values}' is a limit, but {lower!r} is not below {upper!r}",
            values, severity='error')
    elif word == 'auto' and (lower or upper) and not item.scope.compiler.autolimits:
        item.add(
            codes.MJCF_NOT_ALLOWED, f"'{values}' without '{switch}' requires autolimits", values,
            hint=f'add {switch}="true"')
    return word == 'true' or word == 'auto' and lower < upper


def _is_endless(joint: JointNode) -> bool:
    """Return whether a hinge or slide has no limits."""
    return joint.kind in ('hinge', 'slide') and any(
        math.isinf(one.upper) for one in joint.coordinates)


class ActuatorClasses:
    """The default classes that actuators need whose own attributes cannot say the same."""

    def __init__(self) -> None:
        self._names: dict[tuple[int, ...], str] = {}
        self._chains: list[tuple[Scope, Sequence[TypedElement]]] = []

    def name_for(self, item: Item) -> Optional[str]:
        """Return the class that an actuator needs, None where it needs none."""
        if not item.defaults or not _needs_class(item):
            return None
        key = tuple(map(id, item.defaults))
        if key not in self._names:
            self._names[key] = f'actuator_{len(self._names) + 1}'
            self._chains.append((item.scope, item.defaults))
        return self._names[key]

    def __iter__(self) -> Iterator[tuple[Scope, list[tuple[str, list[TypedElement]]]]]:
        """Yield the file of each class and its levels, outermost first: names and elements."""
        for name, (scope, chain) in zip(self._names.values(), self._chains):
            levels: list[list[TypedElement]] = []
            classes = [scope.classes.name_of(element) for element in chain]
            for element, own, outer in zip(
                    reversed(chain), reversed(classes), [None, *reversed(classes)]):
                if own != outer or any(one.tag == element.tag for one in levels[-1]):
                    levels.append([])
                levels[-1].append(element)
            last = len(levels) - 1
            yield scope, [
                (name if index == last else f'{name}_{index + 1}', level)
                for index, level in enumerate(levels)]


def _needs_class(item: Item) -> bool:
    tags = {element.tag for element in item.defaults}
    return tags != {item.tag} or item.tag in _NEVER_ALONE or any(
        all(map(item.has, names)) for names in _CONFLICTS) or any(
            item.has(name) and name not in item.element.attributes for name in _IDLE)
