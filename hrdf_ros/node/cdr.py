# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Serialized messages, read and filled in place where their layout is known.

They are CDR (OMG DDS-XTypes 7.4.1, plain CDR version 1): a four-byte header whose second byte
gives the byte order, then the fields, each aligned to its size counted from after the header.
Strings carry their length and a final zero. Padding bytes are undefined. This module does not
import ROS.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
import struct
from typing import Any, NamedTuple, Optional

from hrdf_ros.kinematics.transforms import Array, Indices
from hrdf_ros.limits import JOINT_STATE_BYTES
import numpy as np

HEADER = 4
_STAMPED = HEADER + 8
"""The end of a stamp that is the first field."""
_LITTLE_ENDIAN = b'\0\1'
_MOST_LAYOUTS = 32
_STAMP = struct.Struct('<iI')
_LENGTH = struct.Struct('<I')
_NUMBER = 8
_NUMBERS = 7 * _NUMBER


class Malformed(ValueError):
    """Bytes that are not a message of the expected type."""


class JointPositions(NamedTuple):
    """The part of a JointState that is used; ``values`` (n,) are read-only."""

    seconds: int
    nanoseconds: int
    names: tuple[str, ...]
    values: Array


class Layout:
    """The JointStates that differ from one message only in stamp, positions and what follows."""

    def __init__(self, data: bytes, names: tuple[str, ...]) -> None:
        """Learn from a well-formed little-endian message with a position for each name."""
        padding, self._first = _find_positions(data, len(names))
        self._names = names
        self._size = len(data)
        self._block = data[_STAMPED:self._first]
        mask = bytearray(b'\xff' * len(self._block))
        for start, end in padding:
            mask[start - _STAMPED:end - _STAMPED] = bytes(end - start)
        self._mask = int.from_bytes(mask, 'little')
        self._masked = int.from_bytes(self._block, 'little') & self._mask

    @property
    def size(self) -> int:
        """The bytes from the stamp to the positions."""
        return len(self._block)

    def fits(self, data: bytes) -> bool:
        """Return whether a message has this layout, whatever its padding holds."""
        return len(data) == self._size and data.startswith(_LITTLE_ENDIAN) and (
            data.startswith(self._block, _STAMPED)
            or int.from_bytes(data[_STAMPED:self._first], 'little') & self._mask == self._masked)

    def read(self, data: bytes) -> JointPositions:
        """Return the content of a message that has this layout."""
        seconds, nanoseconds = _STAMP.unpack_from(data, HEADER)
        values = np.frombuffer(data, np.float64, len(self._names), self._first)
        return JointPositions(seconds, nanoseconds, self._names, values)


class JointStateReader:
    """Reads JointStates: in place where the layout is known, else by ``deserialize``."""

    def __init__(self, deserialize: Callable[[bytes], Any]) -> None:
        self._deserialize = deserialize
        self._layouts: list[Layout] = []

    def find(self, data: bytes) -> Optional[JointPositions]:
        """Return the content of a message whose layout is known, else None."""
        layouts = self._layouts
        for index, layout in enumerate(layouts):
            if layout.fits(data):
                if index:
                    layouts.insert(0, layouts.pop(index))
                return layout.read(data)
        return None

    def learn(self, data: bytes) -> JointPositions:
        """Return the content of any message and remember its layout; raise Malformed."""
        if len(data) > JOINT_STATE_BYTES:
            raise Malformed(f'it has more than {JOINT_STATE_BYTES} bytes')
        try:
            message = self._deserialize(data)
        except RuntimeError:
            raise Malformed('its bytes are not a JointState') from None
        names, positions = tuple(message.name), message.position
        if len(names) != len(positions):
            raise Malformed(f'it has {len(names)} names but {len(positions)} positions'
                            if len(positions) else 'it has no positions')
        if names and data.startswith(_LITTLE_ENDIAN):
            self._remember(Layout(data, names))
        stamp = message.header.stamp
        return JointPositions(stamp.sec, stamp.nanosec, names, np.array(positions, dtype=float))

    def _remember(self, layout: Layout) -> None:
        """Keep the layouts that were used last and whose bytes together are few enough."""
        kept, size = [layout], layout.size
        for known in self._layouts[:_MOST_LAYOUTS - 1]:
            size += known.size
            if size <= JOINT_STATE_BYTES:
                kept.append(known)
        self._layouts = kept


