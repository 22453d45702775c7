# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Serialized messages read and written in place: JointState in, TFMessage out.

Both are CDR (OMG DDS-XTypes 7.4.1, plain CDR version 1): a four-byte header whose second byte
gives the byte order, then the fields, each aligned to its size counted from behind the header.
Strings carry their length and a final zero. Padding bytes are not defined: they must be masked
when bytes are compared. This module knows nothing of ROS nodes, so that it can be fuzzed alone.
"""

from __future__ import annotations

from collections.abc import Sequence
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


class JointPositions(NamedTuple):
    """What is used of a JointState; ``values`` (n,) is None where lengths do not match."""

    seconds: int
    nanoseconds: int
    joints: JointNames
    values: Optional[Array]
    length: int
    """How many positions the message has."""


class JointStateReader:
    """
    Reads serialized JointStates; names seen before cost one comparison of bytes.

    One thread may ``read``, another one ``read_known``: what is remembered is replaced as a whole.
    """

    def __init__(self) -> None:
        self.recent: list[JointNames] = []

    def read_known(self, data: bytes) -> Optional[JointPositions]:
        """
        Return stamp, names and positions, None where the names are new.

        Raises Malformed for bytes that are not a JointState.
        """
        header = _read_header(data)
        joints = self._find(data, header[3], header[0])
        return None if joints is None else _read_positions(data, header, joints)

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


_Header = tuple[ByteOrder, int, int, int]
"""The byte order, seconds and nanoseconds of the stamp, and where the names start."""


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
    first = _aligned(end + 4, 8) if count else end + 4
    if first + 8 * count > len(data):
        raise Malformed('the message ends within the positions')
    values = np.frombuffer(data, order.double, count, first)
    return JointPositions(seconds, nanoseconds, joints, values, count)


def _aligned(position: int, size: int) -> int:
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
        position = _aligned(end, 4)
        mask += b'\xff' * (4 + length) + b'\0' * (position - end)
    return names, mask, position


class TransformsTemplate:
    """
    A serialized TFMessage for fixed pairs of frames, whose stamps and numbers are filled in.

    The transforms are parent_from_child as rows x, y, z, qx, qy, qz, qw.
    """

    def __init__(self, frames: Sequence[tuple[str, str]]) -> None:
        parts = _Writer()
        parts.integer(len(frames))
        stamps, numbers = [], []
        for parent, child in frames:
            stamps.append(parts.reserve(8, 4))
            parts.string(parent)
            parts.string(child)
            numbers.append(parts.reserve(56, 8))
        self._buffer = parts.buffer + bytes((HEADER - len(parts.buffer)) % 8)
        self._size = len(parts.buffer)
        body = np.frombuffer(self._buffer, 'u1', offset=HEADER)
        self._words = body.view('<u4')
        self._doubles = body.view('<f8')
        self._seconds = (np.array(stamps, dtype=np.intp) - HEADER) // 4
        self._nanoseconds = self._seconds + 1
        self._numbers = (
            (np.array(numbers, dtype=np.intp)[:, None] - HEADER) // 8 + np.arange(7)
        ).reshape(len(frames), 7)

    def fill(self, seconds: int, nanoseconds: int, transforms: Array) -> bytes:
        """Return the message with one stamp and these transforms, (m, 7)."""
        self._words[self._seconds] = seconds & 0xffffffff
        self._words[self._nanoseconds] = nanoseconds
        self._doubles[self._numbers] = transforms
        return bytes(memoryview(self._buffer)[:self._size])


class _Writer:
    """Writes little-endian CDR."""

    def __init__(self) -> None:
        self.buffer = bytearray(b'\0\1\0\0')

    def reserve(self, size: int, alignment: int) -> int:
        """Append zeros at an aligned place and return it."""
        start = _aligned(len(self.buffer), alignment)
        self.buffer += bytes(start + size - len(self.buffer))
        return start

    def integer(self, value: int) -> None:
        struct.pack_into('<I', self.buffer, self.reserve(4, 4), value)

    def string(self, text: str) -> None:
        encoded = text.encode('utf-8') + b'\0'
        self.integer(len(encoded))
        self.buffer += encoded
