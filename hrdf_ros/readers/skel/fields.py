# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Values of elements, with what is wrong about them reported where it stands.

After an error a getter returns a harmless value, so that one run finds all errors; the Model
made from it is thrown away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from hrdf_ros.document import Node, Place
from hrdf_ros.model import ZERO
from hrdf_ros.pose import IDENTITY, Pose, Vector
from hrdf_ros.report import Report
from hrdf_ros.values import skel
from hrdf_ros.values.fault import Fault
from hrdf_ros.values.numbers import plain_numbers


class Fields:
    """Typed getters for the children and attributes of an element."""

    __slots__ = ('report',)

    def __init__(self, report: Report) -> None:
        self.report = report

    def number(self, parent: Node, tag: str, default: float = 0.0) -> float:
        """Return the number in a child element, the default where there is none."""
        node = parent.child(tag)
        return default if node is None else self._numbers(node, 1, skel.number, (default,))[0]

    def limit(self, parent: Node, tag: str, default: float) -> float:
        """Return the number in a child element, which may be infinite."""
        node = parent.child(tag)
        return default if node is None else self._numbers(node, 1, skel.limit, (default,))[0]

    def required(self, parent: Node, tag: str, *, hint: Optional[str] = None) -> float:
        """Return the number in a child element that must be there."""
        node = parent.child(tag)
        if node is None:
            self.missing(parent, tag, hint=hint)
            return 1.0
        return self._numbers(node, 1, skel.number, (1.0,))[0]

    def vector(self, parent: Node, tag: str, default: Vector = ZERO) -> Vector:
        """Return the three numbers in a child element, the default where there is none."""
        node = parent.child(tag)
        if node is None:
            return default
        x, y, z = self.numbers(node, 3)
        return x, y, z

    def required_vector(self, parent: Node, tag: str, default: Vector) -> Vector:
        """Return the three numbers in a child element that must be there."""
        node = parent.child(tag)
        if node is None:
            self.missing(parent, tag)
            return default
        x, y, z = self.numbers(node, 3)
        return x, y, z

    def numbers(self, node: Node, count: int) -> tuple[float, ...]:
        """Return the ``count`` numbers in an element."""
        return self._numbers(
            node, count, lambda text: skel.vector(text, count), (0.0,) * count)

    def pose(self, parent: Node) -> Pose:
        """Return the pose in the child ``<transformation>``, the identity where there is none."""
        node = parent.child('transformation')
        if node is None:
            return IDENTITY
        return skel.pose(self._numbers(node, 6, skel.transformation, (0.0,) * 6))

    def boolean(self, parent: Node, tag: str, default: bool) -> bool:
        """Return the truth value in a child element; a strange word is false, as for DART."""
        node = parent.child(tag)
        if node is None:
            return default
        if not node.text:
            self.report.error('skel-bad-number', f'<{tag}> is empty', node.place)
        value = skel.boolean(node.text)
        if value is None and node.text:
            self.report.warning(
                'skel-bad-word', f"'{node.text.rstrip()}' is no truth value; DART takes false",
                node.at_text(), hint='write 1, 0, true or false')
        return bool(value)

    def attribute(self, node: Node, name: str) -> Optional[float]:
        """Return the number in an attribute; one that is none is passed over, as by DART."""
        text = node.get(name)
        if text is None:
            return None
        try:
            return skel.limit(text).values[0]
        except Fault as fault:
            self.report.warning(
                'skel-bad-word', f'{fault.message}; DART passes over the attribute {name}',
                node.at(name, fault.index))
            return None

    def missing(self, parent: Node, tag: str, *, hint: Optional[str] = None) -> None:
        """Report a required child element that is not there."""
        self.report.error(
            'missing-element', f'<{parent.tag}> needs a <{tag}>', parent.place, hint=hint)

    def _numbers(
        self, node: Node, count: int, grammar: Callable[[str], skel.Numbers],
        default: tuple[float, ...],
    ) -> tuple[float, ...]:
        return plain_numbers(node.text, count) or self._checked(node, grammar, default)

    def _checked(
        self, node: Node, grammar: Callable[[str], skel.Numbers], default: tuple[float, ...],
    ) -> tuple[float, ...]:
        try:
            found = grammar(node.text)
        except skel.TooFew as fault:
            self.report.error(
                'skel-short-vector', f'<{node.tag}>: {fault.message}', node.at_text(fault.index))
            return default
        except Fault as fault:
            self.report.error(
                'skel-bad-number', f'<{node.tag}>: {fault.message}', node.at_text(fault.index))
            return default
        if found.ignored is not None:
            self._ignored(node, node.at_text(found.ignored), found.ignored)
        return found.values

    def _ignored(self, node: Node, place: Place, start: int) -> None:
        rest = node.text[start:].split(None, 1)[0]
        self.report.warning(
            'skel-text-ignored', f"<{node.tag}>: '{rest}' and what follows is not read", place)