def _find_positions(data: bytes, count: int) -> tuple[list[tuple[int, int]], int]:
    """Return where padding is in a JointState of so many names, and where its positions start."""
    padding: list[tuple[int, int]] = []

    def align(end: int, size: int) -> int:
        padding.append((end, aligned(end, size)))
        return padding[-1][1]

    def skip_string(start: int) -> int:
        return start + _LENGTH.size + int(_LENGTH.unpack_from(data, start)[0])

    end = align(skip_string(_STAMPED), 4) + _LENGTH.size
    for _ in range(count):
        end = skip_string(align(end, 4))
    return padding, align(align(end, 4) + _LENGTH.size, _NUMBER)


def read_string(data: bytes) -> str:
    """Return the text of a serialized String; raise Malformed for other bytes."""
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


def aligned(position: int, size: int) -> int:
    """Return the next position aligned to a size, counted from after the header."""
    return position + (HEADER - position) % size


class TransformTemplate:
    """
    A serialized TFMessage for fixed pairs of frames, whose stamps and numbers are filled in.

    The transforms are parent_from_child as rows x, y, z, qx, qy, qz, qw. ``at_zero`` (m, 7) has
    the numbers that never change, ``changing`` (c,) the places of the others in it, counted
    through its rows.
    """

    def __init__(
        self, frames: Sequence[tuple[str, str]], at_zero: Array, changing: Indices,
    ) -> None:
        buffer, stamps, rows = _serialize(frames)
        size = len(buffer)
        buffer += bytes((HEADER - size) % _NUMBER)
        body = np.frombuffer(buffer, 'u1', offset=HEADER)
        self._message = memoryview(buffer)[:size]
        self._stamps = np.ndarray(len(body) // 4 - 1, '<u8', buffer, HEADER, (4,))
        """Every word and the next one, as one number: a stamp is aligned to a word."""
        self._doubles = body.view('<f8')
        self._words = (np.array(stamps, dtype=np.intp) - HEADER) // 4
        starts = (np.array(rows, dtype=np.intp).reshape(-1, 1) - HEADER) // _NUMBER
        places: Indices = starts + np.arange(7)
        self._doubles[places] = at_zero
        self._numbers: Indices = places.reshape(-1)[changing]

    def fill(self, seconds: int, nanoseconds: int, numbers: Array) -> bytes:
        """Return the message with one stamp and the numbers (c,) that change."""
        self._stamps[self._words] = seconds & 0xffffffff | nanoseconds << 32
        self._doubles[self._numbers] = numbers
        return bytes(self._message)


def _serialize(frames: Sequence[tuple[str, str]]) -> tuple[bytearray, list[int], list[int]]:
    """Return a TFMessage in little-endian CDR, where its stamps and where its numbers start."""
    buffer = bytearray(_LITTLE_ENDIAN + b'\0\0' + _LENGTH.pack(len(frames)))
    stamps, rows = [], []
    for pair in frames:
        stamps.append(_reserve(buffer, _STAMP.size, 4))
        for frame in pair:
            encoded = frame.encode('utf-8') + b'\0'
            _LENGTH.pack_into(buffer, _reserve(buffer, _LENGTH.size, 4), len(encoded))
            buffer += encoded
        rows.append(_reserve(buffer, _NUMBERS, _NUMBER))
    return buffer, stamps, rows


def _reserve(buffer: bytearray, size: int, alignment: int) -> int:
    """Append zeros at an aligned place and return it."""
    start = aligned(len(buffer), alignment)
    buffer += bytes(start + size - len(buffer))
    return start
