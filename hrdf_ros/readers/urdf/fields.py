# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Reading attributes with findings that name the faulty character."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Optional, TypeVar

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Hint, Report
from hrdf_ros.document import Document, XmlElement
from hrdf_ros.model import ZERO
from hrdf_ros.parsing import urdf
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.pose import from_quaternion, from_rpy, IDENTITY, Pose, Vector

Value = TypeVar('Value')

FIRST = (1, 0)
"""The version of URDF that every urdfdom reads."""
_BREAKS = (b'\t', b'\r', b'\n')
_QUOTES = (b'"', b"'")


class Unreadable(Exception):
    """Ends the reading of a part that cannot be used; the finding is already made."""


class Fields:
    """
    Reads the attributes of one document and reports what is wrong with them.

    ``severity`` is what a fault is where urdfdom's reading goes on without the faulty part.
    """

    def __init__(
        self, document: Document, version: tuple[int, int], report: Report,
        severity: Literal['error', 'warning'] = 'error',
    ) -> None:
        self.document = document
        self.version = version
        self.report = report
        self.severity = severity

    def lenient(self) -> Fields:
        """Return the same, for parts that urdfdom leaves out when they are faulty."""
        return Fields(self.document, self.version, self.report, 'warning')

    def fault(
        self, code: Code, message: str, node: XmlElement, attribute: Optional[str] = None,
        character: Optional[int] = None, hint: Hint = None,
    ) -> Unreadable:
        """Report a fault and return the exception to raise."""
        location = (
            node.location if attribute is None else node.attribute_location(attribute, character)
        )
        if self.severity == 'warning':
            message += '; this part is left out, as urdfdom does'
        self.report.add(code, message, location, hint=hint, severity=self.severity)
        return Unreadable()

    def child(self, node: XmlElement, tag: str) -> XmlElement:
        """Return a child that must be there."""
        found = node.child(tag)
        if found is None:
            raise self.fault(codes.MISSING_ELEMENT, f'<{node.tag}> needs <{tag}>', node)
        return found

    def text(self, node: XmlElement, attribute: str) -> str:
        """Return the value of an attribute that must be there."""
        value = node.get(attribute)
        if value is None:
            raise self.fault(
                codes.MISSING_ATTRIBUTE, f"<{node.tag}> needs the attribute '{attribute}'", node)
        return self._with_breaks(node, attribute, value) if ' ' in value else value

    def _with_breaks(self, node: XmlElement, attribute: str, value: str) -> str:
        """
        Return a value with the tabs and line breaks that stand in the file.

        XML turns these into spaces; urdfdom does not, and refuses numbers parted by them.
        """
        data = self.document.data
        tag_end = data.find(b'>', node.start)
        if data.find(f'{attribute}="{value}"'.encode(), node.start, tag_end) >= 0:
            return value
        start = node.attribute_location(attribute, 0).offset()
        if data[start - 1:start] not in _QUOTES:
            return value
        written = data[start:data.index(data[start - 1:start], start)]
        return written.decode() if any(one in written for one in _BREAKS) else value

    def value(self, node: XmlElement, attribute: str, read: Callable[[str], Value]) -> Value:
        """Return the value of an attribute that must be there, by its grammar."""
        try:
            return read(self.text(node, attribute))
        except ValueSyntaxError as fault:
            raise self.fault(
                codes.BAD_VALUE, f'{attribute}: {fault.message}', node, attribute, fault.index,
            ) from None

    def number(self, node: XmlElement, attribute: str, default: Optional[float] = None) -> float:
        """Return a number; one without a default must be there."""
        if default is not None and attribute not in node.attributes:
            return default
        return self.value(node, attribute, urdf.number)

    def size(self, node: XmlElement, attribute: str) -> float:
        """Return a number that must be there and should not be negative."""
        value = self.number(node, attribute)
        self.check_sizes(node, attribute, (value,))
        return value

    def check_sizes(self, node: XmlElement, attribute: str, values: Sequence[float]) -> None:
        """Warn about negative numbers, which urdfdom lets pass."""
        if min(values) < 0.0:
            self.report.add(
                codes.BAD_VALUE, f'{attribute}: a negative number makes no sense here',
                node.attribute_location(attribute, 0), severity='warning')

    def vector(self, node: XmlElement, attribute: str, default: Optional[Vector] = None) -> Vector:
        """Return three numbers; without a default they must be there."""
        if default is not None and attribute not in node.attributes:
            return default
        x, y, z = self.value(node, attribute, lambda text: urdf.vector(text, 3))
        return x, y, z

    def origin(self, node: XmlElement) -> Pose:
        """Return the pose that the child ``<origin>`` gives, the identity without one."""
        origin = node.child('origin')
        if origin is None:
            return IDENTITY
        position = self.vector(origin, 'xyz', ZERO)
        if 'quat_xyzw' in origin.attributes and not self._prefers_rpy(origin):
            return self._quaternion_pose(origin, position)
        pose = from_rpy(position, self.vector(origin, 'rpy', ZERO))
        return IDENTITY if pose == IDENTITY else pose

    def _prefers_rpy(self, origin: XmlElement) -> bool:
        """Tell whether ``rpy`` stands beside ``quat_xyzw``, which only readers of 1.0 forgive."""
        if 'rpy' not in origin.attributes:
            return False
        message = "an origin has 'rpy' or 'quat_xyzw', not both"
        if self.version != FIRST:
            raise self.fault(codes.BAD_VALUE, message, origin, 'quat_xyzw')
        self.report.add(
            codes.NO_EFFECT, f'{message}; rpy is read', origin.attribute_location('quat_xyzw'))
        return True

    def _quaternion_pose(self, origin: XmlElement, position: Vector) -> Pose:
        """Return the pose of an origin with ``quat_xyzw``, which came with version 1.1."""
        self.newer(origin, "'quat_xyzw' is", (1, 1), 'quat_xyzw')
        quaternion = self.value(origin, 'quat_xyzw', lambda text: urdf.vector(text, 4))
        try:
            return from_quaternion(position, quaternion)
        except ValueError:
            raise self.fault(
                codes.BAD_VALUE, 'a quaternion of zeros is no rotation', origin, 'quat_xyzw',
            ) from None

    def newer(
        self, node: XmlElement, what: str, since: tuple[int, int], attribute: Optional[str] = None,
    ) -> None:
        """Warn about something that the version of the file does not have."""
        if self.version < since:
            self.report.add(
                codes.NEWER_THAN_VERSION,
                f'{what} URDF {since[0]}.{since[1]}; readers of '
                f'{self.version[0]}.{self.version[1]} pass over it',
                node.location if attribute is None else node.attribute_location(attribute),
                severity='warning',
            )
