# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Names for what has none: elements, bodies, fixed joints.

``default`` names an element by its tag, else by type and number (``x5_4_1``, ``r8_link_2``).
``hebi`` gives the names of hebi_description (``J1_base/body``, ``link_1``), tags aside.
"""

from collections import Counter
from collections.abc import Sequence
import re
from typing import NamedTuple

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.model import NONE
from hrdf_ros.names import Names, renamed
from hrdf_ros.readers.hrdf.elements import ChainElement

BASE = 'base_link'
_INNER_CAPITAL = re.compile(r'(?<=[a-z0-9])(?=[A-Z])')


class ElementName(NamedTuple):
    """
    The name of an element, which its joint and frames share, and that of its body.

    An end effector's name means its output, so its body is called otherwise.
    """

    name: str
    body: str


class Naming(NamedTuple):
    """The names of all elements and coordinates, both in their order."""

    elements: tuple[ElementName, ...]
    coordinates: tuple[str, ...]
    hebi: bool = False

    def fixed_joint(self, parent: int, child: int, kind: str) -> str:
        """Return the name of the fixed joint between two elements; ``kind`` is the parent's."""
        if not self.hebi:
            return f'{self.elements[child].body}/fixed'
        if parent == NONE:
            return 'base_joint'
        name = self.elements[parent].name
        return f'{name}/joint' if kind == 'link' else f'{name}_{self.elements[child].name}'


def default_naming(
    elements: Sequence[ChainElement],
    joint_names: Sequence[str],
    names: Names,
    location: SourceRef,
    report: Report,
) -> Naming:
    """Name elements by tag, else by type and number, aside for tags."""
    tagged = {
        index: names.claim(element.tag, location=element.location)
        for index, element in enumerate(elements) if element.tag
    }
    counts: Counter[str] = Counter()
    result = []
    for index, element in enumerate(elements):
        label = _label(element)
        counts[label] += 1
        name = tagged.get(index) or names.claim(names.free(f'{label}_{counts[label]}'))
        body = names.claim(f'{name}/body') if element.kind == 'end-effector' else name
        result.append(ElementName(name, body))
    moving = [name.name for name, element in zip(result, elements) if element.motion is not None]
    return Naming(tuple(result), tuple(renamed(moving, joint_names, location, report)))


def hebi_naming(
    elements: Sequence[ChainElement],
    joint_names: Sequence[str],
    names: Names,
    location: SourceRef,
    report: Report,
) -> Naming:
    """Name elements as hebi_description does: by kind and number, joints from the list."""
    count = sum(element.motion is not None for element in elements)
    coordinates = renamed(
        [f'J{index + 1}' for index in range(count)], joint_names, location, report
    )
    joints = iter(coordinates)
    counts: Counter[str] = Counter()
    result = []
    for element in elements:
        if element.motion is not None:
            name = next(joints)
            body = f'{name}/body'
        else:
            counts[element.kind] += 1
            name = body = f"{element.kind.replace('-', '_')}_{counts[element.kind]}"
        result.append(ElementName(name, names.claim(body, location=element.location)))
    return Naming(tuple(result), tuple(coordinates), hebi=True)


def _label(element: ChainElement) -> str:
    """Return what an untagged element is called, but for its number."""
    if element.kind == 'joint' or element.type in ('', 'Custom'):
        return element.kind.replace('-', '_')
    word = _INNER_CAPITAL.sub('_', element.type).replace('-', '_').lower()
    return f'{word}_link' if element.kind == 'link' else word
