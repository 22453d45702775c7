# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Serialized TFMessages for fixed pairs of frames, whose stamps and numbers are filled in.

They are CDR, see ``cdr``. The transforms are parent_from_child as rows x, y, z, qx, qy, qz, qw.
``at_zero`` (m, 7) has the numbers that never change, ``changing`` (c,) the places of the others
in it, counted through its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
import struct
from typing import Optional, Union

from hrdf_ros.kinematics.transforms import Array, Indices
from hrdf_ros.node.cdr import aligned, HEADER
import numpy as np

FEW = 48
"""So many numbers are written faster one by one than as an array."""
Numbers = Union[Array, Sequence[float]]
"""Those that change (c,)."""
_STAMP = struct.Struct('<II')
_NUMBERS = 56
"""Bytes of the numbers of a transform."""
_NUMBER = 8


class ArrayTemplate:
    """A message whose numbers come as an array; without ``changing`` as rows (m, 7)."""

    def __init__(
        self, frames: Sequence[tuple[str, str]], at_zero: Optional[Array] = None,
        changing: Optional[Indices] = None,
    ) -> None:
        parts = _Parts(frames)
        size = len(parts.buffer)
        buffer = parts.buffer + bytes((HEADER - size) % 8)
        body = np.frombuffer(buffer, 'u1', offset=HEADER)
        self._message = memoryview(buffer)[:size]
        self._stamps = np.ndarray(len(body) // 4 - 1, '<u8', buffer, HEADER, (4,))
        """Stamps as one number each, which begin at any word."""
        self._doubles = body.view('<f8')
        self._words = (np.array(parts.stamps, dtype=np.intp) - HEADER) // 4
        self._numbers = (parts.places - HEADER) // _NUMBER
        if at_zero is not None and changing is not None:
            self._doubles[self._numbers] = at_zero
            self._numbers = self._numbers.reshape(-1)[changing]

    def fill(self, seconds: int, nanoseconds: int, numbers: Numbers) -> bytes:
        """Return the message with one stamp and the numbers that change."""
        self._stamps[self._words] = seconds & 0xffffffff | nanoseconds << 32
        self._doubles[self._numbers] = numbers
        return bytes(self._message)


class FewNumbersTemplate:
    """A message whose numbers come one by one, put between what is always the same."""

    def __init__(
        self, frames: Sequence[tuple[str, str]], at_zero: Array, changing: Indices,
    ) -> None:
        parts = _Parts(frames)
        for place, number in zip(parts.places.reshape(-1).tolist(), at_zero.reshape(-1).tolist()):
            struct.pack_into('<d', parts.buffer, place, number)
        self._fields: list[Union[bytes, float]] = []
        self._stamps: list[int] = []
        self._numbers: list[int] = []
        formats, position = ['<'], 0
        places = parts.places.reshape(-1)[changing].tolist()
        for place in sorted((*parts.stamps, *places)):
            formats.append(self._append(bytes(parts.buffer[position:place])))
            is_number = place in places
            (self._numbers if is_number else self._stamps).append(len(self._fields))
            formats.append('d' if is_number else f'{_STAMP.size}s')
            self._fields.append(0.0 if is_number else b'')
            position = place + (_NUMBER if is_number else _STAMP.size)
        formats.append(self._append(bytes(parts.buffer[position:])))
        self._pack = struct.Struct(''.join(formats)).pack

    def _append(self, same: bytes) -> str:
        self._fields.append(same)
        return f'{len(same)}s'

    def fill(self, seconds: int, nanoseconds: int, numbers: Numbers) -> bytes:
        """Return the message with one stamp and the numbers that change."""
        fields = self._fields
        stamp = _STAMP.pack(seconds & 0xffffffff, nanoseconds)
        for field in self._stamps:
            fields[field] = stamp
        for field, number in zip(self._numbers, numbers):
            fields[field] = number
        return self._pack(*fields)


Template = Union[ArrayTemplate, FewNumbersTemplate]


def transforms_template(
    frames: Sequence[tuple[str, str]], at_zero: Array, changing: Indices,
) -> Template:
    """Return the quicker template."""
    kind = FewNumbersTemplate if len(changing) <= FEW else ArrayTemplate
    return kind(frames, at_zero, changing)


class _Parts:
    """A message in little-endian CDR, and where its stamps and numbers (m, 7) are."""

    def __init__(self, frames: Sequence[tuple[str, str]]) -> None:
        self.buffer = bytearray(b'\0\1\0\0')
        self.stamps: list[int] = []
        numbers: list[int] = []
        self._integer(len(frames))
        for parent, child in frames:
            self.stamps.append(self._reserve(_STAMP.size, 4))
            self._string(parent)
            self._string(child)
            numbers.append(self._reserve(_NUMBERS, _NUMBER))
        starts = np.array(numbers, dtype=np.intp).reshape(-1, 1)
        self.places: Indices = starts + np.arange(0, _NUMBERS, _NUMBER)

    def _reserve(self, size: int, alignment: int) -> int:
        """Append zeros at an aligned place and return it."""
        start = aligned(len(self.buffer), alignment)
        self.buffer += bytes(start + size - len(self.buffer))
        return start

    def _integer(self, value: int) -> None:
        struct.pack_into('<I', self.buffer, self._reserve(4, 4), value)

    def _string(self, text: str) -> None:
        encoded = text.encode('utf-8') + b'\0'
        self._integer(len(encoded))
        self.buffer += encoded
