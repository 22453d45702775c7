# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Serialized JointStates and Strings, read in place.

They are CDR (OMG DDS-XTypes 7.4.1, plain CDR version 1): a four-byte header whose second byte
gives the byte order, then the fields, each aligned to its size counted from behind the header.
Strings carry their length and a final zero. Padding bytes are not defined: they must be masked
when bytes are compared. This module knows nothing of ROS nodes, so that it can be fuzzed alone.
"""

from __future__ import annotations

import struct
from typing import NamedTuple, Optional

from hrdf_ros.kinematics.transforms import Array
import numpy as np

HEADER = 4
MAX_NAMES = 20_000
MAX_NAME_BYTES = 1 << 20
_RECENT = 32
_PROVEN = 16
"""Of the remembered names, how many that came more than once are safe from new ones."""
_MAX_REMEMBERED = 1 << 20
"""Bytes of the names that are remembered, all together, beside the newest ones."""
_HEAD = 64
_MAX_MASKED = 1 << 18
"""Bytes of names up to which padding is left out of the comparison."""
_MAX_LAYOUTS = 4
_MAX_LAYOUT = 1 << 16
"""Bytes of names up to which a layout is remembered."""
_LITTLE_ENDIAN = b'\0\1'
"""What a message with a layout begins with."""
_LENGTH = 4
"""Bytes of the length of a string."""
_STAMPED = HEADER + 8
"""Where the stamp ends."""
_DOUBLE = np.dtype('<f8')
_STAMP = struct.Struct('<iI')


class Malformed(ValueError):
    """Bytes that are not a message of the expected type."""


class ByteOrder(NamedTuple):
    """How numbers are read in one byte order."""

    head: struct.Struct
    """Seconds, nanoseconds, length of the frame id."""
    number: struct.Struct
    double: np.dtype[np.float64]


_ORDERS = tuple(
    ByteOrder(struct.Struct(f'{sign}iII'), struct.Struct(f'{sign}I'), np.dtype(f'{sign}f8'))
    for sign in '><')
"""By the second byte of a message."""


class JointNames:
    """The names of a JointState, found again by comparing their bytes."""

    __slots__ = ('names', 'block', 'order', '_head', '_masked', '_mask')

    def __init__(
        self, names: tuple[str, ...], block: bytes = b'', mask: bytes = b'',
        order: Optional[ByteOrder] = None,
    ) -> None:
        self.names = names
        self.block = block
        self.order = order
        self._head = _masked(block[:_HEAD], mask)
        self._mask = mask if len(block) <= _MAX_MASKED else b''
        self._masked: Optional[int] = None

    def is_at(self, data: bytes, start: int) -> bool:
        """Tell whether the same names are at an offset, whatever the padding holds."""
        block = self.block
        if data.startswith(block, start):
            return True
        size = len(block)
        if size > _MAX_MASKED or _masked(data[start:start + _HEAD], self._mask) != self._head:
            return False
        if self._masked is None:
            self._masked = _masked(block, self._mask)
        return _masked(data[start:start + size], self._mask) == self._masked


def _masked(data: bytes, mask: bytes) -> int:
    """Return bytes as a number, those that are padding as zeros."""
    return int.from_bytes(data, 'little') & int.from_bytes(mask[:len(data)], 'little')


class Layout:
    """Where the stamp and the positions are in messages that are alike between the two."""

    __slots__ = ('joints', '_between', '_first', '_end', '_floats')

    def __init__(self, joints: JointNames, data: bytes, first: int) -> None:
        self.joints = joints
        count = len(joints.names)
        self._between = data[_STAMPED:first]
        self._first = first
        self._end = first + 8 * count
        self._floats = struct.Struct(f'<{count}d')

    def fits(self, data: bytes) -> bool:
        """Tell whether it is that of a message."""
        return (data.startswith(self._between, _STAMPED) and len(data) >= self._end
                and data.startswith(_LITTLE_ENDIAN))

    def stamp(self, data: bytes) -> tuple[int, int]:
        """Return seconds and nanoseconds."""
        return _STAMP.unpack_from(data, HEADER)

    def floats(self, data: bytes) -> tuple[float, ...]:
        """Return the positions as plain floats."""
        return self._floats.unpack_from(data, self._first)

    def array(self, data: bytes) -> Array:
        """Return the positions (n,), which cannot be written."""
        return np.frombuffer(data, _DOUBLE, len(self.joints.names), self._first)


class JointPositions(NamedTuple):
    """What is used of a JointState; ``values`` (n,) is None where lengths do not match."""

    seconds: int
    nanoseconds: int
    joints: JointNames
    values: Optional[Array]
    length: int
    """How many positions the message has."""


_Header = tuple[ByteOrder, int, int, int]
"""The byte order, seconds and nanoseconds of the stamp, and where the names start."""


class JointStateReader:
    """
    Reads serialized JointStates; names seen before cost one comparison of bytes.

    One thread may ``read``, another one ``read_known``: what is remembered is replaced as a whole.
    """

    def __init__(self) -> None:
        self.recent: list[JointNames] = []
        self._layouts: list[Layout] = []

    def find_layout(self, data: bytes) -> Optional[Layout]:
        """Return the layout of a message that is like one of the last, else None."""
        for layout in self._layouts:
            if layout.fits(data):
                return layout
        return None

    def read_known(self, data: bytes) -> Optional[JointPositions]:
        """
        Return stamp, names and positions, None where the names are new.

        Raises Malformed for bytes that are not a JointState.
        """
        header = _read_header(data)
        joints = self._find(data, header[3], header[0])
        if joints is None:
            return None
        message = _read_positions(data, header, joints)
        self._remember_layout(data, header, message)
        return message

    def _remember_layout(
        self, data: bytes, header: _Header, message: JointPositions,
    ) -> None:
        """Know the next message of this kind at once, where it is of the usual kind."""
        order, _, _, start = header
        joints = message.joints
        if order is _ORDERS[1] and message.values is not None and message.length and (
                len(joints.block) <= _MAX_LAYOUT):
            first = aligned(start + len(joints.block) + 4, 8)
            del self._layouts[_MAX_LAYOUTS - 1:]
            self._layouts.insert(0, Layout(joints, data, first))

    def read(self, data: bytes) -> JointPositions:
        """Return the same of a message whose names may be new, and remember them."""
        header = _read_header(data)
        joints = self._find(data, header[3], header[0])
        if joints is None:
            joints = _read_names(data, header[3], header[0])
            self._remember(joints)
        return _read_positions(data, header, joints)

    def _remember(self, joints: JointNames) -> None:
        """Put new names behind the proven ones; keep those that fit into the memory for them."""
        recent, kept, size = self.recent, [], 0
        for known in [*recent[:_PROVEN], joints, *recent[_PROVEN:_RECENT - 1]]:
            size += len(known.block)
            if known is joints or size <= _MAX_REMEMBERED:
                kept.append(known)
        self.recent = kept

    def _find(self, data: bytes, start: int, order: ByteOrder) -> Optional[JointNames]:
        """Return the names at an offset, None where they are not remembered."""
        recent = self.recent
        for index, joints in enumerate(recent):
            if joints.order is order and joints.is_at(data, start):
                if index:
                    recent.insert(0, recent.pop(index))
                return joints
        return None


def _read_header(data: bytes) -> _Header:
    if len(data) < HEADER or data[0] != 0 or data[1] > 1:
        raise Malformed('the header is not that of plain CDR')
    order = _ORDERS[data[1]]
    try:
        seconds, nanoseconds, length = order.head.unpack_from(data, HEADER)
    except struct.error:
        raise Malformed('the message ends within its header') from None
    return order, seconds, nanoseconds, HEADER + 12 + length + -length % 4


def _read_positions(data: bytes, header: _Header, joints: JointNames) -> JointPositions:
    """Read what follows the names."""
    order, seconds, nanoseconds, start = header
    end = start + len(joints.block)
    try:
        count, = order.number.unpack_from(data, end)
    except struct.error:
        raise Malformed('the message ends within the names') from None
    if count != len(joints.names):
        return JointPositions(seconds, nanoseconds, joints, None, count)
    first = aligned(end + 4, 8) if count else end + 4
    if first + 8 * count > len(data):
        raise Malformed('the message ends within the positions')
    values = np.frombuffer(data, order.double, count, first)
    return JointPositions(seconds, nanoseconds, joints, values, count)


def read_string(data: bytes) -> str:
    """Return the text of a serialized String; raise Malformed where it is none."""
    if len(data) < HEADER or data[0] != 0 or data[1] > 1:
        raise Malformed('the header is not that of plain CDR')
    try:
        length, = _ORDERS[data[1]].number.unpack_from(data, HEADER)
    except struct.error:
        raise Malformed('the message ends within its header') from None
    start = HEADER + _LENGTH
    if start + length > len(data):
        raise Malformed('the message ends within the text')
    return str(memoryview(data)[start:start + length], 'utf-8', 'replace').rstrip('\0')


def aligned(position: int, size: int) -> int:
    """Return the next position aligned to a size, counted from behind the header."""
    return position + (HEADER - position) % size


def _read_names(data: bytes, start: int, order: ByteOrder) -> JointNames:
    """Read a sequence of strings and note which of its bytes are padding."""
    try:
        names, mask, position = _parse_names(data, start, order.number)
    except struct.error:
        raise Malformed('the message ends within the names') from None
    size = len(mask.rstrip(b'\0'))
    if start + size > len(data):
        raise Malformed('the message ends within the names')
    block = data[start:position].ljust(len(mask), b'\0')
    return JointNames(tuple(names), block, bytes(mask), order)


def _parse_names(
    data: bytes, start: int, number: struct.Struct,
) -> tuple[list[str], bytearray, int]:
    """Return the names, a mask with zeros for padding, and where they end."""
    count, = number.unpack_from(data, start)
    if count > MAX_NAMES or count * 5 > len(data):
        raise Malformed(f'{count} names are more than a message may have')
    names, mask, position = [], bytearray(b'\xff\xff\xff\xff'), start + 4
    for _ in range(count):
        length, = number.unpack_from(data, position)
        text = data[position + 4:position + 4 + length]
        if len(text) != length:
            raise Malformed('the message ends within a name')
        names.append(text.rstrip(b'\0').decode('utf-8', 'replace'))
        end = position + 4 + length
        if end - start > MAX_NAME_BYTES:
            raise Malformed(f'its names are longer than {MAX_NAME_BYTES} bytes')
        position = aligned(end, 4)
        mask += b'\xff' * (4 + length) + b'\0' * (position - end)
    return names, mask, position
