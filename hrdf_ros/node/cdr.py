# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Serialized messages read and written in place: JointState in, TFMessage out.

Both are CDR (OMG DDS-XTypes 7.4.1, plain CDR version 1): a four-byte header whose second byte
tells the byte order, then the fields, each aligned to its size counted from behind the header.
Strings carry their length and a final zero. Padding bytes are not defined: they must be masked
when bytes are compared. This room knows nothing of ROS nodes, so that it can be fuzzed alone.
"""

from __future__ import annotations

from collections.abc import Sequence
import struct
from typing import NamedTuple, Optional

import numpy as np

HEADER = 4
MAX_NAMES = 20_000
MAX_NAME_BYTES = 1 << 20
_RECENT = 32


class Malformed(ValueError):
    """Bytes that are no message of the expected type."""


class ByteOrder(NamedTuple):
    """How numbers are read in one byte order."""

    head: struct.Struct
    """Seconds, nanoseconds, length of the frame id."""
    count: struct.Struct
    double: np.dtype


_ORDERS = tuple(
    ByteOrder(struct.Struct(f'{sign}iII'), struct.Struct(f'{sign}I'), np.dtype(f'{sign}f8'))
    for sign in '><')
"""By the second byte of a message."""


class JointNames:
    """The names of a JointState, found again by comparing their bytes."""

    __slots__ = ('names', 'block', 'masked', 'mask', 'order')

    def __init__(
        self, names: tuple[str, ...], block: bytes = b'', mask: int = 0,
        order: Optional[ByteOrder] = None,
    ) -> None:
        self.names = names
        self.block = block
        self.mask = mask
        self.masked = int.from_bytes(block, 'little') & mask
        self.order = order

    def is_at(self, data: bytes, start: int) -> bool:
        """Tell whether the same names stand at a place, whatever the padding holds."""
        if data.startswith(self.block, start):
            return True
        other = data[start:start + len(self.block)]
        return int.from_bytes(other, 'little') & self.mask == self.masked


class JointPositions(NamedTuple):
    """What is used of a JointState; ``values`` (n,) is None where lengths do not match."""

    seconds: int
    nanoseconds: int
    joints: JointNames
    values: Optional[np.ndarray]
    count: int
    """How many positions the message has."""


class JointStateReader:
    """Reads serialized JointStates; names seen before cost one comparison of bytes."""

    def __init__(self) -> None:
        self._recent: list[JointNames] = []

    def read(self, data: bytes) -> JointPositions:
        """Return stamp, names and positions; raise Malformed where the bytes are none."""
        order = _byte_order(data)
        try:
            seconds, nanoseconds, length = order.head.unpack_from(data, HEADER)
            start = _aligned(HEADER + 12 + length, 4)
            joints = self._joints(data, start, order)
            end = start + len(joints.block)
            count, = order.count.unpack_from(data, end)
        except struct.error as error:
            raise Malformed('the message ends too early') from error
        if count != len(joints.names):
            return JointPositions(seconds, nanoseconds, joints, None, count)
        first = _aligned(end + 4, 8) if count else end + 4
        if first + 8 * count > len(data):
            raise Malformed('the message ends within the positions')
        values = np.frombuffer(data, order.double, count, first)
        return JointPositions(seconds, nanoseconds, joints, values, count)

    def _joints(self, data: bytes, start: int, order: ByteOrder) -> JointNames:
        """Return the names at a place, remembered if they were seen lately."""
        recent = self._recent
        for index, joints in enumerate(recent):
            if joints.order is order and joints.is_at(data, start):
                if index:
                    recent.insert(0, recent.pop(index))
                return joints
        joints = _read_names(data, start, order)
        recent.insert(0, joints)
        del recent[_RECENT:]
        return joints


def _byte_order(data: bytes) -> ByteOrder:
    if len(data) < HEADER or data[0] != 0 or data[1] > 1:
        raise Malformed('the header is not that of plain CDR')
    return _ORDERS[data[1]]


def _aligned(position: int, size: int) -> int:
    """Return the next position aligned to a size, counted from behind the header."""
    return position + (HEADER - position) % size


def _read_names(data: bytes, start: int, order: ByteOrder) -> JointNames:
    """Read a sequence of strings and note which of its bytes are padding."""
    count, = order.count.unpack_from(data, start)
    if count > MAX_NAMES or count * 5 > len(data):
        raise Malformed(f'{count} names are more than a message may have')
    mask = bytearray(b'\xff\xff\xff\xff')
    names = []
    position = start + 4
    for _ in range(count):
        length, = order.count.unpack_from(data, position)
        text = data[position + 4:position + 4 + length]
        if len(text) != length:
            raise Malformed('the message ends within a name')
        names.append(text.rstrip(b'\0').decode('utf-8', 'replace'))
        end = position + 4 + length
        if end - start > MAX_NAME_BYTES:
            raise Malformed(f'its names are longer than {MAX_NAME_BYTES} bytes')
        position = _aligned(end, 4)
        mask += b'\xff' * (4 + length) + b'\0' * (position - end)
    tail = len(mask) - len(mask.rstrip(b'\0'))
    size = len(mask) - tail
    if start + size > len(data):
        raise Malformed('the message ends within the names')
    block = data[start:position].ljust(len(mask), b'\0')
    return JointNames(tuple(names), block, int.from_bytes(mask, 'little'), order)


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

    def fill(self, seconds: int, nanoseconds: int, transforms: np.ndarray) -> bytes:
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
