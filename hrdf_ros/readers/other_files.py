# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Recognize files that are no robot descriptions by their content."""

from __future__ import annotations

from typing import Optional

from hrdf_ros.document import root_element, SourceFile

_BEGINNINGS = (
    (b'\x89PNG', 'a PNG image'), (b'\xff\xd8\xff', 'a JPEG image'), (b'GIF8', 'a GIF image'),
    (b'BM', 'a BMP image'), (b'II*\0', 'a TIFF image'), (b'MM\0*', 'a TIFF image'),
    (b'%PDF', 'a PDF document'), (b'PK\x03\x04', 'a ZIP archive'), (b'\x1f\x8b', 'an archive'),
    (b'glTF', 'a mesh (glTF)'), (b'solid ', 'a mesh (STL)'), (b'mtllib ', 'a mesh (OBJ)'))
_ROOTS = {
    'package': 'the manifest of a ROS package', 'launch': 'a launch file',
    'COLLADA': 'a mesh (COLLADA)', 'svg': 'an SVG image', 'html': 'a web page',
    'model': 'the manifest of a Gazebo model', 'mujocoinclude': 'a part of an MJCF file'}


def what_it_is(source: SourceFile) -> Optional[str]:
    """Return what a source is, such as ``a PNG image``; None where that is not known."""
    data = source.data
    for start, what in _BEGINNINGS:
        if data.startswith(start):
            return what
    if source.file.lower().endswith('.rviz') or b'Visualization Manager:' in data:
        return 'a configuration of RViz'
    root = root_element(source) if b'<' in data else None
    return None if root is None else _ROOTS.get(root[0])
