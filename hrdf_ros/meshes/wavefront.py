# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Write the text of a Wavefront file (OBJ) anew, so that trimesh reads it as it is meant.

trimesh counts negative indices from the end of the file, not from the line that has them; it takes
0 for the first vertex, skips lines that have a tab or that begin with a blank, and reads the first
material library only.
"""

from __future__ import annotations

import re
from typing import Optional

_CONTINUED = re.compile(rb'\\\r?\n')
_BLANKS = re.compile(rb'[ \t\r]*\n[ \t\r]*')
_UNUSUAL = re.compile(rb'^f[ ][^\n#]*(?:-|(?<=[ /])0+(?![.\d]))', re.MULTILINE)
"""A face with an index that is negative or zero."""
_LIBRARIES = re.compile(rb'^mtllib[ ]+([^\n]+)', re.MULTILINE)
_LISTS = (b'v', b'vt', b'vn')
"""The keywords of the lines that a face counts, in the order of the indices of its corners."""


def plain_text(content: bytes) -> Optional[bytes]:
    """
    Return a Wavefront file without tabs, indented lines, continued lines and negative indices.

    The result is None if a face has an index that is 0, or that leads before the first line.
    """
    text = _BLANKS.sub(b'\n', b'\n' + _CONTINUED.sub(b' ', content).replace(b'\t', b' '))
    if _UNUSUAL.search(text) is None:
        return text
    counts = dict.fromkeys(_LISTS, 0)
    lines = text.split(b'\n')
    for number, line in enumerate(lines):
        keyword, _, rest = line.partition(b' ')
        if keyword in counts:
            counts[keyword] += 1
        elif keyword == b'f':
            corners = [_absolute(corner, tuple(counts.values())) for corner in rest.split()]
            if None in corners:
                return None
            lines[number] = b' '.join((keyword, *filter(None, corners)))
    return b'\n'.join(lines)


def _absolute(corner: bytes, counts: tuple[int, ...]) -> Optional[bytes]:
    """Return a corner of a face with positive indices, or None if an index is none."""
    indices = corner.split(b'/')
    for place, (index, count) in enumerate(zip(indices, counts)):
        if re.fullmatch(rb'-?\d+', index):
            value = int(index)
            value += count + 1 if value < 0 else 0
            if value < 1:
                return None
            indices[place] = b'%d' % value
    return b'/'.join(indices)


def library_lines(text: bytes) -> list[str]:
    """Return what the lines of material libraries name, in their order, from a plain text."""
    return [line.decode(errors='replace') for line in _LIBRARIES.findall(text)]
