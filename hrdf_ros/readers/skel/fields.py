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

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef, XmlElement
from hrdf_ros.model import ZERO
from hrdf_ros.parsing import skel
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.numbers import plain_numbers
from hrdf_ros.pose import IDENTITY, Pose, Vector


class Fields:
    """Typed getters for the children and attributes of an element."""

    __slots__ = ('report',)

    def __init__(self, report: Report) -> None:
        self.report = report

    def number(self, parent: XmlElement, tag: str, default: float = 0.0) -> float:
        """Return the number in a child element, the default where there is none."""
        node = parent.child(tag)
        return default if node is None else self._numbers(node, 1, skel.number, (default,))[0]

    def limit(self, parent: XmlElement, tag: str, default: float) -> float:
        """Return the number in a child element, which may be infinite."""
        node = parent.child(tag)
        return default if node is None else self._numbers(node, 1, skel.limit, (default,))[0]

    def required(self, parent: XmlElement, tag: str, *, hint: Optional[str] = None) -> float:
        """Return the number in a child element that must be there."""
        node = parent.child(tag)
        if node is None:
            self.missing(parent, tag, hint=hint)
            return 1.0
        return self._numbers(node, 1, skel.number, (1.0,))[0]

    def vector(self, parent: XmlElement, tag: str, default: Vector = ZERO) -> Vector:
        """Return the three numbers in a child element, the default where there is none."""
        node = parent.child(tag)
        if node is None:
            return default
        x, y, z = self.numbers(node, 3)
        return x, y, z

    def required_vector(self, parent: XmlElement, tag: str, default: Vector) -> Vector:
        """Return the three numbers in a child element that must be there."""
        node = parent.child(tag)
        if node is None:
            self.missing(parent, tag)
            return default
        x, y, z = self.numbers(node, 3)
        return x, y, z

    def numbers(self, node: XmlElement, count: int) -> tuple[float, ...]:
        """Return the ``count`` numbers in an element."""
        return self._numbers(
            node, count, lambda text: skel.vector(text, count), (0.0,) * count)

    def pose(self, parent: XmlElement) -> Pose:
        """Return the pose in the child ``<transformation>``, the identity where there is none."""
        node = parent.child('transformation')
        if node is None:
            return IDENTITY
        return skel.pose(self._numbers(node, 6, skel.transformation, (0.0,) * 6))

    def boolean(self, parent: XmlElement, tag: str, default: bool) -> bool:
        """Return the truth value in a child element; a strange word is false, as for DART."""
        node = parent.child(tag)
        if node is None:
            return default
        if not node.text:
            self.report.add(codes.BAD_VALUE, f'<{tag}> is empty', node.location)
        value = skel.boolean(node.text)
        if value is None and node.text:
            self.report.add(
                codes.BAD_VALUE, f"'{node.text.rstrip()}' is no truth value; DART takes false",
                node.text_location(), hint='write 1, 0, true or false', severity='warning')
        return bool(value)

    def attribute(self, node: XmlElement, name: str) -> Optional[float]:
        """Return the number in an attribute; one that is none is passed over, as by DART."""
        text = node.get(name)
        if text is None:
            return None
        try:
            return skel.limit(text).values[0]
        except ValueSyntaxError as fault:
            self.report.add(
                codes.BAD_VALUE, f'{fault.message}; DART passes over the attribute {name}',
                node.attribute_location(name, fault.index), severity='warning')
            return None

    def missing(self, parent: XmlElement, tag: str, *, hint: Optional[str] = None) -> None:
        """Report a required child element that is not there."""
        self.report.add(
            codes.MISSING_ELEMENT, f'<{parent.tag}> needs a <{tag}>', parent.location, hint=hint)

    def _numbers(
        self, node: XmlElement, count: int, grammar: Callable[[str], skel.Numbers],
        default: tuple[float, ...],
    ) -> tuple[float, ...]:
        return plain_numbers(node.text, count) or self._checked(node, grammar, default)

    def _checked(
        self, node: XmlElement, grammar: Callable[[str], skel.Numbers], default: tuple[float, ...],
    ) -> tuple[float, ...]:
        try:
            found = grammar(node.text)
        except skel.TooFew as fault:
            self.report.add(
                codes.BAD_VALUE, f'<{node.tag}>: {fault.message}', node.text_location(fault.index))
            return default
        except ValueSyntaxError as fault:
            self.report.add(
                codes.BAD_VALUE, f'<{node.tag}>: {fault.message}', node.text_location(fault.index))
            return default
        if found.ignored is not None:
            self._ignored(node, node.text_location(found.ignored), found.ignored)
        return found.values

    def _ignored(self, node: XmlElement, location: SourceRef, start: int) -> None:
        rest = node.text[start:].split(None, 1)[0]
        self.report.add(
            codes.TRAILING_CHARACTERS,
            f"<{node.tag}>: '{rest}' and what follows is not read",
            location,
        )
