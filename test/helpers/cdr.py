# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Messages as DDS transports them, without ROS."""

from __future__ import annotations

from collections.abc import Sequence
import struct
from types import SimpleNamespace


def serialized(
    names: Sequence[str], positions: Sequence[float], *, frame: str = '', order: str = '<',
    stamp: tuple[int, int] = (1, 2), padding: bytes = b'\0',
) -> bytes:
    """Return a JointState in CDR, with any bytes as padding."""
    data = bytearray(b'\0\1\0\0' if order == '<' else b'\0\0\0\0')

    def pad(size: int) -> None:
        data.extend(padding * (-(len(data) - 4) % size))

    def string(text: str) -> None:
        pad(4)
        encoded = text.encode('utf-8', 'surrogatepass') + b'\0'
        data.extend(struct.pack(order + 'I', len(encoded)) + encoded)

    def count(number: int) -> None:
        pad(4)
        data.extend(struct.pack(order + 'I', number))

    data.extend(struct.pack(order + 'iI', *stamp))
    string(frame)
    count(len(names))
    for name in names:
        string(name)
    count(len(positions))
    if positions:
        pad(8)
        data.extend(struct.pack(f'{order}{len(positions)}d', *positions))
    count(0)
    count(0)
    return bytes(data)


class _Reader:
    """Reads CDR; bytes that encode no message raise RuntimeError, as in the middleware."""

    def __init__(self, data: bytes) -> None:
        if len(data) < 4 or data[0] or data[1] > 1:
            raise RuntimeError('the header is not that of plain CDR')
        self._data = data
        self._order = '><'[data[1]]
        self._at = 4

    def numbers(self, form: str, size: int) -> tuple[float, ...]:
        self._at += (4 - self._at) % size
        try:
            found = struct.unpack_from(self._order + form, self._data, self._at)
        except struct.error:
            raise RuntimeError('the message ends early') from None
        self._at += struct.calcsize(self._order + form)
        return found

    def count(self, least: int) -> int:
        count = int(self.numbers('I', 4)[0])
        if self._at + least * count > len(self._data):
            raise RuntimeError('the message ends early')
        return count

    def string(self) -> str:
        length = self.count(1)
        self._at += length
        raw = self._data[self._at - length:self._at].partition(b'\0')[0]  # as rclpy
        return raw.decode('utf-8', 'replace')

    def doubles(self) -> list[float]:
        count = self.count(8)
        return list(self.numbers(f'{count}d', 8)) if count else []


def deserialized(data: bytes) -> SimpleNamespace:
    """Return the JointState that bytes encode; raise RuntimeError for other bytes."""
    reader = _Reader(data)
    seconds, nanoseconds = reader.numbers('iI', 4)
    stamp = SimpleNamespace(sec=seconds, nanosec=nanoseconds)
    frame = reader.string()
    names = [reader.string() for _ in range(reader.count(5))]
    return SimpleNamespace(
        header=SimpleNamespace(stamp=stamp, frame_id=frame), name=names,
        position=reader.doubles())


def transforms(data: bytes) -> tuple[int, dict[tuple[str, str], tuple[float, ...]]]:
    """Return the stamp in ns of a TFMessage, and its transforms by parent and child frame."""
    reader = _Reader(data)
    found, stamp = {}, 0
    for _ in range(reader.count(60)):
        seconds, nanoseconds = reader.numbers('iI', 4)
        stamp = int(seconds * 1_000_000_000 + nanoseconds)
        pair = reader.string(), reader.string()
        found[pair] = reader.numbers('7d', 8)
    return stamp, found
