# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Serialized messages, read and filled in place where their layout is known.

They are CDR (OMG DDS-XTypes 7.4.1, plain CDR version 1): a four-byte header whose second byte
gives the byte order, then the fields, each aligned to its size counted from after the header.
Strings carry their length and a final zero. Padding bytes are undefined. This module does not
import ROS.
"""

from collections.abc import Callable, Sequence
import struct
from typing import Any, NamedTuple, Optional

from hrdf_ros.kinematics.transforms import Array, Indices
from hrdf_ros.limits import JOINT_STATE_BYTES, LAYOUT_BYTES
from hrdf_ros.listing import count_of
import numpy as np

SECOND = 1_000_000_000
"""The number of nanoseconds in a second."""
HEADER = 4
"""The size in bytes of the header of a serialized message."""
_STAMPED = HEADER + 8
"""The offset in bytes of the end of a stamp that is the first field."""
_LITTLE_ENDIAN = b'\0\1'
_LAYOUTS = 32
"""The maximum number of layouts of JointStates that are remembered."""
_STAMP = struct.Struct('<iI')
_LENGTH = struct.Struct('<I')
_NUMBER = 8
"""The size of a double in bytes, which is also its alignment."""


class Malformed(ValueError):
    """Bytes that are not a message of the expected type."""


class JointPositions(NamedTuple):
    """
    The part of a JointState that is used.

    ``stamp`` is in ns; ``values`` (n,), in rad and m, are read-only.
    """

    stamp: int
    names: tuple[str, ...]
    values: Array


def aligned(position: int, size: int) -> int:
    """Return the next position aligned to a size; position 0 is just after the header."""
    return position + (HEADER - position) % size


class Writer:
    """Serialized fields, and a mask with zeros for padding bytes."""

    def __init__(self, start: bytes) -> None:
        self.data = bytearray(start)
        self.mask = bytearray(b'\xff' * len(start))

    def put(self, field: bytes, alignment: int) -> int:
        """Append a field at an aligned place; return the place."""
        start = aligned(len(self.data), alignment)
        padding = bytes(start - len(self.data))
        self.data += padding + field
        self.mask += padding + b'\xff' * len(field)
        return start

    def put_text(self, text: str) -> None:
        """Append a string."""
        encoded = text.encode() + b'\0'
        self.put(_LENGTH.pack(len(encoded)) + encoded, _LENGTH.size)


class Layout:
    """Reads JointStates that differ from a known one only in their stamp and numbers."""

    def __init__(self, data: bytes, names: tuple[str, ...]) -> None:
        """Learn the layout of a little-endian message, whose names ``has_names`` compares."""
        frame_size, = _LENGTH.unpack_from(data, _STAMPED)
        writer = Writer(data[:_STAMPED + _LENGTH.size + frame_size])
        writer.put(_LENGTH.pack(len(names)), _LENGTH.size)
        for name in names:
            writer.put_text(name)
        writer.put(_LENGTH.pack(len(names)), _LENGTH.size)
        self._first = writer.put(b'', _NUMBER)
        self._names = names
        self._size = len(data)
        self._block = data[_STAMPED:self._first]
        self._number = int.from_bytes(writer.data[_STAMPED:], 'little')
        self._mask = int.from_bytes(writer.mask[_STAMPED:], 'little')
        self.size = len(self._block)
        """The number of bytes from the stamp to the positions."""

    def fits(self, data: bytes) -> bool:
        """Return whether a message has this layout, whatever its padding bytes are."""
        return len(data) == self._size and data.startswith(_LITTLE_ENDIAN) and (
            data.startswith(self._block, _STAMPED) or self.has_names(data))

    def has_names(self, data: bytes) -> bool:
        """
        Return whether a message has its names and counts where this layout has them.

        All names are compared as one number in which the padding is masked. This takes 2 us for 30
        names; a comparison of each part between two paddings takes 7 us.
        """
        return int.from_bytes(data[_STAMPED:self._first], 'little') & self._mask == self._number

    def read(self, data: bytes) -> JointPositions:
        """Return the positions in a message that has this layout."""
        seconds, nanoseconds = _STAMP.unpack_from(data, HEADER)
        values = np.frombuffer(data, np.float64, len(self._names), self._first)
        return JointPositions(seconds * SECOND + nanoseconds, self._names, values)


class JointStateReader:
    """Reads JointStates: in place if their layout is known, else by ``deserialize``."""

    def __init__(self, deserialize: Callable[[bytes], Any]) -> None:
        self._deserialize = deserialize
        self._layouts: list[Layout] = []

    def find(self, data: bytes) -> Optional[JointPositions]:
        """Return the positions in a message if its layout is known, else None."""
        layouts = self._layouts
        for index, layout in enumerate(layouts):
            if layout.fits(data):
                if index:
                    layouts.insert(0, layouts.pop(index))
                return layout.read(data)
        return None

    def learn(self, data: bytes, most: int = JOINT_STATE_BYTES) -> JointPositions:
        """
        Return the positions in a message with a new layout, and remember the layout.

        A message of more than ``most`` bytes, or one that is no JointState, raises Malformed.
        """
        if len(data) > most:
            raise Malformed(f'it has new names and more than {most} bytes')
        try:
            message = self._deserialize(data)
        except RuntimeError:
            raise Malformed('its bytes are not a JointState') from None
        names, values = tuple(message.name), np.array(message.position, dtype=float)
        if len(names) != len(values):
            counts = count_of(len(names), 'name'), count_of(len(values), 'position')
            raise Malformed(
                f'it has {counts[0]} but {counts[1]}' if len(values) else 'it has no positions')
        if names and data.startswith(_LITTLE_ENDIAN):
            layout = Layout(data, names)
            if layout.has_names(data):
                self._remember(layout)
        stamp = message.header.stamp
        return JointPositions(stamp.sec * SECOND + stamp.nanosec, names, values)

    def _remember(self, layout: Layout) -> None:
        """Keep the layouts that were used last, as long as their bytes together are few enough."""
        kept, size = [layout], layout.size
        for known in self._layouts[:_LAYOUTS - 1]:
            size += known.size
            if size <= LAYOUT_BYTES:
                kept.append(known)
        self._layouts = kept


def read_string(data: bytes) -> str:
    """Return the text of a serialized String; other bytes raise Malformed."""
    if len(data) < HEADER or data[0] != 0 or data[1] > 1:
        raise Malformed('the header is not that of plain CDR')
    try:
        length, = struct.unpack_from('><'[data[1]] + 'I', data, HEADER)
    except struct.error:
        raise Malformed('the message ends within its header') from None
    start = HEADER + _LENGTH.size
    if start + length > len(data):
        raise Malformed('the message ends within the text')
    return str(memoryview(data)[start:start + length], 'utf-8', 'replace').rstrip('\0')


class TransformTemplate:
    """
    A serialized TFMessage for fixed pairs of frames, into which stamps and numbers are written.

    The transforms are parent_from_child as rows x, y, z, qx, qy, qz, qw. ``at_zero`` (m, 7) has
    the transforms at zero, and ``changing`` (c,) the flat indices of those of its numbers that
    change.
    """

    def __init__(
        self, frames: Sequence[tuple[str, str]], at_zero: Array, changing: Indices,
    ) -> None:
        buffer, stamps, rows = _serialize(frames)
        size = len(buffer)
        buffer += bytes((HEADER - size) % _NUMBER)
        body = np.frombuffer(buffer, 'u1', offset=HEADER)
        self._message = memoryview(buffer)[:size]
        self._words, self._doubles = body.view('<u4'), body.view('<f8')
        self._seconds = (np.array(stamps, dtype=np.intp) - HEADER) // 4
        self._nanoseconds = self._seconds + 1
        starts = (np.array(rows, dtype=np.intp).reshape(-1, 1) - HEADER) // _NUMBER
        places: Indices = starts + np.arange(7)
        self._doubles[places] = at_zero
        self._numbers: Indices = places.reshape(-1)[changing]

    def fill(self, stamp: int, numbers: Array) -> bytes:
        """Return the message with one stamp (ns) and the numbers (c,) that change."""
        seconds, nanoseconds = divmod(stamp, SECOND)
        self._words[self._seconds] = seconds & 0xffffffff
        self._words[self._nanoseconds] = nanoseconds
        self._doubles[self._numbers] = numbers
        return bytes(self._message)


def _serialize(frames: Sequence[tuple[str, str]]) -> tuple[bytearray, list[int], list[int]]:
    """Return a TFMessage in little-endian CDR, and the offsets of its stamps and numbers."""
    writer = Writer(_LITTLE_ENDIAN + b'\0\0' + _LENGTH.pack(len(frames)))
    stamps, rows = [], []
    for parent, child in frames:
        stamps.append(writer.put(bytes(_STAMP.size), 4))
        writer.put_text(parent)
        writer.put_text(child)
        rows.append(writer.put(bytes(7 * _NUMBER), _NUMBER))
    return writer.data, stamps, rows
