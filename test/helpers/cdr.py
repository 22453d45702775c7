# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Messages as DDS carries them, without ROS."""

import struct


def serialized(names, positions, *, frame='', order='<', stamp=(1, 2), padding=b'\0'):
    """Write a JointState as CDR, with any bytes as padding."""
    data = bytearray(b'\0\1\0\0' if order == '<' else b'\0\0\0\0')

    def pad(size):
        data.extend(padding * (-(len(data) - 4) % size))

    def string(text):
        pad(4)
        encoded = text.encode() + b'\0'
        data.extend(struct.pack(order + 'I', len(encoded)) + encoded)

    def count(number):
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
